"""Rows of a matrix of cells by genes, a part at a time: from an ``.h5ad`` file or from memory."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.sparse import csr_array

from noneuclid.errors import require, require_package
from noneuclid.interfaces import sparse_matrices
from noneuclid_compare.data.files.arrays import key_of, open_h5ad, reading

# Values of a part: 50 MB with their indices, before they are copied.
VALUES = 2**22


@dataclass(frozen=True)
class Cells:
    """A matrix of cells by genes that need not fit in memory.

    Attributes
    ----------
    where : str
        What it is, for messages.
    shape : tuple of int
    parts : callable
        Yields the first row and the sparse matrix of each part, in order; the argument says
        whether index arrays are checked, which one pass does.
    """

    where: str
    shape: tuple
    parts: Callable[[bool], Iterator]


def of_matrix(matrix, where="X"):
    """The rows of a sparse or dense matrix in memory.

    Examples
    --------
    >>> cells = of_matrix(np.eye(3))
    >>> [(first, rows.shape) for first, rows in cells.parts(True)]
    [(0, (3, 3))]
    """
    matrix = csr_array(matrix)

    def parts(_check):
        for a, b in _bounds(matrix.indptr):
            yield a, matrix[a:b]

    return Cells(where, matrix.shape, parts)


def of_file(path, features="X"):
    """The rows of ``X``, ``raw`` or a layer of a file; each pass opens the file again.

    A matrix by columns (csc) is read as a whole, because its rows are in no one place.
    """
    h5py = require_package("h5py", "data", "an .h5ad file")
    where = f"{path}: {features}"
    with reading(path, "h5ad"), open_h5ad(path) as file:
        require(key_of(features) in file, f"{path} has no {features}; name a layer by features")
        element = file[key_of(features)]
        if not isinstance(element, h5py.Group):
            require(
                element.ndim == 2 and element.dtype.kind in "fiub",
                f"{where} holds {element.dtype} of shape {element.shape}; give a matrix of numbers",
            )
            return Cells(where, element.shape, partial(_dense_parts, path, features))
        kind, shape = sparse_matrices.head_of_group(element, where)
        if kind == "csc":
            return of_matrix(sparse_matrices.whole_of_group(element, where), where)
    return Cells(where, shape, partial(_sparse_parts, path, features))


def _sparse_parts(path, features, check):
    """Parts of a matrix by rows."""
    where = f"{path}: {features}"
    with reading(path, "h5ad"), open_h5ad(path) as file:
        group = file[key_of(features)]
        kind, shape = sparse_matrices.head_of_group(group, where)
        indptr = group["indptr"][()]
        sparse_matrices.require_pointers(kind, indptr, len(group["data"]), where)
        for a, b in _bounds(indptr):
            start, end = int(indptr[a]), int(indptr[b])
            pointers = (indptr[a : b + 1] - indptr[a]).astype(np.int64)
            indices, data = group["indices"][start:end], group["data"][start:end]
            size = (b - a, shape[1])
            if check:
                yield a, sparse_matrices.checked(kind, size, pointers, indices, data, where, a)
            else:
                yield a, csr_array((data, indices, pointers), shape=size)


def _dense_parts(path, features, _check):
    """Parts of a dense matrix."""
    with reading(path, "h5ad"), open_h5ad(path) as file:
        element = file[key_of(features)]
        step = max(1, VALUES // max(1, element.shape[1]))
        for a in range(0, len(element), step):
            yield a, csr_array(element[a : a + step])


def _bounds(indptr):
    """First and last rows of parts with at most `VALUES` values, or one row."""
    n, a = len(indptr) - 1, 0
    while a < n:
        b = int(np.searchsorted(indptr, indptr[a] + np.int64(VALUES), side="right")) - 1
        b = min(max(b, a + 1), n)
        yield a, b
        a = b
