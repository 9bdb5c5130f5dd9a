"""WrappedNormalClassifier and hyperbolic neighbours: time, memory, accuracy, and their defaults.

    OMP_NUM_THREADS=1 python benchmarks/wrapped_normal.py [PART ...] [--mirror FOLDER]

Each part writes its rows of benchmarks/wrapped_normal.tsv again and leaves the others.

scale       Seconds of fit and predict, and the most that numpy holds, in the plane with three
            classes. `cpu_s` counts processor time, `seconds` the clock.
accuracy    Balanced accuracy (%) in five folds on generated pieces and on the data sets of
            wrapped_normal.yaml, same folds for all, at most 300 rows of each; settings are searched
            in three inner folds. Methods weigh all classes equally where they can.
held_out    Balanced accuracy (%) in five folds on 31 data sets that no default was chosen on, all
            rows, eight settings each: mixtures 5 to 29 of cho2019 and its six random networks, one
            label each. `held_out_tests` compares the wrapped normal with each flat method over
            the 31: `value` is the mean difference in points; wins, losses and ties, Wilcoxon's p
            and Holm's for these comparisons are in `data`.
regularise  Mean balanced accuracy (%) over the same data sets, with all rows, by
            `reg_param`, without a search.
few_rows    The same for three wrapped normals of six seeds, with isotropic or random covariances,
            by dimension and rows of each class; and for breast_cancer, 30 standardised columns.
mean        Root mean squared error, in units of the space, of the mean of 100 points of an
            isotropic wrapped normal: Fréchet mean and Lorentz centroid.
"""

import argparse
import os
import time
import tracemalloc
import warnings
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid import GeodesicKNeighborsClassifier, WrappedNormalClassifier
from noneuclid.geometry import charts, lorentz, tangent
from noneuclid.geometry.means import mean_and_covariance
from noneuclid_compare.config import configuration, load_by_name, registry, transformers
from noneuclid_compare.evaluation.cross_validation import Search, fit
from noneuclid_compare.evaluation.splits import make_split
from noneuclid_papers.statistics.rank_tests import holm, signed_ranks

OUTPUT = Path(__file__).with_suffix(".tsv")
COLUMNS = ["part", "data", "n", "d", "classes", "method", "value", "seconds", "cpu_s", "memory_mb"]
ROWS = 300
SHRINKING = [0.0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.5, "auto"]
NEIGHBOURS = {"n_neighbors": [1, 3, 7, 15]}
REG = {"reg_param": [0.001, 0.01, 0.1, 0.5]}
SVM = SVC(class_weight="balanced"), {"C": [0.1, 1, 10, 100]}
FLAT_QDA, FLAT_NN = (QuadraticDiscriminantAnalysis(), REG), (KNeighborsClassifier(), NEIGHBOURS)
OURS = {"chart": "hyperboloid"}
EQUAL = {"priors": "equal", **OURS}
# Name: chart, estimator, grid.
METHODS = {
    "Gaussian SVM, Poincaré": ("poincare", *SVM),
    "QDA, Poincaré": ("poincare", *FLAT_QDA),
    "QDA, Klein": ("klein", *FLAT_QDA),
    "QDA, tangent": ("tangent", *FLAT_QDA),
    "wrapped normal": ("hyperboloid", WrappedNormalClassifier(**EQUAL), REG),
    "wrapped normal mixture, 3": (
        "hyperboloid",
        WrappedNormalClassifier(n_components=3, random_state=0, **EQUAL),
        {},
    ),
    "k-NN, Poincaré": ("poincare", *FLAT_NN),
    "k-NN, Klein": ("klein", *FLAT_NN),
    "k-NN, tangent": ("tangent", *FLAT_NN),
    "hyperbolic k-NN": ("hyperboloid", GeodesicKNeighborsClassifier(**OURS), NEIGHBOURS),
}

C_GAMMA = {"C": [0.1, 1, 10, 100], "gamma": ["scale", 3]}
EIGHT = {"reg_param": [0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.8]}
OURS_HELD_OUT = "wrapped normal"
HELD_OUT = {
    OURS_HELD_OUT: ("hyperboloid", WrappedNormalClassifier(**EQUAL), EIGHT),
    "Gaussian SVM, Poincaré": ("poincare", SVM[0], C_GAMMA),
    "Gaussian SVM, Klein": ("klein", SVM[0], C_GAMMA),
    "Gaussian SVM, tangent": ("tangent", SVM[0], C_GAMMA),
    "QDA, tangent": ("tangent", QuadraticDiscriminantAnalysis(), EIGHT),
}


