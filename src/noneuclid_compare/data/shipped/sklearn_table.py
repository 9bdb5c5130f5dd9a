"""sklearn_table: the tables iris, wine and breast_cancer (in scikit-learn)."""

from importlib import import_module

import numpy as np

from noneuclid.errors import require
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

CITATIONS = {
    "iris": "Fisher, The use of multiple measurements in taxonomic problems, Annual Eugenics "
    "7(2):179-188, 1936, doi:10.1111/j.1469-1809.1936.tb02137.x",
    "wine": "Aeberhard and Forina, Wine, UCI Machine Learning Repository, 1992, "
    "doi:10.24432/C5PC7J",
    "breast_cancer": "Wolberg, Mangasarian, Street and Street, Breast cancer Wisconsin "
    "(diagnostic), UCI Machine Learning Repository, 1995, doi:10.24432/C5DW2B",
}
ODDITIES = "Features have different units, so embeddings standardise them by default."


def load(files, seed, *, name="iris"):
    """Load a table of measurements and its classes.

    Parameters
    ----------
    name : {"iris", "wine", "breast_cancer"}

    Returns
    -------
    Dataset
        Kind `features`, in the units of the table.

    Raises
    ------
    InputError
        If the name is unknown.

    Examples
    --------
    >>> data = load({}, 0, name="wine")
    >>> data.features.shape, data.class_names
    ((178, 13), ('class_0', 'class_1', 'class_2'))
    """
    require(
        name in [*CITATIONS], f"sklearn_table: name = {name!r}; give one of {', '.join(CITATIONS)}"
    )
    # Only this loader pays for it.
    bunch = getattr(import_module("sklearn.datasets"), f"load_{name}")()
    return checked(
        Dataset(
            name,
            "features",
            np.asarray(bunch.target, dtype=np.int64),
            tuple(str(one) for one in bunch.target_names),
            features=np.asarray(bunch.data, dtype=float),
            about={
                "citation": CITATIONS[name],
                "licence": "BSD-3-Clause (scikit-learn); data CC BY 4.0 (UCI)",
                "source": f"sklearn.datasets.load_{name}",
                "oddities": ODDITIES,
                "columns": [str(one) for one in bunch.feature_names],
            },
        )
    )
