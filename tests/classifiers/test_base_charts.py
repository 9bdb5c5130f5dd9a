from functools import partial
from pathlib import Path

import numpy as np
import pytest
import yaml
from cases import each_of
from clouds import ring_clouds
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score

from noneuclid import (
    EuclideanSVC,
    HyperbolicDecisionTreeClassifier,
    HyperbolicRandomForestClassifier,
    HyperboloidSVC,
    PoincarePerceptron,
    PoincareSVC,
    ShuffledLabelsClassifier,
)
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid_compare.config import load_by_name
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.evaluation.splits import make_split
from noneuclid_compare.report import style

ROOT = Path(__file__).parents[2]
FIVE = {"scheme": "stratified_kfold", "folds": 5, "small_classes": "keep"}

HYPERBOLIC = [
    HyperboloidSVC(max_iter=300),
    HyperboloidSVC(loss="hinge", multi_class="ovo", max_iter=300),
    PoincareSVC(),
    PoincareSVC(margin="exact", reference_point="midpoint of means"),
    PoincareSVC(reference_point="hull vertices", loss="hinge"),
    PoincarePerceptron(random_state=0),
    PoincarePerceptron(random_state=0, reference_point="origin"),
    HyperbolicDecisionTreeClassifier(random_state=0, max_depth=3),
    HyperbolicRandomForestClassifier(n_estimators=5, random_state=0),
]
EVERY = [*HYPERBOLIC, EuclideanSVC(), ShuffledLabelsClassifier(random_state=0)]
QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def name(model):
    return type(model).__name__


tangent_points = partial(ring_clouds, n=80, radius=1.3, spread=0.6)


@QUIET
@each_of("model", HYPERBOLIC, ids=name)
@each_of("classes", [2, 3])
def test_same_points_in_every_chart_and_at_every_curvature(model, classes):
    X, y = tangent_points(classes=classes)
    fresh, _ = tangent_points(seed=1)
    model = clone(model)
    expected = model.fit(X, y).predict(fresh)
    assert len(np.unique(expected)) == classes
    for curvature in (1.0, 0.25, 9.0):
        scaled, new = X / np.sqrt(curvature), fresh / np.sqrt(curvature)
        for chart in CHARTS:
            model.set_params(chart=chart, curvature=curvature)
            model.fit(convert(scaled, "tangent", chart, curvature), y)
            found = model.predict(convert(new, "tangent", chart, curvature))
            assert np.mean(found == expected) > 0.98, (chart, curvature)


@QUIET
@each_of("model", EVERY, ids=name)
def test_bad_points_are_named(model):
    X, y = tangent_points()
    ball = convert(X, "tangent", "poincare")
    broken = ball.copy()
    broken[6] = [1.5, 0.0]
    model = clone(model).set_params(chart="poincare")
    with pytest.raises(InputError, match=r"row 6 .*Poincaré ball.*2\.25"):
        model.fit(broken, y)
    model.fit(ball, y)
    with pytest.raises(InputError, match="row 6 "):
        model.predict(broken)


@QUIET
def test_coefficients_give_the_decision_in_the_documented_sign():
    X, y = tangent_points(classes=2)
    points = lorentz.from_spatial(convert(X, "tangent", "hyperboloid", 4.0)[:, 1:] * 2.0)
    models = HyperboloidSVC(), PoincareSVC(), PoincareSVC(margin="exact"), PoincarePerceptron()
    for model in models:
        model.set_params(curvature=4.0).fit(X, y)
        assert model.coef_.shape == (1, 3)
        expected = lorentz.hyperplane_distance(points / 2.0, model.coef_[0], 4.0)
        np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-9, atol=1e-9)
        assert lorentz.product(model.coef_[0], model.coef_[0]) > 0


@QUIET
def test_shapes_of_fitted_attributes():
    X, y = tangent_points()
    single = HyperboloidSVC(multi_class="ovo").fit(X, y > 0)
    assert np.ndim(single.objective_) == np.ndim(single.gap_) == np.ndim(single.n_iter_) == 0
    assert isinstance(single.status_, str)
    assert single.lower_bound_ <= single.objective_
    assert np.isnan(HyperboloidSVC(solver="pgd").fit(X, y > 0).lower_bound_)
    for multi_class in ("ovr", "ovo"):
        model = PoincareSVC(multi_class=multi_class).fit(X, y)
        assert model.coef_.shape == model.reference_points_.shape == (3, 3)
        for values in (model.status_, model.objective_, model.n_iter_, model.reference_rules_):
            assert values.shape == (3,)
        assert (model.lower_bound_ <= model.objective_).all()
        assert (model.gap_ < 1e-4).all()


