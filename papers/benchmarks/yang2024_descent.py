"""Gradient descent of yang2024 with each step of its program, on its points and folds.

    NONEUCLID_MIRROR=FOLDER PYTHONPATH=benchmarks python papers/benchmarks/yang2024_descent.py
        [--sets NAME ...]

src/models/soft.py of yangshengaa/hsvm-relax at 6c95b6a: the start is cut (line 378), a step that
leaves the feasible set goes back to 1e-6 inside of it (lines 435 to 451). Lines 106 to 109 give C
to the slacks from the second one on: the first training row does not count in the start. Settings:

program: `yang2024.ReleasedPGD(program_steps=True)`, all of this
counted: the same, but the first row counts
nearest: `yang2024.ReleasedPGD()`, the first row counts, and vectors go to the nearest feasible one

The program has 4,000 steps on all data (line 352), the paper states 2,000 on synthetic data.

One-vs-rest and one-vs-one; table 1 for synthetic data (C = 10), tables 5 to 10 for the others. For
each setting the table has the printed accuracy and weighted F1, ours, and the standard deviation of
the folds; with the setting `program`, and for synthetic data, also the least and the largest of ten
runs whose starts differ by 1e-13. Ten minutes of one core. Writes yang2024_descent.tsv.
"""

import argparse
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from noneuclid_compare.data.generators import lifted_gaussians
from noneuclid_papers.data import yang2024_points
from noneuclid_papers.programs import yang2024, yang2024_solvers
from noneuclid_papers.programs.yang2024_solvers import released_start
from outputs import options_of, paper_file
from yang2024_steps import SCORES

HERE = Path(__file__).parent
CS = (0.1, 1, 10)
TABLES = {
    "ovr": dict(zip(CS, ("table_5", "table_6", "table_7"), strict=True)),
    "ovo": dict(zip(CS, ("table_8", "table_9", "table_10"), strict=True)),
}
SYNTHETIC = ["gaussian_1", "tree_1", "tree_2", "tree_3"]
SETS = ["football", "polbooks", "olsson", "krumsiek", "moignard", "myeloidprogenitors", "paul"]
SETTINGS = ("program", "counted", "nearest")
SHAKES, SHAKE = 10, 1e-13


def fitted_from(setting, rng=None):
    """The start of a setting, to be patched in; times 1 + 1e-13 z, z normal, with a generator."""

    def start(points, signs, C, costs=None):
        w = released_start(points, signs, C, None if setting == "counted" else costs)
        return w if rng is None else w * (1 + SHAKE * rng.normal(size=len(w)))

    return patch.object(yang2024_solvers, "released_start", start)


def load(name):
    """Points and the seed of the folds."""
    if name == "gaussian_1":
        mixture = {"n_classes": 2, "n_samples_per_class": 100, "scale": 1.0, "released_seed": 2}
        return lifted_gaussians.load({}, 0, **mixture), 2
    folder = paper_file("hsvm-relax", name)
    files = {"points": folder / "X_lorentz.npy", "labels": folder / "y.npy"}
    return yang2024_points.load(files, 0, name=name), 0


def scores(data, seed, model):
    """Each score in each fold."""
    X, y = data.features, data.labels
    found = {name: [] for name in SCORES}
    for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y):
        labels = model.fit(X[train], y[train]).predict(X[test])
        for name, score in SCORES.items():
            found[name].append(score(y[test], labels))
    return found


def ends(values):
    """The least and the largest of the shaken scores, if there are any."""
    return {"shaken_low": min(values), "shaken_high": max(values)} if values else {}


def runs(name):
    """Scheme, C, table and steps of each row of the paper with this data set."""
    if name in SYNTHETIC:
        return [("ovr", 10, "table_1", steps) for steps in (2000, 4000)]
    return [
        (scheme, C, table, 4000) for scheme, tables in TABLES.items() for C, table in tables.items()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=[*SYNTHETIC, *SETS])
    options = options_of(parser, HERE / "yang2024_descent.tsv")
    path = HERE.parent / "printed/yang2024.tsv"
    printed = pd.read_csv(path, sep="\t", dtype=str).query("method == 'PGD'")
    printed = printed.set_index(["table", "dataset", "metric"])
    found = []
    for name in options.sets:
        data, seed = load(name)
        for scheme, C, table, steps in runs(name):
            params = {"C": C, "max_iter": steps, "multi_class": scheme}
            for setting in SETTINGS:
                model = yang2024.ReleasedPGD(
                    program_steps=setting != "nearest",
                    chart=data.chart, calibration="platt", **params,
                )  # fmt: skip
                with fitted_from(setting):
                    values_of = scores(data, seed, model)
                shaken = []
                shake = setting == "program" or name in SYNTHETIC
                for k in range(SHAKES if shake else 0):
                    with fitted_from(setting, np.random.default_rng(k)):
                        shaken.append(scores(data, seed, model))
                for metric, values in values_of.items():
                    row = printed.loc[(table, name.replace("_", " "), metric)].iloc[0]
                    found.append({
                        "table": table, "dataset": name, "scheme": scheme, "C": C,
                        "metric": metric, "steps": steps, "setting": setting,
                        "printed": row["value"], "printed_sd": row["error"],
                        "ours": np.mean(values), "sd": np.std(values),
                        **ends([np.mean(found_again[metric]) for found_again in shaken]),
                    })  # fmt: skip
                    print(*found[-1].values(), flush=True)
    if options.output:
        pd.DataFrame(found).to_csv(options.output, sep="\t", index=False, float_format="%.7g")


if __name__ == "__main__":
    main()
