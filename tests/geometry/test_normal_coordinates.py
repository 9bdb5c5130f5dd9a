"""Normal coordinates against the definition in 60 digits, and the Fréchet mean."""

from decimal import localcontext

import numpy as np
import pytest
from cases import each_of
from clouds import exact_cosh
from scipy.optimize import minimize

from noneuclid.geometry import lorentz, tangent
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.geometry.normal_coordinates import asinhc, radial_frame, seen_from, to_vectors


def far_points(seed, d, radius, n=6):
    rng = np.random.default_rng(seed)
    base = tangent.lift(radius * np.eye(1, d, d // 2)[0] + 0.3, lorentz.origin(d))
    return base, tangent.lift(rng.normal(size=(n, d)), base)


@each_of("d", [1, 2, 3, 7])
@each_of("radius", [0.0, 1.0, 6.0])
def test_coordinates_are_those_of_the_tangent_space(d, radius):
    base, points = far_points(d, d, radius)
    frame = radial_frame(base)
    np.testing.assert_allclose(frame.T @ frame, np.eye(d), atol=1e-14)
    vectors, shrunk = to_vectors(*seen_from(points, base, frame))
    found = vectors @ frame.T
    np.testing.assert_allclose(found, tangent.flatten(points, base), atol=1e-14 * np.exp(radius))
    r = np.linalg.norm(vectors, axis=1)
    np.testing.assert_allclose(shrunk, np.log(r / np.sinh(r)), atol=1e-12)


@pytest.mark.parametrize("radius", [0.0, 3.0, 12.0, 30.0])
def test_lengths_have_the_digits_of_the_input(radius):
    base, points = far_points(3, 3, radius)
    _, length = seen_from(points, base, radial_frame(base))
    with localcontext(prec=60):
        for x, found in zip(points, length, strict=True):
            cosh = exact_cosh(x, base)
            exact = float((cosh + (cosh * cosh - 1).sqrt()).ln())
            # 1e-16 of the angle at this radius
            assert abs(np.arcsinh(found) - exact) < 4e-15 * max(1, exact) + 1e-15 * np.exp(radius)


def test_points_along_one_ray_lose_no_digit():
    base, far = lorentz.from_spatial(np.sinh([200.0])), lorentz.from_spatial(np.sinh([[203.0]]))
    _, length = seen_from(far, base, radial_frame(base))
    np.testing.assert_allclose(np.arcsinh(length), 3.0, rtol=1e-13)
    _, length = seen_from(-far * [[-1.0, 1.0]], base, radial_frame(base))
    np.testing.assert_allclose(np.arcsinh(length), 403.0, rtol=1e-13)
    assert asinhc(np.zeros(1))[0] == 1.0


@pytest.mark.parametrize("seed", range(4))
def test_mean_is_that_of_a_direct_search(seed):
    rng = np.random.default_rng(seed)
    d = 1 + seed % 3
    points = tangent.lift(3 * rng.normal(size=(9, d)), lorentz.origin(d))
    weights = rng.integers(0, 3, size=9) + 0.5 * (np.arange(9) == 0)

    def total(v):
        return weights @ lorentz.distance(points, tangent.lift(v, lorentz.origin(d))) ** 2

    slow = minimize(total, np.zeros(d), tol=1e-12)
    mean, covariance = mean_and_covariance(points, weights)
    assert total(tangent.flatten(mean, lorentz.origin(d))) <= slow.fun * (1 + 1e-12)
    v = tangent.flatten(points, mean)
    np.testing.assert_allclose(weights @ v, 0.0, atol=1e-11)
    np.testing.assert_allclose(covariance, v.T @ (v * weights[:, None]) / weights.sum(), atol=1e-11)


def test_mean_of_points_far_apart_and_of_equal_ones():
    ends = lorentz.from_spatial(np.sinh(np.array([[9.0, 0], [-9.0, 0], [0, 9.0]])))
    mean, _ = mean_and_covariance(ends)
    assert np.abs(tangent.flatten(ends, mean).sum(axis=0)).max() < 1e-9
    same = lorentz.from_spatial(np.full((4, 2), 1.5))
    mean, covariance = mean_and_covariance(same)
    np.testing.assert_allclose(mean, same[0], rtol=1e-15)
    assert np.abs(covariance).max() < 1e-29
