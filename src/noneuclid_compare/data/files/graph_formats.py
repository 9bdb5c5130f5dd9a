"""Networks of other programs: Gephi (GEXF), Pajek, sparse matrices and PyTorch Geometric."""

import re

import numpy as np
from scipy.io import mmread
from scipy.sparse import coo_array, csr_array, triu

from noneuclid.errors import InputError, require, require_package
from noneuclid_compare.data.files.arrays import reading, text_of

# Names that write a sparse matrix of the edges, in files of networks and of scipy.sparse.save_npz.
PARTS = ("data", "indices", "indptr", "shape")
PREFIXES = ("adj_", "adj_matrix.", "")
# Of features of the nodes, as such a matrix or as one array.
FEATURES, ARRAYS = ("attr_", "attr_matrix."), ("attr", "features", "x")
# Of PyTorch Geometric: the ends of the edges, and their numbers.
ENDS, NUMBERS = "edge_index", ("edge_weight", "edge_attr")


def read_gexf(path):
    """GEXF, as Gephi writes it; its nodes are keyed by their ids."""
    networkx = require_package("networkx", "data", "a graph")

    with reading(path, "GEXF"):
        return networkx.read_gexf(path)


def read_pajek(path):
    """Pajek's format, its nodes keyed by their labels."""
    networkx = require_package("networkx", "data", "a graph")

    with reading(path, "Pajek"):
        text = text_of(path)
        lists = re.search(r"^\*(arcs|edges)list", text, flags=re.M | re.I)
        require(
            lists is None,
            f"{path} has {lists and lists[0]!r}, in which one line has several edges; save it with "
            "*Edges or *Arcs, one edge in a line",
        )
        graph = networkx.parse_pajek(text)
        stated = re.search(r"^\*vertices\s+(\d+)", text, flags=re.M | re.I)
        require(
            stated is not None and len(graph) == int(stated[1]),
            f"{path} states {stated and stated[1]} vertices, but has {len(graph)} different names; "
            "give each vertex its own name",
        )
    return graph


def read_matrix_market(path):
    """An adjacency matrix, its nodes numbered from 1, as its lines number them."""
    with reading(path, "MatrixMarket"):
        matrix = coo_array(mmread(path))
        entries = matrix.nnz
        matrix.sum_duplicates()
        require(
            matrix.nnz == entries,
            f"{path}: {entries - matrix.nnz} entries repeat the place of another; give each once",
        )
        return _of_matrix(matrix, path, first=1)


