"""Where gradient descent starts: alike with every BLAS."""

from dataclasses import replace

import numpy as np
import pytest

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid import projected_gradient, warm_start


def problem(n=60):
    rng = np.random.default_rng(0)
    spatial = rng.normal(size=(n, 2)) + np.where(np.arange(n)[:, None] % 2, 0.7, -0.7)
    return lorentz.from_spatial(spatial), np.where(np.arange(n) % 2, 1.0, -1.0)


@pytest.mark.parametrize("change", [1e-15, 3e-14, -2e-13])
def test_the_last_digits_of_the_euclidean_svm_change_nothing(monkeypatch, change):
    points, signs = problem()
    before = projected_gradient.solve(points, signs, 10.0, max_iter=200)
    linear_svm = warm_start.linear_svm

    def shaken(*problem, **settings):
        found = linear_svm(*problem, **settings)
        return replace(found, w=found.w * (1.0 + change))

    monkeypatch.setattr(warm_start, "linear_svm", shaken)
    after = projected_gradient.solve(points, signs, 10.0, max_iter=200)
    np.testing.assert_array_equal(after.w, before.w)
    assert after.objective == before.objective


def test_the_start_has_ten_digits():
    points, signs = problem()
    for value in warm_start.warm_start(points, signs, 5.0):
        assert value == float(f"{value:.9e}")
    np.testing.assert_array_equal(warm_start._ten_digits([1 / 3, 0.0]), [0.3333333333, 0.0])
