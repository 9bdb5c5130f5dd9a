"""Embeddings in products: the loss and its gradient, known answers, invariances, bad input."""

import networkx as nx
import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from noneuclid import ProductEmbedding, ProductKernelSVC
from noneuclid.embeddings import product_loss
from noneuclid.embeddings.product_descent import _towards_origin
from noneuclid.embeddings.product_embedding import pairs_of
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace

SIGNATURES = ["H2", "S2", "E2", "S1", "H1", "H2 S3 E2 S1 H1"]


def drawn(signature, n=7, seed=0, **options):
    space = ProductSpace(signature, **options)
    return space, space.random_wrapped_normal(n, random_state=seed)


def distances_of(signature, n=40, seed=0, **options):
    space, X = drawn(signature, n, seed, **options)
    return space.pairwise_distances(X)


def given(signature, seed=0):
    """Points, scales, pairs with goals, and layout."""
    space, X = drawn(signature, seed=seed)
    rng = np.random.default_rng(seed)
    left, right = np.triu_indices(len(X), 1)
    layout = product_loss.layout_of(space)
    scales = np.where(layout.signs == 0, 1.0, rng.uniform(0.5, 2.0, len(layout.signs)))
    pairs = product_loss.Pairs(left, right, rng.uniform(0.5, 3.0, len(left)))
    return X, scales, pairs, layout


def slow_loss(X, scales, pairs, signature):
    """Through the public distance of a product with these curvatures."""
    plain, radii = ProductSpace(signature), []
    curvatures = [
        np.sign(f.curvature) / scale**2 for f, scale in zip(plain.factors, scales, strict=True)
    ]
    for factor, scale in zip(plain.factors, scales, strict=True):
        radii += [scale] * factor.width
    found = ProductSpace(signature, curvatures=curvatures).pairwise_distances(X * radii)
    return np.mean((found[pairs.left, pairs.right] / pairs.wanted - 1) ** 2)


def fast_loss(X, scales, pairs, layout):
    gradient, slope = np.empty_like(X), np.empty(len(scales))
    return (
        product_loss.relative_stress(X, scales, *pairs, *layout, gradient, slope),
        gradient,
        slope,
    )


@pytest.mark.parametrize("signature", SIGNATURES)
def test_the_loss_is_that_of_the_public_distance(signature):
    X, scales, pairs, layout = given(signature)
    wanted = slow_loss(X, scales, pairs, signature)
    assert fast_loss(X, scales, pairs, layout)[0] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("angle", [1e-12, 0.3, np.pi / 2, 2.0, np.pi - 1e-7, np.pi])
def test_angles_keep_their_digits_near_equal_and_opposite_points(angle):
    X = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    pairs = product_loss.Pairs(*np.array([[0], [1]]), np.array([1.0]))
    found = fast_loss(X, np.ones(1), pairs, product_loss.layout_of(ProductSpace("S1")))[0]
    assert found == pytest.approx((angle - 1) ** 2, rel=1e-8)


def test_a_mean_over_many_pairs_is_that_of_its_blocks():
    X, scales, pairs, layout = given("H2 S2 E1")
    many = product_loss.Pairs(*(np.tile(part, 100) for part in pairs))
    for once, often in zip(
        fast_loss(X, scales, pairs, layout), fast_loss(X, scales, many, layout), strict=True
    ):
        np.testing.assert_allclose(often, once, rtol=1e-10)


@pytest.mark.parametrize("signature", SIGNATURES)
def test_gradients_are_finite_differences(signature):
    X, scales, pairs, layout = given(signature)
    rng = np.random.default_rng(1)
    local, moved = 0.3 * rng.standard_normal((len(X), sum(layout.dimensions))), np.empty_like(X)

    def loss(flat):
        product_loss.place(X, flat[: local.size].reshape(local.shape), *layout, moved)
        return fast_loss(moved, np.exp(flat[local.size :]), pairs, layout)[0]

    at = np.concatenate([local.ravel(), np.log(scales)])
    wanted = approx_fprime(at, loss, 1e-7)
    loss(at)
    ProductSpace(signature).check_points(moved)
    _, ambient, slope = fast_loss(moved.copy(), scales, pairs, layout)
    pulled = np.empty_like(local)
    product_loss.pull_back(X, local, moved, ambient, *layout, pulled)
    np.testing.assert_allclose(np.append(pulled, slope), wanted, atol=1e-5)


@pytest.mark.parametrize("signature", ["H2", "S3", "H1 S2"])
def test_the_frames_carry_the_logarithm_of_the_origin(signature):
    space, X = drawn(signature)
    layout, step = product_loss.layout_of(space), 1e-6
    X = np.where(np.isin(np.arange(X.shape[1]), layout.first), np.abs(X), X)  # before the equator
    moved = np.empty_like(X)
    product_loss.place(X, step * _towards_origin(X, layout), *layout, moved)
    away = space.distance(X, space.origin)
    np.testing.assert_allclose(space.distance(moved, space.origin), (1 - step) * away, rtol=1e-9)


