"""Neighbours, normals and means of product spaces, against definitions and single factors."""

import warnings

import numpy as np
import pytest
from cases import each_of
from product_clouds import SPACES, two_clouds
from scipy.integrate import dblquad
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from noneuclid import (
    GeodesicKNeighborsClassifier,
    GeodesicKNeighborsRegressor,
    NearestFrechetMeanClassifier,
    WrappedNormalClassifier,
)
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace
from noneuclid.solvers.hyperboloid.statistics.product_normals import ProductNormal

ALL = [GeodesicKNeighborsClassifier, NearestFrechetMeanClassifier, WrappedNormalClassifier]
MODELS = [*ALL, GeodesicKNeighborsRegressor]


def answers(model, X):
    return getattr(model, "predict_proba", model.predict)(X)


@pytest.mark.parametrize("algorithm", ["kd_tree", "ball_tree", "brute"])
@each_of("space", [*SPACES, ProductSpace("E3"), ProductSpace("S2"), ProductSpace("H2^2")])
def test_neighbours_are_those_of_all_distances(space, algorithm):
    for spread in (1e-8, 0.3, 20.0):
        X = space.random_wrapped_normal(300, covariances=spread, random_state=0)
        Z = space.random_wrapped_normal(40, covariances=spread, random_state=1)
        model = GeodesicKNeighborsRegressor(space=space, algorithm=algorithm, leaf_size=7)
        distances, rows = model.fit(X, X[:, 0]).kneighbors(Z, 9)
        every = space.pairwise_distances(Z, X)
        expected = np.argsort(every, axis=1, kind="stable")[:, :9]
        near = np.take_along_axis(every, expected, axis=1)
        np.testing.assert_allclose(distances, near, rtol=1e-9, atol=1e-15)
        found = np.take_along_axis(every, rows, axis=1)
        np.testing.assert_allclose(found, near, rtol=1e-9, atol=1e-15)
        assert (np.diff(np.sort(rows, axis=1), axis=1) > 0).all()
        own = model.kneighbors(None, 3)[1]
        assert (own != np.arange(300)[:, None]).all()


def test_equal_rows_come_in_their_order():
    space = SPACES[0]
    X = np.repeat(space.random_wrapped_normal(20, random_state=0), 8, axis=0)
    X = X[np.random.default_rng(0).permutation(160)]
    for algorithm in ("kd_tree", "brute"):
        model = GeodesicKNeighborsRegressor(space=space, algorithm=algorithm, leaf_size=3)
        distances, rows = model.fit(X, X[:, 0]).kneighbors(X, 8)
        assert (distances == 0).all()
        assert (np.diff(rows, axis=1) > 0).all()
        np.testing.assert_array_equal(model.kneighbors(X, 5)[1], rows[:, :5])


@each_of("spread", [0.1, 1.0, 30.0])
def test_one_hyperbolic_factor_is_the_chart(spread):
    curved = ProductSpace("H3", curvatures=[-2.0], charts=["poincare"])
    X, y = two_clouds(curved, 60)
    X = curved.random_wrapped_normal(60, covariances=spread, random_state=2)
    for cls in MODELS:
        ours = cls(space=curved).fit(X, y)
        theirs = cls(chart="poincare", curvature=2.0).fit(X, y)
        np.testing.assert_allclose(answers(ours, X), answers(theirs, X), rtol=1e-7, atol=1e-9)
        if cls is NearestFrechetMeanClassifier:
            np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-12)
            np.testing.assert_allclose(ours.transform(X), theirs.transform(X), rtol=1e-9)


