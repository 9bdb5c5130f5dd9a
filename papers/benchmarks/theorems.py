"""Theorems of the papers on random instances: how many are counterexamples.

    PYTHONPATH=benchmarks python papers/benchmarks/theorems.py [--instances 500]

theorems.tsv has a row for each statement: `form` is "as printed", or what was changed; `instances`,
`counterexamples`, and `worst`: the largest value of what the statement bounds, divided by the
bound (for an equation the largest error). Each function yields one number for each instance.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import linprog

from noneuclid import HyperbolicDecisionTreeClassifier
from noneuclid.classifiers import reference_rules
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_balls import ball
from noneuclid.geometry.polytope_metrics import chord_distance
from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.hard_margin_reference import reference_margin
from noneuclid.solvers.hilbert.nearest import distances, opposite_distances, representatives
from noneuclid.solvers.perceptrons import mistake_bounds, mistake_driven, strategic_agents
from noneuclid.solvers.perceptrons.second_order import SecondOrder
from noneuclid_compare.data.generators import uniform_ball
from noneuclid_papers.data import hyperdt_mixtures
from outputs import options_of

EXACT = 1e-6  # relative error that rounding may cause
BUDGET = 0.5  # hyperbolic length that strategic agents may move
EPSILON = 1e-3  # additive error of theorem 1.1


def hyperplane(rng, d):
    """Spacelike w of <w,w>_L = 1, and a function that draws points of its hyperplane."""
    w = rng.normal(size=d + 1)
    w[0] *= 0.5
    while lorentz.product(w, w) <= 0.1:
        w = rng.normal(size=d + 1)
    w /= np.sqrt(lorentz.product(w, w))

    def foot(x):
        """Points x (n, d + 1) moved along w to the hyperplane."""
        x = x - lorentz.product(x, w)[:, None] * w
        return x / np.sqrt(-lorentz.product(x, x))[:, None]

    return w, foot


def distance_to_a_hyperplane(rng, count):
    """cho2019, theorem 1: no point of the hyperplane is nearer, and one is as near."""
    for _ in range(count):
        d = rng.integers(2, 6)
        w, foot = hyperplane(rng, d)
        (x,) = lorentz.from_spatial(rng.normal(size=(1, d)))
        formula = abs(np.arcsinh(lorentz.product(x, w)))
        near = lorentz.from_spatial(x[1:] + 0.3 * rng.normal(size=(200, d)))
        least = lorentz.distance(x[None], foot(np.vstack([x, near])))
        yield abs(least.min() / formula - 1)


def separated(rng, n=200):
    """z_i seen from p, signs, the largest |x_i|, |p|, the unit normal and the margin."""
    margin, fraction = rng.choice([1.0, 0.3, 0.1, 0.03]), rng.choice([0.0, 0.2, 0.6])
    settings = {"n_samples": n, "n_features": int(rng.integers(2, 5)), "radius": 0.9,
                "margin": margin, "reference_fraction": fraction}  # fmt: skip
    try:
        data = uniform_ball.load({}, int(rng.integers(1 << 30)), **settings)
    except InputError:  # all points are on one side
        return separated(rng, n)
    (center,) = np.array(data.about["reference_points"])
    point = convert(center, "poincare", "hyperboloid")
    z = reference_rules.seen_from(convert(data.features, "poincare", "hyperboloid"), point)
    reach = np.linalg.norm(data.features, axis=1).max(), np.linalg.norm(center)
    return z, 2 * data.labels - 1, reach, np.array(data.about["normal"]), margin


def order(rng):
    return np.random.RandomState(rng.integers(1 << 30))


def perceptron_updates(rng, count):
    """pan2023, theorem IV.1."""
    for _ in range(count):
        z, signs, reach, _, margin = separated(rng)
        done = mistake_driven.run(z, signs, max_iter=100_000, order=order(rng))
        yield done.n_updates / mistake_bounds.poincare(*reach, margin) if done.clean else np.inf


def second_order_updates(rng, count):
    """pan2023, theorem V.1 with a = 1."""
    for _ in range(count):
        z, signs, _, normal, margin = separated(rng, n=60)
        rows = np.arange(len(z))
        done = mistake_driven.run(z, signs, max_iter=1000, rule=SecondOrder(1.0))
        mistaken, xi, clean = [], np.zeros(z.shape[1]), False
        while not clean:
            before = len(mistaken)
            for row in rows:
                S = np.array([*mistaken, z[row]])
                w = np.linalg.solve(np.eye(len(xi)) + S.T @ S, xi)
                if signs[row] * (w @ z[row]) <= 1e-9 * np.linalg.norm(w) * np.linalg.norm(z[row]):
                    xi, mistaken = xi + signs[row] * z[row], [*mistaken, z[row]]
            clean = len(mistaken) == before
        bound = mistake_bounds.second_order(np.array(mistaken), normal, margin, 1.0)
        yield max(len(mistaken), done.n_updates) / bound


def strategic_mistakes(rng, count):
    """pan2023, theorem V.2 as printed, against rational agents."""
    for _ in range(count):
        z, signs, reach, _, margin = separated(rng, n=100)
        sinh = np.linalg.norm(z, axis=1, keepdims=True)
        game = strategic_agents.play_game(
            z * np.arcsinh(sinh) / sinh, signs, BUDGET, max_rounds=4000, order=order(rng)
        )
        bound = mistake_bounds.strategic(*reach, margin, BUDGET, published=True)
        yield game.mistakes.sum() / bound if game.status == "clean" else np.inf


def hyperboloid_updates(rng, count):
    """pan2023, theorem .1."""
    for _ in range(count):
        w, _ = hyperplane(rng, 2)
        margin = rng.choice([1.0, 0.3, 0.1])
        points = lorentz.from_spatial(rng.normal(size=(600, 2)))
        points = points[np.abs(np.arcsinh(lorentz.product(points, w))) >= margin]
        signs = np.sign(lorentz.product(points, w))
        if len(set(signs)) < 2:
            continue
        done = mistake_driven.run(points * [-1, 1, 1], signs, max_iter=100_000, order=order(rng))
        bound = mistake_bounds.hyperboloid(np.linalg.norm(points, axis=1).max(), w, margin)
        yield done.n_updates / bound if done.clean else np.inf


def midpoint(rng, count, sign):
    """chlenski2024, eq. 57 times `sign`, against the midpoint in hyperbolic coordinates."""
    for _ in range(count):
        one, two = rng.uniform(np.pi / 4 + 0.05, 3 * np.pi / 4 - 0.05, 2)
        V = sign * np.sin(2 * one - 2 * two) / (2 * np.sin(two + one) * np.sin(two - one))
        cot = V - np.sqrt(V * V - 1) if one < np.pi - two else V + np.sqrt(V * V - 1)
        expected = np.tanh(np.arctanh(1 / np.tan([one, two])).mean())
        yield abs(cot - expected)


def convex_leaves(rng, count):
    """chlenski2024, section 1.2: geodesics between two points of a leaf stay in it."""
    for number in range(count):
        d = int(rng.choice([2, 4, 8]))
        data = hyperdt_mixtures.load({}, 0, n_samples=200, n_features=d, number=number)
        tree = HyperbolicDecisionTreeClassifier(chart="hyperboloid", max_depth=3).fit(
            data.features, data.labels
        )
        X = lorentz.from_spatial(rng.normal(size=(400, d)))
        leaves = tree.apply(X)
        pairs = rng.integers(0, len(X), (4000, 2))
        pairs = pairs[leaves[pairs[:, 0]] == leaves[pairs[:, 1]]]
        t = rng.uniform(size=(len(pairs), 1))
        inner = (1 - t) * X[pairs[:, 0]] + t * X[pairs[:, 1]]  # on the geodesic once scaled
        inner /= np.sqrt(-lorentz.product(inner, inner))[:, None]
        yield float((tree.apply(inner) != leaves[pairs[:, 0]]).mean())


def polytope_points(rng, n, d=3):
    """A box cut by two random half-spaces, points in it, and their sides of a hyperplane."""
    A = np.vstack([rng.normal(size=(2, d)), np.eye(d), -np.eye(d)])
    b = np.r_[rng.uniform(0.5, 1.5, 2), np.full(2 * d, 2.0)]
    X = rng.normal(size=(n, d))
    X *= (rng.uniform(0.2, 0.9, n) / np.max(-X @ A.T / b, axis=1))[:, None]
    score = X @ rng.normal(size=d)
    return A, b, X, np.where(score > np.median(score), 1.0, -1.0)


def program_10(A, b, X, signs, radius):
    """Whether opt. (10) of acharya2026, word for word, has a solution."""
    body = Polytope(A, b)
    balls = [ball(x, radius, body) for x in X]
    (q, d), n = balls[0][0].shape, len(X)
    fixed = np.zeros((n * d + 1, d + 1 + n * q))
    sides = np.zeros((n, d + 1 + n * q))
    for i, (G, h) in enumerate(balls):
        at = slice(d + 1 + i * q, d + 1 + (i + 1) * q)
        fixed[i * d : (i + 1) * d, :d], fixed[i * d : (i + 1) * d, at] = -np.eye(d), G.T
        sides[i, at], sides[i, d] = signs[i] * h, -signs[i]
    fixed[-1, :d] = 1.0
    bounds = [(None, None)] * (d + 1) + [(0, None)] * (n * q)
    right = np.r_[np.zeros(n * d), 1.0]
    fit = linprog(np.zeros(d + 1 + n * q), sides, np.zeros(n), fixed, right, bounds, "highs")
    return fit.status == 0


def margin_as_printed(rng, count):
    """acharya2026, opt. (10): feasible at twice the largest margin."""
    for _ in range(count):
        A, b, X, signs = polytope_points(rng, 8)
        best = hard_margin(X, signs, A, b, np.zeros((0, 3)), np.zeros(0)).radius
        yield 2.0 if program_10(A, b, X, signs, 2 * best) else 1.0


def margin_corrected(rng, count, normalization):
    """acharya2026, theorem 1.1: error of the margin over ε; opt. (10) with y of the other sign."""
    for _ in range(count):
        A, b, X, signs = polytope_points(rng, 8)
        flat = np.zeros((0, 3)), np.zeros(0)
        best = hard_margin(X, signs, A, b, *flat).radius
        fit = reference_margin(X, signs, A, b, *flat, normalization=normalization, tol=EPSILON)
        yield (best - fit.radius) / EPSILON


def hilbert_balls(rng, count):
    """acharya2026, lemma 2.3: share of points on the wrong side of the ball's facets."""
    for _ in range(count):
        A, b, X, _ = polytope_points(rng, 2)
        body = Polytope(A, b)
        G, h = ball(X[0], 0.4, body)
        q = X[0] + 0.5 * rng.normal(size=(500, 3))
        q = q[(q @ A.T + b > 0).all(axis=1)]
        far = np.array([chord_distance(X[0], point, body) for point in q])
        inside = (q @ G.T + h >= 0).all(axis=1)
        yield float(((far <= 0.4) != inside)[abs(far - 0.4) > EXACT].mean())


