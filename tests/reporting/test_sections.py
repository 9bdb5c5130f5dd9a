"""Tests against the best, advice by kind of data, scale, and what is saved beside the page."""

import re

import numpy as np
import pandas as pd
import pytest
from reporting_fixtures import report_input, run_of
from scipy.stats import wilcoxon

from noneuclid.evaluation.metrics import reliability
from noneuclid.reporting.names import Names
from noneuclid.reporting.sections import wins
from noneuclid.reporting.tables import (
    cost_scaling,
    exports,
    findings,
    leader_comparisons,
    league_rows,
    score_tables,
    winners_by_kind,
)


@pytest.fixture(scope="module")
def data():
    return report_input(5, size=40)


def card(name, kind, n, classes, dimension=2):
    about = {"name": name, "kind": kind, "n": n, "classes": dict.fromkeys("abcdefg"[:classes], 1)}
    return {"dataset": about, "embedding": {"name": "e"}, "dimension": dimension}


def long_table(means, seconds=None):
    """Scores of one fold by data set (embedding e) and method, with times."""
    seconds = seconds or {}
    rows = []
    for dataset, methods in means.items():
        for method, value in methods.items():
            cost = seconds.get(method, 0.1)
            for metric, number in (("accuracy", value), ("fit_seconds", cost)):
                rows.append((dataset, "e", method, "", 0, 0, metric, number))
    return pd.DataFrame(rows, columns=score_tables.COLUMNS)


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
    assert found.loc["b", "difference"] == 0.0
    assert found.loc["c", "difference"] == pytest.approx(0.1)
    assert found.loc["c", "cliffs_delta"] == pytest.approx(2 / 3)
    assert not found["best"].any()


def test_contrasts_agree_with_scipy_and_holm_covers_all_comparisons():
    values = np.random.default_rng(0).normal([1.5, 1, 0], size=(12, 3))
    found = leader_comparisons.contrasts(judged(frame(values)))
    gaps = [values[:, 0] - values[:, k] for k in (1, 2)]
    assert found["p"].tolist() == pytest.approx([wilcoxon(gap).pvalue for gap in gaps])
    assert found["difference"].tolist() == pytest.approx([np.median(gap) for gap in gaps])
    first, second = sorted(found["p"])
    assert sorted(found["p_holm"]) == pytest.approx([2 * first, max(2 * first, second)])


def test_losses_are_turned_so_that_positive_means_better():
    mean = frame([[0.1, 0.4], [0.2, 0.3], [0.3, 0.9]])
    found = leader_comparisons.contrasts(judged(mean, "log_loss"))
    assert found.loc["b", ["wins", "losses"]].tolist() == [3, 0]
    assert found.loc["b", "difference"] == pytest.approx(0.3)
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


