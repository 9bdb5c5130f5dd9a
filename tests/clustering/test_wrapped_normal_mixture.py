"""Mixtures: integrals of densities, a likelihood that never falls, scikit-learn's flat limit."""

import numpy as np
import pytest
from clouds import moved, ring_clouds
from scipy.special import logsumexp, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from noneuclid import HyperbolicKMeans, WrappedNormalMixture
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz, tangent
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.solvers.hyperboloid.statistics.mixture_em import fit_mixture
from noneuclid.solvers.hyperboloid.statistics.wrapped_normals import WrappedNormal, log_mixture

FLAT = 1e-10  # curvature at which space is flat to 1e-9
TYPES = ("full", "diag", "spherical")


def clouds(seed=0, n=150, spread=0.5):
    X, y = ring_clouds(seed, n, radius=1.5, spread=spread)
    return convert(X, "tangent", "hyperboloid"), y


def mixture(k=3, **params):
    return WrappedNormalMixture(k, **({"random_state": 0, "chart": "hyperboloid"} | params))


@pytest.mark.parametrize("curvature", [1.0, 0.25])
def test_densities_integrate_to_one(curvature):
    X = convert(ring_clouds(n=90)[0], "tangent", "poincare", curvature)
    model = WrappedNormalMixture(3, chart="poincare", curvature=curvature, random_state=0).fit(X)
    r, angle = np.meshgrid((np.arange(400) + 0.5) / 50, np.arange(200) * np.pi / 100)
    vectors = np.column_stack([(r * np.cos(angle)).ravel(), (r * np.sin(angle)).ravel()])
    points = convert(vectors / np.sqrt(curvature), "tangent", "poincare", curvature)
    areas = np.sinh(r.ravel()) / 50 * np.pi / 100 / curvature
    assert areas @ np.exp(model.score_samples(points)) == pytest.approx(1.0, abs=1e-3)
    assert model.score(X) == pytest.approx(model.lower_bound_, rel=1e-9)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_the_flat_limit_is_scikit_learns(covariance_type):
    X, _ = ring_clouds(n=300, radius=3.0, spread=0.7)
    X = X * [1.0, 0.7]
    settings = {"covariance_type": covariance_type, "tol": 1e-9, "max_iter": 1000}
    theirs = GaussianMixture(3, random_state=0, **settings).fit(X)
    ours = WrappedNormalMixture(3, random_state=0, chart="tangent", curvature=FLAT, **settings)
    ours.fit(X)
    first, second = (np.argsort(model.means_[:, 0]) for model in (ours, theirs))
    np.testing.assert_allclose(ours.means_[first], theirs.means_[second], atol=1e-3)
    np.testing.assert_allclose(ours.weights_[first], theirs.weights_[second], atol=1e-3)
    expected = theirs.covariances_[second]
    if covariance_type != "full":
        expected = [np.eye(2) * part for part in expected]
    np.testing.assert_allclose(ours.covariances_[first], expected, atol=2e-3)
    for name in ("score", "bic", "aic"):
        assert getattr(ours, name)(X) == pytest.approx(getattr(theirs, name)(X), rel=1e-4)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), atol=1e-2)


def plain_history(points, labels, steps):
    """Mean log-likelihood of EM without the test of a step."""
    parts, history = np.eye(labels.max() + 1)[labels], []
    for _ in range(steps):
        moments = [mean_and_covariance(points, part) for part in parts.T]
        normals = [WrappedNormal(mean, s + 1e-6 * np.eye(len(s))) for mean, s in moments]
        joint = log_mixture(points, normals, parts.mean(axis=0))
        history.append(logsumexp(joint, axis=1).mean())
        parts = softmax(joint, axis=1)
    return np.array(history)


def wide(seed):
    """Overlapping clouds in which the Fréchet mean is not the likeliest one."""
    rng = np.random.default_rng(seed)
    return convert(rng.gamma(1.0, 1.5, size=(60, 3)), "tangent", "hyperboloid")


def test_the_likelihood_never_falls():
    falls = 0
    for seed in range(3):
        points = wide(seed)
        labels = HyperbolicKMeans(3, random_state=0, chart="hyperboloid").fit_predict(points)
        plain = plain_history(points, labels, 30)
        falls += (np.diff(plain) < -1e-9).any()
        for covariance_type in TYPES:
            settings = (covariance_type, 1e-6, 30, -1.0)
            found = np.array(fit_mixture(points, np.ones(60), labels, *settings).history)
            assert (np.diff(found) >= -1e-12).all()
            if covariance_type == "full":
                assert found[0] == pytest.approx(plain[0], abs=1e-4)
                assert found[-1] > plain[-1] - 0.05
    assert falls > 0  # the test of a step is needed


def test_parameters_of_the_distribution_are_found():
    mean = lorentz.from_spatial([[1.0, 2.0], [-3.0, 0.5]])
    covariance = np.array([[[0.3, 0.1], [0.1, 0.2]], [[0.2, -0.1], [-0.1, 0.4]]])
    rng, y = np.random.default_rng(0), np.repeat([0, 1], [4000, 8000])
    v = np.einsum("nij,nj->ni", np.linalg.cholesky(covariance)[y], rng.normal(size=(12_000, 2)))
    model = mixture(2, tol=1e-6).fit(tangent.lift(v, mean[y]))
    order = np.argsort(-model.means_[:, 1])
    np.testing.assert_allclose(model.weights_[order], [1 / 3, 2 / 3], atol=0.01)
    np.testing.assert_allclose(model.covariances_[order], covariance, atol=0.03)
    assert (lorentz.distance(model.means_[order], mean) < 0.03).all()


