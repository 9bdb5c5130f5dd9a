"""Projected gradient descent for the hyperboloid SVM: the figures of cho2019 and yang2024 again.

    NONEUCLID_MIRROR=FOLDER python benchmarks/hyperboloid_pgd.py [--sets karate olsson ...]
        [--output FILE]

The table is hyperboloid_pgd.tsv; with a part of the sets it is printed only, unless
--output names a file.

yang2024, tables 5 to 7: five stratified folds (seed 0), one-vs-rest by the largest Platt
probability of training scores, two classes by the side; accuracy in %, and weighted F1.
cho2019, table 1: three of the five embeddings of each network, five stratified halves, C by inner
cross-validation; macro-averaged area under the precision-recall curve by trapezoids from the first
ranked item, which depends on the ranking alone, so that no Platt scaling is needed.

`published` stands in the papers. `authors_value` and `authors_seconds` come from the authors'
programs, run on another day on a like machine with one thread (yang2024: all five folds; cho2019:
one trial). `seconds` (ours, start and choice of C included) and `numpy_seconds` (the same steps by
whole arrays in numpy, where measured) are processor seconds of one run here; `objective_difference`
is the largest relative difference of the objectives that the two reach. At C = 10 the fixed step is
too long and the descent chaotic on most sets: `shaken_low` and `shaken_high` are the smallest and
the largest value of ten runs whose starts differ by 1e-13. Some of the authors' figures lie outside
of that range, so rounding does not explain every difference. Run with OMP_NUM_THREADS=1.
"""

import argparse
import math
import os
import platform
import time
from itertools import product
from pathlib import Path

import numba
import numpy as np
from scipy.io import loadmat
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.svm import LinearSVC

from noneuclid.classifiers.calibration import fit_platt
from noneuclid.geometry.charts import convert
from noneuclid.geometry.lorentz import product as lorentz_product
from noneuclid.solvers.hyperboloid import problem as problem
from noneuclid.solvers.hyperboloid.descent import projected_gradient as pgd
from noneuclid.solvers.hyperboloid.descent.warm_start import warm_start
from noneuclid_papers.programs import cho2019, yang2024_solvers
from outputs import options_of, paper_file

CS = (0.1, 1.0, 10.0)
SHAKES, SHAKE = 10, 1e-13
COLUMNS = (
    *("paper", "set", "C", "loss", "start", "metric", "value", "sd", "shaken_low", "shaken_high"),
    *("published", "authors_value", "seconds", "numpy_seconds", "numpy_ratio"),
    *("objective_difference", "authors_seconds", "authors_ratio"),
)

# Accuracy and weighted F1 of the PGD columns at C = 0.1, 1, 10.
YANG = {
    "karate": ((50.00, 0.34), (50.00, 0.34), (50.00, 0.34)),
    "polbooks": ((83.81, 0.79), (84.76, 0.79), (83.81, 0.79)),
    "football": ((40.00, 0.28), (40.87, 0.29), (41.74, 0.29)),
    "olsson": ((54.23, 0.43), (58.31, 0.48), (74.27, 0.69)),
    "myeloidprogenitors": ((50.39, 0.42), (59.94, 0.54), (69.34, 0.66)),
    "krumsiek": ((67.24, 0.65), (78.19, 0.74), (81.78, 0.79)),
    "moignard": ((58.13, 0.52), (63.37, 0.62), (60.40, 0.58)),
    "paul": ((32.03, 0.22), (54.86, 0.48), (46.61, 0.36)),
}
YANG_START = {
    "corrected": yang2024_solvers.published_start,
    "as_released": yang2024_solvers.released_start,
}
YANG_DESCENT = {
    "corrected": yang2024_solvers.published_pgd,
    "as_released": yang2024_solvers.released_pgd,
}
YANG_STEPS = (yang2024_solvers.LEARNING_RATE, yang2024_solvers.MAX_ITER)
CHO_DESCENT = {"corrected": pgd.solve, "as_released": cho2019.released_pgd}
# By set and start, at the three C: accuracy, weighted F1, seconds; karate with integer labels.
YANG_AUTHORS = {
    ("karate", "corrected"): ((90.95, 0.907, ""), (94.29, 0.942, ""), (90.95, 0.907, "")),
    ("olsson", "as_released"): ((54.23, 0.428, 37), (58.31, 0.476, 33), (74.90, 0.705, 22)),
    ("olsson", "corrected"): ((82.15, 0.796, 18), (80.25, 0.777, 15), (81.18, 0.787, 13)),
    ("paul", "as_released"): ((32.03, 0.216, 124), (54.89, 0.480, 111), (47.53, 0.374, 108)),
    ("paul", "corrected"): ((62.37, 0.585, 110), ("", "", ""), (59.14, 0.541, 103)),
}
# Published hyperbolic and Euclidean, the same by the authors' program, its seconds a trial.
CHO = {
    "karate": (0.86, 0.86, 0.851, 0.853, 0.6),
    "polbooks": (0.73, 0.66, 0.726, 0.660, 1.4),
    "football": (0.24, 0.21, 0.236, 0.214, 3.8),
    "polblogs": (0.93, 0.93, 0.935, 0.934, 0.9),
}


