"""Landmarks: features, the classifier on them, blocks, threads, weights and invariance."""

import tracemalloc

import numpy as np
import pytest
from kernel_clouds import isometry, three_clouds
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from noneuclid import HyperbolicNystroem, HyperbolicNystroemClassifier
from noneuclid.classifiers import hyperbolic_nystroem_classifier
from noneuclid.geometry import charts

X, Y = three_clouds(120)
POINTS = {"chart": "hyperboloid", "random_state": 0}


@pytest.mark.parametrize("kernel", ["cosh", "laplace"])
def test_all_rows_as_landmarks_give_the_exact_kernel(kernel):
    model = HyperbolicNystroem(kernel=kernel, n_components=500, **POINTS)
    features = model.fit_transform(X)
    np.testing.assert_allclose(features @ features.T, model.kernel_(X), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(model.landmark_indices_, np.arange(len(X)))
    few = HyperbolicNystroem(kernel=kernel, n_components=30, **POINTS).fit(X)
    error = np.abs(few.transform(X) @ few.transform(X).T - few.kernel_(X))
    assert 1e-6 < error.max() < 0.9
    rows = few.landmark_indices_
    assert error[np.ix_(rows, rows)].max() < 1e-9
    assert few.kernel_.mean_psi == model.kernel_.mean_psi


@pytest.mark.parametrize("kernel", ["cosh", "laplace"])
@pytest.mark.parametrize("distance", [1.5, 3.0])
def test_isometries_change_nothing(kernel, distance):
    moved = X @ isometry(distance).T
    features = HyperbolicNystroem(kernel=kernel, n_components=30, **POINTS)
    F, G = clone(features).fit_transform(X), clone(features).fit_transform(moved)
    np.testing.assert_allclose(F @ F.T, G @ G.T, rtol=0, atol=1e-10)
    model = HyperbolicNystroemClassifier(kernel=kernel, n_components=30, **POINTS)
    found = [clone(model).fit(P, Y).decision_function(P) for P in (X, moved)]
    np.testing.assert_allclose(*found, rtol=0, atol=1e-10)


def test_seeds_charts_threads_and_names():
    model = HyperbolicNystroem(n_components=8, **POINTS)
    F = clone(model).fit_transform(X)
    np.testing.assert_array_equal(clone(model).set_params(n_jobs=2).fit_transform(X), F)
    assert not np.allclose(clone(model).set_params(random_state=1).fit_transform(X), F)
    ball = charts.convert(X / 2.0, "hyperboloid", "poincare", 4.0)
    other = HyperbolicNystroem(n_components=8, chart="poincare", curvature=4.0, random_state=0)
    np.testing.assert_allclose(other.fit_transform(ball), F, rtol=0, atol=1e-8)
    assert model.fit(X).get_feature_names_out()[0] == "hyperbolicnystroem0"
    line = make_pipeline(clone(model).set_params(n_components=60), LinearSVC())
    assert line.fit(X, Y).score(X, Y) > 0.8


def test_the_classifier_is_ridge_on_the_features():
    weights = np.random.default_rng(2).uniform(0.5, 2.0, size=len(X))
    for y, q in ((Y, None), (Y > 0, None), (Y, weights), (Y > 0, weights)):
        model = HyperbolicNystroemClassifier(
            n_components=500, C=3.0, calibration=None, **POINTS
        ).fit(X, y, q)
        landmarks = HyperbolicNystroem(n_components=500, **POINTS)
        F = landmarks.fit_transform(X)
        if q is not None:  # the mean of ψ is weighted, too
            landmarks.kernel_ = model.kernel_
            values, vectors = np.linalg.eigh(model.kernel_(X))
            F = vectors * np.sqrt(np.maximum(values, 0))
        targets = np.where(y[:, None] == model.classes_, 1.0, -1.0)
        targets = targets[:, 1:] if targets.shape[1] == 2 else targets
        ridge = Ridge(alpha=0.5 / 3.0, solver="cholesky").fit(F, targets, sample_weight=q)
        found = model.decision_function(X).reshape(len(X), -1)
        np.testing.assert_allclose(found, ridge.predict(F).reshape(len(X), -1), atol=1e-6)


def test_weights_rows_labels_threads_and_blocks(monkeypatch):
    counts = np.random.default_rng(1).integers(0, 3, size=len(X))
    model = HyperbolicNystroemClassifier(n_components=500, **POINTS)
    base = clone(model).fit(X, Y)
    values, p = base.decision_function(X), base.predict_proba(X)
    np.testing.assert_array_equal(base.classes_[p.argmax(axis=1)], base.predict(X))
    weighted = clone(model).fit(X, Y, counts)
    repeated = clone(model).fit(X.repeat(counts, axis=0), Y.repeat(counts))
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), rtol=0, atol=1e-8
    )
    assert np.abs(weighted.decision_function(X) - values).max() > 0.01
    order = np.random.default_rng(0).permutation(len(X))
    found = clone(model).fit(X[order], Y[order]).decision_function(X)
    np.testing.assert_allclose(found, values, rtol=0, atol=1e-8)
    found = clone(model).fit(X, 2 - Y).decision_function(X)
    np.testing.assert_allclose(found[:, ::-1], values, rtol=0, atol=1e-8)
    found = clone(model).fit(X, Y == 2).decision_function(X)
    np.testing.assert_allclose(
        -clone(model).fit(X, Y != 2).decision_function(X), found, rtol=0, atol=1e-8
    )
    monkeypatch.setattr("noneuclid.classifiers.validation._BLOCK", 90)
    monkeypatch.setattr("noneuclid.geometry.distance_kernels._BLOCK", 900)
    blocks = [clone(model).set_params(n_jobs=j).fit(X, Y).decision_function(X) for j in (1, 3)]
    np.testing.assert_array_equal(*blocks)
    np.testing.assert_allclose(blocks[0], values, rtol=0, atol=1e-8)


