"""Times and micro-F1 of HorosphereForestClassifier beside scikit-learn's forest and HoroRF.

    python benchmarks/horosphere.py [--seeds 10] [--mirror FOLDER] [--output FILE]

First the three data sets of cho2019 on which HoroRF's own code was timed (10 trees of depth 6, one
seed, one thread, a 2-core machine; its figures stand in `AUTHORS`), if their files are in the
mirror. Then mixtures of two wrapped normals as in chlenski2024, table 1: 12 trees of depth 3, 5
folds; `horo_rf_f1` is the table's, from other draws of the same distribution. `rules_f1` is the
same forest with the rules by which HoroRF splits, on the same folds, and `gain` what ours adds;
standard errors are over the data sets (or the seeds of one), not over folds. The clock counts
processor seconds of fitting and predicting one fold; each compares with scikit-learn's forest on
the same coordinates in the same run. Run with OMP_NUM_THREADS=1.
"""

import argparse
import os
import platform
import time
from contextlib import suppress
from itertools import product
from pathlib import Path
from unittest import mock

import numba
import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from noneuclid import HorosphereForestClassifier
from noneuclid.classifiers import horosphere_base
from noneuclid.errors import InputError
from noneuclid.geometry.horospheres import busemann_of_rays
from noneuclid.solvers.horospheres.margins import margin_horosphere
from noneuclid.solvers.horospheres.search import find_groups
from noneuclid.solvers.horospheres.splits import best_threshold, purity
from noneuclid.solvers.horospheres.tree import HorosphereTree
from noneuclid_compare.data.generators import wrapped_normal_mixture
from noneuclid_papers.data import cho2019_gaussians, cho2019_networks
from outputs import options_of

# File, micro-F1, seconds a fold.
AUTHORS = {
    "karate": ("realnet/karate_data_1.mat", 0.912, 3.2),
    "polbooks": ("realnet/polbooks_data_1.mat", 0.830, 19.5),
    "gaussian_001": ("gaussian/data_001.mat", 0.750, 48.0),
}
# Table 1 of chlenski2024, HoroRF: micro-F1 for 100, 200, 400 and 800 points.
HORO_RF = {
    2: (0.8630, 0.8910, 0.8888, 0.8945),
    4: (0.9790, 0.9805, 0.9850, 0.9876),
    8: (0.9910, 0.9975, 0.9988, 0.9994),
    16: (0.9960, 0.9980, 0.9995, 0.9992),
}
SIZES = (100, 200, 400, 800)
COLUMNS = [
    "data", "n", "d", "classes", "trees", "max_depth", "runs", "f1_micro", "f1_se", "cpu_s",
    "sklearn_f1", "sklearn_cpu_s", "ratio", "rules_f1", "gain", "gain_se",
    "horo_rf_f1", "horo_rf_s", "speedup",
]  # fmt: skip


def of_authors(name, mirror):
    file, f1, seconds = AUTHORS[name]
    path = mirror / "hyplinear" / file
    if name == "gaussian_001":
        return cho2019_gaussians.load({"points": path}, 0), f1, seconds
    return cho2019_networks.load({"network": path}, 0, name=name), f1, seconds


def run(model, data, seed):
    """Micro-F1 and processor seconds of each fold."""
    found = []
    X, y = data.features, data.labels
    for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y):
        start = time.process_time()
        predicted = model.set_params(random_state=seed).fit(X[train], y[train]).predict(X[test])
        seconds = time.process_time() - start
        found.append((f1_score(y[test], predicted, average="micro"), seconds))
    return found


def split_of_authors(polar, codes, weights, n_classes, least, n_candidates, rng):
    """HoroRF's rules: random starts, the margin's own threshold, random points if that fails."""
    C = 0.1 * 2 ** rng.uniform(-3, 5)
    spread = rng.standard_normal((2 * n_classes + n_candidates, polar.shape[1] - 2))
    ideals = list(spread / np.linalg.norm(spread, axis=1)[:, None])
    counts = np.bincount(codes, weights, n_classes)
    best = purity(counts) * (1 + 1e-12), None, None
    for group in find_groups(polar, codes, weights, counts)[0]:
        signs = group[codes]
        *ideal, scale, offset = margin_horosphere(polar, signs, weights, C, ideals.pop())
        ideal = np.array(ideal)
        inside = busemann_of_rays(polar, ideal) <= -offset / scale
        sides = [side for side in (inside, ~inside) if side.any()]
        gain = sum(purity(np.bincount(codes[k], weights[k], n_classes)) for k in sides)
        if gain > best[0]:
            best = gain, ideal, -offset / scale
    if best[1] is None:
        for ideal in ideals[:n_candidates]:
            values = busemann_of_rays(polar, ideal)
            gain, threshold = best_threshold(values, codes, weights, n_classes, *least)
            if gain > best[0]:
                best = gain, ideal, threshold
    return best


