import cvxpy as cp
import numpy as np
import pytest
from cases import each_of
from scipy.optimize import minimize

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert
from noneuclid.solvers.hyperboloid.arcsinh import arcsinh_bound, arcsinh_descent
from noneuclid.solvers.hyperboloid.arcsinh.arcsinh_bound import prove_bound
from noneuclid.solvers.hyperboloid.arcsinh.arcsinh_boxes import fit_line_below
from noneuclid.solvers.hyperboloid.arcsinh.arcsinh_descent import descend
from noneuclid.solvers.hyperboloid.descent import projected_gradient
from noneuclid.solvers.hyperboloid.descent.warm_start import warm_start
from noneuclid.solvers.hyperboloid.problem import objective, signed_rows

KINDS = {  # spread, shift, share of +1, distance of the whole from the origin
    "overlapping": (0.5, 0.8, 0.5, 0.0),
    "separable": (0.2, 1.5, 0.5, 0.0),
    "imbalanced": (0.6, 0.6, 0.1, 0.0),
    "away": (1.0, 0.3, 0.5, 2.0),
    "near the boundary": (1.5, 2.0, 0.5, 0.0),
}


def instance(seed, kind, d=None):
    rng = np.random.default_rng(seed)
    spread, shift, share, away = KINDS[kind]
    d = d or int(rng.integers(2, 7))
    n = int(rng.integers(5, 60))
    signs = np.where(rng.random(n) < share, 1.0, -1.0)
    signs[:2] = 1.0, -1.0
    tangent = spread * rng.normal(size=(n, d)) + away * rng.normal(size=d)
    tangent[:, 0] += shift * signs
    return convert(tangent, "tangent", "hyperboloid"), signs, 10.0 ** rng.uniform(-1, 1.5)


def loss(m):
    return np.maximum(0.0, np.arcsinh(1.0) - np.arcsinh(m))


def value(w, points, signs, C):
    """Problem (6) at each row of w; infinite outside the cone."""
    square = np.sum(w[..., 1:] ** 2, axis=-1) - w[..., 0] ** 2
    margins = signs * (w[..., 1:] @ points[:, 1:].T - w[..., :1] * points[:, 0])
    total = 0.5 * square + C * loss(margins).sum(axis=-1)
    return np.where(square < 0.0, np.inf, total)


@pytest.mark.parametrize("kind", KINDS)
def test_never_above_gradient_descent_from_the_same_start(kind):
    alone_above = 0
    for seed in range(30):
        points, signs, C = instance(seed, kind)
        start = warm_start(points, signs, C)
        pgd = projected_gradient.descend(points, signs, start, C, max_iter=2500)
        alone = descend(points, signs, C, start, rival_steps=0)
        both = descend(points, signs, C, start)
        assert both.objective <= pgd.objective * (1 + 1e-6)
        assert both.status == alone.status == "stationary"
        assert not both.warning
        assert both.objective == pytest.approx(value(both.w, points, signs, C), rel=1e-12)
        alone_above += alone.objective > pgd.objective * (1 + 1e-6)
    # The two descents may end in different valleys, but seldom.
    assert alone_above <= 3


@pytest.mark.parametrize("kind", KINDS)
def test_ends_where_no_direction_leads_down(kind):
    rng = np.random.default_rng(0)
    for seed in range(6):
        points, signs, C = instance(seed, kind)
        fit = descend(points, signs, C, warm_start(points, signs, C), tol=1e-9, rival_steps=0)
        size = np.linalg.norm(fit.w)
        for length in (1e-2, 1e-3):
            near = fit.w + length * size * rng.normal(size=(300, len(fit.w))) / 3
            assert np.all(value(near, points, signs, C) >= fit.objective * (1 - 1e-6))


# In the last three a full step of the model leads upwards.
HARD = [("overlapping", 30), ("overlapping", 36), ("near the boundary", 13)]


@each_of(("kind", "seed"), [*((kind, 0) for kind in KINDS), *HARD])
def test_objective_never_rises(kind, seed):
    rng = np.random.default_rng(seed)
    points, signs, C = instance(seed, kind)
    for _ in range(3):
        start = rng.normal(size=points.shape[1]) * 10 ** rng.uniform(-3, 0.5)
        start[0] = rng.uniform(-1, 1) * np.linalg.norm(start[1:])
        values = [value(start, points, signs, C)]
        for steps in range(1, 8):
            fit = descend(points, signs, C, start, max_iter=steps, rival_steps=0)
            values.append(fit.objective)
        assert np.all(np.diff(values) <= 1e-12 * np.array(values[:-1]))
        assert values[1] < values[0]


def test_stopped_early_says_so():
    points, signs, C = instance(3, "overlapping", d=3)
    start = np.array([4.0, 3.0, -2.0, 5.0])
    fit = descend(points, signs, C, start, max_iter=1, rival_steps=0)
    assert fit.status == "max_iter"
    assert fit.n_iter == 1
    assert "raise max_iter" in fit.warning
    assert fit.objective < value(start, points, signs, C)


