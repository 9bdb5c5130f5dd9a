"""Representatives against linear programs and all cycles; the guarantee against its definition."""

from itertools import permutations

import numpy as np
import pytest
from cases import each_of
from scipy.optimize import linprog

from noneuclid import HilbertNearestClassifier
from noneuclid.solvers.hilbert.nearest import distances, opposite_distances, representatives


def instance(seed, classes=2):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(10, 30), rng.integers(2, 7)
    codes = np.r_[np.arange(classes), rng.integers(0, classes, n - classes)]
    return np.log(rng.dirichlet(np.ones(m), n)), codes


def least_radius(logs, reach):
    """Opt. (16) for one class as a program with a largest and a least difference for each row."""
    n, m = logs.shape
    rows, limits = [], []
    for i in range(n):
        for j in range(m):
            centre, high, low = np.eye(m)[j], np.eye(n)[i], np.eye(n)[i]
            rows.append(np.r_[-centre, 0, -high, np.zeros(n)])
            rows.append(np.r_[centre, 0, np.zeros(n), low])
            limits += [-logs[i, j], logs[i, j]]
        rows.append(np.r_[np.zeros(m), -2 * reach[i], np.eye(n)[i], -np.eye(n)[i]])
        limits.append(0)
    cost = np.eye(m + 1 + 2 * n)[m]
    return linprog(cost, np.array(rows), limits, bounds=(None, None)).fun


def largest_cycle_ratio(logs, reach):
    """The dual, by enumeration: every cycle of facets with every choice of rows is a bound."""
    n, m = logs.shape
    best = 0.0
    for size in range(2, m + 1):
        for cycle in permutations(range(m), size):
            edges = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
            for chosen in np.ndindex(*[n] * size):
                gain = sum(logs[i, j] - logs[i, k] for i, (j, k) in zip(chosen, edges, strict=True))
                best = max(best, gain / (2 * sum(reach[i] for i in chosen)))
    return best


@each_of("seed", range(8))
def test_radii_are_those_of_the_linear_program(seed):
    logs, codes = instance(seed, classes=2 + seed % 3)
    reach, _ = opposite_distances(logs, codes)
    if seed % 4 == 3:
        reach = np.ones(len(logs))
    found = representatives(logs, codes, reach)
    for k in range(codes.max() + 1):
        mine = codes == k
        assert found.radii[k] == pytest.approx(
            max(distances(logs[mine], found.centres[[k]])[:, 0] / reach[mine]), abs=1e-14
        )
        assert found.radii[k] == pytest.approx(least_radius(logs[mine], reach[mine]), abs=1e-7)
    assert np.all(found.bounds <= found.radii + 1e-14)
    np.testing.assert_allclose(found.bounds, found.radii, atol=1e-11)


def test_bound_is_the_best_cycle():
    rng = np.random.default_rng(5)
    logs, reach = rng.normal(size=(4, 4)), rng.uniform(0.1, 1, 4)
    found = representatives(logs, np.zeros(4, dtype=int), reach)
    assert found.bounds[0] == pytest.approx(largest_cycle_ratio(logs, reach), rel=1e-12)


@pytest.mark.parametrize("classes", [2, 4])
def test_opposite_distances_by_all_pairs(classes):
    rng = np.random.default_rng(11)
    logs, codes = rng.normal(size=(80, 6)), np.arange(80) % classes
    pairs = 0.5 * np.ptp(logs[:, None] - logs, axis=2)
    pairs[codes[:, None] == codes] = np.inf
    found, rows = opposite_distances(logs, codes)
    np.testing.assert_allclose(found, pairs.min(axis=1), atol=1e-14)
    np.testing.assert_array_equal(pairs[np.arange(len(logs)), rows], pairs.min(axis=1))


def test_laws_of_the_centre():
    """Facets change places, their values get factors, the norm is even: the centre follows."""
    logs, codes = instance(4)
    reach, _ = opposite_distances(logs, codes)
    centres = representatives(logs, codes, reach).centres
    rng = np.random.default_rng(0)
    order, shift = rng.permutation(logs.shape[1]), rng.normal(size=logs.shape[1])
    np.testing.assert_allclose(centres.sum(axis=1), 0, atol=1e-12)
    for moved, expected in [
        (logs[:, order], centres[:, order]),
        (-logs, -centres),
        (logs + rng.normal(size=(len(logs), 1)), centres),
        (logs + shift, centres + shift - shift.mean()),
    ]:
        found = representatives(moved, codes, reach).centres
        np.testing.assert_allclose(found, expected, atol=1e-11)


def test_betas_are_those_of_definition_15():
    rng = np.random.default_rng(2)
    X, y = rng.dirichlet(np.ones(4), 30), np.arange(30) % 3
    model = HilbertNearestClassifier().fit(X, y)
    pairs = 0.5 * np.ptp(np.log(X)[:, None] - np.log(X), axis=2)
    for k in range(3):
        own = pairs[y == k][:, y != k].min(axis=1)
        away = 0.5 * np.ptp(np.log(X[y == k]) - model.centers_[k], axis=1)
        assert model.betas_[k] == pytest.approx((own / away).min(), rel=1e-12)
    assert 1 / model.beta_ == pytest.approx(model.objective_, rel=1e-12)


def test_no_row_is_misread_where_beta_is_large():
    """1/β_k + 1/β_l < 1 for all pairs is enough, and met by some of these."""
    held = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        y = np.arange(30) % 3
        X = np.array([rng.dirichlet(rng.uniform(4, 40) * row) for row in (1 + 5 * np.eye(3))[y]])
        model = HilbertNearestClassifier().fit(X, y)
        if (1 / np.sort(model.betas_)[:2]).sum() < 1:
            held += 1
            assert model.score(X, y) == 1.0
    assert held >= 5


def test_a_beta_below_two_guarantees_nothing():
    logs = np.array([[0, 10, 12, -4], [0, -10, -8, -6], [0, 10, 2, 4], [0, 0, 12, 2]], dtype=float)
    codes = np.array([0, 0, 1, 1])
    found = representatives(logs, codes, opposite_distances(logs, codes)[0])
    np.testing.assert_allclose(1 / found.radii, [1.8, 1.7])
    assert distances(logs, found.centres).argmin(axis=1).tolist() == [0, 0, 0, 1]


def test_ten_thousand_rows_of_fifty_parts():
    rng = np.random.default_rng(0)
    y = np.arange(10_000) % 2
    weights = np.array([np.full(50, 2.0), np.linspace(0.1, 4.0, 50)])
    logs = np.log(np.array([rng.dirichlet(weights[k]) for k in y]))
    found = representatives(logs, y, opposite_distances(logs, y)[0])
    np.testing.assert_allclose(found.bounds, found.radii, rtol=1e-10)
