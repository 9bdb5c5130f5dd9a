"""Cells as a graph of nearest neighbours, by scanpy: for embeddings that read graphs."""

from dataclasses import replace

import numpy as np
from scipy.sparse import coo_array, triu

from noneuclid.errors import require_number, require_package
from noneuclid_compare.data.checks import checked


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
