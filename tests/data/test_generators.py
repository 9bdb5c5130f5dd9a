"""Generators: the laws they draw from, what they promise of their data, bad settings."""

import json

import numpy as np
import pytest
from cases import each_of
from scipy.stats import beta, chi2, chisquare, kstest

from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz, tangent
from noneuclid.geometry.sampling import draw_wrapped_normal
from noneuclid_compare.config.signatures import parameters_of
from noneuclid_compare.data.generators import (
    box_mixture,
    hyperbolic_gaussians,
    lifted_gaussians,
    popularity_similarity,
    random_tree,
    simplex_mixture,
    wrapped_normal_mixture,
)

SMALL = {
    wrapped_normal_mixture: {"n_samples": 600, "n_classes": 3},
    lifted_gaussians: {"n_samples_per_class": 10},
    random_tree: {"n_nodes": 60, "low": 0.05, "high": 0.5},
    popularity_similarity: {"n_nodes": 60, "low": 5, "high": 30},
    simplex_mixture: {"n_samples_per_class": 10},
    box_mixture: {"n_samples_per_class": 10},
}
# Seeds are fixed: at this level hardly any of the tests below was born to fail by chance.
LEVEL = 1e-3


def name_of(module):
    return module.__name__.rsplit(".", 1)[1]


@each_of("module", SMALL, ids=name_of)
def test_same_seed_same_data(module):
    first, again, other = (module.load({}, seed, **SMALL[module]) for seed in (7, 7, 8))
    key = "features" if first.edges is None else "edges"
    assert np.array_equal(getattr(first, key), getattr(again, key))
    assert np.array_equal(first.labels, again.labels)
    assert not np.array_equal(getattr(first, key), getattr(other, key))


@each_of("module", SMALL, ids=name_of)
def test_about_is_complete(module):
    data = module.load({}, 3, **SMALL[module])
    assert data.name == name_of(module)
    assert {"citation", "licence", "source", "oddities"} <= data.about.keys()
    about = json.loads(json.dumps(data.about))
    assert about["seed"] == 3
    assert about["settings"].keys() == set(parameters_of(name_of(module), "load"))
    assert about["settings"].items() >= SMALL[module].items()


