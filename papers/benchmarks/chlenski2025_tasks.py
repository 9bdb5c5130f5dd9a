"""Scores of several methods on the points of chlenski2025, paired by their split.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2025_tasks.py [--tasks polblogs mnist]
        [--methods forest knn] [--only-summary]

Needs the folder manify of the papers' data. Networks keep the authors' split, 80 % and 20 % of the
nodes. The other three have 1,000 training and 1,000 test rows, drawn from the authors' training and
test rows with the trial as the seed; the authors' draws have no seed. Points are put on their space
in float64. Labels of cora and citeseer are those of the nodes (`repaired`); as in the files
(`shipped`) for the printed signature H4 only. Test points of the networks were embedded with their
distances to training points, so all scores there are transductive.

`forest` and `tree` have the authors' settings, depth 5 and 12 trees; C of the support vector
machines is chosen in three inner folds.

chlenski2025_tasks.tsv has a line for each task, signature, trial, labels and method;
chlenski2025_summary.tsv the mean accuracy, the mean rank among the methods, and the mean difference
to `forest` of the same trials with a 95 % interval (t over trials; it takes them as independent,
though their test rows overlap). Signature `all`: over all trials of all signatures.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from noneuclid import (
    GeodesicKNeighborsClassifier,
    ProductDecisionTreeClassifier,
    ProductKernelSVC,
    ProductRandomForestClassifier,
    ProductSVC,
    WrappedNormalClassifier,
)
from noneuclid_papers.data.chlenski2025_points import SIGNATURES, VAE_SIGNATURES, Split, read_split
from outputs import options_of, paper_file

TABLE = Path(__file__).with_suffix(".tsv")
SUMMARY = TABLE.with_name("chlenski2025_summary.tsv")
REPAIRED, NETWORKS = ("cora", "citeseer"), ("cora", "citeseer", "polblogs")
TASKS = (*NETWORKS, *VAE_SIGNATURES)
ROWS = 1000  # of the other tasks
AGAINST = "forest"
DEPTH, TREES, SEED = 5, 12, 0
FOLDS = StratifiedKFold(3, shuffle=True, random_state=SEED)
GRID = (0.1, 1.0, 10.0, 100.0)
COLUMNS = ["task", "signature", "trial", "labels", "method", "accuracy", "seconds"]


def searched(model, name):
    """Search for C in the inner folds."""
    return GridSearchCV(model, {name: GRID}, cv=FOLDS)


# An estimator for a signature.
METHODS = {
    "tree": lambda _: DecisionTreeClassifier(max_depth=DEPTH, random_state=SEED),
    "forest": lambda _: RandomForestClassifier(TREES, max_depth=DEPTH, random_state=SEED),
    "forest, 100 trees": lambda _: RandomForestClassifier(100, random_state=SEED),
    "Gaussian SVC": lambda _: searched(make_pipeline(StandardScaler(), SVC()), "svc__C"),
    "knn": lambda _: KNeighborsClassifier(),
}
# Those of noneuclid on products.
FOREST = {"max_depth": DEPTH, "random_state": SEED}
METHODS |= {
    "product tree": lambda space: ProductDecisionTreeClassifier(space=space, **FOREST),
    "product forest": lambda space: ProductRandomForestClassifier(
        space=space, n_estimators=TREES, **FOREST
    ),
    "product forest, 100 trees": lambda space: ProductRandomForestClassifier(
        space=space, random_state=SEED
    ),
    "product kernel SVC": lambda space: ProductKernelSVC(space),
    "product kernel SVC, searched": lambda space: searched(ProductKernelSVC(space), "C"),
    "product SVC": lambda space: ProductSVC(space),
    "geodesic knn": lambda space: GeodesicKNeighborsClassifier(space=space),
    "wrapped normal": lambda space: WrappedNormalClassifier(space=space),
}


def cases(tasks):
    """Task, signature, trial, labels, and the function that reads the split."""
    for task in tasks:
        network = task in NETWORKS
        folder = paper_file("manify", "product_graphs" if network else "product_vae", task)
        for path in sorted(folder.glob("*.npz")):
            *short, trial = path.stem.split("_")
            signature = SIGNATURES[short[0]] if network else VAE_SIGNATURES[task]
            if not network:
                yield (
                    task,
                    signature,
                    int(trial),
                    "shipped",
                    lambda p=path, s=signature: drawn(p, s),
                )
                continue
            if task not in REPAIRED or short == ["H"]:
                yield (
                    task,
                    signature,
                    int(trial),
                    "shipped",
                    (lambda p=path, s=signature: read_split(p, s)),
                )
            if task in REPAIRED:
                graph = paper_file("manify", "graphs", task)
                files = {"graph": graph / f"{task}.edges", "labels": graph / f"{task}.node_labels"}
                yield (
                    task,
                    signature,
                    int(trial),
                    "repaired",
                    (lambda p=path, s=signature, f=files: read_split(p, s, f)),
                )


def drawn(path, signature):
    """1,000 training and 1,000 test rows."""
    split, draw = read_split(path, signature), np.random.default_rng(int(path.stem))
    train, test = (
        draw.choice(len(y), min(ROWS, len(y)), replace=False) for y in (split.y_train, split.y_test)
    )
    return Split(split.X_train[train], split.X_test[test], split.y_train[train], split.y_test[test])


def score(model, split):
    """Accuracy on the test rows, and seconds of fit and predict."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=ConvergenceWarning)
        accuracy = (
            model.fit(split.X_train, split.y_train).predict(split.X_test) == split.y_test
        ).mean()
    return accuracy, time.perf_counter() - start


def summary(table):
    """Mean accuracies, ranks, and differences to the forest of the same trial."""
    keys = ["task", "signature", "labels", "trial"]
    wide = table.pivot(index=keys, columns="method", values="accuracy").reset_index()
    whole = wide[(wide["labels"] == "repaired") | ~wide["task"].isin(REPAIRED)]
    whole = whole[whole["task"].isin(NETWORKS)].assign(signature="all")
    lines = []
    for key, part in pd.concat([wide, whole]).groupby(keys[:3], sort=False):
        scores = part.drop(columns=keys).dropna(axis=1)
        ranks = scores.rank(axis=1, ascending=False).mean()
        for method in scores:
            gap = scores[method] - scores[AGAINST]
            half = stats.t.ppf(0.975, len(gap) - 1) * stats.sem(gap) if len(gap) > 1 else np.nan
            numbers = 100 * scores[method].mean(), ranks[method], 100 * gap.mean()
            ends = (numbers[-1] - 100 * half, numbers[-1] + 100 * half)
            lines.append((*key, method, len(gap), *numbers, *ends))
    columns = [*keys[:3], "method", "trials", "accuracy", "rank", "difference", "low", "high"]
    return pd.DataFrame(lines, columns=columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), choices=TASKS)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--only-summary", action="store_true", help="of the table that is here")
    options = options_of(parser, TABLE, chosen=("only_summary",))
    if not options.only_summary:
        rows = []
        for *case, read in cases(options.tasks):
            split = read()
            for name in options.methods:
                rows.append([*case, name, *score(METHODS[name](case[1]), split)])
            print(*case, *(f"{row[-2]:.3f}" for row in rows[-len(options.methods) :]), flush=True)
        table = pd.DataFrame(rows, columns=COLUMNS)
    else:
        table = pd.read_csv(options.output, sep="\t")
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.5g")
        name = SUMMARY if options.output == TABLE else options.output.with_suffix(".summary.tsv")
        summary(table).to_csv(name, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
