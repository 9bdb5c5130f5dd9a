"""Embeddings whose dimension takes some of several equal eigenvalues warn, and no others."""

import warnings

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.linalg import ArpackNoConvergence

from noneuclid import Hydra, LaBNE, RefinedHydra, networks
from noneuclid.embeddings import strain
from noneuclid.geometry import lorentz
from noneuclid_compare.data.shipped import karate

NOT_UNIQUE = "whose eigenvectors are not unique: the points depend on the order of the rows; "


def renumbered(graph, seed):
    """The same graph with its nodes in another order."""
    order, other = np.random.default_rng(seed).permutation(len(graph)), nx.Graph()
    other.add_nodes_from(int(node) for node in order)
    other.add_edges_from(graph.edges)
    return other


def distances_of(graph, dimension):
    """Embedded distances, the nodes in the order of their names."""
    model = Hydra(dimension, chart="hyperboloid", random_state=0).fit(graph)
    points = model.embedding_[np.argsort(model.nodes_)]
    return lorentz.pairwise_distances(points)


@pytest.mark.parametrize(
    ("graph", "dimension", "message"),
    [
        (
            nx.balanced_tree(2, 3),
            2,
            "takes 1 of 2 equal eigenvalues (-52.76), {}use dimension 1 or 3",
        ),
        (
            nx.balanced_tree(2, 3),
            6,
            "takes 3 of 4 equal eigenvalues (-2.762), {}use dimension 3 or 7",
        ),
        (nx.complete_graph(8), 2, "takes 2 of 7 equal eigenvalues (-200.7), {}use dimension 7"),
        # The iterative eigenvalues of over 200 nodes; the last is of 249 that are equal.
        (
            nx.balanced_tree(2, 7),
            2,
            "takes 1 of 2 equal eigenvalues (-2536), {}use dimension 1 or 3",
        ),
        (nx.complete_graph(250), 2, "at least 12 equal eigenvalues (-200.7), {}use another embed"),
    ],
)
def test_a_cut_through_equal_eigenvalues_warns(graph, dimension, message):
    for number in (0, 1):
        with pytest.warns(UserWarning, match="equal eigenvalues") as caught:
            Hydra(dimension, random_state=0).fit(renumbered(graph, number))
        assert message.format(NOT_UNIQUE) in str(caught[0].message)
        assert str(caught[0].message).startswith(f"hydra: dimension = {dimension} takes ")


@pytest.mark.parametrize("nodes", [15, 255])
def test_named_dimensions_do_not_depend_on_the_order(nodes):
    tree = nx.balanced_tree(2, 3 if nodes == 15 else 7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for dimension in (1, 3):
            found = [distances_of(renumbered(tree, seed), dimension) for seed in range(3)]
            np.testing.assert_allclose(found[1:], [found[0]] * 2, atol=1e-5)
    with pytest.warns(UserWarning, match="not unique"):
        found = [distances_of(renumbered(tree, seed), 2) for seed in range(3)]
    assert np.abs(found[1] - found[0]).max() > 0.1


def test_other_hydras_warn_by_their_names():
    tree = nx.balanced_tree(2, 3)
    with pytest.warns(UserWarning, match="refined_hydra: dimension = 2 takes 1 of 2 equal"):
        RefinedHydra().fit(tree)
    with pytest.warns(UserWarning, match="hydra: dimension = 2 takes 1 of 2 equal"):
        networks.embed(tree, method="hydra")
    with pytest.warns(UserWarning, match=r"labne: dimension = 3 takes 1 of .*; use dimension 2$"):
        LaBNE(3, gamma=2.5).fit(nx.cycle_graph(12))


def test_distances_without_a_cut_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Hydra().fit(nx.karate_club_graph())
        Hydra().fit(np.random.default_rng(0).normal(size=(300, 3)))
        # All directions of a path except one are rounding; all of a triangle are taken.
        Hydra(2).fit(nx.path_graph(5))
        Hydra(2).fit(nx.complete_graph(3))
        LaBNE(gamma=2.5).fit(nx.cycle_graph(12))


def test_a_check_that_fails_says_so(monkeypatch):
    def fails(*args, **kwargs):
        raise ArpackNoConvergence("no convergence", np.empty(0), np.empty(0))

    wanted = np.ones((250, 250)) - np.eye(250)
    _, values = strain.hydra(wanted, 2)
    monkeypatch.setattr(strain, "eigsh", fails)
    with pytest.warns(UserWarning, match="mine: not checked for equal eigenvalues: .*no converg"):
        strain.warn_of_tie(wanted, values, 0, "mine")


@pytest.mark.parametrize("isotropic", [False, True])
def test_an_eigenvalue_that_is_rounding_is_no_coordinate(isotropic):
    # Points of a plane: three of the five coordinates have no eigenvalue.
    truth = lorentz.from_spatial(np.random.default_rng(0).normal(size=(30, 2)))
    wanted = lorentz.pairwise_distances(truth)
    found = [strain.hydra(wanted, d, isotropic=isotropic)[0] for d in (2, 5)]
    plane, space = map(lorentz.pairwise_distances, found)
    np.testing.assert_allclose(space, plane, atol=1e-5)


def test_the_dimension_comes_first():
    data = karate.load({}, 0)
    graph = nx.Graph(map(tuple, data.edges))
    assert RefinedHydra(3, max_iter=5).fit(graph).embedding_.shape == (34, 3)
    with pytest.raises(ValueError, match="n_components = -1; give an integer in"):
        RefinedHydra(-1).fit(graph)
    with pytest.raises(TypeError, match="positional"):
        RefinedHydra(2, -1.0)
