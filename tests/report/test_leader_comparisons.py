"""Tests of the best method against each other one, and the sentence on them."""

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest
from scipy.stats import wilcoxon
from score_rows import CARDS, card, folds_of, long_table

from noneuclid_compare.report.tables import (
    leader_comparisons,
    league_rows,
    winners_by_kind,
)


def frame(values, names="abcdefghij"):
    columns = pd.RangeIndex(len(values), name="dataset")
    return pd.DataFrame(np.array(values).T, list(names[: np.shape(values)[1]]), columns)


def judged(mean, metric="accuracy"):
    """Verdict on means of one fold, methods by data sets."""
    means = {f"d{k}": column.dropna().to_dict() for k, column in mean.items()}
    scores = long_table(means)
    return leader_comparisons.judge(scores.replace({"metric": {"accuracy": metric}}), metric)


def test_contrasts_by_hand():
    mean = frame([[0.9, 0.8, 0.9], [0.8, 0.8, 0.7], [0.7, 0.75, 0.6]])
    found = leader_comparisons.contrasts(judged(mean))
    assert found.loc["b", ["leader", "wins", "ties", "losses"]].tolist() == ["a", 1, 1, 1]
    assert found.loc["c", ["wins", "ties", "losses"]].tolist() == [2, 1, 0]
    # The medians of 0.1, 0, -0.05 and of 0, 0.1, 0.1, each with the means of all pairs.
    assert found.loc["b", "difference"] == pytest.approx(0.0125)
    assert found.loc["c", "difference"] == pytest.approx(0.075)
    assert found.loc["c", "cliffs_delta"] == pytest.approx(2 / 3)
    assert not found["best"].any()


def hodges_lehmann(gaps):
    """Slow: every pair of values, and each with itself."""
    pairs = combinations_with_replacement(gaps, 2)
    return np.median([(a + b) / 2 for a, b in pairs])


def test_the_difference_lies_in_its_interval_where_the_median_does_not():
    # 39 small differences and 38 large ones.
    gaps = [0.001 * k for k in range(1, 40)] + [0.3 + 0.01 * k for k in range(38)]
    found = leader_comparisons.contrasts(judged(frame([[0.2 + gap, 0.2] for gap in gaps]))).loc["b"]
    assert np.median(gaps) < found["low"] < found["difference"] < found["high"]


def test_contrasts_agree_with_scipy_and_holm_covers_all_comparisons():
    values = np.random.default_rng(0).normal([1.5, 1, 0], size=(12, 3))
    found = leader_comparisons.contrasts(judged(frame(values)))
    gaps = [values[:, 0] - values[:, k] for k in (1, 2)]
    assert found["p"].tolist() == pytest.approx([wilcoxon(gap).pvalue for gap in gaps])
    assert found["difference"].tolist() == pytest.approx([hodges_lehmann(gap) for gap in gaps])
    first, second = sorted(found["p"])
    assert sorted(found["p_holm"]) == pytest.approx([2 * first, max(2 * first, second)])


def test_losses_are_turned_so_that_positive_means_better():
    mean = frame([[0.1, 0.4], [0.2, 0.3], [0.3, 0.9]])
    found = leader_comparisons.contrasts(judged(mean, "log_loss"))
    assert found.loc["b", ["wins", "losses"]].tolist() == [3, 0]
    assert found.loc["b", "difference"] == pytest.approx(0.325)
    assert "A has the lowest mean log loss, 0.200," in leader_comparisons.sentence(
        judged(mean, "log_loss"), "log_loss"
    )


def test_only_data_sets_of_all_methods_are_tested():
    mean = frame([[0.9, 0.8], [0.7, np.nan], [0.8, 0.9], [0.6, 0.5]])
    found = leader_comparisons.contrasts(judged(mean))
    assert found["wins"].tolist() == [2]
    one = judged(mean.iloc[:, :2])
    assert leader_comparisons.sentence(one, "accuracy").endswith(
        "cannot be tested, because each method has one value."
    )
    assert leader_comparisons.rows(one, "accuracy")[0]["interval"] == "–"
    rare = pd.concat(
        [mean, pd.DataFrame([[1.0, *[np.nan] * 3]], index=["c"], columns=mean.columns)]
    )
    assert leader_comparisons.contrasts(judged(rare)).equals(found)
    assert leader_comparisons.contrasts(None).empty


def test_a_tenth_of_a_point_is_not_announced_as_a_winner():
    scores = folds_of({"a": {"tree": 0.801, "poincare_svm": 0.8}}, sd=0.037 / np.sqrt(2), folds=10)
    verdict = leader_comparisons.judge(scores, "accuracy")
    text = leader_comparisons.sentence(verdict, "accuracy")
    assert text.startswith("No clear winner. Tree has the highest mean accuracy, 80.1")
    assert "Poincaré SVM, behind by 0.1 points (−" in text
    about = card("a", "graph", 100, 2)
    [row] = winners_by_kind.rows(winners_by_kind.advise(scores, [about], "accuracy"), "accuracy")
    assert (row["best"], row["rival"]) == ("", "Poincaré SVM")
    assert row["evidence"] == "highest mean: tree, 80.1; no significant difference from 1 method"
    [matrix] = league_rows.league(scores, "accuracy", {})["matrices"]
    cells = {m["name"]: m["cells"][0] for m in matrix["methods"]}
    assert [(c["first"], c["best"]) for c in cells.values()] == [(True, False), (False, False)]


