"""New rows in products: least loss, known answers, invariances, each alone, storage, messages."""

import pickle
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from cases import each_of
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline

from noneuclid import GeodesicKNeighborsClassifier, ProductEmbedding, ProductUMAP
from noneuclid.embeddings import ball_layout, maps, product_layout, product_loss, product_maps
from noneuclid.embeddings.ball_forces import NEAREST, STRONGEST
from noneuclid.embeddings.ball_layout import Forces
from noneuclid.embeddings.product_maps import ProductEmbeddingMap, UnitFactors
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace
from noneuclid_compare import io

SPACES = ["H2", "S2", "E2", "S1", "H1 S3 E1", "H2(-4.0) S1(0.25) E2"]
RNG = np.random.default_rng(3)
X = RNG.normal(size=(60, 5)) * [1.0, 20.0, 1.0, 3.0, 1.0]
X[:25, 0] += 5
NEW = RNG.normal(size=(7, 5)) * [1.0, 20.0, 1.0, 3.0, 1.0]
QUICK = {"n_init": 1, "max_iter": 50, "random_state": 0}
UMAP = {"n_neighbors": 6, "n_epochs": 40, "random_state": 0}
MODELS = [
    ProductEmbedding("H2 S1", standardize=True, **QUICK),
    ProductEmbedding("S2 E1", metric="cosine", **QUICK),
    ProductUMAP("H2 S1", standardize=True, n_pcs=3, **UMAP),
    ProductUMAP("S2(4.0) E1", **UMAP),
]
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def drawn(signature, n, seed):
    space = ProductSpace(signature)
    return space, space.random_wrapped_normal(n, covariances=0.4, random_state=seed)


def map_of(space, points):
    """The rule of an embedding of distances."""
    rows = np.empty((0, len(points)))
    return ProductEmbeddingMap(metric="precomputed", rows=rows, points=points, chart=str(space))


def noisy(signature, n=25, m=4):
    """Old points, and distances of new ones to them that no place has."""
    space, old = drawn(signature, n, 0)
    _, new = drawn(signature, m, 1)
    factors = np.random.default_rng(2).uniform(0.8, 1.25, size=(m, n))
    return space, old, space.pairwise_distances(new, old) * factors


def stress(space, point, old, wanted):
    """Through the public distance."""
    return np.mean((space.distance(point, old) / wanted - 1) ** 2)


@each_of("signature", SPACES)
def test_the_stress_of_a_row_is_its_part_of_that_of_all(signature):
    space, old, wanted = noisy(signature)
    point = drawn(signature, 1, 5)[1]
    fixed = UnitFactors.of(signature, np.concatenate([old, point]))
    n, factors = len(old), (*fixed.layout, fixed.scales)
    gradient, expected = np.empty(old.shape[1]), np.empty_like(fixed.points)
    columns = np.ascontiguousarray(fixed.points[:n].T)
    found = product_maps.row_stress(fixed.points[n], columns, wanted[0], factors, gradient)
    assert found == pytest.approx(stress(space, point, old, wanted[0]), rel=1e-10)
    pairs = np.full(n, n), np.arange(n), wanted[0]
    slope = np.empty(len(fixed.scales))
    product_loss.relative_stress(
        fixed.points, fixed.scales, *pairs, *fixed.layout, expected, slope
    )  # fmt: skip
    # Ambient gradients differ off the space: compared are those in a frame.
    local = [np.zeros((1, sum(fixed.layout.dimensions)))] * 2
    pulled = [np.empty_like(part) for part in local]
    base = fixed.points[n:]
    for ambient, out in zip((gradient[None], expected[n:]), pulled, strict=True):
        product_loss.pull_back(base, local[0], base, ambient, *fixed.layout, out)
    np.testing.assert_allclose(*pulled, rtol=1e-8, atol=1e-10)


@each_of("signature", SPACES)
def test_new_points_at_exact_distances_are_found(signature):
    space, old = drawn(signature, 30, 0)
    _, new = drawn(signature, 8, 1)
    found = map_of(space, old).place(space.pairwise_distances(new, old))
    space.check_points(found)
    assert space.distance(found, new).max() < 1e-5


