"""Horosphere splits against slow versions, their invariances, and the trees made of them."""

import numpy as np
import pytest
from cases import each_of
from clouds import random_clouds
from scipy.optimize import minimize
from scipy.stats import ortho_group

from noneuclid import HorosphereDecisionTreeClassifier, HorosphereForestClassifier
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert
from noneuclid.geometry.horospheres import busemann_of_rays, rays
from noneuclid.solvers.horospheres.groups import points_behind
from noneuclid.solvers.horospheres.margins import margin_horosphere
from noneuclid.solvers.horospheres.splits import (
    best_threshold,
    binned_purity,
    purity,
)
from noneuclid.solvers.horospheres.tree import Rules, grow_tree


def unit(vector):
    return vector / np.linalg.norm(vector)


def horoball(seed, d, n=200, gap=0.1):
    """Points inside and outside a random horosphere, none within `gap` of it."""
    rng = np.random.default_rng(seed)
    points = convert(1.5 * rng.normal(size=(n, d)), "tangent", "hyperboloid")
    values = busemann_of_rays(rays(points), unit(rng.normal(size=d)))
    height = values - np.quantile(values, rng.uniform(0.3, 0.7))
    kept = abs(height) > gap
    return points[kept], (height[kept] < 0).astype(int)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_busemann_function_is_the_limit_of_distances(d):
    points, _ = random_clouds(d, d=d)
    w = unit(np.random.default_rng(d).normal(size=d))
    found = busemann_of_rays(rays(points), w)
    far = 14.0
    end = lorentz.from_spatial(np.sinh(far) * w)
    np.testing.assert_allclose(found, lorentz.distance(points, end) - far, atol=1e-6)
    np.testing.assert_allclose(found, np.log(points[:, 0] - points[:, 1:] @ w), atol=1e-9)
    ball = convert(points, "hyperboloid", "poincare")
    ratio = ((ball - w) ** 2).sum(axis=1) / (1 - (ball**2).sum(axis=1))
    np.testing.assert_allclose(found, np.log(ratio), atol=1e-9)


def test_busemann_function_keeps_its_digits_far_out():
    w = np.array([0.0, 1.0, 0.0])
    points = lorentz.from_spatial(np.sinh([[30.0], [300.0]]) * w)
    np.testing.assert_allclose(busemann_of_rays(rays(points), w), [-30, -300], rtol=1e-14)
    np.testing.assert_allclose(busemann_of_rays(rays(points), -w), [30, 300], rtol=1e-14)


def slow_threshold(values, codes, weights, n_classes, least, lightest):
    best, found = -np.inf, np.nan
    steps = np.unique(values)
    for middle in (steps[:-1] + steps[1:]) / 2:
        sides = [values <= middle, values > middle]
        if min(side.sum() for side in sides) < least:
            continue
        if min(weights[side].sum() for side in sides) < lightest:
            continue
        score = 0.0
        for side in sides:
            counts = [weights[side & (codes == k)].sum() for k in range(n_classes)]
            score += sum(c * c for c in counts) / sum(counts)
        if score > best + 1e-9:
            best, found = score, middle
    return best, found


@each_of("seed", range(20))
def test_threshold_is_the_purest(seed):
    rng = np.random.default_rng(seed)
    n, classes = rng.integers(2, 30), rng.integers(2, 5)
    values = rng.integers(8, size=n) / 4.0 if seed % 2 else rng.normal(size=n)
    codes, weights = rng.integers(classes, size=n), rng.integers(1, 4, size=n).astype(float)
    least = rng.integers(1, 4), rng.choice([0.0, 4.0])
    best, threshold = slow_threshold(values, codes, weights, classes, *least)
    found = best_threshold(values, codes, weights, classes, *least)
    assert found[0] == pytest.approx(best, rel=1e-12)
    if np.isfinite(best) and np.unique(weights).size > 1 and seed % 2 == 0:
        assert found[1] == pytest.approx(threshold, abs=1e-12)


def bins(values):
    """Which of 32 equal bins each value is in."""
    edges = np.linspace(values.min(), values.max(), 33)
    return np.minimum(np.digitize(values, edges), 32).astype(float)


