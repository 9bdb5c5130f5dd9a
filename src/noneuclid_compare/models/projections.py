"""New cells on the principal components of training cells, as scanpy keeps them in a file."""

import numpy as np

from noneuclid.errors import require
from noneuclid_compare.data.files.arrays import (
    Rows,
    open_h5ad,
    reading,
    require_names,
    rows_of_h5ad,
)

PRINCIPAL, LOADINGS = "obsm/X_pca", "varm/PCs"
# Largest relative difference of the components of a file from those that its loadings give.
TOLERANCE = 1e-3
# Least share of the cells of a reference that the model has seen.
KNOWN = 0.1


def project(reference, data, trained_on, features="X", distances=None):
    """Rows of new cells in the coordinates `obsm/X_pca` of a file of training cells.

    `features` is the part of `data` that is normalised like X of the reference. Genes are found by
    name. `distances` returns how far rows of the reference lie from the model's training points,
    in units of what the model takes as near.
    """
    require(
        trained_on == PRINCIPAL,
        f"a reference is for models of {PRINCIPAL}; this one takes {trained_on or 'other features'}"
        ": leave the reference out",
    )
    known, loadings = rows_of_h5ad(reference), _loadings(reference)
    require(
        len(loadings) == len(known.columns),
        f"{reference}: {LOADINGS} has {len(loadings)} rows for {len(known.columns)} genes of X; "
        "compute the principal components again",
    )
    # Genes that were not variable have no loadings.
    used = np.flatnonzero((loadings != 0).any(axis=1))
    mean, axes = known.features[:, used].mean(axis=0), loadings[used]
    expected = rows_of_h5ad(reference, features=PRINCIPAL).features
    found = (known.features[:, used] - mean) @ axes
    require(
        found.shape == expected.shape
        and np.linalg.norm(found - expected) <= TOLERANCE * np.linalg.norm(expected),
        f"{reference}: {PRINCIPAL} is not the projection of X on {LOADINGS}, so X was changed "
        "after the components were computed; give the file in which they were computed",
    )
    if distances is not None:
        near = np.mean(distances(expected) <= 1.0)
        require(
            near >= KNOWN,
            f"{reference}: {near:.0%} of its cells lie at training points of the model, so the "
            "model was trained on another file; give that file",
        )
    names = [known.columns[k] for k in used]
    require(len(set(names)) == len(names), f"{reference}: two genes have one name; rename one")
    rows = rows_of_h5ad(data, features=features)
    require(
        rows.columns is not None, f"{data}: {features} has no names of genes; give X or a layer"
    )
    require_names(data, "gene", rows.columns, names)
    require(
        _whole(known.features) or not _whole(rows.features),
        f"{data}: {features} holds counts, and X of {reference} does not: normalise the new cells "
        "as the training cells were",
    )
    position = {name: k for k, name in enumerate(rows.columns)}
    twice = next(
        (n for k, n in enumerate(rows.columns) if position[n] != k and n in {*names}), None
    )
    require(twice is None, f"{data}: two genes have the name {twice!r}; rename or remove one")
    chosen = rows.features[:, [position[name] for name in names]]
    return Rows((chosen - mean) @ axes, names=rows.names)


def has_loadings(path):
    """Whether the file has the loadings of its principal components."""
    with reading(path, "h5ad"), open_h5ad(path) as file:
        return LOADINGS in file


def _loadings(path):
    """Loadings of the principal components, shape (genes, components)."""
    with reading(path, "h5ad"), open_h5ad(path) as file:
        require(LOADINGS in file, f"{path} has no {LOADINGS}: compute scanpy.pp.pca in it again")
        return np.asarray(file[LOADINGS], dtype=np.float64)


def _whole(values):
    return bool((values % 1 == 0).all())
