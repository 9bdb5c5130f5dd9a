"""Points that come embedded and split: ``x_train, y_train, x_test, y_test`` in one npz file.

This is how the authors of pan2023 publish their embeddings; `fixed_fold` keeps their split.
"""

import numpy as np

from noneuclid import io
from noneuclid.contracts import Dataset, InputError
from noneuclid.datasets.checks import checked, encode

KEYS = ("x_train", "y_train", "x_test", "y_test")


def load(settings, files, seed):
    """Read the file of the role ``embedding``.

    Parameters
    ----------
    settings : dict
        `chart` (default ``"poincare"``) and `curvature` (1.0) of the coordinates; optional
        `class_names` in the order of the sorted labels; optional `about` (str to str).
    files : dict of str to Path
        `embedding`: the npz file.
    seed : int
        Not used: nothing is random.

    Returns
    -------
    Dataset
        Of kind ``points``, the authors' training rows first.
    """
    arrays = io.read_arrays(files["embedding"], KEYS)
    labels = np.concatenate([arrays["y_train"], arrays["y_test"]]).ravel()
    labels, names = encode(labels)
    given = settings.get("class_names")
    if given is not None and len(given) != len(names):
        raise InputError(
            f"{files['embedding']} has {len(names)} classes but class_names lists {len(given)}"
        )
    sizes = len(arrays["x_train"]), len(arrays["x_test"])
    return checked(
        Dataset(
            name=settings.get("name", "train_test_npz"),
            kind="points",
            labels=labels,
            class_names=tuple(given or names),
            features=np.concatenate([arrays["x_train"], arrays["x_test"]]).astype(float),
            chart=settings.get("chart", "poincare"),
            curvature=settings.get("curvature", 1.0),
            fixed_fold=np.repeat([0, 1], sizes),
            about=settings.get("about", {}),
        )
    )
