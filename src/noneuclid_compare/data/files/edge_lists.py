"""Graphs that other programs wrote. Networkx loads only when one is read."""

import ast
import csv
import gzip
import re
from collections import Counter
from xml.etree import ElementTree

from noneuclid.errors import InputError, require, require_package
from noneuclid_compare.data.files import graph_formats
from noneuclid_compare.data.files.arrays import (
    listing,
    reading,
    require_names,
    suffix_of,
    text_of,
)
from noneuclid_compare.data.files.tables import NO_LABEL, as_labels, read_table
from noneuclid_compare.data.files.word_vectors import require_no_word_vectors

# Endings that only graphs have, and those of edge lists.
GRAPHS = (".gml", ".graphml", ".gexf", ".net", ".mtx", ".pt", ".edges", ".edgelist")
LISTS = (".csv", ".tsv", ".txt", ".edges", ".edgelist")


def read_graph(path, header=False, source="source", target="target"):
    """Read GML, GraphML, an edge list or a format of `graph_formats`, nothing left out.

    An edge list is split at commas (csv), tabs (tsv) or white space; leading lines that begin with
    # or % are comments, and the graph's `comments` is their number. With `header` every further
    column is an attribute of the edge, without it the third value is the attribute `weight`. A GML
    node is keyed by its id. Self loops and repeated edges are kept.
    """
    suffix = suffix_of(path)
    readers = {
        ".gml": _read_gml,
        ".graphml": _read_graphml,
        ".gexf": graph_formats.read_gexf,
        ".net": graph_formats.read_pajek,
        ".mtx": graph_formats.read_matrix_market,
        ".npz": graph_formats.read_npz,
        ".pt": graph_formats.read_torch,
    }
    if suffix in readers:
        graph = readers[suffix](path)
    else:
        require(
            suffix in LISTS,
            f"{path}: unknown suffix {suffix!r}; a graph is {', '.join(readers)}, or an edge list "
            f"({', '.join(LISTS)})",
        )
        if header:
            graph = _from_edges(_table_edges(path, source, target))
        else:
            edges, comments = _plain_edges(path)
            graph = _from_edges(edges)
            graph.graph["comments"] = comments
    require(len(graph) > 0, f"{path} has no nodes")
    return graph


def _read_gml(path):
    """GML of any writer: labels are optional, edges may repeat, text is UTF-8."""
    networkx = require_package("networkx", "data", "a graph")

    with reading(path, "GML"):
        text = text_of(path)
        # Without the mark the parser refuses repeated edges, which the caller may want to drop.
        marked = re.sub(r"^\s*graph\s*\[", "graph [\n  multigraph 1\n", text, count=1, flags=re.M)
        return networkx.parse_gml(marked, label="id")


