"""Which product of curved and flat factors the distances of a data set want, as a JSON record."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from noneuclid.embeddings.base import is_distances
from noneuclid.embeddings.feature_scaling import choose_scale, standardises
from noneuclid.embeddings.given_distances import PRECOMPUTED
from noneuclid.embeddings.signature_search import NONE, SignatureSearch
from noneuclid.errors import require
from noneuclid_compare.embed.of_dataset import adjacency
from noneuclid_compare.records import COMPARED

MAX_ROWS = 100
_NAMES = {PRECOMPUTED: "given distances", "euclidean": "Euclidean distances"}


def compare(dataset, seed, *, n_components=4, metric="euclidean", max_rows=MAX_ROWS):
    """Compare the signatures of one dimension, on at most so many rows.

    Rows of features are scaled as embeddings do by default. A symmetric table with a zero diagonal
    holds distances.

    Examples
    --------
    >>> from noneuclid_compare.data.shipped import karate
    >>> found = compare(karate.load({}, 0), 0, n_components=1, max_rows=20)
    >>> found["distances"], found["n"], found["compared"], found["flat"]
    ('lengths of shortest paths', 34, 20, 'E1')
    """
    mixed = " with categories or missing values" if dataset.column_kinds else ""
    require(
        dataset.kind in COMPARED and not mixed,
        f"{dataset.name} has kind {dataset.kind!r}{mixed}; signatures are compared for tables of "
        "numbers, cells and networks",
    )
    graph = dataset.kind == "graph"
    given = not graph and is_distances(np.asarray(dataset.features, dtype=float))
    scaled = not (graph or given) and standardises("auto", dataset, "signatures")
    metric = PRECOMPUTED if given else metric
    named = "lengths of shortest paths" if graph else _NAMES.get(metric, f"{metric} distances")
    search = SignatureSearch(
        n_components,
        metric=metric,
        edge_lengths=True if graph and dataset.weights is not None else None,
        max_rows=max_rows,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        search.fit(adjacency(dataset) if graph else _rows(dataset, scaled))
    sectional = search.sectional_curvature_
    return {
        "distances": f"{named} of standardised columns" if scaled else named,
        "rows": "nodes" if graph else "rows",
        "n": len(dataset.labels),
        "compared": len(search.rows_),
        "signatures": [row | {"curvatures": list(row["curvatures"])} for row in search.table_],
        "flat": search.flat_,
        "best": search.best_signature_,
        "ties": search.ties_,
        "delta": float(search.delta_),
        "sectional_curvature": sectional if np.isfinite(sectional) else None,
    }


def _rows(dataset, scaled):
    """Rows of features."""
    features = np.asarray(dataset.features, dtype=float)
    return choose_scale(features, scaled, "signatures")(features)


def compared(found):
    """What was compared.

    Examples
    --------
    >>> found = {"distances": "cosine distances", "rows": "rows", "n": 150, "compared": 100}
    >>> compared(found), compared(found | {"n": 100})
    ('cosine distances, 100 of 150 rows', 'cosine distances, all 100 rows')
    """
    n, used = found["n"], found["compared"]
    some = f"{used} of {n}" if used < n else f"all {n}"
    return f"{found['distances']}, {some} {found['rows']}"


def cells(found):
    """Signature, distortion, its interval, difference to the flat one and its interval, as text.

    Examples
    --------
    >>> flat = {"signature": "E2", "distortion": 0.06, "low": 0.05, "high": 0.07}
    >>> cells({"signatures": [flat], "flat": "E2"})
    [('E2', '0.060', '0.050 to 0.070', 'flat', '')]
    """
    rows = []
    for row in found["signatures"]:
        own = row["signature"], f"{row['distortion']:.3f}", f"{row['low']:.3f} to {row['high']:.3f}"
        less = "flat", ""
        if row["signature"] != found["flat"]:
            ends = f"{row['difference_low']:+.3f} to {row['difference_high']:+.3f}"
            less = f"{row['difference']:+.3f}", ends
        rows.append((*own, *less))
    return rows


def likeness(found):
    """Lines on the likeness to a tree.

    Examples
    --------
    >>> likeness({"delta": 0.25, "sectional_curvature": -0.1})[1]
    'mean sectional curvature of the graph: -0.100 (below 0 in a tree)'
    """
    lines = [f"2 delta / diameter: {found['delta']:.3f} (0 in a tree)"]
    if (mean := found["sectional_curvature"]) is not None:
        lines.append(f"mean sectional curvature of the graph: {mean:+.3f} (below 0 in a tree)")
    return lines


def answer(found):
    """One sentence.

    Examples
    --------
    >>> flat = {"signature": "E2", "distortion": 0.06, "low": 0.05, "high": 0.07}
    >>> best = {"signature": "H2", "distortion": 0.041, "low": 0.036, "high": 0.046}
    >>> found = {"signatures": [best, flat], "flat": "E2", "best": "H2", "ties": []}
    >>> answer(found)
    'Your data want H2: held-out distortion 0.041 (0.036 to 0.046) against 0.060 flat.'
    >>> answer(found | {"ties": ["S2", "E2"]}).partition(":")[2]
    ' S2): held-out distortion 0.041 (0.036 to 0.046) against 0.060 flat.'
    >>> answer(found | {"best": "none"})
    'None: no curved signature is better than E2 beyond chance; held-out distortion 0.060 flat.'
    """
    rows = {row["signature"]: row for row in found["signatures"]}
    flat = rows[found["flat"]]["distortion"]
    if found["best"] == NONE:
        return (
            f"None: no curved signature is better than {found['flat']} beyond chance; held-out "
            f"distortion {flat:.3f} flat."
        )
    best = rows[found["best"]]
    others = [found["signatures"][0]["signature"], *found["ties"]]
    others = ", ".join(name for name in others if name not in (found["best"], found["flat"]))
    ties = f" (not told apart from: {others})" if others else ""
    return (
        f"Your data want {found['best']}{ties}: held-out distortion {best['distortion']:.3f} "
        f"({best['low']:.3f} to {best['high']:.3f}) against {flat:.3f} flat."
    )