@each_of(
    ("module", "settings", "message"),
    [
        (wrapped_normal_mixture, {"n_samples": -5}, "n_samples = -5; give an integer >= 2"),
        (wrapped_normal_mixture, {"n_classes": 1}, "n_classes = 1; give an integer >= 2"),
        (wrapped_normal_mixture, {"n_features": 0}, "n_features = 0"),
        (wrapped_normal_mixture, {"n_features": 2.5}, "n_features = 2.5; give an integer"),
        (wrapped_normal_mixture, {"curvature": 0}, "curvature = 0"),
        (wrapped_normal_mixture, {"curvature": -1.0}, "curvature = -1.0"),
        (wrapped_normal_mixture, {"spread": 0.0}, "spread = 0.0"),
        (wrapped_normal_mixture, {"spread": 1e7}, "too far out for float64; lower spread"),
        (wrapped_normal_mixture, {"n_samples": 4, "n_classes": 6}, "got none of 4 points"),
        (lifted_gaussians, {"n_classes": 1}, "n_classes = 1"),
        (lifted_gaussians, {"n_samples_per_class": 0}, "n_samples_per_class = 0"),
        (lifted_gaussians, {"n_features": -2}, "n_features = -2"),
        (lifted_gaussians, {"scale": 0}, "scale = 0"),
        (lifted_gaussians, {"scale": float("nan")}, "scale = nan"),
        (
            lifted_gaussians,
            {"n_features": 3000, "scale": 10.0},
            "beyond the 350 that float64 holds",
        ),
        (random_tree, {"n_nodes": 1}, "n_nodes = 1"),
        (random_tree, {"low": -0.1}, "low = -0.1"),
        (random_tree, {"low": 0.2, "high": 0.1}, r"high = 0.1; give a number in \[0.2, 1.0\]"),
        (
            random_tree,
            {"n_nodes": 20, "low": 0.96, "high": 0.99},
            "no subtree holds a share of 0.96",
        ),
        (popularity_similarity, {"n_nodes": 2}, "n_nodes = 2"),
        (popularity_similarity, {"average_degree": 0}, "average_degree = 0"),
        (popularity_similarity, {"average_degree": 5}, "average_degree = 5; give an even number"),
        (popularity_similarity, {"exponent": 1.9}, "exponent = 1.9"),
        (popularity_similarity, {"temperature": -0.1}, "temperature = -0.1"),
        (popularity_similarity, {"temperature": 1.0}, "temperature = 1.0"),
        (popularity_similarity, {"kind": "tree"}, "kind = 'tree'; give 'graph' or 'points'"),
        (popularity_similarity, {"label": -1}, "label = -1"),
        (popularity_similarity, {"low": 0}, "low = 0"),
        (popularity_similarity, {"high": 10}, r"high = 10; give an integer in \[20, 499\]"),
        (popularity_similarity, {"high": 500}, "high = 500"),
        (popularity_similarity, {"probability": 1.5}, "probability = 1.5"),
        (simplex_mixture, {"n_features": 1}, "n_features = 1"),
        (simplex_mixture, {"n_features": 2}, "an edge is the centre; give places"),
        (simplex_mixture, {"n_samples_per_class": 0}, "n_samples_per_class = 0"),
        (simplex_mixture, {"concentration": 0}, "concentration = 0"),
        (simplex_mixture, {"floor": 0.0}, "floor = 0.0"),
        (simplex_mixture, {"places": [[0]]}, "two or more classes"),
        (simplex_mixture, {"places": [[0], [3]]}, r"place \[3\]; give .* from 0 to 2"),
        (simplex_mixture, {"places": [[0], [1, 1]]}, r"place \[1, 1\]; give a list of different"),
        (simplex_mixture, {"places": [[0], []]}, r"place \[\]"),
        (simplex_mixture, {"places": [[0, 1], [1, 0]]}, "two classes have the same place"),
        (box_mixture, {"n_features": 0}, "n_features = 0"),
        (box_mixture, {"n_samples_per_class": -1}, "n_samples_per_class = -1"),
        (box_mixture, {"concentration": -1}, "concentration = -1"),
        (box_mixture, {"floor": 0}, "floor = 0"),
        (box_mixture, {"low": 2.0}, "high = 1.0; give a number >= 2.0"),
        (box_mixture, {"low": 1.0}, "low equals high"),
        (box_mixture, {"low": 1e17, "high": 1e17 + 64}, "rounded to the boundary"),
        (box_mixture, {"places": [[0, 0]]}, "two or more classes"),
        (box_mixture, {"places": [[0, 0], [0, 2]]}, r"place \[0, 2\]; give 2 coordinates"),
        (box_mixture, {"places": [[0, 0], [1]]}, r"place \[1\]; give 2 coordinates"),
        (box_mixture, {"places": [[0, 1], [0.0, 1.0]]}, "two classes have the same place"),
        (hyperbolic_gaussians, {"law": "cauchy"}, "law = 'cauchy'; give 'volume' or 'wrapped'"),
        (hyperbolic_gaussians, {"n_features": 12, "variance": 90.0}, "too far out for float64"),
    ],
)
def test_bad_settings_are_refused(module, settings, message):
    with pytest.raises(InputError, match=message) as caught:
        module.load({}, 0, **settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("dimension", "curvature"), [(1, 1.0), (2, 0.25), (5, 4.0)])
