"""Where gradient descent starts: alike with every BLAS."""

from dataclasses import replace

import numpy as np
import pytest

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.descent import projected_gradient, warm_start
from noneuclid.solvers.linear.liblinear import linear_svm


def problem(n=60):
    rng = np.random.default_rng(0)
    spatial = rng.normal(size=(n, 2)) + np.where(np.arange(n)[:, None] % 2, 0.7, -0.7)
    return lorentz.from_spatial(spatial), np.where(np.arange(n) % 2, 1.0, -1.0)


@pytest.mark.parametrize("change", [1e-15, 3e-14, -2e-13])
def test_the_last_digits_of_the_euclidean_svm_change_nothing(monkeypatch, change):
    points, signs = problem()
    before = projected_gradient.solve(points, signs, 10.0, max_iter=200)
    soft_margin_svm = warm_start.soft_margin_svm

    def shaken(*problem, **settings):
        found = soft_margin_svm(*problem, **settings)
        return replace(found, w=found.w * (1.0 + change))

    monkeypatch.setattr(warm_start, "soft_margin_svm", shaken)
    after = projected_gradient.solve(points, signs, 10.0, max_iter=200)
    np.testing.assert_array_equal(after.w, before.w)
    assert after.objective == before.objective


def test_the_start_has_ten_digits():
    points, signs = problem()
    for value in warm_start.warm_start(points, signs, 5.0):
        assert value == float(f"{value:.9e}")
    np.testing.assert_array_equal(warm_start._ten_digits([1 / 3, 0.0]), [0.3333333333, 0.0])


def test_a_gradient_that_underflows_leaves_no_endless_loop():
    # LIBLINEAR did not return on these rows: its first gradient is 0 in the first column alone.
    X = np.ones((4, 4))
    X[:, 1:] = 1e-177 * np.array(
        [[-0.3, -1.9, 0], [3.1, 4, 1.9], [-1.2, 3.5, 2.3], [-2.1, -0.7, -1.6]]
    )
    found = linear_svm(X, np.array([1.0, -1.0, -1.0, 1.0]), C=0.1)
    assert (found.w == 0).all()
    assert found.objective == pytest.approx(0.4)
    assert found.lower_bound == pytest.approx(0.4, rel=1e-6)
    assert found.status == "optimal"
