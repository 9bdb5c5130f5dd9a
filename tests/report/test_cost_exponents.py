"""Exponents of costs: known answers, bad input."""

import numpy as np
import pytest

from noneuclid.errors import InputError
from noneuclid_compare.report.tables import cost_scaling


def test_power_law_finds_the_exponents_of_exact_data():
    rng = np.random.default_rng(2)
    factors = rng.uniform(1, 100, size=(9, 2))
    found, half = cost_scaling.power_law(
        factors, 0.3 * factors[:, 0] ** 1.5 * factors[:, 1] ** -0.5
    )
    assert found == pytest.approx([1.5, -0.5])
    assert half == pytest.approx([0, 0], abs=1e-9)


def test_power_law_intervals_cover_as_often_as_they_say():
    rng = np.random.default_rng(3)
    n = np.array([[30.0], [100], [400], [900], [2000]])
    hits = 0
    for _ in range(2000):
        found, half = cost_scaling.power_law(n, n[:, 0] ** 1.2 * np.exp(rng.normal(0, 0.4, size=5)))
        hits += abs(found[0] - 1.2) <= half[0]
    assert 1870 <= hits <= 1930


def test_power_law_needs_sizes_that_vary_and_one_to_spare():
    assert cost_scaling.power_law([[2.0], [2.0], [2.0]], [1.0, 2.0, 3.0]) is None
    assert cost_scaling.power_law([[2.0], [4.0]], [1.0, 2.0]) is None
    together = [[2.0, 4.0], [4.0, 16.0], [8.0, 64.0], [16.0, 256.0]]
    assert cost_scaling.power_law(together, [1.0, 2.0, 3.0, 4.0]) is None
    with pytest.raises(InputError, match="not positive"):
        cost_scaling.power_law([[1.0], [2.0], [3.0]], [1.0, 0.0, 1.0])
