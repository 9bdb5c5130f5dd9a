"""Ranks and tests against published and hand-made answers."""

import itertools

import numpy as np
import pytest
from cases import each_of
from scipy.stats import rankdata, wilcoxon

from noneuclid.errors import InputError
from noneuclid_papers.statistics.rank_tests import (
    EXACT,
    average_ranks,
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


def test_demsar_ranks():
    ranks = average_ranks(DEMSAR)
    assert np.allclose(ranks, [3.143, 2.000, 2.893, 1.964], atol=6e-4)


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


def test_missing_values_are_refused():
    table = DEMSAR.copy()
    table[2, 1] = np.nan
    with pytest.raises(InputError, match=r"no value at data set and method \[\[2, 1\]\]"):
        average_ranks(table)


def test_tables_too_small():
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
