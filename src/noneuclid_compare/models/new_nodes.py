"""New nodes of a network: a file of the edges that join them to the nodes of training."""

from collections import Counter

import numpy as np
from scipy.sparse import csr_array

from noneuclid.errors import InputError, require
from noneuclid_compare import wording
from noneuclid_compare.data.checks import LENGTHS
from noneuclid_compare.data.files import edge_lists
from noneuclid_compare.data.files.arrays import Rows, listing, require_names, suffix_of
from noneuclid_compare.data.files.graph_formats import holds_matrix

# What a model keeps of the parameters of `data.own.graph_file`, to read new edges as those of
# training.
SETTINGS = ("header", "source", "target", "name", "length", "similarity")
SHOWN = 5  # names in a sentence


def may_hold(path):
    """Whether a file can be one of edges, by its suffix and, of an ``.npz``, its arrays."""
    suffix = suffix_of(path)
    return holds_matrix(path) if suffix == ".npz" else suffix not in (".npy", ".h5ad", ".parquet")


def rows_of_edges(path, known, settings):
    """Strengths of the edges from new nodes, the rows, to known nodes, the columns; sparse.

    A strength is 1, the inverse of the length, or the similarity. Of repeated edges the strongest
    counts. Edges between known nodes, or between new nodes, are not used, and nodes without a known
    neighbour are left out, which `oddities` says. `known` lists the names of the nodes of training,
    and `settings` has some of `SETTINGS`.
    """
    read = {key: settings[key] for key in ("header", "source", "target") if key in settings}
    graph = edge_lists.read_graph(path, **read)
    names = edge_lists.node_names(graph, settings.get("name"), path)
    name_of = dict(zip(graph, names, strict=True))
    number = {name: k for k, name in enumerate(known)}
    new = [name for name in names if name not in number]
    require(new, f"{path}: all {len(names)} nodes are of the training network; give new ones")
    found, unused, repeated = {}, Counter(), 0
    for a, b, values in graph.edges(data=True):
        ends = name_of[a], name_of[b]
        known_ends = [end for end in ends if end in number]
        if len(known_ends) != 1:
            unused["between known nodes" if known_ends else "between new nodes"] += 1
            continue
        (joined,), (added,) = known_ends, [end for end in ends if end not in number]
        strength = _strength(values, settings, ends, path, graph)
        key = added, number[joined]
        repeated += key in found
        found[key] = max(strength, found.get(key, 0.0))
    joined = {added for added, _ in found}
    require(
        joined,
        f"{path}: none of the new nodes ({listing(new, SHOWN)}) has an edge to a node of the "
        f"training network, such as {known[0]!r}; give such edges, with the names of training",
    )
    rows = {name: k for k, name in enumerate(name for name in new if name in joined)}
    place = [(rows[name], column) for name, column in found]
    shape = len(rows), len(known)
    strengths = csr_array((list(found.values()), np.array(place).T), shape=shape)
    said = [f"{wording.count(n, 'edge')} {where}: not used." for where, n in unused.items()]
    if repeated:
        said.append(f"{wording.count(repeated, 'repeated edge')}: the strongest counts.")
    if alone := [name for name in new if name not in joined]:
        said.append(
            f"No prediction for {wording.count(len(alone), 'node')} without an edge to the "
            f"training network: {listing(alone, SHOWN)}."
        )
    return Rows(strengths, names=list(rows), oddities=said)


def _strength(values, settings, ends, path, graph):
    """Strength of one edge from its attributes."""
    length, similarity = settings.get("length"), settings.get("similarity")
    name = length if similarity is None else similarity
    if name is None:
        return 1.0
    require_names(path, "edge attribute", edge_lists.edge_attributes_of(graph), [name])
    value, (low, high) = values.get(name), LENGTHS
    if not (isinstance(value, int | float) and low <= value <= high):
        raise InputError(
            f"{path}: edge {ends[0]!r}-{ends[1]!r} has {name} {value!r}; give a positive number, "
            "as in training"
        )
    return float(value) if length is None else 1.0 / value
