"""The matrices of an ``.h5ad`` file: what each looks like, and which one is read."""

from typing import NamedTuple

from noneuclid.interfaces.expression import NOTHING, SCALED, appearance
from noneuclid_compare.data.files.arrays import (
    key_of,
    matrix_names,
    open_h5ad,
    reading,
    shape_of,
)


class Matrix(NamedTuple):
    """Shape of a matrix, and what its values look like (`appearance`)."""

    shape: tuple
    looks: str


def matrices(path):
    """`Matrix` of ``X``, ``raw``, layers and embeddings, by the name that `features` takes."""
    found = {}
    with reading(path, "h5ad"), open_h5ad(path) as file:
        for name in matrix_names(file):
            element = file[key_of(name)]
            shape = shape_of(element)
            # Other groups are tables in obsm.
            if len(shape) == 2 and shape != (0, 0):
                found[name] = Matrix(shape, appearance(element))
    return found


def choose(found):
    """The matrix of genes that is read: the first of X, raw and layers that is not scaled.

    If all are scaled it is the first, and without matrices of genes it is X.

    Examples
    --------
    >>> choose({"X": Matrix((9, 2), "scaled"), "raw": Matrix((9, 5), "log-normalised")})
    'raw'
    """
    genes = {name: found[name].looks for name in found if not name.startswith("obsm/")}
    filled = [name for name, looks in genes.items() if looks != NOTHING]
    return [*(name for name in filled if genes[name] != SCALED), *filled, "X"][0]


def sentence(found, read):
    """The matrices of genes in one sentence of the card.

    Examples
    --------
    >>> sentence({"X": Matrix((9, 2), "scaled"), "raw": Matrix((9, 5), "raw counts")}, "raw")
    'Matrices of genes: X (scaled), raw (raw counts, read).'
    """
    genes = [name for name in found if not name.startswith("obsm/")]
    shown = [f"{k} ({found[k].looks}{', read' if k == read else ''})" for k in genes]
    return f"Matrices of genes: {', '.join(shown)}."
