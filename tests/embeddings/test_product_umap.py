"""ProductUMAP: one epoch against a slow one, isometries, clusters, neighbours, messages."""

import numba
import numpy as np
import pytest
from cases import each_of
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits
from sklearn.metrics import silhouette_score

from noneuclid import HyperbolicUMAP, ProductUMAP, geometry
from noneuclid.embeddings import ball_layout, product_layout
from noneuclid.embeddings.ball_forces import NEAREST, STRONGEST
from noneuclid.embeddings.ball_layout import Forces
from noneuclid.embeddings.distortion import distortion
from noneuclid.embeddings.product_loss import layout_of
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset

SPACES = ["H2", "S2", "E2", "H1 H3 S2 E1", "H2(-4.0) S1(0.25) E2"]
N, RNG = 30, np.random.default_rng(5)
GRAPH = csr_array(np.triu(RNG.random((N, N)) < 0.2, 1) * RNG.random((N, N)))
GRAPH = (GRAPH + GRAPH.T).tocsr()
MASS = np.asarray(GRAPH.sum(axis=1)).ravel()
KEY = np.uint64(77)
QUICK = {"n_neighbors": 8, "n_epochs": 60, "random_state": 0}
CENTRES = 6.0 * RNG.normal(size=(2, 6))
LABELS = np.arange(120) % 2
X = CENTRES[LABELS] + RNG.normal(size=(120, 6))


def parts_of(space):
    """Factors as the layout has them, and the radius of each column."""
    layout = layout_of(space)
    scales = np.array([abs(c) ** -0.5 if c else 1.0 for c in space.curvatures])
    return (*layout, scales), np.repeat(scales, layout.dimensions + (layout.signs != 0))


def moved(space, points, forces, rate):
    """Points after one step of the layout."""
    factors, radii = parts_of(space)
    out, parts = np.empty_like(points), (GRAPH.indptr, GRAPH.indices, GRAPH.data)
    product_layout.move(points / radii, parts, MASS, factors, forces, rate, KEY, 0, N, out)
    return out * radii


@numba.njit
def place_in_pool(i):
    return ball_layout.place_in_pool(KEY, i)


def sampled(i, samples):
    """Rows that push row i."""
    chosen = ball_layout.draw(N, ball_layout._POOL, KEY)
    first = place_in_pool(i)
    return np.r_[chosen, chosen[:samples]][first : first + samples]


def slow_gradient(space, points, i, forces):
    """Gradient of the terms of row i by `ProductSpace`; a push is at most `STRONGEST` long."""
    total = np.zeros(points.shape[1])
    for j in GRAPH.indices[GRAPH.indptr[i] : GRAPH.indptr[i + 1]]:
        v = float(space.distance(points[i], points[j])) ** 2
        power = forces.a * v**forces.b
        slope = GRAPH[i, j] * forces.b / (v * (1 + 1 / power))
        total -= 2 * slope * space.log_map(points[i], points[j])
    for j in sampled(i, forces.samples):
        if j == i:
            continue
        v = float(space.distance(points[i], points[j])) ** 2
        slope = forces.b / ((v + NEAREST) * (1 + forces.a * v**forces.b))
        slope *= min(1.0, STRONGEST / (2 * slope * np.sqrt(v)))
        share = forces.push * MASS[i] / forces.samples
        total += 2 * share * slope * space.log_map(points[i], points[j])
    return total


@pytest.mark.slow
@each_of("space", SPACES)
@each_of(("a", "b"), [(1.0, 1.0), (1.6, 0.8), (0.7, 0.375)])
def test_an_epoch_is_that_of_a_slow_one(space, a, b):
    space = ProductSpace(space)
    points = space.random_wrapped_normal(N, random_state=0)
    forces = Forces(a, b, push=3.0, samples=12)
    steps = [-0.1 * slow_gradient(space, points, i, forces) for i in range(N)]
    ends = [space.exp_map(x, 1e-3 * step) for x, step in zip(points, steps, strict=True)]
    lengths = 1e3 * space.distance(points, ends)
    longest = float(np.median(lengths))  # half of the steps are cut short
    found = moved(space, points, forces._replace(longest=longest), 0.1)
    for i in np.flatnonzero(lengths):
        end = space.exp_map(points[i], min(1.0, longest / lengths[i]) * steps[i])
        np.testing.assert_allclose(found[i], end, rtol=1e-8, atol=1e-8)


