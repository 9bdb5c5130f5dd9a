"""Embedded points with a given split: ``x_train, y_train, x_test, y_test`` in one npz file.

This is how the authors of pan2023 publish their embeddings; `fixed_fold` keeps their split.
"""

import numpy as np

from noneuclid.contracts import Dataset
from noneuclid.datasets.checks import checked, encode
from noneuclid.datasets.files.arrays import read_array, require_exact
from noneuclid.datasets.own.samples import file_of, require_distinct
from noneuclid.errors import require

KEYS = ("x_train", "y_train", "x_test", "y_test")
NAME = "train_test_npz"


def load(files, seed, *, chart="poincare", curvature=1.0, class_names=None, about=None):
    """Read the file of the role ``embedding``.

    Parameters
    ----------
    files : dict
        `embedding`: the npz file.
    chart, curvature : str, float
        Of the coordinates.
    class_names : list of str, optional
        In the order of the sorted labels.
    about : dict of str to str, optional

    Returns
    -------
    Dataset
        Of kind ``points``, the authors' training rows first.

    Raises
    ------
    InputError
        If an array is missing, or the number of class names differs from that of the classes.
    """
    path = file_of(files, NAME, role="embedding")
    arrays = {key: read_array(path, key) for key in KEYS}
    for part in ("train", "test"):
        x, y = arrays[f"x_{part}"], arrays[f"y_{part}"]
        require(
            x.ndim == 2 and x.dtype.kind in "fiu" and y.size == len(x),
            f"{path}: x_{part} is {x.dtype} of shape {x.shape}, y_{part} has {y.size} labels; give "
            "a table of numbers and one label for each row",
        )
        if x.dtype.kind in "iu":
            require_exact(x, lambda row, column, part=part: f"{path}: x_{part}[{row}, {column}]")
    widths = [arrays[f"x_{part}"].shape[1] for part in ("train", "test")]
    require(widths[0] == widths[1], f"{path}: x_train and x_test have {widths} columns")
    labels = np.concatenate([arrays["y_train"], arrays["y_test"]]).ravel()
    labels, names = encode(labels)
    require_distinct(names)
    given = names if class_names is None else class_names
    require(
        isinstance(given, list | tuple)
        and all(isinstance(name, str) for name in given)
        and len(names) == len(given) == len({*given}),
        f"{path} has {len(names)} classes but class_names is {given!r}; give a text for each, once",
    )
    sizes = len(arrays["x_train"]), len(arrays["x_test"])
    return checked(
        Dataset(
            name=NAME,
            kind="points",
            labels=labels,
            class_names=tuple(given),
            features=np.concatenate([arrays["x_train"], arrays["x_test"]]).astype(float),
            chart=chart,
            curvature=curvature,
            fixed_fold=np.repeat([0, 1], sizes),
            about=about or {},
        )
    )
