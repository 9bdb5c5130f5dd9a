"""Zeros of compositions: published formulas, kept ratios, and what is refused."""

import numpy as np
import pytest
from cases import each_of
from sklearn.utils.estimator_checks import check_estimator

from noneuclid import LogRatio, ZeroReplacement
from noneuclid.errors import InputError

METHODS = ["multiplicative", "geometric", "square_root", "bayes_laplace"]
# Each part is positive in two rows or more.
COUNTS = np.array([[0, 2, 6, 8], [1, 1, 2, 0], [3, 0, 4, 1], [40, 30, 0, 50]])


@pytest.fixture
def sparse():
    rng = np.random.default_rng(0)
    return rng.poisson(rng.gamma(0.4, 6, size=(30, 12))) + np.eye(30, 12) + np.eye(30, 12, k=-12)


def test_priors_by_hand():
    """Row 0 of `COUNTS`: n = 16, the other rows have 44, 31, 6 and 51 of 132."""
    t = 44 / 132
    for method, s in (("bayes_laplace", 4), ("square_root", 4)):
        found = ZeroReplacement(method).fit_transform(COUNTS)[0]
        r = t * s / (16 + s)
        # Above the smallest positive proportion of the part, 1/4: 65 % of that.
        assert r < 0.25
        np.testing.assert_allclose(found, [r, *((1 - r) * np.array([2, 6, 8]) / 16)], rtol=1e-14)
    s = (44 * 31 * 6 * 51) ** (-1 / 4) * 132
    r = t * s / (16 + s)
    np.testing.assert_allclose(ZeroReplacement("geometric").fit_transform(COUNTS)[0, 0], r)


def slow(X, method, share=0.65):
    """Bayesian-multiplicative replacement, part by part, as the formula is written."""
    closed = [[x / sum(row) for x in row] for row in X.tolist()]
    found = [list(row) for row in closed]
    p = X.shape[1]
    for i, row in enumerate(X.tolist()):
        others = [sum(X[k, j] for k in range(len(X)) if k != i) for j in range(p)]
        t = [one / sum(others) for one in others]
        n = sum(row)
        s = {
            "geometric": 1 / np.prod([x ** (1 / p) for x in t]),
            "square_root": n**0.5,
            "bayes_laplace": p,
        }[method]
        taken = 0.0
        for j in range(p):
            if row[j] == 0:
                smallest = min(c[j] for c in closed if c[j] > 0)
                amount = t[j] * s / (n + s)
                found[i][j] = share * smallest if amount > smallest else amount
                taken += found[i][j]
        for j in range(p):
            if row[j] > 0:
                found[i][j] = closed[i][j] * (1 - taken)
    return np.array(found)


@each_of("method", METHODS[1:])
def test_priors_are_those_of_the_formula(method, sparse):
    found = ZeroReplacement(method).fit_transform(sparse)
    np.testing.assert_allclose(found, slow(sparse, method), rtol=1e-12)
    # The bound by the smallest proportion holds somewhere, or the test says nothing of it.
    smallest = ZeroReplacement(method).fit(sparse).smallest_
    assert (found[sparse == 0] == (0.65 * smallest * np.ones((30, 1)))[sparse == 0]).any()


@each_of("method", METHODS)
def test_rows_are_closed_and_ratios_of_positive_parts_are_kept(method, sparse):
    model = ZeroReplacement(method)
    for found in (model.fit_transform(sparse), model.transform(sparse)):
        assert (found > 0).all()
        np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-14)
        for row, parts in zip(found, sparse, strict=True):
            kept = parts > 0
            ratios = row[kept] / row[kept][0]
            np.testing.assert_allclose(ratios, parts[kept] / parts[kept][0], rtol=1e-14)


def test_a_factor_of_a_row_changes_nothing(sparse):
    factors = np.random.default_rng(1).uniform(0.1, 9, size=(30, 1))
    first, second = (ZeroReplacement().fit_transform(X) for X in (sparse, factors * sparse))
    np.testing.assert_allclose(first, second, rtol=1e-13)
    smallest = (sparse / sparse.sum(axis=1, keepdims=True))[sparse > 0].min()
    np.testing.assert_allclose(first[sparse == 0], 0.65 * smallest, rtol=1e-13)


@each_of("method", METHODS)
def test_nothing_is_fitted_to_new_rows(method, sparse):
    model = ZeroReplacement(method).fit(sparse[:25])
    together = model.transform(sparse[25:])
    alone = [model.transform(sparse[k : k + 1])[0] for k in range(25, 30)]
    np.testing.assert_array_equal(together, alone)


