"""Decision values of two classes are signed distances from the hyperplane."""

import numpy as np
import pytest
from cases import each_of
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid import (
    EuclideanSVC,
    HyperboloidPerceptron,
    HyperboloidSVC,
    PoincarePerceptron,
    PoincareSVC,
    WeberPerceptron,
)
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert

HYPERPLANES = [
    HyperboloidSVC(C=3.0),
    PoincareSVC(),
    PoincareSVC(margin="exact", reference_point="midpoint of means"),
    PoincarePerceptron(random_state=0, max_iter=20),
    HyperboloidPerceptron(random_state=0, max_iter=20),
    WeberPerceptron(random_state=0, max_iter=20),
]
QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def two_clouds(seed=0, n=40):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    V = 0.6 * rng.normal(size=(n, 2)) + np.where(y, 0.9, -0.7)[:, None] * [1.0, 0.5]
    return convert(V, "tangent", "hyperboloid"), y


def slow_distance(x, w):
    """Length of the shortest path from x to a point of the hyperplane, by minimisation."""
    normal = w / np.sqrt(lorentz.product(w, w))
    _, _, vh = np.linalg.svd((normal * [-1.0, 1.0, 1.0])[None])
    basis = vh[1:]  # of all z with <w,z>_L = 0

    def length(a):
        z = np.array([np.cosh(a[0]), np.sinh(a[0])]) @ line
        return lorentz.distance(x, z)

    # An orthonormal frame of that plane, time first.
    gram = basis @ np.diag([-1.0, 1.0, 1.0]) @ basis.T
    values, vectors = np.linalg.eigh(gram)
    line = (vectors / np.sqrt(np.abs(values))).T @ basis
    line[0] *= np.sign(line[0, 0])
    return minimize(length, [0.0], method="Nelder-Mead", options={"xatol": 1e-10}).fun


@QUIET
@each_of("model", HYPERPLANES, ids=lambda m: type(m).__name__)
@each_of("curvature", [1.0, 4.0])
def test_decision_is_the_length_of_the_shortest_path(model, curvature):
    points, y = two_clouds()
    X = points / np.sqrt(curvature)
    model = clone(model).set_params(chart="hyperboloid", curvature=curvature).fit(X, y)
    found = model.decision_function(X)
    slow = [slow_distance(x, model.coef_[0]) for x in points[:5]]
    np.testing.assert_allclose(np.abs(found[:5]) * np.sqrt(curvature), slow, rtol=1e-5, atol=1e-6)
    scores = model._scores(model._to_points(X))[:, 0]
    np.testing.assert_array_equal(np.sign(found), np.sign(scores))
    np.testing.assert_array_equal(model.predict(X), (scores > 0).astype(int))
    if getattr(model, "margin", "exact") == "exact":
        assert (np.diff(found[np.argsort(scores)]) >= 0).all()


def test_decision_does_not_change_with_an_isometry():
    points, y = two_clouds()
    boost = lorentz.boost(convert(np.array([0.3, -0.6]), "poincare", "hyperboloid"))
    model = HyperboloidSVC(C=3.0, chart="hyperboloid", tol=1e-10)
    expected = model.fit(points, y).decision_function(points)
    found = model.fit(points @ boost, y).decision_function(points @ boost)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@each_of("sign", [1.0, -1.0])
@each_of("time", [5.0, 7.0, 4.0])  # null, timelike, spacelike
def test_every_normal_keeps_sign_and_order_of_the_score(sign, time):
    points, _ = two_clouds()
    w = sign * np.array([time, 3.0, 4.0])
    scores = lorentz.product(points, w)
    found = np.arcsinh(scores / lorentz.normal_length(w))
    assert (np.diff(found[np.argsort(scores)]) >= 0).all()
    np.testing.assert_array_equal(np.sign(found), np.sign(scores))
    np.testing.assert_allclose(lorentz.normal_length(1e200 * w), 1e200 * lorentz.normal_length(w))
    if time == 5.0:
        busemann = np.log(np.abs(scores) / time)
        np.testing.assert_allclose(found, -sign * np.arcsinh(np.exp(busemann)))


def test_busemann_function_of_a_horospherical_fit():
    rng = np.random.default_rng(0)
    y = (np.arange(40) < 3).astype(int)
    V = rng.normal(size=(40, 2))
    model = HyperboloidSVC(C=0.1).fit(V, y)
    assert model.status_ == "horospherical"
    w, points = model.coef_[0], convert(V, "tangent", "hyperboloid")
    # Distance along the ray to the horosphere's point at infinity, far out.
    ray = w[1:] / w[0]
    far = convert(18.0 * ray, "tangent", "hyperboloid")
    busemann = lorentz.distance(points, far) - 18.0
    found = model.decision_function(V)
    np.testing.assert_allclose(np.abs(found), np.arcsinh(np.exp(busemann)), rtol=1e-5)
    assert len(set(np.sign(found))) == 1


def test_euclidean_svm_keeps_its_score():
    points, y = two_clouds()
    X = convert(points, "hyperboloid", "klein")
    model = EuclideanSVC(chart="klein").fit(X, y)
    expected = X @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), expected)


@QUIET
@pytest.mark.parametrize("dimension", [2, 4])
def test_calibration_by_scikit_learn_keeps_the_accuracy(dimension):
    X, y = load_breast_cancer(return_X_y=True)
    X = make_pipeline(StandardScaler(), PCA(dimension)).fit_transform(X)
    plain = HyperboloidSVC(tol=1e-3)
    calibrated = CalibratedClassifierCV(plain, cv=3)
    accuracy = [cross_val_score(model, X, y, cv=3).mean() for model in (plain, calibrated)]
    assert accuracy[1] >= accuracy[0] - 0.02
