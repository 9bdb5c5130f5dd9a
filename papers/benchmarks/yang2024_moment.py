"""Gaps of the moment relaxation (14) of yang2024 on polbooks, by several solvers.

    NONEUCLID_MIRROR=FOLDER PYTHONPATH=benchmarks python papers/benchmarks/yang2024_moment.py
        [--folds 2]

(14) as published, order 2, without a bounded region: its infimum is that of a linear program, which
moments without limit approach, so that the stated value depends on where a solver stops.

ours      The form of this project, in units of its own, by Clarabel.
clarabel  The program in cvxpy as printed, by Clarabel with its own tolerances (1e-8).
scs       The same by SCS, tolerance 1e-4, at most 20,000 steps.

The first folds of the authors' program; binary problems one-vs-rest and one-vs-one. A line of
yang2024_moment.tsv has the mean over problems and folds of the gap as the program states it
(`released_gap`), the printed gap, how many problems a solver fails on, and the seconds of one.
"""

import argparse
import time
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid.classifiers import multiclass
from noneuclid.errors import InputError
from noneuclid.solvers.hyperboloid.relaxations import moment_relaxation
from noneuclid_compare.evaluation.splits import make_split
from noneuclid_papers.data import yang2024_points
from noneuclid_papers.programs.yang2024_relaxations import sparse_moments
from noneuclid_papers.programs.yang2024_solvers import released_gap
from noneuclid_papers.stages import published
from outputs import options_of, paper_file

ROOT = Path(__file__).parent.parent
NAME = "polbooks"
TABLES = {
    "ovr": {0.1: "table_5", 1.0: "table_6", 10.0: "table_7"},
    "ovo": {0.1: "table_8", 1.0: "table_9", 10.0: "table_10"},
}
SCS = {"eps": 1e-4, "max_iters": 20_000}


def ours(points, signs, C):
    """Value and normal of our form."""
    found = moment_relaxation.solve(points, signs, C, ball=False)
    return found.extras["relaxation"], found.w


def by_cvxpy(solver, **options):
    """The same of the printed program."""

    def solve(points, signs, C):
        found = sparse_moments(points, signs, C, solver=solver, **options)
        return found.value, found.w

    return solve


SOLVERS = {"ours": ours, "clarabel": by_cvxpy("CLARABEL"), "scs": by_cvxpy("SCS", **SCS)}


def gaps(data, split, folds, scheme, C, solve):
    """Gap of each problem, NaN where the solver fails."""
    for fold in range(folds):
        rows, _ = split.rows(fold)
        X, codes = data.features[rows], data.labels[rows]
        for part, signs in multiclass.binary_problems(codes, len(data.class_names), scheme):
            points, signs = X[part], signs.astype(float)
            try:
                value, w = solve(points, signs, C)
            except InputError:
                yield np.nan
                continue
            yield released_gap(w, points, signs, C, value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=2)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    folder = paper_file("hsvm-relax", NAME)
    files = {"points": folder / "X_lorentz.npy", "labels": folder / "y.npy"}
    data = yang2024_points.load(files, 0, name=NAME)
    rule = {"scheme": "stratified_kfold", "folds": 5, "small_classes": "keep", "random_state": 0}
    split = make_split(data.labels, data.class_names, 0, 0, **rule)
    printed = published.read_words(ROOT / "papers/printed/yang2024.tsv")
    printed = printed.set_index(["table", "dataset", "method", "metric"])["value"].to_dict()
    lines = []
    for scheme, C in product(TABLES, TABLES["ovr"]):
        for name, solve in SOLVERS.items():
            start = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = np.array([*gaps(data, split, options.folds, scheme, C, solve)])
            lines.append(
                {
                    "scheme": scheme, "C": C, "solver": name, "folds": options.folds,
                    "problems": len(found), "failed": int(np.isnan(found).sum()),
                    "gap": np.nanmean(found),
                    "printed": printed[TABLES[scheme][C], NAME, "Moment", "optimality_gap"],
                    "seconds": (time.process_time() - start) / len(found),
                }
            )  # fmt: skip
            table = pd.DataFrame(lines)
            print(table.tail(1).to_string(header=len(table) == 1), flush=True)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
