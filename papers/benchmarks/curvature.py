"""Does curvature improve accuracy? From finished runs to tables and two pages.

    python papers/benchmarks/curvature.py keep league FOLDER  # a run of papers/config/league.yaml
    python papers/benchmarks/curvature.py keep routes FOLDER  # of papers/config/curvature.yaml
    python papers/benchmarks/curvature.py write  # curvature.md here and in papers/docs

Give --commit of the checkout that made a run, if it is not this one.

curvature_league.tsv  Means over folds of each data set, embedding and method.
curvature_routes.tsv  Means over folds of each route (see noneuclid_papers.tables.route_rows) on
                      each data set, by dimension and labels, beside the best flat route
                      (`reference`) on the same folds.
curvature_isometries.tsv  Scores of each method after random isometries, less those before (see
                      curvature_moved.py).
curvature_runs.tsv    Commit, date and machine of both.
curvature_other_folds.tsv  Means over the embeddings of each data set in a run of the league at
                      commit 7e02c44, where each method had inner folds of its own.

All tests are over data sets: embeddings and dimensions of a data set are averaged first. Every
number and every verdict of the pages is computed from these tables; papers/tests/test_curvature.py
compares the pages with them.
"""

import argparse
import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import yaml

from curvature_moved import judged_moves
from curvature_page import draw, page
from curvature_section import section
from curvature_tests import METRIC, ROUTES, SCORES
from noneuclid_compare import io
from noneuclid_compare.config import configuration
from noneuclid_papers import routes
from noneuclid_papers.tables import route_rows

ROOT = Path(__file__).resolve().parents[2]
FOLDER, PAGE = ROOT / "papers/benchmarks", ROOT / "papers/docs/curvature.md"
ALL_TABLES = FOLDER / "curvature.md"
CONFIGS = {"league": "papers/config/league.yaml", "routes": "papers/config/curvature.yaml"}
REST = ("isometries", "runs", "other_folds")
MOVED = ["method", "depends", "distance", "datasets", "before", "difference", "low"]
MOVED += ["high", "p", "changed_rows", "rows", "worst_dataset", "worst_difference"]


def keep(name, folder, commit=None):
    """Write the table of a finished run, and where it comes from."""
    folder = folder / "results"
    scores = io.read_table(folder / "evaluate/scores.parquet")
    runs = io.read_json(folder / "evaluate/runs.json")
    config = configuration.expanded(yaml.safe_load((ROOT / CONFIGS[name]).read_text()))
    table = league(scores, runs) if name == "league" else routed(scores, runs, config)
    write_table(table, name)
    if name == "league":
        write_table(isometries(scores, folder / "evaluate", config), "isometries")
    done = datetime.fromtimestamp((folder / "evaluate/scores.parquet").stat().st_mtime, UTC)
    if commit is None:
        asked = ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]
        commit = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    row = {
        "run": name,
        "configuration": CONFIGS[name],
        "commit": commit,
        "date": f"{done:%Y-%m-%d}",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "jobs": len(runs),
    }
    path = FOLDER / "curvature_runs.tsv"
    known = pd.DataFrame([row])
    if path.exists():
        kept = pd.read_csv(path, sep="\t", dtype=str)
        known = pd.concat([kept[kept["run"] != name], known])
    known.sort_values("run").to_csv(path, sep="\t", index=False)


def write_table(table, name):
    """One of the kept tables."""
    table.to_csv(FOLDER / f"curvature_{name}.tsv", sep="\t", index=False, float_format="%.12g")


def isometries(scores, folder, config):
    """Scores after isometries less those before, by method and distance."""
    moved = io.read_table(folder / "isometries.parquet")
    failed = io.read_json(folder / "isometries.json")["failed"]
    classes = {name: method["use"] for name, method in config["methods"].items()}
    return judged_moves(scores, moved, failed, METRIC, classes)[MOVED]


def league(scores, runs):
    """Mean of each metric by data set, embedding and method."""
    sizes = {(run["dataset"], run["embedding"]): run["dimension"] for run in runs}
    part = scores[scores["metric"].isin(SCORES)]
    keys = ["dataset", "embedding", "method"]
    table = part.pivot_table("value", keys, "metric").reindex(columns=SCORES).reset_index()
    places = zip(table["dataset"], table["embedding"], strict=True)
    table.insert(2, "dimension", [sizes[place] for place in places])
    return table


def routed(scores, runs, config):
    """Mean score of each of `ROUTES`, and of the best flat one on the same folds."""
    entry = routes.entry(config)
    found = route_rows.candidates(runs, scores, METRIC, entry)
    reference = route_rows.chosen(route_rows.part_of(found, route_rows.REFERENCE))
    parts = []
    for route in route_rows.routes(entry)[: len(ROUTES)]:
        own = route_rows.chosen(route_rows.part_of(found, route))[["value"]]
        if route is route_rows.NONE:
            own = own.droplevel("dimension")
        pairs = (
            reference.rename(columns={"value": "reference"}).join(own, how="inner").reset_index()
        )
        parts.append(pairs.assign(route=route_rows.name_of(route)))
    keys = ["route", "dataset", "dimension", "labels", "depth"]
    table = pd.concat(parts).groupby(keys, dropna=False, sort=False)[["value", "reference"]]
    return table.mean().reset_index()


def read(folder=FOLDER):
    """The five tables, those of the routes None before they are measured; None without a league."""
    paths = {name: folder / f"curvature_{name}.tsv" for name in ("league", "routes", *REST)}
    if not paths["league"].exists():
        return None
    found = {
        name: pd.read_csv(path, sep="\t", dtype={"commit": str})
        for name, path in paths.items()
        if path.exists()
    }
    routed = found.get("routes")
    if routed is not None:
        sizes = routed["labels"]
        routed["labels"] = [one if one == route_rows.FULL else int(one) for one in sizes]
    return found["league"], routed, *(found[name] for name in REST)


def texts():
    """Both pages by path."""
    league, routed, moved, runs, other = read()
    costs = pd.read_csv(ROOT / "benchmarks/atlas_classifiers.tsv", sep="\t")
    return {
        PAGE: page(league, routed, moved, costs),
        ALL_TABLES: section(league, routed, moved, runs, other),
    }


def write():
    """Write the pages and the figure."""
    for path, text in texts().items():
        path.write_text(text)
    league, _, moved, _, _ = read()
    draw(league, moved, PAGE.with_suffix(".png"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=["keep", "write"])
    parser.add_argument("run", nargs="?", choices=list(CONFIGS))
    parser.add_argument("folder", nargs="?", type=Path, help="of the run")
    parser.add_argument("--commit", help="of the checkout that made the run")
    arguments = parser.parse_args()
    if arguments.task == "keep":
        keep(arguments.run, arguments.folder, arguments.commit)
    else:
        write()