def test_one_flat_factor_is_scikit_learn():
    X, y = two_clouds(ProductSpace("E3"), 60)
    ours = GeodesicKNeighborsClassifier(space="E3").fit(X, y)
    theirs = KNeighborsClassifier().fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    np.testing.assert_allclose(ours.kneighbors(X)[0], theirs.kneighbors(X)[0], rtol=1e-12)
    ours = WrappedNormalClassifier(space="E3", reg_param=0.0).fit(X, y)
    theirs = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, y)
    logs = []
    for k in range(2):
        np.testing.assert_allclose(ours.means_[k][0], theirs.means_[k])
        # The likelihood divides by n; scikit-learn does from 1.8 on.
        np.testing.assert_allclose(ours.covariances_[k][0], np.cov(X[y == k].T, bias=True))
        ratio = ours.covariances_[k][0] / theirs.covariance_[k]
        assert np.isclose(ratio, 1).all() or np.isclose(ratio, 29 / 30).all()
        logs.append(multivariate_normal(ours.means_[k][0], ours.covariances_[k][0]).logpdf(X))
    np.testing.assert_allclose(ours.decision_function(X), logs[1] - logs[0], rtol=1e-9)
    # Splitting a flat factor changes nothing.
    split = clone(ours).set_params(space="E1 E2").fit(X, y)
    np.testing.assert_allclose(split.decision_function(X), ours.decision_function(X))


def test_density_on_the_sphere_sums_to_one():
    space = ProductSpace("S2", curvatures=[4.0])
    normal = ProductNormal(space, space.origin, np.array([[0.05, 0.02], [0.02, 0.03]]))

    def density(angle, turn):
        x = 0.5 * np.array([np.cos(angle), *(np.sin(angle) * np.r_[np.cos(turn), np.sin(turn)])])
        return np.exp(normal.log_density(x[None]))[0] * np.sin(angle) / 4

    total, _ = dblquad(density, 0, 2 * np.pi, 0, np.pi, epsabs=1e-5)
    assert total == pytest.approx(1, abs=1e-4)


def test_density_of_a_product_is_the_product_without_covariances_between():
    space = ProductSpace("H2 S2 E1", curvatures=[-0.5, 2.0, 0])
    X = space.random_wrapped_normal(20, covariances=0.2, random_state=0)
    mean, parts = X[0], [0.3 * np.eye(2), np.diag([0.2, 0.1]), np.eye(1)]
    total, first = 0, 0
    whole = np.zeros((5, 5))
    for factor, part in zip(space.factors, parts, strict=True):
        one = ProductSpace(f"{factor.kind}{factor.dimension}", curvatures=[factor.curvature])
        columns = factor.columns
        total = total + ProductNormal(one, mean[columns], part).log_density(X[:, columns])
        whole[first : first + len(part), first : first + len(part)] = part
        first += len(part)
    np.testing.assert_allclose(ProductNormal(space, mean, whole).log_density(X), total)


@pytest.mark.filterwarnings("always:.*the rows of factor S. do not lie in an open half:UserWarning")
@each_of(
    "model",
    [
        WrappedNormalClassifier(space="H2 S2 S1"),
        WrappedNormalClassifier(space="H2 S2 S1", n_components=2, random_state=0),
        NearestFrechetMeanClassifier(space="H2 S2 S1"),
    ],
)
def test_rows_beyond_a_half_sphere_are_one_warning_a_fit_and_factor(model):
    X = ProductSpace("H2 S2 S1").random_wrapped_normal(99, covariances=3.0, random_state=0)
    for _ in range(2):
        with pytest.warns(UserWarning, match="open half of the sphere") as caught:
            model.fit(X, np.arange(99) % 3)
        said = sorted(str(w.message).split(" do not")[0] for w in caught)
        name = type(model).__name__
        assert said == [f"{name}: the rows of factor {factor}" for factor in ("S1", "S2")]