def grow_of_authors(polar, codes, weights, n_classes, rules, rng):
    """`tree.grow_tree` with HoroRF's rules."""
    nodes, waiting = [], [(np.arange(len(codes)), 0, None)]
    least = rules.min_samples_leaf, rules.min_weight_fraction_leaf * weights.sum()
    while waiting:
        rows, depth, parent = waiting.pop()
        if parent is not None:
            nodes[parent[0]][parent[1]] = len(nodes)
        counts = np.bincount(codes[rows], weights[rows], n_classes)
        nodes.append([np.full(polar.shape[1] - 2, np.nan), np.nan, -1, -1, counts, counts.sum()])
        splittable = depth < rules.max_depth and len(rows) >= rules.min_samples_split
        if not splittable or np.count_nonzero(counts) < 2:
            continue
        data = polar[rows], codes[rows], weights[rows], n_classes
        _, ideal, threshold = split_of_authors(*data, least, rules.n_candidates, rng)
        if ideal is not None:
            nodes[-1][:2], number = (ideal, threshold), len(nodes) - 1
            closer = busemann_of_rays(data[0], ideal) <= threshold
            waiting += [(rows[~closer], depth + 1, (number, 3))]
            waiting += [(rows[closer], depth + 1, (number, 2))]
    *columns, counts, totals = (np.array(column) for column in zip(*nodes, strict=True))
    return HorosphereTree(*columns, counts / totals[:, None], totals)


def by_rules(model, data, seed):
    """Micro-F1 of each fold with the rules of HoroRF."""
    with mock.patch.object(horosphere_base, "grow_tree", grow_of_authors):
        return [f1 for f1, _ in run(model, data, seed)]


def mean_and_error(scores):
    """Mean, and its standard error over rows: the folds of one row are not independent."""
    rows = np.mean(scores, axis=1)
    return f"{rows.mean():.4f}", f"{rows.std(ddof=1) / np.sqrt(len(rows)):.4f}"


def compare(name, sets, trees, depth, horo_f1, horo_seconds=None):
    """One line of the table from the folds of several (data, seed)."""
    data = sets[0][0]
    settings = {"n_estimators": trees, "max_depth": depth}
    ours, theirs, rules = [], [], []
    for data, seed in sets:
        model = HorosphereForestClassifier(**settings, chart=data.chart)
        ours.append(run(model, data, seed))
        rules.append(by_rules(model, data, seed))
        theirs += run(RandomForestClassifier(**settings), data, seed)
    f1, seconds = np.moveaxis(ours, 2, 0)
    theirs_f1, theirs_seconds = np.mean(theirs, axis=0)
    d = data.features.shape[1] - (data.chart == "hyperboloid")
    cells = [name, len(data.labels), d, len(data.class_names), trees, depth, f1.size]
    cells += [*mean_and_error(f1), f"{seconds.mean():.4f}", f"{theirs_f1:.4f}"]
    cells += [f"{theirs_seconds:.4f}", f"{seconds.mean() / theirs_seconds:.1f}"]
    cells += [f"{np.mean(rules):.4f}", *mean_and_error(f1 - rules), horo_f1]
    known = horo_seconds is not None
    return [
        *cells,
        *([horo_seconds, f"{horo_seconds / seconds.mean():.0f}"] if known else ["", ""]),
    ]


def mixtures(settings, count):
    """The first mixtures with a point of both classes for every fold, with their seeds."""
    found, seed = [], 0
    while len(found) < count:
        with suppress(InputError):
            data = wrapped_normal_mixture.load({}, seed, **settings)
            if np.bincount(data.labels).min() >= 5:
                found.append((data, seed))
        seed += 1
    return found


def lines(seeds, mirror):
    warm = wrapped_normal_mixture.load({}, 1, n_samples=50)
    run(HorosphereForestClassifier(n_estimators=1, chart=warm.chart), warm, 0)
    if mirror:
        for name in AUTHORS:
            data, f1, seconds = of_authors(name, mirror)
            yield compare(name, [(data, seed) for seed in range(seeds)], 10, 6, f1, seconds)
    for d, (i, n) in product(HORO_RF, enumerate(SIZES)):
        settings = {"n_samples": n, "n_features": d}
        yield compare("wrapped_normal", mixtures(settings, seeds), 12, 3, HORO_RF[d][i])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--mirror", type=Path, default=os.environ.get("NONEUCLID_MIRROR"))
    options = options_of(parser, Path(__file__).with_suffix(".tsv"), chosen=("mirror",))
    table = [
        f"# python {platform.python_version()}, numpy {np.__version__}, scikit-learn "
        f"{sklearn.__version__}, numba {numba.__version__}, {os.cpu_count()} cpus",
        "\t".join(COLUMNS),
    ]
    print("\n".join(table))
    for cells in lines(options.seeds, options.mirror and Path(options.mirror)):
        table.append("\t".join(map(str, cells)))
        print(table[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
