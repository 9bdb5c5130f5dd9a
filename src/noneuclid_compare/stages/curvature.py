"""Stage curvature: which product of curved and flat factors the distances of a file want.

Not part of the workflow: the command ``noneuclid curvature`` runs it.
"""

from pathlib import Path

import numpy as np

from noneuclid.embeddings.given_distances import METRICS
from noneuclid.errors import require
from noneuclid_compare.embed.compared_signatures import (
    MAX_ROWS,
    answer,
    cells,
    compare,
    compared,
    likeness,
)
from noneuclid_compare.records import Dataset
from noneuclid_compare.wording import printable


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.description = (
        "Fits the distances of a file in products of hyperbolic (H), spherical (S) and flat (E) "
        "factors of one dimension, and compares them by the distortion of held-out pairs."
    )
    parser.add_argument(
        "path", type=Path, metavar="DATA", help="a table, .h5ad, network, or distances: a "
        "symmetric matrix with a zero diagonal, .npy, or .csv with a line of names",
    )  # fmt: skip
    parser.add_argument(
        "--label", metavar="NAME", help="column or attribute that is not a feature; default: the "
        "likeliest",
    )  # fmt: skip
    parser.add_argument("--labels", type=Path, metavar="FILE", help="labels of a network")
    parser.add_argument("--features", metavar="NAME", help="as of noneuclid init")
    parser.add_argument("--dimension", type=int, default=4, help="of all candidates; default: 4")
    parser.add_argument(
        "--metric", choices=METRICS[:-1], default="euclidean", help="between rows of a table"
    )
    parser.add_argument(
        "--rows", type=int, default=MAX_ROWS, help=f"sampled at most; default: {MAX_ROWS}"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.set_defaults(run=run)


def run(args):
    """Read the file, compare the candidates, print the table and one sentence."""
    found = compare(
        dataset_of(args),
        args.seed,
        n_components=args.dimension,
        metric=args.metric,
        max_rows=args.rows,
    )
    print(compared(found))
    for line in [*table_of(found), *likeness(found), answer(found)]:
        print(line)


def dataset_of(args):
    """The data set of a file, as the workflow reads it."""
    from noneuclid_compare.data.files import edge_lists
    from noneuclid_compare.data.files.arrays import read_array
    from noneuclid_compare.inspect_file import graph_files, look, tables

    bare = args.label is None and args.labels is None
    reader = look.reader_of(args.path, args.labels)
    if bare and reader is graph_files:
        graph, _ = graph_files.read(args.path)
        if not edge_lists.attributes_of(graph):
            return network_of(graph, args.path.name)
    if bare and args.path.suffix == ".npy":
        return _unlabelled(args.path.name, read_array(args.path))
    if bare and reader is tables:
        likely, _ = look.candidates(args.path)
        if not likely or tables.holds_distances(args.path):
            rows, left_out = tables.without_label(args.path)
            for name in left_out:
                print(printable(f"{name} names or numbers the rows and is not a feature"))
            return _unlabelled(args.path.name, rows)
    label = args.label or look.only_label(args.path, args.labels, args.features)
    if label is None and look.needs_label(args.path):
        likely, _ = look.candidates(args.path, args.labels)
        require(
            likely,
            f"{args.path}: nothing in it looks like classes, which are not features; name them by "
            "--label NAME, or give the edges of a network as .edges",
        )
        label = next(iter(likely))
        print(printable(f"{label} holds labels and is not a feature (--label)"))
    return look.look(args.path, label, labels=args.labels, features=args.features).dataset


def _unlabelled(name, rows):
    """A data set of rows without labels."""
    return Dataset(name, "features", np.zeros(len(rows), int), ("",), features=rows)


def network_of(graph, name):
    """The largest component of a network without labels; all edges count one."""
    import networkx

    graph = networkx.Graph(graph)
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    largest = max(networkx.connected_components(graph), key=len, default=())
    if len(largest) < len(graph):
        print(f"the largest component, {len(largest)} of {len(graph)} nodes")
    place = {node: row for row, node in enumerate(n for n in graph if n in largest)}
    edges = np.array([(place[a], place[b]) for a, b in graph.edges() if a in place])
    return Dataset(name, "graph", np.zeros(len(place), int), ("",), edges=edges.reshape(-1, 2))


def table_of(found):
    """Lines of the table."""
    lines = ["signature  distortion (95 % interval)    minus flat (together 95 %)"]
    for signature, distortion, ends, less, together in cells(found):
        own = f"{distortion} ({ends})"
        lines.append(f"{signature:<11}{own:<30}{less}{together and f' ({together})'}")
    return lines