@pytest.mark.filterwarnings("ignore:.*the rows of factor S. do not lie in an open half:UserWarning")
@each_of("space", SPACES)
def test_isometries_order_labels_and_weights(space):
    X, y = two_clouds(space)
    moved = space.random_isometry(0.1, random_state=7).transform(X)
    order = np.random.default_rng(0).permutation(len(X))
    weights = np.arange(len(X)) % 3
    for cls in MODELS:
        model = cls(space=space).fit(X, y)
        expected = answers(model, X)
        np.testing.assert_allclose(answers(clone(model).fit(moved, y), moved), expected, atol=1e-8)
        np.testing.assert_allclose(answers(clone(model).fit(X[order], y[order]), X), expected)
        swapped = answers(clone(model).fit(X, 1 - y), X)
        swapped = swapped[:, ::-1] if swapped.ndim > 1 else 1 - swapped
        np.testing.assert_allclose(swapped, expected, atol=1e-12)
        if cls in ALL[1:]:
            twice = np.repeat(X, weights, axis=0), np.repeat(y, weights)
            np.testing.assert_allclose(
                answers(clone(model).fit(X, y, weights), X),
                answers(clone(model).fit(*twice), X),
                atol=1e-9,
            )
        assert (model.predict(X) == y).mean() > 0.8 or cls is GeodesicKNeighborsRegressor


def test_means_are_those_of_the_space_in_its_charts():
    space = SPACES[2]
    X, y = two_clouds(space)
    model = NearestFrechetMeanClassifier(space=space).fit(X, y)
    means = [space.frechet_mean(X[y == k]) for k in range(2)]
    np.testing.assert_allclose(model.means_, means, atol=1e-12)
    np.testing.assert_allclose(
        model.transform(X), space.pairwise_distances(X, np.array(means)), atol=1e-12
    )
    assert model.space_ == space


def test_mixtures_find_classes_in_pieces():
    space = ProductSpace("H1 S1")
    angles = np.random.default_rng(0).normal(scale=0.15, size=80) + np.arange(80) % 4 * np.pi / 2
    X = np.column_stack([np.ones(80), np.zeros(80), np.cos(angles), np.sin(angles)])
    X[:, 1] = np.random.default_rng(1).normal(scale=0.1, size=80)
    X[:, 0] = np.hypot(1, X[:, 1])
    y = np.arange(80) % 2
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # means are not unique
        model = WrappedNormalClassifier(space=space, n_components=2, random_state=0).fit(X, y)
        one = WrappedNormalClassifier(space=space).fit(X, y)
    assert model.score(X, y) == 1
    assert one.score(X, y) < 0.9
    assert [len(means) for means in model.means_] == [2, 2]


def test_a_row_opposite_to_a_mean_has_a_finite_density():
    X = np.array([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 0.9, 0.1], [1.0, -0.9, 0.1]])
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    model = WrappedNormalClassifier(space="S2").fit(X, [0, 0, 1, 1])
    opposite = -model.means_[0]
    assert np.isfinite(model.decision_function(opposite)).all()
    for curvature in np.linspace(0.1, 5.0, 50):  # sqrt(K) * (pi / sqrt(K)) is above pi for some
        space = ProductSpace("S2", curvatures=[curvature])
        mean = space.exp_map(space.origin, [0.0, 0.3, 0.2])
        density = ProductNormal(space, mean, np.eye(2)).log_density(-mean[None])
        assert np.isfinite(density).all(), curvature


@each_of("model", [cls(space="H2 S2 E1") for cls in MODELS])
def test_a_chart_or_curvature_beside_a_space_is_refused(model):
    X, y = two_clouds(SPACES[0])
    for extra in ({"chart": "poincare"}, {"curvature": 2.0}):
        with pytest.raises(InputError, match=r"space is 'H2 S2 E1'.*leave them out") as caught:
            clone(model).set_params(**extra).fit(X, y)
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=r"7 coordinates|8 coordinates"):
        clone(model).fit(np.column_stack([X, X[:, 0]]), y)
    X[3, 6] = np.nan
    with pytest.raises(InputError, match="row 3, column 6 is NaN"):
        model.fit(X, y)
    with pytest.raises(InputError, match="factor S2: row 0 is not on the sphere"):
        clone(model).set_params(space="S2 H2 E1").fit(np.nan_to_num(X), y)
