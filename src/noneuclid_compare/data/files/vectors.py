"""Rows of points or features that other programs wrote: arrays, word vectors, gensim, PyTorch."""

from dataclasses import dataclass

import numpy as np

from noneuclid.errors import require
from noneuclid.interfaces.numbers import as_numbers
from noneuclid_compare.data.files import pickled_arrays, word_vectors
from noneuclid_compare.data.files.arrays import (
    Rows,
    listing,
    read_array,
    require_names,
    suffix_of,
)

ARRAYS = (".npz", ".npy")
# Files in which rows have names, or may have.
NAMED = (*word_vectors.BINARY, ".vec", *pickled_arrays.GENSIM, *pickled_arrays.TORCH)
SUFFIXES = (*ARRAYS, *word_vectors.TEXT, *NAMED)


@dataclass(frozen=True)
class Vectors:
    """Vectors of a file, shape (n, d), their names or None, and whether they are in the ball."""

    values: np.ndarray
    names: list | None = None
    in_ball: bool = False


def read_part(path, name):
    """Array of a file that may hold several, by name."""
    if suffix_of(path) not in pickled_arrays.TORCH:
        return read_array(path, name)
    parts = pickled_arrays.read_torch(path)
    require_names(path, "tensor", list(parts), [name])
    return parts[name]


def read_vectors(path, features="X", names=None, vectors=None):
    """Vectors of a file; `features` and `names` name its arrays, where it has several.

    In a file of PyTorch, "X" is the only matrix if none has this name, and the only list with a
    text for each row names them. `vectors` is the second file that gensim writes of large models.
    """
    suffix = suffix_of(path)
    require(
        suffix in SUFFIXES,
        f"{path}: give a .npz or a .npy file, or one of {', '.join(SUFFIXES[2:])}",
    )
    if suffix in ARRAYS:
        found = None if names is None else read_array(path, names)
        values = as_numbers(read_array(path, features), f"{path}: array {features!r}")
        return Vectors(values, _texts(path, found, names, len(values)))
    require(names is None or suffix in pickled_arrays.TORCH, f"{path}: name is for .npz and .pt")
    if suffix in pickled_arrays.TORCH:
        return _of_torch(path, features, names)
    if suffix in pickled_arrays.GENSIM:
        found, values, in_ball = pickled_arrays.read_gensim(path, vectors)
    else:
        (found, values), in_ball = word_vectors.read_word_vectors(path), False
    return Vectors(as_numbers(values, f"{path}: the matrix of vectors"), found, in_ball)


def _of_torch(path, features, names):
    """Vectors of a file of PyTorch."""
    parts = pickled_arrays.read_torch(path)
    matrices = [name for name, part in parts.items() if part.ndim == 2 and part.dtype.kind in "fiu"]
    if features == "X" and "X" not in parts:
        require(
            len(matrices) == 1,
            f"{path} holds {len(matrices)} matrices ({listing(matrices)}): set features "
            "(--features) to one of them; it has: "
            + listing(f"{name} {part.shape}" for name, part in parts.items()),
        )
        features = matrices[0]
    require_names(path, "tensor", list(parts), [features])
    values = as_numbers(parts[features], f"{path}: tensor {features!r}")
    texts = [name for name, part in parts.items() if part.dtype.kind == "U"]
    fitting = [name for name in texts if parts[name].shape == values.shape[:1]]
    if names is None and len(fitting) == 1:
        names = fitting[0]
    require_names(path, "list of texts", texts, [] if names is None else [names])
    return Vectors(values, _texts(path, parts.get(names), names, len(values)))


def _texts(path, found, name, n):
    """Names of n rows as a list, None without any."""
    if found is None:
        return None
    require(
        found.shape == (n,),
        f"{path}: {name!r} has shape {found.shape} for {n} rows; names must have one for each row",
    )
    return [str(text) for text in found]


def rows_of_vectors(path, features="X", names=None, vectors=None):
    """Samples of a file of vectors, without labels."""
    found = read_vectors(path, features, names, vectors)
    return Rows(found.values, names=found.names)
