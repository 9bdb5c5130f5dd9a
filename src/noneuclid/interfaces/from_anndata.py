"""AnnData objects in memory, for people who call the classifiers themselves."""

from typing import TYPE_CHECKING

import numpy as np

from noneuclid.errors import InputError
from noneuclid.interfaces.numbers import as_numbers
from noneuclid.interfaces.sparse_matrices import dense, dense_of_group, require_sound

if TYPE_CHECKING:
    from anndata import AnnData


def from_anndata(
    adata: "AnnData", label: str, features: str = "X"
) -> tuple[np.ndarray, np.ndarray]:
    """Take X and y for a classifier from an AnnData object.

    Parameters
    ----------
    adata : AnnData
    label : str
        Column of ``obs`` that holds the classes.
    features : str, default="X"
        ``"X"``, ``"raw"``, ``"layers/NAME"`` or ``"obsm/NAME"``; sparse values are made dense.

    Returns
    -------
    X : ndarray of float64, shape (n_obs, n_features)
    y : ndarray, shape (n_obs,)

    Raises
    ------
    InputError
        If the object does not have the column or the part, a cell has no label, a value is not a
        finite number, or the index arrays of a sparse matrix are damaged.

    Examples
    --------
    >>> import anndata, numpy as np, pandas as pd
    >>> obs = pd.DataFrame({"type": ["B", "T"]}, index=["c1", "c2"])
    >>> obsm = {"X_poincare": np.array([[0.1], [0.2]])}
    >>> cells = anndata.AnnData(np.zeros((2, 1)), obs, obsm=obsm)
    >>> X, y = from_anndata(cells, "type", "obsm/X_poincare")
    >>> X.ravel().tolist(), y.tolist()
    ([0.1, 0.2], ['B', 'T'])
    """
    values = features_of(adata, features)
    if label not in adata.obs:
        raise InputError(f"obs has no column {label!r}; it has {', '.join(adata.obs.columns)}")
    missing = np.flatnonzero(adata.obs[label].isna())
    if missing.size:
        raise InputError(
            f"cell {adata.obs_names[missing[0]]!r} has no {label}; remove the {missing.size} "
            "cells without one"
        )
    return values, np.asarray(adata.obs[label].tolist())


def features_of(adata, features="X"):
    """Finite numbers of ``X``, ``raw``, ``layers/NAME`` or ``obsm/NAME``, as a dense matrix."""
    part, _, name = features.partition("/")
    if features not in ("X", "raw") and not (part in ("layers", "obsm") and name):
        raise InputError(f"features is {features!r}; give X, raw, layers/NAME or obsm/NAME")
    if features == "raw" and adata.raw is None:
        raise InputError("the AnnData object has no raw; give X, layers/NAME or obsm/NAME")
    if name and name not in getattr(adata, part):
        raise InputError(f"{part} has no {name!r}; it has {', '.join(getattr(adata, part))}")
    where = f"{features} of the AnnData object"
    # Scipy picks the rows of a view, from index arrays that it does not check.
    if adata.is_view and adata._adata_ref is not None:
        require_sound(_part(adata._adata_ref, part, name), where)
    values = _part(adata, part, name)
    if hasattr(values, "group"):  # backed: still in the file
        values = dense_of_group(values.group, where)
    values = as_numbers(dense(values, where), where)
    bad = np.argwhere(~np.isfinite(values))
    if bad.size:
        row, column = bad[0]
        raise InputError(
            f"{where}: cell {adata.obs_names[row]!r}, column {column} is {values[row, column]}; "
            "remove the cell or fill in the value"
        )
    return values


def _part(adata, part, name):
    """Values of X, raw, a layer or an embedding, as the object keeps them."""
    if part == "raw":
        return adata.raw.X
    return getattr(adata, part)[name] if name else adata.X
