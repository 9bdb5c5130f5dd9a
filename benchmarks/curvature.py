"""Does curvature improve accuracy? From finished runs to tables and a section of the findings.

    python benchmarks/curvature.py keep league FOLDER    # FOLDER/results of config/league.yaml
    python benchmarks/curvature.py keep routes FOLDER    # FOLDER/results of config/curvature.yaml
    python benchmarks/curvature.py write                 # the section of docs/findings.md

Give --commit of the checkout that made a run, if it is not this one.

curvature_league.tsv  Means over folds of each data set, embedding and method.
curvature_routes.tsv  Means over folds of each route (see reporting/tables/route_rows.py) on each
                      data set, by dimension and labels, beside the best flat route (`reference`)
                      on the same folds.
curvature_isometries.tsv  Scores of each method after random isometries, less those before (see
                      reporting/tables/isometry_rows.py).
curvature_runs.tsv    Commit, date and machine of both.

All tests are over data sets: embeddings and dimensions of a data set are averaged first. Every
number and every verdict of the section is computed from these tables; tests/docs/test_curvature.py
compares the section with them.
"""

import argparse
import os
import platform
import subprocess
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from textwrap import fill

import numpy as np
import pandas as pd
import yaml

from noneuclid.evaluation import bayesian_signed_ranks, power
from noneuclid.evaluation.multiple_testing import holm
from noneuclid.evaluation.rank_tests import average_ranks, signed_ranks
from noneuclid.experiment import configuration, io, routes
from noneuclid.reporting.tables import isometry_rows, route_rows

ROOT = Path(__file__).resolve().parents[1]
FOLDER, PAGE = ROOT / "benchmarks", ROOT / "docs/findings.md"
HEAD = "## Does curvature improve accuracy?"
CONFIGS = {"league": "config/league.yaml", "routes": "config/curvature.yaml"}
METRIC, SCORES = "balanced_accuracy", ["balanced_accuracy", "log_loss", "calibration_error"]
# Each hyperbolic method and the flat method of its kind, on three charts.
PAIRS = {
    "hyperbolic_kernel_svm": "svm",
    "hyperbolic_logistic": "logistic",
    "hyperbolic_forest": "forest",
    "geodesic_knn": "knn",
    "wrapped_normal": "qda",
}
CHARTS = ["poincare", "klein", "tangent"]
FLOOR = ["majority"]
ROUTES = {
    "hyperbolic + hyperbolic": "hyperbolic embedding, hyperbolic classifier",
    "hyperbolic + flat": "hyperbolic embedding, flat classifier",
    "flat + hyperbolic": "flat embedding, hyperbolic classifier",
    "original + flat": "no embedding",
}
WORDS = {
    "dimension": "{}-d, all labels",
    "labels": "{} labels per class",
    "depth": "tree of depth {}",
}
EVERY_DIMENSION, EVERY_DEPTH = "mean over dimensions, all labels", "trees of all depths"
# Drawn by a generator; two sets of cells are simulated in the papers.
DRAWN = r"branching_|tree_\d|(\w+_)?mixture_|network_\d|myeloidprogenitors|ToggleSwitch"
REST = ("isometries", "runs")
ALPHA, WIDTH, SURE = 0.05, 0.01, 0.95
MOVED = ["method", "depends", "distance", "datasets", "before", "difference", "median", "low"]
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
    return isometry_rows.table(scores, moved, failed, METRIC, classes)[MOVED]


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


def compare(gaps):
    """Tests of differences over data sets, without correction."""
    gaps = np.asarray(gaps, dtype=float).round(9)
    better, equal, worse = bayesian_signed_ranks.probabilities(gaps, WIDTH)
    return {
        "n": len(gaps),
        "wins": int((gaps > 0).sum()),
        "losses": int((gaps < 0).sum()),
        "mean": gaps.mean(),
        "median": np.median(gaps),
        "p": signed_ranks(gaps),
        "better": better,
        "equal": equal,
        "worse": worse,
        "seen": power.minimal_difference(gaps) if len(gaps) > 1 else np.nan,
    }


def judged(rows):
    """A table of `compare` with p-values by Holm for all rows, and verdicts."""
    table = pd.DataFrame(rows)
    tested = 2.0 ** (1 - table["n"]) < ALPHA  # the least p that the test can give
    table.loc[~tested, ["p", "seen"]] = np.nan
    table["holm"] = np.nan
    table.loc[tested, "holm"] = holm(table.loc[tested, "p"])
    table["verdict"] = "open"
    enough = table["n"] >= route_rows.FEWEST
    for likely in ("equal", "better", "worse"):
        table.loc[enough & (table[likely] > SURE), "verdict"] = likely
    clear = table["holm"] < ALPHA
    table.loc[clear & (table["median"] > 0), "verdict"] = "higher"
    table.loc[clear & (table["median"] < 0), "verdict"] = "lower"
    return table


