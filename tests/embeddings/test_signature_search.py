"""The choice of a signature: known products, intervals, held-out pairs, bad input."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from scipy.stats import t as student

from noneuclid import SignatureSearch
from noneuclid.embeddings import signature_search
from noneuclid.embeddings.product_embedding import embed, pairs_of
from noneuclid.embeddings.product_loss import Pairs
from noneuclid.embeddings.signature_search import NONE, fill_in, interval, without_groups
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace, delta_hyperbolicity, sectional_curvature

FAST = {"metric": "precomputed", "n_splits": 2, "n_init": 4, "max_iter": 200, "random_state": 0}


def distances_of(signature, n=40, seed=0, **options):
    space = ProductSpace(signature)
    return space.pairwise_distances(space.random_wrapped_normal(n, random_state=seed, **options))


@pytest.mark.parametrize("truth", ["H2", "S2", "E2"])
def test_the_product_of_exact_distances_is_found(truth):
    search = SignatureSearch(2, **FAST).fit(distances_of(truth))
    wanted = NONE if truth == "E2" else ProductSpace(truth).signature
    assert search.best_signature_ == wanted
    row = {row["signature"]: row for row in search.table_}[ProductSpace(truth).signature]
    assert row["distortion"] < 0.02
    np.testing.assert_allclose(row["curvatures"], ProductSpace(truth).curvatures, atol=0.05)


def test_no_curvature_is_seen_in_points_close_to_each_other():
    distances = distances_of("H2", covariances=1e-3)
    noise = np.exp(0.1 * np.triu(np.random.default_rng(0).standard_normal((40, 40)), 1))
    search = SignatureSearch(2, **FAST).fit(distances * noise * noise.T)
    assert search.best_signature_ == NONE
    assert "E2" in (search.table_[0]["signature"], *search.ties_)


def test_the_table_is_sorted_and_the_flat_difference_is_zero():
    search = SignatureSearch(2, **FAST | {"n_splits": 5}).fit(distances_of("S2"))
    rows = search.table_
    assert all(a["distortion"] <= b["distortion"] for a, b in pairwise(rows))
    flat = {row["signature"]: row for row in rows}[search.flat_]
    assert flat["difference"] == flat["difference_low"] == flat["difference_high"] == 0
    for row in rows:
        assert row["low"] <= row["distortion"] <= row["high"]
        assert row["difference_low"] <= row["difference"] <= row["difference_high"]
        assert row["difference"] == pytest.approx(row["distortion"] - flat["distortion"])
    assert rows[0]["signature"] == search.best_signature_ == "S2"
    assert not search.ties_


def test_held_out_distances_enter_neither_start_nor_loss(monkeypatch):
    distances = distances_of("H2", 20)
    seen = []

    def spy(filled, pairs, space, **options):
        seen.append((filled.copy(), pairs))
        raise StopIteration

    monkeypatch.setattr(signature_search, "embed", spy)
    search, changed = SignatureSearch(2, **FAST), distances.copy()
    with pytest.raises(StopIteration):
        search.fit(distances)
    first, pairs = seen[0]
    known = np.eye(20, dtype=bool)
    known[pairs.left, pairs.right] = known[pairs.right, pairs.left] = True
    assert known.sum() == 20 + 2 * 95
    changed[~known] *= 3
    with pytest.raises(StopIteration):
        search.fit(changed)
    np.testing.assert_array_equal(seen[1][0], first)
    np.testing.assert_array_equal(seen[1][1].wanted, pairs.wanted)


def test_each_pair_is_held_out_once():
    distances = distances_of("S2", 15)
    search = SignatureSearch(2, **FAST | {"n_splits": 3, "n_init": 1, "max_iter": 5})
    errors, parts, *_ = search._held_out(distances, [ProductSpace("E2")], 0, "")
    assert np.isnan(errors[0]).sum() == np.isnan(parts).sum() == 15
    assert [(parts == part).sum() for part in range(3)] == [70, 70, 70]
    np.testing.assert_array_equal(errors[0], errors[0].T)


def test_filled_distances_lie_within_the_bounds_of_triangles():
    distances = distances_of("H2", 12)
    held = Pairs(np.array([0, 1]), np.array([5, 7]), distances[[0, 1], [5, 7]])
    filled = fill_in(distances, held)
    for i, j in ((0, 5), (1, 7)):
        others = [k for k in range(12) if {(i, k), (k, j)}.isdisjoint({(0, 5), (1, 7)})]
        others = [k for k in others if k not in (i, j)]
        low = max(abs(distances[i, k] - distances[j, k]) for k in others)
        high = min(distances[i, k] + distances[j, k] for k in others)
        assert filled[i, j] == filled[j, i] == pytest.approx((low + high) / 2)
        assert low <= distances[i, j] <= high
    filled[[0, 5, 1, 7], [5, 0, 7, 1]] = distances[[0, 5, 1, 7], [5, 0, 7, 1]]
    np.testing.assert_array_equal(filled, distances)


def test_the_interval_is_that_of_a_slow_jackknife():
    table = np.random.default_rng(0).normal(size=(9, 9))
    table += table.T
    table[2, 3] = table[3, 2] = np.nan

    def mean(rows):
        return np.nanmean([table[i, j] for i in rows for j in rows if i < j])

    without = np.array([mean([k for k in range(9) if k != row]) for row in range(9)])
    error = np.sqrt(8 / 9 * np.sum((without - without.mean()) ** 2))
    half = student.ppf(0.95, 8) * error
    wanted = [mean(range(9)), mean(range(9)) - half, mean(range(9)) + half]
    np.testing.assert_allclose(interval(table, 0.9), wanted)


def test_parts_that_differ_widen_the_interval_by_the_variance_of_their_mean():
    table = np.random.default_rng(0).normal(size=(9, 9))
    table += table.T
    parts = np.add.outer(np.arange(9), np.arange(9)) % 3
    i, j = np.triu_indices(9, 1)
    means = [table[i, j][parts[i, j] == part].mean() for part in range(3)]
    quantile = student.ppf(0.95, 8)
    alone, wider = (
        (high - low) / 2 / quantile
        for _, low, high in (interval(table, 0.9), interval(table, 0.9, parts))
    )
    assert wider**2 - alone**2 == pytest.approx(np.var(means, ddof=1) / 3)


def test_the_larger_of_two_variances_over_rows_is_taken():
    table = np.add.outer(np.arange(9.0), np.arange(9.0))
    low, high = interval(table, 0.9)[1:]
    assert interval(table, 0.9, without=np.full(4, 8.0))[1:] == (low, high)
    wide = 8 + np.array([-30.0, 30.0, -30.0, 30.0])
    low, high = interval(table, 0.9, without=wide)[1:]
    assert (high - low) / 2 == pytest.approx(student.ppf(0.95, 8) * np.sqrt(3 / 4 * 4 * 900))


def test_rows_left_out_do_not_count_in_the_fit_without_them():
    distances = distances_of("E2", 30)
    distances[3] *= 1.5
    distances[:, 3] = distances[3]
    space, pairs = ProductSpace("E2"), pairs_of(distances, np.inf, 0, "")
    found = embed(distances, pairs, space, n_init=2, tol=1e-2, max_iter=100, seed=0)
    means = np.sort(without_groups(distances, pairs, found, 0, 1e-2))
    assert means[0] < 1e-5
    assert means[1] > 0.01


@pytest.mark.parametrize(
    ("means", "chosen", "ties"),
    [
        ({"H2 S2": 1.0, "S2 E2": 1.001, "E4": 2.0}, "S2 E2", ["S2 E2"]),
        ({"H2 S2": 1.0, "S2 E2": 1.5, "E4": 2.0}, "H2 S2", []),
        ({"H2 H2": 1.0, "S2 E2": 1.001, "E4": 2.0}, "H2 H2", ["S2 E2"]),
        ({"H2 S2": 1.0, "S2 E2": 1.01, "E4": 1.012}, NONE, ["S2 E2", "E4"]),
    ],
)
def test_a_curved_factor_is_chosen_only_if_a_flat_one_is_worse_beyond_chance(means, chosen, ties):
    rng, tables = np.random.default_rng(0), {}
    for name, mean in means.items():
        table = mean + 0.1 * rng.standard_normal((30, 30))
        tables[name] = (table + table.T) / 2
    search = of_tables(tables)
    assert (search.best_signature_, search.ties_) == (chosen, ties)


def of_tables(tables, flat="E4"):
    """A search that has compared tables of errors, shape (n, n) each."""
    search, n = SignatureSearch(), len(tables[flat])
    search.flat_, parts = flat, np.add.outer(np.arange(n), np.arange(n)) % 5
    without = np.ones((len(tables), 10))
    search._compare(list(tables), np.array(list(tables.values())), parts, without,
                    [(0.0,)] * len(tables))  # fmt: skip
    return search


@pytest.mark.parametrize(
    ("noisy", "chosen"), [(["S2 E2"], "H2 S2"), (["H2 S2"], "S2 E2"), (["H2 S2", "S2 E2"], NONE)]
)
def test_the_chosen_one_has_itself_an_interval_below_zero(noisy, chosen):
    rng, tables = np.random.default_rng(0), {}
    for name, mean in (("H2 S2", 1.0), ("S2 E2", 1.05), ("E4", 1.3)):
        table = rng.standard_normal((30, 30)) * (3 if name in noisy else 0.1)
        tables[name] = mean + (table + table.T) / 2 - table.mean()
    search = of_tables(tables)
    assert [row["signature"] for row in search.table_] == list(tables)
    below = [row["signature"] for row in search.table_ if row["difference_high"] < 0]
    assert below == [name for name in ("H2 S2", "S2 E2") if name not in noisy]
    assert search.best_signature_ == chosen
    assert search.ties_[0] == "S2 E2"


def test_intervals_of_dependent_pairs_hold_their_mean():
    rng, hits = np.random.default_rng(0), 0
    for _ in range(400):
        x = rng.normal(size=30)
        low, high = interval(np.add.outer(x, x) + np.multiply.outer(x, x), 0.9)[1:]
        hits += low <= 0 <= high
    assert 0.84 < hits / 400 < 0.95


def test_a_graph_has_delta_and_curvature():
    graph = nx.grid_2d_graph(4, 4)
    search = SignatureSearch(2, n_splits=2, n_init=1, max_iter=5, random_state=0).fit(graph)
    paths = nx.floyd_warshall_numpy(graph)
    assert search.delta_ == pytest.approx(2 * delta_hyperbolicity(paths) / paths.max())
    wanted = np.nanmean(sectional_curvature(paths, nx.to_scipy_sparse_array(graph)))
    assert search.sectional_curvature_ == pytest.approx(wanted)
    assert search.rows_.tolist() == list(range(16))


def test_a_sample_of_the_rows_is_compared():
    rows = np.random.default_rng(0).normal(size=(50, 3))
    search = SignatureSearch(2, max_rows=12, n_splits=2, n_init=1, max_iter=5, random_state=0)
    assert len(search.fit(rows).rows_) == 12
    assert np.isnan(search.sectional_curvature_)
    again = search.fit(rows).table_
    assert again == search.fit(rows).table_


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"candidates": ["H2", "S2"]}, "have 0 flat ones"),
        ({"candidates": ["E2", "E1 E1"]}, "have 2 flat ones"),
        ({"candidates": ["H3", "E2"]}, "candidate H3 has dimension 3, n_components = 2"),
        ({"n_splits": 1}, "n_splits = 1"),
        ({"confidence_level": 1.0}, "confidence_level = 1.0"),
        ({"n_components": 0}, "n_components = 0"),
        ({"max_rows": 3}, "max_rows = 3"),
    ],
)
def test_bad_parameters_are_named(settings, message):
    with pytest.raises(InputError, match=message):
        SignatureSearch(**{"n_components": 2} | settings).fit(np.eye(12))


def test_few_rows_are_refused():
    with pytest.raises(InputError, match="5 rows are too few for dimension 2"):
        SignatureSearch(2).fit(np.eye(5))


@pytest.mark.parametrize("seed", [5, 8])
def test_two_different_factors_need_several_starts(seed):
    """Two starts leave a part of these pairs in a local minimum of 3 %."""
    space = ProductSpace("H2 E2")
    X = space.random_wrapped_normal(60, random_state=np.random.default_rng([seed, 5]))
    search = SignatureSearch(
        candidates=["H2 E2", "E4"], metric="precomputed", random_state=seed
    ).fit(space.pairwise_distances(X))
    assert search.best_signature_ == "H2 E2"
    assert search.table_[0]["distortion"] < 1e-3