def plain_stress(space, flat, old, wanted):
    """By textbook formulas, at the point of free coordinates: a sphere has one too many."""
    total, k = 0.0, 0
    for factor, others in zip(space.factors, space.split(old), strict=True):
        width = factor.dimension + (factor.kind == "S")
        x, k = flat[k : k + width], k + width
        root = np.sqrt(abs(factor.curvature))
        if factor.kind == "E":
            total = total + ((others - x) ** 2).sum(axis=1)
        elif factor.kind == "S":
            cosine = root * others @ x / np.linalg.norm(x)
            total = total + (np.arccos(np.clip(cosine, -1, 1)) / root) ** 2
        else:
            time = np.sqrt(1 / root**2 + x @ x)
            cosine = root**2 * (time * others[:, 0] - others[:, 1:] @ x)
            total = total + (np.arccosh(np.maximum(cosine, 1)) / root) ** 2
    return np.mean((np.sqrt(total) / wanted - 1) ** 2)


def free(space, point):
    """Coordinates of a point that `plain_stress` reads."""
    parts = zip(space.factors, space.split(point), strict=True)
    return np.concatenate([block[factor.kind == "H" :] for factor, block in parts])


@each_of("signature", SPACES)
def test_no_place_has_less_stress(signature):
    space, old, wanted = noisy(signature)
    found = map_of(space, old).place(wanted)
    starts = [free(space, x) for x in np.concatenate([drawn(signature, 8, 7)[1], old[:4]])]
    for place, goal in zip(found, wanted, strict=True):
        least = stress(space, place, old, goal)

        def slow(flat, goal=goal):
            return plain_stress(space, flat, old, goal)

        assert slow(free(space, place)) == pytest.approx(least, rel=1e-6)
        others = [minimize(slow, start, method="BFGS", tol=1e-7) for start in starts]
        assert least <= min(other.fun for other in others) + 1e-8


@each_of(
    ("signature", "place"),
    [
        ("E1", lambda t: np.array([2 * t])),
        ("H1", lambda t: np.array([np.cosh(t), np.sinh(t)])),
        ("S1", lambda t: np.array([np.cos(t), np.sin(t)])),
    ],
)
@each_of("seed", [15, 23])  # from the nearest point alone, some descents end elsewhere
def test_places_on_a_line_are_the_best_of_all(signature, place, seed):
    space = ProductSpace(signature)
    old = space.random_wrapped_normal(8, random_state=seed)
    wanted = space.pairwise_distances(space.random_wrapped_normal(5, random_state=seed + 100), old)
    wanted *= np.random.default_rng(seed).uniform(0.7, 1.4, wanted.shape)
    everywhere = place(np.linspace(-np.pi, np.pi, 4001)).T
    apart = space.pairwise_distances(everywhere, old)
    for point, goal in zip(map_of(space, old).place(wanted), wanted, strict=True):
        best = np.mean((apart / goal - 1) ** 2, axis=1).min()
        assert stress(space, point, old, goal) <= best + 1e-9


@each_of("signature", SPACES)
def test_the_middle_of_two_points_is_that_of_their_geodesic(signature):
    fixed = UnitFactors.of(signature, drawn(signature, 2, 3)[1])
    found = product_maps._middle(fixed.points, fixed.layout)
    ends = [
        product_maps.row_stress(
            found, fixed.points[[k]].T.copy(), np.ones(1), (*fixed.layout, fixed.scales),
            np.empty(len(found)),
        )
        for k in (0, 1)
    ]  # fmt: skip
    half = ProductSpace(signature).distance(*fixed.in_space(fixed.points)) / 2
    np.testing.assert_allclose(ends, (half - 1) ** 2, rtol=1e-7)
    ProductSpace(signature).check_points(fixed.in_space(found[None]))


