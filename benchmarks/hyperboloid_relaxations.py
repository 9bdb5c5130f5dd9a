"""Random roundings, moment relaxation and robust form against the certified optimum.

    NONEUCLID_MIRROR=FOLDER python benchmarks/hyperboloid_relaxations.py [PART ...]

Parts: roundings, moments, robust; all by default. Replaces the rows of these parts in
hyperboloid_relaxations.tsv, then the table of hyperboloid_svm.md. C = 10, problem (7).

roundings: all one-vs-rest problems of a data set of yang2024. 2,000 draws of N(w, W - w wᵀ) are
split into sets of 1, 10 and 100; the gap of a problem is the median over the sets (20 at most).
"other kinds" are the eigenvector, the columns and w. moments: classes of up to 10,000 rows;
`setting` has the rows that the last program contains. robust: the semidefinite relaxation with
margins against moves by 0.1 or 0.3 in each tangent coordinate.

Gaps are (objective - optimum) / optimum, with the median and the largest over the problems;
`proved` is the largest gap of a solution to the lower bound that its own solver proves.
`optimum_gap` is the largest gap that the certified optimum proves. Seconds are processor seconds of
one thread per problem, warmed up; run with OMP_NUM_THREADS=1.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from hyperboloid_svm import disk
from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.problem import objective
from noneuclid.solvers.hyperboloid.relaxations import moment_relaxation, sdp_relaxation
from outputs import paper_file

C = 10.0
TABLE = Path(__file__).with_name("hyperboloid_relaxations.tsv")
PAGE = Path(__file__).with_name("hyperboloid_svm.md")
BEGIN = "<!-- hyperboloid_relaxations.tsv -->"
END = "<!-- end of hyperboloid_relaxations.tsv -->"
COLUMNS = ("part", "data", "n", "d", "problems", "setting", "median_gap", "largest_gap")
COLUMNS += ("proved", "seconds", "optimum_gap", "optimum_s")
HEADS = ("", "data", "n", "d", "problems", "setting", "median gap", "largest gap", "proved")
HEADS += ("s", "optimum: gap", "s")
SETS = ("karate", "polbooks", "olsson", "krumsiek", "tree_2")
DRAWS, REPEATS = 2000, 20


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=["roundings", "moments", "robust", []])
    options = parser.parse_args()
    rows = read_rows() if TABLE.exists() else []
    warm_up()
    for part in options.parts or ["roundings", "moments", "robust"]:
        rows = [row for row in rows if row[0] != part]
        for row in globals()[part]():
            rows.append((part, *map(cell, row)))
            print(*rows[-1], sep="\t", flush=True)
        TABLE.write_text("\n".join("\t".join(row) for row in [COLUMNS, *rows]) + "\n")
        update_page(rows)


def read_rows():
    """Rows of the table as text."""
    return [tuple(line.split("\t")) for line in TABLE.read_text().splitlines()[1:]]


def cell(value):
    return f"{value:.2g}" if isinstance(value, float) else str(value)


def markdown(rows):
    """The rows as a table of the page."""
    lines = ["| " + " | ".join(HEADS) + " |", "|" + "---|" * len(HEADS)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def update_page(rows):
    head, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, tail = rest.partition(END)
    PAGE.write_text(f"{head}{BEGIN}\n\n{markdown(rows)}\n\n{END}{tail}")


def warm_up():
    points, signs = clouds(60, 2)
    for radius in (0.0, 0.1):
        global_optimum.solve(points, signs, C, radius=radius)
        sdp_relaxation.solve(points, signs, C, radius=radius)
    moment_relaxation.solve(points, signs, C)


def timed(solve, *arguments, **settings):
    """Solution and processor seconds."""
    start = time.process_time()
    return solve(*arguments, **settings), time.process_time() - start


def one_vs_rest(name):
    X = np.load(paper_file("hsvm-relax", name, "X_lorentz.npy")).astype(float)
    y = np.load(paper_file("hsvm-relax", name, "y.npy"))
    classes = np.unique(y)
    return [
        (X, np.where(y == k, 1.0, -1.0)) for k in (classes if len(classes) > 2 else classes[1:])
    ]


def one_vs_one(name, one, other):
    """Two classes of a data set of images."""
    (X, ahead), (_, behind) = (one_vs_rest(name)[k] for k in (one, other))
    kept = (ahead > 0) | (behind > 0)
    return X[kept], ahead[kept]


def clouds(n, d, share=0.5):
    """Two overlapping clouds; a share of the rows is positive."""
    rng = np.random.default_rng(0)
    signs = np.where(np.arange(n) < share * n, 1.0, -1.0)
    vectors = rng.normal(size=(n, d))
    vectors[:, 0] += signs
    return lorentz.from_spatial(vectors), signs


class Runs:
    """Gaps and seconds of a method and of the optimum, over the problems of a row."""

    def __init__(self):
        self.found = []

    def add(self, gap, proved, seconds, best, least):
        """Keep one problem; `best` and `least` are the certified optimum and its seconds."""
        self.found.append((max(0.0, gap), proved, seconds, best.gap, least))

    def row(self, name, problems, setting):
        """Cells of the table after the first."""
        gap, proved, seconds, certified, least = np.array(self.found).T
        n, size = problems[0][0].shape
        gaps = float(np.median(gap)), gap.max(), proved.max()
        rest = seconds.mean(), max(0.0, certified.max()), least.mean()
        return name, n, size - 1, len(problems), setting, *gaps, *rest


def roundings():
    for name in SETS:
        runs = {"other kinds": Runs(), "1 draw": Runs(), "10 draws": Runs(), "100 draws": Runs()}
        problems = one_vs_rest(name)
        for points, signs in problems:
            best, least = timed(global_optimum.solve, points, signs, C)
            drawn = []

            def values(candidates, rows, weights, data=(points, signs), kept=drawn):
                kept.append(np.array([objective(w, *data, C) for w in candidates]))
                return kept[0]

            sdp_relaxation.solve(points, signs, C, draws=DRAWS, compare=values)
            excess = drawn[0] / best.objective - 1.0
            random, others = excess[2 : DRAWS + 2], np.r_[excess[:2], excess[DRAWS + 2 :]]
            for k, run in zip((0, 1, 10, 100), runs.values(), strict=True):
                sets = random[: k * REPEATS].reshape(-1, k).min(axis=1) if k else others.min()
                fit, spent = timed(sdp_relaxation.solve, points, signs, C, draws=k)
                proved = 1.0 - fit.lower_bound / (best.objective * (1.0 + np.median(sets)))
                run.add(np.median(sets), proved, spent, best, least)
        for setting, run in runs.items():
            yield run.row(name, problems, setting)


def moments():
    kept, bounded = [], moment_relaxation.bounded

    def counted(rows, *rest):
        kept.append(len(rows))
        return bounded(rows, *rest)

    moment_relaxation.bounded = counted
    cases = {
        "clouds": clouds(20_000, 2),
        "clouds, 3 dimensions": clouds(20_000, 3),
        "clouds, 1 % positive": clouds(10_000, 2, 0.01),
        "disk": disk(20_000, 2),
        "cifar, classes 0 and 1": one_vs_one("cifar", 0, 1),
        "fashion-mnist, classes 0 and 6": one_vs_one("fashion-mnist", 0, 6),
        "fashion-mnist, classes 1 and 3": one_vs_one("fashion-mnist", 1, 3),
    }
    for name, problem in cases.items():
        kept.clear()
        run = Runs()
        best, least = timed(global_optimum.solve, *problem, C)
        fit, spent = timed(moment_relaxation.solve, *problem, C)
        run.add(fit.objective / best.objective - 1.0, fit.gap, spent, best, least)
        setting = f"{kept[-1]} rows in the program" if kept else "no bounded region"
        yield run.row(name, [problem], setting)


def robust():
    cases = {"clouds": [clouds(1000, 2)], "clouds, 5 dimensions": [clouds(1000, 5)]}
    cases |= {"clouds, 10,000 rows": [clouds(10_000, 2)]}
    cases |= {name: one_vs_rest(name) for name in ("karate", "polbooks", "olsson", "krumsiek")}
    for name, problems in cases.items():
        for radius in (0.1, 0.3):
            run = Runs()
            for problem in problems:
                best, least = timed(global_optimum.solve, *problem, C, radius=radius)
                fit, spent = timed(sdp_relaxation.solve, *problem, C, radius=radius)
                run.add(fit.objective / best.objective - 1.0, fit.gap, spent, best, least)
            yield run.row(name, problems, f"sdp, radius {radius}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
