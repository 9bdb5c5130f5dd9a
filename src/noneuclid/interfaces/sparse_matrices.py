"""Sparse matrices of other programs, checked before compiled code reads their index arrays."""

import numpy as np
from scipy import sparse

from noneuclid.errors import require

FORMATS = {"csr": sparse.csr_array, "csc": sparse.csc_array}
CURE = "save the matrix again"
ARRAYS = ("indptr", "indices", "data")
# What the pointers count.
ALONG = {"csr": "row", "csc": "column"}


def dense(matrix, where):
    """Dense matrix of a scipy sparse matrix in memory; anything else unchanged.

    Damaged index arrays are refused: scipy would read past their ends.
    """
    return checked(*_parts(matrix, where)).toarray() if sparse.issparse(matrix) else matrix


def require_sound(matrix, where):
    """Raise an `InputError` as `dense` does, without making a dense matrix."""
    if sparse.issparse(matrix):
        checked(*_parts(matrix, where))


def _parts(matrix, where):
    require(
        matrix.format in FORMATS,
        f"{where} is a sparse matrix of format {matrix.format}; call tocsr() first",
    )
    return matrix.format, matrix.shape, matrix.indptr, matrix.indices, matrix.data, where


def dense_of_group(group, where):
    """Dense matrix of a sparse matrix as AnnData keeps it in an HDF5 group."""
    return whole_of_group(group, where).toarray()


def whole_of_group(group, where):
    """Sparse matrix as AnnData keeps it in an HDF5 group, after a full check."""
    kind, shape = head_of_group(group, where)
    return checked(kind, shape, *(group[name][()] for name in ARRAYS), where)


def head_of_group(group, where):
    """Format and shape of a sparse matrix in an HDF5 group.

    Lengths are compared before anything is read, so a file cannot ask for more memory than its
    shape says.
    """
    kind = str(group.attrs.get("encoding-type", group.attrs.get("h5sparse_format", "")))[:3]
    require(kind in FORMATS, f"{where} is a group but not a csr or csc matrix; {CURE}")
    shape = group.attrs.get("shape", group.attrs.get("h5sparse_shape", ()))
    for name in ARRAYS:
        require(hasattr(group.get(name), "shape"), f"{where} has no array {name}; {CURE}")
    _require_lengths(kind, shape, *(group[name] for name in ARRAYS), where)
    return kind, tuple(int(size) for size in shape)


def require_pointers(kind, indptr, count, where):
    """Refuse pointers that do not run from 0 to the number of values, never falling."""
    require(
        indptr[0] == 0 and indptr[-1] == count,
        f"{where}: indptr runs from {indptr[0]} to {indptr[-1]}, but there are {count} values; "
        f"{CURE}",
    )
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    require(not falls.size, f"{where}: indptr falls at {ALONG[kind]} {[*falls, 0][0]}; {CURE}")


def checked(kind, shape, indptr, indices, data, where, first=0):
    """Sparse matrix of its arrays, after a full check; its first line is line `first` of a file."""
    indptr, indices, data = np.asarray(indptr), np.asarray(indices), np.asarray(data)
    _require_lengths(kind, shape, indptr, indices, data, where)
    shape = tuple(int(size) for size in shape)
    along, across = ALONG[kind], ALONG["csc" if kind == "csr" else "csr"]
    width = shape[1 if kind == "csr" else 0]
    require_pointers(kind, indptr, len(data), where)
    outside = np.flatnonzero((indices < 0) | (indices >= width))
    if outside.size:
        line = int(np.searchsorted(indptr, outside[0], side="right")) - 1 + first
        require(
            False,
            f"{where}: {along} {line} holds {across} index {indices[outside[0]]}, but there are "
            f"{width} {across}s; {CURE}",
        )
    # Now compiled code may read them.
    matrix = FORMATS[kind]((data, indices, indptr), shape=shape)
    if not matrix.has_canonical_format:
        ordered = matrix.sorted_indices()
        lines = np.repeat(np.arange(len(indptr) - 1), np.diff(ordered.indptr))
        same = np.flatnonzero((np.diff(lines) == 0) & (np.diff(ordered.indices) == 0))
        if same.size:
            require(
                False,
                f"{where}: {along} {lines[same[0]] + first} holds {across} "
                f"{ordered.indices[same[0]]} twice; to add such values, call sum_duplicates() and "
                "save it again",
            )
    return matrix


def _require_lengths(kind, shape, indptr, indices, data, where):
    """Refuse arrays whose lengths or types do not fit, by their heads alone."""
    shape = np.asarray(shape)
    require(
        shape.shape == (2,) and shape.dtype.kind in "iu" and (shape >= 0).all(),
        f"{where} has shape {shape.tolist()}; {CURE}",
    )
    wanted = int(shape[0 if kind == "csr" else 1]) + 1
    for name, array in zip(ARRAYS, (indptr, indices, data), strict=True):
        require(
            len(array.shape) == 1 and array.dtype.kind in ("fiub" if name == "data" else "iu"),
            f"{where}: {name} is {array.dtype} of shape {array.shape}; {CURE}",
        )
    require(
        len(indptr) == wanted,
        f"{where} has shape {shape.tolist()} but indptr has {len(indptr)} entries, not {wanted}; "
        f"{CURE}",
    )
    require(
        len(indices) == len(data) <= int(shape[0]) * int(shape[1]),
        f"{where} of shape {shape.tolist()} has {len(data)} values and {len(indices)} indices; "
        f"{CURE}",
    )