def test_descends_with_many_points_and_in_many_dimensions():
    for n, d in ((20_000, 2), (300, 60)):
        rng = np.random.default_rng(1)
        signs = np.where(rng.random(n) < 0.5, 1.0, -1.0)
        tangent = rng.normal(size=(n, d)) * (0.7 if d == 2 else 0.2)
        tangent[:, 0] += 0.6 * signs
        points = convert(tangent, "tangent", "hyperboloid")
        start = warm_start(points, signs, 1.0)
        fit = descend(points, signs, 1.0, start, rival_steps=50)
        assert fit.status == "stationary"
        pgd = projected_gradient.descend(points, signs, start, 1.0, max_iter=500)
        assert fit.objective <= pgd.objective * (1 + 1e-6)


@each_of("seed", range(6))
def test_model_equals_a_modelling_tool_inside_the_wedge(seed):
    points, signs, _ = instance(seed, "overlapping", d=3)
    rng, rows = np.random.default_rng(seed), signed_rows(points, signs)
    u = rng.normal(size=3)
    w = np.append((0.999, -0.999, 0.3)[seed % 3] * np.linalg.norm(u), u)
    direction = u / np.linalg.norm(u)
    root = rng.normal(size=(4, 4))
    B, slope = root.T @ root + 0.1 * np.eye(4), np.append(-w[0], w[1:])
    # Large costs pull p out of the wedge unless its faces hold.
    hinges = 10.0 ** (seed // 3 * 3) * rng.uniform(0.1, 1.0, size=len(rows))
    reaches = 1.0 - rows @ w
    p, _, gap = arcsinh_descent._solve_model(rows, w, direction, B, slope, hinges, reaches, 1e-8)
    x = cp.Variable(4)
    cost = 0.5 * cp.quad_form(x, cp.psd_wrap(B)) + slope @ x + hinges @ cp.pos(reaches - rows @ x)
    inside = cp.abs(w[0] + x[0]) <= (1.0 - 2e-9) * (direction @ (w[1:] + x[1:]))
    expected = cp.Problem(cp.Minimize(cost), [inside]).solve(solver=cp.CLARABEL)
    reached = 0.5 * p @ B @ p + slope @ p + hinges @ np.maximum(reaches - rows @ p, 0.0)
    assert gap <= 1e-7
    assert reached == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert abs(w[0] + p[0]) <= direction @ (w[1:] + p[1:]) + 1e-7


def lower_hull(a, b, m):
    """Convex envelope of the loss on [a, b] at m, from all chords of a fine grid."""
    grid = np.unique(np.r_[np.linspace(a, b, 501), m, np.clip(1.0, a, b)])
    left, right = grid[grid <= m], grid[grid >= m]
    x, z = np.meshgrid(left, right, indexing="ij")
    share = np.where(z > x, (m - x) / np.where(z > x, z - x, 1.0), 0.0)
    return np.min((1 - share) * loss(x) + share * loss(z))


def test_lines_below_the_loss_are_below_and_high():
    rng = np.random.default_rng(0)
    for scale in (0.3, 1.0, 3.0, 30.0):
        for _ in range(30):
            a, b = np.sort(scale * rng.normal(size=2))
            m = rng.uniform(a, b)
            slope, intercept = fit_line_below(a, b, m)
            grid = np.linspace(a, b, 4001)
            assert np.all(slope * grid + intercept <= loss(grid) + 1e-12)
            assert slope * m + intercept == pytest.approx(lower_hull(a, b, m), abs=3e-3 * scale)


def test_a_box_keeps_all_that_is_better():
    rng = np.random.default_rng(0)
    trimmed = pruned = 0
    for seed in range(60):
        points, signs, C = instance(seed, list(KINDS)[seed % 5], d=2)
        fit = descend(points, signs, C, warm_start(points, signs, C), rival_steps=0)
        cutoff = fit.objective * rng.uniform(1.0, 1.5)
        middle = fit.w + rng.normal(size=3) * np.linalg.norm(fit.w) * rng.uniform(0, 0.5)
        half = np.linalg.norm(fit.w) * 10 ** rng.uniform(-2, 0.5, size=3)
        low, high = middle - half, middle + half
        sample = rng.uniform(low, high, size=(600, 3))
        values = value(sample, points, signs, C)
        planes = np.full((2, 4), -np.inf)
        rows = signed_rows(points, signs)
        args = rows, np.full(len(rows), float(C)), low, high, planes, cutoff, np.empty(3)
        least, _ = arcsinh_bound._narrow_box(*args)
        kept = np.all((sample >= low) & (sample <= high), axis=1)
        assert np.all(values[~kept] >= cutoff)
        assert np.all(values[kept] >= min(least, cutoff))
        trimmed += not kept.all()
        pruned += least >= cutoff
    assert trimmed > 10
    assert pruned > 5


@pytest.mark.parametrize("kind", KINDS)
def test_bound_is_below_every_start(kind):
    rng = np.random.default_rng(0)
    for seed in range(100, 104):
        points, signs, C = instance(seed, kind, d=2)
        fit = prove_bound(points, signs, C, warm_start(points, signs, C))
        assert fit.status == "optimal"
        assert 0.0 <= fit.gap <= 1e-3 * (1 + 1e-9)
        assert fit.objective == pytest.approx(value(fit.w, points, signs, C), rel=1e-9)
        for _ in range(8):
            start = np.r_[0.0, rng.normal(size=2)] * 10 ** rng.uniform(-1, 1)
            start[0] = rng.uniform(-1, 1) * np.linalg.norm(start[1:])
            local = descend(points, signs, C, start, rival_steps=0)
            assert local.objective >= fit.lower_bound
        simplex = minimize(
            objective_in_cone,
            start,
            args=(points, signs, C),
            method="Nelder-Mead",
            options={"maxiter": 400},
        )
        assert simplex.fun >= fit.lower_bound
        pgd = projected_gradient.solve(points, signs, C)
        assert pgd.objective >= fit.lower_bound


def objective_in_cone(w, points, signs, C):
    inside = abs(w[0]) <= np.linalg.norm(w[1:])
    return objective(w, points, signs, C, "arcsinh") if inside else np.inf


@pytest.mark.parametrize("seed", range(4))
def test_bound_equals_a_fine_grid(seed):
    rng = np.random.default_rng(seed)
    points = convert(rng.normal(size=(6, 2)), "tangent", "hyperboloid")
    signs = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0 if seed % 2 else 1.0])
    fit = prove_bound(points, signs, 1.0, np.array([0.0, 1.0, 0.0]))
    angle = np.linspace(0, 2 * np.pi, 181)[:-1]
    lean, length = np.linspace(-1, 1, 101), np.geomspace(0.01, 20, 121)
    angle, lean, length = np.meshgrid(angle, lean, length, indexing="ij")
    w = np.stack([lean * length, np.cos(angle) * length, np.sin(angle) * length])
    values = 0.5 * length**2 * (1 - lean**2)
    for row in signed_rows(points, signs):
        values += loss(np.tensordot(row, w, 1))
    assert fit.lower_bound <= values.min()
    assert fit.objective <= values.min() * (1 + 1e-9)
    assert values.min() <= fit.objective * 1.01


