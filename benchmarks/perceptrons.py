"""The perceptrons of pan2023: table II beside the published numbers, speed, memory.

    python benchmarks/perceptrons.py table_ii [--runs 20]
    python benchmarks/perceptrons.py speed
    python benchmarks/perceptrons.py memory

table_ii: updates until separation, N = 1e4 points uniform in the Euclidean ball of radius R = .95
(d = 10) of which those within the margin are removed, the true p given. Rows come in the order
drawn, pass after pass (`given`), or in a new order for each pass (`shuffled`). `bound` is theorem
IV.1's, `second_bound` the largest of theorem V.1's (a = 1, its own runs). The published numbers are
means (maxima) of 20 runs, order not stated.
speed: million rows a second (d = 2, N = 1e6) in passes without updates, at random and given order;
and whole fits beside loops in plain Python and numpy, one row at a time, as the authors' code has
them (written here), the second order with a pseudo-inverse of all mistakes at each row.
memory: peak of a fit beyond X and y, divided by their size, and by that of X alone; labels are
64-bit integers.

Seconds are processor seconds; run with OMP_NUM_THREADS=1. Each part writes
benchmarks/perceptrons_PART.tsv.
"""

import argparse
import os
import platform
import time
import tracemalloc
import warnings
from pathlib import Path

import numba
import numpy as np
from sklearn.exceptions import ConvergenceWarning

import noneuclid
from noneuclid.classifiers import reference_rules
from noneuclid.classifiers.weber_perceptron import Weber
from noneuclid.geometry import poincare
from noneuclid.geometry.charts import convert
from noneuclid.solvers.perceptrons import mistake_bounds, mistake_driven, sample_orders
from noneuclid.solvers.perceptrons.mistake_driven import Plain
from noneuclid.solvers.perceptrons.second_order import SecondOrder
from noneuclid.solvers.perceptrons.strategic import Strategic
from outputs import options_of

R = 0.95
# (|p|/R, margin): means and maxima of table II, perceptron and second order.
PUBLISHED = {
    (0.2, 1.0): (51, 65, 26, 34),
    (0.2, 0.1): (1495, 2495, 82, 124),
    (0.2, 0.01): (1.96e4, 3.38e4, 342, 548),
    (0.2, 0.001): (1.34e5, 3.56e5, 818, 1505),
    (0.6, 1.0): (82, 138, 29, 41),
    (0.6, 0.1): (1158, 2240, 101, 159),
    (0.6, 0.01): (1.68e4, 6.65e4, 340, 748),
    (0.6, 0.001): (1.46e5, 7.68e5, 545, 986),
}


def directions(rng, n, d):
    vectors = rng.normal(size=(n, d))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def separated(rng, n, d, fraction, margin):
    """Points of the ball, signs, p and w; violators of the margin are removed."""
    while True:
        X = R * rng.random((n, 1)) ** (1 / d) * directions(rng, n, d)
        p, w = fraction * R * directions(rng, 1, d)[0], directions(rng, 1, d)[0]
        distance = poincare.hyperplane_distance(X, p, w)
        kept = np.abs(distance) >= margin
        signs = np.sign(distance[kept])
        if len(np.unique(signs)) == 2:
            return X[kept], signs, p, w


def seen(X, p):
    point = convert(p, "poincare", "hyperboloid")
    return reference_rules.seen_from(convert(X, "poincare", "hyperboloid"), point)


def table_ii(options):
    rules = {"first": Plain(), "second": SecondOrder()}
    for (fraction, margin), published in PUBLISHED.items():
        counts = {(name, how): [] for name in rules for how in ("given", "shuffled")}
        sizes, second_bounds = [], []
        for run in range(options.runs):
            X, signs, p, w = separated(np.random.default_rng(run), 10_000, 10, fraction, margin)
            z = seen(X, p)
            sizes.append(len(X))
            for (name, how), found in counts.items():
                order = np.random.RandomState(run) if how == "shuffled" else None
                done = mistake_driven.run(z, signs, max_iter=10**7, order=order, rule=rules[name])
                assert done.clean
                found.append(done.n_updates)
            second_bounds.append(second_bound(z, signs, w, margin))
        bound = mistake_bounds.poincare(R, fraction * R, margin)
        for name, (mean, most) in {"first": published[:2], "second": published[2:]}.items():
            row = {"norm_p": f"{round(fraction * 5)}R/5", "margin": margin, "perceptron": name}
            row |= {"published_mean": mean, "published_max": most}
            for how in ("given", "shuffled"):
                found = counts[name, how]
                row |= {f"{how}_min": min(found), f"{how}_mean": np.mean(found)}
                row |= {f"{how}_max": max(found)}
            limit = bound if name == "first" else max(second_bounds)
            yield row | {"bound": limit, "points": int(np.mean(sizes))}