def test_wrapped_normals_have_their_covariance(dimension, curvature):
    settings = {"n_samples": 20_000, "n_features": dimension, "curvature": curvature, "spread": 0.5}
    data = wrapped_normal_mixture.load({}, 0, **settings)
    assert data.curvature == curvature
    charts.check_points(data.features, "hyperboloid", curvature)
    for k in range(2):
        mean, covariance = (np.array(data.about[key][k]) for key in ("means", "covariances"))
        rows = data.features[data.labels == k]
        # Where parallel transport came from: log at the mean, in the frame of the origin.
        vectors = tangent.flatten(rows, mean, curvature)
        whitened = vectors @ np.linalg.inv(np.linalg.cholesky(covariance)).T
        for column in whitened.T:
            assert kstest(column, "norm").pvalue > LEVEL
        assert kstest((whitened**2).sum(axis=1), chi2(dimension).cdf).pvalue > LEVEL
        size = np.sqrt(np.outer(covariance.diagonal(), covariance.diagonal()))
        error = 6 / np.sqrt(len(rows))
        assert np.abs((np.cov(vectors.T) - covariance) / size).max() < error
    counts = np.bincount(data.labels)
    assert chisquare(counts, np.array(data.about["weights"]) * 20_000).pvalue > LEVEL


def test_wrapped_normal_parameters_follow_their_laws():
    dimension, spread, curvature = 3, 0.7, 2.0
    settings = {
        "n_samples": 2000,
        "n_features": dimension,
        "spread": spread,
        "curvature": curvature,
    }
    means, traces, smaller = [], [], []
    for seed in range(80):
        about = wrapped_normal_mixture.load({}, seed, **settings).about
        means.append(charts.convert(about["means"], "hyperboloid", "tangent", curvature))
        traces += np.trace(about["covariances"], axis1=1, axis2=2).tolist()
        smaller.append(min(about["weights"]))
    assert kstest(np.ravel(means), "norm").pvalue > LEVEL
    # The trace of a C C^T / d is a / d times a sum of d^2 squares of standard normals.
    assert kstest(np.array(traces) * dimension / spread, chi2(dimension**2).cdf).pvalue > LEVEL
    # min(u, v) / (u + v) lies below x with probability x / (1 - x).
    assert kstest(smaller, lambda x: x / (1 - x)).pvalue > LEVEL


def test_wrapped_normal_is_transported_along_the_geodesic():
    mean = lorentz.from_spatial(np.array([1.0, -2.0]))
    points = draw_wrapped_normal(50, mean, 0.3 * np.eye(2), np.random.default_rng(1))
    vectors = 0.3 * np.random.default_rng(1).standard_normal((50, 2))
    at_origin = np.column_stack([np.zeros(50), vectors])
    carried = tangent.transport(lorentz.origin(2), mean, at_origin)
    assert np.allclose(points, lorentz.exp(mean, carried), rtol=1e-12)


def test_lifted_gaussians_follow_their_law():
    settings = {"n_classes": 3, "n_samples_per_class": 5000, "n_features": 4, "scale": 0.8}
    data = lifted_gaussians.load({}, 2, **settings)
    centres = np.array(data.about["centres"])
    vectors = charts.convert(data.features, "hyperboloid", "tangent")
    noise = (vectors - centres[data.labels]) / 0.8
    for column in noise.T:
        assert kstest(column, "norm").pvalue > LEVEL
    assert np.allclose(np.corrcoef(noise.T), np.eye(4), atol=0.05)
    assert np.bincount(data.labels).tolist() == [5000] * 3
    drawn = [
        lifted_gaussians.load({}, seed, n_samples_per_class=1).about["centres"]
        for seed in range(99)
    ]
    assert kstest(np.ravel(drawn), "norm").pvalue > LEVEL


