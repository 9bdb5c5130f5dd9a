"""Features of the nodes of a network: node attributes, columns of a table, or a matrix."""

from collections import Counter
from numbers import Real

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid_compare.data.files import edge_lists
from noneuclid_compare.data.files.arrays import Rows, require_names
from noneuclid_compare.data.files.tables import columns_of, rows_of_table


def read(names, graph, node_of, settings, path, table):
    """Features (n, p) of the nodes with these names, and their columns; None if not asked for.

    `node_of` maps the name of each node of the graph to the node; `settings` are those of
    `graph_file.load`, and `table` is the path of a table or None.
    """
    wanted = settings["features"]
    if wanted is None:
        require(
            table is None and not settings["add_spectral"],
            "graph_file: a table of features and add_spectral need features: true, or a list of "
            "names",
        )
        return None
    named = isinstance(wanted, list) and wanted and all(isinstance(one, str) for one in wanted)
    require(
        wanted is True or named, f"graph_file: features = {wanted!r}; give true or a list of names"
    )
    require(
        settings["label"] not in (wanted if named else ()),
        f"graph_file: the label {settings['label']!r} is among the features; remove it",
    )
    if table is not None:
        return _of_table(names, table, wanted, settings)
    if named:
        return _of_attributes(names, graph, node_of, wanted, path)
    matrix = graph.graph.get("features")
    if matrix is None:
        numeric = numeric_attributes(graph, [settings[key] for key in ("label", "groups", "name")])
        require(
            numeric,
            f"{path.name} has neither a matrix of features nor node attributes that are numbers; "
            "give a table: files: {features: TABLE}",
        )
        return _of_attributes(names, graph, node_of, numeric, path)
    row_of = {name: row for row, name in enumerate(node_of)}
    rows = [row_of[_known(name, row_of, path.name)] for name in names]
    return Rows(matrix[rows], columns=[f"feature {k}" for k in range(matrix.shape[1])])


def _of_table(names, table, wanted, settings):
    """Features by the rows of a table whose column `node`, or first column, names the nodes."""
    columns = columns_of(table)
    node = settings["node"] or (columns[0] if columns and columns[0] else None)
    chosen = None if wanted is True else wanted
    drop = [settings["label"]] if chosen is None and settings["label"] in columns else []
    found = rows_of_table(table, features=chosen, id=node, drop=drop)
    name, count = Counter(found.names).most_common(1)[0]
    require(count == 1, f"{table.name} names node {name!r} {count} times; keep one row")
    row_of = {name: row for row, name in enumerate(found.names)}
    rows = [row_of[_known(name, row_of, table.name)] for name in names]
    return Rows(found.features[rows], columns=found.columns)


def _known(name, rows, where):
    """The name of a node that has features."""
    require(name in rows, f"{where} has no features of node {name!r}; add them")
    return name


def numeric_attributes(graph, others):
    """Names of the attributes that are numbers wherever a node has them, without `others`."""
    attributes = [name for name in edge_lists.attributes_of(graph) if name not in others]
    return [
        name
        for name in attributes
        if all(isinstance(data.get(name, 0), Real) for _, data in graph.nodes(data=True))
    ]


def _of_attributes(names, graph, node_of, wanted, path):
    """Features from attributes, all of which every node has."""
    require_names(path, "node attribute", edge_lists.attributes_of(graph), wanted)
    found = np.empty((len(names), len(wanted)))
    for row, name in enumerate(names):
        values = graph.nodes[node_of[_known(name, node_of, path.name)]]
        for column, attribute in enumerate(wanted):
            value = values.get(attribute)
            if not isinstance(value, Real) or not np.isfinite(value):
                raise InputError(
                    f"{path.name}: node {name!r} has {attribute} = {value!r}; give every node a "
                    "finite number, or leave the attribute out of features"
                )
            found[row, column] = value
    return Rows(found, columns=list(wanted))