def folds_of(means, sd=0.02, folds=5, seed=0):
    """Scores of five folds of each data set around the means, with fit_seconds of none."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset, methods in means.items():
        for method, value in methods.items():
            noise = rng.normal(size=folds)
            noise = sd * (noise - noise.mean()) / noise.std(ddof=1)
            rows += [
                (dataset, "e", method, "", 0, k, "accuracy", value + noise[k]) for k in range(folds)
            ]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS)


# logistic has the first average rank and a mean 9 points below the forests'.
FIVE = {
    "a": {"logistic": 0.85, "forest": 0.80, "hyperbolic_forest": 0.79, "svm": 0.84, "tree": 0.82},
    "b": {"logistic": 0.92, "forest": 0.90, "hyperbolic_forest": 0.89, "svm": 0.91, "tree": 0.905},
    "c": {"logistic": 0.40, "forest": 0.513, "hyperbolic_forest": 0.52, "svm": 0.37, "tree": 0.36},
    "d": {"logistic": 0.44, "forest": 0.60, "hyperbolic_forest": 0.59, "svm": 0.41, "tree": 0.40},
    "e": {"logistic": 0.30, "forest": 0.567, "hyperbolic_forest": 0.575, "svm": 0.29, "tree": 0.2},
}


def test_the_first_average_rank_is_not_called_best():
    scores = folds_of(FIVE)
    assert score_tables.league(scores, "accuracy").index[0] == "logistic"
    found = dict(findings.findings(scores, [], "accuracy"))
    assert found["Best method"].startswith(
        "No clear winner. Forest has the highest mean accuracy, 67.6\u00a0%, over 5 data sets "
        "(embeddings averaged first), but it does not differ significantly from 1 method "
        "(corrected resampled t-test over folds, Holm-corrected, 5 % level): hyperbolic forest, "
        "behind by 0.3 points (−"
    )
    assert found["Best method"].endswith(
        "It is significantly better than the other 3. The test covers these data sets only and "
        "does not generalise to others."
    )
    assert found["Average ranks"].startswith("Logistic has the best average rank, 2.20")
    shown = [text for head, text in found.items() if head != "Average ranks"]
    assert not any("ogistic ranks" in text or "ogistic is best" in text for text in shown)


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
    assert r"\textbf" not in score_tables.to_latex(scores, "accuracy")


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
    assert score_tables.to_latex(scores, "accuracy").count(r"\textbf{90.0}") == 3


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


CARDS = [card("d", "graph", 50, 2), card("e", "images", 5000, 3), card("f", "images", 6000, 3)]


def test_parts_of_the_data_merge_where_they_hold_the_same():
    found = winners_by_kind.groups(CARDS)
    assert found == {
        "graphs, two classes, at most 1000 rows": {("d", "e")},
        "images, more than two classes, more than 1000 rows": {("e", "e"), ("f", "e")},
    }


def test_a_group_takes_the_place_of_the_kind():
    cards = [CARDS[0] | {"group": "papers"}, *CARDS[1:]]
    assert any(words.startswith("papers, ") for words in winners_by_kind.groups(cards))
    assert not any(words.startswith("graphs") for words in winners_by_kind.groups(cards))


def test_advice_by_hand():
    means = {
        "d": {"hyperbolic_tree": 0.9, "tree": 0.8, "majority": 0.95},
        "e": {"hyperbolic_tree": 0.70, "tree": 0.705, "majority": 0.3},
        "f": {"hyperbolic_tree": 0.71, "tree": 0.715, "majority": 0.3},
    }
    scores = long_table(means, {"hyperbolic_tree": 0.01, "tree": 0.5})
    table = winners_by_kind.advise(scores, CARDS, "accuracy").set_index("data")
    graphs, images = (table.filter(like=word, axis=0).iloc[0] for word in ("graphs", "images"))
    assert (graphs["leader"], graphs["quick"], graphs["lead"]) == (
        "hyperbolic_tree", "hyperbolic_tree", pytest.approx(0.1),
    )  # fmt: skip
    assert (images["leader"], images["quick"]) == ("tree", "hyperbolic_tree")
    assert (images["rival"], images["difference"], images["alike"]) == (
        "hyperbolic_tree", pytest.approx(0.005), 1,
    )  # fmt: skip
    assert (images["lead"], images["geometry_ahead"], images["geometry_behind"]) == (
        pytest.approx(-0.005), 0, 2,
    )  # fmt: skip
    text = winners_by_kind.sentence(winners_by_kind.advise(scores, CARDS, "accuracy"), "accuracy")
    assert text == "No method is clearly best on any of 2 kinds of data."
    clear = table.assign(best=table["leader"] == "tree").reset_index()
    assert winners_by_kind.sentence(clear, "accuracy") == (
        "Best method by kind of data, with its mean accuracy (%): tree on images, more than two "
        "classes, more than 1000 rows (71.0). No clear winner on 1 other kind of data."
    )
    assert len(winners_by_kind.rows(table.reset_index(), "accuracy")) == 2


def test_a_leader_and_its_equal_are_both_named():
    means = {
        "d": {"hyperbolic_tree": 0.9, "tree": 0.9, "forest": 0.8},
        "e": {"hyperbolic_tree": 0.6, "tree": 0.7, "forest": 0.5},
        "f": {"hyperbolic_tree": 0.7, "tree": 0.6, "forest": 0.5},
    }
    scores = long_table(means, {"hyperbolic_tree": 0.01, "tree": 0.5})
    table = winners_by_kind.advise(scores, CARDS, "accuracy")
    for row in table.to_dict("records"):
        assert (row["leader"], row["rival"], row["difference"]) == ("hyperbolic_tree", "tree", 0)
        assert row["group"].startswith("tree, forest")
    assert {row["times"] for row in winners_by_kind.rows(table, "accuracy")} == {"10 ms"}


def test_what_is_about_as_fast_is_not_quicker():
    means = {name: {"slow": 0.9, "fast": 0.899} for name in "def"}
    for seconds, quick in ((1.4, "slow"), (1.6, "fast")):
        table = winners_by_kind.advise(
            long_table(means, {"slow": seconds, "fast": 1.0}), CARDS, "accuracy"
        )
        assert set(table["quick"]) == {quick}


def test_ranks_on_part_of_the_data_are_said_to_be():
    means = {d: {"hyperbolic_tree": 0.9, "tree": 0.8} for d in "def"}
    means["f"] = {"forest": 0.7}
    table = winners_by_kind.advise(long_table(means), CARDS, "accuracy").set_index("data")
    images = table.filter(like="images", axis=0).iloc[0]
    assert (images["pairs"], images["compared"], images["paired"]) == (2, 1, 1)
    rows = winners_by_kind.rows(table.reset_index(), "accuracy")
    assert any(row["evidence"].endswith("from 1 method, on 1 of 2") for row in rows)
    assert any(row["record"] == "better on 1, worse on 0 of 1" for row in rows)


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


def test_a_method_of_some_pairs_is_never_advised():
    means = {
        "d": {"tree": 0.8, "forest": 0.7},
        "e": {"tree": 0.6, "forest": 0.5, "poincare_svm": 0.99},
        "f": {"tree": 0.6, "forest": 0.5},
    }
    table = winners_by_kind.advise(long_table(means), CARDS, "accuracy")
    assert table["leader"].tolist() == ["tree", "tree"]
    assert "poincare_svm" not in ", ".join(table["group"])


def sized(n_of, cost):
    cards = [card(name, "points", n, 2, d) for name, (n, d) in n_of.items()]
    rows = [
        (name, "e", "m", "", 0, k, metric, value)
        for name, (n, d) in n_of.items()
        for k in range(2)
        for metric, value in (("fit_seconds", cost(n, d)), ("peak_memory_mb", 100.0))
    ]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS), cards


def test_exponents_of_known_laws():
    sizes = {f"d{i}": (n, d) for i, (n, d) in enumerate([(10, 2), (20, 5), (80, 3), (99, 9)] * 2)}
    scores, cards = sized(sizes, lambda n, d: 1e-3 * n**1.5 * d)
    [row] = cost_scaling.exponents(cost_scaling.costs(scores, cards)).to_dict("records")
    assert row["fit_seconds_n"] == pytest.approx(1.5)
    assert row["fit_seconds_d"] == pytest.approx(1.0)
    assert row["peak_memory_mb_n"] == pytest.approx(0.0, abs=1e-9)


def test_three_sizes_have_no_exponent():
    scores, cards = sized({"a": (10, 2), "b": (20, 2), "c": (80, 2), "d": (80, 2)}, lambda n, d: n)
    [row] = cost_scaling.exponents(cost_scaling.costs(scores, cards)).to_dict("records")
    assert np.isnan(row["fit_seconds_n"])
    shown = cost_scaling.section(scores, cards)
    assert shown["laws"] == []
    assert shown["rows"][0]["times"] == "10 s to 80 s"


def test_exponents_that_no_method_has_have_no_column():
    sizes = {f"d{i}": (n, 2) for i, n in enumerate((10, 20, 80, 99))}
    shown = cost_scaling.section(*sized(sizes, lambda n, d: 3.0))
    assert shown["laws"] == ["exponent of time in n", "exponent of memory in n"]
    assert [text.split()[0] for text in shown["rows"][0]["exponents"]] == ["0.00", "0.00"]


def test_pairs_without_a_card_are_left_out(data):
    table = cost_scaling.costs(data["scores"], data["cards"][:2])
    assert set(table["dataset"]) == {"karate", "olsson"}
    assert table["peak_memory_mb"].isna().all()


def test_reliability_against_a_loop():
    rng = np.random.default_rng(0)
    p = rng.dirichlet([1, 1, 1], size=300)
    truth = rng.integers(3, size=300)
    rows, said, right = reliability(truth, p, 5)
    top, guess = p.max(axis=1), p.argmax(axis=1)
    for k in range(5):
        inside = (top > k / 5) & (top <= (k + 1) / 5)
        assert rows[k] == inside.sum()
        if rows[k]:
            assert said[k] == pytest.approx(top[inside].mean())
            assert right[k] == pytest.approx((guess == truth)[inside].mean())


def test_saved_tables_hold_every_row(data):
    table = exports.confusion(data["disks"])
    first = data["disks"][0]
    counts = table.groupby(["dataset", "method"])["rows"].sum()
    assert counts["karate", "tree"] == (first.held_out[0] >= 0).sum()
    found = exports.calibration({("d", "e", "m"): [[0, 0.0, 0.0], [3, 0.8, 1.0]]})
    assert found.to_numpy().tolist() == [["d", "e", "m", 3, 0.8, 1.0]]


def test_latex_of_any_table_has_as_many_columns_in_every_row(data):
    found = leader_comparisons.contrasts(leader_comparisons.judge(data["scores"], "accuracy"))
    text = exports.to_latex(found, exports.TESTS, "tab:tests")
    [columns] = re.findall(r"\\begin\{tabular\}\{([lr]+)\}", text)
    lines = [line for line in text.splitlines() if " & " in line]
    assert len(lines) == len(found) + 1 == 9
    assert {line.count(" & ") for line in lines} == {len(columns) - 1}
    assert columns.startswith("llllr")


def test_a_method_that_equals_the_floor_is_not_above_it():
    pairs = pd.MultiIndex.from_tuples([("a", "e"), ("b", "e")], names=["dataset", "embedding"])
    mean = pd.DataFrame([[0.5, 0.4], [0.5, 0.7], [0.6, 0.8]], ["floor", "x", "y"], pairs)
    sentence = findings._floor(
        mean, "balanced_accuracy", {"floor": "sklearn.dummy.DummyClassifier"}, Names()
    )
    assert sentence.endswith("not better on some of 2 data sets: x (on 1).")


def test_equal_methods_are_level_and_share_the_highest_mean():
    scores = folds_of({d: {"a": 0.9, "c": 0.7} for d in "def"})
    scores = pd.concat([scores, scores[scores["method"] == "a"].assign(method="b")])
    text = leader_comparisons.sentence(leader_comparisons.judge(scores, "accuracy"), "accuracy")
    assert text.startswith("No clear winner. A and b share the highest mean accuracy, 90.0")
    assert "but a does not differ significantly from 1 method" in text
    assert ": b, equal to a. " in text
    assert "behind by 0.0" not in text


def test_a_method_kept_by_the_counts_is_named():
    means = {"d": {"a": 0.9, "b": 0.3}, "e": {"a": 0.60, "b": 0.62}, "f": {"a": 0.60, "b": 0.62}}
    text = leader_comparisons.sentence(
        leader_comparisons.judge(folds_of(means, 0.005), "accuracy"), "accuracy"
    )
    assert "B is not counted as worse for this reason only" in text


def test_last_is_the_lowest_mean_that_the_leader_beats():
    # forest: worst average rank; tree: lowest mean.
    means = {
        "d": {"a": 0.9, "tree": 0.1, "forest": 0.6},
        "e": {"a": 0.9, "tree": 0.62, "forest": 0.6},
        "f": {"a": 0.9, "tree": 0.62, "forest": 0.6},
    }
    found = dict(findings.findings(folds_of(means, 0.005), [], "accuracy"))
    assert found["Lowest score"] == (
        "Among the methods significantly worse than a, tree has the lowest mean accuracy, "
        "44.7\u00a0%."
    )


def test_perceptrons_that_do_not_converge_are_counted_apart():
    def run(method, status):
        fold = {"status": status, "warnings": [], "fold": 0}
        return {"method": method, "class": f"own.{method.title()}", "folds": [fold] * 3}

    runs = [run("perceptron", "max_iter"), run("svm", "max_iter")]
    text = findings._solvers([r | {"code": "x"} for r in runs], Names())
    assert "Of 6 fits, 6 did not converge" in text
    assert "Of the 6, 3 are perceptrons, which do not converge if classes overlap." in text


def test_one_data_set_has_no_ranks_and_no_kinds(tmp_path):
    alone = run_of(tmp_path / "one", report_input(1, size=20))
    found = wins.SECTION.values(alone)
    assert (found["no_ranks"], found["advice"]) == (findings.NO_RANKS, [])
    assert [shown["id"] for shown in found["figures"]] == ["accuracy_time"]
    assert alone.leagues[0]["n_datasets"] == 1
    several = wins.SECTION.values(run_of(tmp_path / "two", report_input(2, size=20)))
    assert several["no_ranks"] == ""
    assert several["advice"]
    assert [shown["id"] for shown in several["figures"]] == ["league", "accuracy_time"]


def test_a_lead_is_the_mean_over_the_embeddings_of_a_data_set():
    pairs = [("a", "e"), ("a", "f"), ("b", "e")]
    columns = pd.MultiIndex.from_tuples(pairs, names=["dataset", "embedding"])
    ours = pd.DataFrame([[0.9, 0.5, 0.8]], columns=columns)
    flat = pd.DataFrame([[0.8, 0.2, 0.9]], columns=columns)
    assert winners_by_kind.leads(ours, flat).to_dict() == {"a": 0.2, "b": -0.1}
