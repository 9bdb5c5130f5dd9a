"""Graph embeddings against finite differences and slow versions."""

import numpy as np
import pytest
from scipy.linalg import eigh

from noneuclid import LaBNE, TreeEmbedding
from noneuclid.embeddings import deepwalk, labne, poincare_embedding, random_walk
from noneuclid.embeddings.distortion import distortion
from noneuclid.embeddings.graphs import graph_of
from noneuclid.embeddings.popularity_similarity import greedy_routing, radii_of
from noneuclid.embeddings.reconstruction import neighbour_ranks, polar_form, tangent_distances
from noneuclid.geometry import charts, lorentz, poincare
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset

STEP = 1e-6


def difference(function, x):
    """Gradient by central differences."""
    gradient = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[place] += STEP
        down[place] -= STEP
        gradient[place] = (function(up) - function(down)) / (2 * STEP)
    return gradient


def random_graph(n, seed):
    """Tree with random parents and some more edges; connected."""
    rng = np.random.default_rng(seed)
    edges = {(int(rng.integers(i)), i) for i in range(1, n)}
    edges |= {tuple(sorted(map(int, rng.choice(n, 2, replace=False)))) for _ in range(n)}
    return Dataset("g", "graph", np.arange(n) % 2, ("a", "b"), edges=np.array(sorted(edges)))


def random_tree(n, seed):
    """Edges from random earlier nodes, in random order of rows."""
    rng = np.random.default_rng(seed)
    names = rng.permutation(n)
    edges = names[[[int(rng.integers(i)), i] for i in range(1, n)]]
    weights = rng.uniform(0.5, 2.0, size=n - 1)
    return Dataset("t", "graph", np.arange(n) % 2, ("a", "b"), edges=edges, weights=weights)


@pytest.mark.parametrize("dimension", [2, 5, 16])
def test_poincare_embedding_loss_and_gradients(dimension):
    rng = np.random.default_rng(dimension)
    points = charts.convert(rng.normal(size=(6, dimension)), "tangent", "poincare")
    chosen = np.array([1, 2, 3, 4])

    def loss(x):
        distances = np.array([poincare.distance(x[0], x[v]) for v in chosen])
        return distances[0] + np.log(np.exp(-distances).sum())

    gradients = np.zeros((5, dimension))
    assert np.isclose(poincare_embedding.sample_loss(points, 0, chosen, gradients), loss(points))
    euclidean = difference(loss, points)
    riemannian = euclidean / poincare.conformal_factor(points).reshape(-1, 1) ** 2
    assert np.allclose(gradients, riemannian[:5], rtol=1e-5, atol=1e-8)
    assert not euclidean[5].any()


def test_poincare_embedding_moves_by_the_exponential_map():
    rng = np.random.default_rng(0)
    for x in charts.convert(rng.normal(size=(20, 3)), "tangent", "poincare"):
        step = 0.3 * rng.normal(size=3)
        moved = x.copy()
        poincare_embedding._move(moved, step)
        assert np.allclose(moved, poincare.exp(x, step))