def plain_descent(points, signs, start, C, loss, learning_rate, max_iter, cuts):
    """The objective that the same steps reach, by whole arrays, as one would write it in numpy."""
    rows, flip = problem.signed_rows(points, signs), np.ones(points.shape[1])
    flip[0] = -1.0
    start, lowest = pgd.project(start), np.inf
    for cut in range(cuts + 1):
        w, first = start, None
        for i in range(max_iter + 1):
            short = np.minimum(rows @ w, 1.0)
            hinge = loss == "hinge"
            losses = (1 - short) * problem.HINGE_SLOPE if hinge else np.arcsinh(short)
            total = losses.sum() if hinge else len(rows) * math.asinh(1.0) - losses.sum()
            value = 0.5 * (flip * w) @ w + C * total
            first = value if first is None else first
            if cuts and i == 100 and value > first:
                break
            lowest = min(lowest, value)
            slope = problem.HINGE_SLOPE if hinge else 1 / np.sqrt(1 + short**2)
            pull = np.where(short < 1.0, slope, 0.0)
            w = w - learning_rate / 10**cut * (flip * w - C * (pull @ rows))
            if w[0] ** 2 >= w[1:] @ w[1:] * (1 - 2e-9):
                w = pgd.project(w)
        else:
            break
    return lowest


def yang_points(name):
    folder = paper_file("hsvm-relax", name)
    return np.load(folder / "X_lorentz.npy"), np.load(folder / "y.npy").ravel().astype(int)


def yang_problems(y):
    """Folds, each with the signs of its binary problems."""
    classes = np.unique(y)
    positive = classes[1:] if len(classes) == 2 else classes
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(y, y):
        yield train, test, [np.where(y[train] == k, 1.0, -1.0) for k in positive]


def shaken_fit(points, signs, C, loss, start, rng):
    """The descent of yang2024 from its start times 1 + 1e-13 z, z normal."""
    w = YANG_START[start](points, signs, C)
    w = w * (1 + SHAKE * rng.normal(size=len(w)))
    return pgd.descend(points, signs, w, C, loss, *YANG_STEPS, cuts=0)


def yang(name, C, start="corrected", loss="arcsinh", rng=None):
    """Accuracy in % and weighted F1 of the five folds, and the objectives of all fits."""
    X, y = yang_points(name)
    scores, objectives = [], []
    for train, test, problems in yang_problems(y):
        columns = []
        for signs in problems:
            if rng is None:
                fit = YANG_DESCENT[start](X[train], signs, C, loss)
            else:
                fit = shaken_fit(X[train], signs, C, loss, start, rng)
            objectives.append(fit.objective)
            # Two classes are told apart by the side, not by a sigmoid.
            binary = len(problems) == 1
            slope, offset = (1, 0) if binary else fit_platt(lorentz_product(X[train], fit.w), signs)
            columns.append(slope * lorentz_product(X[test], fit.w) + offset)
        values = np.column_stack([-columns[0], *columns] if binary else columns)
        predicted = np.unique(y)[values.argmax(axis=1)]
        f1 = f1_score(y[test], predicted, average="weighted")
        scores.append((100 * np.mean(predicted == y[test]), f1))
    return np.array(scores), np.array(objectives)