def mixtures_and_networks(mirror):
    """Name, points and labels of the 31 data sets of `held_out`."""
    root = Path(mirror) / "hyplinear"
    files = {
        f"mixture {k}": ("cho2019_gaussians", {"points": root / f"gaussian/data_{k:03d}.mat"}, {})
        for k in range(5, 30)
    }
    for k in range(1, 7):
        stem = f"psmodel_deg4_gma2.25_{k}"
        roles = {"points": f"{stem}_labne.txt", "graph": f"{stem}_net.txt"}
        roles = {role: root / "randnet" / name for role, name in roles.items()}
        files[f"network {k}"] = "cho2019_random_networks", roles, {"low": 100, "high": 200}
    for name, (use, roles, params) in files.items():
        dataset = load_by_name.load(registry.path_of(use, "load"))(roles, 0, **params)
        points = charts.convert(dataset.features, dataset.chart, "hyperboloid")
        yield name, points, dataset.labels


def held_out(mirror):
    scores = {}
    for name, points, y in mixtures_and_networks(mirror):
        size = len(y), points.shape[1] - 1, len(np.unique(y))
        for method, (chart, model, grid) in HELD_OUT.items():
            value, seconds = score(model, grid, charts.convert(points, "hyperboloid", chart), y)
            scores.setdefault(method, []).append(round(value, 2))
            yield "held_out", name, *size, method, round(value, 2), "", round(seconds, 2), ""
    ours = np.array(scores.pop(OURS_HELD_OUT))
    gaps = {method: ours - theirs for method, theirs in scores.items()}
    raw = [signed_ranks(gap) for gap in gaps.values()]
    for (method, gap), p, adjusted in zip(gaps.items(), raw, holm(raw), strict=True):
        wins, losses = (gap > 0).sum(), (gap < 0).sum()
        counts = f"{wins} wins, {losses} losses, {len(gap) - wins - losses} ties"
        data = f"{counts}; p = {p:.2g}, Holm {adjusted:.2g}"
        value = round(gap.mean(), 2)
        yield "held_out_tests", data, "", "", "", f"less {method}", value, "", "", ""


def plane(mirror):
    """Name, points and labels of every data set and embedding of wrapped_normal.yaml."""
    config = configuration.expanded(yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text()))
    for name, entry in config["datasets"].items():
        load = load_by_name.load(registry.path_of(entry["use"], "load"))
        files = {key: Path(mirror) / path for key, path in entry.get("files", {}).items()}
        dataset = load(files, 0, **entry.get("params", {}))
        for embedding in entry["embeddings"]:
            how = config["embeddings"][embedding]
            path = registry.path_of(how["use"], "embed")
            found = transformers.embed(path, dataset, 0, **how.get("params", {}))
            points = charts.convert(found.points, found.chart, "hyperboloid", found.curvature)
            yield f"{name}/{embedding}", points * np.sqrt(found.curvature), found.labels


def pieces():
    """Classes in turn around a circle, `pieces` times: one distribution is wrong."""
    rng = np.random.default_rng(0)
    for count in (1, 2, 3):
        place = rng.integers(2 * count, size=300)
        angle = np.pi * place / count
        centres = 2.0 * np.column_stack([np.cos(angle), np.sin(angle)])
        points = tangent.lift(
            0.6 * rng.normal(size=(300, 2)), charts.convert(centres, "tangent", "hyperboloid")
        )
        yield f"two classes in {count} pieces", points, place % 2


def folds(y):
    names = tuple(map(str, np.unique(y)))
    split = make_split(y, names, 0, 0, None, folds=5, small_classes="keep")
    return [split.rows(k) for k in range(split.n_folds)]


def score(model, grid, X, y):
    """Mean balanced accuracy (%) over the folds, and processor seconds of all."""
    scores, start = [], time.process_time()
    for train, test in folds(y):
        classes = len(np.unique(y[train]))
        if isinstance(model, QuadraticDiscriminantAnalysis):
            model = clone(model).set_params(priors=np.full(classes, 1 / classes))
        fitted, _ = fit(model, X[train], y[train], Search(grid, 3, "balanced_accuracy", 0))
        scores.append(balanced_accuracy_score(y[test], fitted.predict(X[test])))
    return 100 * np.mean(scores), time.process_time() - start


def accuracy(mirror):
    for name, points, y in chain(pieces(), plane(mirror)):
        if len(y) > ROWS:
            chosen = np.random.default_rng(0).choice(len(y), ROWS, replace=False)
            points, y = points[chosen], np.unique(y[chosen], return_inverse=True)[1]
        size = len(y), points.shape[1] - 1, len(np.unique(y))
        for method, (chart, model, grid) in METHODS.items():
            X = charts.convert(points, "hyperboloid", chart)
            try:
                value, seconds = score(model, grid, X, y)
            except (ValueError, np.linalg.LinAlgError) as error:
                print(name, method, error, flush=True)
                value, seconds = np.nan, np.nan
            yield "accuracy", name, *size, method, round(value, 2), "", round(seconds, 2), ""