def test_poincare_embedding_contrasts_with_strangers_only():
    # Node 0 knows all but node 1, so nothing but 0, 1 and its partner 2 may move.
    edges = np.array([[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
    lists = graph_of(Dataset("g", "graph", np.arange(4) % 2, ("a", "b"), edges=edges), "test")
    points = np.random.default_rng(0).uniform(-0.5, 0.5, size=(4, 2))
    before = points.copy()
    order = np.array([0])  # from 0 to its first neighbour, 2
    sources, rng = lists.sources, np.random.default_rng(0)
    poincare_embedding._epoch(points, order, sources, lists.starts, lists.neighbours, 5, 0.1, rng)
    assert (points != before).any(axis=1).tolist() == [True, True, True, False]


@pytest.mark.parametrize("dimension", [2, 10])
def test_deepwalk_loss_and_gradients(dimension):
    rng = np.random.default_rng(dimension)
    x, context = rng.normal(size=dimension), rng.normal(size=(5, dimension))
    chosen = np.array([1, -1, 3, 4])

    def loss(x, context):
        scores = context[[1, 3, 4]] @ x * np.array([1, -1, -1])
        return np.log1p(np.exp(-scores)).sum()

    gradients = np.zeros((5, dimension))
    value = deepwalk.sample_loss(x, context, chosen, gradients)
    assert np.isclose(value, loss(x, context))
    by_context = difference(lambda c: loss(x, c), context)
    assert np.allclose(gradients[0], difference(lambda a: loss(a, context), x), atol=1e-8)
    assert np.allclose(gradients[[1, 3, 4]], by_context[[1, 3, 4]], atol=1e-8)


def test_random_walk_loss_and_gradients():
    rng = np.random.default_rng(3)
    x, context = rng.uniform(0.5, 3.0, size=2), rng.uniform(0.5, 3.0, size=(5, 2))
    chosen = np.array([1, 3, -1, 4])

    def disk(polar):
        return np.tanh(polar[..., :1] / 2) * np.stack(
            [np.cos(polar[..., 1]), np.sin(polar[..., 1])], axis=-1
        )

    def loss(x, context):
        a, b = disk(x), disk(context[[1, 3, 4]])
        size_a, size_b = np.linalg.norm(a), np.linalg.norm(b, axis=1)
        inner = 4 * np.arctanh(size_a) * np.arctanh(size_b) * (b @ a) / (size_a * size_b)
        return np.log1p(np.exp(-inner * np.array([1, -1, -1]))).sum()

    gradients = np.zeros((5, 2))
    assert np.isclose(random_walk.sample_loss(x, context, chosen, gradients), loss(x, context))
    by_context = difference(lambda c: loss(x, c), context)
    assert np.allclose(gradients[0], difference(lambda a: loss(a, context), x), atol=1e-7)
    assert np.allclose(gradients[[1, 2, 4]], by_context[[1, 3, 4]], atol=1e-7)


def test_random_walk_steps_through_the_origin():
    point = np.array([0.1, 0.0])
    random_walk._move(point, np.array([1.0, 0.0]), 0.3)
    assert np.allclose(point, [0.2, np.pi])
    random_walk._move(point, np.array([0.0, 1.0]), 0.3)
    assert np.allclose(point, [0.2, np.pi - 0.3 / np.sinh(0.2)])


@pytest.mark.parametrize("seed", [0, 1])
def test_precision_and_rank_against_loops(seed):
    data = random_graph(25, seed)
    rng = np.random.default_rng(seed)
    distances = np.round(rng.random((25, 25)), 1)  # with ties
    distances += distances.T
    adjacent = np.zeros((25, 25), dtype=bool)
    adjacent[tuple(data.edges.T)] = True
    adjacent |= adjacent.T
    precisions, ranks = [], []
    for u in range(25):
        for v in np.flatnonzero(adjacent[u]):
            within = [w for w in range(25) if w != u and distances[u, w] <= distances[u, v]]
            strangers = [w for w in within if not adjacent[u, w]]
            precisions.append((u, 1 - len(strangers) / len(within)))
            ranks.append(1 + len(strangers))
    by_node = [np.mean([p for u, p in precisions if u == node]) for node in range(25)]
    found = neighbour_ranks(distances, adjacent, np.arange(25))
    assert np.isclose(found["mean_average_precision"], np.mean(by_node))
    assert np.isclose(found["mean_rank"], np.mean(ranks))
    theirs = distortion(distances, distances, None, adjacent)["mean_average_precision"]
    assert np.isclose(found["mean_average_precision"], theirs)


def test_tangent_distances_equal_those_of_the_hyperboloid():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(30, 3))
    points[0] = 0.0
    hyperboloid = charts.convert(points, "tangent", "hyperboloid")
    expected = lorentz.pairwise_distances(hyperboloid[:7], hyperboloid)
    assert np.allclose(tangent_distances(points[:7], points), expected, atol=1e-7)


def test_tangent_distances_far_out():
    # Twice the height of an isosceles triangle's half: sinh(d/2) = sinh(r) sin(angle/2).
    angle = 1e-8
    points = 25.0 * np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    expected = 2 * np.arcsinh(np.sinh(25.0) * np.sin(angle / 2))
    assert np.isclose(tangent_distances(points, points)[0, 1], expected, rtol=1e-7)


@pytest.mark.parametrize("laplacian", labne.LAPLACIANS)
@pytest.mark.parametrize("n", [40, 320])  # dense and iterative eigenvalues
def test_labne_equals_a_dense_construction(laplacian, n):
    data = random_graph(n, seed=n)
    adjacency = np.zeros((n, n))
    adjacency[tuple(data.edges.T)] = 1.0
    adjacency += adjacency.T
    degree = np.diag(adjacency.sum(axis=1))
    mass = degree if laplacian == "normalized" else None
    values, vectors = eigh(degree - adjacency, mass)
    slow = np.arctan2(vectors[:, 2], vectors[:, 1])
    settings = {"gamma": 2.5, "laplacian": laplacian, "radius": None}
    embedded = embed(LaBNE, data, 0, **settings)
    angle = np.arctan2(*embedded.points.T[::-1])
    turns = [np.exp(1j * (sign * slow - angle)) for sign in (1, -1)]
    # Signs of eigenvectors turn or mirror the plane: one of the two differences is constant.
    spread = min(np.abs(turn - turn[0]).max() for turn in turns)
    assert spread < 1e-6
    assert np.allclose(embedded.about["embedding"]["eigenvalues"], values[1:4], rtol=1e-7)
    order = sorted(range(n), key=lambda i: (-adjacency[i].sum(), i))
    beta = 1 / 1.5
    radii = np.zeros(n)
    for rank, node in enumerate(order, start=1):
        radii[node] = 2 * beta * np.log(rank) + 2 * (1 - beta) * np.log(n)
    assert np.allclose(np.linalg.norm(embedded.points, axis=1), radii)


@pytest.mark.parametrize("seed", [0, 1])
def test_greedy_routing_against_loops(seed):
    data = karate.load({}, 0)
    lists = graph_of(data, "test")
    rng = np.random.default_rng(seed)
    radii = radii_of(lists.degrees, 2.5)
    directions = polar_form(rng.normal(size=(34, 2)))[1]
    points = radii[:, None] * directions
    distances = tangent_distances(points, points)
    pairs = np.random.default_rng(seed)
    source = pairs.integers(34, size=300)
    target = (source + pairs.integers(1, 34, size=300)) % 34
    assert (source != target).all()
    hops = []
    for here, goal in zip(source, target, strict=True):
        count = 0
        while here != goal:
            near = lists.neighbours[lists.starts[here] : lists.starts[here + 1]]
            best = min(near, key=lambda node, goal=goal: distances[node, goal])
            if distances[best, goal] >= distances[here, goal]:
                break
            here, count = best, count + 1
        else:
            hops.append(count)
    found = greedy_routing(lists, radii, directions, seed, packets=300)
    assert found["greedy_success"] == len(hops) / 300
    assert np.isclose(found["greedy_hops"], np.mean(hops))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_sarkar_against_reflections_in_the_disk(seed):
    data = random_tree(12, seed)
    root = 3
    points = embed(TreeEmbedding, data, 0, scale=1.0, root=root).points
    lists = graph_of(data, "test")
    disk = np.zeros((12, 2))

    def place(node, parent):
        near = range(lists.starts[node], lists.starts[node + 1])
        others = [int(lists.neighbours[k]) for k in near]
        angle, first = 0.0, 0
        if parent is not None:
            # Seen from the node, the parent is where the node takes its place from the origin.
            seen = poincare.mobius_add(-disk[node], disk[parent])
            angle, first = np.arctan2(seen[1], seen[0]), others.index(parent)
        for k, child in enumerate(others):
            if child != parent:
                turn = angle + 2 * np.pi * (k - first) / len(others)
                ahead = np.tanh(lists.lengths[near[k]] / 2)
                step = ahead * np.array([np.cos(turn), np.sin(turn)])
                disk[child] = poincare.mobius_add(disk[node], step)
                place(child, node)

    place(root, None)
    assert np.allclose(charts.convert(points, "tangent", "poincare"), disk, atol=1e-9)
