from itertools import pairwise

import numpy as np
import pytest
from clouds import random_clouds

import noneuclid
from noneuclid import HyperbolicDecisionTreeClassifier, HyperbolicRandomForestClassifier
from noneuclid.classifiers import tree_text
from noneuclid.classifiers.tree_base import axis_coordinates
from noneuclid.geometry import lorentz


def gini(y):
    if len(y) == 0:
        return 0.0
    share = np.bincount(y) / len(y)
    return 1 - (share**2).sum()


def middle_angle(a, b):
    """Eq. 10 of chlenski2024 with V = cos(b - a) / sin(a + b), for angles a < b."""
    if np.isclose(a + b, np.pi, rtol=0, atol=1e-12):
        return np.pi / 2
    V = np.cos(b - a) / np.sin(a + b)
    cot = V - np.sqrt(V * V - 1) if a < np.pi - b else V + np.sqrt(V * V - 1)
    return np.arctan2(1.0, cot)


def hyperdt_splits(points, y):
    """All splits of HyperDT: axis, middle angle, weighted gini; angles as in section 3.3."""
    for axis in range(1, points.shape[1]):
        angles = np.arctan2(points[:, 0], points[:, axis])
        steps = np.unique(angles)
        for a, b in pairwise(steps):
            middle = middle_angle(a, b)
            above = np.sin(middle) * points[:, axis] - np.cos(middle) * points[:, 0] > 0  # eq. 9
            share = above.mean()
            yield axis, middle, share * gini(y[above]) + (1 - share) * gini(y[~above])


@pytest.mark.parametrize("seed", range(4))
def test_every_node_is_a_best_split_of_hyperdt(seed):
    points, y = random_clouds(seed)
    model = HyperbolicDecisionTreeClassifier(max_depth=4, chart="hyperboloid", random_state=seed)
    tree = model.fit(points, y).model_.tree_

    def visit(node, rows):
        if tree.children_left[node] < 0:
            return 1
        splits = list(hyperdt_splits(points[rows], y[rows]))
        axis, angle = tree.feature[node] + 1, np.arctan2(1.0, np.tanh(tree.threshold[node]))
        nearest = min((s for s in splits if s[0] == axis), key=lambda s: abs(s[1] - angle))
        assert nearest[1] == pytest.approx(angle, abs=1e-6)
        assert nearest[2] == pytest.approx(min(s[2] for s in splits), abs=1e-12)
        below = points[rows, axis] / points[rows, 0] <= np.tanh(tree.threshold[node])
        return visit(tree.children_left[node], rows[below]) + visit(
            tree.children_right[node], rows[~below]
        )

    assert visit(0, np.arange(len(y))) == model.model_.get_n_leaves() > 4


def test_predictions_follow_eq_9():
    points, y = random_clouds(9)
    fresh, _ = random_clouds(10)
    model = HyperbolicDecisionTreeClassifier(max_depth=5, chart="hyperboloid", random_state=0)
    tree = model.fit(points, y).model_.tree_
    for x, found in zip(fresh, model.predict(fresh), strict=True):
        node = 0
        while tree.children_left[node] >= 0:
            angle = np.arctan2(1.0, np.tanh(tree.threshold[node]))
            above = np.sin(angle) * x[tree.feature[node] + 1] - np.cos(angle) * x[0] > 0
            node = (tree.children_right if above else tree.children_left)[node]
        assert found == tree.value[node, 0].argmax()


def submanifold(angle, axis, parameters, curvature):
    """Points of G^(D-1), eqs. 11 to 15 of chlenski2024, for parameters t of shape (n, D - 1)."""
    n, size = len(parameters), parameters.shape[1] + 2
    root = np.sqrt(curvature)
    alpha = np.sqrt(-1.0 / np.cos(2.0 * angle)) / root
    points = np.zeros((n, size))
    points[:, :2] = alpha * np.array([np.sin(angle), np.cos(angle)])  # (11), (12)
    for d, t in enumerate(parameters.T[:, :, None], start=2):
        points = np.cosh(t) * points + np.sinh(t) * np.eye(size)[d] / root  # (13) to (15)
    # The paper puts the split's axis first.
    return np.insert(np.delete(points, 1, axis=1), axis + 1, points[:, 1], axis=1)


@pytest.mark.parametrize("curvature", [1.0, 0.4])
@pytest.mark.parametrize("seed", range(3))
def test_boundary_of_a_split_is_the_submanifold_of_eqs_13_to_15(seed, curvature):
    points, y = random_clouds(seed, d=4)
    points /= np.sqrt(curvature)
    model = HyperbolicDecisionTreeClassifier(
        max_depth=1, chart="hyperboloid", curvature=curvature, random_state=0
    ).fit(points, y)
    root = tree_text.splits(model)[0]
    t = np.random.default_rng(seed).normal(size=(200, 3))
    found = submanifold(root.angle, root.axis, t, curvature)
    np.testing.assert_allclose(lorentz.product(found, found), -1.0 / curvature, rtol=1e-9)
    # Each point is on the boundary: a little further along the axis the tree changes its mind.
    for step, leaf in ((-1e-5, root.left), (1e-5, root.right)):
        moved = found[:, 1:].copy()
        moved[:, root.axis] += step
        beside = lorentz.from_spatial(np.sqrt(curvature) * moved) / np.sqrt(curvature)
        assert (model.apply(beside) == leaf).all()
    # And each point of the boundary is found: all other coordinates have parameters t.
    others = np.delete(np.arange(5), [0, root.axis + 1])
    rest = points[:, others]
    t, length = np.empty_like(rest), np.ones(len(rest))
    for k in reversed(range(3)):
        t[:, k] = np.arcsinh(np.sqrt(curvature) * rest[:, k] / length)
        length = length * np.cosh(t[:, k])
    again = submanifold(root.angle, root.axis, t, curvature)
    np.testing.assert_allclose(again[:, others], rest, rtol=1e-9)