def pairs_of(table):
    """Hyperbolic methods against the flat method of their kind on each chart."""
    scores = table.pivot_table(METRIC, "dataset", "method")
    rows = []
    for (ours, flat), chart in product(PAIRS.items(), CHARTS):
        gaps = (scores[ours] - scores[f"{flat}_{chart}"]).dropna()
        rows.append({"first": ours, "second": f"{flat}_{chart}", **compare(gaps)})
    return judged(rows)


def cells_of(table):
    """Routes against the best flat one, in each dimension, number of labels and depth."""
    rows = []
    for route in ROUTES:
        pairs = table[table["route"] == route]
        for by, value, part in route_rows.columns(pairs):
            if by == "labels" and value == route_rows.FULL:
                continue  # those of the dimensions
            means = part.groupby("dataset")[["value", "reference"]].mean()
            found = compare(means["value"] - means["reference"])
            words = EVERY_DIMENSION if value == route_rows.EVERY else WORDS[by].format(value)
            rows.append({"first": route, "second": words, **found})
        trees = pairs[pairs["depth"].notna()]
        if trees["depth"].nunique() > 1:
            found = compare(trees["value"] - trees["reference"])
            rows.append({"first": route, "second": EVERY_DEPTH, **found})
    return judged(rows)


def points(value):
    """A difference in points, with its sign."""
    if not np.isfinite(value):
        return "–"
    text = f"{100 * value:+.1f}".replace("-", "−")
    return "0.0" if float(text[1:]) == 0.0 else text


