"""A look at a network: attributes of its nodes, components, loops and repeated edges."""

import gzip

from noneuclid.errors import require, require_package
from noneuclid_compare import wording
from noneuclid_compare.data.files import edge_lists
from noneuclid_compare.data.files.arrays import reading, require_names, suffix_of, text_of
from noneuclid_compare.data.files.tables import columns_of, read_table
from noneuclid_compare.data.own import node_features
from noneuclid_compare.data.own.texts import MISSING, is_missing
from noneuclid_compare.inspect_file import file_summary as looks
from noneuclid_compare.inspect_file import groups
from noneuclid_compare.inspect_file.configuration_text import inline
from noneuclid_compare.inspect_file.tables import group_word

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
# Names of the two columns of an edge list with a header; u and v may be coordinates as well.
_ENDS = ("source", "target", "from", "to", "src", "dst", "node1", "node2")
_LETTERS = ("u", "v")

# Attributes that are named as features.
_MOST = 20


def is_edge_list(path):
    """Whether a text without suffix of a graph has two or three words in its first lines.

    Commas and tabs make a table of columns of it, unless the header has the names of the ends of
    edges alone, and of weights.
    """
    if suffix_of(path) in (".edges", ".edgelist"):
        return True
    if suffix_of(path) in _SEPARATORS:
        opened = gzip.open if path.suffix == ".gz" else open
        with reading(path, "a table"), opened(path, "rt", errors="replace") as stream:
            names = _names(stream.readline(), path)
        return _are_ends(names, _ENDS) and names[2:] in ([], ["weight"])
    if suffix_of(path) != ".txt":
        return False
    with reading(path, "text"):
        lines = [line for line in text_of(path).splitlines()[:20] if line.strip()]
    lines = [line.split() for line in lines if line.lstrip()[0] not in "#%"]
    return bool(lines) and all(len(words) in (2, 3) for words in lines)


def _names(line, path):
    """Names of the columns in the first line of a csv or tsv."""
    names = line.lstrip("\ufeff").split(_SEPARATORS[suffix_of(path)])
    return [name.strip().strip('"') for name in names]


def _are_ends(names, known):
    return len(names) > 1 and {name.lower() for name in names[:2]} <= {*known}


def candidates(path, labels=None):
    """Node attributes, or columns of the table of labels, that may hold classes, and all."""
    if labels is not None:
        table, _ = read_table(labels)
        return looks.candidates({c: table[c].tolist() for c in table.columns}), columns_of(labels)
    graph, _ = read(path)
    _require_attributes(graph, path)
    names = edge_lists.attributes_of(graph)
    columns = {name: [graph.nodes[node].get(name) for node in graph] for name in names}
    return looks.candidates(columns), names


def look(path, label, labels=None):
    """An entry for a network with this node attribute, or column of a table, as labels."""
    graph, params = read(path)
    files = {"data": path} | ({} if labels is None else {"labels": labels})
    found = looks.Found("graph_file", files, {"label": label})
    for key, value in params.items():
        found.set(key, value, "the edge list has a header" if key == "header" else "its column")
    if labels is None:
        _require_attributes(graph, path)
        values = dict(zip(graph, edge_lists.labels_of_nodes(graph, label, path), strict=True))
        others = groups.named_so(edge_lists.attributes_of(graph), group_word)
        others = {name: [graph.nodes[node].get(name) for node in graph] for name in others}
    else:
        require_names(labels, "column", columns_of(labels), [label])
        table = edge_lists.read_node_labels(labels, label, None, {*MISSING})
        names = dict(zip(graph, edge_lists.node_names(graph, None, path), strict=True))
        values = {node: table.get(name) for node, name in names.items()}
        known = set(names.values())
        values |= {("table", name): value for name, value in table.items() if name not in known}
        graph.add_nodes_from(values)
        names |= {node: node[1] for node in values if node not in names}
        others = _other_columns(labels, label, names.values())
    kind = "directed" if graph.is_directed() else "undirected"
    found.facts.append(
        ("size", f"{len(graph)} nodes, {graph.number_of_edges()} edges, {kind}"),
    )
    outcomes = list(values.values())
    looks.read_labels(found, outcomes, label, "node")
    others.pop(label, None)
    chosen = groups.choose(found, others, outcomes, group_word)
    if numeric := node_features.numeric_attributes(graph, (label, chosen)):
        said = "numbers of the nodes, which methods without embedding can read"
        found.hints.append(f"features: {inline(numeric[:_MOST])} # {said}")
    _clean(found, graph.subgraph([n for n, value in values.items() if not is_missing(value)]))
    return found


def _other_columns(labels, label, names):
    """Values of nodes with these names in each column of a table that may name groups."""
    # The first names the nodes.
    columns, found = [name for name in columns_of(labels) if name != label][1:], {}
    for name in groups.named_so(columns, group_word):
        table = edge_lists.read_node_labels(labels, name, None, {*MISSING}, other=label)
        found[name] = [table.get(node) for node in names]
    return found


def _require_attributes(graph, path):
    """Refuse a network that cannot hold labels."""
    require(
        edge_lists.attributes_of(graph),
        f"{path} is a network without node attributes, which could be labels; add --labels TABLE, "
        "a table with a column of nodes, then one of labels",
    )


def read(path):
    """A graph, and the parameters by which it is read."""
    if suffix_of(path) not in edge_lists.LISTS:
        return edge_lists.read_graph(path), {}
    names = []
    if suffix_of(path) in _SEPARATORS:
        with reading(path, "an edge list"):
            names = _names(next(iter(text_of(path).splitlines()), ""), path)
    if _are_ends(names, (*_ENDS, *_LETTERS)):
        params = {"header": True, "source": names[0], "target": names[1]}
        graph = edge_lists.read_graph(path, **params)
        usual = {"source": "source", "target": "target"}
        return graph, {k: v for k, v in params.items() if usual.get(k) != v}
    return edge_lists.read_graph(path), {}


def _clean(found, graph):
    """Parameters for loops, repeated edges and components, of the nodes with labels."""
    networkx = require_package("networkx", "data", "a graph")
    if loops := networkx.number_of_selfloops(graph):
        said = wording.count(loops, "edge")
        found.set("self_loops", "drop", said)
        found.problems.append(f"{said} from a node to itself: left out (self_loops: drop)")
    ends = [(a, b) for a, b in graph.edges() if a != b]
    kept = {pair if graph.is_directed() else frozenset(pair) for pair in ends}
    if copies := len(ends) - len(kept):
        said = wording.count(copies, "edge")
        found.set("duplicates", "drop", said)
        found.problems.append(f"{said} repeated: the shortest of each is kept (duplicates: drop)")
    parts = sorted(map(len, networkx.connected_components(networkx.Graph(graph))), reverse=True)
    if len(parts) > 1:
        found.set("component", "largest", f"{parts[0]} of {sum(parts)} nodes")
        found.problems.append(
            f"{len(parts)} components: the largest is kept, {parts[0]} of {sum(parts)} nodes "
            "(component: largest); add edges to use the others"
        )
