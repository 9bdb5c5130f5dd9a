"""Stage report: the page, its figures and its tables."""

import argparse
import json
from pathlib import Path

from noneuclid.contracts import Disk, Embedded, Predictions, Split
from noneuclid.evaluation import metrics
from noneuclid.experiment import io
from noneuclid.reporting import page
from noneuclid.reporting.figures import disk_figures, league_figures, sweeps
from noneuclid.reporting.sections import advice, contrasts, scaling
from noneuclid.reporting.tables import exports, score_tables
from noneuclid.stages.launch import launch

BINS = 10  # of the calibration shown; the calibration error has its own


def main(argv=None):
    """Parse the arguments, read everything the page shows, write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="JSON, see evaluate")
    parser.add_argument("--metric", required=True, help="ranks the methods")
    parser.add_argument("--title", required=True)
    parser.add_argument("--codes", type=json.loads, required=True, help="JSON: method to digest")
    parser.add_argument("--groups", type=json.loads, default={}, help="JSON: data set to group")
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
    scores = io.read_table(results / "evaluate/scores.parquet")
    runs = io.read_json(results / "evaluate/runs.json")
    for run in runs:
        run["current_digest"] = args.codes[run["method"]]
    pairs = io.read_json(args.plan)["drawn"]
    disks = [io.read_record(results / f"draw/{d}/{e}.npz", Disk) for d, e in pairs]
    classes = {run["method"]: run["class"] for run in runs}
    repeats = 1 + max(run["repeat"] for run in runs)
    cards = [card(results, *pair, repeats) | {"group": args.groups.get(pair[0])} for pair in pairs]
    reliabilities = read_reliabilities(results, disks)
    drawn = draw(scores, metric, classes, cards, args.sweep)
    for name, (figure, shown) in drawn.items():
        for format in disk_figures.FORMATS:
            content = disk_figures.to_bytes(figure, format)
            io.write_bytes(args.output / f"figures/{name}.{format}", content)
        io.write_text(args.output / f"figures/{name}.tsv", score_tables.to_tsv(shown))
    for name, text in texts_of(scores, metric, classes, cards, disks, reliabilities).items():
        io.write_text(args.output / f"tables/{name}", text)
    html = page.render(
        scores,
        runs,
        cards,
        disks,
        {name: disk_figures.to_bytes(figure, "svg") for name, (figure, _) in drawn.items()},
        texts={"sweep": sweeps.caption(**args.sweep)} if args.sweep else {},
        title=args.title,
        note=args.note,
        metric=metric,
        study=read_shown(*args.study) if args.study else None,
        pairs=io.read_json(args.pairs) if args.pairs else None,
        certificates=read_shown(*args.gaps) if args.gaps else None,
        published=read_published(*args.published) if args.published else None,
        illustrations=[read_illustration(results, name) for name in args.illustrations],
        reliabilities=reliabilities,
    )
    io.write_text(args.output / "index.html", html)


def draw(scores, metric, classes, cards, sweep):
    """Figures of the league, each with the table that it shows."""
    drawn = {
        "league": (
            league_figures.draw_league(scores, metric, classes),
            league_figures.league_data(scores, metric),
        ),
        "accuracy_time": (
            league_figures.draw_accuracy_time(scores, metric, classes),
            league_figures.accuracy_time_data(scores, metric, classes),
        ),
        "scale": (scaling.draw(scores, cards), scaling.costs(scores, cards)),
    }
    if sweep:
        shown = {name: sweep[name] for name in ("pattern", "below") if name in sweep}
        drawn["sweep"] = (
            sweeps.draw(scores, metric, **sweep),
            sweeps.values(scores, metric, **shown),
        )
    return drawn


def texts_of(scores, metric, classes, cards, disks, reliabilities):
    """Tables that are saved beside the page, by file name."""
    summary = score_tables.summarise(scores, metric)
    verdict = contrasts.judge(scores, metric, classes)
    shown = {
        "tests": (contrasts.contrasts(verdict), exports.TESTS),
        "kinds": (advice.advise(scores, cards, metric, classes), exports.KINDS),
        "scale": (scaling.exponents(scaling.costs(scores, cards)), exports.SCALE),
    }
    return {
        "league.tsv": score_tables.to_tsv(score_tables.league(scores, metric)),
        "league.tex": score_tables.to_latex(scores, metric, classes=classes),
        "scores_by_dataset.tsv": score_tables.to_tsv(summary),
        "confusion.tsv": score_tables.to_tsv(exports.confusion(disks)),
        "calibration.tsv": score_tables.to_tsv(exports.calibration(reliabilities)),
        **{f"{name}.tsv": score_tables.to_tsv(table) for name, (table, _) in shown.items()},
        **{
            f"{name}.tex": exports.to_latex(table, caption, f"tab:{name}")
            for name, (table, caption) in shown.items()
        },
    }


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


def read_shown(table, *pictures):
    """Table of a study or of certificates, and its figures by name."""
    # A class may be called "NA" or "01".
    content = io.read_table(table, keep_default_na=False, na_values=[""], dtype={"problem": str})
    return content, {path.stem: io.read_svg(path) for path in pictures}


def read_published(section, picture):
    """Section of the stage published, and its figure by name."""
    return io.read_json(section), {picture.stem: io.read_svg(picture)}


def read_illustration(results, name):
    """Name, texts and figures of a section that the stage illustrate wrote."""
    texts, folder = io.read_json(results / f"illustrate/{name}.json"), results / "report/figures"
    names = [figure["name"] for figure in texts["figures"]]
    return name, texts, {one: io.read_svg(folder / name / f"{one}.svg") for one in names}


def card(results, dataset, embedding, repeats):
    """Entries of the page's card of one embedded data set and its folds."""
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
        "split": split.about | {"folds": split.n_folds, "repeats": repeats},
    }


if __name__ == "__main__":
    launch(main)