@each_of("seed", range(10))
def test_bins_find_the_purest_of_their_edges(seed):
    rng = np.random.default_rng(seed)
    n, classes = rng.integers(2, 200), rng.integers(2, 5)
    polar, codes = (
        rays(lorentz.from_spatial(rng.normal(size=(n, 2)))),
        rng.integers(classes, size=n),
    )
    weights, least = rng.integers(1, 4, size=n).astype(float), (rng.integers(1, 4), 4.0)
    ideals = np.array([unit(w) for w in rng.normal(size=(3, 2))])
    found = binned_purity(
        polar, ideals, codes, weights, np.bincount(codes, weights, classes), *least
    )
    for ideal, purest in zip(ideals, found, strict=True):
        values = busemann_of_rays(polar, ideal)
        best, _ = slow_threshold(bins(values), codes, weights, classes, *least)
        assert purest == pytest.approx(best, rel=1e-12)
        exact, _ = best_threshold(values, codes, weights, classes, *least)
        assert purest <= exact * (1 + 1e-12)


def test_equal_values_have_no_bins():
    polar, counts = rays(np.ones((3, 1)) * [np.sqrt(2), 1.0, 0.0]), np.array([1.0, 2.0])
    found = binned_purity(polar, np.eye(2), np.array([0, 1, 1]), np.ones(3), counts, 1, 0.0)
    assert found.tolist() == [-np.inf, -np.inf]


@each_of("seed", range(4))
def test_points_behind_groups_end_their_geodesics(seed):
    points, y = random_clouds(seed, d=3)
    matrix = lorentz.boost(lorentz.from_spatial(np.random.default_rng(seed).normal(size=3)))
    signs = np.array([[1.0, -1.0, -1.0], [1.0, -1.0, 1.0]])
    found = []
    for rows in (points, points @ matrix.T):
        starts = np.empty((2, 3))
        sums = np.array([rows[y == k].sum(axis=0) for k in range(3)])
        points_behind(sums, signs, starts, np.empty((6, 4)))
        found.append([unit(start) for start in starts])
        for sign, start in zip(signs, found[-1], strict=True):
            p, q = (lorentz.midpoint(rows[sign[y] == side]) for side in (1, -1))
            height = busemann_of_rays(rays(np.array([p, q])), start)
            assert height[1] - height[0] == pytest.approx(lorentz.distance(p, q), abs=1e-9)
    for before, after in zip(*found, strict=True):
        light = matrix @ np.array([1.0, *before])
        np.testing.assert_allclose(after, light[1:] / light[0], atol=1e-9)


def slow_groups(points, y):
    """Classes, then those merged whose means have the largest Gromov product."""
    groups = [[k] for k in np.unique(y)]
    found, origin = list(groups), lorentz.origin(points.shape[1] - 1)
    while len(groups) > 2:
        means = [lorentz.midpoint(points[np.isin(y, group)]) for group in groups]
        depths = [lorentz.distance(mean, origin) for mean in means]
        _, a, b = max(
            (depths[a] + depths[b] - lorentz.distance(means[a], means[b]), a, b)
            for b in range(len(groups))
            for a in range(b)
        )
        groups[a] = groups[a] + groups.pop(b)
        found.append(groups[a])
    return found


@each_of("seed", range(6))
def test_the_best_splitter_searches_all_margins(seed):
    points, y = random_clouds(seed, d=3, classes=5)
    polar, weights = rays(points), np.ones(len(y))
    rng = np.random.default_rng(seed)
    C = 0.1 * 2 ** rng.uniform(-3, 5)
    ideals = []
    for group in slow_groups(points, y):
        inside = np.isin(y, group)
        start = unit((points[inside, 1:] / points[inside, :1]).mean(axis=0))
        ideals.append(margin_horosphere(polar, 2.0 * inside - 1, weights, C, start)[:3])
    ideals += [unit(w) for w in rng.standard_normal((2, 3))]
    found = [best_threshold(busemann_of_rays(polar, w), y, weights, 5, 1, 0.0) for w in ideals]
    best = int(np.argmax([gain for gain, _ in found]))
    rules = Rules(1, 2, 1, 0.0, 2, True)
    stump = grow_tree(polar, y, weights, 5, rules, np.random.default_rng(seed))
    np.testing.assert_allclose(stump.ideals[0], ideals[best], atol=1e-6)
    assert stump.thresholds[0] == pytest.approx(found[best][1], abs=1e-6)


def test_both_splitters_are_as_accurate():
    scores = []
    for splitter in ("screened", "best"):
        model = HorosphereDecisionTreeClassifier(
            splitter=splitter, chart="hyperboloid", random_state=0
        )
        for seed in range(10):
            points, y = random_clouds(seed, n=800, d=2, classes=4)
            scores.append(model.fit(points[::2], y[::2]).score(points[1::2], y[1::2]))
    assert np.mean(scores[:10]) > np.mean(scores[10:]) - 0.01