@pytest.mark.parametrize("signature", ["H2 S2", "H2 E2", "S2 E2", "H4", "S4", "H2 H2"])
def test_curvatures_of_exact_distances_are_found_again(signature):
    curvatures = [{"H": -2.0, "S": 0.5, "E": 0.0}[part[0]] for part in signature.split()]
    distances = distances_of(signature, 60, curvatures=curvatures)
    model = ProductEmbedding(
        signature, metric="precomputed", tol=1e-3, max_iter=3000, random_state=0
    )
    model.fit(distances)
    np.testing.assert_allclose(model.space_.curvatures, curvatures, rtol=2e-2, atol=1e-9)
    found = model.space_.pairwise_distances(model.embedding_)
    assert np.abs(found - distances).max() < 0.02 * distances.max()
    model.space_.check_points(model.embedding_)


def test_a_cycle_is_a_circle_a_tree_hyperbolic_and_points_of_the_plane_flat():
    circle = ProductEmbedding("S1", random_state=0).fit(nx.cycle_graph(20))
    assert circle.report_["average"] < 1e-6
    assert 2 * np.pi / np.sqrt(circle.space_.curvatures[0]) == pytest.approx(20, rel=1e-6)
    tree = nx.balanced_tree(2, 4)
    averages = {
        space: ProductEmbedding(space, tol=0.05, random_state=0).fit(tree).report_["average"]
        for space in ("H2", "E2", "S2")
    }
    assert averages["H2"] < 0.05
    assert averages["H2"] < 0.3 * min(averages["E2"], averages["S2"])
    plane = np.random.default_rng(0).uniform(size=(30, 2))
    assert ProductEmbedding("E2", random_state=0).fit(plane).report_["average"] < 1e-6


def test_scaling_the_distances_scales_the_curvatures():
    distances = distances_of("H2 S2")
    model = ProductEmbedding("H2 S2", metric="precomputed", max_iter=50, n_init=1, random_state=0)
    with pytest.warns(ConvergenceWarning):
        model.fit(distances)
    curvatures, report = np.array(model.space_.curvatures), model.report_
    with pytest.warns(ConvergenceWarning):
        many = model.fit(1024 * distances)
    np.testing.assert_allclose(np.array(many.space_.curvatures) * 1024**2, curvatures, rtol=1e-12)
    assert many.report_["average"] == pytest.approx(report["average"], rel=1e-12)


def test_the_order_of_the_rows_changes_no_distance():
    distances = distances_of("H2 S2", 50)
    order = np.random.default_rng(3).permutation(50)
    model = ProductEmbedding("H2 S2", metric="precomputed", tol=1e-8, random_state=0)
    found = []
    for rows in (np.arange(50), order):
        model.fit(distances[np.ix_(rows, rows)])
        found.append(model.space_.pairwise_distances(model.embedding_))
    np.testing.assert_allclose(found[1], found[0][np.ix_(order, order)], atol=0.02)


def test_equal_seeds_give_equal_points_and_sampled_pairs_nearly_the_best():
    distances = distances_of("S2", 60)
    model = ProductEmbedding("S2", metric="precomputed", random_state=0)
    points = model.fit(distances).embedding_
    np.testing.assert_array_equal(points, model.fit(distances).embedding_)
    model.set_params(max_pairs=600).fit(distances)
    assert model.report_["pairs"] == 600
    found = model.space_.pairwise_distances(model.embedding_)
    assert np.abs(found - distances).max() < 1e-3


def test_curvatures_that_are_given_are_kept_and_charts_are_those_asked_for():
    space = ProductSpace("H2 S2", curvatures=[-4.0, 0.25], charts=["poincare", "tangent"])
    distances = distances_of("H2 S2", curvatures=[-1.0, 1.0])
    model = ProductEmbedding(
        space, metric="precomputed", learn_curvature=False, n_init=2, tol=0.1, random_state=0
    )
    model.fit(distances)
    assert model.space_ == space
    assert model.embedding_.shape == (40, 4)
    space.check_points(model.embedding_)
    learned = ProductEmbedding("H2 S2", metric="precomputed", random_state=0).fit(distances)
    assert learned.report_["average"] < 0.01 < model.report_["average"]
    pairs = pairs_of(distances, np.inf, 0, "")
    found = space.pairwise_distances(model.embedding_)[pairs.left, pairs.right]
    wanted = np.abs(found / pairs.wanted - 1).mean()
    assert model.report_["average"] == pytest.approx(wanted, rel=1e-9)


