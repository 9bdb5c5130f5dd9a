"""Graphs as public repositories keep them: polblogs, polbooks, karate and cora."""

import numpy as np

from noneuclid.errors import require, require_package
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.files.arrays import reading
from noneuclid_compare.records import Dataset
from noneuclid_papers.data.cho2019_networks import NETWORKS, REMARKS
from noneuclid_papers.data.formats import (
    AGAIN,
    check_roles,
    codes_for,
    read_matlab,
    read_numbers,
    require_choice,
)
from noneuclid_papers.data.graph_formats import KEEP, induced, kept_rows, simple_edges
from noneuclid_papers.data.licences import (
    ADAMIC,
    CHO,
    KREBS,
    MANIFY,
    NOT_STATED,
    ROSSI,
    ZACHARY,
    about,
)

NAME = "network_repository"
# Class names in the order of the codes, and whom to cite.
GRAPHS = {
    "polblogs": (NETWORKS["polblogs"][0], [ADAMIC]),
    "polbooks": (NETWORKS["polbooks"][0], [KREBS]),
    "karate": (NETWORKS["karate"][0], [ZACHARY, CHO]),
    "cora": (tuple("1234567"), [ROSSI]),
}
CORA = "The files name neither classes nor words: the labels are numbers, and there is no text."
FACTS = {**REMARKS, "cora": [CORA]}


def load(files, seed, *, name, keep="largest"):
    """Read a graph as undirected, each edge once, without self loops.

    Parameters
    ----------
    files : dict
        `graph`, and `labels` unless the graph holds them (polbooks); the labels of karate are those
        of a ``karate_data_*.mat`` of cho2019.
    name : {"polblogs", "polbooks", "karate", "cora"}
    keep : {"largest", "linked", "all"}
        The largest connected component, which embeddings of graphs need; nodes with an edge; or
        all.

    Returns
    -------
    Dataset
        Kind `graph`, without features. `about["oddities"]` counts what was left out.

    Raises
    ------
    InputError
        If name and files do not belong together.
    """
    require_choice(name, "name", GRAPHS, NAME)
    require_choice(keep, "keep", KEEP, NAME)
    check_roles(files, NAME, ["graph"] if name == "polbooks" else ["graph", "labels"])
    class_names, citations = GRAPHS[name]
    pairs, labels = READERS[name](files)
    labels, n = codes_for(labels, class_names, NAME), len(labels)
    require(
        pairs.min() >= 0 and pairs.max() < n,
        f"{NAME}: nodes run to {pairs.max() + 1}, labels to {n}; the files do not fit together",
    )
    edges = simple_edges(pairs)
    rows = kept_rows(edges, n, keep)
    kept = induced(edges, rows, n)
    oddities = [_counts(pairs, edges, n, rows, kept, keep), *FACTS.get(name, [])]
    description = about(citations, NOT_STATED, MANIFY, oddities)
    return checked(Dataset(name, "graph", labels[rows], class_names, edges=kept, about=description))


def _counts(pairs, edges, n, rows, kept, keep):
    """One sentence on what the file holds and what is kept."""
    loops = int((pairs[:, 0] == pairs[:, 1]).sum())
    isolated = n - len(np.unique(edges))
    return (
        f"The file has {n} nodes, {isolated} of them without an edge, and {len(pairs)} entries, "
        f"{loops} of them self loops: {len(edges)} undirected edges. Kept ({keep}): {len(rows)} "
        f"nodes and {len(kept)} edges."
    )


def _polblogs(files):
    from scipy.io import mmread  # only this graph is written so

    with reading(files["graph"], "a graph", AGAIN):
        matrix = mmread(files["graph"])
        # A doubled link is a doubled entry; entries must not be added up.
        pairs = np.column_stack([matrix.row, matrix.col])
    return pairs, read_numbers(files["labels"], dtype=np.int64).ravel()


def _gml(path):
    """Pairs of node positions, and the attributes of the nodes in file order."""
    networkx = require_package("networkx", "data", "a graph in GML")

    with reading(path, "a graph", AGAIN):
        graph = networkx.read_gml(path, label="id")
        position = {node: row for row, node in enumerate(graph)}
        pairs = np.array([[position[a], position[b]] for a, b in graph.edges()])
        return pairs, [graph.nodes[node] for node in graph]


def _polbooks(files):
    pairs, nodes = _gml(files["graph"])
    missing = [row for row, node in enumerate(nodes) if "value" not in node]
    require(not missing, f"{files['graph']}: node {missing[:1]} has no value; this is not polbooks")
    return pairs, [node["value"] for node in nodes]


def _karate(files):
    pairs, _ = _gml(files["graph"])
    (labels,) = read_matlab(files["labels"], ["label"])
    return pairs, labels.ravel()


def _cora(files):
    pairs = read_numbers(files["graph"], dtype=np.int64, delimiter=",")[:, :2] - 1
    table = read_numbers(files["labels"], dtype=np.int64, delimiter=",")
    numbered = np.array_equal(table[:, 0], np.arange(1, len(table) + 1))
    require(numbered, f"{files['labels']}: nodes are not numbered from 1; {AGAIN}")
    return pairs, table[:, 1]


READERS = {"polblogs": _polblogs, "polbooks": _polbooks, "karate": _karate, "cora": _cora}
