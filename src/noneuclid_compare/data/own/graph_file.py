"""A network of your own: a file of `edge_lists` or `graph_formats`, labels inside or in a table."""

from dataclasses import replace

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from noneuclid.errors import InputError, require
from noneuclid_compare.data.checks import LENGTHS, as_text, checked, encode
from noneuclid_compare.data.files import edge_lists
from noneuclid_compare.data.files.arrays import require_names
from noneuclid_compare.data.own import node_features, samples
from noneuclid_compare.data.own.row_groups import about_groups, encode_groups, require_other
from noneuclid_compare.data.own.texts import (
    explain_missing,
    is_missing,
    missing_of,
    require_distinct,
)
from noneuclid_compare.records import Dataset

# Lengths from similarities; see `load`.
CONVERSIONS = {
    "inverse": lambda w: 1 / w,
    "log": lambda w: -np.log(w),
    "reverse": lambda w: (w.max() - w) + w.min(),
}
CHOICES = {
    "conversion": tuple(CONVERSIONS),
    "header": (False, True),
    "add_spectral": (False, True),
    "directed": ("ignore", "error"),
    "unlabeled": ("error", "drop"),
    "self_loops": ("error", "drop"),
    "duplicates": ("error", "drop"),
    "component": ("error", "largest", "keep"),
}


def load(
    files,
    seed,
    *,
    label,
    node=None,
    groups=None,
    name=None,
    header=False,
    source="source",
    target="target",
    length=None,
    similarity=None,
    conversion="inverse",
    features=None,
    add_spectral=False,
    directed="ignore",
    unlabeled="error",
    missing=None,
    self_loops="error",
    duplicates="error",
    component="error",
    about=None,
):
    """Read the files of the roles ``data`` (the graph), ``labels`` and ``features`` (tables).

    Nothing is left out unless a setting asks for it, and then `about["oddities"]` says so.

    Parameters
    ----------
    label : str
        Node attribute, or column of the table of labels.
    node : str, optional
        Column of node names in the tables; their first by default.
    groups : str, optional
        Node attribute, or column of the table of labels, such as the family: folds leave whole
        groups out.
    name : str, optional
        Node attribute by which the table names the nodes.
    header, source, target : bool, str, str
        Of an edge list with named columns.
    length : str, optional
        Edge attribute that holds lengths; larger is farther. Without it and `similarity` all edges
        count one.
    similarity : str, optional
        Edge attribute that holds strengths w; larger is closer.
    conversion : {"inverse", "log", "reverse"}
        Of strengths to lengths: 1 / w (as networkx advises for closeness and betweenness; [1]_);
        -log w for probabilities 0 < w < 1, so that the shortest path is the most probable one; or
        max + min - w of the edges that are kept.
    features : list of str or True, optional
        Numbers of the nodes that methods without embedding read instead of spectral coordinates:
        node attributes, or columns of the table `features`; True is all of its columns, the
        matrix of features of an ``.npz`` or ``.pt`` file, or all attributes that are numbers.
    add_spectral : bool
        Whether these methods read both.
    directed : {"ignore", "error"}
        Directed edges become undirected, which is said, or are refused.
    unlabeled, self_loops, duplicates : {"error", "drop"}
        Of repeated edges the shortest is kept.
    missing : list of str, optional
        Texts that mean no label.
    component : {"error", "largest", "keep"}
        What to do if the graph is disconnected.
    about : dict, optional

    Returns
    -------
    Dataset
        Kind `graph`; `about["columns"]` names the nodes, `about["attributes"]` the features.

    Raises
    ------
    InputError
        Naming the node or the edge.

    References
    ----------
    .. [1] M. E. J. Newman, Scientific collaboration networks. II. Shortest paths, weighted
       networks, and centrality, Physical Review E 64, 2001, 016132,
       doi:10.1103/PhysRevE.64.016132.
    """
    settings = {"label": label, "node": node, "name": name, "header": header, "source": source}
    settings |= {"target": target, "length": length, "similarity": similarity}
    settings |= {"conversion": conversion, "unlabeled": unlabeled, "missing": missing}
    settings |= {"self_loops": self_loops, "duplicates": duplicates, "component": component}
    settings |= {"about": about, "features": features, "add_spectral": add_spectral}
    settings |= {"directed": directed, "groups": groups}
    for key, legal in CHOICES.items():
        samples.require_choice(settings[key], key, legal, "graph_file")
    require(label is not None, "graph_file: set label to a node attribute or column")
    require_other(groups, {"label": label}, "graph_file")
    path = samples.file_of(files, "graph_file", optional=("labels", "features"))
    graph = edge_lists.read_graph(path, header=header, source=source, target=target)
    names = edge_lists.node_names(graph, name, path)
    node_of = dict(zip(names, graph, strict=True))
    require(
        directed == "ignore" or not graph.is_directed(),
        f"{path.name} is a directed network, and embeddings are of undirected ones; set directed: "
        "ignore",
    )
    edges, values, oddities = _edges(graph, settings, path)
    if graph.graph.get("comments"):
        count = graph.graph["comments"]
        oddities.append(f"{count} lines at the top that begin with # or % are comments.")
    group_of = _group_of_nodes(graph, names, settings, path, files.get("labels"))
    names, labels = _labels(graph, names, settings, path, files.get("labels"))

    try:
        require_distinct(names, "nodes")
        labels = as_text(np.array([*labels, None], dtype=object)[:-1])
        missing = missing_of(missing, "graph_file")
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from error
    kept, said = _labelled(names, labels, unlabeled, missing, path)
    names, labels, edges, values = _only(kept, names, labels, edges, values)
    oddities += said
    edges, values, said = _without_loops(edges, values, names, self_loops, path)
    oddities += said
    lengths = _checked_numbers(values, edges, names, settings, path)
    directed = graph.is_directed()
    edges, lengths, said = _once(edges, lengths, directed, names, duplicates, path)
    oddities += said
    kept, said = _connected(edges, names, component, path)
    names, labels, edges, lengths = _only(kept, names, labels, edges, lengths)
    if similarity is not None and len(edges):
        lengths = CONVERSIONS[conversion](-lengths)
    try:
        codes, class_names = encode(labels)
        require_distinct(class_names)
    except InputError as error:
        raise InputError(f"{path.name}: nodes as rows, {error}") from error
    found = node_features.read(names, graph, node_of, settings, path, files.get("features"))
    about = samples.describe(path.name, about, oddities + said) | {"columns": names}
    if found is not None:
        about |= {"attributes": found.columns, "add_spectral": add_spectral}
        found = found.features
    dataset = Dataset(path.name, "graph", codes, class_names, found, edges, lengths)
    if groups is not None:
        values = groups, [group_of[name] for name in names]
        nodes = [f"node {name!r}" for name in names]
        grouped = encode_groups(*values, path.name, nodes, missing)
        dataset = replace(dataset, **grouped)
        about |= about_groups(groups, grouped)
    return checked(replace(dataset, about=about))


