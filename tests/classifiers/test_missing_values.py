"""Missing values in hyperbolic trees, against scikit-learn's trees on axis coordinates with NaN."""

import numpy as np
import pytest
import sklearn
from cases import each_of
from checked_estimators import ESTIMATORS
from clouds import ring_clouds
from copies import copies_of
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import partial_dependence
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.fixes import parse_version

from noneuclid import (
    ConformalClassifier,
    HedgedClassifier,
    HyperbolicDecisionTreeClassifier,
    HyperbolicDecisionTreeRegressor,
    HyperbolicExtraTreesClassifier,
    HyperbolicExtraTreesRegressor,
    HyperbolicHistGradientBoostingClassifier,
    HyperbolicHistGradientBoostingRegressor,
    HyperbolicRandomForestClassifier,
    HyperbolicRandomForestRegressor,
    TreeDisplay,
    export_text,
)
from noneuclid.classifiers.tree_base import HyperbolicTrees, axis_coordinates
from noneuclid.errors import InputError
from noneuclid.geometry import charts

OPEN = [
    HyperbolicDecisionTreeClassifier(),
    HyperbolicDecisionTreeClassifier(splitter="random", max_depth=6, ccp_alpha=0.01),
    HyperbolicDecisionTreeClassifier(class_weight="balanced", criterion="entropy"),
    HyperbolicDecisionTreeRegressor(criterion="poisson", min_samples_leaf=3),
    HyperbolicRandomForestClassifier(n_estimators=7, max_leaf_nodes=20),
    HyperbolicRandomForestRegressor(n_estimators=5),
    HyperbolicExtraTreesClassifier(n_estimators=7),
    HyperbolicExtraTreesRegressor(n_estimators=5, bootstrap=True),
]
BOOSTING = [
    HyperbolicHistGradientBoostingClassifier(max_iter=4, min_samples_leaf=5),
    HyperbolicHistGradientBoostingRegressor(max_iter=4, min_samples_leaf=5),
]
MODELS = [model.set_params(chart="tangent", random_state=0) for model in OPEN + BOOSTING]
RANKED = [
    HyperbolicDecisionTreeClassifier(precision="float64", chart="tangent", random_state=0),
    HyperbolicRandomForestRegressor(
        n_estimators=4, precision="float64", chart="tangent", random_state=0
    ),
]
CHARTS = ("tangent", "poincare", "klein")


def holes(seed, n=160, d=4, share=0.25):
    """Rows with missing values, one row and the last column without any value, and classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 0.8
    y = (X[:, 0] > 0.2).astype(int) + (X[:, 1] * X[:, 2] > 0)
    X[rng.random(X.shape) < share] = np.nan
    X[(rng.random(n) < 0.5) & (y == 1), 0] = np.nan  # and some that tell the class
    X[5], X[:, -1] = np.nan, np.nan
    return X, y


def coordinates(X, chart="tangent"):
    """The obvious way: artanh of the Klein coordinates of the row with zeros, then NaN again."""
    klein = charts.convert(np.where(np.isnan(X), 0.0, X), chart, "klein")
    return np.where(np.isnan(X), np.nan, np.arctanh(klein))


def targets(model, y):
    return y + 0.25 if is_regressor(model) else np.array(["a", "b", "c"])[y]


def theirs(model):
    """scikit-learn's own estimator with the same settings."""
    known = type(model)._model().get_params()
    return type(model)._model(**{k: v for k, v in model.get_params().items() if k in known})


def slow_path(tree, row):
    """Nodes that a row of axis coordinates passes."""
    nodes = [0]
    while tree.children_left[nodes[-1]] >= 0:
        node = nodes[-1]
        value = row[tree.feature[node]]
        left = tree.missing_go_to_left[node] if np.isnan(value) else value <= tree.threshold[node]
        nodes.append((tree.children_left if left else tree.children_right)[node])
    return nodes


@pytest.mark.parametrize("chart", CHARTS)
def test_a_missing_value_is_a_missing_axis_coordinate(chart):
    X, y = holes(0)
    X = np.where(np.isnan(X), np.nan, charts.convert(np.nan_to_num(X), "tangent", chart))
    model = HyperbolicDecisionTreeClassifier(chart=chart, random_state=0).fit(X, y)
    slow = theirs(model).fit(coordinates(X, chart), y)
    np.testing.assert_array_equal(model.apply(X), slow.apply(coordinates(X, chart)))
    np.testing.assert_allclose(model.model_.tree_.threshold, slow.tree_.threshold, rtol=1e-6)


