"""Poincaré maps: contract, known branching, new rows, landmarks, settings."""

import json
from functools import cache

import numpy as np
import pytest
from cases import each_of
from scipy.stats import spearmanr
from sklearn.exceptions import ConvergenceWarning

from noneuclid import PoincareMap
from noneuclid.embeddings.accessibility import accessibilities
from noneuclid.embeddings.descent import descend, jitter
from noneuclid.embeddings.divergence import symmetric_divergence
from noneuclid.embeddings.neighbour_kernel import edge_weights, forest_of_features
from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz
from noneuclid_compare.config.signatures import defaults
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset

BRANCHES, PER_BRANCH = 3, 20
GRAPH = {"n_neighbors": 6, "sigma": 0.3}


def branching(noise=0.02, seed=0):
    """Cells along three branches that leave one root, and their distances along the tree."""
    steps = np.tile(np.linspace(0.02, 1.0, PER_BRANCH), BRANCHES)
    branch = np.repeat(np.arange(BRANCHES), PER_BRANCH)
    rng = np.random.default_rng(seed)
    features = np.zeros((len(steps), 6))
    features[np.arange(len(steps)), branch] = 10 * steps
    features += 10 * noise * rng.normal(size=features.shape)
    same = branch[:, None] == branch
    along = np.where(same, np.abs(steps[:, None] - steps), steps[:, None] + steps)
    return Dataset("tree", "expression", branch, ("a", "b", "c"), features=features), along


@cache
def embedded_tree(**settings):
    """The branching, embedded."""
    return embed(PoincareMap, branching()[0], 0, **(GRAPH | settings))


def tree_kernel():
    """Similarities that the branching is embedded by."""
    return accessibilities(forest_of_features(branching()[0].features, **GRAPH)[0])


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_contract(dimension):
    data, _ = branching()
    settings = GRAPH | {"n_components": dimension, "tol": 1e-2}
    embedded = embed(PoincareMap, data, 0, **settings)
    charts.check_points(embedded.points, embedded.chart)
    assert embedded.points.shape == (len(data.labels), dimension + 1)
    assert embedded.labels is data.labels
    about = embedded.about["embedding"]
    assert json.loads(json.dumps(about, allow_nan=False)) == about
    assert about["settings"] == defaults("poincare_maps", "embed") | settings | {
        "standardize": False
    }
    assert about["transductive"] is True
    assert about["distortion"]["status"] == "converged"
    assert np.allclose(lorentz.midpoint(embedded.points), lorentz.origin(dimension), atol=1e-9)
    assert np.array_equal(embedded.points, embed(PoincareMap, data, 0, **settings).points)


def test_a_branching_is_recovered():
    data, along = branching()
    embedded = embedded_tree()
    distances = lorentz.pairwise_distances(embedded.points)
    pairs = np.triu_indices(len(along), 1)
    assert spearmanr(along[pairs], distances[pairs]).statistic > 0.9
    for branch in range(BRANCHES):
        rows = np.flatnonzero(data.labels == branch)
        order = spearmanr(distances[rows[0], rows], np.arange(PER_BRANCH)).statistic
        assert order > 0.95
    quality = embedded.about["embedding"]["distortion"]
    assert quality["q_local"] > 0.6
    assert quality["q_global"] > 0.9


def test_reported_loss_is_that_of_the_points():
    embedded = embedded_tree()
    loss = symmetric_divergence(tree_kernel(), 2.0)(embedded.points)[0]
    assert np.isclose(loss, embedded.about["embedding"]["distortion"]["loss"], rtol=1e-6)


def test_the_loss_never_rises_and_the_limit_is_reported():
    objective = symmetric_divergence(tree_kernel(), 2)
    start = jitter(np.tile(lorentz.origin(2), (BRANCHES * PER_BRANCH, 1)), 1e-2, 0)
    values = [objective(start)[0]]
    for limit in (1, 5, 20, 50, 60):
        with pytest.warns(ConvergenceWarning, match=f"L-BFGS stopped after {limit} iterations"):
            found = descend(objective, start, tol=0.0, max_iter=limit)
        values.append(found.value)
        assert found.status == "iteration limit"
    assert np.all(np.diff(values) < 0)


@cache
def fitted(**settings):
    """The transformer behind `embedded_tree`."""
    model = PoincareMap(**(GRAPH | settings), chart="hyperboloid", random_state=0)
    return model.fit(branching()[0].features)


def test_the_transformer_and_the_stage_give_the_same_points():
    np.testing.assert_array_equal(fitted().embedding_, embedded_tree().points)


def test_row_order_does_not_matter_from_the_same_start():
    kernel = tree_kernel()
    order = np.random.default_rng(0).permutation(len(kernel))
    start = embedded_tree().points
    start = jitter(start, 0.05, 1)
    found = descend(symmetric_divergence(kernel, 2.0), start)
    other = descend(symmetric_divergence(kernel[np.ix_(order, order)], 2.0), start[order])
    assert np.isclose(found.value, other.value, rtol=1e-3)
    assert lorentz.distance(found.points[order], other.points).max() < 0.1


def test_any_start_and_seed_reaches_about_the_same_loss():
    best = embedded_tree().about["embedding"]["distortion"]["loss"]
    again = embed(PoincareMap, branching()[0], 5, **GRAPH)
    assert np.isclose(again.about["embedding"]["distortion"]["loss"], best, rtol=0.05)
    random = embedded_tree(init="random").about["embedding"]["distortion"]["loss"]
    assert best <= random * 1.05


