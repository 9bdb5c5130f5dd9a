"""Wrapped normals: densities, invariance, weights, mixtures and messages."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from clouds import moved, random_clouds, ring_clouds
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.exceptions import ConvergenceWarning

from noneuclid import WrappedNormalClassifier
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz, tangent
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid.solvers.hyperboloid.statistics.wrapped_normals import WrappedNormal, draw_seeds
from noneuclid_papers.statistics.rank_tests import holm, signed_ranks

HYPERBOLOID = {"chart": "hyperboloid"}


@pytest.mark.parametrize("d", [1, 2, 4])
def test_density_is_the_definition(d):
    rng = np.random.default_rng(d)
    mean = tangent.lift(rng.normal(size=d), lorentz.origin(d))
    factor = rng.normal(size=(d, d))
    covariance = factor @ factor.T + 0.1 * np.eye(d)
    x = tangent.lift(rng.normal(size=(20, d)), mean)
    v = tangent.flatten(x, mean)
    r = lorentz.distance(x, mean)
    expected = multivariate_normal(np.zeros(d), covariance).logpdf(v)
    expected = expected - (d - 1) * np.log(np.sinh(r) / r)
    found = WrappedNormal(mean, covariance).log_density(x)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


def test_density_integrates_to_one():
    normal = WrappedNormal(lorentz.from_spatial([0.4, -0.2]), np.array([[0.3, 0.1], [0.1, 0.2]]))
    r, angle = np.meshgrid(np.arange(0.01, 8, 0.02), 2 * np.pi * np.arange(200) / 200)
    r, angle = r.ravel(), angle.ravel()
    ways = np.column_stack([np.cos(angle), np.sin(angle)])
    density = np.exp(normal.log_density(lorentz.from_spatial(np.sinh(r)[:, None] * ways)))
    total = (density * np.sinh(r)).sum() * 0.02 * 2 * np.pi / 200  # the area element is sinh r
    assert total == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(("seed", "n_components"), [(0, 1), (1, 1), (2, 1), (3, 2)])
def test_isometries_change_nothing(seed, n_components):
    points, y = random_clouds(seed, d=2 + seed % 3)
    settings = {"n_components": n_components, "random_state": 0, "tol": 0.03, **HYPERBOLOID}
    expected = WrappedNormalClassifier(**settings).fit(points, y)
    for distance in (0.0, 1.5, 3.0):
        there = moved(points, seed, distance)
        model = WrappedNormalClassifier(**settings).fit(there, y)
        np.testing.assert_array_equal(model.predict(there), expected.predict(points))
        np.testing.assert_allclose(
            model.predict_proba(there), expected.predict_proba(points), atol=1e-8
        )


def test_small_clouds_are_those_of_flat_discriminants():
    X, y = ring_clouds(n=300, radius=1e-4, spread=1e-4)
    flat = QuadraticDiscriminantAnalysis().fit(1e4 * X, y).predict_proba(1e4 * X)
    found = WrappedNormalClassifier(reg_param=0, chart="tangent").fit(X, y).predict_proba(X)
    np.testing.assert_allclose(found, flat, atol=0.01)  # it divides by n - 1


def test_the_line_has_no_volume_factor():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 1)) + 2 * y[:, None] + 5
    model = WrappedNormalClassifier(reg_param=0, chart="tangent").fit(X, y)
    for k in range(2):
        part = X[y == k]
        assert model.means_[k].shape == (1, 2)
        np.testing.assert_allclose(np.arcsinh(model.means_[k][0, 1]), part.mean(), rtol=1e-10)
        np.testing.assert_allclose(model.covariances_[k].ravel(), part.var(), rtol=1e-9)
    log = np.array(
        [multivariate_normal(X[y == k].mean(), X[y == k].var()).logpdf(X[:, 0]) for k in (0, 1)]
    )
    np.testing.assert_allclose(model.decision_function(X), log[1] - log[0], rtol=1e-7, atol=1e-7)


def test_parameters_of_the_distribution_are_found():
    rng = np.random.default_rng(0)
    mean = lorentz.from_spatial([[1.0, 2.0], [-3.0, 0.5]])
    covariance = np.array([[[0.6, 0.2], [0.2, 0.3]], [[0.2, -0.1], [-0.1, 0.9]]])
    y = np.arange(40_000) % 2
    v = np.einsum("nij,nj->ni", np.linalg.cholesky(covariance)[y], rng.normal(size=(40_000, 2)))
    model = WrappedNormalClassifier(reg_param=0, **HYPERBOLOID).fit(tangent.lift(v, mean[y]), y)
    for k in range(2):
        assert lorentz.distance(model.means_[k][0], mean[k]) < 0.02
        np.testing.assert_allclose(model.covariances_[k][0], covariance[k], atol=0.02)


@pytest.mark.parametrize("n_components", [1, 2])
def test_weights_are_repetitions(n_components):
    points, y = random_clouds(0, d=2)
    counts = np.random.default_rng(1).integers(0, 4, size=len(y))
    model = WrappedNormalClassifier(n_components=n_components, random_state=0, **HYPERBOLOID)
    weighted = model.fit(points, y, counts).predict_proba(points)
    repeated = model.fit(points.repeat(counts, axis=0), y.repeat(counts)).predict_proba(points)
    # Mixtures start from draws in proportion to the weights: equal up to how sums are rounded.
    np.testing.assert_allclose(weighted, repeated, atol=1e-9)
    scaled = model.fit(points, y, 7.5 * counts).predict_proba(points)
    np.testing.assert_allclose(weighted, scaled, atol=1e-9)


def test_priors_shift_the_log_odds():
    X, y = ring_clouds(classes=2)
    y = np.where((np.arange(len(y)) % 3 == 0), 1, y)
    share = np.mean(y)
    base = WrappedNormalClassifier(chart="tangent").fit(X, y)
    np.testing.assert_allclose(base.priors_, [1 - share, share])
    values = base.decision_function(X) - np.log(share / (1 - share))
    for priors, odds in (("equal", 1.0), ([0.2, 0.8], 4.0)):
        model = WrappedNormalClassifier(chart="tangent", priors=priors).fit(X, y)
        np.testing.assert_allclose(model.decision_function(X), values + np.log(odds), atol=1e-9)
    never = WrappedNormalClassifier(chart="tangent", priors=[0.0, 1.0]).fit(X, y)
    np.testing.assert_array_equal(never.predict_proba(X)[:, 0], 0.0)
    assert (never.predict(X) == 1).all()


def test_charts_and_curvature_change_nothing():
    X, y = ring_clouds()
    expected = WrappedNormalClassifier(chart="tangent").fit(X, y).predict_proba(X)
    for curvature in (1.0, 0.25, 9.0):
        for chart in CHARTS:
            Z = convert(X / np.sqrt(curvature), "tangent", chart, curvature)
            model = WrappedNormalClassifier(chart=chart, curvature=curvature).fit(Z, y)
            np.testing.assert_allclose(model.predict_proba(Z), expected, atol=1e-8)


def test_shrinking_follows_its_definition():
    X, y = ring_clouds()
    raw = WrappedNormalClassifier(chart="tangent", reg_param=0).fit(X, y)
    variance = sum(np.mean(y == k) * np.trace(raw.covariances_[k][0]) / 2 for k in range(3))
    for reg_param in (0.3, 1.0):
        model = WrappedNormalClassifier(chart="tangent", reg_param=reg_param).fit(X, y)
        for k in range(3):
            expected = (1 - reg_param) * raw.covariances_[k] + reg_param * variance * np.eye(2)
            np.testing.assert_allclose(model.covariances_[k], expected, rtol=1e-10)


def test_automatic_shrinking_is_oracle_approximating():
    X, y = ring_clouds()
    X = X * [4.0, 1.0]
    raw = WrappedNormalClassifier(chart="tangent", reg_param=0).fit(X, y)
    model = WrappedNormalClassifier(chart="tangent", reg_param="auto").fit(X, y)
    variance = sum(np.mean(y == k) * np.trace(raw.covariances_[k][0]) / 2 for k in range(3))
    for k in range(3):
        (cov,), n = raw.covariances_[k], np.sum(y == k)
        trace, square = np.trace(cov), np.trace(cov @ cov)
        # In the plane 1 - 2/d is 0.
        delta = trace**2 / (n * (square - trace**2 / 2))
        assert 0 < delta < 1
        expected = (1 - delta) * cov + delta * trace / 2 * np.eye(2)
        expected = 0.999 * expected + 0.001 * variance * np.eye(2)
        np.testing.assert_allclose(model.covariances_[k][0], expected, rtol=1e-10)


def test_automatic_shrinking_wins_with_few_rows_in_many_dimensions():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 20)
    X, new = (0.2 * (y + 1)[:, None] * rng.normal(size=(60, 30)) for _ in range(2))
    fixed, auto = (
        WrappedNormalClassifier(chart="tangent", reg_param=reg_param).fit(X, y).score(new, y)
        for reg_param in (0.01, "auto")
    )
    assert auto > 0.9 > 0.5 > fixed
    lone = WrappedNormalClassifier(chart="tangent", reg_param="auto").fit(X[:21], y[:21])
    assert np.isfinite(lone.predict_log_proba(X)).all()


def pieces(n=400):
    """Two classes of three far pieces each, in turn around a circle."""
    rng = np.random.default_rng(0)
    place = rng.integers(6, size=n)
    angle = np.pi * place / 3
    centres = 3.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    return centres + 0.4 * rng.normal(size=(n, 2)), place % 2


def test_classes_in_pieces_need_mixtures():
    X, y = pieces()
    one = WrappedNormalClassifier(chart="tangent").fit(X, y)
    three = WrappedNormalClassifier(chart="tangent", n_components=3, random_state=0).fit(X, y)
    assert three.score(X, y) > 0.99
    assert one.score(X, y) < 0.8
    assert three.status_ == "converged"
    assert one.status_ is None
    assert [len(m) for m in three.means_] == [3, 3]
    for k in range(2):
        assert three.weights_[k].sum() == pytest.approx(1.0)
        away = lorentz.distance(three.means_[k], lorentz.origin(2))
        np.testing.assert_allclose(away, 3.0, atol=0.5)  # the pieces are bent


def test_likelihood_is_that_of_the_mixture():
    X, y = pieces(100)
    settings = {"chart": "tangent", "n_components": 2, "random_state": 0}
    model = WrappedNormalClassifier(tol=1e-12, max_iter=500, **settings).fit(X, y)
    points, total = convert(X, "tangent", "hyperboloid"), 0.0
    for k in range(2):
        densities = [
            np.exp(WrappedNormal(m, s).log_density(points[y == k]))
            for m, s in zip(model.means_[k], model.covariances_[k], strict=True)
        ]
        total += np.log(model.weights_[k] @ densities).sum()
    assert model.log_likelihood_ == pytest.approx(total / 100, rel=1e-9)
    early = WrappedNormalClassifier(tol=1e9, **settings).fit(X, y)
    assert early.log_likelihood_ <= model.log_likelihood_ + 1e-9


def test_em_that_is_stopped_warns():
    X, y = ring_clouds(n=200)
    model = WrappedNormalClassifier(
        n_components=3, max_iter=2, tol=0, random_state=0, chart="tangent"
    )
    with pytest.warns(ConvergenceWarning, match=r"EM stopped after 2 iterations.*raise max_iter"):
        model.fit(X, y)
    assert model.status_ == "not converged"


def test_small_classes_get_fewer_components():
    X, y = ring_clouds(n=40, classes=2)
    y[:] = 0
    y[:5] = 1
    model = WrappedNormalClassifier(n_components=4, chart="tangent", random_state=0).fit(X, y)
    assert [len(m) for m in model.means_] == [4, 1]


def test_seeds_are_spread():
    points = convert(pieces(200)[0], "tangent", "hyperboloid")
    for seed in range(5):
        seeds = draw_seeds(points, None, 4, np.random.RandomState(seed))
        near = np.linalg.norm(seeds[:, None] - seeds[None], axis=2) + 9.0 * np.eye(4)
        assert near.min() > 5.0


def test_messages():
    X, y = ring_clouds(n=30, classes=2)
    few = np.r_[[0], np.ones(29, dtype=int)]
    with pytest.raises(InputError, match=r"class 0 has 1 distinct rows .*reg_param above 0"):
        WrappedNormalClassifier(reg_param=0, chart="tangent").fit(X, few)
    assert WrappedNormalClassifier(chart="tangent").fit(X, few).score(X, few) > 0.9
    with pytest.raises(InputError, match=r"rows of each class coincide"):
        WrappedNormalClassifier(chart="tangent").fit(np.array([[0.1], [0.2]]), ["a", "b"])
    with pytest.raises(InputError, match=r"priors has shape \(3,\); give one number .* 2 classes"):
        WrappedNormalClassifier(priors=[0.2, 0.3, 0.5], chart="tangent").fit(X, y)
    with pytest.raises(InputError, match=r"with sum 0.9"):
        WrappedNormalClassifier(priors=[0.2, 0.7], chart="tangent").fit(X, y)


def test_points_far_out_keep_finite_probabilities():
    X, y = ring_clouds(radius=150.0, spread=20.0)
    model = WrappedNormalClassifier(chart="tangent").fit(X, y)
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert model.score(X, y) > 0.95


def test_the_docstring_has_the_figures_of_the_table():
    path = Path(__file__).resolve().parents[2] / "benchmarks/wrapped_normal.tsv"
    table = pd.read_csv(path, sep="\t")
    text = " ".join(WrappedNormalClassifier.__doc__.split())
    held_out = table[table["part"] == "held_out"]
    assert held_out["data"].nunique() == 31
    scores = held_out.pivot(index="data", columns="method", values="value")
    gaps = scores.drop(columns="wrapped normal").rsub(scores["wrapped normal"], axis=0).round(9)
    p = pd.Series(holm([signed_ranks(gap) for gap in gaps.to_numpy().T]), index=gaps.columns)
    klein = gaps["Gaussian SVM, Klein"]
    counts = f"({(klein > 0).sum()} wins, {(klein < 0).sum()} losses; Wilcoxon, Holm's p = "
    assert f"{klein.mean():.2f} points higher" in text
    assert f"{counts}{p['Gaussian SVM, Klein']:.3f})" in text
    for name in ("Gaussian SVM, Poincaré", "Gaussian SVM, tangent", "QDA, tangent"):
        assert p[name] > 0.05
        assert f"(+{gaps[name].mean():.2f}, {p[name]:.2f})" in text
    few = table[table["part"] == "few_rows"].set_index(["data", "n", "d", "method"])["value"]
    for kind in ("equal", "random"):
        auto, fixed = (
            few[f"{kind} covariances", 60, 30, f"reg_param={v}"] for v in ("auto", "0.01")
        )
        assert f"{auto:.1f}" in text
        assert f"{fixed:.1f}" in text
    cancer = [few["breast_cancer", 569, 30, f"reg_param={v}"] for v in ("0.01", "auto")]
    assert f"loses {cancer[0] - cancer[1]:.1f} points on breast_cancer" in text
