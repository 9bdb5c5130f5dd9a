"""CPU time and memory of one fit of every method by size.

    python benchmarks/costs.py            # measures what benchmarks/costs.tsv lacks

Two to six overlapping hyperbolic Gaussians (for a simplex their softmax, for a box their sigmoids,
for regressors the number of the Gaussian with noise), methods with the settings of the first
configuration that names them, one fit after a small one that compiles; classifiers also with 20 and
60 classes. Memory: the most that numpy held during the fit, in copies of the data. The laws of
`noneuclid_compare.jobs.job_resources` cover them.
"""

import time
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy.special import expit, softmax
from sklearn.base import is_regressor

from noneuclid.geometry import charts
from noneuclid_compare.config import configuration, load_by_name
from noneuclid_compare.data.generators import hyperbolic_gaussians
from noneuclid_compare.evaluation import baselines
from noneuclid_compare.jobs import job_resources

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "benchmarks/costs.tsv"
CONFIGS = ["config/config.yaml", "config/regression.yaml", "tests/config/tiny.yaml"]
CONFIGS += ["papers/config/certificates.yaml", "papers/config/league.yaml"]
# Parameters that choose the algorithm, and their values without a word: defaults, or equal in cost.
ALGORITHM = ("solver", "loss", "polytope", "metric")
PLAIN = ("optimal", "hinge", "squared_hinge", "simplex", "hilbert")
SIZES = [
    (100, 2, 2),
    (100, 2, 4),
    (300, 2, 2),
    (300, 16, 2),
    (300, 2, 6),
    (3000, 2, 2),
    (3000, 16, 2),
    (30000, 2, 2),
]
SIZES += [(300000, 2, 2)]
# Original features have more columns than points have coordinates.
WIDE = [(1000, 100, 2), (1000, 500, 2), (1000, 100, 10), (1000, 2000, 2)]
WIDE = [*SIZES[:-2], *WIDE, *SIZES[-2:]]
# For classifiers: laws in the number of classes.
MANY = [(1000, 2, 20), (6000, 2, 60), (60000, 2, 60)]
# Methods with a matrix of all pairs, and the sizes that they are measured on.
PAIRED = [*SIZES[:5], (1000, 2, 2), (2000, 2, 2)]
# Polytopes by their charts, and methods that no configuration names.
POLYTOPES = {"simplex": "simplex", "box": "box", "klein": {"regular_polygon": 24}}
UNNAMED = [{"use": name, "params": {}, "chart": "hyperboloid"} for name in job_resources.MATRICES]
UNNAMED.append(UNNAMED[0] | {"use": "noneuclid.HyperbolicNystroemClassifier"})
for chart, polytope in POLYTOPES.items():
    params = {"polytope": polytope}
    UNNAMED.append({"use": "noneuclid.HilbertNearestClassifier", "params": params, "chart": chart})
    for metric in ("hilbert", "funk", "reverse_funk"):
        params = {"C": 10, "tol": 0.01, "polytope": polytope, "metric": metric}
        UNNAMED.append({"use": "noneuclid.HilbertSVC", "params": params, "chart": chart})
# Seconds of a fit after which no larger one is measured, and with many classes.
LIMIT, LONG = 1.5, 6.0
PROPORTIONAL = "n_estimators"


def algorithm_of(params):
    """Algorithm that the parameters of a method choose, in words; empty for the default."""
    values = [params[key] for key in ALGORITHM if params.get(key) is not None]
    return " ".join(" ".join(v) if isinstance(v, dict) else v for v in values if v not in PLAIN)


def data(n, d, k, chart):
    # Radii grow with (d - 1) times the variance.
    spread = {"variance": 2 / d, "center_variance": 3 / d}
    settings = {"n_classes": k, "n_samples_per_class": n // k, "n_features": d, **spread}
    found = hyperbolic_gaussians.load({}, 0, **settings)
    tangent = charts.convert(found.features, found.chart, "tangent", 1.0)
    if chart == "simplex":
        return softmax(np.insert(tangent, 0, 0.0, axis=1), axis=1), found.labels
    if chart == "box":
        return expit(tangent), found.labels
    return charts.convert(found.features, found.chart, chart, 1.0), found.labels


def task(estimator, n, d, k, chart):
    """Rows, and labels or numbers, whichever the estimator predicts."""
    X, y = data(n, d, k, chart)
    noise = np.random.default_rng(0).normal(size=len(y))
    return X, y + noise if is_regressor(estimator) else y


def build(method):
    """The estimator of a method."""
    settings = {"chart": method["chart"], "curvature": 1.0, "random_state": 0}
    return load_by_name.build(method["use"], method["params"], **settings)


def sizes_of(method):
    """Sizes that a method is measured on: those of few classes, and those of many."""
    if method["use"] in job_resources.MATRICES:
        return PAIRED, MANY[:1]
    sizes = WIDE if method["use"].startswith("baseline_") else SIZES
    plane = "polygon" in algorithm_of(method["params"])
    few = [(n, d, k) for n, d, k in sizes if d == 2 or not plane]
    return few, [] if is_regressor(build(method)) else MANY


def measure(method, sizes, limit):
    """Rows (n, d, classes, seconds, copies) until one fit takes longer than the limit."""
    seconds, estimator = 0.0, build(method)
    estimator.fit(*task(estimator, 60, 2, 2, method["chart"]))
    for n, d, k in sizes:
        if seconds > limit:
            return
        X, y = task(estimator, n, d, k, method["chart"])
        if "data_kind" in estimator.get_params():
            # Many columns are those of genes or pixels, of which principal components are taken.
            estimator.set_params(data_kind="expression" if d > baselines.COMPONENTS else "features")
        start = time.process_time()
        estimator.fit(X, y)
        seconds = time.process_time() - start
        short = seconds < limit
        yield n, d, k, round(seconds, 5), round(copies(estimator, X, y), 2) if short else None


def copies(estimator, X, y):
    """Peak of what numpy allocates in one fit, as a multiple of the data."""
    tracemalloc.start()
    estimator.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / X.nbytes


def methods():
    """Every method of the configurations, those of one class and algorithm once."""
    found = {}
    for path in CONFIGS:
        config = configuration.expanded(yaml.safe_load((ROOT / path).read_text()))
        config = configuration.with_baselines(config)
        for name in config["methods"]:
            method = configuration.method_of(config, name)
            found.setdefault((method["use"], algorithm_of(method["params"])), method)
    for method in UNNAMED:
        found.setdefault((method["use"], algorithm_of(method["params"])), method)
    return found


def main():
    table = pd.read_csv(MEASURED, sep="\t", keep_default_na=False, na_values=[""])
    table = table.fillna({"algorithm": ""})
    known = set(zip(table["use"], table["algorithm"], strict=True))
    for key, method in methods().items():
        if key in known:
            continue
        trees = method["params"].get(PROPORTIONAL, 1)
        for sizes, limit in zip(sizes_of(method), (LIMIT, LONG), strict=True):
            rows = [[*key, trees, *row] for row in measure(method, sizes, limit)]
            print(*rows, sep="\n", flush=True)
            table = pd.concat([table, pd.DataFrame(rows, columns=table.columns)])
        table.to_csv(MEASURED, sep="\t", index=False)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
