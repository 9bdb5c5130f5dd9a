"""Rows of the section on link prediction: means over repeats with their intervals."""

import numpy as np
import pandas as pd

from noneuclid_compare.evaluation import inference
from noneuclid_compare.report.names import capital

COLUMNS = ["dataset", "score", "kind", "auc", "low", "high", "average_precision"]
COLUMNS += ["repeats", "held_out_edges", "training_edges"]


def table(records):
    """Means of each score on each network, the largest AUC first; `kind` is a key of a record."""
    found = {}
    for record in records:
        for kind in ("embeddings", "edges"):
            for name, values in record[kind].items():
                found.setdefault((record["dataset"], name, kind), []).append((record, values))
    rows = []
    for key, runs in found.items():
        auc, precision = (
            np.array([values[name] for _, values in runs]) for name in ("auc", "average_precision")
        )
        sizes = [runs[0][0][name] for name in ("held_out_edges", "training_edges")]
        rows.append(
            [*key, auc.mean(), *_interval(auc, *sizes), precision.mean(), len(runs), *sizes]
        )
    place = {name: k for k, name in enumerate(dict.fromkeys(row[0] for row in rows))}
    rows.sort(key=lambda row: (place[row[0]], -row[3]))
    return pd.DataFrame(rows, columns=COLUMNS)


def _interval(values, held, training):
    """Ends of the interval of a mean over repeats, within [0, 1]; nan for one repeat."""
    if len(values) == 1:
        return np.nan, np.nan
    # As for accuracies: each side may have one more edge right or wrong.
    found = inference.interval([values], [held / training], [1 / (2 * held**2)])
    return max(0.0, found["low"]), min(1.0, found["high"])


def rows(found, names):
    """Cells of the table on the page."""
    return [
        [
            names.head("datasets", row.dataset),
            capital(names.in_text("embeddings", row.score))
            if row.kind == "embeddings"
            else capital(row.score),
            f"{row.auc:.3f}",
            "–" if np.isnan(row.low) else f"{row.low:.3f} to {row.high:.3f}",
            f"{row.average_precision:.3f}",
            f"{row.held_out_edges} of {row.held_out_edges + row.training_edges}",
        ]
        for row in found.itertuples()
    ]