def _edges(graph, settings, path):
    """Edges as pairs of positions, their attribute as it is or None, and what is to be said."""
    position = {node: k for k, node in enumerate(graph)}
    ends = [(position[a], position[b]) for a, b in graph.edges()]
    edges = np.array(ends, dtype=np.int64).reshape(-1, 2)
    length, similarity, conversion = (settings[k] for k in ("length", "similarity", "conversion"))
    require(
        length is None or similarity is None,
        "graph_file: length and similarity are both set; larger is farther for length, closer "
        "for similarity: set one of them",
    )
    require(
        similarity is not None or conversion == "inverse",
        f"graph_file: conversion = {conversion!r} belongs to similarity; set both",
    )
    if length is None and similarity is None:
        return edges, None, _unused(graph)
    name = similarity if length is None else length
    require_names(path, "edge attribute", edge_lists.edge_attributes_of(graph), [name])
    # With None for an end, or numpy would make a matrix of lists.
    values = [*(data.get(name) for *_, data in graph.edges(data=True)), None]
    said = f"Edge lengths were computed from the similarity {similarity} by {conversion}."
    return edges, np.array(values, dtype=object)[:-1], [said] if length is None else []


def _unused(graph):
    """Sentence on edge attributes that are numbers but are not used."""
    unused = {
        key: None
        for *_, data in graph.edges(data=True)
        for key, value in data.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and key != "id"
    }
    if not unused:
        return []
    return [
        f"Edges have {', '.join(unused)}, which was not used: every edge has length 1. To use an "
        "attribute, set length (larger is farther) or similarity (larger is closer)."
    ]


def _checked_numbers(values, edges, names, settings, path):
    """Lengths, or similarities times -1: of repeated edges the least is the shortest."""
    if values is None:
        return None
    name = settings["length"] if settings["similarity"] is None else settings["similarity"]
    low, high = LENGTHS
    for edge, value in zip(edges, values, strict=True):
        if not (isinstance(value, int | float) and low <= value <= high):
            found = (repr(value) if isinstance(value, str) else str(value))[:40]
            raise InputError(
                f"{path.name}: edge {_edge(edge, names)} has {name} {found}; give every edge a "
                f"positive number, {low:g} to {high:g}, or leave out the setting"
            )
    values = values.astype(np.float64)
    if settings["similarity"] is None:
        return values
    sure = np.flatnonzero(values >= 1)
    if settings["conversion"] == "log" and sure.size:
        raise InputError(
            f"{path.name}: edge {_edge(edges[sure[0]], names)} has {name} {values[sure[0]]:g}; "
            "its -log is not a positive length: divide all by more than the largest, or choose "
            "another conversion"
        )
    return -values


