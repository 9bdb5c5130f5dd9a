"""Kernel SVM: its problem, weights, several classes, invariance."""

import warnings

import numpy as np
import pytest
from clouds import random_clouds
from kernel_clouds import isometry, three_clouds
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import balanced_accuracy_score
from sklearn.svm import SVC
from sklearn.utils import estimator_html_repr

from noneuclid import HyperbolicKernelSVC
from noneuclid.classifiers import hyperbolic_kernel_svm
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.classifiers.hyperbolic_kernel import HyperbolicKernel
from noneuclid.geometry import charts, lorentz
from noneuclid.plots.normals import hyperplane_normals

X, Y = three_clouds()
TIGHT = {"chart": "hyperboloid", "tol": 1e-12}


def gram_of(X, kernel, scale):
    d = lorentz.pairwise_distances(X)
    psi = np.log(np.cosh(d)) if kernel == "cosh" else d
    return np.exp(-scale * psi / psi.mean())


@pytest.mark.parametrize("kernel", ["cosh", "laplace"])
def test_two_classes_are_those_of_libsvm_with_the_precomputed_matrix(kernel):
    y = Y > 0
    weights = np.random.default_rng(0).uniform(0.5, 2.0, size=len(y))
    model = HyperbolicKernelSVC(kernel=kernel, C=3.0, calibration=None, **TIGHT).fit(X, y)
    gram = gram_of(X, kernel, 2.0)
    expected = SVC(C=3.0, kernel="precomputed", tol=1e-12).fit(gram, y)
    np.testing.assert_allclose(
        model.decision_function(X), expected.decision_function(gram), rtol=0, atol=1e-6
    )
    np.testing.assert_array_equal(model.predict(X), expected.predict(gram))
    assert len(model.support_points_) == len(expected.support_)
    assert model.status_ == "optimal"
    assert abs(model.gap_) < 1e-9
    slack = np.maximum(0, 1 - np.where(y, 1, -1) * model.decision_function(X))
    w = model.dual_coef_[0]
    square = w @ model.kernel_(model.support_points_) @ w
    assert model.objective_ == pytest.approx(0.5 * square + 3.0 * slack.sum())
    weighted = clone(model).fit(X, y, weights)
    slack = np.maximum(0, 1 - np.where(y, 1, -1) * weighted.decision_function(X))
    w = weighted.dual_coef_[0]
    square = w @ weighted.kernel_(weighted.support_points_) @ w
    assert weighted.objective_ == pytest.approx(0.5 * square + 3.0 * weights @ slack)
    assert weighted.lower_bound_ == pytest.approx(weighted.objective_, rel=1e-9)


