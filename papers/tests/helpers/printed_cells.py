"""Printed numbers of a paper and scores of ours beside them."""

import pandas as pd

from noneuclid_papers.printed import published

SCORES = ["dataset", "embedding", "method", "setting", "repeat", "fold", "metric", "value"]
ENTRY = {
    "table": "t",
    "datasets": r"blobs_(?P<size>n\d+)_seed\d",
    "dataset": "Blobs",
    "variant": "{size}",
    "methods": {"a": "A"},
    "metrics": {"accuracy": "accuracy"},
}


def ours(values, method="a", size="n10", metric="accuracy"):
    """A long table: one row of values per seed, one value per fold."""
    return [
        (f"blobs_{size}_seed{seed}", "given", method, "", 0, fold, metric, value)
        for seed, row in enumerate(values)
        for fold, value in enumerate(row)
    ]


def paper(*rows):
    """Printed numbers: variant, method, value, error, unit."""
    cells = [("t", "Blobs", v, m, "accuracy", value, e, unit) for v, m, value, e, unit in rows]
    return pd.DataFrame(cells, columns=published.COLUMNS)


def reasons(*rows):
    return pd.DataFrame(rows, columns=published.REASONS)


def judge(scores, theirs, known=(), **more):
    table = pd.DataFrame(scores, columns=SCORES)
    return published.cells(table, theirs, "p", [ENTRY | more], reasons(*known))
