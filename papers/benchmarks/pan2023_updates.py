"""Table II of pan2023: how order, vectors and start change the number of updates.

    PYTHONPATH=benchmarks python papers/benchmarks/pan2023_updates.py
        [--runs 100] [--margins 1 0.1 0.01 0.001]

Each run draws points as the authors' program does (Synthetic_exp.py and Perceptrons.py of
thupchnsky/PoincareLinearClassification at 1d70291): N = 1e4 uniform in the ball of radius 0.95,
d = 10, those within the margin removed, rows in the order drawn, the true p. It resets numpy's
generator to the number of its process, 1 to 20, so that points and w are known and p alone is not:
runs have numbers 1 to 20 again and again, each time with another p (`program's points`), and with
the program's start (the matrix begins with the last row, the sum with the first). The other rows
have fresh points, and change one thing: rows in a new order for each pass, rows sorted by label,
log maps in place of the vectors z of algorithm 4, and a = 1 in place of a = 0. `sigma` is the
printed mean (of 20 runs) less ours, over the standard error of the difference. Writes
pan2023_updates.tsv.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid.geometry import poincare
from noneuclid.solvers.perceptrons import mistake_driven
from noneuclid.solvers.perceptrons.mistake_driven import Plain, learn
from noneuclid.solvers.perceptrons.second_order import SecondOrder
from outputs import options_of
from perceptrons import PUBLISHED, R, directions, seen, separated

HERE = Path(__file__).parent
N, D, PRINTED_RUNS = 10_000, 10, 20


def of_program(number, p, margin):
    """Points and signs of process `number`."""
    rng = np.random.RandomState(number)
    X, radius = rng.randn(D, N), rng.rand(N) ** (1 / D)
    X = (X * (R * radius / np.sqrt((X**2).sum(axis=0)))).T
    distance = poincare.hyperplane_distance(X, p, rng.randn(D))
    kept = np.abs(distance) >= margin
    return X[kept], np.sign(distance[kept])


def count(z, signs, rule=None, order=None):
    done = mistake_driven.run(z, signs, max_iter=10**7, order=order, rule=rule or SecondOrder())
    assert done.clean
    return done.n_updates


def count_from_start(z, signs):
    """Updates if the matrix starts with the last row, the sum of y z with the first."""
    rule = SecondOrder()
    learner = rule.start(D)
    learn(learner, rule, z[-1:], np.ones(1))
    learner.memory["moments"][:] = signs[0] * z[0]
    learner.w[:] = learner.memory["inverses"] @ learner.memory["moments"]
    learner.n_updates = 0
    while learn(learner, rule, z, signs):
        pass
    return learner.n_updates


def log_maps(z):
    """The vectors z, of length sinh(distance), with length distance."""
    length = np.linalg.norm(z, axis=1)[:, None]
    return z * (np.arcsinh(length) / length)


def counts(fraction, margin, run):
    """Updates of one run in each variant."""
    p = fraction * R * directions(np.random.default_rng([1, run]), 1, D)[0]
    X, signs = of_program(1 + run % PRINTED_RUNS, p, margin)
    z = seen(X, p)
    yield "second", "program's points", count(z, signs)
    yield "second", "program's points and start", count_from_start(z, signs)
    if margin >= 0.1:
        yield "first", "program's points", count(z, signs, Plain())
    X, signs, p, _ = separated(np.random.default_rng(run), N, D, fraction, margin)
    z, sorted_rows = seen(X, p), np.argsort(signs, kind="stable")
    yield "second", "fresh points", count(z, signs)
    yield "second", "new order", count(z, signs, order=np.random.RandomState(run))
    yield "second", "by label", count(z[sorted_rows], signs[sorted_rows])
    yield "second", "log maps", count(log_maps(z), signs)
    yield "second", "a = 1", count(z, signs, SecondOrder(1.0))
    if margin >= 0.1:
        yield "first", "fresh points", count(z, signs, Plain())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--margins", type=float, nargs="+", default=[1, 0.1, 0.01, 0.001])
    options = options_of(parser, HERE / "pan2023_updates.tsv")
    found = []
    for (fraction, margin), published in PUBLISHED.items():
        if margin not in options.margins:
            continue
        rows = [row for run in range(options.runs) for row in counts(fraction, margin, run)]
        table = pd.DataFrame(rows, columns=["perceptron", "variant", "updates"])
        for (name, variant), part in table.groupby(["perceptron", "variant"], sort=False):
            mean, sd = part["updates"].mean(), part["updates"].std()
            printed = published[0 if name == "first" else 2]
            error = sd * np.sqrt(1 / len(part) + 1 / PRINTED_RUNS)
            found.append(
                {
                    "norm_p": f"{round(fraction * 5)}R/5", "margin": margin, "perceptron": name,
                    "variant": variant, "runs": len(part), "printed": printed, "mean": mean,
                    "sd": sd, "sigma": (printed - mean) / error,
                }
            )  # fmt: skip
            print(*found[-1].values(), flush=True)
    if options.output:
        pd.DataFrame(found).to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
