"""Rows of weight 0 count as deleted, also where that leaves a class out, in every estimator."""

import inspect
import warnings

import numpy as np
import pytest
from cases import each_of
from sklearn.base import BaseEstimator, is_classifier
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, VotingClassifier

import noneuclid
from noneuclid.errors import InputError
from noneuclid.plots.normals import problem_classes

QUICK = {"max_iter": 20, "n_estimators": 10, "tol": 1e-3}
EXACT = {"HyperboloidSVC", "PoincareSVC", "HilbertSVC", "HyperbolicLogisticRegression"}


def weighted_models():
    """Every public estimator whose `fit` takes weights, with settings for a short fit."""
    for name in dir(noneuclid):
        model = getattr(noneuclid, name)
        if not inspect.isclass(model) or not issubclass(model, BaseEstimator):
            continue
        if (
            name == "MarginClassifier"
            or "sample_weight" not in inspect.signature(model.fit).parameters
        ):
            continue
        known = model().get_params()
        settings = {k: v for k, v in QUICK.items() if k in known and name not in EXACT}
        fixed = {"random_state": 0, "chart": "poincare", "representative": "mean"}
        settings |= {k: v for k, v in fixed.items() if k in known}
        if "polytope" in known:
            settings["chart"] = "tangent"
        yield model(**settings)


MODELS = list(weighted_models())
CLASSIFIERS = [model for model in MODELS if is_classifier(model)]


def rows(n=60):
    rng = np.random.default_rng(1)
    X = rng.normal(scale=0.25, size=(n, 2)).clip(-0.6, 0.6)
    return X, np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.1, 0.1])]


NEW = np.random.default_rng(2).normal(scale=0.25, size=(200, 2)).clip(-0.6, 0.6)


def fitted(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return type(model)(**model.get_params()).fit(*data)


def outputs(model):
    names = ("predict_proba", "decision_function") if is_classifier(model) else ("predict",)
    return {name: getattr(model, name)(NEW) for name in names if hasattr(model, name)}


def test_the_loop_has_every_estimator():
    assert len(CLASSIFIERS) >= 18
    assert len(MODELS) >= 23


@each_of("model", MODELS)
def test_rows_of_weight_0_are_deleted_rows(model):
    X, y = rows()
    y = y if is_classifier(model) else X[:, 0] * X[:, 1]
    weights = np.arange(len(X)) % 2
    whole, part = fitted(model, X, y, weights), fitted(model, X[weights > 0], y[weights > 0])
    for name, expected in outputs(part).items():
        found = outputs(whole)[name]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12, err_msg=name)
    if is_classifier(model):
        np.testing.assert_array_equal(whole.predict(NEW), part.predict(NEW))


@each_of("model", CLASSIFIERS)
def test_a_class_without_weight_keeps_its_column(model):
    """As in scikit-learn's logistic regression, forests, boosting and naive Bayes."""
    X, y = rows()
    part = fitted(model, X[y != "b"], y[y != "b"])
    for weights, class_weight in ((y != "b", None), (None, {"b": 0})):
        if class_weight is not None and "class_weight" not in model.get_params():
            continue
        if class_weight is not None:
            model = type(model)(**(model.get_params() | {"class_weight": class_weight}))
        whole = fitted(model, X, y, weights)
        assert whole.classes_.tolist() == ["a", "b", "c"]
        np.testing.assert_array_equal(whole.predict(NEW), part.predict(NEW))
        if hasattr(whole, "predict_proba"):
            found = whole.predict_proba(NEW)
            np.testing.assert_allclose(found[:, [0, 2]], part.predict_proba(NEW), rtol=1e-9)
            assert (found[:, 1] == 0).all()
        if hasattr(whole, "predict_log_proba"):
            assert (whole.predict_log_proba(NEW)[:, 1] == -np.inf).all()
        if hasattr(whole, "decision_function"):
            found = whole.decision_function(NEW)
            assert found.shape == (len(NEW), 3)
            assert (found[:, 1] < found[:, [0, 2]].min(axis=1)).all()
            np.testing.assert_array_equal(whole.classes_[found.argmax(axis=1)], part.predict(NEW))