def _labels(graph, names, settings, path, table):
    """Names and labels of all nodes; nodes that only the table knows come last, isolated."""
    if table is None:
        return names, edge_lists.labels_of_nodes(graph, settings["label"], path)
    texts = missing_of(settings["missing"], "graph_file")
    asked = table, settings["label"], settings["node"], texts
    found = edge_lists.read_node_labels(*asked, other=settings["groups"])
    missing = [name for name in names if name not in found]
    if missing and settings["unlabeled"] == "error":
        hint = edge_lists.missing_node_hint(missing[0], found)
        require(False, f"{path.name}: {len(missing)} nodes are not in {table.name}: {hint}")
    names = [*names, *sorted(set(found) - set(names))]
    return names, [found.get(name) for name in names]


def _group_of_nodes(graph, names, settings, path, table):
    """Group of each node by name, None where it has none; empty without groups."""
    if settings["groups"] is None:
        return {}
    swapped = {"label": settings["groups"], "groups": settings["label"]}
    asked = settings | swapped | {"unlabeled": "drop"}
    return dict(zip(*_labels(graph, names, asked, path, table), strict=True))


def _labelled(names, labels, unlabeled, texts, path):
    """Which nodes have a label, and what to report."""
    missing = np.array([is_missing(label, texts) for label in labels])
    first = int(np.argmax(missing))
    require(
        unlabeled == "drop" or not missing.any(),
        f"{path.name}: node {names[first]!r} has no label ({labels[first]!r}), and "
        f"{missing.sum() - 1} more; label them, or set unlabeled: drop"
        f"{explain_missing(labels[first])}",
    )
    require(not missing.all(), f"{path.name}: no node has a label")
    said = f"{missing.sum()} nodes without label were left out, with their edges."
    return ~missing, [said] if missing.any() else []


def _only(kept, names, labels, edges, lengths):
    """The graph on the nodes where `kept` is true."""
    position = np.cumsum(kept) - 1
    inside = kept[edges].all(axis=1)
    names, labels = (
        [x for x, keep in zip(xs, kept, strict=True) if keep] for xs in (names, labels)
    )
    return names, labels, position[edges[inside]], None if lengths is None else lengths[inside]


def _without_loops(edges, lengths, names, self_loops, path):
    """Edges that join two nodes, and what was left out."""
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if not loops.size:
        return edges, lengths, []
    require(
        self_loops == "drop",
        f"{path.name}: edge {_edge(edges[loops[0]], names)} joins a node to itself, and "
        f"{loops.size - 1} more do; remove them, or set self_loops: drop",
    )
    lengths = None if lengths is None else np.delete(lengths, loops)
    return np.delete(edges, loops, axis=0), lengths, [f"{loops.size} self loops were left out."]


def _once(edges, lengths, directed, names, duplicates, path):
    """Undirected edges, the shortest of each, and what was changed."""
    pairs = np.sort(edges, axis=1)
    # Of a directed graph, a -> b and b -> a are two edges; only the same arrow twice is repeated.
    arrows, counts = np.unique(edges if directed else pairs, axis=0, return_counts=True)
    repeated, copies = arrows[counts > 1], len(edges) - len(arrows)
    values = np.ones(len(edges)) if lengths is None else lengths
    order = np.lexsort((values, pairs[:, 1], pairs[:, 0]))
    pairs, values = pairs[order], values[order]
    again = np.flatnonzero((np.diff(pairs, axis=0) == 0).all(axis=1)) + 1
    unequal = pairs[again[values[again] != values[again - 1]]]
    for bad, how in ((repeated, ""), (unequal, " with different lengths")):
        require(
            duplicates == "drop" or not bad.size,
            f"{path.name}: edge {_edge(bad[:1].ravel(), names)} is given more than once{how}, and "
            f"{len(bad) - 1} more are; remove the copies, or set duplicates: drop to keep the "
            "shortest",
        )
    said = [f"{copies} repeated edges were removed; the shortest was kept."] if copies else []
    if directed:
        both = len(again) - copies
        said.append(
            f"Directed edges were made undirected; {both} pairs of opposite edges were merged."
        )
    pairs, values = np.delete(pairs, again, axis=0), np.delete(values, again)
    return pairs, None if lengths is None else values, said


def _connected(edges, names, component, path):
    """Which nodes stay, and what to report of a disconnected graph."""
    n = len(names)
    graph = coo_array((np.ones(len(edges)), edges.T), shape=(n, n))
    count, member = connected_components(graph, directed=False)
    if count == 1:
        return np.ones(n, dtype=bool), []
    sizes = np.bincount(member)
    inside = member == np.argmax(sizes)
    alone = int((sizes == 1).sum())
    facts = f"{count} components, the largest of {sizes.max()} of {n} nodes, {alone} isolated nodes"
    require(
        component != "error",
        f"{path.name}: the graph has {facts}; node {names[np.argmin(inside)]!r} lies outside the "
        "largest; add edges, or set component: largest, or keep",
    )
    if component == "keep":
        return np.ones(n, dtype=bool), [f"The graph is disconnected: {facts}."]
    return inside, [f"Only the largest component was kept; the graph has {facts}."]


def _edge(pair, names):
    return "-".join(repr(names[k]) for k in pair)