def test_several_classes_are_the_binary_problems():
    for multi_class, problems in (("ovr", 3), ("ovo", 3)):
        model = HyperbolicKernelSVC(multi_class=multi_class, calibration=None, **TIGHT).fit(X, Y)
        assert model.dual_coef_.shape == (problems, len(model.support_points_))
        assert model.intercept_.shape == model.objective_.shape == (problems,)
    points = model.support_points_
    assert len(np.unique(points, axis=0)) == len(points) <= len(X)
    assert not hasattr(model, "coef_")
    assert len(hyperplane_normals(model)) == 0
    ours = HyperbolicKernelSVC(calibration=None, **TIGHT).fit(X, Y)
    for k in range(3):
        one = SVC(kernel="precomputed", tol=1e-12).fit(gram_of(X, "cosh", 2.0), k == Y)
        np.testing.assert_allclose(
            ours.decision_function(X)[:, k],
            one.decision_function(gram_of(X, "cosh", 2.0)),
            atol=1e-6,
        )


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
@pytest.mark.parametrize("kernel", ["cosh", "laplace"])
def test_isometries_rows_and_labels_change_nothing(kernel, multi_class):
    model = HyperbolicKernelSVC(kernel=kernel, multi_class=multi_class, **TIGHT)
    base = clone(model).fit(X, Y).decision_function(X)
    for distance in (1.5, 3.0):
        moved = X @ isometry(distance).T
        found = clone(model).fit(moved, Y).decision_function(moved)
        np.testing.assert_allclose(found, base, rtol=0, atol=1e-10)
    order = np.random.default_rng(0).permutation(len(X))
    found = clone(model).fit(X[order], Y[order]).decision_function(X)
    np.testing.assert_allclose(found, base, rtol=0, atol=1e-10)
    swapped = clone(model).fit(X, 2 - Y).decision_function(X)
    np.testing.assert_allclose(swapped[:, ::-1], base, rtol=0, atol=1e-9)
    two = Y > 0
    found = clone(model).fit(X, two).decision_function(X)
    np.testing.assert_allclose(-clone(model).fit(X, ~two).decision_function(X), found, atol=1e-10)


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_weight_two_is_a_repeated_row_and_zero_a_deleted_one(multi_class):
    counts = np.random.default_rng(1).integers(0, 3, size=len(X))
    model = HyperbolicKernelSVC(multi_class=multi_class, **TIGHT)
    weighted = clone(model).fit(X, Y, counts)
    repeated = clone(model).fit(X.repeat(counts, axis=0), Y.repeat(counts))
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), rtol=0, atol=1e-9
    )
    assert weighted.kernel_.mean_psi == pytest.approx(repeated.kernel_.mean_psi, rel=1e-12)
    plain = clone(model).fit(X, Y).decision_function(X)
    assert np.abs(weighted.decision_function(X) - plain).max() > 0.01


def test_balanced_classes_are_weights_and_rare_classes_gain():
    y = np.where(Y == 2, 1, 0)
    factors = len(y) / (2 * np.bincount(y))
    balanced = HyperbolicKernelSVC(class_weight="balanced", **TIGHT).fit(X, y)
    weighted = HyperbolicKernelSVC(**TIGHT).fit(X, y, factors[y])
    by_name = HyperbolicKernelSVC(class_weight=dict(enumerate(factors)), **TIGHT).fit(X, y)
    for other in (weighted, by_name):
        np.testing.assert_allclose(
            other.decision_function(X), balanced.decision_function(X), rtol=0, atol=1e-10
        )
    plain = HyperbolicKernelSVC(**TIGHT).fit(X, y)
    assert balanced.predict(X).sum() > plain.predict(X).sum()


@pytest.mark.parametrize("calibration", ["platt", "platt_cv"])
def test_probabilities_agree_with_predictions(calibration):
    for y in (Y, Y > 0):
        model = HyperbolicKernelSVC(calibration=calibration, chart="hyperboloid", random_state=0)
        p = model.fit(X, y).predict_proba(X)
        np.testing.assert_allclose(p.sum(axis=1), 1.0)
        np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    pairs = HyperbolicKernelSVC(multi_class="ovo", chart="hyperboloid").fit(X, Y)
    assert not hasattr(pairs, "predict_proba")


def test_charts_curvature_and_blocks_agree(monkeypatch):
    base = HyperbolicKernelSVC(**TIGHT).fit(X, Y).decision_function(X)
    for chart in charts.CHARTS:
        written = charts.convert(X / 2.0, "hyperboloid", chart, 4.0)
        model = HyperbolicKernelSVC(chart=chart, curvature=4.0, tol=1e-12).fit(written, Y)
        np.testing.assert_allclose(model.decision_function(written), base, rtol=0, atol=1e-8)
    monkeypatch.setattr("noneuclid.geometry.distance_kernels._BLOCK", 100)
    np.testing.assert_allclose(model.decision_function(written), base, rtol=0, atol=1e-8)