@each_of("model", CLASSIFIERS)
def test_bagging_with_a_rare_class(model):
    if getattr(model, "multi_class", None) == "ovo":
        model.set_params(multi_class="ovr")  # pairs have no probabilities
    X, y = rows()
    y = np.where(X[:, 0] > 0, "b", "a")
    y[:2] = "c"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bag = BaggingClassifier(model, n_estimators=8, random_state=0).fit(X, y)
    drawn = [set(y[r]) for r in bag.estimators_samples_]
    assert {"a", "b"} in drawn
    assert {"a", "b", "c"} in drawn
    found = bag.predict_proba(NEW)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-9)
    parts = [member.predict_proba(NEW) for member in bag.estimators_]
    assert all((p[:, 2] == 0).all() == ("c" not in d) for p, d in zip(parts, drawn, strict=True))
    np.testing.assert_allclose(found, np.mean(parts, axis=0), rtol=1e-9)


def test_voting_beside_other_classifiers():
    X, y = rows()
    pair = [("svm", noneuclid.PoincareSVC(chart="poincare")), ("forest", RandomForestClassifier())]
    model = VotingClassifier(pair, voting="soft").fit(X, y, sample_weight=(y != "c").astype(float))
    found = model.predict_proba(NEW)
    assert found.shape == (len(NEW), 3)
    assert (found[:, 2] == 0).all()


@pytest.mark.parametrize("name", ["DecisionTree", "RandomForest", "HistGradientBoosting"])
def test_trees_of_one_class_that_is_left(name):
    X, y = rows()
    model = getattr(noneuclid, f"Hyperbolic{name}Classifier")(chart="poincare", random_state=0)
    model.fit(X, y, (y == "b").astype(float))
    np.testing.assert_allclose(model.predict_proba(NEW), [[0, 1, 0]] * len(NEW), atol=1e-12)
    assert (model.predict(NEW) == "b").all()


def test_one_class_that_is_left_is_refused_by_name():
    X, y = rows()
    with pytest.raises(InputError, match="of class 'a' is 0 for all rows, which leaves fewer than"):
        noneuclid.PoincareSVC(chart="poincare").fit(X, y, y == "b")


def test_balanced_weights_count_the_classes_that_are_left():
    X, y = rows()
    model = noneuclid.EuclideanSVC(chart="poincare", class_weight="balanced")
    whole, part = model.fit(X, y, y != "a").coef_, fitted(model, X[y != "a"], y[y != "a"]).coef_
    np.testing.assert_allclose(whole, part, rtol=1e-9)


def test_priors_are_those_of_all_classes():
    X, y = rows()
    model = noneuclid.WrappedNormalClassifier(chart="poincare", priors=[0.2, 0.3, 0.5])
    np.testing.assert_allclose(model.fit(X, y, y != "a").priors_, [0.375, 0.625])
    model.set_params(priors=[1.0, 0.0, 0.0])
    with pytest.raises(InputError, match=r"priors are 0 for all .* \['b', 'c'\]"):
        model.fit(X, y, y != "a")


def test_text_and_rows_of_trees_name_the_rows_and_classes_of_the_user():
    X, y = rows()
    forest = noneuclid.HyperbolicRandomForestClassifier(n_estimators=3, chart="poincare")
    forest.fit(X, y, y != "a")
    assert "   a (" not in noneuclid.export_text(forest)
    assert "   c (" in noneuclid.export_text(forest)
    assert all((y[drawn] != "a").all() for drawn in forest.estimators_samples_)
    assert set(forest.estimators_[0].predict(NEW)) == {"b", "c"}


def test_the_plot_names_the_classes_that_were_fitted():
    X, y = np.tile(rows()[0], (2, 1)), np.repeat(["p", "q", "r", "s"], 30)
    model = noneuclid.HyperboloidPerceptron(max_iter=1, chart="poincare", random_state=0)
    assert problem_classes(fitted(model, X, y, y != "q")) == [0, 2, 3]


def test_partial_fit_goes_on_with_the_classes_that_were_fitted():
    X, y = rows()
    model = fitted(noneuclid.HyperboloidPerceptron(chart="poincare"), X, y, y != "b")
    with pytest.raises(InputError, match="label 'b', which is not among classes"):
        model.partial_fit(X, y)
    model.partial_fit(X[y != "b"], y[y != "b"])
    assert set(model.predict(NEW)) == {"a", "c"}
