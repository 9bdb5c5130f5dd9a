"""The hyperboloid SVM's solvers side by side: time, certificates, accuracy, and scale.

    NONEUCLID_MIRROR=FOLDER python benchmarks/hyperboloid_svm.py tables [--sets karate ...]
        [--solvers optimal sdp pgd moment] [--folds 5]
    NONEUCLID_MIRROR=FOLDER python benchmarks/hyperboloid_svm.py images
    python benchmarks/hyperboloid_svm.py scale [--largest 10000000]

tables: data sets of yang2024 one-vs-rest, C = 10, five stratified folds (seed 0), problem (7), the
solvers in turn on the same fold. `published_s` and `published_f1` are of table 11 and of table 7
(8 cores, MOSEK), under the solver of the same name; `optimal` stands beside the moment relaxation.
`accuracy` and `f1` with Platt's sigmoid of the score, as published; `..._distance` with the sigmoid
of its asinh, our default. `certified` counts gaps of 1e-4 at most.
images: CIFAR10 and Fashion-MNIST one-vs-one, C = 10, the authors' training rows, one fit.
scale: uniform disk, and ball in d = 512, with 2 % of labels flipped, C = 1.

Seconds are processor seconds of one thread around `fit`, warmed up; run with OMP_NUM_THREADS=1.
Each part writes benchmarks/hyperboloid_svm_PART.tsv.
"""

import argparse
import os
import platform
import resource
import time
import warnings
from pathlib import Path

import clarabel
import numba
import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

from noneuclid import HyperboloidSVC
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.geometry.charts import convert
from noneuclid.geometry.lorentz import product
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid_papers.programs.yang2024 import PublishedPGD
from outputs import options_of, paper_file

SOLVERS = {
    "optimal": HyperboloidSVC(),
    "sdp": HyperboloidSVC(solver="sdp"),
    "pgd": PublishedPGD(loss="hinge"),
    "moment": HyperboloidSVC(solver="moment"),
}
# Seconds a fold of table 11 (SDP, PGD, moment); weighted F1 of table 7 (C = 10).
PUBLISHED_S = {
    "karate": (0.501, 2.437, 1.124),
    "polbooks": (0.547, 2.205, 5.537),
    "football": (0.581, 5.908, 20.522),
    "olsson": (0.738, 7.695, 106.584),
    "myeloidprogenitors": (1.170, 6.566, 112.341),
    "krumsiek": (3.053, 9.639, 294.077),
    "moignard": (13.000, 9.690, 368.433),
    "paul": (22.717, 34.452, 1487.205),
}
PUBLISHED_F1 = {
    "karate": (0.34, 0.34, 0.34),
    "polbooks": (0.8, 0.79, 0.8),
    "football": (0.23, 0.29, 0.26),
    "olsson": (0.77, 0.69, 0.77),
    "myeloidprogenitors": (0.61, 0.66, 0.75),
    "krumsiek": (0.74, 0.79, 0.84),
    "moignard": (0.6, 0.58, 0.6),
    "paul": (0.37, 0.36, 0.61),
}
SETS = [*PUBLISHED_S, "tree_1", "tree_2", "tree_3"]
PLACE = {"sdp": 0, "pgd": 1, "moment": 2, "optimal": 2}
IMAGES_S = {"cifar": (2606.295, 9430.741), "fashion-mnist": (2840.226, 13128.220)}


