"""t-SNE and spectral embeddings: contract, size, errors."""

import numpy as np
import pytest
from cases import each_of
from sklearn.manifold import SpectralEmbedding

from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed import spectral, tsne
from noneuclid_compare.records import Dataset


def clouds(n=60, kind="expression"):
    """Three Gaussian clouds, far apart, in five dimensions; the first column has another unit."""
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 3
    features = (rng.normal(size=(n, 5)) + 20 * np.eye(5)[labels]) * [1, 1, 1, 1, 1e3]
    return Dataset("clouds", kind, labels, ("a", "b", "c"), features=features)


@pytest.mark.parametrize(
    ("embed", "settings"),
    [(tsne.embed, {"perplexity": 8.0}), (spectral.embed, {"n_neighbors": 22})],
)
def test_clouds_stay_apart_at_the_radius_asked_for(embed, settings):
    data = clouds(kind="features")
    settings |= {"quantile": 1.0, "radius": 3.0}
    embedded = embed(data, 0, **settings)
    charts.check_points(embedded.points, embedded.chart)
    assert (embedded.points.shape, embedded.chart) == ((60, 2), "tangent")
    assert np.linalg.norm(embedded.points, axis=1).max() == pytest.approx(3.0)
    assert embedded.points.mean(axis=0) == pytest.approx(0, abs=1e-9)
    about = embedded.about["embedding"]
    assert (about["transductive"], about["settings"]["standardize"]) == (True, True)
    assert about["distortion"]["neighbour_agreement"] > 0.2
    distances = np.linalg.norm(embedded.points[:, None] - embedded.points, axis=2)
    same = data.labels[:, None] == data.labels
    assert distances[same].mean() < 0.5 * distances[~same].mean()
    np.testing.assert_array_equal(embed(data, 0, **settings).points, embedded.points)


def test_a_graph_has_the_eigenvectors_of_its_laplacian():
    data = karate.load({}, 0)
    points = spectral.embed(data, 0, n_components=3).points
    matrix = np.zeros((34, 34))
    matrix[tuple(data.edges.T)] = 1
    expected = SpectralEmbedding(3, affinity="precomputed", random_state=1)
    expected = expected.fit_transform(matrix + matrix.T)
    expected -= expected.mean(axis=0)
    cosines = np.sum(points * expected, axis=0) ** 2
    cosines /= np.square(points).sum(axis=0) * np.square(expected).sum(axis=0)
    np.testing.assert_allclose(cosines, 1, atol=1e-6)
    # The first eigenvector tells most of both clubs apart.
    agreement = ((points[:, 0] > 0) == data.labels).mean()
    assert max(agreement, 1 - agreement) > 0.9


def test_a_longer_edge_joins_less():
    # A path of four nodes whose middle edge is long falls into two halves.
    edges = np.array([[0, 1], [1, 2], [2, 3]])
    lengths = np.array([1.0, 50.0, 1.0])
    labels = np.array([0, 0, 1, 1])
    data = Dataset("path", "graph", labels, ("a", "b"), edges=edges, weights=lengths)
    x = spectral.embed(data, 0, n_components=1).points[:, 0]
    assert abs(x[0] - x[1]) < 0.1 * abs(x[1] - x[2])


@pytest.mark.parametrize("dimension", [1, 4])
def test_the_dimension_asked_for(dimension):
    for embed in (tsne.embed, spectral.embed):
        assert (
            embed(clouds(30), 0, n_components=dimension, **_few(embed)).points.shape[1] == dimension
        )


def _few(embed):
    return {"perplexity": 5.0} if embed is tsne.embed else {"n_neighbors": 12}


@each_of(
    ("embed", "settings", "message"),
    [
        (tsne.embed, {"perplexity": 20.0}, "tsne: perplexity = 20"),
        (tsne.embed, {"n_components": 0}, "tsne: n_components = 0"),
        (spectral.embed, {"n_neighbors": 60}, "spectral: n_neighbors = 60"),
        (spectral.embed, {"radius": 100}, "spectral: radius = 100"),
        (spectral.embed, {"n_pcs": 0}, "spectral: n_pcs = 0"),
        (spectral.embed, {"standardize": "yes"}, "spectral: standardize = 'yes'"),
    ],
)
def test_settings_out_of_range(embed, settings, message):
    with pytest.raises(InputError, match=message):
        embed(clouds(), 0, **settings)


@pytest.mark.parametrize("embed", [tsne.embed, spectral.embed])
def test_rows_that_are_all_equal_have_no_place(embed):
    data = Dataset("x", "features", np.arange(99) % 2, ("a", "b"), features=np.ones((99, 3)))
    with pytest.raises(InputError, match="all rows are equal"):
        embed(data, 0)


def test_graphs_have_no_tsne():
    with pytest.raises(InputError, match=r"tsne: karate has kind 'graph'; use deepwalk"):
        tsne.embed(karate.load({}, 0), 0, perplexity=5.0)