def test_new_rows_have_the_prior_of_all_training_rows():
    new = np.array([[0, 5, 5, 0]])
    found = ZeroReplacement("bayes_laplace").fit(COUNTS).transform(new)
    t = COUNTS.sum(axis=0) / COUNTS.sum()
    r = t[[0, 3]] * 4 / 14
    smallest = np.array([1 / 4, 1 / 8])
    r = np.where(r > smallest, 0.65 * smallest, r)
    np.testing.assert_allclose(found, [[r[0], (1 - r.sum()) / 2, (1 - r.sum()) / 2, r[1]]])


def test_a_perturbation_changes_no_difference_of_log_ratios(sparse):
    parts = ZeroReplacement("square_root").fit_transform(sparse)
    factors = np.random.default_rng(2).dirichlet(np.ones(12))
    model = LogRatio(chart="tangent").fit(parts)
    first, second = (model.transform(X) for X in (parts, parts * factors))
    np.testing.assert_allclose(first - first[0], second - second[0], atol=1e-12)


@each_of(
    ("X", "settings"),
    [
        ([[1e-300, 0, 1.0], [2, 3, 5]], {}),
        ([[5e-324, 0, 1e-323], [1, 2, 3]], {}),
        ([[1e-300, 0, 3e-300], [2, 3, 5]], {"delta": 0.9}),
        ([[1, 0, 2], [3, 0, 4]], {}),
        ([[1, 0, 99], [2, 3, 5]], {"delta": 0.5}),
    ],
)
def test_extreme_parts_keep_their_ratios(X, settings):
    X = np.array(X)
    found = ZeroReplacement(**settings).fit_transform(X)
    assert (found > 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-14)
    for row, parts in zip(found, X, strict=True):
        kept = parts > 0
        np.testing.assert_allclose(row[kept] / row[kept].sum(), parts[kept] / parts[kept].sum())


@each_of(
    ("X", "settings", "message"),
    [
        ([[1e-300, 0, 1e300], [1, 2, 3]], {}, "row 0, column 0 becomes 0, below 2.2e-308"),
        ([[5e-324, 0, 1], [1, 2, 3]], {"delta": 0.3}, "row 0, column 0 becomes 4.94066e"),
        ([[4e-308, 0, 1], [1, 2, 3]], {"delta": 0.9}, "row 0, column 0 becomes 4e-309"),
        ([[1e308, 0, 1e308], [1, 2, 3]], {}, r"sum to inf \(row 0 has 1e\+308\)"),
        ([[1e16, 0], [1, 1], [1, 1]], {"method": "square_root"}, r"sum to 1e\+16 .* 9.01e\+15"),
        ([[1, -2], [1, 1]], {}, "row 0, column 1 has -2; correct it"),
        ([[1, 2], [0, 0]], {}, "row 1 has zeros only; remove it"),
        ([[1, np.nan], [1, 1]], {}, "row 0, column 1 is NaN"),
        ([[1, 2], [3, 4]], {"method": "GBM"}, "method = 'GBM'; give one of multiplicative, geo"),
        ([[1, 2], [3, 4]], {"delta": 0}, "delta = 0; give a number in"),
        ([[0, 0, 1], [1, 1, 1]], {"delta": 0.5}, "0.5 for each of 2 zeros of row 0 leaves nothing"),
        ([[1, 2], [3, 4]], {"method": "square_root", "delta": 0.1}, "delta belongs to the method"),
        ([[1, 2.5], [3, 4]], {"method": "square_root"}, "column 1 has 2.5, but the .* counts; t"),
        ([[1, 0], [3, 0]], {"method": "square_root"}, "part 1 is zero in all training rows"),
        ([[1, 0], [3, 1]], {"method": "geometric"}, r"part 1 is .* except one \(1 parts"),
        ([[1], [2]], {}, "n_features = 1"),
        ([[1, 2]], {"method": "geometric"}, "n_samples = 1"),
    ],
)
def test_refuses(X, settings, message):
    with pytest.raises(InputError, match=message):
        ZeroReplacement(**settings).fit_transform(X)


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_checks():
    expected = {"check_estimators_dtypes": "a row of the check has zeros only"}
    results = check_estimator(
        ZeroReplacement(), expected_failed_checks=expected, on_fail=None, on_skip=None
    )
    failed = {r["check_name"]: str(r["exception"]) for r in results if r["status"] == "failed"}
    assert failed == {}