def _read_graphml(path):
    """GraphML in which every node occurs once; networkx would merge two nodes of one id."""
    networkx = require_package("networkx", "data", "a graph")

    opened = gzip.open if path.suffix == ".gz" else open
    with reading(path, "GraphML"), opened(path, "rb") as stream:
        text = stream.read()
        if b"encoding=" not in text[:200] and text[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            text.decode("utf-8")  # which XML is then in
        root = ElementTree.fromstring(text)
        graphs = len(root.findall("{*}graph"))
        require(graphs < 2, f"{path} holds {graphs} graphs; give each a separate file")
        nodes = Counter(e.get("id") for e in root.iterfind(".//{*}node"))
        (name, count), *_ = [*nodes.most_common(1), (None, 0)]
        require(count < 2, f"{path} has {count} nodes of the id {name!r}; give each node its own")
        graph = networkx.parse_graphml(text, force_multigraph=True)
    # networkx notes what the file declares for nodes and edges without a value of their own.
    for items, defaults in (
        (graph.nodes(data=True), graph.graph.get("node_default", {})),
        (graph.edges(data=True), graph.graph.get("edge_default", {})),
    ):
        for *_, values in items:
            values.update({k: v for k, v in defaults.items() if k not in values})
    return graph


def _from_edges(edges):
    networkx = require_package("networkx", "data", "a graph")

    graph = networkx.MultiGraph()
    graph.add_edges_from(edges)
    return graph


def _table_edges(path, source, target):
    """Edges of a table with a header."""
    require(source != target, f"{path}: source and target are both {source!r}; name two columns")
    table, _ = read_table(path, (source, target))
    ends = zip(table.pop(source), table.pop(target), strict=True)
    values = table.to_dict("records") if len(table.columns) else [{}] * len(table)
    return [(a, b, value) for (a, b), value in zip(ends, values, strict=True)]


def _plain_edges(path):
    """Edges of a text without header (two names and, if there is one, a weight), and comments."""
    separator = {".csv": ",", ".tsv": "\t"}.get(suffix_of(path))
    edges, comments = [], 0
    with reading(path, "an edge list"):
        lines = text_of(path).splitlines()
        require_no_word_vectors(path, lines)
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            if line.lstrip()[0] in "#%":
                require(
                    not edges,
                    f"{path}: line {number} is {line[:60]!r} after the first edge: a comment or a "
                    "node? Move comments to the top; if nodes have such names, name the columns in "
                    "the first line and set header: true",
                )
                comments += 1
                continue
            values = next(csv.reader([line], delimiter=separator)) if separator else line.split()
            values = [value.strip() for value in values]
            require(
                len(values) >= 2 and values[0] and values[1],
                f"{path}: line {number} is {line[:60]!r}; an edge needs two node names",
            )
            edges.append((values[0], values[1], _weight(values[2:], path, number)))
    return edges, comments


def _weight(values, path, number):
    """Attributes of an edge from what follows its two names, also as networkx writes them."""
    if not values:
        return {}
    try:
        if values[0].startswith("{"):
            return dict(ast.literal_eval(" ".join(values)))
        (value,) = values
        return {"weight": float(value)}
    except (ValueError, SyntaxError) as error:
        raise InputError(
            f"{path}: line {number} has {' '.join(values)[:60]!r} after the two nodes; give one "
            "number or nothing, or name the columns in the first line and set header: true"
        ) from error


def node_names(graph, name, path):
    """Names of the nodes, by which a table of labels and messages call them."""
    nodes = list(graph)
    if name is None:
        labels = [graph.nodes[node].get("label") for node in nodes]
        own = (
            suffix_of(path) in (".gml", ".gexf")
            and None not in labels
            and len({*labels}) == len(nodes)
        )
        return [str(value) for value in (labels if own else nodes)]
    require_names(path, "node attribute", attributes_of(graph), [name])
    found = [graph.nodes[node].get(name) for node in nodes]
    seen = {}
    for node, value in zip(nodes, found, strict=True):
        require(value is not None, f"{path}: node {str(node)!r} has no attribute {name!r}")
        require(
            str(value) not in seen,
            f"{path}: nodes {seen.get(str(value))!r} and {str(node)!r} are both named "
            f"{str(value)!r}; choose another attribute as name",
        )
        seen[str(value)] = str(node)
    return list(seen)


def attributes_of(graph):
    """Names of all node attributes, in order of first appearance."""
    return list(dict.fromkeys(key for _, data in graph.nodes(data=True) for key in data))


def edge_attributes_of(graph):
    """Names of all edge attributes, in order of first appearance."""
    return list(dict.fromkeys(key for *_, data in graph.edges(data=True) for key in data))


def labels_of_nodes(graph, label, path):
    """Node attribute `label` of every node; None if a node has none."""
    require_names(path, "node attribute", attributes_of(graph), [label])
    return [graph.nodes[node].get(label) for node in graph]


def read_node_labels(path, label, node, missing=NO_LABEL, what="node", other=None):
    """Table of labels: a dictionary from the name of a node, or of `what`, to its class.

    Without `node` the names are in the first column besides `label` and the `other` one.
    """
    text = [label] if node is None else [label, node]
    table, unnamed = read_table(path, text)
    if node is None and unnamed is None:
        node = next((c for c in table.columns if c not in (label, other)), None)
        require(node is not None, f"{path} has one column; give the {what} names too")
        table, _ = read_table(path, [label, node])
    found = {}
    nodes = unnamed if node is None else table[node]
    for name, value in zip(nodes, as_labels(table[label], path, missing), strict=True):
        require(str(name) not in found, f"{path} names {what} {str(name)!r} twice; keep one row")
        found[str(name)] = value
    return found


def missing_node_hint(name, found):
    """What to do about a node that is not in the table of labels."""
    return (
        f"node {name!r} has no label (labelled: {listing(found, 5)}); label it, set name: "
        "ATTRIBUTE if the table names nodes by an attribute, header: true if the edge list has "
        "a header, or unlabeled: drop"
    )
