"""diabetes: the course of an illness within a year, a number to predict (in scikit-learn)."""

import numpy as np

from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.targets import intervals
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Efron, Hastie, Johnstone and Tibshirani, Least angle regression, Annals of "
    "Statistics 32(2):407-499, 2004, doi:10.1214/009053604000000067",
    "licence": "BSD-3-Clause (scikit-learn); original data from the authors of the paper",
    "source": "sklearn.datasets.load_diabetes",
    "oddities": "The target measures the progression one year after the features were taken. "
    "Features have different units, so embeddings standardise them by default.",
}


def load(files, seed):
    """Load 442 patients with ten measurements each.

    Returns
    -------
    Dataset
        Kind `features`, in the units of the paper, with a target.

    Examples
    --------
    >>> data = load({}, 0)
    >>> data.features.shape, float(data.target.max())
    ((442, 10), 346.0)
    """
    from sklearn.datasets import load_diabetes  # only this loader pays for it

    bunch = load_diabetes(scaled=False)
    target = np.asarray(bunch.target, dtype=np.float64)
    return checked(
        Dataset(
            "diabetes",
            "features",
            *intervals(target),
            features=bunch.data,
            target=target,
            about=ABOUT | {"columns": list(bunch.feature_names)},
        )
    )
