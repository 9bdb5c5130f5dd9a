"""Cost of a fit and of a prediction at ordinary sizes, beside scikit-learn's counterparts.

    python benchmarks/ordinary_sizes.py [CLASS ...] [--rows 150 500] [--output FILE]

Handwritten digits, projected onto d principal components and into the Poincaré ball: three classes
for 150 rows, else ten; above 1,797 rows, repeated rows with noise. Both classes are fitted in turns
in one process with one thread, and `fit_ratio` and `predict_ratio` are ratios of median processor
times. Methods with `calibration` are measured with and without it; the counterpart always has none.
"""

import argparse
import os
import time
import warnings
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

import noneuclid
from noneuclid.geometry import charts
from outputs import options_of

TABLE = Path(__file__).with_suffix(".tsv")
COUNTERPARTS = {
    "PoincareSVC": LinearSVC(),
    "HyperboloidSVC": LinearSVC(),
    "EuclideanSVC": LinearSVC(),
    "PoincarePerceptron": Perceptron(),
    "PoincareSecondOrderPerceptron": Perceptron(),
    "HyperboloidPerceptron": Perceptron(),
    "HyperbolicLogisticRegression": LogisticRegression(),
    "HorosphereDecisionTreeClassifier": DecisionTreeClassifier(),
    "HyperbolicDecisionTreeClassifier": DecisionTreeClassifier(),
    "HyperbolicKernelSVC": OneVsRestClassifier(SVC()),
    "WrappedNormalClassifier": QuadraticDiscriminantAnalysis(),
    "GeodesicKNeighborsClassifier": KNeighborsClassifier(),
}
ROWS, DIMENSIONS = (150, 500, 1797, 5000, 20_000), (2, 5, 10)
LEAST, MOST, ENOUGH = 3, 15, 1.0  # rounds, and seconds after which no further one is begun
# scikit-learn's kernel machine takes minutes beyond.
SLOW = {"HyperbolicKernelSVC": 5000}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("classes", nargs="*", metavar="CLASS", help="default: all")
    parser.add_argument("--rows", nargs="+", type=int, default=ROWS)
    options = options_of(parser, TABLE)
    warnings.simplefilter("ignore")
    rows = []
    for name in options.classes or COUNTERPARTS:
        for d in DIMENSIONS:
            for n in options.rows:
                if n <= SLOW.get(name, n):
                    rows += compare(name, n, d)
    table = pd.DataFrame(rows)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False)
    print(table.to_string(index=False))


def compare(name, n, d):
    X, y = digits(n, d)
    model, other = getattr(noneuclid, name)(chart="poincare"), COUNTERPARTS[name]
    flat = charts.convert(X, "poincare", "tangent")
    settings = [{}]
    if "calibration" in model.get_params():
        settings = [{"calibration": model.calibration}, {"calibration": None}]
    if name == "HyperboloidSVC":
        settings.append({"calibration": None, "solver": "local"})
    for more in settings:
        model.set_params(**more)
        fits = in_turns(lambda: model.fit(X, y), lambda: other.fit(flat, y))
        predictions = in_turns(lambda: model.predict(X), lambda: other.predict(flat))
        yield {
            "class": name,
            "settings": " ".join(f"{key}={value}" for key, value in more.items()),
            "n": n,
            "d": d,
            "fit_ms": round(1e3 * fits[0], 2),
            "fit_ratio": round(fits[0] / fits[1], 2),
            "predict_ms": round(1e3 * predictions[0], 2),
            "predict_ratio": round(predictions[0] / predictions[1], 2),
            "accuracy": round(model.score(X, y), 4),
            "counterpart_accuracy": round(other.score(flat, y), 4),
        }


def digits(n, d):
    """Points of the Poincaré ball, (n, d), and labels."""
    rng = np.random.default_rng(0)
    X, y = load_digits(return_X_y=True)
    if n == min(ROWS):
        X, y = X[y < 3], y[y < 3]
    X = PCA(d, random_state=0).fit_transform(X)
    rows = rng.permutation(len(X))[:n] if n <= len(X) else rng.integers(len(X), size=n)
    X, y = X[rows], y[rows]
    if n > 1797:
        X = X + 0.1 * X.std(axis=0) * rng.normal(size=X.shape)
    return X / (1.05 * np.linalg.norm(X, axis=1).max()), y


def in_turns(*functions):
    """Median processor seconds of each function, called in turns after one call of each."""
    for function in functions:
        function()
    times, start = [], time.perf_counter()
    while len(times) < LEAST or (len(times) < MOST and time.perf_counter() - start < ENOUGH):
        row = []
        for function in functions:
            before = time.process_time()
            function()
            row.append(time.process_time() - before)
        times.append(row)
    return np.median(times, axis=0)


if __name__ == "__main__":
    main()
