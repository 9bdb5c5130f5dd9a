"""The light cone's branch and bound against grids, random starts and an independent descent."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid import global_optimum
from noneuclid.solvers.hyperboloid.cone_cells import HalfCone, cover
from noneuclid.solvers.hyperboloid.cone_search import search_cone
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, signed_rows
from noneuclid.solvers.hyperboloid.time_slices import HingeSlices


def buried(seed, n, d):
    """A small class at the centre of a large one."""
    rng = np.random.default_rng(seed)
    small = np.arange(n) < n // 6
    radii = np.where(small, rng.uniform(0.0, 0.5, n), rng.uniform(1.0, 2.0, n))
    directions = rng.normal(size=(n, d))
    directions *= (np.sinh(radii) / np.linalg.norm(directions, axis=1))[:, None]
    return lorentz.from_spatial(directions), np.where(small, 1.0, -1.0)


def losses(rows, c, sign, u):
    """Loss of each row u."""
    w = np.column_stack([sign * np.linalg.norm(u, axis=1), u])
    return c * np.maximum(0.0, 1.0 - w @ rows.T).sum(axis=1)


def four_descents(rows, c, seed):
    """Least loss on the cone by L-BFGS with numerical gradients, from four random starts."""
    rng, least = np.random.default_rng(100 + seed), math.inf
    for sign in (1.0, -1.0):
        for u in 0.3 * rng.normal(size=(4, rows.shape[1] - 1)):
            found = minimize(lambda u, s=sign: losses(rows, c, s, u[None])[0], u, method="L-BFGS-B")
            least = min(least, found.fun)
    return least


@pytest.mark.parametrize("seed", range(3))
def test_plane_against_a_grid(seed):
    points, signs = buried(seed, 18, 2)
    rows, c = signed_rows(points, signs), 2.0
    bound, w, value, _ = search_cone(
        HingeSlices(rows, c), np.array([0.0, 1e-9, 0.0]), c * 18, 1e-6, 5000
    )
    angle, length = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 1001), np.geomspace(0.05, 5.0, 150))
    u = (length[..., None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)).reshape(-1, 2)
    grid = min(losses(rows, c, sign, u).min() for sign in (1.0, -1.0))
    assert bound <= value <= grid <= value * 1.01
    assert bound >= value * (1.0 - 1e-6)
    assert losses(rows, c, np.sign(w[0]), w[None, 1:])[0] == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_bound_of_each_cell_holds_for_its_directions(d):
    points, signs = buried(5, 18, d)
    rows, c, rng = signed_rows(points, signs), 2.0, np.random.default_rng(0)
    frame = np.linalg.qr(rng.normal(size=(d, d)))[0]
    cells = [half for cell in cover(d) for half in (cell.halves(np.ones(d)) if d > 1 else [cell])]
    for sign in (1.0, -1.0):
        half = HalfCone(HingeSlices(rows, c), sign, frame, 3.0)
        for cell in cells:
            ratios = rng.uniform(cell.low, cell.high, size=(300, d - 1))
            x = np.insert(ratios, cell.axis, 1.0, axis=1)
            x[:, cell.axis] = cell.side
            x *= (rng.uniform(0.0, 3.0, 300) / np.linalg.norm(x, axis=1))[:, None]
            bound, _, _ = half.bound(cell, c * 18, 1e-6)
            assert bound <= losses(rows, c, sign, x @ frame.T).min()


@pytest.mark.parametrize(("n", "d", "max_slices"), [(18, 3, 2000), (60, 8, 5), (60, 5, 1)])
def test_no_descent_of_four_starts_is_better(n, d, max_slices):
    points, signs = buried(n, n, d)
    fit = global_optimum.solve(points, signs, 1.0, max_slices=max_slices)
    found = four_descents(signed_rows(points, signs), HINGE_SLOPE, n)
    assert fit.objective <= found * (1.0 + 1e-6)
    assert fit.lower_bound <= found
    assert max_slices < 2000 or fit.gap <= 1e-6