def yang_plain(name, C, start="corrected", loss="arcsinh"):
    """Objectives and processor seconds of the plain descent on the same problems."""
    X, y = yang_points(name)
    objectives, begin = [], time.process_time()
    steps = (loss, *YANG_STEPS, 0)
    for train, _, problems in yang_problems(y):
        for signs in problems:
            w = YANG_START[start](X[train], signs, C)
            objectives.append(plain_descent(X[train], signs, w, C, *steps))
    return np.array(objectives), time.process_time() - begin


def hyperbolic_svm(points, signs, C, start):
    w = CHO_DESCENT[start](points, signs, C).w
    return lambda others: lorentz_product(others, w)


def plain_hyperbolic_svm(points, signs, C, start):
    w = warm_start(points, signs, C)
    plain_descent(points, signs, w, C, "arcsinh", pgd.LEARNING_RATE, pgd.MAX_ITER, 6)
    return lambda others: lorentz_product(others, w)  # only its time counts


def euclidean_svm(points, signs, C, start):
    """LIBLINEAR without intercept on the coordinates of the Poincaré disk."""
    disk = convert(points, "hyperboloid", "poincare")
    model = LinearSVC(C=C, fit_intercept=False, dual=False, random_state=0).fit(disk, signs)
    return lambda others: model.decision_function(convert(others, "hyperboloid", "poincare"))


def trapezoid_aupr(positive, scores):
    """Area under the precision-recall curve by trapezoids from the first ranked item."""
    order = np.argsort(-scores, kind="stable")
    last = np.r_[np.diff(scores[order]) != 0, True]  # one point for each group of ties
    hits = np.cumsum(positive[order])[last]
    precision = hits / (np.flatnonzero(last) + 1)
    return np.trapezoid(precision, hits / positive.sum())


def macro_aupr(y, scores):
    codes = [1] if scores.shape[1] == 1 else range(scores.shape[1])
    pairs = [(y == k, column) for k, column in zip(codes, scores.T, strict=True)]
    return np.mean([trapezoid_aupr(p, column) for p, column in pairs if p.any() and not p.all()])


def one_vs_rest(svm, X, y, C, start, others):
    codes = [1] if y.max() == 1 else range(y.max() + 1)
    fits = [svm(X, np.where(y == k, 1.0, -1.0), C, start) for k in codes]
    return np.column_stack([fit(others) for fit in fits])


def cho_trial(svm, X, y, train, test, seed, start="corrected"):
    """Choose C on the training half, fit, rank the other half."""
    inner = []
    for C in CS:
        scores = [None] * len(train)
        folds = min(3, np.bincount(y[train]).min())
        cv = StratifiedKFold(folds, shuffle=True, random_state=seed)
        for a, b in cv.split(train, y[train]):
            rows = one_vs_rest(svm, X[train[a]], y[train[a]], C, start, X[train[b]])
            for i, row in zip(b, rows, strict=True):
                scores[i] = row
        inner.append(macro_aupr(y[train], np.array(scores)))
    C = CS[int(np.argmax(inner))]
    return macro_aupr(y[test], one_vs_rest(svm, X[train], y[train], C, start, X[test]))


def cho(name, svm, start="corrected", embeddings=(1, 2, 3)):
    """Macro AUPR of all trials, and processor seconds a trial."""
    values, begin = [], time.process_time()
    for run in embeddings:
        file = loadmat(paper_file("hyplinear", "realnet", f"{name}_data_{run}.mat"))
        X = convert(file["B"], "poincare", "hyperboloid")
        y = file["label"].ravel().astype(int) - 1
        halves = StratifiedShuffleSplit(5, test_size=0.5, random_state=run).split(X, y)
        values += [cho_trial(svm, X, y, *rows, seed, start) for seed, rows in enumerate(halves)]
    return np.array(values), (time.process_time() - begin) / len(values)


