"""Loaders, generators, and the checks they share."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pytest
from cases import each_of
from scipy.integrate import quad
from scipy.stats import chi2, kstest

from noneuclid.errors import InputError, require_number
from noneuclid.geometry import charts, lorentz, poincare
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.data.generators import hyperbolic_gaussians, uniform_ball
from noneuclid_compare.data.shipped import digits, karate, krumsiek11, pbmc68k_reduced
from noneuclid_compare.records import KINDS, Dataset

SHIPPED = {
    krumsiek11: {"Ery": 80, "Mk": 80, "Mo": 80, "Neu": 80, "progenitor": 320},
    pbmc68k_reduced: {
        "CD14+ Monocyte": 129,
        "CD19+ B": 95,
        "CD34+": 13,
        "CD4+/CD25 T Reg": 68,
        "CD4+/CD45RA+/CD25- Naive T": 8,
        "CD4+/CD45RO+ Memory": 19,
        "CD56+ NK": 31,
        "CD8+ Cytotoxic T": 54,
        "CD8+/CD45RA+ Naive Cytotoxic": 43,
        "Dendritic": 240,
    },
    karate: {"Mr. Hi": 17, "Officer": 17},
    digits: dict(
        zip("0123456789", (178, 182, 177, 183, 181, 182, 181, 179, 174, 180), strict=True)
    ),
}
POINTS = Dataset(
    "toy",
    "points",
    np.array([0, 0, 1]),
    ("a", "b"),
    features=np.array([[0.0, 0.1], [0.2, 0.0], [0.0, -0.3]]),
    chart="poincare",
)
GRAPH = Dataset("net", "graph", np.array([0, 0, 1]), ("a", "b"), edges=np.array([[0, 1], [1, 2]]))


@pytest.mark.parametrize("module", SHIPPED, ids=lambda m: m.__name__.rsplit(".", 1)[1])
def test_shipped_classes_and_facts(module):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        data = module.load({}, 0)
    counts = np.bincount(data.labels).tolist()
    assert dict(zip(data.class_names, counts, strict=True)) == SHIPPED[module]
    assert data.kind in KINDS
    assert {"citation", "licence", "source", "oddities"} <= data.about.keys()


def test_karate_is_the_published_graph():
    data = karate.load({}, 0)
    assert len(data.edges) == 78
    assert data.weights is None
    # Mr. Hi and the officer are the two nodes of highest degree.
    degree = np.bincount(data.edges.ravel())
    assert degree[0] == 16
    assert degree[33] == 17
    assert data.class_names[data.labels[0]] == "Mr. Hi"
    assert data.class_names[data.labels[33]] == "Officer"


@pytest.mark.parametrize(
    ("labels", "codes", "names"),
    [
        (["T", "B", "T"], [1, 0, 1], ("B", "T")),
        (np.array([0, 1, 1], dtype=np.uint8), [0, 1, 1], ("0", "1")),
        ([10, 9, 10], [1, 0, 1], ("9", "10")),
        ([True, False], [1, 0], ("False", "True")),
        (np.array([2.0, 1.0]), [1, 0], ("1", "2")),
    ],
)
def test_encode_accepts(labels, codes, names):
    found, found_names = encode(labels)
    assert found.dtype == np.int64
    assert found.tolist() == codes
    assert found_names == names


@each_of(
    ("labels", "message"),
    [
        (["a", None], r"row 1 has no label \(None\)"),
        (["a", float("nan")], r"row 1 has no label \(nan\)"),
        (np.array([1.0, np.nan]), r"row 1 has no label \(nan\)"),
        (["a", ""], "row 1 has no label"),
        ([0.25, 1.0], "row 0 is 0.25, a continuous value; give classes"),
        (["a", 1], "mix types: row 0 is 'a', row 1 is 1"),
        ([[1, 2]], r"shape \(1, 2\)"),
        ([], "empty"),
    ],
)
def test_encode_refuses(labels, message):
    with pytest.raises(InputError, match=message):
        encode(labels)


@each_of(
    ("change", "message"),
    [
        ({"kind": "table"}, "kind 'table' is unknown"),
        ({"features": np.array([[0, 0], [0, np.inf], [0, 0]])}, "row 1, column 1 are inf"),
        ({"features": np.array([[np.nan, 0], [0, 0], [0, 0]])}, "row 0, column 0 are nan"),
        ({"features": np.zeros((2, 2))}, "2 rows of features but 3 labels"),
        ({"features": np.zeros(3)}, "give a matrix"),
        ({"features": None}, "needs features"),
        ({"labels": np.array([1, 1, 1])}, r"one class only \('b'\)"),
        ({"labels": np.array([0, 1, 2])}, "row 2 has code 2; codes run from 0 to 1"),
        ({"labels": np.array([0.5, 1, 0])}, "integer codes"),
        ({"fixed_fold": np.array([0, 1])}, "fixed_fold must hold 3 values"),
        ({"fixed_fold": np.array([0, 1, 2])}, "fixed_fold must hold 3 values"),
    ],
)
def test_checked_refuses_points(change, message):
    with pytest.raises(InputError, match=message):
        checked(replace(POINTS, **change))


@each_of(
    ("change", "message"),
    [
        ({"edges": None}, "needs edges"),
        ({"edges": np.array([[0, 3]])}, r"edge 0 is \[0, 3\]; rows run from 0 to 2"),
        ({"edges": np.array([[0, 1], [2, 2]])}, "edge 1 joins row 2 to itself"),
        ({"edges": np.array([[0, 1], [1, 0]])}, "given twice"),
        ({"weights": np.array([1.0])}, "1 weights for 2 edges"),
        ({"weights": np.array([1.0, 0.0])}, "edge 1 has length 0.0"),
        ({"weights": np.array([np.nan, 1.0])}, "edge 0 has length nan"),
    ],
)
def test_checked_refuses_graphs(change, message):
    with pytest.raises(InputError, match=message):
        checked(replace(GRAPH, **change))


def test_checked_passes_and_casts():
    data = checked(replace(POINTS, labels=np.array([0, 1, 1], dtype=np.uint8)))
    assert data.labels.dtype == np.int64
    assert (2 * data.labels - 1).tolist() == [-1, 1, 1]
    assert checked(GRAPH).edges.tolist() == GRAPH.edges.tolist()


@each_of("value", [1, 2.5, "3", True, float("nan"), None])
def test_require_number_refuses(value):
    with pytest.raises(InputError, match=r"split: folds = .*; give an integer >= 2"):
        require_number(value, "folds", "split", low=2, integer=True)


@each_of("dimension", [1, 2, 5])
@each_of("variance", [0.5, 2.0])
def test_gaussian_radii_follow_the_law(dimension, variance):
    def density(r):
        return np.sinh(r) ** (dimension - 1) * np.exp(-(r**2) / (2 * variance))

    # The density is below 1e-20 of its mode beyond the limit.
    limit = (dimension - 1) * variance + 12 * np.sqrt(variance)
    total = quad(density, 0, limit, limit=200)[0]
    grid = np.linspace(0, limit, 200)
    parts = [quad(density, a, b)[0] for a, b in itertools.pairwise(grid)]
    cumulative = np.concatenate([[0], np.cumsum(parts)]) / total
    sample = hyperbolic_gaussians.radii(20_000, dimension, variance, np.random.default_rng(3))
    assert kstest(sample, lambda r: np.interp(r, grid, cumulative)).pvalue > 1e-3


def test_gaussian_around_a_centre_is_isotropic():
    centre = lorentz.from_spatial(np.array([2.0, -1.0]))
    rng = np.random.default_rng(5)
    points = hyperbolic_gaussians.draw(20_000, 2, 1.0, rng, centre)
    assert np.allclose(lorentz.product(points, points), -1.0, atol=1e-8)
    radius = lorentz.distance(points, centre)
    expected = hyperbolic_gaussians.radii(20_000, 2, 1.0, np.random.default_rng(6))
    assert kstest(radius, expected).pvalue > 1e-3
    # Brought back to the origin, the angles are uniform.
    back = points @ np.linalg.inv(lorentz.boost(centre)).T
    angle = np.arctan2(back[:, 2], back[:, 1])
    assert kstest(angle, "uniform", args=(-np.pi, 2 * np.pi)).pvalue > 1e-3


def test_gaussians_settings_and_seed():
    data = hyperbolic_gaussians.load({}, 1, n_classes=3, n_samples_per_class=7, n_features=4)
    assert data.features.shape == (21, 5)
    assert np.bincount(data.labels).tolist() == [7, 7, 7]
    charts.check_points(data.features, data.chart)
    again = hyperbolic_gaussians.load({}, 1, n_classes=3, n_samples_per_class=7, n_features=4)
    other = hyperbolic_gaussians.load({}, 2, n_classes=3, n_samples_per_class=7, n_features=4)
    assert np.array_equal(data.features, again.features)
    assert not np.allclose(data.features, other.features)


def test_gaussians_refuse_bad_settings():
    with pytest.raises(InputError, match="classes = 1; give an integer >= 2"):
        hyperbolic_gaussians.load({}, 0, n_classes=1)
    with pytest.raises(InputError, match="variance = -1"):
        hyperbolic_gaussians.load({}, 0, variance=-1)


@pytest.mark.parametrize("dimension", [1, 2, 6])
def test_uniform_ball_is_separated_by_its_truth(dimension):
    margin = 0.3
    data = uniform_ball.load(
        {}, 0, n_samples=4000, n_features=dimension, margin=margin, reference_fraction=0.2
    )
    assert data.features.shape == (4000, dimension)
    assert np.linalg.norm(data.features, axis=1).max() <= 0.95
    (reference,), normal = (np.array(data.about[key]) for key in ("reference_points", "normal"))
    assert np.isclose(np.linalg.norm(reference), 0.2 * 0.95)
    assert np.isclose(np.linalg.norm(normal), 1.0)
    signed = poincare.hyperplane_distance(data.features, reference, normal)
    assert np.array_equal(signed > 0, data.labels == 1)
    assert np.abs(signed).min() > margin


@pytest.mark.parametrize("dimension", [2, 5])
def test_uniform_ball_is_uniform_without_margin(dimension):
    data = uniform_ball.load({}, 4, n_samples=10_000, n_features=dimension, margin=1e-12)
    radius = np.linalg.norm(data.features, axis=1) / 0.95
    assert kstest(radius**dimension, "uniform").pvalue > 1e-3
    direction = data.features / np.linalg.norm(data.features, axis=1, keepdims=True)
    resultant = dimension * len(direction) * np.sum(direction.mean(axis=0) ** 2)
    assert chi2.sf(resultant, dimension) > 1e-3


def test_uniform_ball_refuses_impossible_margin():
    with pytest.raises(InputError, match="no point lies outside the margin 50"):
        uniform_ball.load({}, 0, n_samples=20, margin=50.0)
    with pytest.raises(InputError, match=r"radius = 1\.0"):
        uniform_ball.load({}, 0, radius=1.0)


def test_integers_beyond_64_bits_stay_apart():
    codes, names = encode([2**70, 2**70 + 1, -1, 2**63])
    assert codes.tolist() == [2, 3, 0, 1]
    assert names == ("-1", str(2**63), str(2**70), str(2**70 + 1))