def second_bound(z, signs, w, margin):
    """Theorem V.1's bound for a = 1, after a run that must keep it."""
    learner, rule = SecondOrder(1.0).start(z.shape[1]), SecondOrder(1.0)
    while mistake_driven.learn(learner, rule, z, signs):
        pass
    # The bound needs the sum of squares of the mistakes only, so its root will do.
    values, vectors = np.linalg.eigh(np.linalg.inv(learner.memory["inverses"][:]) - np.eye(len(w)))
    root = (vectors * np.sqrt(np.maximum(values, 0))).T
    bound = mistake_bounds.second_order(root, w, margin, 1.0)
    assert learner.n_updates <= bound
    return bound


def slow_vectors(X, p):
    """Scaled tangent vectors z of eqs. 7 and 13, one point after the other."""
    sigma = 2 / (1 - np.dot(p, p))
    for x in X:
        dot, xx, pp = np.dot(-p, x), np.dot(x, x), np.dot(p, p)
        u = ((1 + 2 * dot + xx) * -p + (1 - pp) * x) / (1 + 2 * dot + pp * xx)
        length = np.linalg.norm(u)
        v = 2 / sigma * np.arctanh(length) * u / length
        th = np.tanh(sigma * np.linalg.norm(v) / 2)
        yield 2 * th / ((1 - th**2) * np.linalg.norm(v)) * v


def slow_first(X, signs, p, passes):
    w, updates = np.zeros(len(p)), 0
    for _ in range(passes):
        for z, sign in zip(slow_vectors(X, p), signs, strict=True):
            if sign * np.dot(w, z) <= 0:
                w = w + sign * z
                updates += 1
    return updates


def slow_second(X, signs, p, passes):
    xi, S, updates = np.zeros(len(p)), np.zeros((len(p), 0)), 0
    for _ in range(passes):
        for z, sign in zip(slow_vectors(X, p), signs, strict=True):
            T = np.concatenate([S, z[:, None]], axis=1)
            w = np.linalg.pinv(T @ T.T) @ xi
            if sign * np.dot(w, z) <= 1e-9 * np.linalg.norm(w) * np.linalg.norm(z):
                xi, S = xi + sign * z, T
                updates += 1
    return updates


def slow_strategic(X, signs, p, passes, budget=1.0):
    w, updates, sigma = np.zeros(len(p)), 0, 2 / (1 - np.dot(p, p))
    for _ in range(passes):
        for z, sign in zip(slow_vectors(X, p), signs, strict=True):
            size = np.linalg.norm(z)
            v = np.arcsinh(size) / (sigma * size) * z
            length = np.linalg.norm(w)
            reached = np.dot(w, v) / length if length else budget / sigma
            if (reached >= budget / sigma - 1e-9) == (sign > 0):
                continue
            if sign < 0 and length and reached <= budget / sigma + 1e-9:
                v = v - budget / sigma * w / length
            w = w + sign * size / np.linalg.norm(v) * v
            updates += 1
    return updates


def slow_hyperboloid(X, signs, p, passes, weber=False):
    w, updates = np.zeros(len(p) + 1), 0
    H = np.diag([-1.0] + [1.0] * len(p))
    for _ in range(passes):
        for x, sign in zip(X, signs, strict=True):
            square = np.dot(x, x)
            point = np.concatenate([[1 + square], 2 * x]) / (1 - square)
            if weber:
                if -sign * np.dot(w, H @ point) <= 0:
                    w, updates = w + sign * point, updates + 1
                    norm = np.dot(w, H @ w)
                    w = w / min(1.0, np.sqrt(norm)) if norm > 0 else w
            elif sign * np.dot(w, H @ point) <= 0:
                w, updates = w + sign * H @ point, updates + 1
    return updates


def slow_weber(X, signs, p, passes):
    return slow_hyperboloid(X, signs, p, passes, weber=True)


MODELS = {
    "poincare_perceptron": (noneuclid.PoincarePerceptron, slow_first, Plain()),
    "poincare_second_order": (noneuclid.PoincareSecondOrderPerceptron, slow_second, SecondOrder()),
    "poincare_strategic": (noneuclid.PoincareStrategicPerceptron, slow_strategic, Strategic(0.0)),
    "hyperboloid_perceptron": (noneuclid.HyperboloidPerceptron, slow_hyperboloid, Plain()),
    "weber_perceptron": (noneuclid.WeberPerceptron, slow_weber, Weber()),
}