def test_threshold_between_neighbouring_floats_still_separates_them():
    low = 1.0
    values = np.array([low, np.nextafter(low, 2)])
    _, threshold = best_threshold(values, np.array([0, 1]), np.ones(2), 2, 1, 0.0)
    assert (values <= threshold).tolist() == [True, False]


def rounded_hinge(p, mu, b, points, signs, C):
    """Objective of `margin_horosphere`, row by row."""
    total = 0.5 * mu**2
    for x, y in zip(points, signs, strict=True):
        rest = 1 - y * (-mu * np.log(x[0] - x[1:] @ p) - b)
        total += C * (0 if rest <= 0 else rest**2 if rest < 0.5 else rest - 0.25)
    return total


@pytest.mark.parametrize("C", [0.02, 0.3, 3.0])
def test_margin_is_a_local_optimum(C):
    points, y = random_clouds(4, n=60, d=2, classes=2)
    signs = 2.0 * y - 1
    start = unit(points[y == 1, 1:].mean(axis=0) - points[y == 0, 1:].mean(axis=0))
    *p, mu, b = margin_horosphere(rays(points), signs, np.ones(60), C, start)

    def value(z):
        direction = np.array([np.cos(z[0]), np.sin(z[0])])
        return rounded_hinge(direction, abs(z[1]), z[2], points, signs, C)

    z = np.array([np.arctan2(p[1], p[0]), mu, b])
    slow = minimize(value, z, method="Nelder-Mead", options={"maxiter": 200})
    assert value(z) <= slow.fun * (1 + 5e-3)
    assert value(z) < 0.9 * value([np.arctan2(start[1], start[0]), 1, 0])


@each_of("seed", range(6))
def test_split_is_nearly_as_pure_as_the_best_of_all_directions(seed):
    points, y = random_clouds(seed, d=2)
    polar, weights = rays(points), np.ones(len(y))
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    every = [np.array([np.cos(a), np.sin(a)]) for a in angles]
    best = max(best_threshold(busemann_of_rays(polar, w), y, weights, 3, 1, 0.0)[0] for w in every)
    stump = grow_tree(
        polar, y, weights, 3, Rules(1, 2, 1, 0.0, 5, False), np.random.default_rng(seed)
    )
    inside = busemann_of_rays(polar, stump.ideals[0]) <= stump.thresholds[0]
    found = sum(purity(np.bincount(y[side]).astype(float)) for side in (inside, ~inside))
    whole = purity(np.bincount(y).astype(float))
    assert found - whole > 0.8 * (best - whole)


@pytest.mark.parametrize(("seed", "d"), [(0, 2), (1, 2), (2, 3), (3, 5), (4, 8)])
def test_a_stump_separates_what_one_horosphere_separates(seed, d):
    points, y = horoball(seed, d)
    model = HorosphereDecisionTreeClassifier(max_depth=1, chart="hyperboloid", random_state=0)
    assert model.fit(points, y).score(points, y) > 0.97
    full = HorosphereDecisionTreeClassifier(chart="hyperboloid", random_state=0)
    assert full.fit(points, y).score(points, y) == 1


def test_rotations_change_nothing():
    points, y = random_clouds(0, d=4)
    rotation = ortho_group.rvs(4, random_state=1)
    turned = np.column_stack([points[:, 0], points[:, 1:] @ rotation.T])
    settings = {"chart": "hyperboloid", "n_candidates": 0, "max_depth": 2, "random_state": 5}
    tree = HorosphereDecisionTreeClassifier(**settings).fit(points, y)
    again = HorosphereDecisionTreeClassifier(**settings).fit(turned, y)
    np.testing.assert_array_equal(tree.apply(points), again.apply(turned))


@pytest.mark.parametrize("seed", range(4))
def test_boosts_move_ideal_points_and_shift_busemann_functions(seed):
    points, y = random_clouds(seed, d=3, classes=2)
    rng = np.random.default_rng(seed)
    matrix = lorentz.boost(lorentz.from_spatial(rng.normal(size=3)))
    boosted = points @ matrix.T
    w = unit(rng.normal(size=3))
    light = matrix @ np.array([1.0, *w])
    before, after = (
        busemann_of_rays(rays(points), w),
        busemann_of_rays(rays(boosted), light[1:] / light[0]),
    )
    np.testing.assert_allclose(after, before - np.log(light[0]), atol=1e-9)
    first = best_threshold(before, y, np.ones(len(y)), 2, 1, 0.0)
    second = best_threshold(after, y, np.ones(len(y)), 2, 1, 0.0)
    assert second == pytest.approx((first[0], first[1] - np.log(light[0])))