def test_points_far_out_and_rows_that_coincide():
    far = charts.convert(15.0 * np.array([[1, 0], [-1, 0], [0, 1], [0, -1.0]]), "tangent", "klein")
    y = [0, 0, 1, 1]
    model = HyperbolicKernelSVC(C=10, chart="klein").fit(far, y)
    np.testing.assert_array_equal(model.predict(far), y)
    same = HyperbolicKernelSVC().fit(np.zeros((4, 2)), y)
    assert np.isfinite(same.decision_function(np.ones((1, 2)))).all()


def test_a_limit_of_steps_is_a_warning_and_a_status():
    with pytest.warns(ConvergenceWarning, match="LIBSVM stopped after 2 steps") as caught:
        model = HyperbolicKernelSVC(max_iter=2, chart="hyperboloid").fit(X, Y > 0)
    assert (model.status_, model.n_iter_) == ("max_iter", 2)
    assert len(caught) == 1
    assert model.gap_ > 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert HyperbolicKernelSVC(chart="hyperboloid").fit(X, Y > 0).gap_ < 0.01
    assert "HyperbolicKernelSVC" in estimator_html_repr(model)


@pytest.mark.parametrize("sizes", [(9, 23), (13, 7), (16, 16)])
def test_the_intercept_is_the_middle_of_the_optimal_ones(sizes):
    # With balanced weights and a small C all multipliers are at their bounds.
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], sizes)
    X = 0.7 * rng.normal(size=(len(y), 2)) + np.outer(y, [1.0, 0.0])
    settings = {"C": 0.01, "class_weight": "balanced", "chart": "tangent", "calibration": None}
    model = HyperbolicKernelSVC(**settings).fit(X, y)
    swapped = HyperbolicKernelSVC(**settings).fit(X, 1 - y)
    np.testing.assert_array_equal(model.predict(X), 1 - swapped.predict(X))
    # The slow version: the loss of every intercept on a grid.
    values = model.decision_function(X) - model.intercept_
    grid = np.linspace(-2, 2, 8001)
    costs = len(y) / (2 * np.bincount(y))[y]
    hinges = np.maximum(0, 1 - np.where(y == 1, 1, -1) * (values + grid[:, None]))
    losses = hinges @ costs
    best = grid[losses <= losses.min() * (1 + 1e-9)]
    assert np.ptp(best) > 0.5
    assert float(model.intercept_[0]) == pytest.approx((best[0] + best[-1]) / 2, abs=2e-3)
    assert balanced_accuracy_score(y, model.predict(X)) > 0.7


def test_a_large_c_is_solved_again_with_a_smaller_tolerance():
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0))[:, :2]
    for C in (1e4, 1e6):
        model = HyperbolicKernelSVC(C=C, chart="tangent").fit(X, y == 0)
        assert model.status_ == "optimal"
        assert model.gap_ < 1e-6


def test_a_wide_gap_is_reported(monkeypatch):
    monkeypatch.setattr(hyperbolic_kernel_svm, "_CLOSE", 1e-3)
    X, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="may exceed the optimum by 0"):
        model = HyperbolicKernelSVC(C=1e6, chart="tangent").fit(X[:, :2] - 4, y == 0)
    assert (model.status_, model.gap_ > 0.01) == ("gap open", True)


@pytest.mark.parametrize(
    ("tol", "values", "gap"), [(1e-3, 1e-2, 1e-3), (1e-7, 1e-8, 1e-10)], ids=["default", "1e-7"]
)
def test_swapped_labels_change_the_solution_within_the_tolerance(tol, values, gap):
    for seed in range(4):
        X, y = random_clouds(seed, n=120, d=2, classes=2, spread=1.0)
        model, other = (
            HyperbolicKernelSVC(tol=tol, chart="hyperboloid").fit(X, labels)
            for labels in (y, 1 - y)
        )
        found = -other.decision_function(X)
        np.testing.assert_allclose(found, model.decision_function(X), atol=values)
        assert abs(other.gap_ - model.gap_) < gap