def test_rows_graphs_and_distances_are_read_alike():
    graph = nx.grid_2d_graph(4, 4)
    nx.set_edge_attributes(graph, 2.0, "length")
    paths = 2 * nx.floyd_warshall_numpy(graph)
    adjacency = csr_array(2.0 * nx.to_scipy_sparse_array(graph))
    settings = {"n_init": 1, "random_state": 0}
    first = ProductEmbedding("H2 E1", metric="precomputed", **settings).fit(paths).embedding_
    of_graph = ProductEmbedding("H2 E1", edge_lengths="length", **settings).fit(graph)
    assert of_graph.nodes_ == list(graph)
    np.testing.assert_array_equal(of_graph.embedding_, first)
    of_matrix = ProductEmbedding("H2 E1", edge_lengths=True, **settings).fit(adjacency)
    np.testing.assert_array_equal(of_matrix.embedding_, first)
    rows = np.random.default_rng(0).normal(size=(12, 3))
    between = np.linalg.norm(rows[:, None] - rows, axis=2)
    between = (between + between.T) / 2
    of_rows = ProductEmbedding("H2", **settings).fit_transform(rows)
    given = ProductEmbedding("H2", metric="precomputed", **settings).fit_transform(between)
    np.testing.assert_allclose(of_rows, given, atol=1e-6)


def test_rows_in_one_place_are_left_out_of_each_others_pairs():
    distances = distances_of("E2", 20)
    twice = np.kron(distances, np.ones((2, 2)))
    model = ProductEmbedding("E2", metric="precomputed", random_state=0).fit(twice)
    assert model.report_["pairs"] == 40 * 39 // 2 - 20
    found = model.space_.pairwise_distances(model.embedding_)
    np.testing.assert_allclose(found, twice, atol=1e-5)


def asymmetric(distances):
    distances[1, 2] += 1
    return distances


def unknown(distances):
    distances[0, 3] = distances[3, 0] = np.nan
    return distances


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (asymmetric, r"not symmetric: .* row 1, column 2"),
        (unknown, "the distance at row 0, column 3 is nan; give finite"),
        (lambda d: 1 / (1 + d), "the diagonal is 1 at row 0, not 0; give distances, not similar"),
        (lambda d: d[:3], r"shape \(3, 40\); give a square matrix"),
        (np.zeros_like, "all distances are zero"),
        (lambda d: -d, "the distance at row 0, column 1 is -"),
    ],
)
def test_bad_distances_are_named(change, message):
    with pytest.raises(InputError, match=message):
        ProductEmbedding("H2", metric="precomputed").fit(change(distances_of("H2")))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"space": "Q2"}, "'Q2' in the signature"),
        ({"space": None}, "space is None"),
        ({"metric": "manhattan"}, "metric = 'manhattan'; give one of"),
        ({"n_init": 0}, "n_init = 0"),
        ({"max_iter": 1.5}, "max_iter = 1.5"),
        ({"tol": -1}, "tol = -1"),
        ({"max_pairs": 0}, "max_pairs = 0"),
    ],
)
def test_bad_parameters_are_named(settings, message):
    with pytest.raises(InputError, match=message):
        ProductEmbedding(**settings).fit(np.eye(5))


def test_parts_of_a_graph_have_no_distance():
    with pytest.raises(InputError, match="2 components"):
        ProductEmbedding("H2").fit(nx.disjoint_union(nx.path_graph(3), nx.path_graph(4)))


def test_a_descent_that_is_cut_short_says_how_good_it_is():
    model = ProductEmbedding("H2 S2", max_iter=60, n_init=1, random_state=0)
    with pytest.warns(ConvergenceWarning) as caught:
        model.fit(np.random.default_rng(0).normal(size=(30, 6)))
    said = "ProductEmbedding: stopped after 60 iterations at the root of the loss "
    assert said + f"{model.report_['loss']:.3g}; the" in str(caught[0].message)


def test_a_pipeline_needs_the_curvatures_beforehand():
    X, space = np.random.default_rng(0).normal(size=(40, 4)), "H2(-0.5) S1"
    y = X[:, 0] > 0
    step = ProductEmbedding(space, learn_curvature=False, n_init=1, tol=0.1, random_state=0)
    assert make_pipeline(step, ProductKernelSVC(space=space)).fit(X, y).score(X, y) > 0.5
    learned = clone(step).set_params(learn_curvature=True)
    with pytest.raises(InputError, match=r"all rows have curvature .* or learn_curvature=False"):
        make_pipeline(learned, ProductKernelSVC(space=space)).fit(X, y)
    points = learned.fit_transform(X)
    curved = "H2({:.6g}) S1({:.6g})".format(*learned.space_.curvatures)
    ProductKernelSVC(space=curved).fit(points, y)
