"""Embedded points with a given split: ``x_train, y_train, x_test, y_test`` in one npz file.

This is how the authors of Pan et al. (2023) publish their embeddings; `fixed_fold` keeps their
split.
"""

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid.interfaces.numbers import require_exact
from noneuclid_compare.data.checks import bring_inside, checked, encode, with_time
from noneuclid_compare.data.files.arrays import read_array
from noneuclid_compare.data.own.samples import describe, file_of, require_choice
from noneuclid_compare.data.own.texts import require_distinct
from noneuclid_compare.records import Dataset

KEYS = ("x_train", "y_train", "x_test", "y_test")
NAME = "train_test_npz"


def load(
    files,
    seed,
    *,
    chart="poincare",
    curvature=1.0,
    project_to_ball=False,
    class_names=None,
    about=None,
):
    """Read the file of the role ``embedding``.

    Parameters
    ----------
    files : dict
        `embedding`: the npz file.
    chart, curvature : str, float
        Of the coordinates.
    project_to_ball : bool
        Apply `charts.project_to_ball`.
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
    arrays = {key: read_array(path, key, KEYS) for key in KEYS}
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
    features = np.concatenate([arrays["x_train"], arrays["x_test"]]).astype(float)
    require_choice(project_to_ball, "project_to_ball", (False, True), NAME)
    if project_to_ball:
        try:
            features, changed = bring_inside(features, chart, curvature)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        about = describe(path.name, about, changed) | {"project_to_ball": True}
    written = chart
    features, chart, changed = with_time(features, chart, curvature)
    if changed:
        about = describe(path.name, about, changed) | {"written": written}
    return checked(
        Dataset(
            name=NAME,
            kind="points",
            labels=labels,
            class_names=tuple(given),
            features=features,
            chart=chart,
            curvature=curvature,
            fixed_fold=np.repeat([0, 1], sizes),
            about=about or {},
        )
    )
