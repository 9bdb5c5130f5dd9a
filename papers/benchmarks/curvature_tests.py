"""Tests of curvature over data sets, of the tables that papers/benchmarks/curvature.py keeps.

Embeddings and dimensions of a data set are averaged first.
"""

from itertools import product

import numpy as np
import pandas as pd

from noneuclid_papers.statistics import bayesian_signed_ranks
from noneuclid_papers.statistics.rank_tests import average_ranks, holm, signed_ranks
from noneuclid_papers.tables import probability_rows, route_rows

METRIC, SCORES = "balanced_accuracy", ["balanced_accuracy", "log_loss", "calibration_error"]
# Each hyperbolic method and the flat method of its kind, on three charts.
PAIRS = {
    "hyperbolic_kernel_svm": "svm",
    "hyperbolic_logistic": "logistic",
    "hyperbolic_forest": "forest",
    "geodesic_knn": "knn",
    "wrapped_normal": "qda",
}
CHARTS = ["poincare", "klein", "tangent"]
FLOOR = ["majority"]
ROUTES = {
    "hyperbolic + hyperbolic": "hyperbolic embedding, hyperbolic classifier",
    "hyperbolic + flat": "hyperbolic embedding, flat classifier",
    "flat + hyperbolic": "flat embedding, hyperbolic classifier",
    "original + flat": "no embedding",
}
WORDS = {
    "dimension": "{}-d, all labels",
    "labels": "{} labels per class",
    "depth": "tree of depth {}",
}
EVERY_DIMENSION, EVERY_DEPTH = "mean over dimensions, all labels", "trees of all depths"
# Drawn by a generator; two sets of cells are simulated in the papers.
DRAWN = r"branching_|tree_\d|(\w+_)?mixture_|network_\d|myeloidprogenitors|ToggleSwitch"
ALPHA, WIDTH, SURE = 0.05, 0.01, 0.95


def compare(gaps):
    """Tests of differences over data sets, without correction."""
    gaps = np.asarray(gaps, dtype=float).round(9)
    better, equal, worse = bayesian_signed_ranks.probabilities(gaps, WIDTH)
    return {
        "n": len(gaps),
        "wins": int((gaps > 0).sum()),
        "losses": int((gaps < 0).sum()),
        "mean": gaps.mean(),
        "median": np.median(gaps),
        "p": signed_ranks(gaps),
        "better": better,
        "equal": equal,
        "worse": worse,
        "seen": probability_rows.minimal_difference(gaps) if len(gaps) > 1 else np.nan,
    }


def judged(rows):
    """A table of `compare` with p-values by Holm for all rows, and verdicts."""
    table = pd.DataFrame(rows)
    tested = 2.0 ** (1 - table["n"]) < ALPHA  # the least p that the test can give
    table.loc[~tested, ["p", "seen"]] = np.nan
    table["holm"] = np.nan
    table.loc[tested, "holm"] = holm(table.loc[tested, "p"])
    table["verdict"] = "open"
    enough = table["n"] >= route_rows.FEWEST
    for likely in ("equal", "better", "worse"):
        table.loc[enough & (table[likely] > SURE), "verdict"] = likely
    clear = table["holm"] < ALPHA
    table.loc[clear & (table["median"] > 0), "verdict"] = "higher"
    table.loc[clear & (table["median"] < 0), "verdict"] = "lower"
    return table


def pairs_of(table):
    """Hyperbolic methods against the flat method of their kind on each chart."""
    scores = table.pivot_table(METRIC, "dataset", "method")
    rows = []
    for (ours, flat), chart in product(PAIRS.items(), CHARTS):
        gaps = (scores[ours] - scores[f"{flat}_{chart}"]).dropna()
        rows.append({"first": ours, "second": f"{flat}_{chart}", **compare(gaps)})
    return judged(rows)


def cells_of(table):
    """Routes against the best flat one, in each dimension, number of labels and depth."""
    rows = []
    for route in ROUTES:
        pairs = table[table["route"] == route]
        for by, value, part in route_rows.columns(pairs):
            if by == "labels" and value == route_rows.FULL:
                continue  # those of the dimensions
            means = part.groupby("dataset")[["value", "reference"]].mean()
            found = compare(means["value"] - means["reference"])
            words = EVERY_DIMENSION if value == route_rows.EVERY else WORDS[by].format(value)
            rows.append({"first": route, "second": words, **found})
        trees = pairs[pairs["depth"].notna()]
        if trees["depth"].nunique() > 1:
            found = compare(trees["value"] - trees["reference"])
            rows.append({"first": route, "second": EVERY_DEPTH, **found})
    return judged(rows)


def standing(table):
    """Mean scores and average rank of each method, best mean first."""
    wide = {name: table.pivot_table(name, "dataset", "method", dropna=False) for name in SCORES}
    whole = wide[METRIC].dropna(axis=1)
    ranks = pd.Series(average_ranks(whole), index=whole.columns)
    means = pd.DataFrame({name: part.mean() for name, part in wide.items()})
    means["rank"] = ranks
    return means.sort_values(METRIC, ascending=False)


def is_flat(method):
    """Whether a method of the league reads coordinates of a chart as plain numbers."""
    return method.endswith(tuple(f"_{chart}" for chart in CHARTS))


def drawn(table):
    """Whether each row is of a data set that is simulated."""
    return table["dataset"].str.fullmatch(f"(?:{DRAWN})\\w*")