@pytest.mark.parametrize("calibration", ["platt", None])
def test_all_problems_of_all_rows_share_one_matrix(calibration, monkeypatch):
    shapes, of_points = [], HyperbolicKernel.of_points

    def spy(kernel, X, Y=None, out=None):
        found = of_points(kernel, X, Y, out)
        shapes.append(found.shape)
        return found

    monkeypatch.setattr(HyperbolicKernel, "of_points", spy)
    model = HyperbolicKernelSVC(calibration=calibration, chart="hyperboloid").fit(X, Y)
    assert shapes == [(len(X), len(X))]
    shapes.clear()
    model.set_params(multi_class="ovo").fit(X, Y)
    sizes = [np.isin(Y, pair).sum() for pair in ((0, 1), (0, 2), (1, 2))]
    assert shapes == [(n, n) for n in sizes]


def values_without_each_row(model, k, C, signs):
    """Decision values of the rows: the margin of the others is solved anew without each of them.

    The intercept and multipliers at their bounds are held.
    """
    gram = model.kernel_(X)
    places = [np.flatnonzero((model.support_points_ == x).all(axis=1)) for x in X]
    dual = np.array([model.dual_coef_[k, j[0]] if len(j) else 0.0 for j in places])
    found = gram @ dual + model.intercept_[k]
    for i in range(len(X)):
        left = dual.copy()
        left[i] = 0.0
        on_margin = (dual != 0) & (np.abs(dual) < C * (1 - 1e-9)) & (np.arange(len(X)) != i)
        left[on_margin] = 0.0
        targets = signs - model.intercept_[k] - gram @ left
        left[on_margin] = np.linalg.solve(gram[np.ix_(on_margin, on_margin)], targets[on_margin])
        found[i] = gram[i] @ left + model.intercept_[k]
    return found


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_platt_uses_the_values_of_rows_that_are_left_out(C):
    model = HyperbolicKernelSVC(C=C, **TIGHT).fit(X, Y)
    for k in range(3):
        signs = np.where(k == Y, 1, -1)
        values = values_without_each_row(model, k, C, signs)
        expected = fit_platt(values, signs, held_out=True)
        np.testing.assert_allclose(model.calibration_[k], expected, rtol=1e-5)


def test_values_of_rows_that_are_left_out_are_near_those_of_machines_without_them():
    y, gram = Y > 0, gram_of(X, "cosh", 2.0)
    model = HyperbolicKernelSVC(**TIGHT).fit(X, y)
    true = np.array(
        [
            SVC(kernel="precomputed", tol=1e-9)
            .fit(np.delete(np.delete(gram, i, 0), i, 1), np.delete(y, i))
            .decision_function(np.delete(gram, i, 1)[i : i + 1])[0]
            for i in range(len(X))
        ]
    )
    found = values_without_each_row(model, 0, 1.0, np.where(y, 1, -1))
    assert np.abs(found - true).mean() < 0.5 * np.abs(model.decision_function(X) - true).mean()


def test_probabilities_of_labels_at_random_are_their_shares():
    y = np.random.default_rng(0).random(len(X)) < 0.5
    p = HyperbolicKernelSVC(C=10.0, chart="hyperboloid").fit(X, y).predict_proba(X)[:, 1]
    assert np.abs(p - 0.5).max() < 0.15


def test_rows_with_two_labels_are_two_rows():
    points, y = np.vstack([X, X[:9]]), np.r_[Y, (Y[:9] + 1) % 3]
    model = HyperbolicKernelSVC(calibration=None, **TIGHT).fit(points, y)
    gram = gram_of(points, "cosh", 2.0)
    for k in range(3):
        one = SVC(kernel="precomputed", tol=1e-12).fit(gram, k == y)
        np.testing.assert_allclose(
            model.decision_function(points)[:, k], one.decision_function(gram), atol=1e-6
        )


def test_processes_change_nothing():
    settings = {"calibration": "platt_cv", "random_state": 0, "chart": "hyperboloid"}
    one, two = (HyperbolicKernelSVC(n_jobs=n, **settings).fit(X, Y) for n in (1, 2))
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))
