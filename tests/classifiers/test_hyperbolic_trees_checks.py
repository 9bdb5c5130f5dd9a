from inspect import signature

import numpy as np
import pytest
from cases import each_of
from checked_estimators import ESTIMATORS
from sklearn.base import clone, is_regressor

import noneuclid
from noneuclid.classifiers.tree_base import HyperbolicTrees
from noneuclid.errors import InputError

NEW = [e for e in ESTIMATORS if isinstance(e, HyperbolicTrees)]


def points_and_targets(estimator, seed=0, n=80):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    target = X[:, 0] ** 2 - X[:, 1]
    return X, target if is_regressor(estimator) else np.array(["b", "a"])[(target > 0).astype(int)]


@each_of("estimator", NEW, ids=lambda e: type(e).__name__)
def test_settings_are_those_of_scikit_learn(estimator):
    theirs = signature(type(estimator)._model).parameters
    ours = signature(type(estimator)).parameters
    left_out = {name for name in theirs if name not in ours}
    assert left_out <= {"monotonic_cst", "interaction_cst", "categorical_features", "warm_start"}
    assert set(ours) - set(theirs) <= {"chart", "curvature", "precision"}
    for name in set(ours) & set(theirs):
        assert ours[name].default == theirs[name].default
    documented = type(estimator).__doc__.partition("Attributes\n")[0].replace(",", " ").split()
    assert set(ours) <= set(documented)
    with pytest.raises(TypeError, match="nonsense"):
        type(estimator)(nonsense=1)


def test_a_subclass_may_add_settings():
    class Mine(noneuclid.HyperbolicDecisionTreeClassifier):
        def __init__(self, *, max_depth=2, chart="klein", random_state=None):
            super().__init__(max_depth=max_depth, chart=chart, random_state=random_state)

    assert Mine().max_depth == 2
    assert Mine(max_depth=5).criterion == "gini"


@each_of("estimator", NEW, ids=lambda e: type(e).__name__)
def test_curvature_only_scales(estimator):
    X, y = points_and_targets(estimator)
    settings = {"random_state": 0}
    plain = clone(estimator).set_params(**settings).fit(X, y)
    curved = clone(estimator).set_params(**settings, curvature=4.0).fit(X / 2, y)
    np.testing.assert_allclose(
        plain.predict(X) == curved.predict(X / 2) if y.dtype.kind == "U" else plain.predict(X),
        True if y.dtype.kind == "U" else curved.predict(X / 2),
    )


def test_boosting_points_to_permuted_axes():
    model = noneuclid.HyperbolicHistGradientBoostingClassifier
    assert not hasattr(model(), "feature_importances_")
    assert "permutation_importance" in model.__doc__


def test_several_targets():
    X = np.random.default_rng(0).normal(size=(50, 3))
    for model in (
        noneuclid.HyperbolicDecisionTreeRegressor(random_state=0),
        noneuclid.HyperbolicDecisionTreeRegressor(random_state=0, precision="float64"),
        noneuclid.HyperbolicExtraTreesRegressor(n_estimators=3, random_state=0),
    ):
        np.testing.assert_allclose(model.fit(X, X).predict(X), X)


def test_one_weight_for_all_rows_is_no_weight():
    X = np.random.default_rng(0).normal(size=(50, 2))
    tree = noneuclid.HyperbolicDecisionTreeRegressor(precision="float64", random_state=0)
    expected = clone(tree).fit(X, X[:, 0]).predict(X)
    np.testing.assert_array_equal(tree.fit(X, X[:, 0], sample_weight=2.0).predict(X), expected)


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_targets_that_a_tree_does_not_take_are_refused(precision):
    model = noneuclid.HyperbolicDecisionTreeRegressor(criterion="poisson", precision=precision)
    with pytest.raises(ValueError, match="negative"):
        model.fit([[0.0], [1.0]], [-1.0, 2.0])
    with pytest.raises(ValueError, match="y at row 0 is None"):
        clone(model).set_params(criterion="squared_error").fit([[0.0], [1.0]], [None, 2.0])


def test_random_splits_have_no_float64():
    model = noneuclid.HyperbolicDecisionTreeClassifier(splitter="random", precision="float64")
    with pytest.raises(noneuclid.errors.InputError, match="splitter='best'"):
        model.fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("form", ["balanced", "dict"])
@pytest.mark.parametrize("name", ["DecisionTree", "RandomForest"])
def test_class_weights_of_labels_that_look_like_integers(name, form):
    rng = np.random.default_rng(0)
    X = rng.uniform(-0.5, 0.5, (80, 2))
    y = (X[:, 0] > 0.3).astype(int) + 2 * (X[:, 1] > 0)
    labels = np.array(["1", "10", "2", "3"])  # in the order of strings
    model = getattr(noneuclid, f"Hyperbolic{name}Classifier")
    predicted = []
    for keys in (range(4), labels):
        weights = dict(zip(keys, (1.0, 9.0, 2.0, 0.5), strict=True)) if form == "dict" else form
        tree = model(chart="poincare", max_depth=2, random_state=0, class_weight=weights)
        predicted.append(tree.fit(X, np.array(list(keys))[y]).predict(X))
    assert tree.classes_.tolist() == labels.tolist()
    np.testing.assert_array_equal(labels[predicted[0]], predicted[1])
    plain = tree.set_params(class_weight=None).fit(X, labels[y]).predict(X)
    assert (plain != predicted[1]).any()


def test_keys_of_class_weights_are_labels_and_never_codes():
    X = np.zeros((4, 2))
    tree = noneuclid.HyperbolicDecisionTreeClassifier(chart="poincare", class_weight={1: 5.0})
    tree.fit(X, ["1", "1", "1", "2"])
    np.testing.assert_allclose(tree.predict_proba(X[:1]), [[15 / 16, 1 / 16]])
    for weights in ({0: 1.0, 1: 5.0}, {"b": 5.0, 0: 9.0}):
        tree = clone(tree).set_params(class_weight=weights)
        with pytest.raises(
            InputError, match=r"has the key 0, which y does not contain; .* 'a', 'b'"
        ):
            tree.fit(X, ["a", "a", "a", "b"])
