"""The rule that recommends a candidate on one data set."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from noneuclid_compare.evaluation.recommendations import compare, recommend

PLAIN, TREE, CURVED = ("original", "logistic"), ("original", "forest"), ("hydra", "svm")
ORDER = [PLAIN, TREE, CURVED]
NOISE = np.array([0.01, -0.02, 0.015, -0.01, 0.005])


def table(**means):
    """Five folds whose differences have some variance."""
    columns = {
        candidate: means.get(candidate[1], 0.5) + np.roll(NOISE, shift)
        for shift, candidate in enumerate(ORDER)
    }
    return pd.DataFrame(columns)


def test_the_baseline_is_recommended_if_nothing_is_better():
    found = recommend(table(svm=0.51), 0.25, ORDER)
    assert (found.chosen, found.better, found.runner_up) == (PLAIN, False, CURVED)
    assert found.over_runner_up["difference"] == pytest.approx(-0.01)
    assert found.over_runner_up["low"] < -0.01 < 0 < found.over_runner_up["high"]
    assert np.isnan(found.over_baseline["difference"])


def test_a_higher_mean_alone_recommends_nothing():
    values = table()
    values[CURVED] = values[PLAIN] + [0.9, -0.1, 0.2, -0.1, 0.1]
    assert recommend(values, 0.25, ORDER).chosen == PLAIN


def test_a_worse_candidate_is_not_recommended_though_it_is_significant():
    found = recommend(table(svm=0.2, forest=0.2), 0.25, ORDER)
    assert found.chosen == PLAIN
    assert found.over_runner_up["low"] > 0


def test_the_leader_is_recommended_if_it_beats_the_others():
    found = recommend(table(svm=0.9), 0.25, ORDER)
    assert (found.chosen, found.leader, found.better) == (CURVED, CURVED, True)
    assert found.runner_up in (PLAIN, TREE)
    assert found.over_baseline["difference"] == pytest.approx(0.4)
    assert 0 < found.over_baseline["low"] < 0.4 < found.over_baseline["high"]
    assert found.over_runner_up["low"] > 0


def test_of_candidates_that_do_not_differ_the_simplest_is_recommended():
    found = recommend(table(svm=0.91, forest=0.9), 0.25, ORDER)
    assert (found.chosen, found.leader, found.runner_up) == (TREE, CURVED, CURVED)
    assert found.over_runner_up["difference"] == pytest.approx(-0.01)
    assert found.over_runner_up["low"] < 0 < found.over_runner_up["high"]
    # The other order makes the other one simplest.
    assert recommend(table(svm=0.9, forest=0.91), 0.25, [PLAIN, CURVED, TREE]).chosen == CURVED


def test_a_simple_candidate_that_is_worse_than_the_leader_is_not_recommended():
    found = recommend(table(svm=0.9, forest=0.7), 0.25, ORDER)
    assert (found.chosen, found.runner_up) == (CURVED, TREE)


def test_every_comparison_pays_for_all_candidates():
    values = table(svm=0.55)
    gaps = (values[CURVED] - values[PLAIN]).to_numpy()
    t = gaps.mean() / np.sqrt((1 / 5 + 0.25) * gaps.var(ddof=1))
    p = 2 * stats.t.sf(t, 4)
    found = compare(values, 0.25, PLAIN)
    assert found["p_holm"][CURVED] == pytest.approx(2 * p)
    many = values.assign(**{f"other_{k}": values[PLAIN] + np.roll(NOISE, 3) for k in range(40)})
    assert compare(many, 0.25, PLAIN)["p_holm"][CURVED] == pytest.approx(42 * p)
    assert recommend(values, 0.25, ORDER).chosen == CURVED
    assert recommend(many, 0.25, [*ORDER, *many.columns[3:]]).chosen == PLAIN


def test_the_score_has_the_interval_of_overlapping_folds():
    found = recommend(table(), 0.25, ORDER)
    half = stats.t.ppf(0.975, 4) * np.sqrt((1 / 5 + 0.25) * NOISE.var(ddof=1))
    assert found.high - found.means[PLAIN] == pytest.approx(half)
    assert found.means[PLAIN] - found.low == pytest.approx(half)


@pytest.mark.parametrize(
    ("values", "ratio"), [(table(svm=0.9)[:1], 0.25), (table(svm=0.9), np.nan)]
)
def test_without_a_test_the_best_score_decides(values, ratio):
    found = recommend(values, ratio, ORDER)
    assert (found.chosen, found.leader, found.tested, found.better) == (
        CURVED,
        CURVED,
        False,
        False,
    )
    assert found.over_baseline["difference"] > 0.1
    assert np.isnan(found.over_baseline["low"])
    same = recommend(values.mul(0), ratio, ORDER)
    assert same.chosen == PLAIN


def test_one_candidate_and_none():
    alone = recommend(table()[[PLAIN]], 0.25, ORDER)
    assert (alone.chosen, alone.runner_up) == (PLAIN, None)
    assert recommend(pd.DataFrame(), 0.25, ORDER) is None


@pytest.mark.parametrize(("lost", "enough"), [(24, True), (25, True), (26, False)])
def test_a_significant_mean_needs_as_many_folds(lost, enough):
    gains = np.where(np.arange(50) < lost, -1e-4, 0.1)
    values = pd.DataFrame({"plain": np.full(50, 0.5), "curved": 0.5 + gains})
    for reference, column in (("plain", "better"), ("curved", "worse")):
        table = compare(values, 1e-3, reference)
        assert table["p_holm"].iloc[0] < 0.05
        assert table[column].iloc[0] == enough
