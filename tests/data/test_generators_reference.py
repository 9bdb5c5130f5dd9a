"""Generators against slow loops that spell out the definitions, on the same random numbers."""

import math

import networkx
import numpy as np
import pytest
from cases import each_of
from scipy.integrate import quad
from scipy.stats import chisquare, ks_2samp

from noneuclid.errors import InputError
from noneuclid_compare.data.generators import (
    lifted_gaussians,
    popularity_similarity,
    random_tree,
    wrapped_normal_mixture,
)


def plane_distance(r, s, angle):
    """Hyperbolic law of cosines."""
    value = math.cosh(r) * math.cosh(s) - math.sinh(r) * math.sinh(s) * math.cos(angle)
    return math.acosh(max(value, 1.0))


def literal_network(n, links, exponent, angles):
    """The growing model at temperature zero, one node and one distance at a time."""
    beta = 1 / (exponent - 1)
    edges = []
    for t in range(1, n + 1):
        r_t = 2 * math.log(t)
        distances = []
        for s in range(1, t):
            r_s = beta * 2 * math.log(s) + (1 - beta) * r_t
            apart = abs(angles[s - 1] - angles[t - 1])
            apart = math.pi - abs(math.pi - apart)
            distances.append((plane_distance(r_s, r_t, apart), s - 1))
        edges += [(s, t - 1) for _, s in sorted(distances)[:links]]
    return sorted(edges)


@each_of("exponent", [2.0, 2.25, 3.0])
@each_of("links", [1, 2, 4])
@each_of("seed", range(3))
def test_cold_network_is_the_literal_one(exponent, links, seed):
    grown = popularity_similarity.grow(60, links, exponent, 0.0, np.random.default_rng(seed))
    edges, _, angles = grown
    assert sorted(map(tuple, edges.tolist())) == literal_network(60, links, exponent, angles)


def fermi(t, links, exponent, temperature, angles):
    """Probability that node t, once it meets an older node, links to it."""
    beta = 1 / (exponent - 1)
    r_t = 2 * math.log(t)
    older = (1 - math.exp(-(1 - beta) * r_t / 2)) / (1 - beta)
    scale = 2 * temperature / math.sin(temperature * math.pi)
    horizon = r_t - 2 * math.log(scale * older / links)
    result = []
    for s in range(1, t):
        r_s = beta * 2 * math.log(s) + (1 - beta) * r_t
        x = plane_distance(r_s, r_t, angles[s - 1] - angles[t - 1])
        result.append(1 / (1 + math.exp((x - horizon) / (2 * temperature))))
    return np.array(result)


@pytest.mark.parametrize("temperature", [0.1, 0.5, 0.9])
def test_warm_network_is_the_race_of_exponentials(temperature):
    n, links, exponent = 60, 2, 2.25
    rng = np.random.default_rng(3)
    edges, _, angles = popularity_similarity.grow(n, links, exponent, temperature, rng)
    rng = np.random.default_rng(3)
    assert np.array_equal(rng.uniform(0, 2 * np.pi, n), angles)
    expected = [(0, 1), (0, 2), (1, 2)]
    for t in range(4, n + 1):
        arrival = rng.standard_exponential(t - 1) / fermi(t, links, exponent, temperature, angles)
        expected += [(int(s), t - 1) for s in np.argsort(arrival)[:links]]
    assert sorted(map(tuple, edges.tolist())) == sorted(expected)


