"""Coverage of intervals where rows come in groups, with folds of rows and folds of groups.

    python benchmarks/group_inference.py          # benchmarks/group_inference.tsv; minutes
    python benchmarks/group_inference.py --quick  # a tenth of the draws, printed only

Each draw has donors of unequal size whose cells have class means of their own: `effect` is the
standard deviation of a donor's means beside 1 within a donor. The true score of a pipeline is its
balanced accuracy on fresh donors after a fit to all rows. Columns, in percent: `score`,
`difference`, share of the 95 % intervals of `noneuclid_compare.evaluation.inference` that cover the
truth, of a linear discriminant and of its lead over nearest neighbours; `flattery`, share of the
intervals of `noneuclid_compare.evaluation.random_folds` that contain 0 for the linear discriminant,
and `flattery_best` for the better of both on random folds. `points`: mean difference of the first.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier

from noneuclid_compare.evaluation.inference import interval
from noneuclid_compare.evaluation.random_folds import flattery, random_split
from noneuclid_compare.evaluation.splits import Groups, make_split
from noneuclid_compare.records import Predictions

TABLE = Path(__file__).with_suffix(".tsv")
CLASSES, DIMENSION, FRESH, REPEATS = 3, 5, 300, 3
SETTINGS = [{"effect": effect, "donors": 8, "draws": 60} for effect in (0.0, 0.5, 1.5)]
SCHEMES = {"rows": "stratified_kfold", "groups": "stratified_group_kfold"}


def cells(rng, donors, effect, centres):
    """Features, classes and donors of the cells, 10 to 40 of each donor."""
    donor = np.repeat(np.arange(donors), rng.integers(10, 41, donors))
    y = rng.integers(0, CLASSES, len(donor))
    own = effect * rng.normal(size=(donors, CLASSES, DIMENSION))
    return centres[y] + own[donor, y] + rng.normal(size=(len(y), DIMENSION)), y, donor


def models():
    return LinearDiscriminantAnalysis(), KNeighborsClassifier(5)


def predicted(X, y, split):
    """Predictions of each model in all folds."""
    parts = [[] for _ in models()]
    for k in range(split.n_folds):
        train, test = split.rows(k)
        for part, model in zip(parts, models(), strict=True):
            found = model.fit(X[train], y[train]).predict(X[test])
            part.append((test, np.full(len(test), k), y[test], found))
    return [Predictions(*map(np.concatenate, zip(*part, strict=True))) for part in parts]


def draw(seed, donors, effect):
    """Whether each interval covers, by scheme; and the flattery of folds of rows."""
    rng = np.random.default_rng(seed)
    centres = 0.9 * rng.normal(size=(CLASSES, DIMENSION))
    X, y, donor = cells(rng, donors, effect, centres)
    Z, of_fresh, _ = cells(rng, FRESH, effect, centres)
    truth = [balanced_accuracy_score(of_fresh, m.fit(X, y).predict(Z)) for m in models()]
    groups = Groups(donor, tuple(map(str, range(donors))), "donor")
    row = {}
    for name, scheme in SCHEMES.items():
        scores, ratios, first = [], [], None
        for repeat in range(REPEATS):
            split = make_split(y, tuple("abc"), repeat, seed, groups=groups, scheme=scheme)
            found = predicted(X, y, split)
            first = first or (split, found)
            for k in range(split.n_folds):
                scores.append([
                    balanced_accuracy_score(one.truth[one.fold == k], one.predicted[one.fold == k])
                    for one in found
                ])  # fmt: skip
                ratios.append((split.fold == k).sum() / (split.fold != k).sum())
        scores, floor = np.array(scores), 1 / (2 * np.bincount(y).min() ** 2)
        gaps = {"score": (scores[:, 0], truth[0])}
        gaps["difference"] = scores[:, 0] - scores[:, 1], truth[0] - truth[1]
        for what, (values, true) in gaps.items():
            units = donors if name == "groups" else np.inf
            ends = interval([values], [np.mean(ratios)], [floor], [units])
            row[f"{what}_{name}"] = ends["low"] <= true <= ends["high"]
    split, grouped = first
    at_random = predicted(X, y, random_split(split, y, seed))
    both = [
        flattery(*pair, split, CLASSES, seed)["balanced_accuracy"]
        for pair in zip(grouped, at_random, strict=True)
    ]
    best = max(both, key=lambda one: one["random"])
    row["points"] = 100 * both[0]["difference"]
    for name, one in (("flattery", both[0]), ("flattery_best", best)):
        row[name] = one["low"] <= 0 <= one["high"]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    rows = []
    for c in SETTINGS:
        draws = c["draws"] // 10 if quick else c["draws"]
        found = pd.DataFrame([draw(seed, c["donors"], c["effect"]) for seed in range(draws)])
        shares = found.mean() * np.where(found.columns == "points", 1, 100)
        rows.append(c | {"draws": draws} | shares.round(1).to_dict())
        print(rows[-1], flush=True)
    if not quick:
        pd.DataFrame(rows).to_csv(TABLE, sep="\t", index=False)


if __name__ == "__main__":
    main()