def table_of(options):
    """Table that a whole run of a part replaces."""
    return Path(__file__).with_name(f"hyperboloid_svm_{options.part}.tsv")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["tables", "images", "scale"])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--solvers", nargs="+", default=["optimal", "sdp", "pgd"])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--largest", type=float, default=1e7)
    options = options_of(parser, table_of, chosen=("part",))
    lines = [
        f"# python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}, "
        f"clarabel {clarabel.__version__}, {os.cpu_count()} cpus"
    ]
    for row in globals()[options.part](options):
        if len(lines) == 1:
            lines.append("\t".join(row))
            print(lines[1])
        lines.append(
            "\t".join(f"{v:.4g}" if isinstance(v, float) else str(v) for v in row.values())
        )
        print(lines[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


def fitted(solver, X, y, **settings):
    """Model and processor seconds of its fit."""
    model = clone(SOLVERS[solver]).set_params(C=10.0, random_state=0, **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        start = time.process_time()
        model.fit(X, y)
        return model, time.process_time() - start


def tables(options):
    for name in options.sets:
        X = np.load(paper_file("hsvm-relax", name, "X_lorentz.npy"))
        y = np.load(paper_file("hsvm-relax", name, "y.npy")).astype(int)
        folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
        runs = {solver: [] for solver in options.solvers}
        for train, test in folds[: options.folds]:
            for solver in options.solvers:
                if not any(runs.values()):
                    fitted(solver, X[train[:200]], y[train[:200]], chart="hyperboloid")
                model, took = fitted(
                    solver, X[train], y[train], chart="hyperboloid", calibration="platt"
                )
                scores = [
                    score
                    for labels in (model.predict(X[test]), by_distance(model, X, y, train, test))
                    for score in (
                        100.0 * accuracy_score(y[test], labels),
                        f1_score(y[test], labels, average="weighted"),
                    )
                ]
                runs[solver].append((took, *scores, model))
        for solver, run in runs.items():
            yield summary(name, len(y), solver, run)


def by_distance(model, X, y, train, test):
    """Labels by sigmoids of asinh of the score, from the same hyperplanes."""
    if len(model.classes_) == 2:
        return model.predict(X[test])
    scores = np.arcsinh(product(X[:, None], model.coef_[None]))
    signs = np.where(y[:, None] == model.classes_, 1, -1)
    fits = [fit_platt(f[train], s[train]) for f, s in zip(scores.T, signs.T, strict=True)]
    log_odds = np.array([a * f[test] + b for (a, b), f in zip(fits, scores.T, strict=True)])
    return model.classes_[log_odds.argmax(axis=0)]


def summary(name, n, solver, run):
    gaps = np.concatenate([np.atleast_1d(model.gap_) for *_, model in run])
    status = np.concatenate([np.atleast_1d(model.status_) for *_, model in run])
    seconds, accuracy, f1, accuracy_distance, f1_distance = np.array([r[:5] for r in run]).T
    published = PUBLISHED_S.get(name, (np.nan,) * 3)[PLACE[solver]]
    return {
        "set": name,
        "n": n,
        "solver": solver,
        "folds": len(run),
        "problems": len(gaps),
        "seconds_a_fold": seconds.mean(),
        "published_s": published,
        "speedup": published / seconds.mean(),
        "accuracy": accuracy.mean(),
        "f1": f1.mean(),
        "f1_sd": f1.std(),
        "published_f1": PUBLISHED_F1.get(name, (np.nan,) * 3)[PLACE[solver]],
        "accuracy_distance": accuracy_distance.mean(),
        "f1_distance": f1_distance.mean(),
        "largest_gap": gaps.max(),
        "median_gap": np.median(gaps),
        "certified": int((gaps <= 1e-4).sum()),
        "horospherical": int((status == "horospherical").sum()),
    }


def images(options):
    fitted("optimal", *disk(500, 2), chart="hyperboloid")
    for name, (sdp_s, moment_s) in IMAGES_S.items():
        file = f"PoincareLinearClassification/{name}_poincare_embedding.npz"
        data = np.load(paper_file(file))
        rows = data["x_train"], data["y_train"]
        model, took = fitted("optimal", *rows, chart="poincare", multi_class="ovo")
        yield {
            "set": name,
            "n": len(data["y_train"]),
            "pairs": len(model.coef_),
            "seconds": took,
            "published_sdp_s": sdp_s,
            "published_moment_s": moment_s,
            "test_accuracy": 100.0 * model.score(data["x_test"], data["y_test"]),
            "largest_gap": model.gap_.max(),
            "certified": int((model.gap_ <= 1e-4).sum()),
        }


def disk(n, d, seed=0):
    """Uniform ball of Euclidean radius .95, a hyperplane's two sides, 2 % of labels flipped."""
    rng = np.random.default_rng(seed)
    direction = rng.normal(size=(n, d))
    radii = 0.95 * rng.uniform(size=n) ** (1.0 / d)
    ball = direction * (radii / np.linalg.norm(direction, axis=1))[:, None]
    X = convert(ball, "poincare", "hyperboloid")
    y = np.where(0.5 * X[:, 0] + 1.2 * X[:, 1] - 0.4 * X[:, 2] > 0.0, 1.0, -1.0)
    y[rng.uniform(size=n) < 0.02] *= -1.0
    return X, y


def scale(options):
    global_optimum.solve(*disk(500, 2), 1.0)
    global_optimum.solve(*disk(500, 16), 1.0)
    sizes = [(int(n), 2, 1e-4) for n in np.geomspace(1e4, options.largest, 7)]
    for n, d, tol in [*sizes, (100_000, 16, 1e-4), (5_600, 512, 1e-3)]:
        X, y = disk(n, d)
        start = time.process_time()
        solution = global_optimum.solve(X, y, 1.0, tol=tol)
        yield {
            "n": n,
            "d": d,
            "tol": tol,
            "seconds": time.process_time() - start,
            "gap": solution.gap,
            "status": solution.status,
            "slices": solution.n_iter,
            "process_peak_GiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        }


if __name__ == "__main__":
    main()
