"""Newton's method on rounded hinges, and the local optimum that it finds."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from noneuclid import HyperboloidSVC
from noneuclid.solvers.hyperboloid.certified.rounded_newton import CONE, FREE, SLICE, descend
from noneuclid.solvers.linear.hinge_program import solve_offset_svm


def draw(n, d, seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, d + 1))
    return rows, rng.uniform(0.2, 3.0, size=n), rng


@pytest.mark.parametrize(("n", "d", "seed"), [(30, 1, 0), (80, 2, 1), (200, 5, 2), (300, 10, 3)])
def test_a_slice_is_that_of_the_interior_point_method(n, d, seed):
    rows, weights, rng = draw(n, d, seed)
    t = rng.normal()
    offsets = 1.0 - rows[:, 0] * t
    _, _, lower, upper, _ = solve_offset_svm(
        np.ascontiguousarray(rows[:, 1:]), offsets, 0.7 * weights, 1e-9, 100
    )
    w = np.append(t, np.zeros(d))
    alpha = 0.7 * weights * descend(rows, weights, 0.7, w, SLICE, 0.0, 8.0, 1e-8)
    value = 0.5 * w[1:] @ w[1:] + 0.7 * weights @ np.maximum(0.0, 1.0 - rows @ w)
    g = alpha @ rows[:, 1:]
    assert w[0] == t
    assert lower - 1e-9 <= value <= upper + 1e-7
    assert alpha @ offsets - 0.5 * g @ g == pytest.approx(value, abs=1e-7)


@pytest.mark.parametrize("anchor", [0.0, 0.3])
def test_a_free_time_coordinate_has_a_majorised_square(anchor):
    rows, weights, rng = draw(60, 2, 4)

    def objective(w):
        loss = weights @ np.maximum(0.0, 1.0 - rows @ w)
        return 0.5 * (w[0] - 2.0 * anchor) ** 2 + 0.5 * w[1:] @ w[1:] + loss

    w = np.zeros(3)
    descend(rows, weights, 1.0, w, FREE, anchor, 8.0, 1e-9)
    others = w + rng.normal(size=(500, 3)) * rng.choice([1e-4, 1e-2, 1.0], size=(500, 1))
    assert all(objective(w) <= objective(other) + 1e-8 for other in others)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(("d", "seed"), [(2, 5), (2, 2), (3, 1), (5, 0)])
def test_no_w_nearby_on_the_cone_is_better(sign, d, seed):
    rows, weights, rng = draw(60, d, seed)
    rows[:, 0] += sign * 2.0

    def loss(u):
        w = np.append(sign * math.sqrt(u @ u), u)
        return weights @ np.maximum(0.0, 1.0 - rows @ w)

    w = np.append([sign * 0.1, 0.1], np.zeros(d - 1))
    start = loss(w[1:])
    descend(rows, weights, 1.0, w, CONE, 0.0, 8.0, 1e-9)
    u, sizes = w[1:], rng.choice([1e-5, 1e-4, 1e-3], size=(1000, 1))
    steps = math.sqrt(u @ u) * sizes * rng.normal(size=(1000, d))
    assert w[0] == pytest.approx(sign * math.sqrt(u @ u))
    assert loss(u) < start
    assert all(loss(u) <= loss(u + step) + 1e-8 for step in steps)


@pytest.mark.parametrize("d", [2, 5])
def test_the_local_optimum_of_two_clouds_is_global(d):
    rng = np.random.default_rng(d)
    y = np.arange(300) % 2
    X = 0.7 * rng.normal(size=(300, d)) + y[:, None]
    local = HyperboloidSVC(solver="local", chart="tangent").fit(X, y)
    optimal = HyperboloidSVC(chart="tangent").fit(X, y)
    assert optimal.lower_bound_ <= local.objective_
    assert local.objective_ == pytest.approx(optimal.objective_, rel=2e-6)
    assert math.isnan(local.gap_)
    assert local.status_ == "local"


def read_digits(d):
    X, y = load_digits(return_X_y=True)
    X = PCA(d, svd_solver="full").fit_transform(X)
    return X / (1.05 * np.linalg.norm(X, axis=1).max()), y


@pytest.mark.parametrize("d", [2, 5])
def test_local_optima_of_digits_are_nearly_global(d):
    X, y = read_digits(d)
    fits = [
        HyperboloidSVC(solver=solver, chart="poincare", calibration=None).fit(X, y)
        for solver in ("local", "optimal")
    ]
    assert (fits[0].objective_ <= 1.02 * fits[1].objective_).all()
    assert (fits[0].objective_ >= fits[1].lower_bound_).all()


def test_the_certified_optimum_is_sharper_than_its_gap():
    X, y = read_digits(10)
    for k in (0, 3):
        fits = [
            HyperboloidSVC(tol=tol, chart="poincare", calibration=None).fit(X, y == k)
            for tol in (1e-4, 1e-9)
        ]
        assert fits[0].objective_ <= fits[1].objective_ * (1.0 + 1e-8)
