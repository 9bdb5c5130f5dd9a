"""Scores and cards of data sets, for tests of the tables and sections."""

import numpy as np
import pandas as pd

from noneuclid_compare.report.tables import score_tables


def card(name, kind, n, classes, dimension=2):
    about = {"name": name, "kind": kind, "n": n, "classes": dict.fromkeys("abcdefg"[:classes], 1)}
    return {"dataset": about, "embedding": {"name": "e"}, "dimension": dimension}


def folds_of(means, sd=0.02, folds=5, seed=0):
    """Scores of five folds of each data set around the means, with fit_seconds of none."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset, methods in means.items():
        for method, value in methods.items():
            noise = rng.normal(size=folds)
            noise = sd * (noise - noise.mean()) / noise.std(ddof=1)
            rows += [
                (dataset, "e", method, "", 0, k, "accuracy", value + noise[k]) for k in range(folds)
            ]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS)
