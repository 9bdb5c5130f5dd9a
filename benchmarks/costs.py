"""CPU time of one fit of every method by size, and the laws fitted to it.

    python benchmarks/costs.py            # measures what benchmarks/costs.tsv lacks
    python benchmarks/costs.py --fit      # resources/costs.tsv from it, which `estimate` reads

Two to six overlapping hyperbolic Gaussians (for a simplex their softmax, for a box their sigmoids,
for regressors the number of the Gaussian with noise), methods with the settings of the first
configuration that names them, one fit after a small one that compiles; classifiers also with 20 and
60 classes. The law is  seconds = p^delta b + p^gamma a n^alpha d^beta,  p the number of classes, or
1 for two; least squares on logarithms. With landmarks it is  p a n.
Memory: the most that numpy held during the fit, in copies of the data, and for many classes in
numbers for each row and class.
"""

import sys
import time
import tracemalloc
import warnings
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy.optimize import least_squares
from scipy.special import expit, softmax
from sklearn.base import is_regressor

import atlas_classifiers
from noneuclid.geometry import charts
from noneuclid_compare.config import configuration, load_by_name
from noneuclid_compare.data.generators import hyperbolic_gaussians
from noneuclid_compare.evaluation import baselines
from noneuclid_compare.jobs import costs, forests

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "benchmarks/costs.tsv"
FITTED = ROOT / "resources/costs.tsv"
CONFIGS = ["config/config.yaml", "config/regression.yaml", "papers/config/acharya2026.yaml"]
CONFIGS += ["papers/config/chlenski2024.yaml", "tests/config/tiny.yaml"]
CONFIGS += [
    "papers/config/yang2024.yaml",
    "papers/config/certificates.yaml",
    "papers/config/league.yaml",
]
CONFIGS += [f"papers/config/acharya2026_{name}.yaml" for name in ("boxes", "polygons")]
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
# A method with a fit of seconds on few points, and the sizes that it is measured on.
FEW = [(30, 2, 2), (60, 2, 2), (100, 2, 2), (300, 2, 2), (60, 2, 6)]
# Methods that no configuration names yet.
UNNAMED = [f"noneuclid.{name}" for name in (*costs.MATRICES, "HyperbolicNystroemClassifier")]
LIMIT = 1.5
# Fits to many classes that take longer, by the laws without them, are left out.
LONG = 6.0
# A law that is off by more than this factor at two sizes is useless.
USELESS = 4
# Measured elsewhere: points, seconds, the same with more points, where.
EMBEDDINGS = {
    "hydra": (500, 1.299, 5000, 11.661, "benchmarks/hydra.tsv"),
    "poincare_maps": (200, 0.2, 3934, 179.5, "benchmarks/poincare_maps.tsv"),
    "deepwalk": (34, 0.49, 1222, 41.84, "benchmarks/graph_embeddings.tsv"),
    "random_walk": (34, 0.57, 1222, 41.96, "benchmarks/graph_embeddings.tsv"),
    "nickel_kiela": (34, 0.03, 1222, 5.79, "benchmarks/graph_embeddings.tsv"),
    "hyperbolic_umap": (10000, 7.0, 1000000, 944.7, "benchmarks/atlas_layout.tsv"),
    "umap": (200, 0.25, 2000, 11.26, "benchmarks/flat_embeddings.tsv"),
    "tsne": (200, 0.82, 2000, 16.45, "benchmarks/flat_embeddings.tsv"),
    "spectral": (200, 0.06, 2000, 6.29, "benchmarks/flat_embeddings.tsv"),
    "labne": (500, 0.01, 1222, 0.13, "benchmarks/graph_embeddings.tsv"),
}
# Takes minutes: its times are those of the configuration yang2024.
SLOW = "moment"
# The conic solver's memory is not numpy's: what the process grew by, with 1,000 and 30,000 points
# (100 and 300 without a bounded region).
COPIES = {"moment": 1500, costs.UNBOUNDED: 38000, "sdp": 75, costs.LANDMARKS_WORD: 4}
PROPORTIONAL = "n_estimators"
# Estimators of what the stage certify solves with beside the solvers of HyperboloidSVC.
PROGRAMS = {
    "published_pgd": "yang2024_published_pgd",
    "released_pgd": "yang2024_released_pgd",
}


