"""Random candidates of the SDP of yang2024: ten states of the generator, on its points and folds.

    NONEUCLID_MIRROR=FOLDER PYTHONPATH=benchmarks python papers/benchmarks/yang2024_states.py
        [--sets NAME ...]

On data from files the program (yangshengaa/hsvm-relax, 6c95b6a) draws ten candidates without a seed
(src/models/soft.py, line 315), so that each of its runs has other ones. Here candidates inside the
light cone are left out, as in the program, and each relaxation is solved once for all states.

One-vs-rest and one-vs-one, tables 5 to 10. For each of accuracy, weighted F1 and the program's gap
the table has the printed mean over the folds, and the least, the mean and the largest of ours over
the states. Three minutes of one core. Writes yang2024_states.tsv. Clarabel does not reach its
tolerance in a few problems one-vs-one; these warnings are not shown.
"""

import argparse
import warnings
from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from noneuclid.solvers.conic import programs
from noneuclid_papers.data import yang2024_points
from noneuclid_papers.programs.yang2024 import ReleasedSDP
from noneuclid_papers.stages import published
from outputs import options_of, paper_file
from yang2024_descent import CS, SETS, TABLES
from yang2024_steps import SCORES

HERE = Path(__file__).parent
STATES = range(10)
ENDS = {"low": "min", "mean": "mean", "high": "max"}


def solved_once():
    """`programs.solve`, which solves each program only once."""
    real, known = programs.solve, {}

    def solve(P, q, A, b, cones, **options):
        key = q.tobytes(), A.data.tobytes(), b.tobytes()
        if key not in known:
            known[key] = real(P, q, A, b, cones, **options)
        return known[key]

    return patch.object(programs, "solve", solve)


def means(X, y, settings):
    """Mean of each score and of the gap over the folds, one row for each state."""
    rows = []
    folds = StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)
    for fold, (train, test) in enumerate(folds):
        with solved_once():
            for state in STATES:
                seed = 5 * state + fold  # other draws in each fold
                model = ReleasedSDP(**settings, random_state=seed).fit(X[train], y[train])
                labels = model.predict(X[test])
                found = {name: score(y[test], labels) for name, score in SCORES.items()}
                rows.append({"state": state, **found, "optimality_gap": np.mean(model.eta_)})
    return pd.DataFrame(rows).groupby("state").mean()


def main():
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    words = "data sets (default: all; a part is printed, and not written)"
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, help=words)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    warnings.simplefilter("ignore")
    kept = published.read_words(HERE.parent / "printed/yang2024.tsv")
    kept = kept[kept["method"] == "SDP"].set_index(["table", "dataset", "metric"])["value"]
    rows = []
    for name, scheme, C in product(options.sets, TABLES, CS):
        folder = paper_file("hsvm-relax", name)
        files = {"points": folder / "X_lorentz.npy", "labels": folder / "y.npy"}
        data = yang2024_points.load(files, 0, name=name)
        settings = {"chart": data.chart, "calibration": "platt", "multi_class": scheme, "C": C}
        found = means(data.features, data.labels, settings | {"left_out": True})
        for metric, column in found.items():
            printed = kept[TABLES[scheme][C], name, metric]
            printed = float(printed) / (100 if metric == "accuracy" else 1)
            ends = {end: float(column.agg(f)) for end, f in ENDS.items()}
            cell = {"table": TABLES[scheme][C], "dataset": name, "metric": metric}
            rows.append({**cell, "printed": printed, **ends})
            print(rows[-1], flush=True)
    if options.output:
        table = pd.DataFrame(rows)
        table.to_csv(options.output, sep="\t", index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