def test_a_clear_winner_is_called_so_everywhere():
    scores = folds_of({d: {"tree": 0.9, "forest": 0.7, "majority": 0.97} for d in "def"})
    text = leader_comparisons.sentence(leader_comparisons.judge(scores, "accuracy"), "accuracy")
    assert text.startswith(
        "Tree is best: its mean accuracy over 3 data sets (embeddings averaged first) is "
        "90.0\u00a0%, and it is significantly better than the other method (corrected resampled "
        "t-test over folds, Holm-corrected, 5 % level). The runner-up is forest, "
        "behind by 20.0 points (+"
    )
    table = winners_by_kind.advise(scores, CARDS, "accuracy")
    assert table["best"].all()
    assert winners_by_kind.sentence(table, "accuracy").startswith("Best method by kind of data")
    [matrix] = league_rows.league(scores, "accuracy", {})["matrices"]
    best = {m["name"]: [c["best"] for c in m["cells"]] for m in matrix["methods"]}
    assert best == {"Tree": [True] * 3, "Forest": [False] * 3, "Majority class": [False] * 3}


def test_a_method_ahead_on_most_data_sets_is_named():
    means = {"d": {"a": 0.9, "b": 0.3}, "e": {"a": 0.60, "b": 0.62}, "f": {"a": 0.60, "b": 0.62}}
    text = leader_comparisons.sentence(
        leader_comparisons.judge(folds_of(means, 0.005), "accuracy"), "accuracy"
    )
    assert text.startswith("No clear winner. A has")
    assert " B is better than it on 2 of 3 data sets and worse on 1." in text


def test_what_cannot_be_judged_is_said():
    assert leader_comparisons.sentence(None, "accuracy").startswith(
        "No verdict: no data set has a value"
    )
    alone = leader_comparisons.judge(long_table({"d": {"a": 0.9, "majority": 0.5}}), "accuracy")
    assert leader_comparisons.sentence(alone, "accuracy").startswith(
        "A is the only method compared"
    )


def test_the_sentence_says_what_so_few_data_sets_cannot_show():
    rng = np.random.default_rng(1)
    few = frame(rng.normal([9, 6, 3, 0], size=(5, 4)))
    text = leader_comparisons.friedman_sentence(few, "accuracy")
    assert "the 4 methods differ significantly" in text
    text = leader_comparisons.sentence(judged(few), "accuracy")
    assert text.endswith("With so few data sets, no difference can reach the 5 % level.")
    assert leader_comparisons.least_p(5, 3) == 3 / 16
    many = leader_comparisons.sentence(
        judged(frame(rng.normal([9, 6, 0], size=(12, 3)))), "accuracy"
    )
    assert many.startswith("A is best")
    assert "each of the other 2 methods (Wilcoxon signed-rank test over data sets" in many
    alike = frame(rng.normal(size=(12, 3)))
    assert "do not differ significantly over" in leader_comparisons.friedman_sentence(
        alike, "accuracy"
    )
    assert leader_comparisons.sentence(judged(alike), "accuracy").startswith("No clear winner.")


def test_the_heading_names_the_method_that_was_compared():
    means = {"d": {"a": 0.9, "b": 0.8, "c": 0.7}, "e": {"a": 0.8, "b": 0.7, "c": 0.6}}
    means["f"] = {"c": 0.9}
    found = league_rows.league(long_table(means), "accuracy", {})
    assert found["leader"] == "A"
    assert [row["identifier"] for row in found["contrasts"]] == ["b", "c"]


def test_few_data_sets_are_judged_by_the_careful_test_alone():
    few = frame([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.5]])
    assert "Iman" not in leader_comparisons.friedman_sentence(few, "accuracy")
    many = frame(np.random.default_rng(0).normal(size=(6, 3)))
    assert "Iman" in leader_comparisons.friedman_sentence(many, "accuracy")


def test_equal_methods_are_level_and_share_the_highest_mean():
    scores = folds_of({d: {"a": 0.9, "c": 0.7} for d in "def"})
    scores = pd.concat([scores, scores[scores["method"] == "a"].assign(method="b")])
    text = leader_comparisons.sentence(leader_comparisons.judge(scores, "accuracy"), "accuracy")
    assert text.startswith("No clear winner. A and b share the highest mean accuracy, 90.0")
    rest = text.partition("over 3 data sets (embeddings averaged first). ")[2]
    assert rest.startswith("A is significantly better than c (")
    assert "does not differ" not in text
    near = scores[scores["method"] == "a"].assign(method="d")
    near["value"] -= 0.01 * (near["fold"] == 1)
    both = pd.concat([scores, near])
    text = leader_comparisons.sentence(leader_comparisons.judge(both, "accuracy"), "accuracy")
    assert ". A does not differ significantly from 1 method (" in text
    assert "): d, behind by " in text


def test_a_method_kept_by_the_counts_is_named():
    means = {"d": {"a": 0.9, "b": 0.3}, "e": {"a": 0.60, "b": 0.62}, "f": {"a": 0.60, "b": 0.62}}
    text = leader_comparisons.sentence(
        leader_comparisons.judge(folds_of(means, 0.005), "accuracy"), "accuracy"
    )
    assert "B is not counted as worse for this reason only" in text