@each_of("space", SPACES)
@each_of("push", [0.0, 3.0])
def test_forces_are_the_gradient_of_the_loss(space, push):
    space = ProductSpace(space)
    # Points near one another, where no push is cut short.
    points = space.random_wrapped_normal(N, covariances=0.5, random_state=1)
    forces = Forces(1.3, 1.0, push=push, samples=12, longest=9.0)
    rate, small = 1e-3, 1e-5

    def loss(x, i):
        def similarity(rows):
            return 1 / (1 + forces.a * space.distance(x, points[rows]) ** 2)

        near = GRAPH.indices[GRAPH.indptr[i] : GRAPH.indptr[i + 1]]
        rows = sampled(i, forces.samples)
        rows = rows[rows != i]
        pulled = -(GRAPH[[i], near] * np.log(similarity(near))).sum()
        pushed = -np.log1p(-similarity(rows)).sum()
        return pulled + push * MASS[i] / forces.samples * pushed

    found, compared = moved(space, points, forces, rate), 0
    for i in range(N):
        others = sampled(i, forces.samples)
        apart = space.distance(points[i], points[others[others != i]])
        if push and apart.min(initial=9.0) < 0.7:  # cut short, or NEAREST matters
            continue
        step = space.log_map(points[i], found[i]) / -rate
        for e in np.random.default_rng(i).normal(size=(3, points.shape[1])):
            # Tangent: the difference of two points' logarithms is.
            e = space.log_map(points[i], space.exp_map(points[i], 0.1 * e))
            ends = [loss(space.exp_map(points[i], t * e), i) for t in (small, -small)]
            inner = sum(
                (-a[..., 0] * b[..., 0] + a[..., 1:] @ b[..., 1:]) if f.kind == "H" else a @ b
                for f, a, b in zip(space.factors, space.split(step), space.split(e), strict=True)
            )
            assert inner == pytest.approx((ends[0] - ends[1]) / (2 * small), rel=2e-2, abs=1e-3)
            compared += 1
    assert compared >= 6


