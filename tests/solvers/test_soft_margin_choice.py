"""Newton's method or LIBLINEAR: the same optimum, and the narrow rows of kept tables unchanged."""

import re

import numpy as np
import pandas as pd
import pytest
from paper_mirror import ROOT

from noneuclid import EuclideanSVC
from noneuclid.errors import InputError
from noneuclid.solvers.hyperboloid.descent.warm_start import warm_start
from noneuclid.solvers.linear import newton
from noneuclid.solvers.linear.liblinear import linear_svm
from noneuclid.solvers.linear.newton import newton_svm
from noneuclid.solvers.linear.soft_margin import soft_margin_svm
from noneuclid.solvers.products import WIDE


def rare_class(n, p, seed=0):
    """Rows (n, p) in a ball and signs (n,); few are 1, beyond a hyperplane far out."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, p - 1))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows *= 0.95 * rng.random((n, 1)) ** (1 / (p - 1))
    heights = rows @ rng.normal(size=p - 1)
    signs = np.where(heights > 2.2 * heights.std(), 1.0, -1.0)
    return np.column_stack([rows, np.full(n, 10.0)]), signs


def test_narrow_rows_go_to_liblinear():
    X, signs = rare_class(300, WIDE - 1)
    found, wanted = (f(X, signs, 1.0) for f in (soft_margin_svm, linear_svm))
    assert found.w.tolist() == wanted.w.tolist()
    assert found.n_iter == wanted.n_iter


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_the_euclidean_svm_has_the_optimum_of_both_losses_on_narrow_rows(loss):
    X, signs = rare_class(300, 12)
    model = EuclideanSVC(C=3.0, loss=loss, chart="poincare", random_state=0).fit(X[:, :-1], signs)
    best = linear_svm(X, signs, 3.0, loss, tol=1e-9)
    assert model.objective_ == pytest.approx(best.objective, rel=2e-6)
    np.testing.assert_allclose(model.coef_[0], best.w[:-1], rtol=1e-3, atol=1e-3)
    assert model.intercept_[0] == pytest.approx(10 * best.w[-1], rel=1e-3)


def test_wide_rows_go_to_newton_with_the_same_optimum():
    X, signs = rare_class(500, WIDE)
    found, other = (f(X, signs, 1.0) for f in (soft_margin_svm, linear_svm))
    np.testing.assert_allclose(found.w, other.w, atol=1e-4)
    assert found.w.tolist() == newton_svm(X, signs, 1.0, 1e-6, 10_000).w.tolist()
    assert found.objective == pytest.approx(other.objective, rel=1e-6)
    assert found.lower_bound <= other.objective


def test_a_rare_class_is_solved_where_liblinear_stops_early():
    X, signs = rare_class(2000, 65)
    early, found = (f(X, signs, 1e4) for f in (linear_svm, soft_margin_svm))
    assert early.status == "inaccurate"
    assert found.status == "optimal"
    assert found.objective < early.objective * 0.999
    assert early.lower_bound <= found.lower_bound
    with pytest.raises(InputError, match="beyond double precision"):
        soft_margin_svm(X * 1e80, signs, 1e4)


def test_both_users_have_the_optimum_on_wide_rows():
    X, signs = rare_class(400, 40)
    rows = X[:, :-1]
    model = EuclideanSVC(C=100.0, chart="poincare").fit(rows, signs)
    best = newton_svm(X, signs, 100.0, tol=1e-12)
    np.testing.assert_allclose(model.coef_[0], best.w[:-1], atol=1e-3)
    assert model.objective_ == pytest.approx(best.objective, rel=1e-6)
    points = np.column_stack([np.sqrt(1 + np.sum(rows**2, axis=1)), rows])
    start = warm_start(points, signs, 10.0)
    best = newton_svm(points, signs, 10.0, tol=1e-12).w
    np.testing.assert_allclose(start, [-best[0], *best[1:]], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_fewer_rows_than_columns(weighted):
    rng = np.random.default_rng(1)
    X, weights = rng.normal(size=(40, 64)) * 100, rng.integers(1, 3, 40).astype(float)
    signs = np.where(X[:, 0] + 30 * rng.normal(size=40) > 0, 1.0, -1.0)
    fit = newton_svm(X, signs, 1e5, weights=weights if weighted else None)
    assert fit.status == "optimal"
    assert fit.n_iter < 20
    slack = np.maximum(0, 1 - signs * (X @ fit.w)) * (weights if weighted else 1.0)
    np.testing.assert_allclose(fit.w, 2e5 * X.T @ (slack * signs), rtol=1e-3, atol=2e-6)


def test_rows_that_are_too_long_end_early_with_a_warning():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 64)) * 1e3
    signs = np.where(X[:, 0] + 300 * rng.normal(size=40) > 0, 1.0, -1.0)
    fit = soft_margin_svm(X, signs, 1e10)
    assert fit.status == "inaccurate"
    assert "lower C, or move far points closer" in fit.warning
    assert fit.n_iter < 100
    dual = np.linalg.solve(X @ X.T, signs)  # the hard margin of rows that are all support vectors
    assert fit.objective <= 1.01 * 0.5 * dual @ X @ X.T @ dual


def test_the_stated_times_are_those_of_the_benchmark():
    table = pd.read_csv(ROOT / "benchmarks/wide_svm.tsv", sep="\t")
    assert (table["dimension"] >= WIDE - 1).all()
    both = table.pivot(index=["dimension", "fraction", "problem"], columns="solver")
    ratio = both["seconds", "liblinear"] / both["seconds", "newton"]
    gap = both["gap", "liblinear"].max()
    wanted = f"{ratio.min():.0f} to {ratio.max():.0f}"
    stated = re.findall(r"(\d+ to \d+) times as long\s+on 20,000", soft_margin_svm.__doc__)
    assert stated == [wanted]
    assert re.findall(r"gaps of up to (\S+)", soft_margin_svm.__doc__) == [f"{gap:.1e}"]
    assert both["gap", "newton"].max() < 1e-6
    assert (both["status", "newton"] == "optimal").all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [30, 200])  # fewer and more rows than the 40 columns
def test_a_wide_step_ends_at_the_least_point_of_its_piece(n, weighted, monkeypatch):
    monkeypatch.setattr(newton, "_ROWS", 64)
    rng = np.random.default_rng(n)
    X, signs, w = rng.normal(size=(n, 40)), rng.choice([-1, 1], n), rng.normal(size=40)
    q = rng.uniform(0.2, 5.0, n) if weighted else np.ones(n)
    slack = 1 - signs * (X @ w)
    active = np.where(slack > 0, q, 0.0) if weighted else slack > 0
    downhill = 6.0 * X.T @ (q * signs * np.maximum(0, slack)) - w
    end = w + newton._wide_step(X, signs, active, 6.0, w, downhill)
    rows = slack > 0
    pull = X[rows].T @ (q * signs * (1 - signs * (X @ end)))[rows]
    np.testing.assert_allclose(end, 6.0 * pull, atol=1e-8)