@pytest.mark.parametrize("covariance_type", ["full", "spherical"])
def test_isometries_and_the_order_of_rows_move_the_means_alone(covariance_type):
    points, y = clouds()
    model = mixture(covariance_type=covariance_type).fit(points)
    means, parts, bound = model.means_, model.predict_proba(points), model.lower_bound_
    assert adjusted_rand_score(y, model.predict(points)) > 0.9
    there = moved(points, 1, 3.0)
    model.fit(there)
    np.testing.assert_allclose(model.means_, moved(means, 1, 3.0), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(there), parts, atol=1e-6)
    assert model.lower_bound_ == pytest.approx(bound, abs=1e-8)
    order = np.random.default_rng(0).permutation(len(points))
    assert mixture(tol=1e-9, max_iter=500).fit(points[order]).lower_bound_ == pytest.approx(
        mixture(tol=1e-9, max_iter=500).fit(points).lower_bound_, abs=1e-5
    )


def test_charts_and_curvature_scale_densities():
    X, _ = ring_clouds()
    settings = {"random_state": 0, "reg_covar": 0.0}
    first = WrappedNormalMixture(2, chart="tangent", **settings).fit(X)
    for curvature in (0.25, 9.0):
        for chart in CHARTS:
            Z = convert(X / np.sqrt(curvature), "tangent", chart, curvature)
            model = WrappedNormalMixture(2, chart=chart, curvature=curvature, **settings).fit(Z)
            np.testing.assert_allclose(model.predict_proba(Z), first.predict_proba(X), atol=1e-7)
            np.testing.assert_allclose(
                model.covariances_ * curvature, first.covariances_, rtol=1e-6, atol=1e-9
            )
            # Densities in the plane are K times as large.
            assert model.lower_bound_ == pytest.approx(first.lower_bound_ + np.log(curvature))


def test_weights_are_repetitions():
    points, _ = clouds()
    counts = np.random.default_rng(1).integers(0, 4, size=len(points))
    weighted = mixture().fit(points, sample_weight=counts)
    repeated = mixture().fit(points.repeat(counts, axis=0))
    np.testing.assert_allclose(weighted.means_, repeated.means_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(weighted.covariances_, repeated.covariances_, rtol=1e-7, atol=1e-9)
    assert weighted.lower_bound_ == pytest.approx(repeated.lower_bound_)


def test_criteria_count_parameters_and_choose_the_number_of_clouds():
    points, _ = clouds(spread=0.3)
    found = {k: mixture(k, n_init=2).fit(points) for k in (1, 2, 3, 4)}
    assert min(found, key=lambda k: found[k].bic(points)) == 3
    for covariance_type, count in (("full", 3 * 9 + 2), ("diag", 3 * 6 + 2), ("spherical", 14)):
        X = convert(ring_clouds(n=60)[0] @ np.eye(2, 3), "tangent", "hyperboloid")
        model = mixture(3, covariance_type=covariance_type).fit(X)
        logs = model.score_samples(X).sum()
        assert model.aic(X) == pytest.approx(-2 * logs + 2 * count)
        assert model.bic(X) == pytest.approx(-2 * logs + np.log(60) * count)


@pytest.mark.parametrize("curvature", [1.0, 4.0])
def test_samples_have_the_fitted_distribution(curvature):
    points, _ = clouds()
    model = mixture(curvature=curvature).fit(points / np.sqrt(curvature))
    X, y = model.sample(30_000)
    np.testing.assert_allclose(np.bincount(y) / 30_000, model.weights_, atol=0.01)
    for k in range(3):
        scaled = np.sqrt(curvature) * X[y == k]
        mean, covariance = mean_and_covariance(scaled)
        assert lorentz.distance(mean, np.sqrt(curvature) * model.means_[k]) < 0.03
        np.testing.assert_allclose(covariance / curvature, model.covariances_[k], atol=0.02)
    assert model.sample()[0].shape == (1, 3)


def test_points_near_the_rim():
    X, y = ring_clouds(radius=16.0, spread=0.4)
    model = WrappedNormalMixture(3, random_state=0, chart="poincare")
    X = convert(X, "tangent", "poincare")
    assert adjusted_rand_score(y, model.fit_predict(X)) == 1.0
    assert np.isfinite(model.score_samples(X)).all()


def test_messages():
    points, _ = clouds(n=6)
    with pytest.raises(InputError, match=r"n_components = 3, but X has 2 clusters of distinct"):
        mixture().fit(points[[0, 0, 1, 1]])
    with pytest.raises(InputError, match=r"singular covariance with reg_covar = 0.0; raise"):
        mixture(2, reg_covar=0.0).fit(points[[0, 0, 1, 1]])
    with pytest.warns(ConvergenceWarning, match=r"stopped after 2 iterations; raise max_iter"):
        mixture(max_iter=2, tol=0).fit(clouds(spread=1.0)[0])
    for count in (0, 1.5, "2"):
        with pytest.raises(InputError, match=rf"n_samples = {count!r}; give an integer >= 1"):
            mixture(1).fit(points).sample(count)
