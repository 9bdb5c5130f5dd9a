"""Gaussian process regression: scikit-learn's with the same kernel, known answers, noise."""

import numpy as np
import pytest
from kernel_clouds import isometry, three_clouds
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, WhiteKernel
from test_hyperbolic_kernel import Table, plain_psi

from noneuclid import HyperbolicGaussianProcessRegressor, HyperbolicKernelRidge
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid.geometry.distance_kernels import KINDS

X, _ = three_clouds()
RNG = np.random.default_rng(0)
Y = np.column_stack([X[:, 1], np.cos(X[:, 2])]) + 0.2 * RNG.normal(size=(len(X), 2))
POINTS = {"chart": "hyperboloid"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("noise_level", "alpha"), [(1.0, 1e-10), (None, 0.04)])
def test_it_is_that_of_scikit_learn(kind, noise_level, alpha):
    psi = plain_psi(X, kind)
    table = ConstantKernel() * Table(psi / psi[:40, :40].mean(), 2.0)
    table = table if noise_level is None else table + WhiteKernel(noise_level)
    numbers = np.arange(len(X))[:, None]
    settings = {"alpha": alpha, "normalize_y": True}
    model = HyperbolicGaussianProcessRegressor(
        kernel=kind, noise_level=noise_level, **settings, **POINTS
    )
    for y in (Y, Y[:, 0]):
        model.fit(X[:40], y[:40])
        expected = GaussianProcessRegressor(table, **settings).fit(numbers[:40], y[:40])
        np.testing.assert_allclose(model.kernel_.theta, expected.kernel_.theta, atol=1e-4)
        assert model.log_marginal_likelihood_ == pytest.approx(expected.log_marginal_likelihood())
        for spread in ("return_std", "return_cov"):
            found, known = (
                m.predict(x, **{spread: True}) for m, x in ((model, X), (expected, numbers))
            )
            np.testing.assert_allclose(found[0], known[0], atol=1e-4)
            np.testing.assert_allclose(found[1], known[1], atol=1e-4)
        np.testing.assert_array_equal(model.predict(X), found[0])


def test_the_mean_is_kernel_ridge():
    fixed = HyperbolicGaussianProcessRegressor(noise_level=0.3, alpha=0.0, optimizer=None, **POINTS)
    ridge = HyperbolicKernelRidge(alpha=0.3, **POINTS).fit(X, Y)
    np.testing.assert_allclose(fixed.fit(X, Y).predict(X), ridge.predict(X), rtol=0, atol=1e-12)
    by_row = clone(fixed).set_params(noise_level=None, alpha=np.full(len(X), 0.3)).fit(X, Y)
    np.testing.assert_allclose(by_row.predict(X), ridge.predict(X), rtol=0, atol=1e-12)


def test_known_answers():
    """Rows at distance 1, both with y = 3: k = exp(-2) between them and exp(-1) halfway."""
    two = charts.convert(np.array([[0.0, 0.0], [1.0, 0.0]]), "tangent", "hyperboloid")
    model = HyperbolicGaussianProcessRegressor(
        kernel="laplace", scale=1.0, noise_level=None, alpha=0.0, optimizer=None, **POINTS
    )
    one = model.fit(two, [3.0, 3.0])
    assert one.kernel_.k2.mean_psi == pytest.approx(0.5)
    mean, std = one.predict(two, return_std=True)
    np.testing.assert_allclose(mean, 3.0)
    np.testing.assert_allclose(std, 0.0, atol=1e-7)
    far = charts.convert(np.array([[0.0, 30.0]]), "tangent", "hyperboloid")
    mean, std = one.predict(far, return_std=True)
    assert (abs(mean[0]), std[0]) == (pytest.approx(0.0, abs=1e-12), pytest.approx(1.0))
    # Mean k'K⁻¹y and variance 1 - k'K⁻¹k.
    middle = charts.convert(np.array([[0.5, 0.0]]), "tangent", "hyperboloid")
    mean, std = one.predict(middle, return_std=True)
    assert mean[0] == pytest.approx(3.0 * 2 * np.exp(-1) / (1 + np.exp(-2)))
    assert std[0] ** 2 == pytest.approx(1 - 2 * np.exp(-2) / (1 + np.exp(-2)))


def test_noise_is_found_and_isometries_change_nothing():
    rng = np.random.default_rng(3)
    points, _ = three_clouds(200)
    y = np.sin(points[:, 1]) + 0.3 * rng.normal(size=200)
    model = HyperbolicGaussianProcessRegressor(**POINTS)
    found = clone(model).fit(points, y)
    assert found.kernel_.k2.noise_level == pytest.approx(0.09, rel=0.2)
    moved = points @ isometry(1.5).T
    np.testing.assert_allclose(
        clone(model).fit(moved, y).predict(moved), found.predict(points), rtol=0, atol=1e-5
    )


def test_bad_settings_are_one_line():
    for bad in ({"noise_level": 0.0}, {"alpha": -1.0}, {"kernel": "rbf"}, {"optimizer": "sgd"}):
        with pytest.raises(ValueError, match=f"'{next(iter(bad))}' parameter") as caught:
            HyperbolicGaussianProcessRegressor(**bad).fit(X, Y)
        assert "\n" not in str(caught.value)


def test_a_negative_variance_of_a_row_is_named():
    X = np.eye(3)
    model = HyperbolicGaussianProcessRegressor(alpha=np.array([0.1, 0.1, -1.0]), chart="tangent")
    with pytest.raises(InputError, match=r"alpha of row 2 is -1\.0; give variances"):
        model.fit(X, [0.0, 1.0, 2.0])