def test_weights_count_rows():
    points, y = random_clouds(2)
    counts = np.random.default_rng(0).integers(1, 4, size=len(y))
    rules = Rules(4, 2, 1, 0.0, 3, False)
    weighted = grow_tree(rays(points), y, counts.astype(float), 3, rules, np.random.default_rng(1))
    rows = np.repeat(np.arange(len(y)), counts)
    data = rays(points[rows]), y[rows], np.ones(len(rows))
    repeated = grow_tree(*data, 3, rules, np.random.default_rng(1))
    polar = rays(random_clouds(9)[0])
    found = weighted.values[weighted.apply(polar)]
    np.testing.assert_allclose(found, repeated.values[repeated.apply(polar)], atol=1e-9)


def test_depth_and_leaf_size_are_kept():
    points, y = random_clouds(3)
    model = HorosphereDecisionTreeClassifier(max_depth=3, min_samples_leaf=12, chart="hyperboloid")
    leaves = model.set_params(random_state=0).fit(points, y).apply(points)
    assert np.unique(leaves, return_counts=True)[1].min() >= 12
    assert 2 < len(np.unique(leaves)) <= 8
    tree = model.trees_[0]
    for leaf in np.unique(leaves):
        share = np.bincount(y[leaves[:, 0] == leaf], minlength=3) / np.sum(leaves == leaf)
        np.testing.assert_allclose(tree.values[leaf], share)


def test_margins_whose_slopes_overflow_are_left_where_they_are():
    rng = np.random.default_rng(0)
    X = [340.0, 0.0, 0.0] + 1e-3 * rng.normal(size=(60, 3))
    y = rng.integers(2, size=60)
    assert HorosphereDecisionTreeClassifier(random_state=0).fit(X, y).score(X, y) == 1.0


def test_class_weight_moves_the_vote_to_the_rare_class():
    points, y = random_clouds(6, classes=2)
    y = np.where((y == 1) & (np.arange(len(y)) % 5 > 0), 0, y)
    settings = {"max_depth": 1, "chart": "hyperboloid", "random_state": 0}
    plain = HorosphereDecisionTreeClassifier(**settings).fit(points, y)
    heavy = HorosphereDecisionTreeClassifier(**settings, class_weight="balanced").fit(points, y)
    assert heavy.predict(points).sum() > plain.predict(points).sum()


def test_one_class_with_weight_is_refused():
    forest = HorosphereForestClassifier(n_estimators=5, class_weight={"a": 0.0}, random_state=0)
    with pytest.raises(InputError, match="class_weight of class 'a' is 0"):
        forest.fit(np.eye(4, 2), ["a", "b", "a", "a"])


def test_forest_beats_its_trees_and_knows_the_curvature():
    points, y = random_clouds(7, n=600)
    train, test = slice(0, 300), slice(300, None)
    forest = HorosphereForestClassifier(n_estimators=25, chart="hyperboloid", random_state=0)
    forest.fit(points[train], y[train])
    polar = rays(points[test])
    alone = [
        np.mean(tree.values[tree.apply(polar)].argmax(axis=1) == y[test]) for tree in forest.trees_
    ]
    assert forest.score(points[test], y[test]) > np.mean(alone) + 0.02
    curved = HorosphereForestClassifier(n_estimators=25, chart="poincare", random_state=0)
    ball = convert(points, "hyperboloid", "poincare") / 2
    curved.set_params(curvature=4.0).fit(ball[train], y[train])
    np.testing.assert_allclose(
        curved.predict_proba(ball[test]), forest.predict_proba(points[test]), atol=1e-9
    )


@each_of("seed", range(6))
def test_whole_weights_are_repeated_rows(seed):
    rng = np.random.default_rng(seed)
    d, n_classes = int(rng.integers(2, 6)), 2 + seed % 3
    X, new = rng.normal(scale=0.8, size=(80, d)), rng.normal(scale=0.8, size=(1000, d))
    y, times = rng.integers(0, n_classes, 80), rng.integers(0, 5, 80)
    for model in (
        HorosphereDecisionTreeClassifier(random_state=0),
        HorosphereForestClassifier(n_estimators=2, bootstrap=False, random_state=0),
    ):
        found = model.fit(X, y, times).predict_proba(new)
        expected = model.fit(X.repeat(times, axis=0), y.repeat(times)).predict_proba(new)
        np.testing.assert_allclose(found, expected, rtol=1e-9)
