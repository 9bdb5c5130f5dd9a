"""The tree of chlenski2024 written out: angles, eq. 9, eq. 10, exhaustive search."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from cases import each_of

from noneuclid import (
    HyperbolicDecisionTreeClassifier,
    HyperbolicDecisionTreeRegressor,
    HyperbolicRandomForestClassifier,
)
from noneuclid.classifiers.float64_splits import trees_of
from noneuclid.classifiers.tree_base import axis_coordinates
from noneuclid.geometry.charts import convert

PRECISIONS = ("float32", "float64")


@dataclass
class Node:
    axis: int = -1
    angle: float = np.nan
    below: "Node" = None
    above: "Node" = None
    value: object = None


def gini(y):
    return 1 - ((np.bincount(y) / len(y)) ** 2).sum()


def middle_angle(a, b):
    """Eq. 10 with V = cos(b - a) / sin(a + b), for angles a < b."""
    if np.isclose(a + b, np.pi, rtol=0, atol=1e-12):
        return np.pi / 2
    V = np.cos(b - a) / np.sin(a + b)
    root = np.sqrt(V * V - 1)
    return np.arctan2(1.0, V - root if a < np.pi - b else V + root)


def is_above(points, axis, angle):
    """Eq. 9."""
    return np.sin(angle) * points[:, axis] - np.cos(angle) * points[:, 0] > 0


def candidates(points, y, impurity):
    """All splits: mean impurity of the halves, axis, angle."""
    for axis in range(1, points.shape[1]):
        angles = np.sort(np.arctan2(points[:, 0], points[:, axis]))
        angles = angles[np.append(True, np.diff(angles) > 1e-12)]
        for a, b in pairwise(angles):
            middle = middle_angle(a, b)
            above = is_above(points, axis, middle)
            share = above.mean()
            yield share * impurity(y[above]) + (1 - share) * impurity(y[~above]), axis, middle


def grow(points, y, depth, impurity, prefer, number=0):
    """Greedy tree; among splits of equal impurity the one nearest to what `prefer` says."""
    value = np.bincount(y, minlength=3) / len(y) if y.dtype.kind == "i" else y.mean()
    splits = list(candidates(points, y, impurity))
    if depth == 0 or impurity(y) < 1e-14 or not splits:
        return Node(value=value)
    least = min(splits)[0]
    ties = [(axis, angle) for cost, axis, angle in splits if cost < least + 1e-10]
    wanted_axis, wanted, children = prefer(number)
    axis, angle = min(ties, key=lambda s: (s[0] != wanted_axis, abs(s[1] - wanted)))
    above = is_above(points, axis, angle)
    parts = [
        grow(points[rows], y[rows], depth - 1, impurity, prefer, child)
        for rows, child in zip((~above, above), children, strict=True)
    ]
    return Node(axis, angle, *parts, value)


def preference(tree):
    def prefer(number):
        if number < 0 or tree.children_left[number] < 0:
            return 0, np.nan, (-1, -1)
        angle = np.arctan2(1.0, np.tanh(tree.threshold[number]))
        children = tree.children_left[number], tree.children_right[number]
        return tree.feature[number] + 1, angle, children

    return prefer


def assert_same(node, tree, number, tolerance):
    if node.below is None:
        assert tree.children_left[number] < 0
        return 1
    assert node.axis == tree.feature[number] + 1
    found = np.arctan2(1.0, np.tanh(tree.threshold[number]))
    assert found == pytest.approx(node.angle, abs=tolerance)
    return assert_same(node.below, tree, tree.children_left[number], tolerance) + assert_same(
        node.above, tree, tree.children_right[number], tolerance
    )


def predict(node, x):
    while node.below is not None:
        node = node.above if is_above(x[None], node.axis, node.angle)[0] else node.below
    return node.value


def mixture(seed, d, n=90, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    X = 0.7 * rng.normal(size=(n, d)) + rng.normal(size=(classes, d))[y]
    return convert(X, "tangent", "hyperboloid"), y


def tied(seed, d):
    """Few different points, many rows each, labels at odds: ties of values and of impurities."""
    points, y = mixture(seed, d, n=14)
    rows = np.random.default_rng(seed).integers(14, size=90)
    return points[rows], np.where(np.arange(90) % 7 == 0, 0, y[rows])


def compare(model, points, y, fresh, impurity, precision):
    model.set_params(max_depth=4, chart="hyperboloid", random_state=0, precision=precision)
    tree = model.fit(points, y).model_.tree_
    direct = grow(points, y, 4, impurity, preference(tree))
    tolerance = 1e-6 if precision == "float32" else 1e-9
    assert assert_same(direct, tree, 0, tolerance) == tree.n_leaves > 4
    return np.array([predict(direct, x) for x in fresh])


@each_of("precision", PRECISIONS)
@each_of("make", [mixture, tied])
@each_of("d", [2, 3, 5, 8])
def test_classifier_is_the_direct_tree(make, d, precision):
    points, y = make(d, d)
    fresh, _ = mixture(d + 50, d, n=300)
    model = HyperbolicDecisionTreeClassifier()
    expected = compare(model, points, y, fresh, gini, precision)
    np.testing.assert_allclose(model.predict_proba(fresh), expected, atol=1e-12)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("d", [2, 6])
def test_regressor_is_the_direct_tree(d, precision):
    points, y = mixture(d, d, n=60)
    target = points[:, 1] / points[:, 0] + y
    fresh, _ = mixture(d + 50, d, n=300)
    model = HyperbolicDecisionTreeRegressor()
    expected = compare(model, points, target, fresh, np.var, precision)
    np.testing.assert_allclose(model.predict(fresh), expected, rtol=1e-12)


@pytest.mark.parametrize("bootstrap", [True, False])
def test_float64_forest_splits_midway_between_rows_it_saw(bootstrap):
    points, y = mixture(0, 3)
    weight = (np.arange(len(y)) % 3 > 0).astype(float)
    plain, exact = (
        HyperbolicRandomForestClassifier(
            n_estimators=6,
            bootstrap=bootstrap,
            random_state=0,
            chart="hyperboloid",
            precision=precision,
        ).fit(points, y, sample_weight=weight)
        for precision in PRECISIONS
    )
    for one, other in zip(trees_of(plain.model_), trees_of(exact.model_), strict=True):
        np.testing.assert_array_equal(one.feature, other.feature)
        np.testing.assert_allclose(one.threshold, other.threshold, atol=1e-6)
    fresh, _ = mixture(1, 3, n=500)
    np.testing.assert_allclose(plain.predict_proba(fresh), exact.predict_proba(fresh))
    np.testing.assert_array_equal(plain.apply(fresh), exact.apply(fresh))
    (path, offsets), (other, others) = plain.decision_path(fresh), exact.decision_path(fresh)
    assert (path != other).nnz == 0
    np.testing.assert_array_equal(offsets, others)


def test_walk_of_one_tree_is_scikit_learns():
    points, y = mixture(2, 4, n=300)
    fresh, _ = mixture(3, 4, n=500)
    model = HyperbolicDecisionTreeClassifier(chart="hyperboloid", random_state=0).fit(points, y)
    theirs = axis_coordinates(fresh)
    np.testing.assert_array_equal(model.apply(fresh), model.model_.apply(theirs))
    np.testing.assert_array_equal(model.predict_proba(fresh), model.model_.predict_proba(theirs))
    assert (model.decision_path(fresh) != model.model_.decision_path(theirs)).nnz == 0


def at_the_rim(seed, n=400, norm=1 - 1e-6, apart=0.5):
    """Two classes near one point of that norm, `apart` wide along the circle, in the ball."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    radius = 2 * np.arctanh(norm)
    across = apart * (y + rng.uniform(0.05, 0.95, size=n))  # hyperbolic length along the circle
    angle = 1.0 + across / np.sinh(radius)
    return norm * np.column_stack([np.cos(angle), np.sin(angle)]), y