@pytest.mark.parametrize("places", [None, [[3], [0, 2], [1, 2, 3]]])
def test_simplex_rows_follow_dirichlet_laws(places):
    settings = {
        "n_features": 4,
        "n_samples_per_class": 4000,
        "places": places,
        "concentration": 8,
        "floor": 0.5,
    }
    data = simplex_mixture.load({}, 0, **settings)
    assert data.kind == "composition"
    assert data.about["domain"] == {"polytope": "simplex", "parts": 4}
    assert (data.features > 0).all()
    assert np.allclose(data.features.sum(axis=1), 1.0, atol=1e-14)
    places = places or [[0], [1, 2], [0, 1, 2, 3]]
    assert data.class_names == tuple("+".join(map(str, place)) for place in places)
    for k, place in enumerate(places):
        rows = data.features[data.labels == k]
        alpha = np.array([0.5 + 8 / len(place) * (j in place) for j in range(4)])
        total = alpha.sum()
        for j in range(4):
            assert kstest(rows[:, j], beta(alpha[j], total - alpha[j]).cdf).pvalue > LEVEL
        share = alpha / total
        expected = (np.diag(share) - np.outer(share, share)) / (total + 1)
        assert np.allclose(np.cov(rows.T), expected, atol=0.1 * expected.max())


def test_extreme_simplex_rows_stay_inside():
    data = simplex_mixture.load({}, 0, n_features=50, n_samples_per_class=2000, floor=0.1)
    assert (data.features > 0).all()
    assert np.allclose(data.features.sum(axis=1), 1.0, atol=1e-14)


def test_box_rows_follow_beta_laws():
    places = [[0, 1, 0.5], [0.25, 0.25, 1]]
    settings = {
        "n_features": 3,
        "n_samples_per_class": 4000,
        "places": places,
        "low": -2,
        "high": 4,
    }
    data = box_mixture.load({}, 1, **settings)
    assert data.kind == "composition"
    assert data.class_names == ("(0, 1, 0.5)", "(0.25, 0.25, 1)")
    assert data.about["domain"] == {"polytope": "box", "low": [-2.0] * 3, "high": [4.0] * 3}
    assert ((data.features > -2) & (data.features < 4)).all()
    for k, place in enumerate(places):
        rows = (data.features[data.labels == k] + 2) / 6
        for column, c in zip(rows.T, place, strict=True):
            assert kstest(column, beta(1 + 20 * c, 1 + 20 * (1 - c)).cdf).pvalue > LEVEL
        assert np.allclose(np.corrcoef(rows.T), np.eye(3), atol=0.06)


def test_box_of_one_dimension():
    data = box_mixture.load({}, 0, n_features=1, n_samples_per_class=5)
    assert data.class_names == ("(0)", "(1)", "(0.5)")
    assert data.features.shape == (15, 1)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_wrapped_law_of_hyperbolic_gaussians(dimension):
    centre = lorentz.from_spatial(np.full(dimension, 0.7))
    rng = np.random.default_rng(8)
    points = hyperbolic_gaussians.draw(20_000, dimension, 0.6, rng, centre, "wrapped")
    for column in tangent.flatten(points, centre).T:
        assert kstest(column / np.sqrt(0.6), "norm").pvalue > LEVEL


def test_law_of_hyperbolic_gaussians_is_read():
    settings = {"n_samples_per_class": 4000, "n_classes": 2}
    squares = {}
    for law in ("volume", "wrapped"):
        data = hyperbolic_gaussians.load({}, 1, **settings, law=law)
        centres = np.array(data.about["centres"])
        squares[law] = np.mean(lorentz.distance(data.features, centres[data.labels]) ** 2)
    assert squares["wrapped"] == pytest.approx(2.0, rel=0.05)
    # 2 + 2 phi(1) / (2 Phi(1) - 1): the second moment of sinh(r) exp(-r^2 / 2)
    assert squares["volume"] == pytest.approx(2.7089, rel=0.05)


def test_large_variances_do_not_overflow_the_radii():
    sample = hyperbolic_gaussians.radii(500, 12, 90.0, np.random.default_rng(0))
    # Far out sinh(r)^11 is exp(11 r) / 2^11, which leaves N(11 * 90, 90).
    assert sample.mean() == pytest.approx(990, abs=4 * np.sqrt(90 / 500))