def test_opposite_points_of_a_sphere_have_no_middle():
    fixed = UnitFactors.of("S1", np.array([[0.0, 1.0], [0.0, -1.0]]))
    np.testing.assert_array_equal(product_maps._middle(fixed.points, fixed.layout), [0.0, 1.0])


@each_of("signature", SPACES)
def test_an_isometry_of_the_points_and_another_order_of_them_change_nothing(signature):
    space, old, wanted = noisy(signature)
    found = map_of(space, old).place(wanted)
    turn = space.random_isometry(0.7, random_state=3)
    turned = map_of(space, turn.transform(old)).place(wanted)
    assert space.distance(turned, turn.transform(found)).max() < 1e-4
    order = np.random.default_rng(0).permutation(len(old))
    again = map_of(space, old[order]).place(wanted[:, order])
    assert space.distance(again, found).max() < 1e-4


def test_the_unit_of_the_distances_is_that_of_the_points():
    space, old, wanted = noisy("H2 S2 E1")
    found = map_of(space, old).place(wanted)
    wide = ProductSpace("H2 S2 E1", curvatures=np.array(space.curvatures) / 1024**2)
    np.testing.assert_allclose(
        map_of(wide, 1024 * old).place(1024 * wanted), 1024 * found, rtol=1e-9
    )


@each_of("model", MODELS)
def test_rows_of_the_fit_land_on_their_own_points(model):
    points = model.fit(X).embedding_
    np.testing.assert_allclose(model.transform(X), points, rtol=1e-12, atol=1e-12)
    assert (model.transform(X + 0.01) != points).any(axis=1).all()


def test_rows_in_one_direction_are_at_no_distance_of_angles():
    twice = np.concatenate([X, 2.7 * X])
    for metric, rows in (("cosine", twice), ("correlation", 1.0 - twice)):
        model = ProductEmbedding("S2", metric=metric, **QUICK).fit(rows)
        assert model.report_["pairs"] == 120 * 119 // 2 - 60
        np.testing.assert_allclose(model.transform(rows[60:]), model.transform(rows[:60]), 1e-12)


@each_of("model", MODELS)
def test_a_row_that_came_twice_lands_on_one_of_its_points(model):
    points = model.fit(np.concatenate([X, X[:9]])).embedding_
    found = model.transform(X[:9])
    gaps = np.minimum(
        np.abs(found - points[:9]).max(axis=1), np.abs(found - points[60:]).max(axis=1)
    )
    assert gaps.max() < 1e-9


def test_a_row_at_no_distance_lands_where_the_loss_is_least():
    space, old = drawn("H2 S1", 20, 0)
    twice = np.concatenate([space.random_isometry(2.0, random_state=0).transform(old[:1]), old])
    wanted = space.pairwise_distances(old[:1], twice)
    wanted[0, :2] = 0.0
    for order in (np.arange(21), np.arange(21)[::-1]):
        found = map_of(space, twice[order]).place(wanted[:, order])
        np.testing.assert_allclose(found, old[:1], rtol=1e-12, atol=1e-12)


@each_of("model", MODELS)
def test_each_row_is_placed_alone_and_as_a_record_says(model, tmp_path):
    placed = model.fit(X).transform(NEW)
    assert placed.shape == (7, model.embedding_.shape[1])
    model.space_.check_points(placed)
    alone = np.concatenate([model.transform(row[None]) for row in NEW])
    np.testing.assert_array_equal(alone, placed)
    np.testing.assert_array_equal(model.transform(NEW[::-1]), placed[::-1])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).transform(NEW), placed)
    io.write_record(tmp_path / "map.npz", replace(model._rule, columns=list("abcde")))
    rule = io.read_record(tmp_path / "map.npz", maps.restore)
    assert (type(rule), rule.chart) == (type(model._rule), str(model.space_))
    np.testing.assert_allclose(rule.place(NEW), placed, rtol=1e-12, atol=1e-12)
    with pytest.raises(InputError, match="4 features, but the embedding was made from 5"):
        rule.place(NEW[:, 1:])
    with pytest.raises(InputError, match="row 0, column 2 is nan"):
        rule.place(np.where(np.arange(5) == 2, np.nan, NEW))