def data(n, d, k, chart):
    # Radii grow with (d - 1) times the variance.
    spread = {"variance": 2 / d, "centre_variance": 3 / d}
    settings = {"classes": k, "per_class": n // k, "dimension": d, **spread}
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
    """Sizes that a method is measured on, besides those of many classes."""
    if costs.matrices_of(method):
        return PAIRED
    if costs.key_of(method)[1] == costs.UNBOUNDED:
        return FEW
    sizes = WIDE if method["use"].startswith("baseline_") else SIZES
    plane = "polygon" in costs.algorithm_of(method["params"])
    return [(n, d, k) for n, d, k in sizes if d == 2 or not plane]


def lacking(method, part):
    """Sizes that a method is to be measured on, after the measurements `part`."""
    if part.empty:
        return sizes_of(method)
    if part["classes"].max() >= MANY[0][2] or is_regressor(build(method)):
        return []
    law, trees = costs.Law(*fit(part)[0], 0, 0, 0, 0, 0, ""), part["trees"].iloc[0]
    tried = [size for size in MANY if size[0] <= part["n"].max()]
    return [size for size in tried if trees * law.of(*size) < LONG]


def measure(method, sizes):
    """Rows (n, d, classes, seconds, copies) until one fit takes longer than the limit."""
    seconds, estimator = 0.0, build(method)
    estimator.fit(*task(estimator, 60, 2, 2, method["chart"]))
    for n, d, k in sizes:
        if seconds > LIMIT and sizes is not FEW:
            return
        X, y = task(estimator, n, d, k, method["chart"])
        if "data_kind" in estimator.get_params():
            # Many columns are those of genes or pixels, of which principal components are taken.
            estimator.set_params(data_kind="expression" if d > baselines.COMPONENTS else "features")
        start = time.process_time()
        estimator.fit(X, y)
        seconds = time.process_time() - start
        short = seconds < (1 if k < MANY[0][2] else LONG)
        yield n, d, k, round(seconds, 5), round(copies(estimator, X, y), 2) if short else None


def copies(estimator, X, y):
    """Peak of what numpy allocates in one fit, as a multiple of the data."""
    tracemalloc.start()
    estimator.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / X.nbytes


def methods():
    """Every method and solver of the configurations, those of one class and algorithm once."""
    found = {}
    for path in CONFIGS:
        config = configuration.expanded(yaml.safe_load((ROOT / path).read_text()))
        config = configuration.with_baselines(config)
        named = map(partial(configuration.method_of, config), config["methods"])
        for method in chain(named, solvers(config)):
            found.setdefault(costs.key_of(method), method)
    for use in UNNAMED:
        method = {"use": use, "params": {}, "chart": "hyperboloid"}
        found.setdefault(costs.key_of(method), method)
    return {key: method for key, method in found.items() if key != (costs.CERTIFIED, SLOW)}


def solvers(config):
    """Solvers that the stage certify runs, as methods."""
    for entry in config.get("certificates", {}).get("solvers", {}).values():
        settings = {key: value for key, value in entry.items() if key != "max_points"}
        name = PROGRAMS.get(entry["solver"], costs.CERTIFIED)
        if name != costs.CERTIFIED:
            del settings["solver"]
        yield {"use": name, "params": settings, "chart": "hyperboloid"}


def measure_all():
    table = pd.read_csv(MEASURED, sep="\t", keep_default_na=False, na_values=[""])
    table = table.fillna({"algorithm": ""})
    for (cls, algorithm), method in methods().items():
        chosen = f"use == {cls!r} and algorithm == {algorithm!r}"
        while sizes := lacking(method, table.query(chosen)):
            trees = method["params"].get(PROPORTIONAL, 1)
            rows = [[cls, algorithm, trees, *row] for row in measure(method, sizes)]
            print(*rows, sep="\n", flush=True)
            table = pd.concat([table, pd.DataFrame(rows, columns=table.columns)])
            table.to_csv(MEASURED, sep="\t", index=False)


def fit(part):
    """Law (b, a, alpha, beta, gamma, delta) of one method, and its errors as factors."""
    n, d, k = (part[name].to_numpy(float) for name in ("n", "d", "classes"))
    problems = np.log(np.where(k > 2, k, 1))
    target = np.log((part["seconds"] / part["trees"]).to_numpy(float))

    def residual(v):
        growing = v[1] + v[2] * np.log(n) + v[3] * np.log(d) + v[4] * problems
        return np.logaddexp(v[0] + v[5] * problems, growing) - target

    low = target.min()
    start, most = [low, low - 7, 1, 0.5, 0.5, 0.5], [5, 5, 2.5, 2, 2, 2]
    found = least_squares(residual, start, bounds=([-25, -25, 0, 0, 0, 0], most))
    return (*np.exp(found.x[:2]), *found.x[2:]), np.exp(np.sort(np.abs(found.fun))[::-1])


def fit_landmarks(part):
    """The same for an approximated kernel, linear in rows and classes."""
    k = part["classes"]
    logs = np.log(part["seconds"] / part["n"] / k.where(k > 2, 1))
    errors = np.sort(np.exp(np.abs(logs - logs.mean())))[::-1]
    return (0.0, np.exp(logs.mean()), 1.0, 0.0, 1.0, 0.0), errors


def certified():
    """Times of the certified hyperboloid SVM on many rows and dimensions."""
    path = "benchmarks/hyperboloid_svm_scale.tsv"
    table = pd.read_csv(ROOT / path, sep="\t", comment="#")[["n", "d", "seconds"]]
    return table.assign(
        **{"use": costs.CERTIFIED, "algorithm": "", "trees": 1, "classes": 2, "source": path}
    )


def atlas():
    """Times with 60 classes on many rows."""
    path = "benchmarks/atlas_classifiers.tsv"
    table = pd.read_csv(ROOT / path, sep="\t")
    use = table["method"].map({name: use for name, (use, *_) in atlas_classifiers.METHODS.items()})
    # A law of a forest is that of a tree.
    trees = np.where(use.str.contains("Forest"), forests.TREES, 1)
    numbers = {"n": table["rows"], "d": 2, "classes": 60, "seconds": table["seconds"]}
    return pd.DataFrame({"use": use, "algorithm": "", "trees": trees, "source": path} | numbers)


def moment():
    """Times of the moment relaxation, C = 10: training rows of five folds, a pair by itself."""
    path = "papers/kept/yang2024.tsv"
    cells = pd.read_csv(ROOT / path, sep="\t").query("method == 'Moment' and metric == 'runtime_s'")
    sizes = pd.read_csv(ROOT / "resources/sizes.tsv", sep="\t")
    sizes["dataset"] = sizes["data"].str.extract(r"\bname=([^;]+)")[0].str.replace("_", " ")
    sizes = sizes[sizes["use"] == "yang2024_points"].drop_duplicates("dataset")
    cells = cells[["dataset", "variant", "ours"]].dropna()
    table = cells.merge(sizes, on="dataset")
    several = table["variant"].str.startswith("one-vs-one") & (table["classes"] > 2)
    n, k = 0.8 * table["rows"], table["classes"]
    return pd.DataFrame(
        {
            "n": n.where(~several, 2 * n / k),
            "d": table["dimension"],
            "classes": k.where(~several, 2),
            "seconds": table["ours"].where(~several, table["ours"] / (k * (k - 1) / 2)),
        }
    ).assign(**{"use": costs.CERTIFIED, "algorithm": SLOW, "trees": 1, "source": path})


def fit_all():
    table = pd.read_csv(MEASURED, sep="\t", keep_default_na=False, na_values=[""])
    table = table.fillna({"algorithm": ""}).assign(source="benchmarks/costs.tsv")
    table = pd.concat([table, certified(), moment(), atlas()])
    approximated = table["use"].isin(costs.APPROXIMATED) & (table["n"] > baselines.EXACT_ROWS)
    table.loc[approximated, "algorithm"] = costs.LANDMARKS_WORD
    rows = []
    for (name, algorithm), part in table.groupby(["use", "algorithm"], sort=False):
        law, errors = (fit_landmarks if algorithm == costs.LANDMARKS_WORD else fit)(part)
        if errors[:2].min() > USELESS:
            continue
        several = part["classes"] >= MANY[0][2]
        many, part = part[several], part[~several]
        found = part[part["n"] * part["d"] >= 6000]["copies"].max()
        found = part["copies"].min() if np.isnan(found) else found
        if costs.matrices_of({"use": name}):
            found = 3  # beside the matrices
        elif name in UNNAMED:
            found = part["copies"].dropna().iloc[-1]  # a block and small matrices, whatever n
        # Points have a coordinate more than dimensions, at most.
        many_held = many[many["n"] * many["d"] >= 6000].dropna(subset="copies").tail(1)
        more = ((many_held["copies"] - found) * (many_held["d"] + 1) / many_held["classes"]).max()
        # Trees are counted by their nodes.
        fixed = name in UNNAMED or forests.is_forest({"use": name})
        more = 0.0 if fixed else max(0.0, np.nan_to_num(more))
        found = COPIES.get(algorithm, found)
        numbers = [f"{v:.3g}" for v in (*law, found, more, errors[0])]
        part = pd.concat([part, many])
        largest = int(part["n"].max()), int(part["d"].max())
        rows.append([name, algorithm, *numbers, *largest, " ".join(part["source"].unique())])
    for name, (few, short, many, long, source) in EMBEDDINGS.items():
        power = np.log(long / short) / np.log(many / few)
        numbers = [f"{v:.3g}" for v in (0, short / few**power, power, 0, 0, 0)]
        rows.append([name, "", *numbers, "", "", "", many, "", source])
    columns = ["use", "algorithm", "start", "seconds", "n", "d", "problems", "start_problems"]
    columns += ["copies", "decisions", "error", "largest_n", "largest_d", "source"]
    pd.DataFrame(rows, columns=columns, dtype=object).to_csv(FITTED, sep="\t", index=False)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    fit_all() if "--fit" in sys.argv else measure_all()
