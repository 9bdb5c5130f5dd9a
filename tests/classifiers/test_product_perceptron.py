"""ProductPerceptron against a slow one, its bound of updates, invariances and messages."""

import numpy as np
import pytest
from cases import each_of
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from noneuclid import ProductPerceptron
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace
from noneuclid.solvers.perceptrons import arcsine_kernel

QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def cloud(signature="H2 S2 E1", n=60, classes=2, noise=0.5, seed=0):
    space, rng = ProductSpace(signature), np.random.default_rng(seed)
    X = space.random_wrapped_normal(n, random_state=seed)
    tangent = space.log_map(space.origin, X)
    noisy = tangent @ rng.choice([-1.0, 1.0], space.n_features) + noise * rng.normal(size=n)
    return space, X, np.digitize(noisy, np.quantile(noisy, np.arange(1, classes) / classes))


def slow_kernel(space, X, Y, radii):
    K = np.ones((len(X), len(Y)))
    for factor, radius in zip(space.factors, radii, strict=True):
        x, y = X[:, factor.columns].copy(), Y[:, factor.columns].copy()
        if factor.kind == "H":
            for rows in (x, y):
                length = np.linalg.norm(rows, axis=1)
                rows /= np.where(length > radius, length, radius)[:, None]
        products = x @ y.T
        K += products if factor.kind == "E" else np.arcsin(np.clip(products, -1, 1))
    return K


def radii_of(space, X):
    return [
        max(np.linalg.norm(X[:, f.columns], axis=1)) if f.kind == "H" else 1.0
        for f in space.factors
    ]


def slow(K, signs, weights, max_iter, average):
    """Coefficients of one problem, by the rule as written, and the mean over all steps."""
    coef, total, seen = np.zeros(len(K)), np.zeros(len(K)), 0.0
    for _ in range(max_iter):
        mistakes = 0
        for i in range(len(K)):
            if signs[i] * (K[i] @ coef) <= 0:
                coef[i] += weights[i] * signs[i]
                mistakes += 1
            total += weights[i] * coef
            seen += weights[i]
        if not mistakes:
            return coef
    return total / seen if average else coef


@QUIET
@each_of("average", [True, False])
@each_of("classes", [2, 3])
def test_it_is_the_rule_as_written(classes, average):
    space, X, y = cloud(classes=classes)
    weights = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    settings = {"max_iter": 6, "n_iter_no_change": None, "shuffle": False, "average": average}
    model = ProductPerceptron(space, **settings).fit(X, y, weights)
    radii = radii_of(space, X)
    np.testing.assert_allclose(model.radii_, radii)
    new = cloud(n=400, seed=1)[1]
    assert (np.linalg.norm(new[:, :3], axis=1) > radii[0]).any()
    train, test = slow_kernel(space, X, X, radii), slow_kernel(space, new, X, radii)
    labels = [np.where(y == label, 1.0, -1.0) for label in ([1] if classes == 2 else range(3))]
    coef = np.array([slow(train, signs, weights, 6, average) for signs in labels])
    np.testing.assert_allclose(model.dual_coef_, coef[:, coef.any(axis=0)], rtol=1e-9)
    pairs = zip(coef @ train, labels, strict=True)
    sigmoids = [fit_platt(f, signs, classes == 2, weights) for f, signs in pairs]
    np.testing.assert_allclose(model.calibration_, sigmoids, rtol=1e-6)
    scores = test @ coef.T
    if classes > 2:
        scores = scores * model.calibration_[:, 0] + model.calibration_[:, 1]
    found = model.decision_function(new).reshape(len(new), -1)
    np.testing.assert_allclose(found, scores, atol=1e-9)


def test_kernels_that_are_not_kept_are_computed_again(monkeypatch):
    space, X, y = cloud(classes=3)
    model = ProductPerceptron(space, random_state=0, n_iter_no_change=3)
    with pytest.warns(ConvergenceWarning):
        first = model.fit(X, y).decision_function(X)
    monkeypatch.setattr(arcsine_kernel, "_KEPT", 5 * len(X))
    with pytest.warns(ConvergenceWarning):
        np.testing.assert_array_equal(clone(model).fit(X, y).decision_function(X), first)