def nearest_representative(rng, count, least):
    """acharya2026, section 4.2: rows nearer to the other representative, where β > `least`."""
    while count:
        codes = np.array([0, 0, 1, 1])
        logs = rng.integers(-12, 13, (4, 4)).astype(float)
        found = representatives(logs, codes, opposite_distances(logs, codes)[0])
        if found.radii.max() < 1 / least:
            count -= 1
            yield float((distances(logs, found.centres).argmin(axis=1) != codes).any())


def _hilbert(slacks, foot):
    """Hilbert distance (proposition 2.1) to a point of the boundary, from facet functions (m,)."""
    with np.errstate(divide="ignore"):
        return 0.5 * (np.log(slacks / foot).max() + np.log(foot / slacks).max())


def _euclidean(slacks, _):
    """Euclidean distance to the boundary, from facet functions (m,) of unit normals."""
    return slacks.min()


def soft_weights(rng, count, distance):
    """acharya2026, section 4.1: 1 if a point halfway to the boundary weighs no more."""
    for _ in range(count):
        A, b, X, _ = polytope_points(rng, 1)
        lengths = np.linalg.norm(A, axis=1)
        slacks = (A @ X[0] + b) / lengths
        nearest = slacks.argmin()
        foot = slacks - slacks[nearest] * (A @ A[nearest]) / (lengths * lengths[nearest])
        foot[nearest] = 0.0
        weights = [1 / distance(at, foot) for at in (slacks, (slacks + foot) / 2)]
        yield float(weights[1] <= weights[0])