@pytest.mark.parametrize("temperature", [0.2, 0.7])
def test_race_has_the_law_of_meeting_at_random(temperature):
    # The last of six nodes links to two of five; the angles stay, the rest is drawn anew.
    links, exponent, draws = 2, 2.25, 4000
    angles = np.random.default_rng(0).uniform(0, 2 * np.pi, 6)
    p = fermi(6, links, exponent, temperature, angles)
    rng = np.random.default_rng(1)
    pairs = np.zeros((5, 5))
    for _ in range(draws):
        linked = set()
        while len(linked) < links:
            met = int(rng.integers(5))
            if met not in linked and rng.random() < p[met]:
                linked.add(met)
        pairs[min(linked), max(linked)] += 1

    class Fixed(np.random.Generator):
        def uniform(self, low, high, size):
            return angles

    fixed = Fixed(np.random.PCG64(2))
    raced = np.zeros((5, 5))
    for _ in range(draws):
        edges, _, _ = popularity_similarity.grow(6, links, exponent, temperature, fixed)
        (a, _), (b, _) = edges[-2:]
        raced[a, b] += 1
    # The probability of a pair, first one and then the other, among all.
    total = p.sum()
    exact = np.array(
        [
            p[i] * p[j] / total * (1 / (total - p[i]) + 1 / (total - p[j]))
            for i in range(5)
            for j in range(i + 1, 5)
        ]
    )
    upper = np.triu_indices(5, 1)
    assert exact.sum() == pytest.approx(1.0)
    for counts in (pairs, raced):
        keep = exact * draws > 5
        observed = np.append(counts[upper][keep], counts[upper][~keep].sum())
        wanted = np.append(exact[keep], exact[~keep].sum()) * draws
        assert chisquare(observed[wanted > 0], wanted[wanted > 0]).pvalue > 1e-3


@each_of("temperature", [0.0, 0.3, 0.6])
@each_of("exponent", [2.0, 2.25, 3.0])
def test_reach_holds_the_expected_links(temperature, exponent):
    t, links = 2000, 3
    beta = 1 / (exponent - 1)
    r_t = 2 * math.log(t)
    horizon = popularity_similarity.reach(r_t, links, beta, temperature)
    # Not the oldest nodes: the formula takes sinh for half of exp and angles for their sines.
    ages = np.geomspace(10, t, 60)
    means = []
    for s in ages:
        r_s = beta * 2 * math.log(s) + (1 - beta) * r_t

        def probability(angle, r_s=r_s):
            excess = plane_distance(r_s, r_t, angle) - horizon
            if temperature == 0:
                return float(excess < 0)
            return 1 / (1 + math.exp(min(excess / (2 * temperature), 700)))

        # In the logarithm of the angle, where the decay is spread out.
        mean, _ = quad(
            lambda u, p=probability: p(math.exp(u)) * math.exp(u) / math.pi,
            -16,
            math.log(math.pi),
            limit=200,
            epsrel=1e-4,
        )
        means.append(mean)
    share = quad(lambda s: s**-beta, 10, t)[0] / quad(lambda s: s**-beta, 1, t)[0]
    assert np.trapezoid(means * ages, np.log(ages)) == pytest.approx(links * share, rel=0.03)


def literal_label(edges, n, probability, rng):
    """Replay of the growth: link by link, in the order in which they came."""
    pioneer = rng.integers(n)
    coins = rng.random(len(edges)) < probability
    tagged = {int(pioneer)}
    for (older, newer), coin in zip(edges.tolist(), coins, strict=True):
        if older in tagged and coin:
            tagged.add(newer)
    return tagged


@pytest.mark.parametrize("bounds", [(1, 150), (10, 40)])
def test_labels_are_the_replay(bounds):
    n = 150
    edges, _, _ = popularity_similarity.grow(n, 2, 2.25, 0.0, np.random.default_rng(0))
    fast = popularity_similarity.spread_labels(edges, n, 30, *bounds, 0.8, np.random.default_rng(9))
    rng = np.random.default_rng(9)
    for label in fast.T:
        tagged = literal_label(edges, n, 0.8, rng)
        while not bounds[0] <= len(tagged) <= bounds[1]:
            tagged = literal_label(edges, n, 0.8, rng)
        assert set(np.flatnonzero(label).tolist()) == tagged


def test_subtrees_are_those_of_the_graph():
    rng = np.random.default_rng(0)
    for n in (2, 3, 50, 200):
        parents = random_tree.grow(n, rng)
        graph = networkx.DiGraph(zip(parents.tolist(), range(1, n), strict=True))
        sizes = random_tree.subtree_sizes(parents)
        for node in range(n):
            inside = {node} | networkx.descendants(graph, node)
            assert sizes[node] == len(inside)
            marked = np.flatnonzero(random_tree.subtree(parents, node))
            assert set(marked.tolist()) == inside