def test_axis_coordinate_is_artanh_of_the_ratio():
    points, _ = random_clouds(0, d=4)
    expected = np.arctanh(points[:, 1:] / points[:, :1])
    np.testing.assert_allclose(axis_coordinates(points), expected, rtol=1e-9)
    assert axis_coordinates(np.array([[1.25, 0.75]])) == pytest.approx(np.log(2))


def test_axis_coordinates_keep_their_digits_far_out():
    radius = np.array([20.0, 20.5, 30.0, 300.0])
    far = np.column_stack([np.cosh(radius), np.sinh(radius), np.zeros(4)])
    np.testing.assert_allclose(axis_coordinates(far)[:, 0], radius, rtol=1e-12)
    y = np.array([0, 1, 0, 1])
    model = HyperbolicDecisionTreeClassifier(chart="hyperboloid").fit(far, y)
    np.testing.assert_array_equal(model.predict(far), y)


def test_reflections_of_an_axis_change_nothing():
    points, y = random_clouds(3, d=2)
    mirrored = points * [1.0, -1.0, 1.0]
    settings = {"chart": "hyperboloid", "max_depth": 3, "random_state": 0}
    plain = HyperbolicDecisionTreeClassifier(**settings).fit(points, y)
    mirror = HyperbolicDecisionTreeClassifier(**settings).fit(mirrored, y)
    assert plain.score(points, y) == pytest.approx(mirror.score(mirrored, y), abs=0.02)
    np.testing.assert_allclose(plain.feature_importances_, mirror.feature_importances_, atol=0.02)


def test_forest_hands_everything_on():
    points, y = random_clouds(4)
    labels = np.array(["x", "y", "z"])[y]
    model = HyperbolicRandomForestClassifier(
        n_estimators=40, max_depth=3, oob_score=True, chart="hyperboloid", random_state=1
    ).fit(points, labels)
    assert len(model.model_.estimators_) == 40
    assert model.n_features_in_ == 4
    assert model.feature_importances_.shape == (3,)
    assert model.apply(points).shape == (len(y), 40)
    assert model.decision_path(points)[0].shape[0] == len(y)
    assert 0.5 < model.model_.oob_score_ <= 1
    np.testing.assert_array_equal(
        model.predict(points), model.model_.predict(axis_coordinates(points))
    )


@pytest.mark.parametrize(
    "model",
    [
        noneuclid.HyperbolicDecisionTreeClassifier(max_depth=4),
        noneuclid.HyperbolicDecisionTreeRegressor(),
        noneuclid.HyperbolicRandomForestClassifier(n_estimators=1),
        noneuclid.HyperbolicRandomForestClassifier(n_estimators=7),
        noneuclid.HyperbolicExtraTreesRegressor(n_estimators=5, max_leaf_nodes=9),
    ],
    ids=lambda model: f"{type(model).__name__}{getattr(model, 'n_estimators', '')}",
)
def test_rows_go_down_the_trees_as_scikit_learn_sends_them(model):
    points, y = random_clouds(8, n=5001, d=15)  # several blocks, the last one short
    model.set_params(chart="hyperboloid", random_state=0).fit(points[:400], y[:400])
    coordinates = axis_coordinates(points)
    np.testing.assert_array_equal(model.apply(points), model.model_.apply(coordinates))
    path, slow = model.decision_path(points), model.model_.decision_path(coordinates)
    path, slow = (path[0], slow[0]) if isinstance(path, tuple) else (path, slow)
    assert (path != slow).nnz == 0
    for name in ("predict", "predict_proba"):
        if hasattr(model, name):
            np.testing.assert_allclose(
                getattr(model, name)(points), getattr(model.model_, name)(coordinates), rtol=1e-12
            )


@pytest.mark.parametrize("row", [[np.inf, 0.0], [1.25, -np.inf], [-1.25, 0.75], [np.nan, 0.75]])
def test_rows_off_the_hyperboloid_are_seen(row):
    model = HyperbolicDecisionTreeClassifier(chart="hyperboloid")
    model.fit([[1.25, 0.75], [1.25, -0.75]], [0, 1])
    for used in (model.predict, lambda X: model.fit(X, [0, 1])):
        with pytest.raises(ValueError, match=r"contains (NaN|infinity)|row 1"):
            used([[1.25, 0.75], row])


def test_sample_weight_removes_rows():
    points, y = random_clouds(5)
    weight = (np.arange(len(y)) % 2).astype(float)
    model = HyperbolicDecisionTreeClassifier(chart="hyperboloid", max_depth=3, random_state=0)
    weighted = model.fit(points, y, sample_weight=weight).predict_proba(points)
    kept = model.fit(points[weight > 0], y[weight > 0]).predict_proba(points)
    np.testing.assert_allclose(weighted, kept)
