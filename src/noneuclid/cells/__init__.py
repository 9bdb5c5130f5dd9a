"""Tools for AnnData objects in the style of scanpy, which write results into the object.

``embed`` is a tool that writes ``obsm``, ``classify`` one that writes ``obs``, and ``plot`` draws.

Examples
--------
>>> import anndata, noneuclid
>>> import numpy as np
>>> rng = np.random.default_rng(0)
>>> adata = anndata.AnnData(rng.normal(size=(60, 5)) + 6.0 * (np.arange(60) % 3)[:, None])
>>> adata.obs["type"] = np.array(["B", "NK", "T"])[np.arange(60) % 3]
>>> noneuclid.cells.embed(adata, method="lifted_pca")
>>> adata.obs.loc[adata.obs_names[:9], "type"] = None  # nine cells without a label
>>> noneuclid.cells.classify(adata, "type", method="PoincareSVC")
>>> adata.obs["type_predicted"].iloc[:6].tolist()
['B', 'NK', 'T', 'B', 'NK', 'T']
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from noneuclid.embeddings.base import FEATURES, Embedding
from noneuclid.errors import InputError, require, require_package
from noneuclid.geometry import charts
from noneuclid.interfaces.expression import COUNTS, appearance
from noneuclid.interfaces.from_anndata import features_of
from noneuclid.interfaces.methods import build_embedding, label_rows

if TYPE_CHECKING:
    from anndata import AnnData
    from matplotlib.axes import Axes
    from sklearn.base import BaseEstimator

__all__ = ["classify", "embed", "plot"]


def embed(
    adata: AnnData,
    method: str | Embedding | type[Embedding] = "poincare_map",
    *,
    key_added: str = "X_poincare",
    use_rep: str | None = None,
    layer: str | None = None,
    neighbors_key: str = "neighbors",
    chart: str | None = None,
    random_state: int | None = None,
    copy: bool = False,
    **params: Any,
) -> AnnData | None:
    """Embed the cells in hyperbolic space.

    Parameters
    ----------
    adata : AnnData
        Changed in place, unless `copy`.
    method : str or transformer, default="poincare_map"
        Short name ("poincare_map", "hydra", "lifted_pca", ...), public name ("PoincareMap"), or
        object of an embedding, such as ``PoincareMap(n_neighbors=30)``. Methods that read graphs
        alone, such as "poincare_embedding", get the graph of `neighbors_key`.
    key_added : str, default="X_poincare"
        Key of ``obsm`` and of ``uns``.
    use_rep : str, optional
        "X", "raw" or a key of ``obsm``; by default "X_pca" where ``obsm`` has it, else "X". Sparse
        values are made dense.
    layer : str, optional
        A key of ``layers`` to read instead.
    neighbors_key : str, default="neighbors"
        Where ``scanpy.pp.neighbors`` has put the graph, for methods that read graphs alone.
    chart : str, optional
        Of the points: one of `noneuclid.geometry.charts.COORDINATES`; by default "poincare", or
        that of the object.
    random_state : int, optional
        By default 0, or that of the object.
    copy : bool, default=False
        Return a changed copy.
    **params
        Of the embedding.

    Returns
    -------
    AnnData or None
        A copy with `copy`, else None. Sets ``obsm[key_added]``, shape (n_obs, d), or
        (n_obs, d + 1) with ``chart="hyperboloid"``, and ``uns[key_added]`` with `params` and
        `report`.

    Raises
    ------
    InputError
        If the object does not have what is named, a value is not finite, or a parameter is
        unknown or out of range.

    Warns
    -----
    UserWarning
        If the values are raw counts.

    See Also
    --------
    noneuclid.PoincareMap : The default method.
    classify : Labels from the points.

    Notes
    -----
    Cost and memory are those of the method, which names its source equation.

    Examples
    --------
    >>> import anndata
    >>> from noneuclid import cells
    >>> adata = anndata.AnnData(np.random.default_rng(0).normal(size=(40, 4)))
    >>> cells.embed(adata, n_neighbors=5)
    >>> adata.obsm["X_poincare"].shape, str(adata.uns["X_poincare"]["params"]["method"])
    ((40, 2), 'PoincareMap')
    """
    model = build_embedding(method, "cells.embed", chart=chart, random_state=random_state, **params)
    read = "connectivities"
    if FEATURES in model.reads:
        read = _representation(adata, use_rep, layer)
        X = features_of(adata, read)
        if not read.startswith("obsm/") and appearance(X) == COUNTS:
            warnings.warn(
                f"cells.embed: {read} holds raw counts, in which the total of a cell outweighs its "
                "type; run scanpy.pp.normalize_total, log1p and pca first",
                stacklevel=2,
            )
    else:
        require(
            use_rep is None and layer is None,
            f"cells.embed: {type(model).__name__} reads the graph of neighbors_key; leave out "
            "use_rep and layer",
        )
        X = _connectivities(adata, neighbors_key)
    points = model.fit_transform(X)
    adata = adata.copy() if copy else adata
    adata.obsm[key_added] = points
    adata.uns[key_added] = {
        "params": {"method": type(model).__name__, "use_rep": read, "chart": model.chart}
        | _storable({"random_state": random_state} | params),
        "report": _storable(model.report_),
    }
    return adata if copy else None


def classify(
    adata: AnnData,
    label: str,
    *,
    basis: str = "X_poincare",
    method: str | BaseEstimator | type[BaseEstimator] = "HyperboloidSVC",
    key_added: str | None = None,
    cv: Any = None,
    groups: str | None = None,
    copy: bool = False,
    **params: Any,
) -> AnnData | None:
    """Learn the labelled cells, and label all cells.

    Parameters
    ----------
    adata : AnnData
        Changed in place, unless `copy`.
    label : str
        Column of ``obs`` with the classes; missing (NaN, None) where a cell has none.
    basis : str, default="X_poincare"
        Key of ``obsm`` with the points. Their chart is that of ``uns[basis]``, where `embed` wrote
        it, else "poincare".
    method : str or classifier, default="HyperboloidSVC"
        Public name, or object of a classifier. If its parameter `chart` is None, it gets the chart
        of the points; any other classifier reads them unchanged.
    key_added : str, optional
        Column of ``obs`` that is written; by default ``f"{label}_predicted"``.
    cv : int or splitter, optional
        Folds, such as ``LeaveOneGroupOut()`` with `groups`. A labelled cell is then predicted by a
        model that has not seen it, and ``uns[key_added]["accuracy"]`` is the accuracy of these
        predictions. By default a labelled cell is predicted by the model that was fitted on it.
    groups : str, optional
        Column of ``obs``, such as the donor, whose cells the folds of `cv` keep together.
    copy : bool, default=False
        Return a changed copy.
    **params
        Of the classifier.

    Returns
    -------
    AnnData or None
        A copy with `copy`, else None. Sets ``obs[key_added]``, a category for every cell;
        ``obs[f"{key_added}_probability"]``, that of the class, and
        ``obsm[f"{key_added}_probabilities"]``, shape (n_obs, n_classes), where the method has
        probabilities; ``uns[key_added]`` with `params`, `classes`, `n_labelled`, and `accuracy`
        with `cv`.

    Raises
    ------
    InputError
        If the object does not have what is named, no two classes are labelled, or a point lies
        outside its chart.

    See Also
    --------
    noneuclid.HyperboloidSVC : The default method.
    noneuclid.from_anndata : X and y for classifiers of your own protocol.

    Notes
    -----
    Cost and memory are those of the method; each fold of `cv` adds up to two fits.

    Examples
    --------
    >>> import anndata
    >>> from noneuclid import cells
    >>> adata = anndata.AnnData(np.zeros((4, 1)))
    >>> adata.obsm["X_poincare"] = np.array([[0.4, 0.0], [0.5, 0.1], [-0.4, 0.0], [-0.5, 0.1]])
    >>> adata.obs["type"] = ["B", None, "T", None]
    >>> cells.classify(adata, "type", method="PoincareSVC", calibration=None)
    >>> adata.obs["type_predicted"].tolist()
    ['B', 'B', 'T', 'T']
    """
    key_added = f"{label}_predicted" if key_added is None else key_added
    X = features_of(adata, f"obsm/{basis}")
    require(
        label in adata.obs,
        f"cells.classify: obs has no column {label!r}; it has {', '.join(adata.obs.columns)}",
    )
    labelled = adata.obs[label].notna().to_numpy()
    y = np.asarray(adata.obs[label][labelled].tolist())
    chart, named = _chart_of(adata, basis), (f"obs[{label!r}]", "cells")
    donors = None if groups is None else _groups_of(adata, groups, labelled)
    model, predicted, probabilities, record = label_rows(
        X, y, labelled, method, params, cv, chart, "cells.classify", named, donors
    )
    record |= {
        "params": {"method": type(model).__name__, "label": label, "basis": basis}
        | _storable(params),
        "classes": np.asarray(model.classes_, dtype=object if y.dtype.kind in "US" else None),
    }
    adata = adata.copy() if copy else adata
    pandas = require_package("pandas", "data", "noneuclid.cells")
    # A classifier that is unsure may give other names than those of the classes.
    text = predicted.dtype.kind in "US"
    known = model.classes_.astype(str) if text else model.classes_
    known = np.concatenate([known, np.setdiff1d(predicted, known)])
    adata.obs[key_added] = pandas.Categorical(predicted, known.tolist())
    if probabilities is not None:
        adata.obs[f"{key_added}_probability"] = probabilities.max(axis=1)
        adata.obsm[f"{key_added}_probabilities"] = probabilities
    adata.uns[key_added] = record
    return adata if copy else None


def _groups_of(adata, name, labelled):
    """Groups of the labelled cells, (m,)."""
    require(
        name in adata.obs,
        f"cells.classify: obs has no column {name!r}; it has {', '.join(adata.obs.columns)}",
    )
    groups = adata.obs[name][labelled]
    missing = groups.isna().to_numpy()
    require(
        not missing.any(),
        f"cells.classify: obs[{name!r}] is missing at the labelled cell "
        f"{groups.index[missing.argmax()]!r}; fill it in, or unlabel the cell",
    )
    return groups.astype(str).to_numpy()


def plot(
    adata: AnnData,
    color: str | Sequence[str] | None = None,
    *,
    basis: str = "X_poincare",
    ax: Axes | None = None,
    show: bool | None = None,
    **options: Any,
) -> Axes | list[Axes] | None:
    """Draw the cells in the Poincaré disk, by ``scanpy.pl.embedding``.

    Parameters
    ----------
    adata : AnnData
        scanpy keeps the colours of categories in ``uns``.
    color : str or sequence of str, optional
        Columns of ``obs`` and genes, each in axes of its own.
    basis : str, default="X_poincare"
        Key of ``obsm`` with points of two dimensions. Their chart is that of ``uns[basis]``, where
        `embed` wrote it, else "poincare".
    ax : matplotlib.axes.Axes, optional
        For one colour.
    show : bool, optional
        True shows the figure and returns None; by default ``scanpy.settings.autoshow``.
    **options
        Of ``scanpy.pl.embedding``: `use_raw`, `layer`, `legend_loc`, `color_map`, `vmax`, `size`,
        `ncols`, `title` and others, except `save` and `return_fig`.

    Returns
    -------
    Axes, list of Axes or None

    Raises
    ------
    InputError
        If the object does not have what is named, or the points do not lie in a plane.
    MissingPackage
        If scanpy is not installed.

    See Also
    --------
    noneuclid.PoincareDiskDisplay : Decision regions, hyperplanes and other charts.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> import anndata
    >>> from noneuclid import cells
    >>> adata = anndata.AnnData(np.zeros((3, 1)))
    >>> adata.obsm["X_poincare"] = np.array([[0.4, 0.0], [-0.4, 0.0], [-0.5, 0.0]])
    >>> adata.obs["type"] = ["B", "T", "T"]
    >>> cells.plot(adata, color="type", show=False).get_aspect()
    1.0
    """
    scanpy = require_package("scanpy", "cells", "cells.plot")
    X, chart = features_of(adata, f"obsm/{basis}"), _chart_of(adata, basis)
    dimension = X.shape[1] - (chart == "hyperboloid")
    require(
        dimension == 2,
        f"cells.plot: obsm[{basis!r}] has dimension {dimension}; embed with n_components=2",
    )
    charts.check_points(X, chart)
    for name in ("save", "return_fig"):
        require(
            name not in options, f"cells.plot: {name} is not taken; use show=False and ax.figure"
        )
    for name in [color] if isinstance(color, str) else color or ():
        column = adata.obs.get(name)
        names = column is not None and column.is_unique and isinstance(column.iloc[0], str)
        require(
            not names or column.dtype == "category",
            f"cells.plot: obs[{name!r}] is another text in every cell; choose a column of classes",
        )
    place = basis
    while chart != "poincare" and place in adata.obsm:
        place += "_disk"
    if place != basis:
        adata.obsm[place] = charts.convert(X, chart, "poincare")
    try:
        axes = scanpy.pl.embedding(adata, place, color=color, ax=ax, show=False, **options)
    except KeyError as error:
        raise InputError(f"cells.plot: {error.args[0]}") from error
    finally:
        if place != basis:
            del adata.obsm[place]
    drawing = import_module("noneuclid.plots.drawing")
    for one in np.ravel(axes):
        drawing.prepare_disk(one, one.get_title())
    if not (scanpy.settings.autoshow if show is None else show):
        return axes
    import_module("matplotlib.pyplot").show()
    return None


def _representation(adata, use_rep, layer):
    """The part of the object that is read, as `features_of` calls it."""
    require(use_rep is None or layer is None, "cells.embed: use_rep and layer both name the values")
    if layer is not None:
        return f"layers/{layer}"
    if use_rep is None:
        use_rep = "X_pca" if "X_pca" in adata.obsm else "X"
    return use_rep if use_rep in ("X", "raw") else f"obsm/{use_rep}"


def _connectivities(adata, key):
    """The graph of ``scanpy.pp.neighbors``."""
    if key not in adata.uns:
        raise InputError(f"cells.embed: uns has no {key!r}; run scanpy.pp.neighbors first")
    name = adata.uns[key].get("connectivities_key", "connectivities")
    require(name in adata.obsp, f"cells.embed: obsp has no {name!r}; run scanpy.pp.neighbors first")
    return adata.obsp[name]


def _chart_of(adata, basis):
    """The chart that `embed` has written down."""
    return str(adata.uns.get(basis, {}).get("params", {}).get("chart", "poincare"))


def _storable(values):
    """Values that an h5ad file holds: no None, and lists as arrays."""
    return {
        key: np.asarray(value) if isinstance(value, list | tuple) else value
        for key, value in values.items()
        if value is not None
    }