def test_landmarks_are_drawn_in_proportion_to_the_weights():
    y = (np.arange(120) < 12).astype(int)
    model = HyperbolicNystroemClassifier(n_components=20, **POINTS)
    plain = clone(model).fit(X, y).landmark_indices_
    balanced = clone(model).set_params(class_weight="balanced").fit(X, y).landmark_indices_
    assert (balanced < 12).sum() >= 5 > (plain < 12).sum()


def test_probabilities_are_fitted_to_a_sample_of_many_rows(monkeypatch):
    model = HyperbolicNystroemClassifier(**POINTS)
    whole = clone(model).fit(X, Y).calibration_
    monkeypatch.setattr(hyperbolic_nystroem_classifier, "_CALIBRATED", 100)
    monkeypatch.setattr(hyperbolic_nystroem_classifier, "_ALL_KEPT", 10)
    part = clone(model).fit(X, Y).calibration_
    assert not np.array_equal(whole, part)
    np.testing.assert_allclose(whole, part, rtol=0.3, atol=0.3)
    assert not hasattr(clone(model).set_params(calibration=None).fit(X, Y), "predict_proba")


def test_memory_is_one_block():
    many, y = three_clouds(60_000)
    model = HyperbolicNystroemClassifier(n_components=100, calibration=None, **POINTS)
    model.fit(many[:100], y[:100])
    tracemalloc.start()
    model.fit(many, y).predict(many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The features of all rows would be 48 MB.
    assert peak < 16e6


def test_a_rare_class_is_calibrated_whatever_the_sample(monkeypatch):
    monkeypatch.setattr(hyperbolic_nystroem_classifier, "_CALIBRATED", 1000)
    monkeypatch.setattr(hyperbolic_nystroem_classifier, "_ALL_KEPT", 100)
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [9998, 9998, 4])
    X = np.array([[1.5, 0.0], [-1.5, 0.0], [0.0, 2.5]])[y] + 0.2 * rng.normal(size=(len(y), 2))
    model = HyperbolicNystroemClassifier(class_weight="balanced", random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(X[-4:]), 2)
    # Two rows count as their weights say: the shares of the classes are those of all rows.
    rows, shares = hyperbolic_nystroem_classifier._calibrated_rows(y)
    assert len(rows) == 1004
    np.testing.assert_allclose(
        np.bincount(y[rows], shares) / shares.sum(), np.bincount(y) / len(y), rtol=0.1
    )


def test_weights_of_any_size_give_a_model():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 200)
    X = 0.5 * rng.normal(size=(400, 2)) + np.outer(2 * y - 1, [1.0, 0.0])
    for size in (1.0, 1e10, 1e40):
        model = HyperbolicNystroemClassifier(random_state=0).fit(X, y, np.full(400, size))
        assert model.score(X, y) > 0.95