def test_klein_coordinates_do_not_depend_on_a_missing_one():
    X, y = holes(1)
    full = np.random.default_rng(0).uniform(-0.45, 0.45, X.shape)
    model = HyperbolicDecisionTreeClassifier(chart="klein", random_state=0).fit(full, y)
    used = model.model_.tree_.feature[0]
    stump = clone(model).set_params(max_depth=1).fit(full, y)
    other = np.arange(4) != used
    np.testing.assert_array_equal(stump.apply(np.where(other, np.nan, full)), stump.apply(full))


@each_of("precision", ["float32", "float64"])
def test_missing_values_far_out(precision):
    X, y = np.array([[np.nan, 20.0], [np.nan, 20.5], [np.nan, 30.0]]), [0, 1, 0]
    model = HyperbolicDecisionTreeClassifier(chart="tangent", precision=precision).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    forest = HyperbolicRandomForestClassifier(
        n_estimators=20, chart="tangent", precision=precision, random_state=0
    )
    expected = np.mean([tree.predict_proba(X) for tree in forest.fit(X, y).estimators_], axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), expected)
    found = axis_coordinates(model._points(X))
    np.testing.assert_allclose(found, X, rtol=1e-12)


@each_of("weighted", [False, True])
@each_of("model", MODELS)
def test_everything_is_that_of_scikit_learn_on_coordinates_with_nan(model, weighted):
    X, y = holes(2)
    new = np.concatenate([holes(3, n=500)[0], np.random.default_rng(1).normal(size=(500, 4))])
    weights = np.random.default_rng(4).integers(1, 4, len(y)).astype(float) if weighted else None
    ours = clone(model).fit(X, targets(model, y), sample_weight=weights)
    # scikit-learn's boosting takes no column without a value (1.9); no tree splits it.
    shown = np.where(np.arange(4) < 3, coordinates(X), 0.0) if model in BOOSTING else coordinates(X)
    slow = theirs(model).fit(shown, targets(model, y), sample_weight=weights)
    for rows in (X, new):
        for name in ("predict", "predict_proba", "apply"):
            if hasattr(ours, name):
                found = getattr(ours, name)(rows)
                expected = getattr(slow, name)(coordinates(rows))
                if found.dtype.kind == "f":
                    np.testing.assert_allclose(found, expected, atol=1e-12, err_msg=name)
                else:
                    np.testing.assert_array_equal(found, expected, err_msg=name)
    if hasattr(ours, "feature_importances_"):
        np.testing.assert_allclose(ours.feature_importances_, slow.feature_importances_, atol=1e-9)
        assert ours.feature_importances_[-1] == 0


@pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.8"),
    reason="scikit-learn trains some nodes on other rows than it sends there",
)
@each_of("model", RANKED)
def test_float64_splits_divide_the_same_rows(model):
    X, y = holes(5)
    y = targets(model, y)
    plain = clone(model).set_params(precision="float32").fit(X, y)
    ranked = clone(model).fit(X, y)
    np.testing.assert_array_equal(ranked.apply(X), plain.apply(X))
    trees = [getattr(m.model_, "estimators_", [m.model_])[0].tree_ for m in (ranked, plain)]
    assert np.isinf(trees[0].threshold).any()
    np.testing.assert_allclose(trees[0].threshold, trees[1].threshold, atol=1e-6)


def test_float64_tells_coordinates_apart_that_float32_merges():
    X = np.array([[0.3], [0.3 + 1e-10], [np.nan], [0.3], [0.3 + 1e-10], [np.nan]])
    y = np.array([0, 1, 0, 0, 1, 0])
    model = HyperbolicDecisionTreeClassifier(precision="float64", chart="tangent").fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.model_.tree_.missing_go_to_left[0] == 1
    assert 0.3 < model.model_.tree_.threshold[0] < 0.3 + 1e-10


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_without_missing_values_in_training_they_go_to_the_larger_child(precision):
    X, y = np.array([[-0.5], [-0.4], [0.3], [0.4], [0.5]]), [0, 0, 1, 1, 1]
    model = HyperbolicDecisionTreeClassifier(chart="klein", precision=precision)
    assert model.fit(X, y).predict([[np.nan]]) == 1
    assert model.fit(-X, [1, 1, 0, 0, 0]).predict([[np.nan]]) == 0
    X, y = ring_clouds(n=300)
    lost = np.where(np.random.default_rng(0).random(X.shape) < 0.4, np.nan, X)
    tree = model.set_params(chart="tangent").fit(X, y).model_.tree_
    slow = [slow_path(tree, row) for row in coordinates(lost)]
    np.testing.assert_array_equal(model.apply(lost), [nodes[-1] for nodes in slow])
    # scikit-learn's own, before 1.8, does not follow missing values.
    found = model.decision_path(lost)
    assert [sorted(row.indices.tolist()) for row in found] == [sorted(nodes) for nodes in slow]


