"""The exact worst case of robust margins."""

import numpy as np
import pytest
from cases import each_of

from noneuclid import HyperboloidSVC
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert
from noneuclid.solvers.hyperboloid.problem import signed_rows, uncertainty
from noneuclid.solvers.hyperboloid.worst_case import worst_margins


@each_of("d", [1, 2])
@each_of("radius", [0.0, 0.1, 0.5, 2.0])
def test_worst_case_is_that_of_a_dense_sample(d, radius):
    rng = np.random.default_rng(0)
    axis = np.linspace(-radius, radius, 41)
    moves = np.stack(np.meshgrid(*d * [axis]), axis=-1).reshape(-1, d)
    for _ in range(10):
        u, signs = rng.normal(size=d), rng.choice([-1.0, 1.0], size=8)
        w = np.append(rng.uniform(-1, 1) * np.linalg.norm(u), u)
        V = 1.5 * rng.normal(size=(8, d))
        V[0] = 0.0
        places = convert((V[:, None] + moves).reshape(-1, d), "tangent", "hyperboloid")
        sampled = signs * (lorentz.product(places, w).reshape(8, -1) * signs[:, None]).min(axis=1)
        exact = signs * worst_margins(w, convert(V, "tangent", "hyperboloid"), signs, radius)
        exact, sampled, scale = signs * exact, signs * sampled, 1.0 + np.abs(sampled)
        assert (exact <= sampled + 1e-12 * scale).all()
        assert (exact >= sampled - 2e-3 * max(radius, 1e-6) * scale).all()


@pytest.mark.parametrize(
    ("radius", "least", "most"), [(0.1, 0.005, 0.03), (0.2, 0.04, 0.1), (0.3, 0.11, 0.26)]
)
def test_first_order_margins_are_missed_by_true_moves(radius, least, most):
    y = np.arange(80) % 2
    signs = np.where(y == 1, 1.0, -1.0)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = 0.8 * rng.normal(size=(80, 2)) + np.where(y, 1.2, -0.8)[:, None] * [1.0, 0.4]
        model = HyperboloidSVC(C=10.0, robust_radius=radius, tol=1e-3).fit(X, y)
        points = convert(X, "tangent", "hyperboloid")
        moves = np.abs(uncertainty(points, radius) @ model.coef_[0]).sum(axis=1)
        stated = signed_rows(points, signs) @ model.coef_[0] - moves
        assert least < (stated - model.worst_case_margins(X, y)).max() < most


def test_worst_cases_at_other_curvatures():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    X = 0.8 * rng.normal(size=(80, 2)) + np.where(y, 1.2, -0.8)[:, None] * [1.0, 0.4]
    exact = HyperboloidSVC(C=10.0, robust_radius=0.3, tol=1e-3).fit(X, y).worst_case_margins(X, y)
    half = HyperboloidSVC(C=10.0, robust_radius=0.15, curvature=4.0, tol=1e-3).fit(X / 2, y)
    np.testing.assert_allclose(half.worst_case_margins(X / 2, y), exact, rtol=1e-2, atol=1e-2)


def test_what_has_no_exact_worst_case_is_refused():
    X = np.random.default_rng(0).normal(size=(30, 3))
    y = np.arange(30) % 3
    with pytest.raises(InputError, match="d <= 2"):
        HyperboloidSVC(tol=0.1).fit(X, y > 0).worst_case_margins(X, y > 0)
    model = HyperboloidSVC(tol=0.1).fit(X[:, :2], y)
    with pytest.raises(InputError, match="two classes"):
        model.worst_case_margins(X[:, :2], y)
    with pytest.raises(InputError, match="not among"):
        model.fit(X[:, :2], y > 0).worst_case_margins(X[:, :2], y + 5)
