"""Which new samples are far from the training points."""

import numpy as np
import pytest

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz, neighbours
from noneuclid.geometry.neighbours import NeighbourSearch
from noneuclid_compare.data.prepare.mixed_columns import transformer
from noneuclid_compare.evaluation import out_of_distribution

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("dimension", [2, 12])
def test_threshold_is_the_largest_gap_of_few_points(dimension):
    points = lorentz.from_spatial(RNG.normal(size=(40, dimension)), 0.5)
    found = out_of_distribution.summary(points, 0.5)
    gaps = lorentz.pairwise_distances(points, curvature=0.5)
    np.fill_diagonal(gaps, np.inf)
    assert np.isclose(found["threshold"], gaps.min(axis=1).max(), rtol=1e-12)
    assert not out_of_distribution.far(found, points).any()
    new = lorentz.from_spatial(RNG.uniform(0.5, 2, (50, 1)) * RNG.normal(size=(50, dimension)), 0.5)
    nearest = lorentz.pairwise_distances(new, points, 0.5).min(axis=1)
    np.testing.assert_allclose(out_of_distribution.distances(found, new), nearest, rtol=1e-12)
    assert out_of_distribution.far(found, new).tolist() == (nearest > found["threshold"]).tolist()
    assert 0 < out_of_distribution.far(found, new).sum() < 50


@pytest.mark.parametrize(("dimension", "algorithm"), [(10, "ball_tree"), (11, "brute")])
def test_many_dimensions_have_no_tree(dimension, algorithm, monkeypatch):
    asked = []

    def search(points, algorithm, leaf_size):
        asked.append(algorithm)
        return NeighbourSearch(points, algorithm, leaf_size)

    monkeypatch.setattr(neighbours, "NeighbourSearch", search)
    out_of_distribution.summary(lorentz.from_spatial(RNG.normal(size=(9, dimension))))
    assert asked == [algorithm]


def test_novelty_does_not_depend_on_the_frame():
    points = lorentz.from_spatial(RNG.normal(size=(40, 3)))
    new = lorentz.from_spatial(3 * RNG.normal(size=(50, 3)))
    boost = lorentz.boost(lorentz.from_spatial(np.array([1.0, -2.0, 0.5])))
    first = out_of_distribution.distances(out_of_distribution.summary(points), new)
    second = out_of_distribution.distances(
        out_of_distribution.summary(points @ boost.T), new @ boost.T
    )
    np.testing.assert_allclose(first, second, rtol=1e-9)


def test_few_of_the_same_law_are_far_with_a_subsample(monkeypatch):
    monkeypatch.setattr(out_of_distribution, "KEPT", 200)
    monkeypatch.setattr(out_of_distribution, "MEASURED", 600)
    points, new = (lorentz.from_spatial(RNG.normal(size=(2000, 2))) for _ in range(2))
    found = out_of_distribution.summary(points, quantile=0.95)
    assert found["points"].shape == (200, 3)
    assert found["rows"] == 2000
    # A threshold from all gaps to all points would call most of them far.
    assert 0.02 < out_of_distribution.far(found, new).mean() < 0.09


def test_novelty_needs_two_points():
    with pytest.raises(InputError, match="1 training points"):
        out_of_distribution.summary(lorentz.origin(2)[None])


def test_equal_training_points_are_not_far_from_themselves():
    points = np.repeat(lorentz.from_spatial(np.array([[0.5, 0.1]])), 5, axis=0)
    found = out_of_distribution.summary(points)
    assert found["threshold"] == 0
    assert not out_of_distribution.far(found, points).any()


def test_features_are_compared_in_standard_deviations():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(200, 3)) * [1.0, 1e4, 0.0]
    found = out_of_distribution.summary_of_features(features)
    new = features[:3] + np.array([[0.0, 0, 0], [0, 8e4, 0], [8.0, 0, 0]])
    placed = out_of_distribution.placed(found, new, "tangent", 1.0)
    distances = out_of_distribution.distances(found, placed)
    scaled = features / [features[:, 0].std(), features[:, 1].std(), 1.0]
    slow = [min(np.linalg.norm(scaled - x, axis=1)) for x in placed]
    np.testing.assert_allclose(distances, slow, atol=1e-12)
    assert out_of_distribution.far(found, placed).tolist() == [False, True, True]
    # A factor of a column changes nothing.
    again = out_of_distribution.summary_of_features(features * [1e3, 1, 1])
    moved = out_of_distribution.placed(again, new * [1e3, 1, 1], "tangent", 1.0)
    np.testing.assert_allclose(out_of_distribution.distances(again, moved), distances, atol=1e-9)


def rare_parts(rng, n):
    """Log-ratios of counts of which most are zero, as of microbes, shape (n, 400)."""
    mean = np.random.default_rng(0).lognormal(0, 2, 400)
    parts = mean * rng.gamma(0.2, 1, (n, 400))
    logs = np.log(np.maximum(rng.poisson(3000 * parts / parts.sum(axis=1, keepdims=True)), 0.5))
    return logs - logs.mean(axis=1, keepdims=True)


def overdispersed(rng, n):
    """Counts that are large in few rows, shape (n, 400)."""
    return rng.poisson(rng.gamma(0.05, 100, (n, 400))).astype(float)


def rare_levels(rng, n):
    """Columns of 0 and 1, of rare levels, shape (n, 300)."""
    return (rng.random((n, 300)) < 0.01).astype(float)


@pytest.mark.parametrize("law", [rare_parts, overdispersed, rare_levels])
@pytest.mark.parametrize("prepared", [False, True])
def test_few_of_the_same_law_are_far_in_sparse_columns(law, prepared):
    """A rare value that only one row has widens its column if the row counts, and not if new."""
    rng, shares = np.random.default_rng(2), []
    for _ in range(3):
        training, new = law(rng, 100), law(rng, 200)
        preparation = transformer([None] * training.shape[1]) if prepared else None
        found = out_of_distribution.summary_of_features(training, preparation)
        placed = [out_of_distribution.placed(found, X, "tangent", 1.0) for X in (new, 99 * new)]
        shares.append([out_of_distribution.far(found, X).mean() for X in placed])
    same, shifted = np.mean(shares, axis=0)
    assert same < 0.04
    assert shifted > 0.9
