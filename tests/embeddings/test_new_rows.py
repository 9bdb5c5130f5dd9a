"""Rules that place new rows: exact where they are closed forms, alone, alike after storage."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from cases import each_of
from scipy.optimize import approx_fprime
from scipy.sparse.csgraph import floyd_warshall

from noneuclid import (
    Hydra,
    HyperbolicUMAP,
    LiftedPCA,
    LogRatio,
    PoincareMap,
    RefinedHydra,
    UMAPEmbedding,
)
from noneuclid.embeddings import maps
from noneuclid.embeddings.strain import least_strain, place
from noneuclid.embeddings.stress import relative_stress, row_stress
from noneuclid.embeddings.umap import UMAPMap
from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz
from noneuclid_compare import io

RNG = np.random.default_rng(3)
X = RNG.normal(size=(50, 5)) * [1.0, 20.0, 1.0, 3.0, 1.0]
X[:25, 0] += 5
NEW = RNG.normal(size=(7, 5)) * [1.0, 20.0, 1.0, 3.0, 1.0]
LARGE = {"chart": "hyperboloid", "random_state": 0}
HYDRAS = [
    {},
    {"standardize": True, "n_pcs": 3},
    {"n_components": 3, "isotropic": True},
    {"equiangular": 0.7, "standardize": True},
    {"curvature": 0.01, "n_pcs": None, "n_components": 4},
]
MODELS = [
    Hydra(**LARGE, n_neighbors=4, standardize=True, n_pcs=3, equiangular=0.5),
    RefinedHydra(**LARGE, n_neighbors=4, power=-1.0, max_iter=200),
    PoincareMap(**LARGE, n_neighbors=5, standardize=True, n_pcs=3),
    HyperbolicUMAP(**LARGE, n_neighbors=5, standardize=True, n_pcs=3, n_epochs=20),
    LiftedPCA(**LARGE, standardize=True),
    LogRatio(low=-1e3, high=1e3, chart="hyperboloid", scale=0.5),
]
pytestmark = pytest.mark.filterwarnings("ignore:L-BFGS stopped")


def points(n, d, seed):
    vectors = np.random.default_rng(seed).normal(size=(n, d))
    return charts.convert(vectors, "tangent", "hyperboloid")


@pytest.mark.parametrize("d", [1, 2, 4])
def test_points_of_hyperbolic_space_are_recovered_beside_those_of_the_fit(d):
    truth, new = points(60, d, 0), points(20, d, 1)
    found = least_strain(lorentz.pairwise_distances(truth), d)
    placed = place(found, np.cosh(lorentz.pairwise_distances(new, truth)))
    for target, result in ((truth, found.points), (new, placed)):
        wanted = lorentz.pairwise_distances(new, target)
        np.testing.assert_allclose(lorentz.pairwise_distances(placed, result), wanted, atol=1e-6)


@pytest.mark.parametrize("n", [60, 260])  # dense and iterative eigenvalues
def test_the_raw_coordinates_have_the_least_strain(n):
    truth, new = points(n, 6, 0), points(1, 6, 1)
    found = least_strain(lorentz.pairwise_distances(truth), 2)
    values, vectors = np.linalg.eigh(np.cosh(lorentz.pairwise_distances(truth)))
    fixed = vectors[:, [-1, 0, 1]] * np.sqrt(np.abs(values[[-1, 0, 1]]))
    cosines = np.cosh(lorentz.pairwise_distances(new, truth))[0]
    # cosh(d_j) = -<x, x_j>_L in the least squares sense.
    best = np.linalg.lstsq(fixed * [1.0, -1.0, -1.0], cosines)[0]
    np.testing.assert_allclose(np.abs(cosines @ found.weights), np.abs(best), rtol=1e-7)


@pytest.mark.parametrize("settings", HYDRAS)
def test_rows_of_the_fit_land_on_their_own_points(settings):
    twice = np.concatenate([X, X[:3]])
    model = Hydra(**LARGE, n_neighbors=4, **settings).fit(twice)
    rows = slice(3, 50) if "equiangular" in settings else slice(None)  # it moves equal rows apart
    own = lorentz.distance(model.transform(twice), model.embedding_)
    assert own[rows].max() < 1e-6


def test_distances_are_shortest_paths_with_one_node_more():
    model = Hydra(**LARGE, n_neighbors=4).fit(X)
    rule, n = model._rule, len(X)
    assert np.array_equal(np.sort(rule.rows, axis=0), np.sort(X, axis=0))
    order = np.array([np.flatnonzero((rule.rows == row).all(axis=1))[0] for row in X])
    for row, found in zip(NEW, rule.distances(NEW), strict=True):
        together = np.concatenate([X, row[None]])
        euclid = np.linalg.norm(together[:, None] - together, axis=2)
        graph = np.full((n + 1, n + 1), np.inf)
        for i in range(n + 1):
            others = np.sort(np.delete(euclid[i, :n], i if i < n else []))
            near = euclid[i] <= others[3]  # rows of the fit keep their edges
            near[i] = False
            graph[i, near] = graph[near, i] = euclid[i, near]
        wanted = floyd_warshall(graph)[n, :n] * np.sqrt(model.report_["kappa"])
        np.testing.assert_allclose(found[order], wanted, rtol=1e-9)


@each_of("model", MODELS, ids=lambda model: type(model).__name__)
def test_each_row_is_placed_alone_and_as_a_record_says(model, tmp_path):
    model.fit(X)
    placed = model.transform(NEW)
    charts.check_points(placed, "hyperboloid")
    exact = {"atol": 1e-12} if isinstance(model, LiftedPCA) else {"atol": 0}
    alone = np.concatenate([model.transform(row[None]) for row in NEW])
    np.testing.assert_allclose(alone, placed, rtol=0, **exact)
    np.testing.assert_allclose(model.transform(NEW[::-1]), placed[::-1], rtol=0, **exact)
    io.write_record(tmp_path / "map.npz", replace(model._rule, columns=list("abcde")))
    rule = io.read_record(tmp_path / "map.npz", maps.restore)
    assert (type(rule), rule.chart) == (type(model._rule), model.own_chart)
    again = charts.convert(rule.place(NEW), rule.chart, "hyperboloid")
    np.testing.assert_array_equal(again, placed)
    with pytest.raises(InputError, match="4 features, but the embedding was made from 5"):
        rule.place(NEW[:, 1:])
    with pytest.raises(InputError, match="row 0, column 2 is nan"):
        rule.place(np.where(np.arange(5) == 2, np.nan, NEW))


@pytest.mark.parametrize("unit", [1e-3, 1e3])
def test_the_unit_of_a_table_does_not_matter_where_columns_are_standardised(unit):
    for model in MODELS[:2]:
        model = type(model)(**model.get_params()).set_params(standardize=True)
        placed = model.fit(X).transform(NEW)
        other = model.fit(X * [unit, 1, 1, 1, 1]).transform(NEW * [unit, 1, 1, 1, 1])
        np.testing.assert_allclose(other, placed, atol=1e-5)


@pytest.mark.parametrize("power", [0.0, -1.0, -2.0])
def test_stress_of_one_row_is_its_part_of_the_stress(power):
    all_points = points(20, 2, 0)
    wanted = np.abs(lorentz.pairwise_distances(all_points) + np.diag(np.zeros(20)) + 0.1)
    wanted = (wanted + wanted.T) / 2 * (1 - np.eye(20))
    loss = row_stress(wanted[0, 1:], all_points[1:], power, 0.0)
    moved = np.concatenate([points(1, 2, 5), all_points[1:]])
    total = relative_stress(wanted, power)
    weights = np.where(wanted > 0, np.where(wanted > 0, wanted, 1.0) ** power, 0.0)
    whole = np.triu(weights * wanted**2).sum()
    change = (total(moved)[0] - total(all_points)[0]) * whole / weights[0].sum()
    assert np.isclose(loss(moved[0])[0] - loss(all_points[0])[0], change)
    gradient = approx_fprime(
        moved[0, 1:], lambda spatial: loss(lorentz.from_spatial(spatial))[0], 1e-7
    )
    ambient = loss(moved[0])[1]
    chained = ambient[1:] + ambient[0] * moved[0, 1:] / moved[0, 0]
    np.testing.assert_allclose(chained, gradient, rtol=1e-4, atol=1e-5)


def test_refined_rows_are_where_the_stress_is_least():
    model = RefinedHydra(**LARGE, n_neighbors=4).fit(X)
    rule = model._rule
    grid = np.stack(np.meshgrid(*[np.linspace(-0.98, 0.98, 60)] * 2), axis=-1).reshape(-1, 2)
    grid = charts.convert(grid[np.linalg.norm(grid, axis=1) < 0.99], "poincare", "hyperboloid")
    worse = 0
    for wanted, found in zip(rule.distances(NEW)[:, rule.node], model.transform(NEW), strict=True):
        loss = row_stress(wanted, model.embedding_, 0.0)
        worse += loss(found)[0] > min(loss(x)[0] for x in grid) + 1e-3
    assert worse == 0
    beside = lorentz.distance(model.transform(X), model.embedding_)
    assert np.median(beside) < 0.05


def test_a_graph_has_no_rule_for_new_nodes():
    for cls in (Hydra, RefinedHydra):
        model = cls(random_state=0).fit(nx.karate_club_graph())
        with pytest.raises(InputError, match="Hydra: a new node has no place without its edges"):
            model.transform(X)


def test_a_row_too_far_away_is_named():
    model = Hydra(**LARGE, n_neighbors=4).fit(X)
    with pytest.raises(InputError, match=r"row 1 lies .* hyperbolic units from every row"):
        model.transform(np.stack([X[0], X[0] + 1e6]))


class Descent:
    """What umap-learn does, without its compilation: the mean of the nearest rows."""

    def __init__(self, n_components, n_neighbors, min_dist, random_state, n_jobs, transform_mode):
        assert (n_components, random_state, n_jobs, transform_mode) == (2, 0, 1, "graph")
        self.count = n_neighbors

    def fit(self, rows):
        self.rows = rows
        return self

    def transform(self, row):
        assert (len(row), self.transform_mode) == (1, "embedding")
        order = np.argsort(np.linalg.norm(self.rows - row, axis=1))[: self.count]
        return self.embedding_[order].mean(axis=0, keepdims=True)


def test_umap_gets_its_rows_and_their_places_back(monkeypatch):
    monkeypatch.setattr("noneuclid.embeddings.umap.require_package", lambda *_: UMAP)
    flat = np.arange(100, dtype=np.float32).reshape(50, 2)
    options = {"n_components": 2, "n_neighbors": 1, "min_dist": 0.1, "random_state": 0}
    rule = UMAPMap(rows=X, options=options, flat=flat, middle=np.array([1.0, 2.0]), factor=0.5)
    np.testing.assert_array_equal(rule.place(X[4:9]), (flat[4:9] - [1.0, 2.0]) / 2)


class UMAP:
    """The module umap."""

    UMAP = Descent


@pytest.mark.slow
def test_umap_places_rows_alone_and_again_after_storage(tmp_path):
    pytest.importorskip("umap", reason="umap-learn is not installed")
    model = UMAPEmbedding(n_neighbors=8, n_pcs=3, standardize=True, random_state=0).fit(X)
    placed = model.transform(NEW)
    np.testing.assert_array_equal(model.transform(NEW[::-1]), placed[::-1])
    io.write_record(tmp_path / "map.npz", model._rule)
    rule = io.read_record(tmp_path / "map.npz", maps.restore)
    again = charts.convert(rule.place(NEW), rule.chart, "poincare")
    np.testing.assert_array_equal(again, placed)
