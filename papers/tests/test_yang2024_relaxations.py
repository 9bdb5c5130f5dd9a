"""The programs of yang2024 as printed, against their definition and against our fast versions."""

import math
import sys

import cvxpy as cp
import numpy as np
import pytest
from cases import each_of
from scipy.optimize import brentq

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.certified.slices.robust_slices import RobustSlices
from noneuclid.solvers.hyperboloid.problem import (
    HINGE_SLOPE,
    jacobian,
    objective,
    signed_rows,
    uncertainty,
)
from noneuclid.solvers.hyperboloid.relaxations import moment_relaxation, sdp_relaxation
from noneuclid.solvers.hyperboloid.relaxations.moment_programs import published
from noneuclid_papers.programs import yang2024_relaxations

C = 3.0
SOLVERS = {
    "CLARABEL": ({}, 1e-6),
    "SCS": ({"eps_abs": 1e-6, "eps_rel": 1e-6, "max_iters": 50_000}, 1e-4),
}
SIZES = [(0, 16, 2), (1, 20, 2), (2, 12, 3), (3, 24, 4)]


def instance(seed, n, d, noise=0.7):
    rng = np.random.default_rng([seed, d])
    spatial = 0.8 * rng.normal(size=(n, d))
    signs = np.where(spatial[:, 0] + noise * rng.normal(size=n) > 0.1, 1.0, -1.0)
    signs[:2] = 1.0, -1.0
    return lorentz.from_spatial(spatial), signs


@each_of("solver", SOLVERS)
@each_of("radius", [0.0, 0.1])
@each_of(("seed", "n", "d"), SIZES)
def test_semidefinite_relaxation_equals_the_fast_one(seed, n, d, radius, solver):
    points, signs = instance(seed, n, d)
    options, tolerance = SOLVERS[solver]
    slow = yang2024_relaxations.semidefinite(points, signs, C, radius, solver, **options)
    fast = sdp_relaxation.solve(points, signs, C, radius=radius)
    assert slow.status == "optimal"
    assert fast.extras["relaxation"] > 0.5
    assert slow.value == pytest.approx(fast.extras["relaxation"], rel=tolerance)
    # Its w is the linear program's, in our sign.
    margins = signed_rows(points, signs) @ slow.w
    margins -= np.abs(uncertainty(points, radius) @ slow.w).sum(axis=1)
    losses = C * HINGE_SLOPE * np.maximum(0.0, 1.0 - margins).sum()
    assert losses == pytest.approx(fast.lower_bound, rel=100 * tolerance)
    smallest = np.linalg.eigvalsh(slow.W - np.outer(slow.w, slow.w))[0]
    assert smallest > -1e-4 * np.linalg.norm(slow.W)


@each_of("solver", SOLVERS)
@each_of(("seed", "n", "d"), SIZES[:3])
def test_moment_relaxation_of_order_1_is_the_semidefinite_one(seed, n, d, solver):
    points, signs = instance(seed, n, d)
    options, tolerance = SOLVERS[solver]
    found = yang2024_relaxations.sparse_moments(points, signs, C, 1, solver, **options)
    fast = sdp_relaxation.solve(points, signs, C)
    assert found.value == pytest.approx(fast.extras["relaxation"], rel=tolerance)


@pytest.mark.parametrize("seed", [0, 1])
def test_moment_relaxation_of_order_2_equals_the_fast_one(seed):
    points, signs = instance(seed, 6, 2)
    slow = yang2024_relaxations.sparse_moments(points, signs, C)
    program = published(signed_rows(points, signs), C * HINGE_SLOPE, 1.0, 1.0)
    form = program.q, program.A, program.b, program.cones
    fast = programs.solve(None, *form, "clarabel").objective
    # Both approach a value that no moments reach, the linear program's; where they stop depends on
    # rounding (0.4 % apart on one processor, less than 0.2 % on another).
    bound = moment_relaxation.solve(points, signs, C, ball=False).lower_bound
    assert bound > 0.5
    assert slow.value == pytest.approx(fast, rel=1e-2)
    assert all(bound * (1 - 1e-6) <= value <= bound * 1.03 for value in (slow.value, fast))


