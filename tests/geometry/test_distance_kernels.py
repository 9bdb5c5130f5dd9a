"""ψ against hundred-digit decimals, positive definiteness by eigenvalues, and kernels kept out."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from cases import each_of

from noneuclid.geometry import distance_kernels, lorentz
from noneuclid.geometry.distance_kernels import KINDS


def exact(x, y):
    """cosh d, d and log cosh d of two points, the time coordinate from the spatial part."""
    x, y = ([Decimal(float(c)) for c in point[1:]] for point in (x, y))
    cosh = ((1 + sum(c * c for c in x)) * (1 + sum(c * c for c in y))).sqrt()
    cosh -= sum(a * b for a, b in zip(x, y, strict=True))
    return (cosh + (cosh * cosh - 1).sqrt()).ln(), cosh.ln()


def pairs():
    """Pairs at distances 1e-9 to 30, near the origin and up to 15 from it."""
    rng = np.random.default_rng(0)
    for place in (0.0, 0.5, 3.0, 8.0, 15.0):
        for gap in (1e-9, 1e-4, 1e-2, 0.5, 3.0, 15.0):
            d = rng.integers(1, 6)
            v, step = rng.normal(size=(2, d))
            v, step = place * v / np.linalg.norm(v), gap * step / np.linalg.norm(step)
            x = lorentz.from_spatial(lorentz.sinhc(np.linalg.norm(v)) * v)
            yield x, lorentz.from_spatial(x[1:] + lorentz.sinhc(np.linalg.norm(step)) * step)
            yield x, lorentz.from_spatial(-x[1:] * np.sinh(gap) / np.sinh(15.0))


@pytest.mark.parametrize("kind", KINDS)
def test_psi_agrees_with_a_hundred_digits(kind):
    with localcontext() as context:
        context.prec = 100
        for x, y in pairs():
            expected = exact(x, y)[kind == "cosh"]
            found = distance_kernels.psi(x[None], y[None], kind)[0, 0]
            assert found == pytest.approx(float(expected), rel=4e-12, abs=1e-30)


@pytest.mark.parametrize("kind", KINDS)
def test_all_pairs_of_one_set_are_symmetric_with_ones_on_the_diagonal(kind):
    points = ball(40, 3, 4.0)
    both = distance_kernels.kernel(points, points, kind, 0.7)
    one = distance_kernels.kernel(points, None, kind, 0.7)
    np.testing.assert_array_equal(one, one.T)
    np.testing.assert_array_equal(one.diagonal(), 1.0)
    np.testing.assert_allclose(one, both, rtol=0, atol=1e-13)
    space = np.empty((40, 40))
    assert distance_kernels.kernel(points, points, kind, 0.7, space) is space
    np.testing.assert_array_equal(space, both)


def ball(n, d, radius, seed=0):
    """Points within this distance of the origin, many of them near its end."""
    rng = np.random.default_rng(seed)
    v = rng.normal(size=(n, d))
    v *= np.sinh(radius * rng.random((n, 1)) ** 0.3) / np.linalg.norm(v, axis=1, keepdims=True)
    return lorentz.from_spatial(v)


@each_of("kind", KINDS)
@each_of("d", range(1, 11))
def test_kernels_are_positive_definite_in_every_dimension(kind, d):
    for radius in (0.1, 1.0, 7.5):
        points = ball(60, d, radius)
        for power in (0.03, 0.3, 1.0, 3.0):
            gram = distance_kernels.kernel(points, None, kind, power)
            assert np.linalg.eigvalsh(gram)[0] >= -1e-12


def star(d, radius):
    """The origin and the points at this distance on both sides of every axis."""
    axes = np.vstack([np.zeros(d), np.eye(d), -np.eye(d)])
    return lorentz.from_spatial(np.sinh(radius) * axes)


# Function of the distance, the points on which it has a negative eigenvalue, and its share of the
# largest.
REFUSED = {
    "exp(-d²)": (lambda d: np.exp(-0.03 * d**2), star(30, 6.0), -0.24),
    "exp(-d^1.5)": (lambda d: np.exp(-0.1 * d**1.5), star(30, 6.0), -0.06),
    "((1 + cosh d)/2)^-λ": (lambda d: (0.5 + 0.5 * np.cosh(d)) ** -1, star(30, 2.0), -0.018),
    "heat kernel of H³": (
        lambda d: np.exp(-0.03 * d**2) / lorentz.sinhc(d),
        star(30, 3.0),
        -0.06,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_offered_has_a_negative_eigenvalue(name):
    function, points, share = REFUSED[name]
    values = np.linalg.eigvalsh(function(lorentz.pairwise_distances(points)))
    assert values[0] < share * values[-1]
    for kind in KINDS:
        assert np.linalg.eigvalsh(distance_kernels.kernel(points, None, kind))[0] > 0
