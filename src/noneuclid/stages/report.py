"""Stage report: the page, its figures and its tables."""

import argparse
import json
from pathlib import Path

import pandas as pd

from noneuclid import io
from noneuclid.contracts import Disk, Embedded, Split
from noneuclid.reporting import figures, page, standings, sweeps, tables
from noneuclid.stages.launch import launch


def main(argv=None):
    """Parse the arguments, read everything the page shows, write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="JSON, see evaluate")
    parser.add_argument("--metric", required=True, help="ranks the methods")
    parser.add_argument("--title", required=True)
    parser.add_argument("--codes", type=json.loads, required=True, help="JSON: method to digest")
    parser.add_argument("--sweep", type=json.loads, help="JSON: arguments of sweeps.draw")
    parser.add_argument("--study", type=Path, nargs="*", help="table of tests, then figures")
    parser.add_argument("--pairs", type=Path, nargs="?", help="JSON of paired_tests")
    parser.add_argument("--gaps", type=Path, nargs="*", help="table of certificates, then figures")
    parser.add_argument("--published", type=Path, nargs="*", help="section of published, figure")
    parser.add_argument("--note", default="", help="a sentence under the title")
    parser.add_argument("--illustrations", nargs="*", default=[], help="names of sections")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True, help="folder")
    args = parser.parse_args(argv)

    results, metric = args.results, args.metric
    scores = pd.read_parquet(results / "evaluate/scores.parquet")
    runs = io.read_json(results / "evaluate/runs.json")
    for run in runs:
        run["current_digest"] = args.codes[run["method"]]
    pairs = io.read_json(args.plan)["drawn"]
    disks = [io.read_record(results / f"draw/{d}/{e}.npz", Disk) for d, e in pairs]
    classes = {run["method"]: run["class"] for run in runs}
    drawn = {
        "league": standings.draw_league(scores, metric, classes),
        "accuracy_time": standings.draw_accuracy_time(scores, metric, classes),
    }
    if args.sweep:
        drawn["sweep"] = sweeps.draw(scores, metric, **args.sweep)
    for name, figure in drawn.items():
        for format in figures.FORMATS:
            content = figures.to_bytes(figure, format)
            io.write_bytes(args.output / f"figures/{name}.{format}", content)
    io.write_text(args.output / "tables/league.tsv", tables.to_tsv(tables.league(scores, metric)))
    by_dataset = tables.to_tsv(tables.summarise(scores, metric))
    io.write_text(args.output / "tables/scores_by_dataset.tsv", by_dataset)
    io.write_text(args.output / "tables/league.tex", tables.to_latex(scores, metric))
    html = page.render(
        scores,
        runs,
        [card(results, dataset, embedding) for dataset, embedding in pairs],
        disks,
        {name: figures.to_bytes(figure, "svg") for name, figure in drawn.items()},
        texts={"sweep": sweeps.caption(**args.sweep)} if args.sweep else {},
        title=args.title,
        note=args.note,
        metric=metric,
        study=read_shown(*args.study) if args.study else None,
        pairs=io.read_json(args.pairs) if args.pairs else None,
        certificates=read_shown(*args.gaps) if args.gaps else None,
        published=read_published(*args.published) if args.published else None,
        illustrations=[read_illustration(results, name) for name in args.illustrations],
    )
    io.write_text(args.output / "index.html", html)


def read_shown(table, *pictures):
    """Table of a study or of certificates, and its figures by name."""
    # A class may be called "NA" or "01".
    content = pd.read_csv(
        table, sep="\t", keep_default_na=False, na_values=[""], dtype={"problem": str}
    )
    return content, {path.stem: path.read_bytes() for path in pictures}


def read_published(section, picture):
    """Section of the stage published, and its figure by name."""
    return io.read_json(section), {picture.stem: picture.read_bytes()}


def read_illustration(results, name):
    """Name, texts and figures of a section that the stage illustrate wrote."""
    texts, folder = io.read_json(results / f"illustrate/{name}.json"), results / "report/figures"
    names = [figure["name"] for figure in texts["figures"]]
    return name, texts, {one: (folder / name / f"{one}.svg").read_bytes() for one in names}


def card(results, dataset, embedding):
    """What the page says of one embedded data set and of its folds."""
    embedded = io.read_record(results / f"embed/{dataset}/{embedding}.npz", Embedded)
    split = io.read_record(results / f"split/{dataset}/0.npz", Split)
    about = embedded.about["dataset"]
    # A file keeps them by name, but the colours go by code.
    classes = {name: about["classes"][name] for name in embedded.class_names}
    return embedded.about | {
        "dataset": about | {"classes": classes},
        "chart": embedded.chart,
        "curvature": embedded.curvature,
        "dimension": embedded.dimension,
        "split": split.about,
    }


if __name__ == "__main__":
    launch(main)
