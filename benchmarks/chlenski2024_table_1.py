"""The Gaussian rows of tables 1 and 6 of chlenski2024 beside ours, with all tests.

    python benchmarks/chlenski2024_table_1.py [--seeds 10]

Trees of depth 3 and forests of 12 such trees on mixtures of two wrapped normal distributions, 5
stratified folds of each of 10 mixtures, which all methods share. Writes a row for each dimension,
number of points and method: mean micro-F1 over the folds, its standard error over the mixtures,
marks as in the paper (p < 0.05 in a paired two-sided t-test; * beat HyperDT or HyperRF, ‡
scikit-learn, † the horosphere tree or forest), those left by Holm's correction over all tests, the
paper's value, the difference, and whether it is noise (two standard errors). All p-values go to
chlenski2024_table_6.tsv, also those with one pair for each mixture (`p_mixtures`), since folds of
one mixture are not independent. The paper's seeds are not known.
"""

import argparse
from contextlib import suppress
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from noneuclid import (
    HorosphereDecisionTreeClassifier,
    HorosphereForestClassifier,
    HyperbolicDecisionTreeClassifier,
    HyperbolicRandomForestClassifier,
)
from noneuclid.contracts import InputError
from noneuclid.datasets import wrapped_normal_mixture
from noneuclid.evaluation.paired_tests import paired_tests, summarise
from noneuclid.evaluation.published import beside

HERE = Path(__file__).parent
PUBLISHED = HERE.parent / "resources/published/chlenski2024.tsv"
DIMENSIONS, SIZES = (2, 4, 8, 16), (100, 200, 400, 800)
TREE, FOREST = {"max_depth": 3}, {"max_depth": 3, "n_estimators": 12}
MODELS = {
    "hyperbolic_tree": HyperbolicDecisionTreeClassifier(**TREE, chart="hyperboloid"),
    "tree": DecisionTreeClassifier(**TREE),
    "horosphere_tree": HorosphereDecisionTreeClassifier(**TREE, chart="hyperboloid"),
    "hyperbolic_forest": HyperbolicRandomForestClassifier(**FOREST, chart="hyperboloid"),
    "forest": RandomForestClassifier(**FOREST),
    "horosphere_forest": HorosphereForestClassifier(**FOREST, chart="hyperboloid"),
}
NAMES = {
    "hyperbolic_tree": "HyperDT",
    "tree": "sklearn DT",
    "horosphere_tree": "HoroDT",
    "hyperbolic_forest": "HyperRF",
    "forest": "sklearn RF",
    "horosphere_forest": "HoroRF",
}
BLOCKS = {
    "trees": {"hyperbolic_tree": "*", "tree": "‡", "horosphere_tree": "†"},
    "forests": {"hyperbolic_forest": "*", "forest": "‡", "horosphere_forest": "†"},
}
GROUP = r"(gaussian_D\d+_n\d+)_"


def mixtures(settings, count):
    """The first mixtures with a point of each class for every fold, and their seeds."""
    found, seed = [], 0
    while len(found) < count:
        with suppress(InputError):  # a class without a point
            data = wrapped_normal_mixture.load(settings, {}, seed)
            if np.bincount(data.labels).min() >= 5:
                found.append((seed, data.features, data.labels))
        seed += 1
    return found


def scores(dimension, points, count):
    """Micro-F1 of every method in every fold, as rows of the long table of scores."""
    for seed, X, y in mixtures({"dimension": dimension, "points": points}, count):
        folds = StratifiedKFold(5, shuffle=True, random_state=seed)
        name = f"gaussian_D{dimension}_n{points}_seed{seed}"
        for fold, (train, test) in enumerate(folds.split(X, y)):
            for method, model in MODELS.items():
                predicted = (
                    model.set_params(random_state=seed).fit(X[train], y[train]).predict(X[test])
                )
                value = f1_score(y[test], predicted, average="micro")
                yield name, "given", method, 0, fold, "f1_micro", value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    seeds = parser.parse_args().seeds
    rows = []
    for dimension, points in product(DIMENSIONS, SIZES):
        rows += scores(dimension, points, seeds)
        print(dimension, points, flush=True)
    columns = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value"]
    table = pd.DataFrame(rows, columns=columns)
    pairs = [pair for block in BLOCKS.values() for pair in combinations(block, 2)]
    tests = paired_tests(table, "f1_micro", pairs, GROUP)
    means = table.groupby([*table.columns.drop(["fold", "value"])], sort=False)["value"].mean()
    by_mixture = paired_tests(means.reset_index().assign(fold=0), "f1_micro", pairs, GROUP)
    tests["p_mixtures"], tests["p_mixtures_holm"] = by_mixture["p"], by_mixture["p_holm"]
    found = summarise(table, tests, BLOCKS, GROUP)
    published = pd.read_csv(PUBLISHED, sep="\t")
    found = beside(found, published, "f1_micro", "table_1", NAMES)
    found.to_csv(HERE / "chlenski2024_table_1.tsv", sep="\t", index=False, float_format="%.5f")
    tests.to_csv(HERE / "chlenski2024_table_6.tsv", sep="\t", index=False, float_format="%.4g")
    print(found.to_string())


if __name__ == "__main__":
    main()
