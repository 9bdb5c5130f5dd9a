"""Read the file formats in which the papers' data come; a broken file is one line of error."""

import csv

import numpy as np

from noneuclid.errors import require
from noneuclid_compare.data.checks import encode
from noneuclid_compare.data.files.arrays import reading

AGAIN = "fetch the file again"


def check_roles(files, name, required, optional=()):
    """Refuse a data set without a required file, or with one that is not read.

    Examples
    --------
    >>> check_roles({"points": "a.npy"}, "loader", ["points"], ["split"])
    """
    legal = ", ".join([*required, *(f"{role} (optional)" for role in optional)])
    for role in required:
        require(role in files, f"{name}: no file for {role!r}; expected files: {legal}")
    for role in files:
        require(
            role in required or role in optional,
            f"{name}: a file for {role!r} is not read; expected files: {legal}",
        )


def require_choice(value, key, legal, name):
    """Return ``settings[key]`` if it is one of `legal`.

    Examples
    --------
    >>> require_choice("graph", "kind", ("graph", "points"), "loader")
    'graph'
    """
    require(value in list(legal), f"{name}: {key} = {value!r}; give one of {', '.join(legal)}")
    return value


def codes_for(labels, class_names, name):
    """Codes of labels whose classes have known names, in the order of the sorted labels.

    Shapes: `labels` (n,); returns shape (n,).
    """
    codes, found = encode(labels)
    require(
        len(found) == len(class_names),
        f"{name}: the labels have {len(found)} classes, not {len(class_names)}; "
        "setting name and file belong to different data sets",
    )
    return codes


def read_array(path):
    """Read one array from an ``.npy`` file."""
    with reading(path, "an array", AGAIN):
        return np.load(path, allow_pickle=False)


def read_numbers(path, dtype=float, delimiter=None):
    """Read a matrix of numbers from text without a header."""
    with reading(path, "numbers", AGAIN):
        return np.loadtxt(path, dtype=dtype, delimiter=delimiter, ndmin=2)


def read_matlab(path, names):
    """Read the named variables of a ``.mat`` file, in that order."""
    from scipy.io import loadmat  # only two loaders read this format

    with reading(path, "a MATLAB file", AGAIN):
        found = loadmat(path)
    for name in names:
        require(name in found, f"{path} has no variable {name!r}; setting or file is wrong")
    return [found[name] for name in names]


def read_cells(path):
    """Read a table of cells: a header, one row per cell, its class in the last column.

    Returns `features` (n, p), `classes` (n,).
    """
    with reading(path, "cells", AGAIN), open(path, newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))[1:]
        return np.array([row[:-1] for row in rows], dtype=float), np.array([r[-1] for r in rows])
