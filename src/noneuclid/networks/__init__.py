"""Networkx graphs: node attributes in, node attributes out.

Examples
--------
>>> import networkx as nx
>>> import noneuclid
>>> graph = nx.karate_club_graph()
>>> noneuclid.networks.embed(graph, method="hydra")
>>> for node in (1, 2, 32):
...     del graph.nodes[node]["club"]  # three nodes without a label
>>> noneuclid.networks.classify(graph, "club", method="PoincareSVC")
>>> [graph.nodes[node]["club_predicted"] for node in (1, 2, 32)]
['Mr. Hi', 'Mr. Hi', 'Officer']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from noneuclid.classifiers.validation import require_no_data_object
from noneuclid.embeddings.base import GRAPH, Embedding
from noneuclid.errors import require
from noneuclid.interfaces.methods import build_embedding, label_rows

if TYPE_CHECKING:
    import networkx
    from sklearn.base import BaseEstimator

__all__ = ["classify", "embed"]


def embed(
    graph: networkx.Graph,
    method: str | Embedding | type[Embedding] = "poincare_embedding",
    *,
    key_added: str = "position",
    edge_lengths: str | None = None,
    chart: str | None = None,
    random_state: int | None = None,
    copy: bool = False,
    **params: Any,
) -> networkx.Graph | None:
    """Embed the nodes in hyperbolic space.

    Parameters
    ----------
    graph : networkx.Graph
        Undirected, without self loops. Changed in place, unless `copy`.
    method : str or transformer, default="poincare_embedding"
        Short name ("poincare_embedding", "hydra", "labne", "tree_embedding", ...), public name
        ("PoincareEmbedding"), or object of an embedding that reads graphs, such as
        ``PoincareEmbedding(max_iter=100)``.
    key_added : str, default="position"
        Node attribute that is written.
    edge_lengths : str, optional
        Edge attribute with lengths, for methods that read them; by default every edge has length 1.
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
    networkx.Graph or None
        A copy with `copy`, else None. Sets the node attribute `key_added`, an ndarray of shape
        (d,), or (d + 1,) with ``chart="hyperboloid"``, and ``graph.graph[key_added]``, a dict of
        `method`, `chart` and `report`.

    Raises
    ------
    InputError
        If the graph cannot be embedded by the method, or a parameter is unknown or out of range.

    See Also
    --------
    noneuclid.PoincareEmbedding : The default method.
    classify : Labels from the points.

    Notes
    -----
    Cost and memory are those of the method, which names its source equation. In the charts
    "poincare" and "klein", points of two dimensions are positions for ``networkx.draw``.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import networks
    >>> tree = nx.balanced_tree(2, 3)
    >>> networks.embed(tree, method="tree_embedding")
    >>> tree.nodes[0]["position"].round(6) + 0.0
    array([0., 0.])
    >>> positions = nx.get_node_attributes(tree, "position")  # for networkx.draw
    """
    if edge_lengths is not None:
        params["edge_lengths"] = edge_lengths
    model = build_embedding(
        method, "networks.embed", chart=chart, random_state=random_state, **params
    )
    require(
        GRAPH in model.reads,
        f"networks.embed: {type(model).__name__} reads rows of features; give poincare_embedding, "
        "hydra or another method of graphs",
    )
    points = model.fit_transform(graph)
    graph = graph.copy() if copy else graph
    for node, point in zip(model.nodes_, points, strict=True):
        graph.nodes[node][key_added] = point
    graph.graph[key_added] = {
        "method": type(model).__name__,
        "chart": model.chart,
        "report": model.report_,
    }
    return graph if copy else None


def classify(
    graph: networkx.Graph,
    label: str,
    *,
    position: str = "position",
    method: str | BaseEstimator | type[BaseEstimator] = "HyperboloidSVC",
    key_added: str | None = None,
    cv: Any = None,
    copy: bool = False,
    **params: Any,
) -> networkx.Graph | None:
    """Learn the labelled nodes, and label all nodes.

    Parameters
    ----------
    graph : networkx.Graph
        Changed in place, unless `copy`.
    label : str
        Node attribute with the class; absent or None where a node has none.
    position : str, default="position"
        Node attribute with the point. Its chart is that of ``graph.graph[position]``, where `embed`
        wrote it, else "poincare".
    method : str or classifier, default="HyperboloidSVC"
        Public name, or object of a classifier. If its parameter `chart` is None, it gets the chart
        of the points; any other classifier reads them unchanged.
    key_added : str, optional
        Node attribute that is written; by default ``f"{label}_predicted"``.
    cv : int or splitter, optional
        Folds. A labelled node is then predicted by a model that has not seen its label, and
        ``graph.graph[key_added]["accuracy"]`` is the share of these predictions that are right.
        By default a labelled node is predicted by the model that was fitted on it.
    copy : bool, default=False
        Return a changed copy.
    **params
        Of the classifier.

    Returns
    -------
    networkx.Graph or None
        A copy with `copy`, else None. Sets the node attributes `key_added` and, where the method
        has probabilities, ``f"{key_added}_probability"``, that of the class, and
        ``graph.graph[key_added]``, a dict of `method`, `classes`, `n_labelled`, and `accuracy` with
        `cv`.

    Raises
    ------
    InputError
        If a node has no point, no two classes are labelled, or a point lies outside its chart.

    See Also
    --------
    noneuclid.HyperboloidSVC : The default method.
    embed : Points of the nodes.

    Notes
    -----
    The embedding has seen all nodes, if not their labels: predictions are transductive. Cost and
    memory are those of the method; each fold of `cv` adds up to two fits.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import networks
    >>> graph = nx.karate_club_graph()
    >>> networks.embed(graph, method="hydra")
    >>> networks.classify(graph, "club", method="PoincareSVC", cv=5)
    >>> graph.graph["club_predicted"]["accuracy"] > 0.85
    True
    """
    require_no_data_object(graph, "networks.classify")
    key_added = f"{label}_predicted" if key_added is None else key_added
    nodes = list(graph)
    for node in nodes:
        require(
            position in graph.nodes[node],
            f"networks.classify: node {node!r} has no {position!r}; run networks.embed first",
        )
    X = np.array([graph.nodes[node][position] for node in nodes], dtype=float)
    labels = [graph.nodes[node].get(label) for node in nodes]
    labelled = np.array([value is not None and value == value for value in labels])
    y = np.asarray([value for value, known in zip(labels, labelled, strict=True) if known])
    chart = graph.graph.get(position, {}).get("chart", "poincare")
    model, predicted, probabilities, record = label_rows(
        X, y, labelled, method, params, cv, chart, "networks.classify", (repr(label), "nodes")
    )
    record |= {"method": type(model).__name__, "classes": model.classes_.tolist()}
    graph = graph.copy() if copy else graph
    for row, node in enumerate(nodes):
        graph.nodes[node][key_added] = predicted[row].item()
        if probabilities is not None:
            graph.nodes[node][f"{key_added}_probability"] = float(probabilities[row].max())
    graph.graph[key_added] = record
    return graph if copy else None
