"""Laws of the embeddings on random input."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from noneuclid import Hydra, LiftedPCA
from noneuclid.embeddings.distortion import distortion
from noneuclid.embeddings.strain import hydra as embed_distances
from noneuclid.geometry import charts, lorentz
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=25, deadline=None)


def hyperbolic_points(rng, n, dimension, size):
    """Points with uniform directions and tangent norms up to `size`."""
    directions = rng.normal(size=(n, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    tangent = directions * rng.uniform(0, size, size=(n, 1))
    return charts.convert(tangent, "tangent", "hyperboloid")


@given(seeds, st.integers(1, 4), st.floats(0.5, 6.0))
@few
def test_hydra_recovers_hyperbolic_points(seed, dimension, size):
    # Exact distances give zero strain (Keller-Ressel and Nargang 2020).
    rng = np.random.default_rng(seed)
    distances = lorentz.pairwise_distances(hyperbolic_points(rng, 25, dimension, size))
    points, values = embed_distances(distances, dimension)
    assert (values[1:] < 0).all()
    assert np.allclose(lorentz.pairwise_distances(points), distances, atol=1e-5)


@given(seeds, st.sampled_from([0.0, 0.7]))
@few
def test_hydra_does_not_depend_on_the_order_of_rows(seed, noise):
    rng = np.random.default_rng(seed)
    distances = lorentz.pairwise_distances(hyperbolic_points(rng, 20, 2, 2.0))
    disturbance = np.triu(rng.uniform(0, noise, size=distances.shape), 1)
    distances = distances + disturbance + disturbance.T
    order = rng.permutation(20)
    a = lorentz.pairwise_distances(embed_distances(distances, 2)[0])
    b = lorentz.pairwise_distances(embed_distances(distances[np.ix_(order, order)], 2)[0])
    assert np.allclose(a[np.ix_(order, order)], b, atol=1e-5)


@given(seeds)
@few
def test_feature_embeddings_do_not_change_under_motions(seed):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(40, 4)) * [4.0, 3.0, 2.0, 1.0]
    rotation = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    labels = np.arange(40) % 2
    for embedding, setting in ((LiftedPCA, {}), (Hydra, {"n_neighbors": 5})):
        found = []
        for version in (features, 2.5 * features @ rotation + rng.normal(size=4)):
            data = Dataset("d", "images", labels, ("a", "b"), features=version)
            embedded = embed(embedding, data, 0, **setting)
            points = charts.convert(embedded.points, embedded.chart, "hyperboloid")
            found.append(lorentz.pairwise_distances(points))
        assert np.allclose(*found, atol=1e-5)


@given(seeds, st.floats(0.01, 100.0))
@few
def test_distortion_does_not_depend_on_the_unit(seed, unit):
    rng = np.random.default_rng(seed)
    source = lorentz.pairwise_distances(hyperbolic_points(rng, 20, 3, 2.0))
    embedded = lorentz.pairwise_distances(hyperbolic_points(rng, 20, 2, 2.0))
    a, b = distortion(source, embedded), distortion(source, unit * embedded)
    assert np.isclose(a.pop("average_scale"), unit * b.pop("average_scale"))
    for key, value in a.items():
        assert np.isclose(value, b[key]), key


@given(seeds)
@few
def test_average_scale_is_optimal(seed):
    rng = np.random.default_rng(seed)
    d, e = rng.uniform(0.5, 2.0, size=(2, 15, 15))
    source, embedded = d + d.T, e + e.T
    result = distortion(source, embedded)
    other = ~np.eye(15, dtype=bool)
    ratio = (embedded / source)[other]
    candidates = np.append(1 / ratio, rng.uniform(0.1, 3.0, 50))
    best = min(np.abs(s * ratio - 1).mean() for s in candidates)
    assert np.isclose(result["average"], best)
