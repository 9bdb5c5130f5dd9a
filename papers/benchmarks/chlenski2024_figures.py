"""Figures 3, 6, 7 and 8 of chlenski2024 from our own runs: scaling, depth, midpoints.

    NONEUCLID_MIRROR=FOLDER PYTHONPATH=benchmarks python papers/benchmarks/chlenski2024_figures.py
        [--figures 3a 3c 6 7 8] [--seeds N]

3c on samples of Polblogs, embedded in the plane by `PoincareEmbedding`, all others on mixtures of
wrapped normal distributions; 12 trees of depth 3 unless that is varied. 3a and 3c: seconds of 5
folds against the number of points; 6: against points, dimensions, trees and depth (5 classes, 1000
points for training, 200 for testing); 7: micro-F1 against depth (800 points, one split 80/20); 8:
splits halfway in hyperbolic distance against splits at the mean angle (one split 80/20).
A tree trained on the angles finds the same splits of the training rows, since angles have the order
of our coordinates, and puts its thresholds at mean angles; `moved` is the share of test rows that
this gives another class. Seconds are of one processor, for fitting and predicting. The figures do
not say D; where it is not varied it is 2. Figures 6 and 7 have 20 trials, as in the paper, the
others 10. Run with OMP_NUM_THREADS=1.
"""

import argparse
import time
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from noneuclid import (
    HorosphereForestClassifier,
    HyperbolicDecisionTreeClassifier,
    HyperbolicRandomForestClassifier,
    PoincareEmbedding,
)
from noneuclid.classifiers.tree_base import axis_coordinates
from noneuclid.errors import InputError
from noneuclid_compare.data.generators import wrapped_normal_mixture
from noneuclid_papers.data import cho2019_networks
from outputs import options_of, paper_file

OUTPUT = Path(__file__).with_suffix(".tsv")
COLUMNS = 4
SIZES, DEPTHS = (100, 200, 400, 800), (1, 2, 3, 4, 6, 8, 12, 16, 20)
NODES = 1224
FORESTS = ("hyperbolic_forest", "horosphere_forest", "forest")
MIDPOINTS = ("hyperbolic_tree", "mean_angle_tree", "hyperbolic_forest", "mean_angle_forest")
DEFAULTS = {"points": 800, "classes": 2, "dimension": 2, "trees": 12, "depth": 3}
TRIALS = {"3a": 10, "3c": 10, "6": 20, "7": 20, "8": 10}
FIVE = {"points": 1200, "classes": 5}
# Figure: for each panel what is varied, its values, other settings, and the methods.
FIGURES = {
    "3a": [("points", SIZES, {}, FORESTS)],
    "3c": [("points of Polblogs", (*SIZES, NODES), {}, FORESTS)],
    "6": [
        ("points", (300, 500, 800, 1200, 1700, 2200, 3200), FIVE, FORESTS[:1]),
        ("dimension", (2, 4, 8, 16, 32, 64), FIVE, FORESTS[:1]),
        ("trees", (1, 2, 5, 10, 15, 20, 25, 30), FIVE, FORESTS[:1]),
        ("depth", DEPTHS, FIVE, FORESTS[:1]),
    ],
    "7": [("depth", DEPTHS, {}, FORESTS)],
    "8": [("points", SIZES, {"dimension": d}, MIDPOINTS) for d in (2, 4, 8, 16)],
}


def mixtures(settings, count):
    """The first mixtures with a point of each class for every fold, and their seeds."""
    found, seed = [], 0
    while len(found) < count:
        with suppress(InputError):  # a class without a point
            data = wrapped_normal_mixture.load({}, seed, **settings)
            if np.bincount(data.labels).min() >= 5:
                found.append((seed, data.features, data.labels))
        seed += 1
    return found


@cache
def polblogs(seed):
    """Points on the hyperboloid and labels of all nodes."""
    files = {"network": paper_file("hyplinear", "realnet", "polblogs_data_1.mat")}
    data = cho2019_networks.load(files, seed, name="polblogs", kind="graph")
    graph = nx.empty_graph(len(data.labels))
    graph.add_edges_from(data.edges)
    model = PoincareEmbedding(chart="hyperboloid", random_state=seed)
    return model.fit_transform(graph), data.labels


def samples(size, count):
    """The first embeddings of Polblogs, `size` nodes of each."""
    for seed in range(count):
        X, y = polblogs(seed)
        rows = np.random.default_rng(seed).permutation(len(y))[:size]
        yield seed, X[rows], y[rows]


def minus_angles(X):
    """Minus the angle θ of each axis (eq. 7 of the paper), which grows with the coordinate."""
    return -np.arctan2(1.0, np.tanh(axis_coordinates(X)))


