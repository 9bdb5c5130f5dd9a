"""The UMAP baseline: contract, size, errors; the one run waits for umap-learn's compilation."""

import sys

import numpy as np
import pytest

from noneuclid import UMAPEmbedding
from noneuclid.errors import InputError, MissingPackage
from noneuclid.geometry import charts
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset


def clouds(n=60):
    """Three Gaussian clouds, far apart, in five dimensions."""
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 3
    features = rng.normal(size=(n, 5)) + 20 * np.eye(5)[labels]
    return Dataset("clouds", "expression", labels, ("a", "b", "c"), features=features)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [2, 3])
def test_clouds_stay_apart_at_the_radius_asked_for(dimension):
    pytest.importorskip("umap", reason="umap-learn is not installed")
    data = clouds()
    settings = {"n_components": dimension, "n_neighbors": 8, "quantile": 1.0, "radius": 3.0}
    embedded = embed(UMAPEmbedding, data, 0, **settings)
    charts.check_points(embedded.points, embedded.chart)
    assert embedded.points.shape == (60, dimension)
    assert np.isclose(np.linalg.norm(embedded.points, axis=1).max(), 3.0)
    assert embedded.about["embedding"]["transductive"] is True
    distances = np.linalg.norm(embedded.points[:, None] - embedded.points, axis=2)
    same = data.labels[:, None] == data.labels
    assert distances[same].max() < distances[~same].min()
    np.testing.assert_array_equal(embed(UMAPEmbedding, data, 0, **settings).points, embedded.points)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_components": 0}, "umap: n_components = 0; give an integer"),
        ({"n_neighbors": 60}, r"umap: n_neighbors = 60; give an integer in \[2, 59\]"),
        ({"min_dist": -1}, "umap: min_dist = -1"),
        ({"radius": 100}, "umap: radius = 100"),
    ],
)
def test_settings_are_checked_before_the_import(settings, message):
    with pytest.raises(InputError, match=message):
        embed(UMAPEmbedding, clouds(), 0, **settings)


def test_graphs_are_sent_elsewhere():
    with pytest.raises(InputError, match=r"umap: karate has kind 'graph' .*use deepwalk"):
        embed(UMAPEmbedding, karate.load({}, 0), 0)


def test_a_missing_package_is_named_with_its_cure(monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(
        MissingPackage, match=r"needs the package umap-learn: pip install umap-learn"
    ):
        embed(UMAPEmbedding, clouds(), 0)


@pytest.mark.slow
def test_new_rows_lie_among_their_cloud():
    pytest.importorskip("umap", reason="umap-learn is not installed")
    data = clouds()
    model = UMAPEmbedding(n_neighbors=8, n_pcs=3, standardize=True, random_state=0)
    model.fit(data.features)
    new = data.features[:9] + 0.05
    points = model.transform(new)
    nearest = np.linalg.norm(points[:, None] - model.embedding_, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(data.labels[nearest], data.labels[:9])