@pytest.mark.slow
def test_moment_relaxation_by_scs():
    points, signs = instance(1, 4, 2)
    first = yang2024_relaxations.sparse_moments(points, signs, C)
    second = yang2024_relaxations.sparse_moments(points, signs, C, 2, "scs", max_iters=20_000)
    assert second.value == pytest.approx(first.value, rel=2e-2)


ELLIPSE = np.array([[1.0, 0.3], [0.0, 0.4]])
SHAPES = {"box": "box", "ball": "ball", "ellipse": ELLIPSE}


def moves_of(shape, radius):
    """Many moves on the border of a plane's uncertainty set, shape (2, k)."""
    if shape == "box":
        return radius * np.array([[-1.0, -1.0, 1.0, 1.0], [-1.0, 1.0, -1.0, 1.0]])
    angle = np.linspace(0.0, 2.0 * np.pi, 1001)
    circle = radius * np.array([np.cos(angle), np.sin(angle)])
    return circle if shape == "ball" else ELLIPSE @ circle


def least_margins(w, points, signs, shape, radius):
    """Least margins over all moves to first order, (27) and (28) of yang2024."""
    moved = points[:, :, None] + jacobian(points) @ moves_of(shape, radius)
    products = np.einsum("d,ndk->nk", w * np.r_[-1.0, np.ones(len(w) - 1)], moved)
    return (signs[:, None] * products).min(axis=1)


def cubic(xi):
    """Right side of (18)."""
    return 1.0 - math.sqrt(2.0) * xi + xi**2 / 2.0 - math.sqrt(2.0) * xi**3 / 6.0


def least_slack(margin, expansion):
    """Least ξ >= 0 that a margin allows, of (7) or (18)."""
    if expansion == 1:
        return max(0.0, 1.0 - margin) / math.sqrt(2.0)
    return brentq(lambda xi: cubic(xi) - margin, 0.0, 1e3) if margin < 1.0 else 0.0


@pytest.mark.parametrize(
    ("d", "radius", "shape", "expansion"),
    [
        (2, 0.0, "box", 1),
        (3, 0.0, "box", 1),
        (2, 0.0, "box", 3),
        (2, 0.2, "box", 1),
        (2, 0.2, "ball", 1),
        (2, 0.2, "ellipse", 1),
        (2, 0.2, "ellipse", 3),
    ],
)
def test_moments_of_a_point_satisfy_the_program_as_the_point_satisfies_the_problem(
    d, radius, shape, expansion
):
    points, signs = instance(0, 5, d)
    cost, constraints, z, monomials = yang2024_relaxations._moment_program(
        cp, points, signs, C, 2, radius, SHAPES[shape], expansion
    )
    rng, seen = np.random.default_rng(0), set()
    for k in range(40):
        w = 2.0 * rng.normal(size=d + 1)
        margins = signs * lorentz.product(w, points)
        if radius:
            margins = least_margins(w, points, signs, shape, radius)
        least = np.array([least_slack(m, expansion) for m in margins])
        xi = least + 1e-4 + rng.choice([0.0, -0.1, 0.2], size=5) * (k % 2)
        for variable, slack in zip(z, xi, strict=True):
            q = np.append(-w, slack)  # the paper's w is minus ours
            variable.value = np.array([np.prod(q**m) for m in monomials])
        square = lorentz.product(w, w)
        assert cost.value == pytest.approx(0.5 * square + C * xi.sum(), rel=1e-12)
        legal = square >= 0.0 and (xi >= least).all()
        scale = max(abs(variable.value).max() for variable in z)
        violation = max(np.max(constraint.violation()) for constraint in constraints)
        assert (violation <= 1e-9 * scale) == legal
        if legal and k % 2 == 0 and not radius and expansion == 1:
            assert cost.value == pytest.approx(objective(w, points, signs, C) + 5e-4 * C)
        seen.add(legal)
    assert seen == {True, False}