def build(method, trees, depth, seed):
    tree = {"max_depth": depth, "random_state": seed}
    forest = {"n_estimators": trees, **tree}
    angles = FunctionTransformer(minus_angles)
    if method == "mean_angle_tree":
        return make_pipeline(angles, DecisionTreeClassifier(**tree))
    if method == "mean_angle_forest":
        return make_pipeline(angles, RandomForestClassifier(**forest))
    if method == "hyperbolic_tree":
        return HyperbolicDecisionTreeClassifier(**tree, chart="hyperboloid")
    if method == "forest":
        return RandomForestClassifier(**forest)
    kinds = {
        "hyperbolic": HyperbolicRandomForestClassifier,
        "horosphere": HorosphereForestClassifier,
    }
    return kinds[method.removesuffix("_forest")](**forest, chart="hyperboloid")


def folds(figure, X, y, seed):
    if figure in ("3a", "3c"):
        return StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y)
    rows, size = np.arange(len(y)), 200 if figure == "6" else 0.2
    return [train_test_split(rows, test_size=size, random_state=seed)]


def run(figure, method, settings, seed, X, y):
    """Mean micro-F1 over the folds, seconds of all, and what was predicted."""
    found, seconds, labels = [], 0.0, []
    for train, test in folds(figure, X, y, seed):
        model = build(method, settings["trees"], settings["depth"], seed)
        start = time.process_time()
        predicted = model.fit(X[train], y[train]).predict(X[test])
        seconds += time.process_time() - start
        found.append(f1_score(y[test], predicted, average="micro"))
        labels.append(predicted)
    return np.mean(found), seconds, np.concatenate(labels)


def lines(figure, seeds):
    """One row of results for each panel, value, method and seed."""
    for varied, values, others, methods in FIGURES[figure]:
        panel = f"{varied}, D = {others['dimension']}" if figure == "8" else varied
        for value in values:
            settings = DEFAULTS | others | {varied: value}
            kept = {key: settings[key] for key in ("points", "classes", "dimension")}
            shown = value - 200 if (figure, varied) == ("6", "points") else value
            data = samples(value, seeds) if figure == "3c" else mixtures(kept, seeds)
            for seed, X, y in data:
                labels = {}
                for method in methods:
                    f1, seconds, labels[method] = run(figure, method, settings, seed, X, y)
                    twin = labels.get(method.replace("mean_angle", "hyperbolic"))
                    moved = np.mean(labels[method] != twin) if figure == "8" else np.nan
                    yield figure, panel, shown, method, f1, seconds, moved
        print(figure, panel, flush=True)


def draw(table):
    """Micro-F1 above, seconds below; mean and 95 % of the mean over seeds."""
    panels = list(dict.fromkeys(zip(table["figure"], table["panel"], strict=True)))
    rows = -(-len(panels) // COLUMNS)
    figure = Figure(figsize=(3.1 * COLUMNS, 5 * rows), layout="constrained")
    axes = figure.subplots(2 * rows, COLUMNS, squeeze=False)
    for k, place in enumerate(panels):
        row, column = divmod(k, COLUMNS)
        pair = axes[2 * row : 2 * row + 2, column]
        part = table[(table[["figure", "panel"]] == place).all(axis=1)]
        for method, rows in part.groupby("method", sort=False):
            for ax, score in zip(pair, ("f1", "seconds"), strict=True):
                ax.plot(rows["value"], rows[score], marker="o", ms=3, label=method)
                half = 1.96 * rows[f"{score}_se"]
                ax.fill_between(rows["value"], rows[score] - half, rows[score] + half, alpha=0.2)
        pair[0].set(title=f"figure {place[0]}", ylabel="micro-F1")
        pair[1].set(xlabel=place[1], ylabel="seconds", yscale="log")
        pair[0].legend(fontsize=7, frameon=False)
    for ax in axes.ravel():
        ax.axison = ax.has_data()
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--figures", nargs="+", choices=FIGURES, default=list(FIGURES))
    parser.add_argument("--seeds", type=int, help="mixtures; default: those of the paper")
    options = options_of(parser, OUTPUT)
    points = np.array([[1.0, 0], [2**0.5, 1]])
    for model, trees in product([*FORESTS, *MIDPOINTS], (1, 2)):  # loads compiled code
        build(model, trees, 1, 0).fit(points, [0, 1]).predict(points)
    trials = TRIALS if options.seeds is None else dict.fromkeys(TRIALS, options.seeds)
    rows = [row for figure in options.figures for row in lines(figure, trials[figure])]
    keys = ["figure", "panel", "value", "method"]
    runs = pd.DataFrame(rows, columns=[*keys, "f1", "seconds", "moved"]).groupby(keys, sort=False)
    mean, error = runs.mean(), runs[["f1", "seconds"]].sem().add_suffix("_se")
    table = pd.concat([runs.size().rename("runs"), mean, error], axis=1).reset_index()
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.5g")
        draw(table).savefig(options.output.with_suffix(".svg"))
    print(table.to_string())


if __name__ == "__main__":
    main()
