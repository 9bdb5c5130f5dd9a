"""The certified hyperboloid SVM where digits are short, on the light cone, and elsewhere.

    python benchmarks/hyperboloid_hard.py [--before FOLDER] [--only "large C"] [--output FILE]

`before` measures another checkout beside this one. Writes the rows `after` and `before` with their
commits to benchmarks/hyperboloid_hard.tsv, in place of its rows of these labels and cases. Cases:
large C, points far from the origin (in a ball of radius `distance`, or all at it: edge), tiny C,
breast cancer with standardised columns, 512 dimensions, the kinds of `hyperboloid_cone.py` (seed 0,
and with 200 slices allowed), and five ordinary problems.

`objective_error` is (objective_ - exact) / exact with the exact objective at `coef_` in 60 digits,
`square` the exact <w,w>_L (n <= 100). Seconds are processor seconds of one thread around the
solver, the least of three (of two beyond 0.5 s), warmed up.
"""

import argparse
import time
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

import hyperboloid_cone
from beside import add_before, checkouts
from hyperboloid_svm import disk
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_before(parser)
    parser.add_argument("--only", default="", help="beginning of the names of cases")
    parser.add_argument(
        "--output", type=Path, default=Path(__file__).with_name("hyperboloid_hard.tsv")
    )
    options = parser.parse_args()
    versions = [*checkouts(options.before, "hyperboloid_hard")]
    lines = options.output.read_text().splitlines()[1:] if options.output.exists() else []
    for one in versions:
        one.call("warm")
        older = f"{one.label}\t", f"\t{options.only}"
        lines = [line for line in lines if not (line.startswith(older[0]) and older[1] in line)]
    for name, points, signs, C, *settings in cases():
        if not name.startswith(options.only):
            continue
        for one in versions:
            row = {"label": one.label, "commit": one.commit, "case": name}
            row |= one.call("measure", points, signs, C, *settings)
            lines.append(
                "\t".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in row.values())
            )
            print(lines[-1], flush=True)
        options.output.write_text("\n".join(["\t".join(row), *lines]) + "\n")


def warm():
    global_optimum.solve(*in_a_ball(48, 5, 6.0, 0, "random"), 1e4)
    global_optimum.solve(*in_a_ball(48, 2, 16.0, 9), 1.0)
    global_optimum.solve(*hyperboloid_cone.centre(30, 3), 1.0)


def cases():
    """Name, points, signs, C, and settings of the solver."""
    for n, d, radius, seed in ((48, 5, 6.0, 0), (100, 2, 3.0, 0), (100, 2, 3.0, 1)):
        for C in (1e3, 1e4, 1e5, 1e6, 1e8):
            yield "large C", *in_a_ball(n, d, radius, seed, "random"), C
    for n, d in ((60, 2), (300, 5)):
        for radius in (12.0, 15.0, 16.0, 20.0, 25.0, 30.0):
            for C in (1e-8, 1.0, 1e4):
                yield "far, ball", *in_a_ball(n, d, radius, 0), C
                yield "far, edge", *in_a_ball(n, d, radius, 0, "edge"), C
    for radius in (3.0, 8.0, 10.0):
        yield "tiny C", *in_a_ball(60, 2, radius, 0, "random"), 1e-8
    X, y = load_breast_cancer(return_X_y=True)
    X, signs = StandardScaler().fit_transform(X), np.where(y > 0, 1.0, -1.0)
    yield "breast cancer, 30 columns", *tangent(X, signs), 1.0
    for d in (4, 2):
        yield f"breast cancer, PCA {d}", *tangent(PCA(d).fit_transform(X), signs), 1.0
    yield "512 dimensions", *disk(5_600, 512), 1.0, {"tol": 1e-3}
    for kind, n, d in [*hyperboloid_cone.SIZES, ("random_0.1_near", 300, 5)]:
        yield f"light cone, {kind}", *hyperboloid_cone.KINDS[kind](n, d, 0), 1.0
    for kind in ("random_0.5_near", "random_0.1", "random_0.1_near"):
        points = hyperboloid_cone.KINDS[kind](300, 4, 0)
        yield f"light cone, 200 slices, {kind}", *points, 1.0, {"max_slices": 200}
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        X, y = load(return_X_y=True)
        X, signs = StandardScaler().fit_transform(X), np.where(y > 0, 1.0, -1.0)
        yield f"ordinary, {name}", *tangent(X / 2.0, signs), 10.0
    for n, d, C in ((1_000, 2, 1.0), (20_000, 5, 1.0), (200_000, 2, 1.0)):
        yield "ordinary", *in_a_ball(n, d, 3.0, 0), C


def tangent(X, signs):
    return convert(X, "tangent", "hyperboloid"), signs


def in_a_ball(n, d, radius, seed, labels="noisy"):
    """Points in a ball, or all at `radius`; noisy halves, or random signs."""
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(n, d))
    radii = np.full(n, radius)
    if labels != "edge":
        radii = radius * rng.uniform(size=n) ** (1.0 / d)
    lengths = np.sinh(radii) / np.linalg.norm(directions, axis=1)
    points = lorentz.from_spatial(directions * lengths[:, None])
    if labels == "random":
        signs = np.where(rng.uniform(size=n) < 0.5, 1.0, -1.0)
    else:
        height = points[:, 1] / points[:, 0]
        signs = np.where(height > np.median(height), 1.0, -1.0)
        signs[rng.uniform(size=n) < 0.1] *= -1.0
    signs[0], signs[1] = 1.0, -1.0
    return points, signs


def measure(points, signs, C, settings=()):
    seconds = np.inf
    for k in range(3):
        start = time.process_time()
        fit = global_optimum.solve(points, signs, C, **dict(settings))
        seconds = min(seconds, time.process_time() - start)
        if k and seconds > 0.5:
            break
    error, square = exact_error(fit, points, signs, C) if len(signs) <= 100 else ("", "")
    return {
        "n": len(signs),
        "d": points.shape[1] - 1,
        "distance": float(np.arccosh(points[:, 0].max())),
        "C": C,
        "status": fit.status,
        "slices": fit.n_iter,
        "cells": fit.extras["cells"],
        "objective_over_C": f"{fit.objective / C:.10g}",
        "gap": fit.gap,
        "objective_error": error,
        "square": square,
        "seconds": seconds,
    }


def exact_error(fit, points, signs, C):
    """Relative error of the stated objective, and <w,w>_L, with 60 digits."""
    with localcontext() as context:
        context.prec = 60
        w, total = [Decimal(float(x)) for x in fit.w], Decimal(0)
        for point, sign in zip(points[:, 1:], signs, strict=True):
            space = [Decimal(float(x)) for x in point]
            margin = -w[0] * (1 + sum(x * x for x in space)).sqrt()
            margin += sum(a * b for a, b in zip(w[1:], space, strict=True))
            total += max(Decimal(0), 1 - int(sign) * margin)
        square = sum(x * x for x in w[1:]) - w[0] * w[0]
        exact = square / 2 + Decimal(C) * Decimal(HINGE_SLOPE) * total
        return float(Decimal(fit.objective) / exact - 1), float(square)


if __name__ == "__main__":
    main()