@QUIET
def test_reference_points_follow_their_rule():
    X, y = tangent_points(classes=2)
    X, y = np.vstack([X[y == 0] - [9, 0], X[y == 1] + [9, 0]]), np.sort(y)
    rules = {
        "hulls": "hulls",
        "hull vertices": "hull vertices",
        "midpoint of means": "midpoint of means",
        "origin": "origin",
    }
    for rule, used in rules.items():
        assert PoincareSVC(reference_point=rule).fit(X, y).reference_rules_[0] == used
    mixed = PoincareSVC(reference_point="hulls").fit(X, np.arange(len(X)) % 2)  # hulls overlap
    assert mixed.reference_rules_[0] == "hull vertices"
    deep = np.random.default_rng(0).normal(size=(30, 17))
    assert PoincareSVC().fit(deep, deep[:, 0] > 0).reference_rules_[0] == "midpoint of means"
    given = PoincareSVC(reference_point=[0.3, 0.4], chart="poincare", curvature=0.25)
    given.fit(convert(X / 10, "tangent", "poincare", 0.25), y)
    expected = convert(np.array([0.15, 0.2]), "poincare", "hyperboloid")
    np.testing.assert_allclose(given.reference_points_[0], expected)
    with pytest.raises(InputError, match="reference_point has shape"):
        PoincareSVC(reference_point=[0.1, 0.2, 0.3]).fit(X, y)


def test_mistakes_left_are_reported():
    X, _ = tangent_points()
    y = np.arange(len(X)) % 2
    with pytest.warns(match=r"1 of 1 binary problems.*rows still misclassified"):
        PoincarePerceptron(max_iter=3, random_state=0).fit(X, y)


def test_euclidean_svm_uses_coordinates_as_given():
    X, y = tangent_points(classes=2)
    ball = convert(X, "tangent", "klein")
    model = EuclideanSVC(chart="klein").fit(ball, y)
    expected = ball @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(model.decision_function(ball), expected)
    shifted = EuclideanSVC().fit(X + 3.0, y)
    assert shifted.score(X + 3.0, y) == pytest.approx(
        EuclideanSVC().fit(X, y).score(X, y), abs=0.05
    )


def test_shuffled_labels_learn_class_sizes_only():
    X, y = tangent_points(n=600, classes=2)
    separable = np.column_stack([X, 10.0 * y])
    scores = [
        ShuffledLabelsClassifier(random_state=seed).fit(separable, y).score(separable, y)
        for seed in range(20)
    ]
    assert 0.35 < np.mean(scores) < 0.65


def test_training_sets_do_not_share_a_shuffle():
    X, y = tangent_points(n=60, classes=2)
    shift = 1e-9 * np.ones_like(X)
    first, again, other = (
        ShuffledLabelsClassifier(random_state=0).fit(points, y).model_.coef_
        for points in (X, X.copy(), X + shift)
    )
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 1e-3


@pytest.mark.parametrize("path", ["config/config.yaml", "papers/config/league.yaml"])
def test_the_floor_of_a_run_is_the_level_of_chance(path):
    config = yaml.safe_load((ROOT / path).read_text())
    floors = [
        load_by_name.build(method["use"], method.get("params", {}))
        for name, method in config["methods"].items()
        if style.family(name, {name: method["use"]}) == "floor"
    ]
    graph = karate.load({}, 0)
    split = make_split(graph.labels, graph.class_names, 0, 0, None, **FIVE)
    for floor in floors:
        for k in range(split.n_folds):
            train, left_out = split.rows(k)
            X = np.zeros((len(graph.labels), 2))
            fitted = floor.fit(X[train], graph.labels[train])
            truth, guess = graph.labels[left_out], fitted.predict(X[left_out])
            assert balanced_accuracy_score(truth, guess) == 0.5
            shares = np.bincount(graph.labels[train]) / len(train)
            np.testing.assert_allclose(fitted.predict_proba(X[:1])[0], shares)
    assert floors