@pytest.mark.slow
@each_of("shape", SHAPES)
def test_robust_moment_relaxation(shape):
    points, signs = instance(1, 5, 2)
    solve = yang2024_relaxations.sparse_moments
    robust = {"radius": 0.15, "shape": SHAPES[shape]}
    slow = yang2024_relaxations.semidefinite(points, signs, C, **robust).value
    first = solve(points, signs, C, 1, **robust).value
    assert first == pytest.approx(slow, rel=1e-5)
    assert first > 1.05 * yang2024_relaxations.semidefinite(points, signs, C).value
    second = solve(points, signs, C, 2, **robust).value
    # No feasible w is below; slices of the robust form are w, where they are spacelike.
    times = np.linspace(-1.0, 1.0, 9)
    given = points, signs, C, 0.15
    slices = [yang2024_relaxations.robust_form(*given, time, shape=SHAPES[shape]) for time in times]
    best = min(found.value for found in slices if lorentz.product(found.w, found.w) >= 0.0)
    assert first * (1 - 1e-4) <= second <= best * (1 + 1e-4)


def test_ellipsoids_that_are_balls():
    points, signs = instance(0, 8, 2)
    solve = yang2024_relaxations.semidefinite
    ball = solve(points, signs, C, 0.2, shape="ball").value
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    assert solve(points, signs, C, 0.1, shape=2.0 * turn).value == pytest.approx(ball, rel=1e-6)
    # A flat ellipsoid lies in the ball, the ball in the box.
    flat = solve(points, signs, C, 0.2, shape=np.diag([1.0, 0.1])).value
    assert flat * (1 + 1e-3) < ball < solve(points, signs, C, 0.2).value * (1 - 1e-3)


def test_the_cubic_is_the_third_order_expansion_of_the_loss():
    row, point = np.array([-1.2, 0.4, 0.3]), lorentz.from_spatial(np.array([0.1, 0.2]))
    ((polynomial,),) = yang2024_relaxations._fits(row, point, 0.0, "box", 3)[0]
    for xi in (0.05, 0.2):
        q = np.array([0.3, -0.7, 0.5, xi])
        value = sum(factor * np.prod(q**m) for m, factor in polynomial.items())
        bound = -row @ q[:3] - value
        assert bound == pytest.approx(cubic(xi), rel=1e-12)
        assert 0.9 < (math.sinh(math.asinh(1.0) - xi) - bound) / (xi**4 / 24.0) < 1.1


@pytest.mark.parametrize("order", [2, 3])
def test_relaxations_of_the_cubic_have_the_value_0(order):
    points, signs = instance(0, 4, 1)
    points[1] = points[0]  # with both labels
    program = yang2024_relaxations._moment_program(cp, points, signs, C, order, expansion=3)
    cost, constraints, z, monomials = program
    # w = 0, and little mass far out on the axis of ξ: its cube is large, its mean is small.
    far = 300.0 * np.arange(1, order)
    for size, legal in ((100.0, True), (0.1, False)):
        mass = size / 300.0**3
        for variable in z:
            at_zero = np.array([float(sum(m) == 0) for m in monomials]) * (1.0 - mass * len(far))
            powers = np.array([far ** m[-1] * (sum(m) == m[-1]) for m in monomials])
            variable.value = at_zero + mass * powers.sum(axis=1)
        violation = max(np.max(constraint.violation()) for constraint in constraints)
        assert (violation < 1e-5) == legal
        assert cost.value < 0.06
    solved = yang2024_relaxations.sparse_moments(points, signs, C, order, expansion=3)
    linear = yang2024_relaxations.sparse_moments(points, signs, C, 1)
    assert solved.value < 0.2 < linear.value == pytest.approx(math.sqrt(2.0) * C)


