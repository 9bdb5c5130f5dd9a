"""Table 1 of chlenski2024 (Gaussian rows) with the rules by which the authors' programs differ.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2024_released.py
        [--states 6] [--dimensions 2 4 8 16]

The paper's own points and folds (`hyperdt_mixtures`); the rules are in `noneuclid_papers.programs`.
Those of HyperDT, HyperRF and scikit-learn have no free choice. HoroDT and HoroRF are drawn by
`--states` random states.

chlenski2024_released.tsv has the printed score of each cell, ours by these rules, its standard
error over mixtures, the deviation over states, and the p-values of table 6.
"""

import argparse
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import ttest_rel
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import resample

from noneuclid_papers.data import hyperdt_mixtures
from noneuclid_papers.printed import reproduction_status
from noneuclid_papers.programs.chlenski2024_horospheres import (
    converted_twice,
    grow_horospheres,
    support,
)
from noneuclid_papers.programs.chlenski2024_released import classes, grow
from noneuclid_papers.stages import published as stage
from outputs import options_of

HERE = Path(__file__).parent
ROOT = HERE.parent
SIZES, NUMBERS = (100, 200, 400, 800), range(10)
TREES, DEPTH = 12, 3
TESTS = {
    "DT vs HyperDT": ("sklearn DT", "HyperDT"),
    "RF vs HyperRF": ("sklearn RF", "HyperRF"),
}


@cache
def mixture(d, n, number):
    """Points, labels and folds of one mixture, and the generator after it."""
    data = hyperdt_mixtures.load({}, 0, n_samples=n, n_features=d, number=number)
    rng = hyperdt_mixtures.generator_after(n, d, number)
    X, y = data.features, np.asarray(data.labels).astype(int)
    return X, y, list(KFold(5, shuffle=True, random_state=number).split(X)), rng


def tree_scores(d, n, number):
    """Accuracy of HyperDT, HyperRF and scikit-learn's methods in each fold."""
    X, y, folds, rng = mixture(d, n, number)
    for fold, (train, test) in enumerate(folds):
        found = {"HyperDT": classes(grow(X[train], y[train], DEPTH), X[test])}
        draw, votes = np.random.RandomState(number), 0
        for _ in range(TREES):
            rows = train[draw.choice(len(train), len(train))]
            votes = votes + classes(grow(X[rows], y[rows], DEPTH), X[test])
        found["HyperRF"] = (votes > TREES / 2).astype(int)
        models = {
            "sklearn DT": DecisionTreeClassifier(max_depth=DEPTH, random_state=rng),
            "sklearn RF": RandomForestClassifier(TREES, max_depth=DEPTH, random_state=number),
        }
        for name, model in models.items():
            found[name] = model.fit(X[train], y[train]).predict(X[test])
        for name, predicted in found.items():
            yield name, 0, fold, np.mean(predicted == y[test])
    mixture.cache_clear()


def horosphere_scores(d, n, number, states):
    X, y, folds, _ = mixture(d, n, number)
    z = converted_twice(X)
    for state in range(states):
        rng = np.random.default_rng([state, number])
        for fold, (train, test) in enumerate(folds):
            sets = {"HoroDT": [train]}
            sets["HoroRF"] = [resample(train, random_state=number + k) for k in range(TREES)]
            for name, parts in sets.items():
                trees = [grow_horospheres(z[k], y[k], DEPTH, rng) for k in parts]
                found = np.argmax(sum(support(tree, z[test]) for tree in trees), axis=1)
                yield name, state, fold, np.mean(found == y[test])


def cell_scores(d, n, states):
    """All scores of one (dimension, size)."""
    rows = []
    for number in NUMBERS:
        found = [*tree_scores(d, n, number), *horosphere_scores(d, n, number, states)]
        rows += [(number, *row) for row in found]
    return pd.DataFrame(rows, columns=["number", "method", "state", "fold", "value"])


def lines(table, printed, variant):
    """A line for each score and p-value of a cell."""
    for method, part in table.groupby("method", sort=False):
        means, text = part.groupby("number")["value"].mean(), printed["table_1", variant, method]
        states = part.groupby("state")["value"].mean()
        yield "table_1", variant, method, text, means.mean(), means.sem(), states.std()
    folds = table[table["state"] == 0].pivot(
        index=["number", "fold"], columns="method", values="value"
    )
    for name, pair in TESTS.items():
        p = ttest_rel(*(folds[method] for method in pair)).pvalue
        yield "table_6", variant, name, printed["table_6", variant, name], p, np.nan, np.nan


def same(table, printed, ours):
    """Whether ours is what is printed; a p-value is printed without its last zeros."""
    if printed == "" or ours != ours:
        return "yes" if printed == "" and ours != ours else "no"
    unit, value = ("%", 100 * ours) if table == "table_1" else ("1", ours)
    half = reproduction_status.half_digit(printed, unit) / reproduction_status.UNITS[unit]
    return "yes" if abs(value - float(printed)) <= half * (1 + 1e-6) else "no"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--states", type=int, default=6)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[2, 4, 8, 16])
    options = options_of(parser, HERE / "chlenski2024_released.tsv")
    rows = stage.read_words(ROOT / "printed/chlenski2024.tsv")
    rows = rows[rows["dataset"] == "Gaussian"]
    printed = rows.set_index(["table", "variant", "method"])["value"].to_dict()
    found = []
    columns = ["table", "variant", "method", "printed", "ours", "se", "sd_states"]
    for d in options.dimensions:
        for n in SIZES:
            found += lines(cell_scores(d, n, options.states), printed, f"D{d}_n{n}")
            table = pd.DataFrame(found, columns=columns)
            table["same"] = list(map(same, table["table"], table["printed"], table["ours"]))
            print(table.tail(8).to_string(header=False), flush=True)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
