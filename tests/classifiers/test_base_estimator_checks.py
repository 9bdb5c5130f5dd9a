"""scikit-learn's own checks, its data frames, weights by routing, and copies of fitted models."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from cases import each_of
from checked_estimators import (
    ESTIMATORS,
    EXPECTED_FAILED_CHECKS,
    UNDECIDED_CHECKS,
    UNSUPERVISED,
)
from clouds import ring_clouds
from copies import copies_of
from fitted_attributes import undocumented
from sklearn.base import ClassifierMixin, RegressorMixin, clone, is_regressor
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import has_fit_parameter

import noneuclid

QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
# The first setting of each class in the table.
EACH_CLASS = list({type(estimator): estimator for estimator in reversed(ESTIMATORS)}.values())
PREDICTORS = [
    name
    for name in noneuclid.__all__
    if isinstance(found := getattr(noneuclid, name), type)
    and issubclass(found, ClassifierMixin | RegressorMixin)
    and name != "MarginClassifier"  # a base class
]


def name_of(estimator):
    return type(estimator).__name__


def points_and_targets(estimator):
    X, y = ring_clouds(radius=1.2)
    return X, X[:, 0] ** 2 - X[:, 1] if is_regressor(estimator) else np.array(["a", "b", "c"])[y]


def prepared(estimator):
    model = clone(estimator)
    return model.set_params(random_state=3) if "random_state" in model.get_params() else model


def surprises(estimator):
    """scikit-learn's checks that end otherwise than expected, each with its message."""
    undecided = UNDECIDED_CHECKS.get(type(estimator), {})
    expected = EXPECTED_FAILED_CHECKS.get(repr(estimator), {})
    results = check_estimator(
        estimator, expected_failed_checks=expected | undecided, on_fail=None, on_skip=None
    )
    assert len(results) > 40
    unexpected = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    passed = {r["check_name"] for r in results if r["status"] == "passed"}
    return unexpected | {name: "passes" for name in passed & set(expected)}


@QUIET
@pytest.mark.parametrize("estimator", EACH_CLASS, ids=name_of)
def test_scikit_learn_checks(estimator):
    assert surprises(estimator) == {}


@QUIET
@pytest.mark.slow
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_scikit_learn_checks_of_all_settings(estimator):
    assert surprises(estimator) == {}


@pytest.mark.parametrize("estimator", UNSUPERVISED, ids=repr)
def test_scikit_learn_checks_without_labels(estimator):
    assert surprises(estimator) == {}


@each_of("estimator", UNSUPERVISED)
def test_copies_and_columns_without_labels(estimator):
    X, _ = points_and_targets(estimator)
    model = prepared(estimator).fit(tables_of("pandas", X, X[:, 0])[0])
    assert undocumented(model) == set()
    assert model.feature_names_in_.tolist() == ["east", "north"]
    method = "transform" if hasattr(model, "transform") else "predict_proba"
    model = prepared(estimator).fit(X)
    for copy in copies_of(model, X, None):
        np.testing.assert_array_equal(getattr(copy, method)(X), getattr(model, method)(X))


@QUIET
@pytest.mark.parametrize("solver", ["pgd", "sdp", "moment"])
def test_fitted_attributes_of_other_solvers_are_documented(solver):
    model = noneuclid.HyperboloidSVC(solver=solver, calibration=None)
    assert undocumented(model.fit([[0.0, 0.1], [1.0, 0.0], [0.2, 0.9]], [0, 1, 1])) == set()


def test_every_public_predictor_is_checked():
    assert {getattr(noneuclid, name) for name in PREDICTORS} == {type(e) for e in ESTIMATORS}


@QUIET
@each_of("estimator", ESTIMATORS)
def test_survives_pickle_and_skops(estimator):
    X, y = points_and_targets(estimator)
    model = prepared(estimator).fit(X, y)
    assert undocumented(model) == set()
    for copy in copies_of(model, X, y):
        np.testing.assert_array_equal(copy.predict(X), model.predict(X))
        if hasattr(model, "decision_function"):
            np.testing.assert_array_equal(copy.decision_function(X), model.decision_function(X))


def tables_of(library, X, y):
    if library == "pandas":
        return pd.DataFrame(X, columns=["east", "north"]), pd.Series(y)
    polars = pytest.importorskip("polars")
    return polars.DataFrame({"east": X[:, 0], "north": X[:, 1]}), polars.Series(y)


@QUIET
@pytest.mark.parametrize("library", ["pandas", "polars"])
@each_of("estimator", EACH_CLASS)
def test_columns_of_data_frames_have_names(estimator, library):
    X, y = points_and_targets(estimator)
    table, labels = tables_of(library, X, y)
    model = prepared(estimator).fit(table, labels)
    assert model.feature_names_in_.tolist() == ["east", "north"]
    np.testing.assert_array_equal(model.predict(table), prepared(estimator).fit(X, y).predict(X))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table[["north", "east"]])
    if hasattr(model, "estimators_"):
        assert model.estimators_[0].feature_names_in_.tolist() == ["east", "north"]


@QUIET
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_output_of_a_transformer_keeps_its_names(library):
    X, y = points_and_targets(noneuclid.PoincareSVC())
    table, labels = tables_of(library, X, y)
    pipeline = make_pipeline(StandardScaler(), noneuclid.PoincareSVC()).set_output(
        transform=library
    )
    model = pipeline.fit(table, labels)[-1]
    assert model.feature_names_in_.tolist() == ["east", "north"]


@QUIET
@each_of("estimator", EACH_CLASS)
def test_weights_are_routed(estimator):
    X, y = points_and_targets(estimator)
    weights = np.random.default_rng(1).integers(0, 3, size=len(y)).astype(float)
    if not has_fit_parameter(estimator, "sample_weight"):
        without = "HyperbolicGaussianProcess", "ShuffledLabels", "GeodesicKNeighbors"
        assert name_of(estimator).startswith(without)
        return
    with sklearn.config_context(enable_metadata_routing=True):
        model = prepared(estimator).set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, model)
        if hasattr(pipeline, "set_score_request"):  # scikit-learn 1.6
            pipeline.set_score_request(sample_weight=True)
        search = GridSearchCV(pipeline, {}, cv=2, error_score="raise")
        search.fit(X, y, sample_weight=weights)
        found = cross_validate(
            search.estimator, X, y, cv=2, params={"sample_weight": weights}, error_score="raise"
        )
        assert np.isfinite(found["test_score"]).all()
    Z = StandardScaler().fit_transform(X)
    expected = prepared(estimator).fit(Z, y, sample_weight=weights).predict(Z)
    np.testing.assert_array_equal(search.predict(X), expected)


def test_classes_and_weights_of_batches_are_routed():
    with sklearn.config_context(enable_metadata_routing=True):
        model = noneuclid.PoincarePerceptron()
        model.set_partial_fit_request(classes=True, sample_weight=True)
        found = model.get_metadata_routing().partial_fit.requests
    assert found == {"classes": True, "sample_weight": True}
