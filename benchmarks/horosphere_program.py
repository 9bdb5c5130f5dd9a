"""HoroDT and HoroRF of chlenski2024, table 1, by the authors' program on the paper's points.

    python benchmarks/horosphere_program.py --program FOLDER [--cells 2:100 ...] [--methods HoroRF]

FOLDER is a checkout of LarsDoorenbos/HoroRF at 4e26cbc. It needs torch and pymanopt, which
noneuclid does not (HoroDT with torch 1.13 and NumPy 1.26, HoroRF with torch 2.14 and NumPy 2.4;
pymanopt 2.2.1, one thread). Points, folds
and bootstrap samples are those of chlenski2024 (`chlenski2024_released`), trees of depth 3, 12 in a
forest; all other settings are those of the repository's params.yml. The program draws random
starts and ideal points; its seed is the number of the mixture.

given  The program on the points in the Poincaré ball.
twice  The program on what horoRF_dataloaders/gaussian.py of chlenski2024 gives it: the points,
       converted a second time.
ours   HorosphereDecisionTreeClassifier or HorosphereForestClassifier on the points.

A line has the mean micro-F1 over ten mixtures on test rows and on training rows, its standard error
over mixtures, the share of splits that are random ideal points since no margin split the node,
the processor seconds of a tree, and the mean difference from ours in each mixture, with its
standard error. Lines are added to the file.
"""

import argparse
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.utils import resample

from chlenski2024_released import DEPTH, NUMBERS, ROOT, TREES, converted_twice, mixture
from noneuclid import HorosphereDecisionTreeClassifier, HorosphereForestClassifier
from noneuclid_papers.stages import published as stage

CELLS = ["2:100", "2:200", "2:400", "2:800", "8:100", "16:100"]
# params.yml of the repository; depth of chlenski2024.
SETTINGS = {
    "Cexp_min": -3, "Cexp_max": 5, "hyperclasses": True, "beta": 0.9, "number_of_backup_points": 5,
    "radius_search": "exhaustive", "subsample_size": 1, "criterion": "gini", "max_depth": DEPTH,
    "min_samples_leaf": 1, "min_impurity_decrease": 0.0,
}  # fmt: skip
NAMES = {"HoroDT": [HorosphereDecisionTreeClassifier, {}]}
NAMES["HoroRF"] = [HorosphereForestClassifier, {"n_estimators": TREES}]


class Program:
    """The authors' program."""

    def __init__(self, folder):
        sys.path.insert(0, str(folder))
        import torch
        from hororf import node

        torch.set_num_threads(1)
        self.torch, self.node, self.splits = torch, node, []
        search = node.Node.find_best_point_with_horosvm

        def noted(node, *arguments):
            """The program's search, which notes whether a margin splits the node."""
            found = search(node, *arguments)
            self.splits.append(found[0] is not None)
            return found

        node.Node.find_best_point_with_horosvm = noted

    def seed(self, number):
        """Seed both generators that the program uses."""
        np.random.seed(number)  # noqa: NPY002
        self.torch.manual_seed(number)

    def support(self, z, y, samples):
        """Sum over the trees of the share of the class of each row's leaf: (n, 2)."""
        rows = self.torch.as_tensor(z)
        total = np.zeros((len(z), 2))
        for sample in samples:
            tree = self.node.Node(rows[sample], y[sample][:, None], 0, SETTINGS)
            tree.grow()
            for place, row in enumerate(rows):
                label, share = tree.predict(row)
                total[place, int(label)] += share
        return total


def samples_of(method, train, number):
    """Rows of each tree."""
    if method == "HoroDT":
        return [train]
    return [resample(train, random_state=number + k) for k in range(TREES)]


def by_program(program, method, z, y, folds, number):
    """Means over folds: test and training F1, share of random splits, seconds of a tree."""
    program.seed(number)
    program.splits.clear()
    start, found = time.process_time(), []
    for train, test in folds:
        support = program.support(z, y, samples_of(method, train, number))
        right = np.argmax(support, axis=1) == y
        found.append((right[test].mean(), right[train].mean()))
    trees = len(folds) * (1 if method == "HoroDT" else TREES)
    seconds = (time.process_time() - start) / trees
    return *np.mean(found, axis=0), 1 - np.mean(program.splits), seconds


def by_ours(method, X, y, folds, number):
    """The same of ours."""
    kind, settings = NAMES[method]
    model = kind(max_depth=DEPTH, chart="hyperboloid", random_state=number, **settings)
    start, found = time.process_time(), []
    for train, test in folds:
        right = model.fit(X[train], y[train]).predict(X) == y
        found.append((right[test].mean(), right[train].mean()))
    trees = len(folds) * (1 if method == "HoroDT" else TREES)
    return *np.mean(found, axis=0), np.nan, (time.process_time() - start) / trees


def lines(program, method, d, n, printed):
    """A line for each of given, twice, ours."""
    rows = []
    for number in NUMBERS:
        X, y, folds, _ = mixture(d, n, number)
        ball = X[:, 1:] / (1 + X[:, :1])
        for points, z in (("given", ball), ("twice", converted_twice(X))):
            rows.append((points, number, *by_program(program, method, z, y, folds, number)))
        rows.append(("ours", number, *by_ours(method, X, y, folds, number)))
        mixture.cache_clear()
    names = ["points", "number", "test_f1", "train_f1", "random_splits", "seconds_of_tree"]
    table = pd.DataFrame(rows, columns=names).set_index(["points", "number"])
    for points in ("given", "twice", "ours"):
        own = table.loc[points]
        less = table.loc["ours"]["test_f1"] - own["test_f1"]
        yield {
            "method": method, "dimension": d, "n": n, "points": points, "printed_f1": printed,
            "test_f1": own["test_f1"].mean(), "se": own["test_f1"].sem(),
            **own[["train_f1", "random_splits", "seconds_of_tree"]].mean(),
            "ours_less": less.mean(), "ours_less_se": less.sem(),
        }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--cells", nargs="+", default=CELLS, help="dimension:points")
    parser.add_argument("--methods", nargs="+", default=["HoroDT"], choices=sorted(NAMES),
                        help="HoroRF takes twelve times as long")  # fmt: skip
    parser.add_argument("--output", type=Path, default=Path(__file__).with_suffix(".tsv"))
    options = parser.parse_args()
    rows = stage.read_words(ROOT / "papers/printed/chlenski2024.tsv")
    rows = rows[(rows["dataset"] == "Gaussian") & (rows["table"] == "table_1")]
    printed = rows.set_index(["variant", "method"])["value"].to_dict()
    program = Program(options.program.resolve())
    for method, cell in product(options.methods, options.cells):
        d, n = map(int, cell.split(":"))
        known = float(printed[f"D{d}_n{n}", method]) / 100
        new = pd.DataFrame(lines(program, method, d, n, known))
        print(new.to_string(), flush=True)
        new.to_csv(options.output, sep="\t", index=False, float_format="%.6g",
                   mode="a", header=not options.output.exists())  # fmt: skip


if __name__ == "__main__":
    main()