@each_of("model", [MODELS[0], MODELS[2]])
def test_new_rows_come_in_the_charts_of_the_space(model):
    placed = model.fit(X).transform(NEW)
    space = ProductSpace("H2 S1", charts=["poincare", "tangent"])
    other = type(model)(**model.get_params() | {"space": space}).fit(X)
    assert other.space_.charts == space.charts
    expected = model.space_.convert(placed, space.charts)
    np.testing.assert_allclose(other.transform(NEW), expected, rtol=1e-9, atol=1e-12)
    # A later parameter does not change what was fitted.
    other.set_params(space="E2")
    np.testing.assert_allclose(other.transform(NEW), expected, rtol=1e-9, atol=1e-12)


def test_distances_and_rows_are_placed_alike():
    of_rows = ProductEmbedding("H2 E1", **QUICK).fit(X)
    given = ProductEmbedding("H2 E1", metric="precomputed", **QUICK).fit(cdist(X, X))
    np.testing.assert_allclose(
        given.transform(cdist(NEW, X)), of_rows.transform(NEW), rtol=1e-6, atol=1e-6
    )


def test_distances_are_cut_by_rows_and_columns_in_cross_validation():
    labels = np.arange(60) < 25
    rows = X / [1, 20, 1, 3, 1]
    model = ProductEmbedding("E2", **QUICK)
    answers = [
        cross_val_predict(
            make_pipeline(
                model.set_params(metric=metric),
                GeodesicKNeighborsClassifier(space="E2"),
            ),
            given, labels, cv=3,
        )
        for metric, given in (("euclidean", rows), ("precomputed", cdist(rows, rows)))
    ]  # fmt: skip
    np.testing.assert_array_equal(*answers)
    assert (answers[0] == labels).mean() > 0.9


def test_new_rows_of_clusters_have_the_labels_of_their_neighbours():
    rng = np.random.default_rng(0)
    labels = np.arange(300) % 6
    rows = 4.0 * rng.normal(size=(6, 8))[labels] + rng.normal(size=(300, 8))
    for model in (
        ProductUMAP("H2 S2", n_epochs=100, random_state=0),
        ProductEmbedding("H2 S2", n_init=2, max_iter=100, random_state=0),
    ):
        model.fit(rows[:200])
        knn = GeodesicKNeighborsClassifier(space=model.space_).fit(model.embedding_, labels[:200])
        assert knn.score(model.transform(rows[200:]), labels[200:]) > 0.95


def slow_places(space, points, nearest, weights, forces, rate, steps):
    """As `product_layout.settle`, by the functions of `ProductSpace`."""
    found = []
    for near, weight in zip(nearest, weights, strict=True):
        losses = [
            (weight * np.log1p(forces.a * space.distance(x, points[near]) ** (2 * forces.b))).sum()
            for x in points[near]
        ]
        x = points[near[int(np.argmin(losses))]]
        for t in range(steps):
            total = np.zeros(len(x))
            for j, w in zip(near, weight, strict=True):
                v = float(space.distance(x, points[j])) ** 2
                if v > 0:
                    slope = w * forces.b / (v * (1 + 1 / (forces.a * v**forces.b)))
                    total -= 2 * slope * space.log_map(x, points[j])
            for j in ball_layout.draw(len(points), forces.samples, np.uint64(t)):
                v = float(space.distance(x, points[j])) ** 2
                if v > 0:
                    slope = forces.b / ((v + NEAREST) * (1 + forces.a * v**forces.b))
                    slope *= min(1.0, STRONGEST / (2 * slope * np.sqrt(v)))
                    share = forces.push * weight.sum() / forces.samples
                    total += 2 * share * slope * space.log_map(x, points[j])
            x = space.exp_map(x, -rate * (1 - t / steps) * total)
        found.append(x)
    return np.array(found)


