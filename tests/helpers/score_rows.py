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


# Change of the score in each of five folds of data sets d and e, and of predictions, at 1.5 and 3.
FLAT = [-0.03, -0.04, -0.05, -0.04, -0.03]
NOISY = [-0.03, 0.03, 0.05, -0.05, 0.002]
TINY = [0.0001, -0.0001, 0.0, 0.0002, -0.0002]
NONE = [0.0] * 5
CHANGES = {"flat": FLAT, "noisy": NOISY, "tiny": TINY, "invariant": NONE, "majority": NONE}


def moved_scores(changes=None, datasets=("d", "e"), distances=(1.5, 3.0)):
    """Scores before and after isometries, by which a method changes twice as much at 3."""
    before, after = [], []
    for dataset in datasets:
        for method, gaps in (changes or CHANGES).items():
            for k, gap in enumerate(gaps):
                key = (dataset, "given", method)
                sizes = {"train_rows": 80, "test_rows": 20}
                for metric, value in {"accuracy": 0.9 + k / 100, **sizes}.items():
                    before.append((*key, "", 0, k, metric, value))
                for t in distances:
                    values = {"accuracy": 0.9 + k / 100 + t / 1.5 * gap, "test_rows": 20}
                    values |= {"changed_rows": int(gap != 0), "farthest": 4 + t}
                    values |= {"farthest_before": 4.0, "fit_seconds": 0.1}
                    after += [(*key, t, 0, k, *item) for item in values.items()]
    head = ["dataset", "embedding", "method"]
    scores = pd.DataFrame(before, columns=[*head, "setting", "repeat", "fold", "metric", "value"])
    return scores, pd.DataFrame(
        after, columns=[*head, "distance", "repeat", "fold", "metric", "value"]
    )
