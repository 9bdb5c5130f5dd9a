"""The difference that a number of data sets can show, against a formula and against trials."""

import numpy as np
import pytest
from scipy.stats import norm

from noneuclid.errors import InputError
from noneuclid_papers.statistics.rank_tests import signed_ranks
from noneuclid_papers.tables import probability_rows


def gaps(n, spread=0.03):
    return spread * norm.ppf((np.arange(n) + 0.5) / n)


def test_normal_differences_follow_the_formula():
    found = probability_rows.minimal_difference(gaps(40))
    assert found == pytest.approx(probability_rows.normal_difference(gaps(40).std(), 40), rel=0.06)
    assert probability_rows.minimal_difference(gaps(80)) == pytest.approx(found / 2**0.5, rel=0.1)


def test_the_difference_scales_with_the_spread_and_ignores_the_mean():
    found = probability_rows.minimal_difference(gaps(20))
    assert probability_rows.minimal_difference(2 * gaps(20)) == pytest.approx(2 * found, rel=1e-6)
    assert probability_rows.minimal_difference(gaps(20) + 5) == pytest.approx(found, rel=1e-3)


def test_the_test_of_the_page_finds_the_difference_in_four_of_five_trials():
    shift, rng = probability_rows.minimal_difference(gaps(20)), np.random.default_rng(1)
    trials = shift + rng.choice(gaps(20), (200, 20)) * rng.choice([-1, 1], (200, 20))
    assert np.mean([signed_ranks(one) < 0.05 for one in trials]) == pytest.approx(0.8, abs=0.08)


def test_a_stricter_level_and_more_power_need_a_larger_difference():
    plain = probability_rows.minimal_difference(gaps(20))
    assert probability_rows.minimal_difference(gaps(20), alpha=0.05 / 20) > 1.2 * plain
    assert probability_rows.minimal_difference(gaps(20), power=0.9) > 1.1 * plain


@pytest.mark.parametrize(("n", "critical"), [(6, 0), (10, 8), (20, 52), (25, 89)])
def test_critical_values_are_those_of_the_tables(n, critical):
    # Wilcoxon's table, two-sided 5 %; Siegel 1956, table G.
    assert probability_rows.critical_sum(n, 0.05) == critical


def test_few_data_sets_show_nothing():
    assert np.isnan(probability_rows.minimal_difference(gaps(5)))
    assert probability_rows.critical_sum(5, 0.0625) == -1  # p = 0.0625 is not below it
    assert probability_rows.critical_sum(5, 0.0626) == 0


def test_no_spread_says_nothing():
    assert np.isnan(probability_rows.minimal_difference(np.full(12, 0.1)))


def test_bad_input():
    with pytest.raises(InputError, match="1 differences"):
        probability_rows.minimal_difference([0.1])
    with pytest.raises(InputError, match="finite"):
        probability_rows.minimal_difference([0.1, np.nan])
