"""Stage illustrate: the figures of one section of the page, drawn by the function of its entry."""

import argparse
import json
import sys
from hashlib import sha256
from pathlib import Path

from noneuclid.errors import require
from noneuclid_compare import io
from noneuclid_compare.config import load_by_name, registry
from noneuclid_compare.records import ORIGINAL, Dataset, Embedded, Split
from noneuclid_compare.report.figures import figure_data, page_figures
from noneuclid_compare.stages.launch import launch


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
    >>> named({"limit": (None, "A limit.")}, {"limit": "cho2019_figure_1"})
    {'cho2019_figure_1': (None, 'After cho2019, figure 1. A limit.')}
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
    shown = figure_data.tabulate_artists(figure) if data is None else data
    io.write_table(folder / f"{name}.tsv", shown)
    formats = [*contents, "tsv"]
    # The checksum makes another picture another file of texts, which is all the page waits for.
    checksum = sha256(contents["svg"]).hexdigest()
    return {"name": name, "text": caption, "formats": formats, "checksum": checksum}


if __name__ == "__main__":
    launch(main)