@pytest.mark.parametrize("kind", KINDS)
def test_bound_is_invariant(kind):
    points, signs, C = instance(7, kind, d=2)
    turn = np.eye(3)
    turn[1:, 1:] = [[0.6, -0.8], [0.8, 0.6]]
    shift = lorentz.boost(lorentz.from_spatial(np.array([1.5, -0.7])))
    start = warm_start(points, signs, C)
    fit = prove_bound(points, signs, C, start, tol=1e-4)
    for matrix, sign in ((turn, 1.0), (np.eye(3), -1.0), (shift, 1.0)):
        moved = prove_bound(points @ matrix.T, sign * signs, C, sign * matrix @ start, tol=1e-4)
        assert moved.status == "optimal"
        assert moved.objective == pytest.approx(fit.objective, rel=1.1e-4)
        assert moved.lower_bound <= fit.objective
        assert fit.lower_bound <= moved.objective


def test_bound_reaches_the_light_cone():
    rng = np.random.default_rng(2)
    points = convert(rng.normal(size=(40, 2)), "tangent", "hyperboloid")
    signs = np.ones(40)
    signs[np.argmin(points[:, 0])] = -1.0  # one point in the middle of the others
    fit = prove_bound(points, signs, 1.0, warm_start(points, signs, 1.0))
    assert fit.status == "optimal"
    assert 1 - abs(fit.w[0]) / np.linalg.norm(fit.w[1:]) < 1e-6
    assert np.all(points[:, 1:] @ fit.w[1:] - points[:, 0] * fit.w[0] > 0)


def test_bound_of_two_twins_with_opposite_labels():
    # One margin is m, the other -m, and <w,w>_L may be 0: the least sum is at m = 0 or m > 1.
    points = lorentz.from_spatial(np.array([[0.3, 0.1], [0.3, 0.1]]))
    fit = prove_bound(points, np.array([1.0, -1.0]), 2.0, np.array([0.0, 1.0, 0.0]))
    m = np.linspace(-50, 50, 200_001)
    assert fit.objective == pytest.approx(2.0 * np.min(loss(m) + loss(-m)), rel=2e-3)
    assert fit.status == "optimal"


def test_bound_stopped_early_is_valid_and_says_so():
    points, signs, C = instance(11, "overlapping", d=2)
    start = warm_start(points, signs, C)
    full = prove_bound(points, signs, C, start)
    early = prove_bound(points, signs, C, start, max_nodes=3)
    assert early.status == "max_nodes"
    assert "max_nodes=3" in early.warning
    assert early.n_iter == 3
    assert early.lower_bound < full.lower_bound
    assert early.objective >= full.lower_bound


def test_bound_needs_both_classes():
    points, _, _ = instance(0, "overlapping", d=2)
    with pytest.raises(InputError, match="both classes"):
        prove_bound(points, np.ones(len(points)), 1.0, np.array([0.0, 1.0, 0.0]))
