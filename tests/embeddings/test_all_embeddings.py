"""Embeddings: shapes, known answers, errors, and the distances they start from."""

import json

import numpy as np
import pytest
from cases import each_of
from scipy.spatial.distance import cdist

from noneuclid import Hydra, LiftedPCA
from noneuclid.embeddings import distortion as distortion_module
from noneuclid.embeddings.distortion import distortion, distortion_of_features, sample_rows
from noneuclid.embeddings.strain import best_diameter
from noneuclid.embeddings.strain import hydra as embed_distances
from noneuclid.embeddings.target_distances import feature_distances, graph_distances
from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz
from noneuclid_compare.data.generators import hyperbolic_gaussians
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed import given
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset


def cloud(n=60, p=5, seed=0):
    """Two Gaussian clouds of features."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    features = rng.normal(size=(n, p)) + 3.0 * labels[:, None]
    return Dataset("cloud", "expression", labels, ("a", "b"), features=features)


def binary_tree(depth):
    """Edges of a full binary tree."""
    n = 2 ** (depth + 1) - 1
    return np.array([[(child - 1) // 2, child] for child in range(1, n)]), n


@each_of("embedding", [LiftedPCA, Hydra])
@each_of("dimension", [1, 2, 4])
def test_contract(embedding, dimension):
    data = cloud()
    embedded = embed(embedding, data, 0, n_components=dimension)
    charts.check_points(embedded.points, embedded.chart)
    assert embedded.points.shape == (60, dimension + (embedded.chart == "hyperboloid"))
    assert embedded.labels is data.labels
    about = embedded.about["embedding"]
    assert about["transductive"] is True
    assert about["settings"]["n_components"] == dimension
    assert json.loads(json.dumps(about, allow_nan=False)) == about
    again = embed(embedding, data, 0, n_components=dimension)
    assert np.array_equal(embedded.points, again.points)


def test_given_passes_points_on():
    data = hyperbolic_gaussians.load({}, 0, n_samples_per_class=5)
    embedded = given.embed(data, 0)
    assert np.array_equal(embedded.points, data.features)
    assert embedded.chart == "hyperboloid"
    assert embedded.about["embedding"]["transductive"] is False


def test_given_checks_the_chart():
    points = np.array([[0.1, 0.2], [3.0, 0.0]])
    data = Dataset("d", "points", np.array([0, 1]), ("a", "b"), features=points, chart="poincare")
    with pytest.raises(InputError, match="row 1"):
        given.embed(data, 0)


def test_kinds_are_refused_with_a_cure():
    with pytest.raises(InputError, match="'graph' and no coordinates; use hydra"):
        given.embed(karate.load({}, 0), 0)
    with pytest.raises(InputError, match="'graph'; use given or hydra"):
        embed(LiftedPCA, karate.load({}, 0), 0)
    with pytest.raises(InputError, match="'points', its points are embedded; use given"):
        embed(Hydra, hyperbolic_gaussians.load({}, 0), 0)


@each_of(
    ("embedding", "settings", "message"),
    [
        (LiftedPCA, {"n_components": 0}, "n_components = 0"),
        (LiftedPCA, {"n_components": 6}, "dimension 6 needs .* there are 60 rows and 5 feature"),
        (LiftedPCA, {"radius": -1.0}, "radius = -1.0"),
        (LiftedPCA, {"quantile": 1.5}, "quantile = 1.5"),
        (Hydra, {"n_components": 60}, r"n_components = 60; give an integer in \[1, 59\]"),
        (Hydra, {"diameter": 30.0}, "diameter = 30.0"),
        (Hydra, {"curvature": 1e9}, "makes the diameter"),
        (Hydra, {"curvature": "best"}, "curvature = 'best'"),
        (Hydra, {"curvature": 1.0, "diameter": 3.0}, "give one of them"),
        (Hydra, {"n_neighbors": 60}, "60 different rows are too few for 60 neighbours"),
        (Hydra, {"n_components": 3, "equiangular": 0.5}, "equiangular needs dimension 2"),
    ],
)
def test_settings_out_of_range(embedding, settings, message):
    with pytest.raises(InputError, match=message):
        embed(embedding, cloud(), 0, **settings)


def test_lifted_pca_against_svd():
    data = cloud()
    points = embed(LiftedPCA, data, 0, radius=2.0, quantile=0.5).points
    centred = data.features - data.features.mean(axis=0)
    scores = centred @ np.linalg.svd(centred)[2][:2].T
    scores *= 2.0 / np.median(np.linalg.norm(scores, axis=1))
    assert np.allclose(np.abs(points), np.abs(scores))
    assert np.isclose(np.median(np.linalg.norm(points, axis=1)), 2.0)


def test_lifted_pca_standardise_ignores_units_and_constants():
    data = cloud()
    units = np.array([1.0, 100.0, 1e-3, 7.0, 1.0])
    features = np.column_stack([data.features * units, np.full(60, 4.0)])
    other = Dataset("c", "expression", data.labels, ("a", "b"), features=features)
    a = embed(LiftedPCA, data, 0, standardize=True).points
    b = embed(LiftedPCA, other, 0, standardize=True).points
    assert np.allclose(np.abs(a), np.abs(b))


def test_lifted_pca_refuses_constant_features():
    data = Dataset("c", "images", np.array([0, 1]), ("a", "b"), features=np.ones((2, 3)))
    with pytest.raises(InputError, match="all rows of the features are equal"):
        embed(LiftedPCA, data, 0)


@pytest.mark.parametrize("settings", [{}, {"equiangular": 0.5}, {"isotropic": True}])
def test_hydra_keeps_radii_under_adjustments(settings):
    data = karate.load({}, 0)
    plain = embed(Hydra, data, 0, diameter=5.0)
    adjusted = embed(Hydra, data, 0, diameter=5.0, **settings)
    assert np.allclose(plain.points[:, 0], adjusted.points[:, 0])


def test_hydra_equiangular_one_spreads_evenly():
    points = embed(Hydra, karate.load({}, 0), 0, equiangular=1.0).points
    angle = np.sort(np.arctan2(points[:, 2], points[:, 1]))
    assert np.allclose(np.diff(angle), 2 * np.pi / 34)


def test_hydra_star_puts_the_hub_at_the_origin():
    edges = np.array([[0, k] for k in range(1, 7)])
    distances = graph_distances(edges, 7)
    points, _ = embed_distances(distances, 2)
    assert np.argmin(points[:, 0]) == 0
    assert np.allclose(points[0], [1.0, 0.0, 0.0])


def test_hydra_tree_has_small_distortion_that_falls_with_size():
    edges, n = binary_tree(5)
    distances = graph_distances(edges, n)
    average = []
    for diameter in (2.0, 20.0):
        points, _ = embed_distances(distances * diameter / distances.max(), 10)
        average.append(distortion(distances, lorentz.pairwise_distances(points))["average"])
    assert average[1] < 0.08
    assert average[1] < average[0] / 2


def test_hydra_reports_size_and_curvature():
    data = karate.load({}, 0)
    by_diameter = embed(Hydra, data, 0, diameter=4.0)
    about = by_diameter.about["embedding"]
    assert np.isclose(about["kappa"], (4.0 / 5.0) ** 2)  # the graph has diameter 5
    by_curvature = embed(Hydra, data, 0, curvature=about["kappa"])
    assert np.allclose(by_diameter.points, by_curvature.points)
    best = embed(Hydra, data, 0, curvature="auto").about["embedding"]
    assert best["distortion"]["stress"] <= about["distortion"]["stress"] + 1e-6


def test_hydra_dimension_without_negative_eigenvalue_is_empty():
    line = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    points, values = embed_distances(line, 3)
    assert np.allclose(lorentz.pairwise_distances(points), line, atol=1e-6)
    assert abs(values[2]) < 1e-9 * values[0]


@pytest.mark.parametrize("kind", ["karate", "tree", "sphere"])
def test_best_diameter_is_not_beaten_by_a_grid(kind):
    rng = np.random.default_rng(0)
    if kind == "karate":
        distances = graph_distances(karate.load({}, 0).edges, 34)
    elif kind == "tree":  # lengths of the edges differ, or eigenvalues would be multiple
        edges, n = binary_tree(4)
        distances = graph_distances(edges, n, rng.uniform(0.5, 2.0, size=n - 1))
    else:
        rows = rng.normal(size=(40, 3))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        distances = np.arccos(np.clip(rows @ rows.T, -1, 1)) * (1 - np.eye(40))

    def stress(diameter):
        wanted = distances * diameter / distances.max()
        points, _ = embed_distances(wanted, 2)
        return np.linalg.norm(lorentz.pairwise_distances(points) - wanted) / np.linalg.norm(wanted)

    best = best_diameter(distances, 2, 0)
    grid = [stress(value) for value in np.geomspace(0.5, 20, 60)]
    assert stress(best) <= min(grid) + 1e-3
    assert stress(best) < 0.99 * max(grid)


def test_best_diameter_of_a_sample_is_that_of_all_rows(monkeypatch):
    points = lorentz.from_spatial(np.random.default_rng(1).normal(size=(120, 2)))
    distances = lorentz.pairwise_distances(points)
    monkeypatch.setattr("noneuclid.embeddings.strain._SEARCH_ROWS", 30)
    assert np.isclose(best_diameter(9.0 * distances, 2, 5), distances.max(), rtol=1e-2)


def test_disconnected_graph_names_the_components():
    with pytest.raises(InputError, match="2 components, the largest of 3 of 5 nodes; node 3"):
        graph_distances(np.array([[0, 1], [1, 2], [3, 4]]), 5)
    with pytest.raises(InputError, match="2 components, the largest of 2 of 3 nodes; node 2"):
        graph_distances(np.array([[0, 1]]), 3)


def test_graph_distances_use_lengths():
    edges = np.array([[0, 1], [1, 2], [0, 2]])
    assert graph_distances(edges, 3, np.array([1.0, 1.0, 5.0]))[0, 2] == 2.0


def test_feature_distances_join_components_by_the_shortest_edges():
    clusters = np.array([[0.0], [0.1], [5.0], [5.1], [20.0], [20.1]])
    distances, joined = feature_distances(clusters, 1)
    assert joined == 2
    # On a line geodesic and Euclidean distances agree.
    assert np.allclose(distances, cdist(clusters, clusters))


@pytest.mark.parametrize("unit", [1e-100, 1e-9, 1e9])
def test_feature_distances_scale_with_the_unit(unit):
    clusters = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [40.0], [41.5]])
    expected, joined = feature_distances(clusters, 1)
    distances, again = feature_distances(unit * clusters, 1)
    assert joined == again == 2
    np.testing.assert_allclose(distances, unit * expected, rtol=1e-12)


def test_feature_distances_of_equal_rows_are_zero():
    rows = np.random.default_rng(0).normal(size=(20, 3))
    single, _ = feature_distances(rows, 4)
    order = np.r_[np.arange(20), 7, 7, 3]
    doubled, _ = feature_distances(rows[order], 4)
    assert np.array_equal(doubled, single[np.ix_(order, order)])


def test_feature_distances_are_a_metric_above_euclid():
    rows = np.random.default_rng(1).normal(size=(40, 3))
    distances, _ = feature_distances(rows, 4)
    assert np.array_equal(distances, distances.T)
    assert (distances >= cdist(rows, rows) - 1e-12).all()
    through = distances[:, :, None] + distances[None, :, :]
    assert (distances <= through.min(axis=1) + 1e-12).all()


def test_distortion_of_a_stretched_pair():
    source = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    embedded = source.copy()
    embedded[0, 1] = embedded[1, 0] = 3.0
    result = distortion(source, embedded, neighbours=1)
    assert result["worst"] == 3.0
    # The minimiser of |3s-1| + |s-1| + |s-1| is a weighted median: weights 3, 1, 1 give s = 1/3.
    assert np.isclose(result["average_scale"], 1 / 3)
    assert np.isclose(result["average"], (0 + 2 / 3 + 2 / 3) / 3)
    scale = 5 / 11
    errors = np.array([3 * scale - 1, scale - 1, scale - 1])
    assert np.isclose(result["stress"], np.sqrt(np.sum(errors**2) / 3))


def test_distortion_counts_collapsed_pairs():
    source = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]])
    embedded = source.copy()
    embedded[0, 1] = embedded[1, 0] = 0.0
    result = distortion(source, embedded)
    assert result["worst"] is None
    assert result["collapsed_pairs"] == 2


def test_mean_average_precision_by_hand():
    # Node 0 has neighbours 1 and 2; in the embedding the order from 0 is 1, 3, 2.
    adjacency = np.array([[False, True, True, False]])
    source = np.array([[0.0, 1.0, 1.0, 2.0]])
    embedded = np.array([[0.0, 1.0, 3.0, 2.0]])
    result = distortion(source, embedded, rows=np.array([0]), adjacency=adjacency)
    assert np.isclose(result["mean_average_precision"], (1 / 1 + 2 / 3) / 2)


def test_perfect_graph_embedding_has_precision_one():
    edges, n = binary_tree(3)
    distances = graph_distances(edges, n)
    result = distortion(distances, 5 * distances, adjacency=distances == 1)
    assert result["mean_average_precision"] == 1.0
    assert np.isclose(result["average"], 0.0)
    assert np.isclose(result["stress"], 0.0, atol=1e-7)
    assert np.isclose(result["spearman"], 1.0)


def test_sampled_rows_agree_with_all_rows():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(300, 4))
    source, embedded = cdist(points, points), cdist(points[:, :3], points[:, :3])
    rows = np.sort(rng.choice(300, 100, replace=False))
    part = distortion(source[rows], embedded[rows], rows)
    whole = distortion(source, embedded)
    for key in ("average", "stress", "spearman", "neighbour_agreement"):
        assert np.isclose(part[key], whole[key], rtol=0.1)
    assert sample_rows(5000, 3).tolist() == sample_rows(5000, 3).tolist()
    assert len(np.unique(sample_rows(5000, 3))) == 800


def test_a_sample_represents_many_rows(monkeypatch):
    monkeypatch.setattr(distortion_module, "MAX_ROWS", 200)
    monkeypatch.setattr(distortion_module, "MAX_PAIRS", 4000)
    points = np.random.default_rng(2).normal(size=(1000, 3))
    same = distortion_of_features(points, 1e-4 * points, 5)
    assert (same["rows"], same["compared_rows"]) == (200, 20)
    assert same["neighbour_agreement"] == 1.0  # rows of features and of points are the same ones
    assert np.isclose(same["spearman"], 1.0)
    assert distortion_of_features(points, 1e-4 * points, 5) == same
    chosen = distortion_module.sample_all(1000, 5)
    part = distortion_of_features(points[chosen], 1e-4 * points[chosen], 5)
    assert part == same


@pytest.mark.parametrize("constant", [0.1, 0.3, 1e6 + 0.1])
def test_constant_feature_changes_nothing_when_standardised(constant):
    features = np.random.default_rng(0).normal(size=(60, 4))
    padded = np.column_stack([features, np.full(60, constant)])
    first, second = (
        embed(
            LiftedPCA,
            Dataset("d", "images", np.arange(60) % 2, ("a", "b"), features=x),
            0,
            standardize=True,
        ).points
        for x in (features, padded)
    )
    np.testing.assert_allclose(np.abs(first), np.abs(second), atol=1e-9)


def test_an_offset_of_the_features_changes_nothing():
    features = np.random.default_rng(0).normal(size=(60, 4))
    first, second = (
        embed(
            LiftedPCA, Dataset("d", "images", np.arange(60) % 2, ("a", "b"), features=x), 0
        ).points
        for x in (features, features + 1e8)
    )
    np.testing.assert_allclose(np.abs(first), np.abs(second), atol=1e-5)