def holds_matrix(path):
    """Whether an ``.npz`` file has the parts of a sparse matrix of edges."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            return _prefix(archive.files) is not None
    except Exception:  # of whatever breaks first: the reader says what
        return False


def _prefix(names, prefixes=PREFIXES):
    """Prefix of the parts of a sparse matrix, None without one."""
    return next((p for p in prefixes if {p + part for part in PARTS} <= {*names}), None)


def _matrix(archive, prefix):
    """The sparse matrix whose parts have a prefix."""
    data, indices, indptr, shape = (archive[prefix + part] for part in PARTS)
    matrix = csr_array((data, indices, indptr), shape=tuple(shape.tolist()))
    matrix.check_format()
    return matrix


def read_npz(path):
    """A sparse adjacency matrix; arrays of one value for each node are attributes of nodes."""
    with reading(path, "a network"), np.load(path, allow_pickle=False) as archive:
        prefix = _prefix(archive.files)
        require(
            prefix is not None,
            f"{path} has no sparse matrix of edges, such as adj_data, adj_indices, adj_indptr and "
            f"adj_shape; it has {', '.join(archive.files)}",
        )
        require(
            "format" not in archive.files or archive["format"].item() in (b"csr", "csr"),
            f"{path} is a sparse matrix of another format than csr; save matrix.tocsr()",
        )
        graph = _of_matrix(_matrix(archive, prefix), path)
        features = _prefix(archive.files, FEATURES)
        used = {start + part for start in (prefix, features or prefix) for part in PARTS}
        # Arrays of objects cannot be read without running code.
        others = {
            name: archive[name]
            for name, kind in _kinds(archive).items()
            if name not in used and kind != "O"
        }
        if features is not None:
            others[ARRAYS[0]] = _matrix(archive, features).toarray()
        return _with_attributes(graph, others)


def _kinds(archive):
    """Letter of the numpy kind of each array, which is not read."""
    found = {}
    for name in archive.files:
        with archive.zip.open(f"{name}.npy") as member:
            np.lib.format.read_magic(member)
            found[name] = np.lib.format.read_array_header_1_0(member)[2].kind
    return found


def read_torch(path):
    """A dictionary of tensors with `edge_index`, as PyTorch Geometric's ``data.to_dict()``."""
    torch = require_package("torch", "images", "a .pt file")

    how = "save torch.save(data.to_dict(), PATH), which holds tensors and runs no code"
    with reading(path, "a file of PyTorch without code", how):
        content = torch.load(path, map_location="cpu", weights_only=True)
        # Processed files have the data first, then how they divide.
        content = content[0] if isinstance(content, tuple | list) and content else content
        require(isinstance(content, dict) and ENDS in content, f"{path} has no {ENDS}; {how}")
        values = {name: np.asarray(x) for name, x in content.items() if hasattr(x, "shape")}
    ends = values.pop(ENDS)
    require(
        ends.ndim == 2 and len(ends) == 2 and ends.dtype.kind in "iu" and ends.size > 0,
        f"{path}: {ENDS} is {ends.dtype} of shape {ends.shape}; give integers of shape (2, m)",
    )
    lengths = [len(x) for name, x in values.items() if name in ("x", "y") and x.ndim]
    n = lengths[0] if lengths else int(content.get("num_nodes") or ends.max() + 1)
    bad = np.flatnonzero(((ends < 0) | (ends >= n)).any(axis=0))
    if bad.size:
        raise InputError(
            f"{path}: edge {bad[0]} joins {ends[:, bad[0]].tolist()}; nodes run from 0 to {n - 1}"
        )
    weights = next((values.pop(name) for name in NUMBERS if name in values), None)
    if weights is not None and weights.size != ends.shape[1]:
        weights = None  # several numbers for each edge
    graph = _of_entries(*ends, None if weights is None else weights.ravel(), n, directed=True)
    return _with_attributes(graph, values)


def _of_matrix(matrix, path, first=0):
    """Graph of a square matrix, directed if it is not symmetric; entries of 0 join nothing."""
    require(
        len(matrix.shape) == 2 and matrix.shape[0] == matrix.shape[1],
        f"{path} has a matrix of shape {matrix.shape}; an adjacency matrix is square",
    )
    require(
        matrix.dtype.kind in "biuf",
        f"{path} has a matrix of type {matrix.dtype}; give real numbers, or a pattern",
    )
    matrix = csr_array(matrix)
    matrix.eliminate_zeros()
    directed = (matrix != matrix.T).nnz > 0
    found = coo_array(matrix if directed else triu(matrix))
    weights = None if (found.data == 1).all() else found.data
    return _of_entries(found.row, found.col, weights, matrix.shape[0], directed, first)


def _of_entries(rows, columns, weights, n, directed, first=0):
    """Graph with the nodes first, first + 1, ... and these edges, each with its `weight`."""
    networkx = require_package("networkx", "data", "a graph")

    graph = networkx.MultiDiGraph() if directed else networkx.MultiGraph()
    graph.add_nodes_from(range(first, first + n))
    ends = zip((rows + first).tolist(), (columns + first).tolist(), strict=True)
    if weights is None:
        graph.add_edges_from(ends)
    else:
        graph.add_weighted_edges_from(
            (a, b, w) for (a, b), w in zip(ends, weights.tolist(), strict=True)
        )
    return graph


def _with_attributes(graph, arrays):
    """The graph with each array of one value for each node as an attribute of the nodes.

    A matrix of features with a row for each node becomes ``graph.graph["features"]``.
    """
    for name, values in arrays.items():
        column = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
        if column.ndim == 1 and len(column) == len(graph):
            for node, value in zip(graph, column.tolist(), strict=True):
                graph.nodes[node][name] = value
        elif name in ARRAYS and values.ndim == 2 and len(values) == len(graph):
            graph.graph["features"] = values
    return graph