def test_updates_are_within_the_bound_of_a_linear_classifier():
    space = ProductSpace("H2 S2 E2")
    X = space.random_wrapped_normal(400, random_state=0)
    radius, *_ = radii_of(space, X)
    h, s, e = np.array([0.0, 0.6, 0.8]), np.array([0.6, 0.8, 0.0]), np.array([0.5, -0.7])
    f = 0.1 + X[:, 6:] @ e + 1.3 * np.arcsin(X[:, 3:6] @ s) - 2.0 * np.arcsin(X[:, :3] @ h / radius)
    X, f = X[abs(f) > 0.3], f[abs(f) > 0.3]
    model = ProductPerceptron(space, n_iter_no_change=None, random_state=0).fit(X, f > 0)
    assert model.status_.tolist() == ["separated"]
    assert model.score(X, f > 0) == 1.0
    # R of the rows that are left is smaller, and the vector of H shorter in this ratio.
    ratio = radius / model.radii_[0]
    length = 0.1**2 + e @ e + 0.5 * np.pi * 1.3**2 + 2.0**2 * np.arcsin(1 / ratio**2)
    longest = 1.0 + (X[:, 6:] ** 2).sum(axis=1).max() + np.pi
    assert 3 <= model.n_updates_[0] <= length * longest / abs(f).min() ** 2


def test_the_kernel_is_positive_definite_and_the_signed_distance_is_not():
    space, X, _ = cloud("H2 H2")
    vectors = np.hstack([b / np.linalg.norm(b, axis=1).max() for b in space.split(X)])
    ends, curved = np.array([3, 6]), np.array([True, True])
    K = arcsine_kernel.sum_kernels(vectors, vectors, np.eye(len(X)), ends, curved)
    assert np.linalg.eigvalsh(K)[0] > -1e-10
    inner = sum(b * [-1.0, 1.0, 1.0] @ b.T for b in space.split(X))
    assert np.linalg.eigvalsh(np.arcsinh(inner))[0] < -1.0


def test_isometries_of_the_sphere_and_rotations_change_nothing():
    space, X, y = cloud("H2 S2 S1")
    moved = space.random_isometry([0.0, 0.9, 0.7], random_state=1).transform(X)
    assert np.abs(moved - X).max() > 0.3
    model = ProductPerceptron(space, random_state=0, max_iter=5)
    with pytest.warns(ConvergenceWarning):
        scores = model.fit(X, y).decision_function(X)
    with pytest.warns(ConvergenceWarning):
        np.testing.assert_allclose(
            clone(model).fit(moved, y).decision_function(moved), scores, atol=1e-8
        )


@QUIET
def test_swapped_labels_and_rows_without_weight():
    space, X, y = cloud()
    model = ProductPerceptron(space, random_state=0)
    scores = model.fit(X, y).decision_function(X)
    np.testing.assert_array_equal(clone(model).fit(X, 1 - y).decision_function(X), -scores)
    weights = np.arange(len(X)) % 2
    weighted = clone(model).fit(X, y, weights).decision_function(X)
    kept = clone(model).fit(X[1::2], y[1::2]).decision_function(X)
    np.testing.assert_array_equal(weighted, kept)
    found = model.predict_proba(X)
    assert (found.argmax(axis=1) == model.predict(X)).all()


def test_bad_input_and_mistakes_are_named():
    space, X, y = cloud("S2 E1", noise=2.0)
    with pytest.warns(ConvergenceWarning, match=r"\d+ of 60 rows still misclassified after"):
        model = ProductPerceptron(space, random_state=0).fit(X, y)
    assert model.status_.tolist() == ["mistakes left"]
    assert 0.5 < model.score(X, y) < 1.0
    wrong = X.copy()
    wrong[2, 0] = np.nan
    with pytest.raises(InputError, match="row 2, column 0 is NaN"):
        model.predict(wrong)
    wrong[2] = [3.0, 0.0, 0.0, 1.0]
    with pytest.raises(InputError, match=r"factor S2: row 2"):
        ProductPerceptron(space).fit(wrong, y)
