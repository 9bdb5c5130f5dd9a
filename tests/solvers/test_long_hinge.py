"""Hinge programs in twice the digits, against decimals and against the program in doubles."""

from decimal import Decimal, localcontext

import numba
import numpy as np
import pytest

from noneuclid.solvers.linear import double_double
from noneuclid.solvers.linear.hinge_program import solve_offset_svm
from noneuclid.solvers.linear.long_hinge import solve_long_svm


@numba.njit
def combine(a, b):
    return double_double.plus(a, -b), double_double.times(a, b), double_double.over(a, b)


def exact(value):
    return Decimal(value.real) + Decimal(value.imag)


def test_double_doubles_have_106_bits():
    rng = np.random.default_rng(0)
    with localcontext() as context:
        context.prec = 60
        for _ in range(50):
            a, b = (
                complex(x, x * 1e-17 * rng.uniform(-1, 1)) for x in 10 ** rng.uniform(-8, 8, size=2)
            )
            wanted = exact(a) - exact(b), exact(a) * exact(b), exact(a) / exact(b)
            sizes = exact(a) + exact(b), wanted[1], wanted[2]
            for found, value, size in zip(combine(a, b), wanted, sizes, strict=True):
                assert abs(exact(found) - value) <= Decimal("1e-30") * size


@pytest.mark.parametrize("d", [1, 3, 10])
def test_agrees_with_doubles_where_these_suffice(d):
    rng = np.random.default_rng(d)
    Z, offsets = rng.normal(size=(40, d)), rng.uniform(-0.5, 1.5, size=40)
    weights = rng.uniform(0.1, 2.0, size=40)
    u, alpha, lower, upper, steps = solve_long_svm(
        Z.astype(complex), offsets.astype(complex), weights, 1e-10, 100
    )
    known, _, least, most, _ = solve_offset_svm(Z, offsets, weights, 1e-10, 100)
    assert upper - lower <= 1e-10
    assert steps < 60
    assert lower <= most
    assert least <= upper
    assert np.allclose(u.real, known, atol=1e-5)
    assert (alpha.real >= 0.0).all()
    assert (alpha.real <= weights).all()


def test_rows_of_length_1e13_are_solved_to_six_digits():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(60, 3)) * 10 ** rng.uniform(0, 13, size=60)[:, None]
    weights = np.full(60, 1e4)
    u, alpha, lower, upper, steps = solve_long_svm(
        Z.astype(complex), np.ones(60, complex), weights, 1e-2, 200
    )
    assert steps < 100
    # Rounding decides: 2e-7 on one processor, less than 1e-7 on another.
    assert upper - lower <= 1e-6 * upper
    with localcontext() as context:
        context.prec = 60
        pull = [
            sum(exact(a) * Decimal(z) for a, z in zip(alpha, column, strict=True)) for column in Z.T
        ]
        dual = sum(exact(a) for a in alpha) - sum(g * g for g in pull) / 2
        point = [exact(x) for x in u]
        primal = sum(x * x for x in point) / 2
        for row, weight in zip(Z, weights, strict=True):
            margin = sum(x * Decimal(z) for x, z in zip(point, row, strict=True))
            primal += Decimal(weight) * max(Decimal(0), 1 - margin)
    assert float(dual) == pytest.approx(lower, rel=1e-12)
    assert float(primal) == pytest.approx(upper, rel=1e-12)
