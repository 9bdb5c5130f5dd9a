"""Weights of rows in PoincareSVC, hyperbolic logistic regression and the perceptrons."""

import numpy as np
import pytest
import sklearn
from cases import each_of
from sklearn.base import clone
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import cross_val_score

import noneuclid
from noneuclid import HyperbolicLogisticRegression, PoincarePerceptron, PoincareSVC
from noneuclid.classifiers import reference_rules
from noneuclid.errors import InputError
from noneuclid.solvers.linear import newton
from noneuclid.solvers.linear.newton import newton_svm
from noneuclid.solvers.perceptrons import mistake_bounds, mistake_driven
from noneuclid.solvers.perceptrons.second_order import SecondOrder

# What two proven optima of one problem may differ by.
SOLVERS = {
    "newton": (PoincareSVC(), 1e-9),
    "exact, means": (PoincareSVC(margin="exact", reference_point="midpoint of means"), 1e-9),
    "one-vs-one": (PoincareSVC(multi_class="ovo"), 1e-9),
    "LIBLINEAR": (PoincareSVC(solver="liblinear", tol=1e-10), 1e-9),
    "LIBLINEAR, hinge": (PoincareSVC(loss="hinge", tol=1e-9), 1e-7),
    "sgd": (PoincareSVC(solver="sgd", loss="hinge", tol=1e-3, max_iter=20_000), 0.01),
    "logistic": (HyperbolicLogisticRegression(tol=1e-8), 1e-6),
}
PERCEPTRONS = [
    PoincarePerceptron(random_state=0),
    noneuclid.PoincareSecondOrderPerceptron(random_state=0),
    noneuclid.PoincareStrategicPerceptron(budget=0.1, random_state=0),
    noneuclid.HyperboloidPerceptron(random_state=0),
    noneuclid.WeberPerceptron(random_state=0),
]
QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def cloud(classes=2, n=60, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    centres = np.array([[0.7, 0.0], [-0.4, 0.6], [-0.4, -0.6]])
    return centres[y] + 0.5 * rng.normal(size=(n, 2)), y, rng.integers(0, 4, size=n)


@each_of("classes", [2, 3])
@each_of("name", SOLVERS)
def test_weight_two_is_a_repeated_row_and_zero_a_deleted_one(name, classes):
    X, y, counts = cloud(classes)
    model, atol = SOLVERS[name]
    weighted = clone(model).fit(X, y, counts)
    repeated = clone(model).fit(X.repeat(counts, axis=0), y.repeat(counts))
    for method in ("decision_function", "predict_proba"):
        if hasattr(weighted, method):
            values = getattr(weighted, method)(X), getattr(repeated, method)(X)
            np.testing.assert_allclose(*values, rtol=0, atol=atol)
    assert np.abs(weighted.coef_ - clone(model).fit(X, y).coef_).max() > 100 * atol or atol > 1e-3
    if hasattr(weighted, "gap_"):
        np.testing.assert_array_less(weighted.lower_bound_, weighted.objective_ * (1 + 1e-12))
        np.testing.assert_allclose(weighted.objective_, repeated.objective_, rtol=max(atol, 1e-6))


def test_newton_bounds_hold_for_weights_in_many_dimensions(monkeypatch):
    monkeypatch.setattr(newton, "_ROWS", 11)
    rng = np.random.default_rng(0)
    X, q = rng.normal(size=(80, 20)), rng.exponential(size=80)
    signs = np.sign(X[:, 0] + rng.normal(size=80))
    for columns, direct in ((3, 16), (20, 2048), (20, 19)):  # loops, Gram matrix, gradients
        monkeypatch.setattr(newton, "_DIRECT", direct)
        Z = np.ascontiguousarray(X[:, :columns])
        fit = newton_svm(Z, signs, 2.0, tol=1e-10, weights=q)
        slack = np.maximum(0, 1 - signs * (Z @ fit.w))
        assert fit.objective == pytest.approx(0.5 * fit.w @ fit.w + 2 * q @ slack**2)
        slope = fit.w - 4 * Z.T @ (q * slack * signs)
        np.testing.assert_allclose(slope, 0, atol=1e-4)
        assert fit.lower_bound <= fit.objective <= fit.lower_bound * (1 + 1e-9)


def test_reference_rules_average_with_weights():
    X, y, counts = cloud()
    counts = counts + 1
    signs = np.where(y, 1.0, -1.0)
    for rule, atol in (("midpoint of means", 1e-12), ("best plane", 1e-2)):
        found, _ = reference_rules.learn(rule, X, signs, "tangent", 1.0, 1.0, counts.astype(float))
        repeated = X.repeat(counts, axis=0), signs.repeat(counts)
        expected, _ = reference_rules.learn(rule, *repeated, "tangent", 1.0, 1.0)
        np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def test_hard_margin_takes_no_heed_of_weights_but_zero():
    X, y, counts = cloud()
    X = X + np.where(y, 4.0, -4.0)[:, None]
    plain = PoincareSVC(C=np.inf, reference_point="origin").fit(X, y)
    weighted = clone(plain).fit(X, y, counts + 1)
    np.testing.assert_array_equal(plain.coef_, weighted.coef_)
    deleted = clone(plain).fit(X[counts > 0], y[counts > 0])
    np.testing.assert_array_equal(clone(plain).fit(X, y, counts).coef_, deleted.coef_)


@QUIET
@pytest.mark.parametrize("model", PERCEPTRONS, ids=lambda m: type(m).__name__)
def test_perceptrons_leave_out_rows_of_weight_zero_and_take_ones_as_none(model):
    X, y, counts = cloud(3)
    some = counts > 0
    weighted = clone(model).fit(X, y, counts)
    np.testing.assert_array_equal(
        weighted.coef_, clone(model).fit(X[some], y[some], counts[some]).coef_
    )
    plain = clone(model).fit(X, y)
    np.testing.assert_array_equal(plain.coef_, clone(model).fit(X, y, np.ones(len(y))).coef_)
    assert not np.allclose(weighted.coef_, plain.coef_)
    np.testing.assert_array_equal(weighted.n_steps_, weighted.n_iter_ * counts.sum())


@pytest.mark.parametrize(
    "rule", [mistake_driven.Plain(), SecondOrder(5.0)], ids=["plain", "second"]
)
def test_weight_two_is_a_twin_at_once_that_is_a_mistake_again(rule):
    """A short row after a long one of the other label: its twin is a mistake again."""
    Z, signs = np.array([[4.0, 0.5], [0.3, 0.4]]), np.array([1, -1])
    weighted, twins = (rule.start(2) for _ in range(2))
    mistake_driven.learn(weighted, rule, Z, signs * [1.0, 2.0])
    mistake_driven.learn(twins, rule, Z[[0, 1, 1]], signs[[0, 1, 1]])
    assert (weighted.n_updates, twins.n_updates) == (2, 3)
    assert weighted.n_steps == twins.n_steps == 3
    np.testing.assert_allclose(weighted.w, twins.w, rtol=1e-12)
    for name, value in weighted.memory.items():
        np.testing.assert_allclose(value, twins.memory[name], rtol=1e-12)


def test_weight_two_is_no_twin_that_is_right_after_the_first():
    Z, signs = np.array([[1.0, 0.0], [2.0, 0.1]]), np.array([1, -1])
    weighted, twins = (mistake_driven.Plain().start(2) for _ in range(2))
    mistake_driven.learn(weighted, mistake_driven.Plain(), Z, signs * [1.0, 2.0])
    mistake_driven.learn(twins, mistake_driven.Plain(), Z[[0, 1, 1]], signs[[0, 1, 1]])
    assert weighted.n_updates == twins.n_updates == 2
    np.testing.assert_allclose(weighted.w, twins.w - Z[1])


def test_weights_of_right_rows_count_in_the_mean_as_repeated_rows():
    Z, signs = np.array([[1.0, 0.0], [2.0, 0.1], [0.0, 1.0]]), np.array([1, 1, -1])
    weighted, repeated = (mistake_driven.Plain().start(2) for _ in range(2))
    mistake_driven.learn(weighted, mistake_driven.Plain(), Z, signs * [1.0, 3.0, 1.0])
    mistake_driven.learn(
        repeated, mistake_driven.Plain(), Z[[0, 1, 1, 1, 2]], signs[[0, 1, 1, 1, 2]]
    )
    np.testing.assert_array_equal(weighted.mean, repeated.mean)
    np.testing.assert_array_equal(weighted.w, repeated.w)


def test_bound_on_updates_holds_for_weights():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(60, 3))
    signs = np.where(Z[:, 0] > 0, 1, -1)
    Z[:, 0] += 0.1 * signs
    q = rng.uniform(0.2, 5.0, size=60)
    bound = mistake_bounds.of_data(Z, signs * q)
    assert bound == pytest.approx(mistake_bounds.of_data(Z, signs) * q.max() / q.min())
    done = mistake_driven.run(Z, signs * q, max_iter=10_000)
    assert done.clean
    assert done.n_updates <= bound