def markdown(found, head):
    """The comparisons as a table."""
    lines = [
        f"| {head} | n | higher, lower | mean | median | p (Holm) | P(better), P(equal), P(worse) "
        "| could be seen |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in found.itertuples():
        shares = ", ".join(f"{one:.2f}" for one in (row.better, row.equal, row.worse))
        shares = shares if row.n >= route_rows.FEWEST else "–"
        chance = f"{row.holm:.2g}" if np.isfinite(row.holm) else "–"
        seen = f"{100 * row.seen:.1f}" if np.isfinite(row.seen) else "–"
        lines.append(
            f"| {row.name} | {row.n} | {row.wins}, {row.losses} | {points(row.mean)} "
            f"| {points(row.median)} | {chance} | {shares} | {seen} |"
        )
    return "\n".join(lines)


def verdicts(found, what):
    """One sentence with the outcome of every comparison of a table."""
    parts = []
    for verdict, text in (
        ("higher", "significantly higher in {}"),
        ("lower", "significantly lower in {}"),
        ("equal", "practically equal, with a probability above 95 %, in {}"),
        ("better", "higher by more than one point with a probability above 95 %, in {}"),
        ("worse", "lower by more than one point with a probability above 95 %, in {}"),
        ("open", "undecided in {}"),
    ):
        names = found.loc[found["verdict"] == verdict, "name"].tolist()
        if names:
            listed = "" if verdict in ("equal", "open") else f" ({'; '.join(names)})"
            parts.append(text.format(len(names)) + listed)
    return f"{what} {len(found)} comparisons: " + ", ".join(parts) + "."


def standing(table):
    """Mean scores and average rank of each method, best mean first."""
    wide = {name: table.pivot_table(name, "dataset", "method", dropna=False) for name in SCORES}
    whole = wide[METRIC].dropna(axis=1)
    ranks = pd.Series(average_ranks(whole), index=whole.columns)
    means = pd.DataFrame({name: part.mean() for name, part in wide.items()})
    means["rank"] = ranks
    return means.sort_values(METRIC, ascending=False)


def moved_sentences(moved):
    """Which methods depend on isometries, and by how much at the largest distance."""
    far = moved[moved["distance"] == moved["distance"].max()].set_index("method")
    sizes = " and ".join(f"{one:g}" for one in sorted(moved["distance"].unique()))
    same = far.index[far["depends"].isin([isometry_rows.NO, isometry_rows.NEARLY])]
    parts = [
        f"All points were moved by random isometries of distances {sizes}, which change no "
        "hyperbolic distance, and each method was fitted again with the settings chosen before. "
        "Part of a loss may thus be due to settings, such as the width of a kernel, that no longer "
        f"suit the coordinates. The score of {len(same)} of {len(far)} methods is the same within "
        f"0.1 points: {', '.join(sorted(same))}."
    ]
    for depends, words in (
        (isometry_rows.YES, "changes significantly"),
        (isometry_rows.OPEN, "changes by an amount that the test does not show"),
        (isometry_rows.FAILS, "is missing in some folds, because the method fails there"),
    ):
        found = far[far["depends"] == depends].sort_values("difference")
        names = [f"{name} {points(gap)}" for name, gap in found["difference"].items()]
        if names:
            parts.append(
                f"At distance {far['distance'].iloc[0]:g} the score of {len(names)} {words} "
                f"(mean change in points): {', '.join(names)}."
            )
    return " ".join(parts)


def is_flat(method):
    """Whether a method of the league reads coordinates of a chart as plain numbers."""
    return method.endswith(tuple(f"_{chart}" for chart in CHARTS))


def leader_sentences(table, where):
    """The method with the highest mean against all others and the best of the other kind."""
    order = standing(table).drop(index=FLOOR, errors="ignore")
    scores = table.pivot_table(METRIC, "dataset", "method")[order.index].dropna(axis=1)
    leader, *others = scores.columns
    found = judged(
        [{"second": one, **compare(scores[leader] - scores[one])} for one in others]
    ).set_index("second")
    kind = "flat" if is_flat(leader) else "hyperbolic"
    best = next(one for one in others if is_flat(one) != is_flat(leader))
    row = found.loc[best]
    other = "hyperbolic" if kind == "flat" else "flat"
    chances = " / ".join(f"{row[one]:.2f}" for one in ("better", "equal", "worse"))
    return (
        f"On {where} `{leader}`, a {kind} method, has the highest mean. It is significantly higher "
        f"than {(found['verdict'] == 'higher').sum()} of {len(found)} other methods (Wilcoxon's "
        f"test with Holm's correction). Compared with `{best}`, the {other} method with the "
        f"highest mean, the difference is {points(row['mean'])} points on average and "
        f"{points(row['median'])} in the median ({row['wins']} data sets higher, {row['losses']} "
        f"lower; p = {row['holm']:.2g}; probability that it is above 1 point / less than 1 point / "
        f"below −1 point: {chances})."
    )


def drawn(table):
    """Whether each row is of a data set that is simulated."""
    return table["dataset"].str.fullmatch(f"(?:{DRAWN})\\w*")


def route_sentences(routed):
    """Tests of the routes with hyperbolic embeddings, and what they gain and lose."""
    cells = cells_of(routed)
    cells = cells[cells["first"].str.startswith("hyperbolic +")]
    tested = cells[cells["holm"].notna()]
    counts = tested["verdict"].value_counts()
    best = cells[cells["first"] == "hyperbolic + hyperbolic"].set_index("second")
    parts = [
        "From raw data to labels, routes with a hyperbolic embedding are significantly better than "
        f"the best flat route in {counts.get('higher', 0)} of {len(tested)} comparisons, and "
        f"significantly worse in {counts.get('lower', 0)}. Hyperbolic embeddings with hyperbolic "
        "classifiers differ"
    ]
    ends = {EVERY_DIMENSION: "with all labels, over all dimensions", EVERY_DEPTH: "on trees"}
    for second, words in ends.items():
        if second in best.index:
            row = best.loc[second]
            parts.append(
                f"by {points(row['mean'])} points on average and {points(row['median'])} in the "
                f"median {words} ({row['n']} data sets, {row['wins']} higher, {row['losses']} "
                f"lower; p = {row['holm']:.2g});"
            )
    return " ".join(parts).rstrip(";") + "."


def by_dimension(table):
    """Mean difference of each hyperbolic method to the best flat one of its kind, by dimension."""
    means = standing(table)[METRIC]
    sizes = sorted(table["dimension"].unique())
    lines = [
        "| pair | " + " | ".join(f"{size:g}-d" for size in sizes) + " |",
        "|---" * (1 + len(sizes)) + "|",
    ]
    rows = []
    for (ours, kind), size in product(PAIRS.items(), sizes):
        flat = means[[f"{kind}_{chart}" for chart in CHARTS]].idxmax()
        part = table[table["dimension"] == size].pivot_table(METRIC, "dataset", "method")
        name = f"{ours} less {flat}"
        rows.append({"name": name, **compare((part[ours] - part[flat]).dropna())})
    for name, part in judged(rows).groupby("name", sort=False):
        cells = [
            f"{points(row.mean)} ({row.wins}, {row.losses}){'*' * (row.holm < ALPHA)}"
            for row in part.itertuples()
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def section(table, routed, moved, runs):
    """The section of the findings."""
    about = "; ".join(
        f"`{row.configuration}`, commit {row.commit}, {row.date}, {row.machine}, {row.jobs} jobs"
        for row in runs.itertuples()
    )
    sets, measured = table["dataset"].nunique(), table[~drawn(table)]
    embedded = len(table[["dataset", "embedding"]].drop_duplicates())
    sizes = ", ".join(f"{size:g}" for size in sorted(table["dimension"].unique()))
    real = measured["dataset"].nunique()
    kinds = {f"all {sets} data sets": table, f"the {real} measured ones": measured}
    kinds = {words: part for words, part in kinds.items() if len(part)}
    answer = [leader_sentences(part, words) for words, part in kinds.items()]
    answer += [] if routed is None else [route_sentences(routed)]
    parts = [
        HEAD,
        f"**Answer.** {' '.join(answer)}",
        f"**From embedded points to labels.** {sets} data sets, {real} of them measured and the "
        f"others simulated, with {embedded} embeddings in {sizes} dimensions; embeddings of a data "
        "set are averaged first. Simulated data sets of one kind are draws of one generator, so "
        "that tests over all data sets say more about generators than about data. Mean balanced "
        "accuracy (%), average rank by it, and scores of probabilities; – marks methods without "
        "probabilities.",
        scores_of(standing(table)),
    ]
    for words, part in kinds.items():
        pairs = pairs_of(part)
        pairs["name"] = pairs["first"] + " against " + pairs["second"]
        parts += [
            verdicts(
                pairs,
                f"Hyperbolic against flat methods of the same kind on {words}, by "
                "Wilcoxon's test with Holm's correction over",
            ),
            markdown(pairs, "pair"),
        ]
    parts += [
        'Differences are in points. "Could be seen" is the difference that the test finds with '
        "80 % power before the correction. P: Bayesian signed-rank test with a region of practical "
        "equivalence of one point. QDA and k-NN take no class weights, and wrapped normals have "
        "equal priors, so that they have an advantage over QDA; `benchmarks/wrapped_normal.tsv` "
        "compares both with equal priors.",
        "By dimension: mean difference in points (data sets higher, lower) to the flat method of "
        "the same kind with the highest mean in the first table; * marks p < 0.05 by Wilcoxon's "
        "test with Holm's correction over this table.",
        by_dimension(table),
        f"**Isometries.** {moved_sentences(moved)}",
        *routes_parts(routed),
        f"Runs: {about}. Tables: `benchmarks/curvature_league.tsv`, `curvature_routes.tsv`, "
        "`curvature_isometries.tsv`, `curvature_runs.tsv`. `python benchmarks/curvature.py` writes "
        "this section.",
    ]
    wrapped = [part if part.startswith(("|", "#")) else fill(part, 120) for part in parts]
    return "\n\n".join(wrapped) + "\n"


def routes_parts(routed):
    """Paragraph and table of the routes; a sentence without them."""
    if routed is None:
        return [
            "**From raw data to labels.** Not measured: `config/curvature.yaml` was not run to its "
            "end."
        ]
    cells = cells_of(routed)
    cells["name"] = cells["first"].map(ROUTES) + ", " + cells["second"]
    parts = [
        "**From raw data to labels.** In each fold a search on training rows chooses embedding, "
        "classifier and settings within each route. Each data set has one random split for each "
        'number of labels; the test set has all other rows, with "all labels" 20 % of them. '
        + verdicts(
            cells,
            "Against the best flat embedding with a flat classifier, by the same tests (none for "
            "five trees of one depth, for which no p is below 0.05), over",
        ),
    ]
    for first, words in ROUTES.items():
        found = cells[cells["first"] == first]
        if len(found):
            parts.append(markdown(found.assign(name=found["second"]), words))
    return [
        *parts,
        "What the tables do not exclude. A data set with smaller classes than the number of labels "
        "is trained on half of each of them. Without an embedding, networks are the 16 leading "
        "eigenvectors of the normalised adjacency matrix. Embeddings and these eigenvectors see "
        "the test rows without their labels; other baselines do not. Candidates of a route are "
        "compared by their scores on inner folds, which are drawn for each; of equal ones the "
        "first in the configuration is chosen. Flat routes have more candidates: on features in "
        "the plane four embeddings, hyperbolic ones two. Hyperbolic classifiers on flat embeddings "
        "were not run.",
    ]


def scores_of(order):
    """`standing` as a table."""
    heads = "| method | mean | average rank | log loss | calibration error |"
    lines = [heads, "|---|---|---|---|---|"]
    for row in order.itertuples():
        known = (row.log_loss, row.calibration_error)
        texts = [f"{100 * row.balanced_accuracy:.1f}", f"{row.rank:.1f}"]
        texts += ["–" if one != one else f"{one:.3f}" for one in known]
        lines.append(" | ".join([f"| {row.Index}", *texts]) + " |")
    return "\n".join(lines)


def read(folder=FOLDER):
    """The four tables, those of the routes None before they are measured; None without a league."""
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


def replaced(page, text):
    """A page with another section under `HEAD`."""
    before, _, rest = page.partition(HEAD)
    after = rest.partition("\n## ")[2]
    return f"{before}{text}\n## {after}" if after else f"{before}{text}"


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
        PAGE.write_text(replaced(PAGE.read_text(), section(*read())))