@each_of("kind", ["splitter", "forest"])
def test_a_random_split_of_equal_values_from_missing_ones(kind):
    rng = np.random.default_rng(0)
    X = np.repeat(rng.uniform(-0.6, 0.6, (1, 5)), 60, axis=0)  # each is above or below its float32
    y = rng.integers(2, size=(60, 5))
    X[y == 1] = np.nan
    model = HyperbolicDecisionTreeClassifier(splitter="random")
    model = model if kind == "splitter" else HyperbolicExtraTreesClassifier(n_estimators=5)
    model.set_params(chart="klein", random_state=0).fit(X, y @ 2 ** np.arange(5))
    expected = model.model_.apply(coordinates(X, "klein"))
    np.testing.assert_array_equal(model.apply(X), expected)


@each_of("model", [MODELS[0], MODELS[2], MODELS[3], MODELS[-1], RANKED[0]])
def test_rows_may_come_in_any_order(model):
    X, y = holes(6)
    order = np.random.default_rng(0).permutation(len(y))
    one = clone(model).fit(X, targets(model, y))
    np.testing.assert_array_equal(one.predict(X[order]), one.predict(X)[order])
    other = clone(model).fit(X[order], targets(model, y)[order])
    agree = np.isclose if is_regressor(model) else np.equal
    assert agree(one.predict(X), other.predict(X)).all()


@each_of("model", [*MODELS, *RANKED])
def test_rows_of_weight_0_are_deleted_whatever_they_lack(model):
    X, y = holes(7)
    weights = (np.arange(len(y)) % 3 > 0).astype(float)
    kept = weights > 0
    whole = clone(model).fit(X, targets(model, y), sample_weight=weights)
    part = clone(model).fit(X[kept], targets(model, y)[kept])
    np.testing.assert_array_equal(whole.predict(X), part.predict(X))


def test_several_targets():
    X, y = holes(8)
    Y = np.column_stack([y, np.isnan(X[:, 0])]).astype(float)
    for model in (
        HyperbolicDecisionTreeRegressor(),
        HyperbolicRandomForestRegressor(n_estimators=3),
    ):
        model.set_params(chart="tangent", random_state=0)
        expected = theirs(model).fit(coordinates(X), Y).predict(coordinates(X))
        np.testing.assert_allclose(model.fit(X, Y).predict(X), expected)


@each_of("model", [*MODELS, *RANKED])
def test_survives_copies(model):
    X, y = holes(9)
    fitted = clone(model).fit(X, targets(model, y))
    for copy in copies_of(fitted, X, targets(model, y)):
        np.testing.assert_array_equal(copy.predict(X), fitted.predict(X))


def test_the_trees_of_a_forest_and_the_rest_of_the_interface():
    X, y = holes(10)
    model = HyperbolicRandomForestClassifier(
        n_estimators=30, chart="tangent", oob_score=True, random_state=0
    ).fit(X, y)
    assert model.oob_score_ == theirs(model).fit(coordinates(X), y).oob_score_
    parts = [tree.predict_proba(X) for tree in model.estimators_]
    np.testing.assert_allclose(np.mean(parts, axis=0), model.predict_proba(X), atol=1e-12)
    tree = HyperbolicDecisionTreeClassifier(chart="tangent", random_state=0)
    path = tree.cost_complexity_pruning_path(X, y)
    expected = theirs(tree).cost_complexity_pruning_path(coordinates(X), y)
    np.testing.assert_allclose(path.ccp_alphas, expected.ccp_alphas)
    curve = partial_dependence(model, np.nan_to_num(X), [0], grid_resolution=5)
    assert np.isfinite(curve["average"]).all()


