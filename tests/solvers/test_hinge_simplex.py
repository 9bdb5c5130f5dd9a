"""The simplex method for sums of hinges against linear programs."""

import numpy as np
import pytest
from scipy.optimize import linprog

from noneuclid.solvers.linear.hinge_simplex import ACTIVE, descend, find_vertex


def minimise(a, counts, weights, wanted, start):
    """Minimiser, multipliers of all rows, and the basis."""
    m, size = a.shape
    rows, z, inverse = np.ascontiguousarray(a.T), start.copy(), np.empty((size, size))
    basis, along = np.empty(size, dtype=np.int64), np.empty(m)
    state = np.empty(m, dtype=np.int8)
    find_vertex(rows, counts, wanted, z, inverse, basis, along, state)
    at_vertex = z.copy()
    multipliers = descend(rows, counts, weights, z, inverse, basis, along, state, 500)
    np.testing.assert_allclose(along, a @ z, atol=1e-8)
    alpha = np.where(state == ACTIVE, weights, 0.0)
    alpha[basis[basis >= 0]] = multipliers[basis >= 0]
    return z, alpha, basis, at_vertex


@pytest.mark.parametrize("size", [2, 4, 7])
def test_value_and_multipliers_are_those_of_the_linear_program(size):
    rng = np.random.default_rng(size)
    for trial in range(10):
        m = int(rng.integers(size + 2, 60))
        a, counts = rng.normal(size=(m, size)), rng.normal(size=m)
        if trial % 3 == 0:
            a[: m // 2], counts[: m // 2] = np.round(a[: m // 2]), 0.0  # kinks that coincide
        weights = rng.uniform(0.1, 3.0, m)
        weights[: m // 4] = 100.0
        start, none = rng.normal(size=size), np.full(size, -1)
        z, alpha, basis, at_vertex = minimise(a, counts, weights, none, start)
        np.testing.assert_array_equal(at_vertex, start)
        cost = np.concatenate([np.zeros(size), weights])
        block = np.hstack([-a, -np.eye(m)])
        free = [(None, None)] * size + [(0.0, None)] * m
        least = linprog(cost, block, -counts, bounds=free).fun
        value = weights @ np.maximum(0.0, counts - a @ z)
        assert value == pytest.approx(least, rel=1e-9, abs=1e-9)
        assert ((alpha >= 0.0) & (alpha <= weights)).all()
        np.testing.assert_allclose(alpha @ a, 0.0, atol=1e-8)
        assert alpha @ counts == pytest.approx(least, rel=1e-9, abs=1e-8)
        # From its own basis, the search starts at the solution.
        *_, again = minimise(a, counts, weights, basis, z)
        np.testing.assert_allclose(again, z, atol=1e-8)


def test_rows_that_depend_on_each_other_are_left_out_of_the_vertex():
    a = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    counts = np.array([1.0, 5.0, 3.0])
    *_, at_vertex = minimise(a, counts, np.ones(3), np.array([0, 1]), np.array([7.0, 8.0]))
    np.testing.assert_allclose(at_vertex, [1.0, 8.0])


def test_an_edge_that_ends_at_its_last_kink():
    """By rounding, the slope beyond all kinks may be -1e-17 in place of 0."""
    a = np.array([[0.1], [0.2], [0.3]])
    start, none = np.zeros(1), np.full(1, -1)
    for weights in np.random.default_rng(0).uniform(0.1, 1.0, (200, 3)):
        z, alpha, *_ = minimise(a, np.ones(3), weights, none, start)
        assert z[0] >= 10.0 * (1.0 - 1e-12)
        assert np.abs(alpha @ a) <= 1e-15