def test_recursive_trees_are_as_deep_as_a_loop_makes_them():
    rng = np.random.default_rng(1)

    def deepest(parents):
        depth = [0]
        for parent in parents:
            depth.append(depth[parent] + 1)
        return max(depth)

    fast = [deepest(random_tree.grow(200, rng)) for _ in range(300)]
    slow = [deepest([int(rng.random() * t) for t in range(1, 200)]) for _ in range(300)]
    assert ks_2samp(fast, slow).pvalue > 1e-3


def test_lifted_rows_one_by_one():
    data = lifted_gaussians.load({}, 11, n_classes=3, n_samples_per_class=4, n_features=3)
    rng = np.random.default_rng(11)
    centres = rng.standard_normal((3, 3))
    for row, label in zip(data.features, data.labels, strict=True):
        v = [c + 0.4 * z for c, z in zip(centres[label], rng.standard_normal(3), strict=True)]
        length = math.sqrt(sum(x * x for x in v))
        expected = [math.cosh(length), *(math.sinh(length) * x / length for x in v)]
        assert np.allclose(row, expected, rtol=1e-13)


@pytest.mark.parametrize(("classes", "per_class", "dimension"), [(2, 100, 2), (3, 5, 3)])
def test_lifted_rows_of_a_seed_of_the_program(classes, per_class, dimension):
    # src/data/synthetic.py, lines 28 to 48, class after class.
    np.random.seed(2)  # noqa: NPY002
    centres = np.random.randn(classes, dimension)  # noqa: NPY002
    parts = [
        np.random.normal(size=(per_class, dimension), scale=0.7) + centre  # noqa: NPY002
        for centre in centres
    ]
    vectors = np.vstack(parts)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = np.hstack([np.cosh(length), np.sinh(length) * vectors / length])
    sizes = {"n_classes": classes, "n_samples_per_class": per_class, "n_features": dimension}
    for seed in (0, 1):
        data = lifted_gaussians.load({}, seed, **sizes, scale=0.7, released_seed=2)
        np.testing.assert_allclose(data.features, expected, rtol=1e-13)
        np.testing.assert_array_equal(data.labels, np.repeat(np.arange(classes), per_class))
        assert data.about["settings"]["released_seed"] == 2


@pytest.mark.parametrize("wrong", [-1, 2**32, 1.5, "2"])
def test_a_seed_of_the_program_is_a_whole_number_of_32_bits(wrong):
    with pytest.raises(InputError, match=r"lifted_gaussians: released_seed"):
        lifted_gaussians.load({}, 0, released_seed=wrong)


def test_wrapped_rows_by_the_formulas_of_nagano():
    # z = cosh(|u|) m + sinh(|u|) u / |u|, u = v + <m, v>_L (o + m) / (1 - <o, m>_L) at K = 1.
    data = wrapped_normal_mixture.load({}, 5, n_samples=40, n_classes=3, n_features=3)
    rng = np.random.default_rng(5)
    tangents = rng.standard_normal((3, 3))
    factors = rng.standard_normal((3, 3, 3)) * math.sqrt(2.0 / 3)
    weights = rng.random(3)
    labels = rng.choice(3, size=40, p=weights / weights.sum())
    assert np.array_equal(labels, data.labels)

    def lorentz(x, y):
        return -x[0] * y[0] + sum(a * b for a, b in zip(x[1:], y[1:], strict=True))

    origin = np.array([1.0, 0, 0, 0])
    for k in range(3):
        length = np.linalg.norm(tangents[k])
        mean = np.array([math.cosh(length), *(math.sinh(length) / length * tangents[k])])
        assert np.allclose(data.about["covariances"][k], factors[k] @ factors[k].T)
        for row in data.features[labels == k]:
            v = np.array([0.0, *(factors[k] @ rng.standard_normal(3))])
            u = v + lorentz(mean, v) / (1 - lorentz(origin, mean)) * (origin + mean)
            size = math.sqrt(lorentz(u, u))
            expected = math.cosh(size) * mean + math.sinh(size) / size * u
            assert np.allclose(row, expected, rtol=1e-9)