@QUIET
def test_streams_take_weights():
    X, y, counts = cloud(3)
    model = PoincarePerceptron(reference_point="origin", shuffle=False)
    some = counts > 0
    whole = clone(model).partial_fit(X[some], y[some], [0, 1, 2], counts[some])
    parts = clone(model)
    for rows in np.array_split(np.arange(len(y)), 4):
        parts.partial_fit(X[rows], y[rows], [0, 1, 2], counts[rows])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-12)
    classes = clone(model).set_params(class_weight={1: 3.0}).partial_fit(X, y, [0, 1, 2])
    rows = clone(model).partial_fit(X, y, [0, 1, 2], np.where(y == 1, 3.0, 1.0))
    np.testing.assert_array_equal(classes.coef_, rows.coef_)
    with pytest.raises(InputError, match="'balanced' needs all rows at once"):
        clone(model).set_params(class_weight="balanced").partial_fit(X, y, [0, 1, 2])
    with pytest.raises(InputError, match=r"sample_weight of row 1 is -1\.0"):
        clone(model).partial_fit(X[:2], y[:2], [0, 1, 2], [1.0, -1.0])


@QUIET
@pytest.mark.parametrize(
    "model",
    [
        PoincareSVC(),
        HyperbolicLogisticRegression(),
        PoincarePerceptron(random_state=0),
        noneuclid.HyperboloidPerceptron(random_state=0),
    ],
    ids=lambda m: type(m).__name__,
)
def test_balanced_classes_raise_the_recall_of_the_rare_one(model):
    rng = np.random.default_rng(0)
    y = (np.arange(400) % 20 == 0).astype(int)  # 5 %
    X = 0.8 * rng.normal(size=(400, 2)) + y[:, None] * [1.0, 0.6]
    rare = y == 1
    plain = clone(model).fit(X, y).predict(X)[rare].mean()
    balanced = clone(model).set_params(class_weight="balanced").fit(X, y)
    assert balanced.predict(X)[rare].mean() > plain + 0.25
    if hasattr(balanced, "predict_proba"):
        likely = balanced.predict_proba(X).argmax(axis=1)
        assert np.mean(likely == balanced.predict(X)) > 0.99


def test_boosting_and_routing_pass_weights():
    X, y, counts = cloud()
    boosted = AdaBoostClassifier(PoincareSVC(), n_estimators=3, random_state=0).fit(X, y)
    assert boosted.score(X, y) > 0.7
    with sklearn.config_context(enable_metadata_routing=True):
        for model in (PoincareSVC(), HyperbolicLogisticRegression()):
            model = model.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
            params = {"sample_weight": counts + 1.0}
            assert cross_val_score(model, X, y, cv=2, params=params).min() > 0.6
        stream = PoincarePerceptron().set_partial_fit_request(sample_weight=True)
        assert stream.get_metadata_routing().partial_fit.requests["sample_weight"] is True
