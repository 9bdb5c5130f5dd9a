"""ProductSVC against a slow program, known answers, invariances and its bounds."""

import cvxpy
import numpy as np
import pytest
from cases import each_of
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from noneuclid import HyperboloidSVC, ProductSVC
from noneuclid.classifiers.product_svm import factor_maps
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace
from noneuclid.solvers.linear import intercept_hinge

SIGNATURES = ["E2", "S2", "S2 S1", "H2 E1", "H2 H3", "H2 S2 E1"]


def cloud(signature, n=60, classes=2, seed=0):
    space = ProductSpace(signature)
    rng = np.random.default_rng(seed)
    X = space.random_wrapped_normal(n, random_state=seed)
    tangent = space.log_map(space.origin, X)
    noisy = tangent @ rng.choice([-1.0, 1.0], space.n_features) + 0.4 * rng.normal(size=n)
    y = np.digitize(noisy, np.quantile(noisy, np.arange(1, classes) / classes + 0.1))
    return space, X, y


def metric(space):
    """Signs of the products of ambient coordinates, and of the coordinates of H."""
    signs, curved = np.ones(space.n_features), np.zeros(space.n_features, dtype=bool)
    for factor in space.factors:
        if factor.kind == "H":
            signs[factor.columns.start] = -1.0
            curved[factor.columns] = True
    return signs, curved


def slow(space, X, y, C, weights=None):
    """The program as written in the class, by a conic solver."""
    q = np.ones(len(X)) if weights is None else weights
    signs, _ = metric(space)
    form = np.diag(signs)
    for factor in space.factors:
        if factor.kind == "H":
            part = X[:, factor.columns] * signs[factor.columns]
            form[factor.columns, factor.columns] += (part.T * q) @ part / q.sum()
    w, b = cvxpy.Variable(space.n_features), cvxpy.Variable()
    lone_sphere = len(space.factors) == 1 and space.factors[0].kind == "S"
    score = (X * signs) @ w + (0 if lone_sphere else b)
    loss = q @ cvxpy.pos(1 - cvxpy.multiply(np.where(y, 1.0, -1.0), score))
    program = cvxpy.Problem(cvxpy.Minimize(cvxpy.quad_form(w, cvxpy.psd_wrap(form)) / 2 + C * loss))
    program.solve(solver="CLARABEL")
    return program.value, w.value, 0.0 if lone_sphere else float(b.value)


@each_of("weighted", [False, True])
@each_of("signature", SIGNATURES)
def test_the_optimum_is_that_of_a_conic_solver(signature, weighted):
    space, X, y = cloud(signature)
    weights = np.random.default_rng(1).uniform(0.5, 3.0, size=len(X)) if weighted else None
    value, w, b = slow(space, X, y, 2.0, weights)
    model = ProductSVC(signature, C=2.0, tol=1e-9).fit(X, y, weights)
    assert (model.status_, model.gap_ <= 1e-9) == ("optimal", True)
    np.testing.assert_allclose([model.objective_, model.lower_bound_], value, rtol=1e-6)
    assert model.lower_bound_ <= min(model.objective_, value * (1 + 1e-7))
    np.testing.assert_allclose(model.coef_[0], w, atol=2e-3 * np.abs(w).max())
    np.testing.assert_allclose(model.intercept_[0], b, atol=2e-3 * np.abs(w).max())
    expected = X * metric(space)[0] @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-12)


def test_the_penalty_is_the_mean_square_of_slopes_along_geodesics():
    space, X, _ = cloud("H3", n=5)
    weights = np.arange(1.0, 6.0)
    w = np.array([0.4, -1.0, 0.3, 2.0])
    (to_flat,) = factor_maps(space, X, weights)
    penalty = np.sum(np.linalg.solve(to_flat, w * [-1.0, 1.0, 1.0, 1.0]) ** 2)
    step, slopes = 1e-6, []
    for x in X:
        square = 0.0
        frame = np.linalg.svd((x * [-1.0, 1.0, 1.0, 1.0])[None])[2][1:]  # tangent vectors at x
        lengths = frame @ np.diag([-1.0, 1.0, 1.0, 1.0]) @ frame.T
        frame = np.linalg.solve(np.linalg.cholesky(lengths), frame)
        for v in frame:
            ends = space.exp_map(x, step * v), space.exp_map(x, -step * v)
            form = [end @ (w * [-1.0, 1.0, 1.0, 1.0]) for end in ends]
            square += ((form[0] - form[1]) / (2 * step)) ** 2
        slopes.append(square)
    np.testing.assert_allclose(penalty, np.average(slopes, weights=weights), rtol=1e-6)


