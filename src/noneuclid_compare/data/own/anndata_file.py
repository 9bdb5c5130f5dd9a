"""Cells of an ``.h5ad`` file: raw counts, expression, layers, or any embedding that it keeps.

Cells can become a graph of nearest neighbours, by scanpy: for embeddings that read graphs.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from scipy.sparse import coo_array, triu

from noneuclid.errors import require, require_number, require_package
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.files import cell_matrices
from noneuclid_compare.data.files.arrays import rows_of_h5ad
from noneuclid_compare.data.own import samples
from noneuclid_compare.data.own.row_groups import require_other
from noneuclid_compare.data.own.texts import is_missing, missing_of
from noneuclid_compare.data.prepare import of_file, preparation
from noneuclid_compare.records import with_parameters_of

NAME = "anndata_file"


@with_parameters_of(samples.make_dataset, preparation.fit)
def load(
    files,
    seed,
    *,
    label,
    features=None,
    max_gb=4.0,
    counts=None,
    batch_key=None,
    test=None,
    groups=None,
    neighbors=False,
    n_neighbors=15,
    metric="euclidean",
    **options,
):
    """Read the file of the role ``data``.

    Parameters
    ----------
    label : str
        Column of obs.
    features : str or None
        ``X``, ``raw``, ``layers/NAME`` or ``obsm/NAME``. None: the first of X, raw and the layers
        that is not scaled, which means that it has no negative value.
    max_gb : float
        Largest dense matrix; principal components take the place of a larger one.
    counts : bool or None
        Whether the values are raw counts, which become principal components by the steps of
        scanpy. None: the values are looked at.
    batch_key : str or None
        Column of obs: highly variable genes are chosen within these batches.
    test : str or None
        Column of obs that is true for the test cells of a fixed split. Nothing is fitted to them.
    groups : str or None
        Column of obs, such as the donor: folds leave whole groups out.
    neighbors : bool
        Join each cell with its neighbours: a network for embeddings that read graphs.
    n_neighbors, metric : int, str
        Of ``scanpy.pp.neighbors``.
    **options
        Parameters of `samples.make_dataset`, explained in `docs/own_data.md`, and of
        `preparation.fit`, explained in `docs/own_data.md`.
    """
    samples.require_choice(neighbors, "neighbors", (False, True), NAME)
    require(label is not None, f"{NAME}: set label to a column of obs")
    require_number(max_gb, "max_gb", NAME, low=0)
    samples.require_choice(counts, "counts", (None, False, True), NAME)
    require_other(groups, {"label": label}, NAME)
    path = samples.file_of(files, NAME)
    settings = {key: options.pop(key) for key in of_file.PARAMETERS if key in options}
    settings |= {} if batch_key is None else {"batch_key": batch_key}
    genes = options.get("kind") in (None, "expression") and options.get("chart") is None
    genes = genes and not str(features).startswith("obsm/")
    known = f"{NAME}: counts: true is for X, raw or a layer, of kind expression"
    require(genes or not counts, known)
    prepared, counted, said = False, False, []
    if genes:
        found = cell_matrices.matrices(path)
        features = features or cell_matrices.choose(found)
        prepared, counted, said = of_file.wanted(path, features, counts, max_gb)
        said = [cell_matrices.sentence(found, features), *said]
    features = features or "X"
    record = None
    if prepared:
        missing = missing_of(options.get("missing"), NAME)
        unlabeled = partial(is_missing, missing=missing)
        rows, record = of_file.rows_of(
            *(path, label, features, counted, unlabeled, max_gb),
            test=test,
            groups=groups,
            **settings,
        )
    else:
        known = f"{NAME}: {next(iter(settings), '')} is for counts; set counts: true"
        require(not settings, known)
        rows = rows_of_h5ad(path, label, features, max_gb, test, groups)
    rows = replace(rows, oddities=[*said, *rows.oddities])
    dataset = samples.make_dataset(rows, path, NAME, "expression", **options)
    about = dataset.about | {"features": features}
    dataset = replace(dataset, preparation=record, about=about)
    return as_graph(dataset, n_neighbors, metric) if neighbors else dataset


def as_graph(dataset, n_neighbors, metric):
    """Data set of kind `graph` that joins each cell with its neighbours in the features.

    The edges are those of ``scanpy.pp.neighbors``; they have no lengths.
    """
    most = len(dataset.labels) - 1
    require_number(n_neighbors, "n_neighbors", "neighbors", low=2, high=most, integer=True)
    anndata = require_package("anndata", "data", "neighbors: true")
    scanpy = require_package("scanpy", "cells", "neighbors: true")
    cells = anndata.AnnData(dataset.features)
    scanpy.pp.neighbors(cells, n_neighbors=n_neighbors, metric=metric, use_rep="X")
    edges = np.column_stack(coo_array(triu(cells.obsp["connectivities"], 1)).coords)
    said = f"neighbors: {len(edges)} edges of {n_neighbors} neighbours ({metric}), as in scanpy."
    oddities = [*dataset.about.get("oddities", []), said]
    graph = replace(dataset, kind="graph", features=None, edges=edges, preparation=None)
    return checked(replace(graph, about=dataset.about | {"oddities": oddities}))
