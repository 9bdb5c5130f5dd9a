"""Stage report: the page, its figures and its tables."""

import argparse
import json
from pathlib import Path

from noneuclid_compare import io
from noneuclid_compare.evaluation import metrics
from noneuclid_compare.records import ORIGINAL, Disk, Predictions, Split
from noneuclid_compare.report import page, section_list
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.report.run import Run
from noneuclid_compare.stages.launch import launch

BINS = 10  # of the calibration shown; the calibration error has its own


def main(argv=None):
    """Parse the arguments, read the run, let each section write its files, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="JSON, see evaluate")
    parser.add_argument("--metric", required=True, help="ranks the methods")
    parser.add_argument("--title", required=True)
    parser.add_argument("--codes", type=json.loads, required=True, help="JSON: method to digest")
    parser.add_argument("--note", default="", help="a sentence under the title")
    parser.add_argument(
        "--entries", type=json.loads, required=True, help="JSON, see section_list.entries"
    )
    parser.add_argument("--results", type=Path, required=True)
    args = parser.parse_args(argv)

    run, folder = read_run(args), args.results / "report"
    page_figures.write_figures("report", run.inputs, folder / "figures")
    for section in section_list.on_page(run.entries):
        for name, text in section.tables(run).items():
            io.write_text(folder / f"tables/{name}", text)
    io.write_text(folder / "index.html", page.render(run))


def read_run(args):
    """What all sections may read."""
    results = args.results
    runs = io.read_json(results / "evaluate/runs.json")
    for run in runs:
        run["current_digest"] = args.codes[run["method"]]
    plan = io.read_json(args.plan)
    pairs = plan["drawn"]
    disks = [io.read_record(results / f"draw/{d}/{e}.npz", Disk) for d, e in pairs]
    repeats, groups = 1 + max(run["repeat"] for run in runs), args.entries["data"]["groups"]
    scores = io.read_table(results / "evaluate/scores.parquet")
    plain = scores["embedding"] == ORIGINAL
    return Run(
        scores=scores[~plain].reset_index(drop=True),
        baselines=scores[plain].reset_index(drop=True),
        runs=runs,
        cards=[card(results, *pair, repeats) | {"group": groups.get(pair[0])} for pair in pairs],
        disks=disks,
        facts=[
            facts(results, dataset, embedding) | {"group": groups.get(dataset)}
            for dataset, embedding, _ in plan["pairs"]
            if embedding != ORIGINAL
        ],
        results=results,
        metric=args.metric,
        title=args.title,
        note=args.note,
        entries=args.entries,
        reliabilities=read_reliabilities(results, disks),
    )


def read_reliabilities(results, disks):
    """Reliability bins of each method with probabilities on each drawn pair, first repeat."""
    found = {}
    for disk in disks:
        for method in disk.methods:
            key = disk.dataset, disk.embedding, method
            path = results.joinpath("train", *key, "0.npz")
            predictions = io.read_record(path, Predictions)
            if predictions.probabilities is not None:
                bins = metrics.reliability(predictions.truth, predictions.probabilities, BINS)
                found[key] = [[float(value) for value in row] for row in zip(*bins, strict=True)]
    return found


def facts(results, dataset, embedding):
    """What tables of all embedded data sets need of one."""
    about = io.read_json(results / f"embed/{dataset}/{embedding}.json")
    return {key: about[key] for key in ("dataset", "embedding", "dimension")}


def card(results, dataset, embedding, repeats):
    """Entries of the page's card of one embedded data set and its folds."""
    about = io.read_json(results / f"embed/{dataset}/{embedding}.json")
    split = io.read_record(results / f"split/{dataset}/0.npz", Split)
    classes = {name: about["dataset"]["classes"][name] for name in about["class_names"]}
    return about | {
        "dataset": about["dataset"] | {"classes": classes},
        "split": split.about | {"folds": split.n_folds, "repeats": repeats},
    }


if __name__ == "__main__":
    launch(main)