def test_a_flat_factor_is_the_linear_svm():
    _, X, y = cloud("E3")
    ours = ProductSVC(C=3.0, tol=1e-9).fit(X, y)
    theirs = SVC(kernel="linear", C=3.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)


@each_of("weighted", [False, True])
def test_a_hyperbolic_factor_is_the_hyperboloid_svm(weighted):
    _, X, y = cloud("H2", n=40)
    weights = np.arange(40) % 3 + 1.0 if weighted else None
    ours = ProductSVC("H2", C=2.0).fit(X, y, weights)
    theirs = HyperboloidSVC(C=2.0 * np.sqrt(2.0), chart="hyperboloid").fit(X, y, weights)
    for name in ("coef_", "objective_", "lower_bound_", "gap_", "status_", "n_iter_"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    assert (ours.predict(X) == theirs.predict(X)).all()
    signs = np.where(y, 1.0, -1.0)
    w, q = ours.coef_[0], 1.0 if weights is None else weights
    loss = (q * np.maximum(0.0, 1.0 - signs * ours.decision_function(X))).sum()
    np.testing.assert_allclose(ours.objective_, 0.5 * (w[1:] @ w[1:] - w[0] ** 2) + 2.0 * loss)


@each_of("signature", SIGNATURES)
def test_isometries_of_all_factors_change_nothing(signature):
    space, X, y = cloud(signature)
    if signature == "S2":
        y = (X @ [0.3, 1.0, -1.0] > 0).astype(int)
    moved = space.random_isometry(0.8, random_state=1).transform(X)
    assert np.abs(moved - X).max() > 0.3
    before = ProductSVC(signature, tol=1e-9).fit(X, y)
    after = clone(before).fit(moved, y)
    np.testing.assert_allclose(after.objective_, before.objective_, rtol=1e-7)
    scores = before.decision_function(X), after.decision_function(moved)
    np.testing.assert_allclose(*scores, atol=2e-3)


def test_charts_and_curvatures_do_not_change_the_problem():
    space, X, y = cloud("H2 S2 E1")
    charts = ["klein", "stereographic", "euclidean"]
    written = ProductSpace("H2 S2 E1", curvatures=[-4.0, 0.25, 0.0], charts=charts)
    scaled = X / np.repeat([2.0, 0.5, 1.0], [3, 3, 1])
    given = ProductSpace("H2 S2 E1", curvatures=[-4.0, 0.25, 0.0]).convert(scaled, charts)
    first = ProductSVC(space).fit(X, y).decision_function(X)
    np.testing.assert_allclose(
        ProductSVC(written).fit(given, y).decision_function(given), first, atol=1e-4
    )


def test_rows_in_another_order_swapped_labels_and_weights():
    space, X, y = cloud("H2 S2 E1")
    model = ProductSVC(space, tol=1e-9, class_weight={0: 2.0, 1: 0.7})
    scores = model.fit(X, y).decision_function(X)
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_allclose(
        clone(model).fit(X[order], y[order]).decision_function(X), scores, atol=1e-4
    )
    swapped = clone(model).set_params(class_weight={1: 2.0, 0: 0.7}).fit(X, 1 - y)
    np.testing.assert_allclose(swapped.decision_function(X), -scores, atol=1e-4)
    counts = np.arange(len(X)) % 4
    weighted = ProductSVC(space, tol=1e-9).fit(X, y, counts)
    repeated = ProductSVC(space, tol=1e-9).fit(X.repeat(counts, axis=0), y.repeat(counts))
    np.testing.assert_allclose(weighted.objective_, repeated.objective_, rtol=1e-8)
    for method in ("decision_function", "predict_proba"):
        pair = getattr(weighted, method)(X), getattr(repeated, method)(X)
        np.testing.assert_allclose(*pair, atol=1e-4)


def test_a_factor_without_spread_counts_for_nothing():
    space, X, y = cloud("H2 E2")
    X[:, :3] = space.exp_map(space.origin, [0.0, 0.5, 1.0, 0.0, 0.0])[:3]
    flat = ProductSVC(tol=1e-9).fit(X[:, 3:], y)
    both = ProductSVC(space, tol=1e-9).fit(X, y)
    scores = flat.decision_function(X[:, 3:]), both.decision_function(X)
    np.testing.assert_allclose(*scores, atol=1e-5)


def test_many_rows_are_read_in_parts(monkeypatch):
    space, X, y = cloud("H2 S2", n=50)
    scores = ProductSVC(space).fit(X, y).decision_function(X)
    monkeypatch.setattr("noneuclid.classifiers.product_svm._BLOCK", 100)
    np.testing.assert_allclose(ProductSVC(space).fit(X, y).decision_function(X), scores, atol=1e-9)


def test_an_open_gap_is_said_and_its_bounds_hold():
    space, X, y = cloud("H2 S2 E1")
    best = ProductSVC(space, tol=1e-9).fit(X, y)
    with pytest.warns(ConvergenceWarning, match=r"relative gap is .*raise max_iter"):
        model = ProductSVC(space, max_iter=1, tol=1e-9).fit(X, y)
    assert model.status_ == "gap open"
    assert model.lower_bound_ <= best.lower_bound_ <= best.objective_ <= model.objective_
    assert model.gap_ == (model.objective_ - model.lower_bound_) / model.objective_


@each_of("multi_class", ["ovr", "ovo"])
def test_several_classes(multi_class):
    space, X, y = cloud("H2 S2 E1", n=90, classes=3)
    model = ProductSVC(space, C=10.0, multi_class=multi_class).fit(X, np.array(list("bca"))[y])
    assert model.score(X, np.array(list("bca"))[y]) > 0.6
    assert model.coef_.shape == (3, 7)
    assert model.gap_.max() <= 1e-6
    assert hasattr(model, "predict_proba") == (multi_class == "ovr")
    if multi_class == "ovr":
        found = model.predict_proba(X)
        np.testing.assert_allclose(found.sum(axis=1), 1.0)
        assert (model.classes_[found.argmax(axis=1)] == model.predict(X)).all()


def test_bad_input_is_named():
    space, X, y = cloud("S2 E1")
    wrong = X.copy()
    wrong[3, 1] = np.nan
    with pytest.raises(InputError, match="row 3, column 1 is NaN"):
        ProductSVC(space).fit(wrong, y)
    wrong[3] = [1.0, 1.0, 0.0, 5.0]
    with pytest.raises(InputError, match=r"factor S2: row 3 is not on the sphere"):
        ProductSVC(space).fit(wrong, y)
    with pytest.raises(InputError, match=r"factor S2: row 0"):
        ProductSVC(space).fit(X, y).predict(wrong[3:])
    with pytest.raises(InputError, match="has 3 \\+ 2 = 5"):
        ProductSVC("S2 E2").fit(X, y)
    with pytest.raises(InputError, match="'Q2' in the signature"):
        ProductSVC("Q2").fit(X, y)


def test_the_best_intercept_is_the_best_of_all_breaks():
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores, q = rng.normal(size=9), rng.uniform(0.1, 2.0, size=9)
        signs = np.where(rng.random(9) < 0.3, 1.0, -1.0)

        def loss(b, scores=scores, signs=signs, q=q):
            return q @ np.maximum(0.0, 1.0 - signs * (scores + b))

        found = loss(intercept_hinge.best_intercept(scores, signs, q))
        assert found <= min(loss(b) for b in signs - scores) + 1e-12


def test_balanced_multipliers_stay_in_their_box():
    alpha = np.array([1.0, 2.0, 0.5])
    signs = np.array([1.0, 1.0, -1.0])
    np.testing.assert_allclose(intercept_hinge.balance(alpha, signs), [1 / 6, 1 / 3, 0.5])
    assert intercept_hinge.balance(alpha, np.ones(3)).tolist() == [0.0, 0.0, 0.0]


def test_bounds_hold_wherever_the_steps_end():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)) + 4.0
    signs = np.where(X[:, 0] + 0.5 * rng.normal(size=80) > 5.0, 1.0, -1.0)
    best, _ = intercept_hinge.intercept_svm(X, signs, 5.0, tol=1e-9)
    for max_iter in range(1, 15):
        found, b = intercept_hinge.intercept_svm(X, signs, 5.0, tol=1e-9, max_iter=max_iter)
        assert found.lower_bound <= best.objective <= found.objective * (1 + 1e-9)
        loss = np.maximum(0.0, 1.0 - signs * (X @ found.w + b)).sum()
        np.testing.assert_allclose(found.objective, 0.5 * found.w @ found.w + 5.0 * loss)