def regularise(mirror):
    found = {value: [] for value in SHRINKING}
    for _, points, y in plane(mirror):
        for value, scores in found.items():
            try:
                model = WrappedNormalClassifier(reg_param=value, **EQUAL)
                scores.append(score(model, {}, points, y)[0])
            except ValueError:
                scores.append(np.nan)
    everywhere = np.isfinite(np.array(list(found.values()))).all(axis=0)
    for value, scores in found.items():
        mean = np.mean(np.array(scores)[everywhere])
        data = f"{everywhere.sum()} of {len(everywhere)} sets"
        yield "regularise", data, "", "", "", f"reg_param={value}", round(mean, 2), "", "", ""


def clouds(dimension, per_class, isotropic, seed):
    """Points of three wrapped normals, and their classes."""
    rng = np.random.default_rng(seed)
    parts = []
    for k in range(3):
        centre = 0.6 * rng.normal(size=(1, dimension)) / np.sqrt(dimension)
        axes = np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]
        spread = 0.3 * (k + 1) if isotropic else rng.uniform(0.2, 1.4, dimension)
        vectors = 0.7 * (rng.normal(size=(per_class, dimension)) * spread) @ axes.T
        parts.append(tangent.lift(vectors, charts.convert(centre, "tangent", "hyperboloid")[0]))
    return np.concatenate(parts), np.repeat(np.arange(3), per_class)


def few_rows(_mirror):
    found = {
        (f"{kind} covariances", 3 * n, d, 3): [clouds(d, n, kind == "equal", k) for k in range(6)]
        for d in (2, 5, 10, 30)
        for n in (10, 20, 50)
        for kind in ("equal", "random")
    }
    X, y = load_breast_cancer(return_X_y=True)
    X = charts.convert(StandardScaler().fit_transform(X) / np.sqrt(30), "tangent", "hyperboloid")
    found["breast_cancer", len(X), 30, 2] = [(X, y)]
    for about, sets in found.items():
        for value in (0.01, 0.1, 0.3, "auto"):
            model = WrappedNormalClassifier(reg_param=value, **EQUAL)
            mean = np.mean([score(model, {}, *one)[0] for one in sets])
            yield "few_rows", *about, f"reg_param={value}", round(mean, 2), "", "", ""


def scale(_mirror):
    rng = np.random.default_rng(0)
    for n in (10**4, 10**5, 10**6):
        y = rng.integers(3, size=n)
        X = rng.normal(size=(n, 2)) + 2 * rng.normal(size=(3, 2))[y]
        models = {
            "wrapped normal": WrappedNormalClassifier(chart="tangent"),
            "wrapped normal mixture, 2": WrappedNormalClassifier(
                n_components=2, random_state=0, chart="tangent"
            ),
            "hyperbolic k-NN": GeodesicKNeighborsClassifier(chart="tangent"),
            "k-NN, tangent": KNeighborsClassifier(),
            "QDA, tangent": QuadraticDiscriminantAnalysis(),
        }
        for method, model in models.items():
            clock, start = time.perf_counter(), time.process_time()
            model.fit(X, y).predict(X)
            clock, start = time.perf_counter() - clock, time.process_time() - start
            tracemalloc.start()
            model.fit(X, y).predict(X)
            memory = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            times = f"{clock:.3g}", f"{start:.3g}", round(memory, 1)
            yield "scale", "Gaussians", n, 2, 3, method, "", *times


def mean(_mirror):
    rng = np.random.default_rng(0)
    base = lorentz.origin(2)
    for spread in (0.3, 1.0, 2.0, 3.0):
        draws = [tangent.lift(spread * rng.normal(size=(100, 2)), base) for _ in range(500)]
        rules = {
            "Fréchet mean": lambda x: mean_and_covariance(x)[0],
            "Lorentz centroid": lorentz.midpoint,
        }
        for method, rule in rules.items():
            errors = [lorentz.distance(rule(x), base) for x in draws]
            value = f"{np.sqrt(np.mean(np.square(errors))):.3g}"
            yield "mean", f"spread {spread:g}", 100, 2, 1, method, value, "", "", ""


PARTS = {
    "scale": scale,
    "mean": mean,
    "regularise": regularise,
    "few_rows": few_rows,
    "accuracy": accuracy,
    "held_out": held_out,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    parser.add_argument("--mirror", default=os.environ.get("NONEUCLID_MIRROR"))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for part in arguments.parts:
        rows = []
        for row in PARTS[part](arguments.mirror):
            rows.append(row)
            print(*row, sep="\t", flush=True)
            table = pd.DataFrame(rows, columns=COLUMNS)
            if OUTPUT.exists():
                kept = pd.read_csv(OUTPUT, sep="\t", keep_default_na=False)
                table = pd.concat([kept[~kept["part"].isin([part, f"{part}_tests"])], table])
            table.to_csv(OUTPUT, sep="\t", index=False)