# Paper, statement, form, numbers of instances over that asked for, function, and the largest value
# that is no counterexample.
STATEMENTS = [
    ("cho2019", "theorem 1", "as printed", 1, distance_to_a_hyperplane, (), EXACT),
    ("pan2023", "theorem IV.1", "as printed", 1, perceptron_updates, (), 1),
    ("pan2023", "theorem V.1", "as printed, a = 1", 1, second_order_updates, (), 1),
    ("pan2023", "theorem V.2", "as printed", 1, strategic_mistakes, (), 1),
    ("pan2023", "theorem .1", "as printed", 1, hyperboloid_updates, (), 1),
    ("chlenski2024", "eq. 57", "as printed", 1, midpoint, (1.0,), EXACT),
    ("chlenski2024", "eq. 57", "other sign", 1, midpoint, (-1.0,), EXACT),
    ("chlenski2024", "convex areas", "as printed", 0.2, convex_leaves, (), 0),
    ("acharya2026", "opt. 10", "as printed", 0.2, margin_as_printed, (), 1),
    ("acharya2026", "opt. 10", "sign corrected", 0.2, margin_corrected, ("published",), 1),
    ("acharya2026", "theorem 1.1", "opt. 10 corrected", 0.2, margin_corrected, ("box",), 1),
    ("acharya2026", "lemma 2.3", "as printed", 0.2, hilbert_balls, (), 0),
    ("acharya2026", "eq. 15", "β > 1", 1, nearest_representative, (1.0,), 0),
    ("acharya2026", "eq. 15", "β > 2", 1, nearest_representative, (2.0,), 0),
    ("acharya2026", "weights of opt. 14", "as printed", 0.2, soft_weights, (_hilbert,), 0),
    ("acharya2026", "weights of opt. 14", "Euclidean", 0.2, soft_weights, (_euclidean,), 0),
]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=500)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    warnings.filterwarnings("ignore", ".*are redundant")
    rows = []
    for number, (paper, name, form, share, run, args, limit) in enumerate(STATEMENTS):
        rng = np.random.default_rng([2026, number])
        values = np.array(list(run(rng, int(share * options.instances), *args)))
        # NaN is a counterexample: the printed expression has no value.
        wrong = int(np.sum(~(values <= limit)))
        rows.append((paper, name, form, len(values), wrong, np.nanmax(values, initial=0)))
        print(*rows[-1], flush=True)
    names = ["paper", "statement", "form", "instances", "counterexamples", "worst"]
    table = pd.DataFrame(rows, columns=names)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