def test_float32_merges_points_at_the_rim_and_float64_does_not():
    X, y = at_the_rim(0, apart=0.01)
    fresh, truth = at_the_rim(1, apart=0.01)
    coordinates = axis_coordinates(convert(X, "poincare", "hyperboloid"))
    values = len(np.unique(coordinates[:, 0]))
    assert values > 390
    assert len(np.unique(coordinates.astype(np.float32)[:, 0])) < 0.1 * values
    accuracy = {}
    for precision in PRECISIONS:
        model = HyperbolicDecisionTreeClassifier(
            max_depth=3, chart="poincare", precision=precision, random_state=0
        )
        accuracy[precision] = model.fit(X, y).score(fresh, truth)
    assert accuracy["float32"] < 0.6
    assert accuracy["float64"] == 1


@pytest.mark.parametrize("far", [1e-3, 1.0, 1e6, 1e100])
def test_close_numbers_are_told_apart(far):
    x = far * (1 + 3e-14 * np.arange(40))
    points = np.column_stack([np.sqrt(1 + x**2), x])
    y = np.arange(40) % 3
    model = HyperbolicDecisionTreeClassifier(chart="hyperboloid", precision="float64")
    np.testing.assert_array_equal(model.fit(points, y).predict(points), y)


def test_rounding_is_no_difference():
    x = 1 + 1e-16 * np.arange(30)
    points = np.column_stack([np.sqrt(1 + x**2), x])
    model = HyperbolicDecisionTreeClassifier(chart="hyperboloid", precision="float64")
    assert model.fit(points, np.arange(30) % 3).model_.get_n_leaves() == 1