def test_opposite_points_have_no_force():
    space = ProductSpace("S2")
    points = np.tile([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]], (N // 2, 1))
    np.testing.assert_array_equal(moved(space, points, Forces(push=3.0, samples=12), 0.1), points)


@each_of("space", SPACES)
def test_an_isometry_of_the_points_moves_the_step(space):
    space = ProductSpace(space)
    points = space.random_wrapped_normal(N, random_state=0)
    forces = Forces(1.0, 1.0, push=3.0)
    turn = space.random_isometry(0.7, random_state=3)
    expected = turn.transform(moved(space, points, forces, 0.1))
    np.testing.assert_allclose(moved(space, turn.transform(points), forces, 0.1), expected, 1e-7)


@each_of("space", ["H2", "S2", "E2", "H1", "S1", "H2(-0.5) S2 E1"])
def test_two_clusters_are_apart(space):
    model = ProductUMAP(space, **QUICK).fit(X)
    assert str(model.space_) == space
    model.space_.check_points(model.embedding_)
    apart = model.space_.pairwise_distances(model.embedding_)
    np.fill_diagonal(apart, 0.0)
    assert silhouette_score(apart, LABELS, metric="precomputed") > 0.3
    nearest = np.argsort(apart, axis=1)[:, 1:6]
    assert (LABELS[nearest] == LABELS[:, None]).mean() > 0.98


def test_results_depend_on_the_seed_alone(monkeypatch):
    monkeypatch.setattr(ball_layout, "_BLOCK", 50)
    one = ProductUMAP("H2 S2", **QUICK).fit_transform(X)
    np.testing.assert_array_equal(one, ProductUMAP("H2 S2", **QUICK).fit_transform(X))
    np.testing.assert_array_equal(one, ProductUMAP("H2 S2", **QUICK, n_jobs=2).fit_transform(X))
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(ProductUMAP("H2 S2", **QUICK).fit_transform(X[order]), one[order])
    other = ProductUMAP("H2 S2", **QUICK | {"random_state": 1}).fit_transform(X)
    assert not np.allclose(one, other, atol=1e-3)


def test_hyperbolic_factors_are_centred_and_charts_are_those_asked_for():
    space = ProductSpace("H2 S2", charts=("poincare", "sphere"))
    model = ProductUMAP(space, **QUICK).fit(X)
    assert model.space_ == space
    assert model.n_features_in_ == 6
    on_sheet = geometry.convert(model.embedding_[:, :2], "poincare", "hyperboloid")
    np.testing.assert_allclose(on_sheet.mean(axis=0)[1:], 0.0, atol=1e-9)


def agreement(rows, between):
    return distortion(cdist(rows, rows), between)["neighbour_agreement"]


@pytest.mark.slow
def test_as_many_neighbours_as_in_one_factor():
    rows = load_digits().data[:600]
    single = HyperbolicUMAP(random_state=0).fit_transform(rows)
    theirs = agreement(rows, geometry.pairwise_distances(single))
    model = ProductUMAP("H2", random_state=0).fit(rows)
    ours = agreement(rows, model.space_.pairwise_distances(model.embedding_))
    assert ours > theirs - 0.02


@pytest.mark.slow
def test_as_many_neighbours_as_umap_learn():
    umap = pytest.importorskip("umap", reason="umap-learn is not installed")
    rows = load_digits().data[:600]
    flat = umap.UMAP(random_state=0).fit_transform(rows)
    model = ProductUMAP("E2", random_state=0).fit(rows)
    ours = agreement(rows, model.space_.pairwise_distances(model.embedding_))
    assert ours > 0.9 * agreement(rows, cdist(flat, flat))


def test_the_workflow_gets_points_with_their_product():
    data = Dataset("d", "expression", LABELS, ("a", "b"), features=X)
    found = embed(ProductUMAP, data, 0, space="H2(-0.5) S1", n_epochs=20)
    assert found.chart == "H2(-0.5) S1"
    assert found.rule.chart == found.chart
    np.testing.assert_allclose(found.rule.place(X), found.points, rtol=1e-12)
    about = found.about["embedding"]
    expected = ProductSpace(found.chart).pairwise_distances(found.points)
    assert about["distortion"] == distortion(cdist(X, X), expected)


@each_of(
    ("settings", "message"),
    [
        ({"space": None}, "ProductUMAP: space is None; give a signature such as 'H2 S2'"),
        ({"space": 3}, "space is 3; give a signature such as"),
        ({"n_neighbors": 121}, r"ProductUMAP: n_neighbors = 121; give an integer in \[2, 120\]"),
        ({"n_epochs": 0}, "ProductUMAP: n_epochs = 0"),
        ({"b": 0.0}, "ProductUMAP: b = 0.0"),
        ({"negative_sample_rate": 0}, "ProductUMAP: negative_sample_rate = 0"),
        ({"n_pcs": 0}, "ProductUMAP: n_pcs = 0"),
    ],
)
def test_settings_out_of_range_are_named(settings, message):
    with pytest.raises(InputError, match=message):
        ProductUMAP(**settings).fit(X)


def test_rows_that_cannot_be_embedded_are_named():
    with pytest.raises(InputError, match="ProductUMAP: all rows are equal; nothing to embed"):
        ProductUMAP(n_neighbors=3).fit(np.ones((5, 2)))
    with pytest.raises(
        InputError, match=r"ProductUMAP: n_neighbors = 15; give an integer in \[2, 4\]"
    ):
        ProductUMAP().fit(X[:4])
