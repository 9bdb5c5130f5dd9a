"""Ranks and tests against published and hand-made answers."""

import itertools

import numpy as np
import pytest
from cases import each_of
from scipy.stats import rankdata, wilcoxon

from noneuclid.errors import InputError
from noneuclid_compare.evaluation.rank_tests import (
    EXACT,
    average_ranks,
    cliques,
    critical_difference,
    friedman,
    signed_ranks,
)

# Demšar (2006), table 6: AUC of C4.5, with m, with cf, with both, on 14 UCI data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_demsar_ranks_and_statistics():
    ranks = average_ranks(DEMSAR)
    assert np.allclose(ranks, [3.143, 2.000, 2.893, 1.964], atol=6e-4)
    # The paper's statistics leave ties uncorrected: 9.28 and 3.69. Ours are a little larger.
    n, k = DEMSAR.shape
    uncorrected = 12 * n / (k * (k + 1)) * (np.sum(ranks**2) - k * (k + 1) ** 2 / 4)
    assert np.isclose(uncorrected, 9.28, atol=0.01)
    result = friedman(DEMSAR)
    # Ties: three pairs (t^3 - t = 6 each) and one row of four (60).
    chi2 = uncorrected / (1 - 78 / (n * k * (k**2 - 1)))
    assert np.isclose(result["chi2"], chi2)
    assert np.isclose(result["f"], (n - 1) * chi2 / (n * (k - 1) - chi2))
    assert result["f_p"] < 0.05


@pytest.mark.parametrize(
    ("methods", "quantile"),  # Demšar (2006), table 5a, alpha = 0.05
    [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)],
)
def test_nemenyi_quantiles(methods, quantile):
    datasets = 20
    expected = quantile * np.sqrt(methods * (methods + 1) / (6 * datasets))
    assert np.isclose(critical_difference(methods, datasets), expected, rtol=5e-4)


def test_looser_level_gives_a_smaller_difference():
    assert critical_difference(4, 14, alpha=0.1) < critical_difference(4, 14)
    assert np.isclose(critical_difference(4, 14, alpha=0.1), 1.12, atol=0.01)


def test_friedman_against_all_permutations():
    table = np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [2.5, 2.0, 1.0], [9.0, 8.0, 7.0]])
    n, k = table.shape

    def statistic(rank_sums):
        return 12 / (n * k * (k + 1)) * np.sum(rank_sums**2) - 3 * n * (k + 1)

    observed = statistic(rankdata(table, axis=1).sum(axis=0))
    assert np.isclose(friedman(table)["chi2"], observed)
    orders = list(itertools.permutations([1.0, 2.0, 3.0]))
    null = [statistic(np.sum(rows, axis=0)) for rows in itertools.product(orders, repeat=n)]
    exact = np.mean(np.array(null) >= observed - 1e-9)
    assert abs(friedman(table)["p"] - exact) < 0.03


def test_friedman_extremes():
    same = friedman(np.ones((4, 3)))
    assert same == {"chi2": 0.0, "p": 1.0, "f": 0.0, "f_p": 1.0}
    agreed = friedman(np.tile([3.0, 2.0, 1.0], (5, 1)))
    assert agreed["f"] == np.inf
    assert agreed["f_p"] == 6.0**-4  # of all orders five times the same one
    assert friedman(np.tile([3.0, 2.0, 1.0], (2, 1)))["f_p"] == pytest.approx(1 / 6)


def test_many_differences_of_which_many_are_zero():
    gaps = np.concatenate([np.zeros(45), np.arange(1.0, 7.0)])
    few = signed_ranks(gaps[-50:])
    many = np.concatenate([np.zeros(20), np.arange(1.0, 60.0)])
    assert few == pytest.approx(2**-5)
    assert signed_ranks(many) < 1e-10
    rng = np.random.default_rng(1)
    plain = rng.normal(0.2, 1, 80)
    expected = wilcoxon(plain, method="asymptotic", correction=False).pvalue
    assert signed_ranks(plain) == pytest.approx(expected)


def test_signed_ranks_of_equal_methods_are_one():
    assert signed_ranks(np.zeros(6)) == 1.0
    assert signed_ranks(np.arange(1.0, 7.0)) < 0.1


def test_ranks_of_ties():
    assert average_ranks([[1.0, 1.0, 1.0]]).tolist() == [2.0, 2.0, 2.0]


def test_cliques():
    assert cliques([1.0, 1.2, 3.0, 3.1, 5.0], 0.5) == [[0, 1], [2, 3]]
    assert cliques([1.0, 2.0, 3.0], 5.0) == [[0, 1, 2]]
    assert cliques([1.0, 2.0, 3.0], 0.5) == []
    assert cliques([3.0, 2.0, 1.0, 1.4], 1.0) == [[2, 3, 1], [1, 0]]


@pytest.mark.parametrize("function", [average_ranks, friedman])
def test_missing_values_are_refused(function):
    table = DEMSAR.copy()
    table[2, 1] = np.nan
    with pytest.raises(InputError, match=r"no value at data set and method \[\[2, 1\]\]"):
        function(table)


def test_tables_too_small():
    with pytest.raises(InputError, match="this needs at least 1 and 3"):
        friedman([[1.0, 2.0]])
    with pytest.raises(InputError, match="one data set only"):
        friedman([[1.0, 2.0, 3.0]])
    with pytest.raises(InputError, match="1 methods"):
        average_ranks([[1.0]])


@each_of("seed", range(6))
def test_wilcoxon_with_ties_and_zeros_against_all_signs(seed):
    difference = np.random.default_rng(seed).integers(-3, 4, size=8).astype(float)
    difference[0] = 1.0
    ranks = rankdata(np.abs(difference))
    extreme = abs(ranks @ np.sign(difference))
    signs = np.array(list(itertools.product([-1, 1], repeat=8))) * np.abs(np.sign(difference))
    expected = (np.abs(signs @ ranks) >= extreme - 1e-9).mean()
    assert signed_ranks(difference) == pytest.approx(expected, rel=1e-12)


def test_wilcoxon_is_exact_where_scipy_is_and_close_beyond():
    rng = np.random.default_rng(0)
    for n, near in ((30, 1e-12), (EXACT + 1, 1e-3)):
        difference = rng.normal(0.2, size=n)
        found = signed_ranks(difference)
        assert found == pytest.approx(wilcoxon(difference, method="exact").pvalue, abs=near)
