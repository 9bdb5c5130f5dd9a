"""Stage curvature: which product of curved and flat factors the distances of a file want.

Not part of the workflow: the command ``noneuclid curvature`` runs it.
"""

import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from noneuclid import SignatureSearch
from noneuclid.embeddings.feature_scaling import choose_scale, standardises
from noneuclid.embeddings.given_distances import METRICS
from noneuclid.embeddings.signature_search import NONE
from noneuclid.errors import require
from noneuclid_compare.embed.of_dataset import adjacency
from noneuclid_compare.wording import printable

MAX_ROWS = 100
_KINDS = ("features", "expression", "graph")


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.description = (
        "Fits the distances of a file in products of hyperbolic (H), spherical (S) and flat (E) "
        "factors of one dimension, and compares them by the distortion of held-out pairs."
    )
    parser.add_argument("path", type=Path, metavar="DATA", help="a table, .h5ad or network")
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
    dataset = dataset_of(args)
    graph = dataset.kind == "graph"
    X = adjacency(dataset) if graph else _scaled(dataset)
    search = SignatureSearch(
        args.dimension,
        metric=args.metric,
        edge_lengths=True if graph and dataset.weights is not None else None,
        max_rows=args.rows,
        random_state=args.seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        search.fit(X)
    n, used = len(dataset.labels), len(search.rows_)
    between = "lengths of shortest paths" if graph else f"{args.metric} distances"
    compared = f"{used} of {n}" if used < n else f"all {n}"
    print(f"{between} of {compared} {'nodes' if graph else 'rows'}")
    for line in table_of(search):
        print(line)
    print(answer(search))


def dataset_of(args):
    """The data set of a file, as the workflow reads it."""
    from noneuclid_compare.inspect_file import look

    label = args.label or look.only_label(args.path, args.labels, args.features)
    if label is None and look.needs_label(args.path):
        likely, _ = look.candidates(args.path, args.labels)
        require(
            likely,
            f"{args.path}: nothing in it looks like classes, which are not features; name them by "
            "--label NAME",
        )
        label = next(iter(likely))
        print(printable(f"{label} holds labels and is not a feature (--label)"))
    dataset = look.look(args.path, label, labels=args.labels, features=args.features).dataset
    require(
        dataset.kind in _KINDS and dataset.column_kinds is None,
        f"{args.path} holds {dataset.kind}{' with categories' if dataset.column_kinds else ''}; "
        "noneuclid curvature compares tables of numbers, cells and networks",
    )
    return dataset


def _scaled(dataset):
    """Rows of features, scaled as embeddings do by default."""
    features = np.asarray(dataset.features, dtype=float)
    return choose_scale(features, standardises("auto", dataset, "curvature"), "curvature")(features)


def table_of(search):
    """Lines of the table, and of delta and the sectional curvature."""
    lines = ["signature  distortion (95 % interval)    minus flat (together 95 %)"]
    for row in search.table_:
        own = f"{row['distortion']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
        less = f"{row['difference']:+.3f} ({row['difference_low']:+.3f} to "
        less += f"{row['difference_high']:+.3f})"
        if row["signature"] == search.flat_:
            less = "flat"
        lines.append(f"{row['signature']:<11}{own:<30}{less}")
    lines.append(f"2 delta / diameter: {search.delta_:.3f} (0 in a tree)")
    if np.isfinite(search.sectional_curvature_):
        found = search.sectional_curvature_
        lines.append(f"mean sectional curvature of the graph: {found:+.3f} (below 0 in a tree)")
    return lines


def answer(search):
    """One sentence.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> flat = {"signature": "E2", "distortion": 0.06, "low": 0.05, "high": 0.07}
    >>> best = {"signature": "H2", "distortion": 0.041, "low": 0.036, "high": 0.046}
    >>> found = SimpleNamespace(table_=[best, flat], flat_="E2", best_signature_="H2", ties_=[])
    >>> answer(found)
    'Your data want H2: held-out distortion 0.041 (0.036 to 0.046) against 0.060 flat.'
    >>> found.best_signature_ = "none"
    >>> answer(found)
    'None: no curved signature is better than E2 beyond chance; held-out distortion 0.060 flat.'
    """
    rows = {row["signature"]: row for row in search.table_}
    flat = rows[search.flat_]["distortion"]
    if search.best_signature_ == NONE:
        return (
            f"None: no curved signature is better than {search.flat_} beyond chance; held-out "
            f"distortion {flat:.3f} flat."
        )
    best = rows[search.best_signature_]
    others = [search.table_[0]["signature"], *search.ties_]
    others = ", ".join(name for name in others if name != search.best_signature_)
    ties = f"; not worse beyond chance: {others}" if others else ""
    return (
        f"Your data want {search.best_signature_}: held-out distortion {best['distortion']:.3f} "
        f"({best['low']:.3f} to {best['high']:.3f}) against {flat:.3f} flat{ties}."
    )