def test_identical_new_rows_land_beside_the_old_ones():
    data, _ = branching()
    model = fitted()
    embedded = embedded_tree()
    rows = np.arange(0, len(data.labels), 7)
    placed = model.transform(data.features[rows])
    charts.check_points(placed, "hyperboloid")
    distances = lorentz.pairwise_distances(placed, embedded.points)
    typical = np.median(lorentz.pairwise_distances(embedded.points))
    twin = distances[np.arange(len(rows)), rows]
    assert twin.max() < 0.15 * typical
    assert np.all((distances < twin[:, None]).sum(axis=1) < 5)


def test_new_rows_go_to_their_branch():
    data, _ = branching()
    embedded = embedded_tree()
    new, along = branching(seed=1)
    placed = fitted().transform(new.features)
    nearest = lorentz.pairwise_distances(placed, embedded.points).argmin(axis=1)
    late = np.tile(np.linspace(0.02, 1.0, PER_BRANCH), BRANCHES) > 0.2
    assert np.array_equal(data.labels[nearest][late], new.labels[late])
    assert np.median(along[np.arange(len(along)), nearest]) < 0.1


def test_new_rows_do_not_see_one_another():
    model = fitted()
    new = branching(seed=1)[0].features[:3]
    together = model.transform(new)
    alone = np.concatenate([model.transform(row[None]) for row in new])
    assert np.allclose(together, alone, atol=1e-6)


def test_landmarks_come_close_to_all_rows():
    _, along = branching()
    embedded = embedded_tree(n_landmarks=30)
    charts.check_points(embedded.points, "hyperboloid")
    about = embedded.about["embedding"]
    assert about["n_landmarks"] == 30
    full = embedded_tree().about["embedding"]["distortion"]
    assert about["distortion"]["q_local"] > full["q_local"] - 0.1
    assert about["distortion"]["q_global"] > full["q_global"] - 0.05
    pairs = np.triu_indices(len(along), 1)
    distances = lorentz.pairwise_distances(embedded.points)[pairs]
    assert spearmanr(along[pairs], distances).statistic > 0.9


def test_the_root_is_at_the_origin():
    embedded = embedded_tree(root=7)
    assert np.allclose(embedded.points[7], lorentz.origin(2), atol=1e-9)
    distances = lorentz.pairwise_distances(embedded.points)
    assert np.allclose(distances, lorentz.pairwise_distances(embedded_tree().points), atol=1e-6)


def test_separate_clouds_are_joined_and_counted():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60, 3)) + 100.0 * (np.arange(60) % 3)[:, None]
    data = Dataset("clouds", "expression", np.arange(60) % 3, ("a", "b", "c"), features=features)
    embedded = embed(PoincareMap, data, 0, n_neighbors=5)
    assert embedded.about["embedding"]["joined_components"] == 2


def test_principal_components_are_used_for_new_rows_too():
    rows, new = (branching(seed=seed)[0].features for seed in (0, 1))
    model, centre, new = fitted(n_pcs=3), rows.mean(axis=0), new[::7]
    axes = np.linalg.svd(rows - centre, full_matrices=False)[2]
    placed = model.transform(new)
    # What is orthogonal to the axes changes nothing.
    away = 5.0 * np.random.default_rng(0).normal(size=(len(new), 3)) @ axes[3:]
    np.testing.assert_allclose(model.transform(new + away), placed, atol=1e-6)
    # Of the components alone all distances are the same.
    alone = PoincareMap(**GRAPH, chart="hyperboloid", random_state=0)
    alone.fit((rows - centre) @ axes[:3].T)
    same = alone.transform((new - centre) @ axes[:3].T)
    expected = lorentz.pairwise_distances(placed, model.embedding_)
    found = lorentz.pairwise_distances(same, alone.embedding_)
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_kernels_have_their_formulas():
    lengths = np.array([0.0, 1.0, 3.0])
    assert np.allclose(edge_weights(lengths, 0.5, 4), np.exp(-lengths / 2))
    gaussian = edge_weights(lengths, 0.5, 4, "gaussian")
    assert np.allclose(gaussian, np.exp(-(lengths**2) / (2 * 0.5**2)))
    with pytest.raises(InputError, match=r"sigma 0.1 .* length 3 vanish; raise sigma"):
        edge_weights(lengths, 0.1, 4, "gaussian")


@each_of(
    ("settings", "message"),
    [
        ({"n_components": 0}, "n_components = 0"),
        ({"n_neighbors": 60}, r"n_neighbors = 60; give an integer in \[1, 59\]"),
        ({"sigma": 0.0}, "sigma = 0.0"),
        ({"gamma": -1.0}, "gamma = -1.0"),
        ({"kernel": "cosine"}, "kernel = 'cosine'; give one of exponential, gaussian"),
        ({"init": "pca"}, "init = 'pca'; give one of hydra, random"),
        ({"n_landmarks": 2}, r"n_landmarks = 2; give an integer in \[3, 60\]"),
        ({"root": 60}, r"root = 60; give an integer in \[0, 59\]"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(InputError, match=message):
        embed(PoincareMap, branching()[0], 0, **settings)


def test_bad_data():
    with pytest.raises(InputError, match="kind 'graph'; use given or hydra"):
        embed(PoincareMap, karate.load({}, 0), 0)
    same = Dataset("d", "images", np.arange(20) % 2, ("a", "b"), features=np.ones((20, 2)))
    with pytest.raises(InputError, match="all rows are equal"):
        embed(PoincareMap, same, 0)


def test_bad_new_rows():
    with pytest.raises(ValueError, match="X has 5 features, but PoincareMap is expecting 6"):
        fitted().transform(np.zeros((2, 5)))
    new = np.zeros((2, 6))
    new[1, 3] = np.nan
    with pytest.raises(InputError, match="X at row 1, column 3 is NaN"):
        fitted().transform(new)