@pytest.mark.parametrize("wrapper", [HedgedClassifier, ConformalClassifier])
def test_wrappers_hand_missing_values_on(wrapper):
    X, y = holes(11)
    forest = HyperbolicRandomForestClassifier(n_estimators=5, chart="tangent", random_state=0)
    model = wrapper(forest, cv=3, random_state=0)
    assert get_tags(model).input_tags.allow_nan
    assert len(model.fit(X, np.array(["a", "b", "c"])[y]).predict(X)) == len(y)


@pytest.mark.filterwarnings("ignore")
@each_of("estimator", list({type(e): e for e in ESTIMATORS}.values()))
def test_the_tag_says_who_takes_missing_values(estimator):
    X, y = ring_clouds(n=40)
    X[3, 1] = np.nan
    y = y + 0.5 if is_regressor(estimator) else y
    takes = get_tags(estimator).input_tags.allow_nan
    assert takes == isinstance(estimator, HyperbolicTrees)
    if takes:
        clone(estimator).fit(X, y).predict(X)
    else:
        with pytest.raises(
            InputError, match=r"^X at row 3, column 1 is NaN, but a point needs all"
        ):
            clone(estimator).fit(X, y)


@each_of("model", [*MODELS, *RANKED])
def test_infinity_and_the_hyperboloid_are_refused_in_a_line(model):
    X, y = holes(12)
    fitted = clone(model).fit(X, targets(model, y))
    X[7, 1] = -np.inf
    for use in (lambda: clone(model).fit(X, targets(model, y)), lambda: fitted.predict(X)):
        with pytest.raises(InputError, match=r"^X at row 7, column 1 is -inf, but a point needs"):
            use()
    points = charts.convert(np.zeros((20, 2)), "tangent", "hyperboloid")
    points[4, 2] = np.nan
    curved = clone(model).set_params(chart="hyperboloid")
    assert not get_tags(curved).input_tags.allow_nan
    with pytest.raises(InputError, match=r"^X at row 4, column 2 is NaN, but a point needs all"):
        curved.fit(points, targets(model, y[:20]))


def test_the_remedy_for_the_hyperboloid_is_exact():
    rng = np.random.default_rng(0)
    points = charts.convert(rng.normal(size=(80, 3)), "tangent", "hyperboloid")
    y = points[:, 2] > 0.3
    full = HyperbolicDecisionTreeClassifier(chart="hyperboloid", max_depth=1).fit(points, y)
    points[::2, 1] = np.nan
    lost = HyperbolicDecisionTreeClassifier(chart="klein", max_depth=1)
    lost.fit(points[:, 1:] / points[:, :1], y)
    assert lost.model_.tree_.threshold[0] == pytest.approx(full.model_.tree_.threshold[0])


def test_rows_of_a_ball_are_seen_in_spite_of_missing_values():
    X = np.random.default_rng(0).uniform(-0.6, 0.6, (50, 2))
    X[::7, 0] = np.nan
    with pytest.warns(UserWarning, match="all 50 rows lie in the ball"):
        HyperbolicDecisionTreeClassifier().fit(X, X[:, 1] > 0)
    X[3] = [0.1, 1.2]
    with pytest.raises(InputError, match="row 3 lies outside the Poincaré ball"):
        HyperbolicDecisionTreeClassifier(chart="poincare").fit(X, X[:, 1] > 0)


def test_text_and_diagram_of_a_split_of_known_from_missing_values():
    X = np.array([[0.1, 0.0], [np.nan, 0.0], [0.3, 0.0], [np.nan, 0.0]])
    model = HyperbolicDecisionTreeClassifier(chart="klein").fit(X, ["a", "b", "a", "b"])
    assert export_text(model).splitlines() == [
        "axis 1 known",
        "|   a (1.000)",
        "axis 1 missing",
        "|   b (1.000)",
    ]
    with pytest.raises(InputError, match=r"divides known from missing values; use export_text$"):
        TreeDisplay.from_estimator(model)


def test_a_forest_on_a_table_with_holes_is_as_accurate_as_scikit_learns():
    X, y = load_wine(return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    settings = {"n_estimators": 30, "random_state": 0}
    flat = cross_val_score(RandomForestClassifier(**settings), X, y, cv=5).mean()
    forest = HyperbolicRandomForestClassifier(**settings, chart="tangent")
    ours = cross_val_score(make_pipeline(StandardScaler(), forest), X, y, cv=5).mean()
    assert ours > max(0.92, flat - 0.03)
