"""Stage illustrate: the figures of one section of the page, drawn by the function of its entry.

A figure that comes without a table gets one of what it draws.
"""

import argparse
import json
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

from noneuclid.errors import require
from noneuclid_compare import io
from noneuclid_compare.config import load_by_name, registry
from noneuclid_compare.records import ORIGINAL, Dataset, Embedded, Split
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.stages.launch import launch

COLUMNS = ["panel", "title", "series", "label", "kind", "colour", "x", "y", "z"]


def main(argv=None):
    """Parse the arguments, read what the entry names, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entry", type=json.loads, required=True, help="JSON: the configuration's")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--figures", type=Path, required=True, help="folder of the figures")
    parser.add_argument("--texts", type=Path, required=True, help="JSON of titles and captions")
    args = parser.parse_args(argv)

    entry, results = args.entry, args.results
    points = {
        name: io.read_record(results / f"embed/{name}.npz", Embedded)
        for name in entry.get("points", [])
    }
    models = {
        name: io.read_model(results / f"models/{name}.skops", trusted=["noneuclid."])
        for name in entry.get("models", [])
    }
    given = {}
    if "datasets" in entry:
        paths = {name: results / f"acquire/{name}.npz" for name in entry["datasets"]}
        given = {"datasets": {name: io.read_record(p, Dataset) for name, p in paths.items()}}
    if "fold" in entry:
        given["folds"] = {name: rows_of(results, name, entry["fold"]) for name in points}
    scores = None
    if entry.get("scores", False):
        scores = io.read_table(results / "evaluate/scores.parquet")
        scores = scores[scores["embedding"] != ORIGINAL].reset_index(drop=True)
    path = registry.path_of(entry["use"], "draw")
    drawn = load_by_name.call(path, points, models, scores, **given, **entry.get("params", {}))
    drawn = named(drawn, entry.get("figures", {}))
    texts = [write(args.figures, name, *shown) for name, shown in drawn.items()]
    module = sys.modules[load_by_name.load(path).__module__]
    head = {key: getattr(module, key.upper()) for key in ("title", "intro")}
    io.write_json(args.texts, head | {"figures": texts})


def rows_of(results, name, fold):
    """Training rows and held-out rows of one fold of the first repeat."""
    split = io.read_record(results / f"split/{Path(name).parent}/0.npz", Split)
    require(fold < split.n_folds, f"fold: {name} has {split.n_folds} folds, the first is 0")
    return split.rows(fold)


def named(drawn, names):
    """Rename figures to those of a paper, with which their captions then begin.

    Examples
    --------
    >>> named({"limit": (None, "A limit.")}, {"limit": "ours_figure_1"})
    {'ours_figure_1': (None, 'After ours, figure 1. A limit.')}
    """
    stray = sorted(set(names) - set(drawn))
    require(not stray, f"figures: no figure {', '.join(stray[:1])!r}; known: {', '.join(drawn)}")
    found = {}
    for name, (figure, caption, *data) in drawn.items():
        new = names.get(name, name)
        require(new not in found, f"figures: two have the name {new!r}")
        words = new.replace("_", ", ", 1).replace("_", " ")
        named_already = name == new or words in caption
        found[new] = figure, caption if named_already else f"After {words}. {caption}", *data
    return found


def write(folder, name, figure, caption, data=None):
    """Write a figure and its data; return their entry for the page."""
    contents = page_figures.write_figure(figure, folder / name)
    shown = tabulate_artists(figure) if data is None else data
    io.write_table(folder / f"{name}.tsv", shown)
    formats = [*contents, "tsv"]
    # The checksum makes another picture another file of texts, which is all the page waits for.
    checksum = sha256(contents["svg"]).hexdigest()
    return {"name": name, "text": caption, "formats": formats, "checksum": checksum}


def tabulate_artists(figure):
    """Points of every line, scatter and filled area of a figure, in the columns `COLUMNS`.

    `panel` and, within it, `series` count from 1; `kind` is line, markers or area; `z` is NaN in
    two dimensions. Lines across a whole panel, circles and surfaces are left out.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> _ = figure.subplots().plot([0, 1], [2, 3], label="a", color="red")
    >>> tabulate_artists(figure)[["series", "label", "kind", "colour", "x", "y"]].values.tolist()
    [[1, 'a', 'line', '#ff0000', 0.0, 2.0], [1, 'a', 'line', '#ff0000', 1.0, 3.0]]
    """
    parts = [pd.DataFrame(columns=COLUMNS)]
    for panel, ax in enumerate(figure.axes, start=1):
        found = [series for artist in ax.get_children() for series in _series(artist, ax)]
        for number, series in enumerate(found, start=1):
            place = {"panel": panel, "title": ax.get_title(), "series": number}
            parts.append(pd.DataFrame(place | series))
    return pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)[COLUMNS]


def _series(artist, ax):
    """One series as a list, an empty one for what draws no points of its own."""
    if artist in ax.lines and artist.get_transform() == ax.transData:
        flat = not hasattr(artist, "get_data_3d")
        points = artist.get_data(orig=False) if flat else artist.get_data_3d()
        kind, colour = _look(artist, len(points[0]))
    elif isinstance(artist, PathCollection):
        points, kind = artist.get_offsets().T, "markers"
        colour = [*artist.get_facecolor(), *artist.get_edgecolor(), (0, 0, 0)][0]
    elif isinstance(artist, Polygon) and artist in ax.patches:
        points, kind, colour = artist.get_xy().T, "area", artist.get_facecolor()
    else:
        return []
    label = str(artist.get_label())
    about = {"label": "" if label.startswith("_child") else label, "kind": kind}
    x, y, z = [*map(np.asarray, points), np.nan][:3]
    return [about | {"colour": to_hex(colour), "x": x, "y": y, "z": z}] if len(x) else []


def _look(artist, n):
    """Kind and colour of a line, of which one point shows the marker only."""
    if n > 1 and artist.get_linestyle() not in ("None", "", " "):
        return "line", artist.get_color()
    face = artist.get_markerfacecolor()
    return "markers", artist.get_markeredgecolor() if str(face) == "none" else face


if __name__ == "__main__":
    launch(main)