@each_of("solver", SOLVERS)
@each_of(("seed", "n", "d"), SIZES)
def test_robust_form_equals_the_fast_slices(seed, n, d, solver):
    points, signs = instance(seed, n, d)
    (options, tolerance), radius = SOLVERS[solver], 0.15
    rows, moves = signed_rows(points, signs), uncertainty(points, radius)
    for time in (-0.8, 0.0, 0.3):
        slices = RobustSlices(rows, C * HINGE_SLOPE, moves)
        fast = slices.solve_at(time, 1e-9, math.inf)
        slow = yang2024_relaxations.robust_form(points, signs, C, radius, time, solver, **options)
        assert slow.value == pytest.approx(fast.upper - 0.5 * time**2, rel=tolerance)
        assert slow.w[0] == pytest.approx(time)
        assert slow.value == pytest.approx(
            objective(slow.w, points, signs, C, radius=radius), rel=10 * tolerance
        )
        nominal = yang2024_relaxations.robust_form(points, signs, C, 0.0, time, solver, **options)
        assert nominal.value < slow.value * (1 - 1e-3)


@pytest.mark.parametrize("seed", [0, 2])
def test_no_slice_of_the_robust_form_is_below_the_certified_optimum(seed):
    points, signs = instance(seed, 16, 2, noise=0.3)
    fit = global_optimum.solve(points, signs, C, radius=0.1, tol=1e-8)
    assert fit.status == "optimal"
    at = yang2024_relaxations.robust_form(points, signs, C, 0.1, fit.w[0])
    assert at.value == pytest.approx(fit.objective, rel=1e-6)
    np.testing.assert_allclose(at.w, fit.w, atol=1e-3)
    spacelike = 0
    for time in np.linspace(-1.5, 1.5, 13):
        found = yang2024_relaxations.robust_form(points, signs, C, 0.1, time)
        if lorentz.product(found.w, found.w) >= 0.0:
            spacelike += 1
            assert found.value >= fit.lower_bound * (1 - 1e-6)
    assert spacelike > 2


@each_of("shape", SHAPES)
def test_robust_term_is_the_first_order_change_of_margins(shape):
    points, signs = instance(0, 6, 2)
    w, radius = np.array([0.4, -1.0, 0.3]), 0.2
    left = yang2024_relaxations._left(cp, points, signs, cp.Constant(-w), radius, SHAPES[shape])
    expected = least_margins(w, points, signs, shape, radius)
    np.testing.assert_allclose(-left.value, expected, rtol=1e-5)


def test_a_missing_solver_is_named():
    points, signs = instance(0, 6, 2)
    with pytest.raises(InputError, match=r"finds no solver 'NONE': .* use one of .*CLARABEL"):
        yang2024_relaxations.semidefinite(points, signs, C, solver="NONE")


def test_a_solver_of_other_programs_is_named():
    points, signs = instance(0, 6, 2)
    with pytest.raises(InputError, match=r"solver 'OSQP' fails \(.*\); use another") as caught:
        yang2024_relaxations.semidefinite(points, signs, C, solver="OSQP")
    assert "\n" not in str(caught.value)


def test_missing_cvxpy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(InputError, match=r"pip install cvxpy"):
        yang2024_relaxations.sparse_moments(*instance(0, 6, 2), C)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": 0}, "order = 0; give an integer >= 1"),
        ({"order": 1, "expansion": 3}, "order = 1; give an integer >= 2"),
        ({"expansion": 2}, "expansion = 2; give 1 or 3"),
        ({"radius": 0.1, "shape": "disk"}, r"shape = 'disk'; .* or an array of shape \(2, 2\)"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(InputError, match=message):
        yang2024_relaxations.sparse_moments(*instance(0, 6, 2), C, **settings)