def speed(options):
    rng = np.random.default_rng(0)
    big = separated(rng, options.largest, 2, 0.4, 0.01)
    small = separated(rng, 30_000, 2, 0.4, 0.01)
    for name, (kind, slow, rule) in MODELS.items():
        row = {"model": name, "n": len(big[0])}
        row |= {f"Mrows_per_s_{how}": rate for how, rate in pass_rates(name, rule, *big)}
        model = settled(kind, small[2], max_iter=5, shuffle=False)
        took, ours = seconds(quietly, model, small), None
        ours = int(model.n_updates_[0])
        passes = int(model.n_iter_)
        start = time.process_time()
        theirs = slow(small[0], small[1], small[2], passes)
        python = time.process_time() - start
        row |= {"fit_n": len(small[0]), "passes": passes, "updates": ours}
        row |= {"python_updates": theirs, "fit_s": took, "python_s": python}
        row["ratio"] = python / took
        model = settled(kind, big[2], max_iter=10)
        row["big_fit_s"] = seconds(quietly, model, big, repeats=1)
        yield row | {"big_passes": int(model.n_iter_), "big_status": model.status_}


def settled(kind, p, **settings):
    """A classifier without calibration; p given where it takes one."""
    model = kind(chart="poincare", calibration=None, random_state=0, **settings)
    return model.set_params(reference_point=p) if hasattr(model, "reference_point") else model


def quietly(model, data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(data[0], data[1])


def pass_rates(name, rule, X, signs, p, w):
    """Rows a second, in millions, of passes with weights that make no mistake."""
    z = seen(X, p)
    if "hyperboloid" in name or "weber" in name:
        x = convert(X, "poincare", "hyperboloid")
        z = x * ([-1, 1, 1] if "hyperboloid" in name else [1, -1, -1])
        normal = reference_rules.to_normal(w, convert(p, "poincare", "hyperboloid"))
        w = normal if "hyperboloid" in name else -normal
    signs = signs.astype(np.int8)
    learner = rule.start(z.shape[1])
    mistake_driven.learn(learner, rule, z[:100], signs[:100])
    if isinstance(rule, SecondOrder):
        assert learner.memory["ranks"][0] == z.shape[1]
    for how in ("given", "shuffled"):
        learner.w[:] = w
        times = []
        for repeat in range(5):
            random = np.random.RandomState(repeat)
            start = time.process_time()
            rows = next(sample_orders.new_orders(len(z), random)) if how == "shuffled" else None
            assert mistake_driven.learn(learner, rule, z, signs, None, rows) == 0
            times.append(time.process_time() - start)
        yield how, len(z) / np.median(times) / 1e6


def seconds(function, *arguments, repeats=5):
    function(*arguments)
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function(*arguments)
        times.append(time.process_time() - start)
    return float(np.median(times))


def memory(options):
    for n, d in ((options.largest, 2), (options.largest // 4, 20), (options.largest // 25, 200)):
        X, signs, p, _ = separated(np.random.default_rng(0), n, d, 0.4, 0.01)
        for name, (kind, _, _) in MODELS.items():
            for rule in ("given", "auto") if name == "poincare_perceptron" else ("given",):
                model = settled(kind, p, max_iter=2)
                if rule == "auto":
                    model.set_params(reference_point="auto")
                quietly(model, (X[:1000], signs[:1000]))
                labels = (signs > 0).astype(np.int64)
                tracemalloc.start()
                quietly(model, (X, labels))
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                row = {"model": name, "reference_point": rule, "n": len(X), "d": d}
                row["data_mb"] = (X.nbytes + labels.nbytes) / 1e6
                row["peak_over_data"] = peak / 1e6 / row["data_mb"]
                yield row | {"peak_over_X": peak / X.nbytes}


def table_of(options):
    """Table that a whole run of a part replaces."""
    return Path(__file__).with_name(f"perceptrons_{options.part}.tsv")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["table_ii", "speed", "memory"])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--largest", type=int, default=1_000_000)
    options = options_of(parser, table_of, chosen=("part",))
    lines = [
        f"# python {platform.python_version()}, numpy {np.__version__}, numba {numba.__version__}, "
        f"{os.cpu_count()} cpus"
    ]
    for row in globals()[options.part](options):
        if len(lines) == 1:
            lines.append("\t".join(row))
            print(lines[1])
        cells = (f"{v:.4g}" if isinstance(v, float) else str(v) for v in row.values())
        lines.append("\t".join(cells))
        print(lines[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
