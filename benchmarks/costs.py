"""CPU time of one fit of every method by size, and the laws fitted to it.

    python benchmarks/costs.py            # measures: benchmarks/costs.tsv
    python benchmarks/costs.py --fit      # resources/costs.tsv from it, which `estimate` reads

Two or six overlapping hyperbolic Gaussians (for a polytope their softmax, for regressors the number
of the Gaussian with noise), methods with the settings of the first configuration that names them,
one fit after a small one that compiles. The law is  seconds = p^gamma (b + a n^alpha d^beta),  p
the number of classes, or 1 for two; least squares on logarithms. Memory: the most that numpy held
during the fit, in copies of the data.
"""

import sys
import time
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy.optimize import least_squares
from scipy.special import softmax
from sklearn.base import is_regressor

from noneuclid import configuration, registry
from noneuclid.datasets import hyperbolic_gaussians
from noneuclid.geometry import charts

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "benchmarks/costs.tsv"
FITTED = ROOT / "resources/costs.tsv"
CONFIGS = ["config/config.yaml", "config/regression.yaml", "config/papers/acharya2026.yaml"]
CONFIGS += ["config/papers/chlenski2024.yaml", "tests/config/tiny.yaml"]
SIZES = [(300, 2, 2), (300, 16, 2), (300, 2, 6), (3000, 2, 2), (3000, 16, 2), (30000, 2, 2)]
SIZES += [(300000, 2, 2)]
LIMIT = 1.5
# A law that is off by more than this factor foretells nothing.
USELESS = 4
# Measured elsewhere: points, seconds, the same with more points, where.
EMBEDDINGS = {
    "hydra": (500, 1.299, 5000, 11.661, "benchmarks/hydra.tsv"),
    "poincare_maps": (200, 0.2, 3934, 179.5, "benchmarks/poincare_maps.tsv"),
    "deepwalk": (34, 0.49, 1222, 41.84, "benchmarks/graph_embeddings.tsv"),
    "random_walk": (34, 0.57, 1222, 41.96, "benchmarks/graph_embeddings.tsv"),
    "nickel_kiela": (34, 0.03, 1222, 5.79, "benchmarks/graph_embeddings.tsv"),
}
CERTIFIED = "noneuclid.classifiers.hyperboloid_svm.HyperboloidSVC"
# Settings that name another algorithm, and those that the time is proportional to.
ALGORITHM = "solver"
PROPORTIONAL = "n_estimators"


def data(n, d, k, chart):
    # Radii grow with (d - 1) times the variance.
    spread = {"variance": 2 / d, "centre_variance": 3 / d}
    settings = {"classes": k, "per_class": n // k, "dimension": d, **spread}
    found = hyperbolic_gaussians.load(settings, {}, 0)
    if chart == "simplex":
        tangent = charts.convert(found.features, found.chart, "tangent", 1.0)
        return softmax(np.insert(tangent, 0, 0.0, axis=1), axis=1), found.labels
    return charts.convert(found.features, found.chart, chart, 1.0), found.labels


def task(estimator, n, d, k, chart):
    """Rows, and labels or numbers, whichever the estimator predicts."""
    X, y = data(n, d, k, chart)
    noise = np.random.default_rng(0).normal(size=len(y))
    return X, y + noise if is_regressor(estimator) else y


def measure(method):
    """Rows (n, d, classes, seconds, copies) until one fit takes longer than the limit."""
    seconds = 0.0
    estimator = registry.build(
        method["class"], method["settings"], chart=method["chart"], curvature=1.0, random_state=0
    )
    estimator.fit(*task(estimator, 60, 2, 2, method["chart"]))
    for n, d, k in SIZES:
        if seconds > LIMIT:
            return
        X, y = task(estimator, n, d, k, method["chart"])
        start = time.process_time()
        estimator.fit(X, y)
        seconds = time.process_time() - start
        yield n, d, k, round(seconds, 5), round(copies(estimator, X, y), 2) if seconds < 1 else None


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
        config = yaml.safe_load((ROOT / path).read_text())
        for name in config["methods"]:
            method = configuration.method_of(config, name)
            found.setdefault((method["class"], method["settings"].get(ALGORITHM, "")), method)
    return found


def measure_all():
    rows = []
    for (cls, algorithm), method in methods().items():
        trees = method["settings"].get(PROPORTIONAL, 1)
        for row in measure(method):
            rows.append([cls, algorithm, trees, *row])
            print(*rows[-1], flush=True)
    columns = ["class", "solver", "trees", "n", "d", "classes", "seconds", "copies"]
    pd.DataFrame(rows, columns=columns).to_csv(MEASURED, sep="\t", index=False)


def fit(part):
    """Law (b, a, alpha, beta, gamma) of one method, and its largest error as a factor."""
    n, d, k = (part[name].to_numpy(float) for name in ("n", "d", "classes"))
    problems = np.where(k > 2, k, 1)
    target = np.log(part["seconds"] / part["trees"])

    def residual(v):
        growing = v[1] + v[2] * np.log(n) + v[3] * np.log(d)
        return v[4] * np.log(problems) + np.logaddexp(v[0], growing) - target

    low = target.min()
    found = least_squares(
        residual, [low, low - 7, 1, 0.5, 0.5], bounds=([-25, -25, 0, 0, 0], [5, 5, 3, 2, 2])
    )
    return (*np.exp(found.x[:2]), *found.x[2:]), np.exp(np.abs(found.fun).max())


def certified():
    """Times of the certified hyperboloid SVM on many rows and dimensions."""
    path = "benchmarks/hyperboloid_svm_scale.tsv"
    table = pd.read_csv(ROOT / path, sep="\t", comment="#")[["n", "d", "seconds"]]
    return table.assign(
        **{"class": CERTIFIED, "solver": "", "trees": 1, "classes": 2, "also": path}
    )


def fit_all():
    table = pd.read_csv(MEASURED, sep="\t", keep_default_na=False, na_values=[""])
    table["solver"] = table["solver"].fillna("")
    table = pd.concat([table, certified()])
    rows = []
    for (name, solver), part in table.groupby(["class", "solver"], sort=False):
        law, error = fit(part)
        if error > USELESS:
            continue
        copies = part.loc[part["n"] * part["d"] >= 6000, "copies"].max()
        numbers = [f"{v:.3g}" for v in (*law, copies, error)]
        source = " ".join(["benchmarks/costs.tsv", *part["also"].dropna().unique()])
        rows.append([name, solver, *numbers, part["n"].max(), part["d"].max(), source])
    for name, (few, short, many, long, source) in EMBEDDINGS.items():
        power = np.log(long / short) / np.log(many / few)
        numbers = [f"{v:.3g}" for v in (0, short / few**power, power, 0, 0)]
        rows.append([f"noneuclid.embeddings.{name}", "", *numbers, "", "", many, "", source])
    columns = ["class", "solver", "start", "seconds", "n", "d", "problems"]
    columns += ["copies", "error", "largest_n", "largest_d"]
    pd.DataFrame(rows, columns=[*columns, "source"]).to_csv(FITTED, sep="\t", index=False)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    fit_all() if "--fit" in sys.argv else measure_all()
