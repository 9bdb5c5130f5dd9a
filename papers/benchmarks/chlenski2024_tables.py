"""Gaussian rows of tables 1, 2, 3 and 6 of chlenski2024 on the paper's own points and folds.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2024_tables.py
        [--sizes 100 200 400 800] [--ties]

Methods, cells, points and folds are those of papers/config/chlenski2024.yaml. With --sizes nothing
is written.
chlenski2024_tables.tsv has a row for each printed score: ours, its standard error over the ten
mixtures, the difference, `same`: whether ours rounds to what is printed, and the word of
`evaluation.agreement`. chlenski2024_tests.tsv has all paired t-tests over
folds (`p`, `p_holm`), the printed p-value, and the tests with one pair for each mixture
(`p_mixtures`), since folds of one mixture are not independent. With --ties only
chlenski2024_ties.tsv: how far single cells move with the random state of the tree, which draws
among splits that are equally good.
"""

import argparse
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold

from noneuclid.geometry import charts
from noneuclid_compare.config import configuration, load_by_name
from noneuclid_papers.data import hyperdt_mixtures
from noneuclid_papers.printed import published
from noneuclid_papers.statistics.paired_t_tests import paired_tests

HERE = Path(__file__).parent
CONFIG = HERE.parent / "config/chlenski2024.yaml"
PRINTED = HERE.parent / "printed/chlenski2024.tsv"
COLUMNS = ["dataset", "embedding", "method", "setting", "repeat", "fold", "metric", "value"]
SIZES = [100, 200, 400, 800]
SHOWN = ["table", "variant", "method", "printed", "ours", "se", "difference", "same", "status"]
P_VALUES = {
    ("hyperbolic_tree", "tree"): "DT vs HyperDT",
    ("hyperbolic_tree", "horosphere_tree"): "HoroDT vs HyperDT",
    ("tree", "horosphere_tree"): "DT vs HoroDT",
    ("hyperbolic_forest", "forest"): "RF vs HyperRF",
    ("hyperbolic_forest", "horosphere_forest"): "HoroRF vs HyperRF",
    ("forest", "horosphere_forest"): "RF vs HoroRF",
}


TIES = [("hyperbolic_tree", 8, 100), ("hyperbolic_tree", 16, 100), ("hyperbolic_tree", 16, 200)]
TIES += [("tree", 16, n) for n in (100, 400, 800)]
TIES += [("tree_tangent", 16, 800), ("tree_klein", 16, 800)]
STATES = 20


@cache
def mixture(**settings):
    return hyperdt_mixtures.load({}, 0, **settings)


def scores(config, name, methods, state=0):
    """Micro-F1 of methods in every fold of a data set, as rows of the long table."""
    settings = config["datasets"][name]["params"]
    data, seed = mixture(**settings), settings["number"]
    for method in methods:
        entry = configuration.method_of(config, method)
        X = charts.convert(data.features, "hyperboloid", entry["chart"])
        folds = KFold(5, shuffle=True, random_state=seed).split(X)
        for fold, (train, test) in enumerate(folds):
            context = {"chart": entry["chart"], "random_state": 1000 * state + seed}
            model = load_by_name.build(entry["use"], entry["params"], **context)
            predicted = model.fit(X[train], data.labels[train]).predict(X[test])
            value = f1_score(data.labels[test], predicted, average="micro")
            fit = name, "given", method, "", 0, fold
            yield *fit, "f1_micro", value
            yield *fit, "test_rows", len(test)


def tests(config, table, theirs):
    """All paired tests, with the printed p-values."""
    entry = config["paired_tests"]
    pairs = [pair for block in entry["blocks"].values() for pair in combinations(block, 2)]
    found = paired_tests(table, "f1_micro", pairs, entry["group"])
    keys = [name for name in COLUMNS if name not in ("fold", "value")]
    means = table.groupby(keys, sort=False)["value"].mean().reset_index().assign(fold=0)
    by_mixture = paired_tests(means, "f1_micro", pairs, entry["group"])
    found["p_mixtures"], found["p_mixtures_holm"] = by_mixture["p"], by_mixture["p_holm"]
    printed = theirs[(theirs["table"] == "table_6") & (theirs["dataset"] == "Gaussian")]
    printed = printed.set_index(["variant", "method"])["value"]
    places = found["group"].str.removeprefix("gaussian_")
    names = [P_VALUES[pair] for pair in zip(found["first"], found["second"], strict=True)]
    found["printed_p"] = [printed[key] for key in zip(places, names, strict=True)]
    return found


def ties(config):
    """Least, median and largest mean score of single cells over random states."""
    for method, d, n in TIES:
        names = [name for name in config["datasets"] if f"gaussian_D{d}_n{n}_" in name]
        names = [name for name in names if method in configuration.methods_of(config, name)]
        means = []
        for state in range(STATES):
            rows = [row for name in names for row in scores(config, name, [method], state)]
            table = pd.DataFrame(rows, columns=COLUMNS)
            means.append(table.loc[table["metric"] == "f1_micro", "value"].mean())
        low, middle, high = np.quantile(means, (0, 0.5, 1))
        yield method, f"D{d}_n{n}", STATES, low, middle, high


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--ties", action="store_true")
    options = parser.parse_args()
    sizes, config = options.sizes, configuration.expanded(yaml.safe_load(CONFIG.read_text()))
    if options.ties:
        columns = ["method", "variant", "states", "least", "median", "largest"]
        found = pd.DataFrame(ties(config), columns=columns)
        found.to_csv(HERE / "chlenski2024_ties.tsv", sep="\t", index=False, float_format="%.6f")
        print(found.to_string())
        return
    rows = []
    for name, entry in config["datasets"].items():
        if name.startswith("gaussian") and entry["params"]["n_samples"] in sizes:
            rows += scores(config, name, configuration.methods_of(config, name))
            print(name, flush=True)
    table = pd.DataFrame(rows, columns=COLUMNS)
    theirs = pd.read_csv(PRINTED, sep="\t", dtype=str, keep_default_na=False)
    entries, reasons = config["published"]["tables"], pd.DataFrame(columns=published.REASONS)
    cells = published.cells(table, theirs, "chlenski2024", entries, reasons)
    cells = cells[cells["ours"].notna()]
    # A sum of decimals must not decide on the edge of half a unit of the second digit.
    cells["same"] = (cells["difference"].abs() < 0.5e-4 + 1e-9).map({True: "yes", False: "no"})
    found = tests(config, table, theirs)
    print(cells[SHOWN].to_string(), found.to_string(), sep="\n")
    if set(sizes) == set(SIZES):
        options = {"sep": "\t", "index": False}
        cells[SHOWN].to_csv(HERE / "chlenski2024_tables.tsv", float_format="%.6f", **options)
        found.to_csv(HERE / "chlenski2024_tests.tsv", float_format="%.4g", **options)


if __name__ == "__main__":
    main()