def shaken_scores(name, C, start):
    """Means of accuracy and F1 over the folds, for each of ten shaken starts."""
    rngs = [np.random.default_rng(seed) for seed in range(SHAKES)]
    return np.array([yang(name, C, start, rng=rng)[0].mean(axis=0) for rng in rngs])


def yang_rows(name):
    published = dict(zip(CS, YANG[name], strict=True))
    for (loss, start), C in product(
        (("arcsinh", "as_released"), ("arcsinh", "corrected"), ("hinge", "corrected")), CS
    ):
        begin = time.process_time()
        scores, objectives = yang(name, C, start, loss)
        took = time.process_time() - begin
        timing, shaken = {"seconds": took}, None
        if loss == "arcsinh" and C > 1.0:
            shaken = shaken_scores(name, C, start)
        if loss == "arcsinh" and start == "corrected" and C != 1.0:
            plain, plain_took = yang_plain(name, C, start, loss)
            difference = np.abs(plain / objectives - 1).max()
            timing |= {"numpy_seconds": plain_took, "numpy_ratio": plain_took / took}
            timing |= {"objective_difference": difference}
        authors = YANG_AUTHORS.get((name, start)) if loss == "arcsinh" else None
        theirs = dict(zip(CS, authors, strict=True))[C] if authors else ("", "", "")
        if theirs[2]:
            timing |= {"authors_seconds": theirs[2], "authors_ratio": theirs[2] / took}
        for i, metric in enumerate(("accuracy", "f1_weighted")):
            yield {
                "paper": "yang2024",
                "set": name,
                "C": C,
                "loss": loss,
                "start": start,
                "metric": metric,
                "value": scores[:, i].mean(),
                "sd": scores[:, i].std(),
                "shaken_low": "" if shaken is None else shaken[:, i].min(),
                "shaken_high": "" if shaken is None else shaken[:, i].max(),
                "published": published[C][i],
                "authors_value": theirs[i],
                **timing,
            }


def cho_rows(name):
    hyperbolic, euclidean, *theirs, authors_seconds = CHO[name]
    _, plain_took = cho(name, plain_hyperbolic_svm, embeddings=(1,))
    for svm, loss, start, published, value in (
        (hyperbolic_svm, "arcsinh", "corrected", hyperbolic, theirs[0]),
        (hyperbolic_svm, "arcsinh", "as_released", hyperbolic, theirs[0]),
        (euclidean_svm, "euclidean", "", euclidean, theirs[1]),
    ):
        values, took = cho(name, svm, start)
        timing = {"seconds": took}
        if start == "corrected":
            timing |= {"numpy_seconds": plain_took, "numpy_ratio": plain_took / took}
            timing |= {"authors_seconds": authors_seconds, "authors_ratio": authors_seconds / took}
        yield {
            "paper": "cho2019",
            "set": name,
            "C": "inner",
            "loss": loss,
            "start": start,
            "metric": "aupr_trapezoid_macro",
            "value": values.mean(),
            "sd": values.std(),
            "published": published,
            "authors_value": value,
            **timing,
        }


def line(row):
    cells = [row.get(name, "") for name in COLUMNS]
    return "\t".join(f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sets = [*YANG, "polblogs"]
    parser.add_argument("--sets", nargs="*", choices=sets, default=sets)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    machine = f"numpy {np.__version__}, numba {numba.__version__}, {os.cpu_count()} cpus"
    lines = [f"# python {platform.python_version()}, {machine}", "\t".join(COLUMNS)]
    print("\n".join(lines))
    for table, names in ((cho_rows, CHO), (yang_rows, YANG)):
        for name in (name for name in names if name in options.sets):
            for row in table(name):
                lines.append(line(row))
                print(lines[-1], flush=True)
    if options.output is not None:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