@each_of("signature", SPACES)
def test_places_of_least_loss_are_those_of_a_slow_search(signature):
    space, points = drawn(signature, 40, 0)
    rng = np.random.default_rng(1)
    nearest = np.array([rng.permutation(40)[:6] for _ in range(5)])
    weights, forces = rng.uniform(0.1, 1, size=(5, 6)), Forces(1.3, 1.0, push=3.0, samples=12)
    fixed, out = UnitFactors.of(signature, points), np.empty((5, points.shape[1]))
    factors = (*fixed.layout, fixed.scales)
    product_layout.settle(nearest, weights, fixed.points, factors, forces, 0.01, 4, out)
    expected = slow_places(space, points, nearest, weights, forces, 0.01, 4)
    np.testing.assert_allclose(fixed.in_space(out), expected, rtol=1e-7, atol=1e-9)


def test_new_rows_do_not_depend_on_the_order_of_the_fit():
    order = np.random.default_rng(0).permutation(len(X))
    for model in MODELS[2:]:
        placed = model.fit(X).transform(NEW)
        np.testing.assert_array_equal(model.fit(X[order]).transform(NEW), placed)


def test_a_graph_has_no_rule_for_new_nodes():
    model = ProductEmbedding("H2", **QUICK).fit(nx.path_graph(6))
    with pytest.raises(InputError, match="ProductEmbedding: a new node has no place without its"):
        model.transform(X)


def test_distances_that_are_none_are_named():
    model = ProductEmbedding("H2", metric="precomputed", **QUICK).fit(cdist(X, X))
    given = cdist(NEW, X)
    given[4, 2] = -1.0
    with pytest.raises(InputError, match=r"row 4, column 2 is -1.0; give distances to the rows of"):
        model.transform(given)
    with pytest.raises(ValueError, match="X has 59 features, but ProductEmbedding is expecting 60"):
        model.transform(given[:, 1:])
    given[4, 2] = np.inf
    with pytest.raises(InputError, match="row 4, column 2"):
        model.transform(given)


def test_a_row_without_a_distance_is_named():
    model = MODELS[1].fit(X)
    with pytest.raises(InputError, match="row 2 has no cosine distance to others; drop it, or set"):
        model.transform(NEW * (np.arange(7) != 2)[:, None])


def test_a_row_too_far_for_a_hyperbolic_factor_is_named_and_a_flat_one_takes_it():
    far = np.concatenate([NEW[:1], NEW[1:2] + 1e5])
    for space in ("H2", "H2 S1"):
        model = ProductEmbedding(space, **QUICK).fit(X)
        with pytest.raises(InputError, match=r"row 1 lies .* hyperbolic units from every row"):
            model.transform(far)
    model = ProductEmbedding("H2 E1", **QUICK).fit(X)
    reached = model.space_.pairwise_distances(model.transform(far)[1:], model.embedding_)
    np.testing.assert_allclose(reached, cdist(far[1:], X), rtol=0.01)
    # As far as it can be, and still a point.
    model = ProductEmbedding("H2", **QUICK).fit(X)
    unit = abs(model.space_.curvatures[0]) ** -0.5
    placed = model.transform(X[:1] + 35.0 * unit * np.eye(5)[:1])
    model.space_.check_points(placed)
    assert model.space_.pairwise_distances(placed, model.embedding_).min() > 25 * unit


@each_of(("far", "error"), [(16.0, 1e-6), (24.0, 1e-2), (32.0, 1e-2)])
def test_rows_far_out_are_at_their_distances(far, error):
    space = ProductSpace("H2")
    old = space.random_wrapped_normal(40, random_state=1)
    new = np.array([np.cosh(far), 0.6 * np.sinh(far), 0.8 * np.sinh(far)])
    # By products: differences of coordinates lose these digits.
    wanted = np.arccosh(old[:, 0] * new[0] - old[:, 1:] @ new[1:])
    placed = map_of(space, old).place(wanted[None])[0]
    found = np.arccosh(old[:, 0] * placed[0] - old[:, 1:] @ placed[1:])
    np.testing.assert_allclose(found, wanted, rtol=error)
