"""Data of the interactive disks, packed small: see templates/viewer.js."""

import base64
import zlib

import numpy as np

from noneuclid.plots import palette, rasters
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import disk as disk_figure
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import score_tables

MAX_POINTS = 8000


def pack(disks, scores, metric, curvatures=None, reliabilities=None, names=None):
    """JSON values for the viewer: `markers`, `metric`, `disks`; `shown` are readable names.

    Methods are ordered by their rank. Disks without `regions` are projections. `curvatures`, by
    (dataset, embedding), are the scales of hyperbolic distances, 1 by default; `reliabilities`, by
    (dataset, embedding, method), are the bins [rows, probability, accuracy] of
    `metrics.reliability`, of methods with probabilities. Arrays are deflated and in base64:
    `points` float32 (x, y), `rows` int32, `labels` and `held_out` int16, `regions` uint8.
    """
    table = score_tables.summarise(scores, metric).set_index([*score_tables.PAIR, "method"])
    return {
        "markers": [[round(v, 4) for point in m for v in point] for m in palette.MARKERS],
        "metric": style.metric_label(metric),
        "disks": [
            _pack_disk(disk, table, metric, curvatures or {}, reliabilities or {}, names or Names())
            for disk in disks
        ],
    }


def _pack_disk(disk, table, metric, curvatures, reliabilities, shown):
    disk_figure.check_disk(disk)
    pair = disk.dataset, disk.embedding
    names = [str(name) for name in disk.class_names]
    colours = palette.class_colours(len(names), disk.edges is not None)
    kept = disk_figure.sample(disk.labels, MAX_POINTS)
    order = sorted(range(len(disk.methods)), key=lambda k: _place(table, (*pair, disk.methods[k])))
    return {
        "dataset": pair[0],
        "embedding": pair[1],
        "shown": shown.pair(*pair),
        "classes": names,
        "colours": colours,
        "edges": [palette.edge(c) for c in colours],
        "tints": [palette.tint(c) for c in colours],
        "counts": np.bincount(disk.labels, minlength=len(names)).tolist(),
        "n": len(disk.labels),
        "dimension": disk.dimension,
        "numeric": disk.edges is not None,
        # Of the disk as it is drawn.
        "curvature": float(curvatures.get(pair, 1.0)) * disk.scale**2,
        "rows": _encode(kept, np.int32),
        "points": _encode(disk.points[kept], np.float32),
        "labels": _encode(disk.labels[kept], np.int16),
        "methods": [
            _pack_method(disk, k, kept, table, metric)
            | {"reliability": reliabilities.get((*pair, disk.methods[k]))}
            | {"shown": shown.method(disk.methods[k])}
            for k in order
        ],
    }


def _place(table, key):
    """Rank, then name; methods without a score come last."""
    rank = table["rank"].get(key, np.nan)
    return (np.inf if np.isnan(rank) else rank, key[-1])


def _pack_method(disk, k, kept, table, metric):
    key = disk.dataset, disk.embedding, disk.methods[k]
    row = table.loc[key] if key in table.index else None
    return {
        "name": disk.methods[k],
        "score": "–" if row is None else style.spread(row["mean"], row["sd"], metric),
        **({} if disk.regions is None else _pack_regions(disk.regions[k])),
        "held_out": _encode(disk.held_out[k][kept], np.int16),
        "confusion": confusion(disk.labels, disk.held_out[k], len(disk.class_names)),
    }


def _pack_regions(raster):
    return {"size": raster.shape[0], "regions": _encode(rasters.fill(raster), np.uint8)}


def confusion(truth, predicted, n_classes):
    """Counts of held-out rows by true (first index) and predicted class; -1 is not counted.

    Examples
    --------
    >>> confusion(np.array([0, 0, 1]), np.array([0, 1, -1]), 2)
    [[1, 1], [0, 0]]
    """
    counts = np.zeros((n_classes, n_classes), dtype=int)
    used = predicted >= 0
    np.add.at(counts, (truth[used], predicted[used]), 1)
    return counts.tolist()


def _encode(array, dtype):
    raw = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<")).tobytes()
    return base64.b64encode(zlib.compress(raw, 9)).decode("ascii")
