"""Tests against the best, advice by kind of data, scale, and what is saved beside the page."""

import re

import numpy as np
import pandas as pd
import pytest
from reporting_fixtures import report_input
from scipy.stats import wilcoxon

from noneuclid.evaluation.metrics import reliability
from noneuclid.reporting import advice, contrasts, growth, saved, tables


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
    return pd.DataFrame(rows, columns=tables.COLUMNS)


def frame(values, names="abcdefghij"):
    return pd.DataFrame(np.array(values).T, index=list(names[: np.shape(values)[1]]))


def test_contrasts_by_hand():
    mean = frame([[0.9, 0.8, 0.9], [0.8, 0.8, 0.7], [0.7, 0.75, 0.6]])
    found = contrasts.contrasts(mean, "accuracy")
    assert found.loc["b", ["wins", "ties", "losses"]].tolist() == [1, 1, 1]
    assert found.loc["c", ["wins", "ties", "losses"]].tolist() == [2, 1, 0]
    assert found.loc["b", "ahead"] == 0.0
    assert found.loc["c", "ahead"] == pytest.approx(0.1)
    assert found.loc["c", "cliffs_delta"] == pytest.approx(2 / 3)


def test_contrasts_agree_with_scipy_and_holm_covers_all_pairs():
    values = np.random.default_rng(0).normal([1.5, 1, 0], size=(12, 3))
    found = contrasts.contrasts(frame(values), "accuracy")
    expected = [wilcoxon(values[:, 0] - values[:, k]).pvalue for k in (1, 2)]
    assert found["p"].tolist() == pytest.approx(expected)
    last = wilcoxon(values[:, 1] - values[:, 2]).pvalue
    order = np.sort([*expected, last])
    adjusted = np.maximum.accumulate(order * [3, 2, 1]).clip(max=1)
    assert found["p_holm"].iloc[0] == pytest.approx(adjusted[order.tolist().index(expected[0])])


def test_losses_are_turned_so_that_positive_means_better():
    mean = frame([[0.1, 0.4], [0.2, 0.3], [0.3, 0.9]])
    found = contrasts.contrasts(mean, "log_loss")
    assert found.loc["b", ["wins", "losses"]].tolist() == [3, 0]
    assert found.loc["b", "ahead"] == pytest.approx(0.3)


def test_only_data_sets_of_all_methods_are_tested():
    mean = frame([[0.9, 0.8], [0.7, np.nan], [0.8, 0.9], [0.6, 0.5]])
    assert contrasts.contrasts(mean, "accuracy")["wins"].tolist() == [2]
    assert contrasts.contrasts(mean.iloc[:, :2], "accuracy").empty
    assert contrasts.sentence(mean.iloc[:, :2], "accuracy", str) is None
    rare = pd.concat(
        [mean, pd.DataFrame([[1.0, *[np.nan] * 3]], index=["c"], columns=mean.columns)]
    )
    assert contrasts.contrasts(rare, "accuracy").equals(contrasts.contrasts(mean, "accuracy"))


def test_the_sentence_says_what_so_few_data_sets_cannot_show():
    rng = np.random.default_rng(1)
    few = frame(rng.normal([9, 6, 3, 0], size=(5, 4)))
    text = contrasts.sentence(few, "accuracy", "{} data sets".format)
    assert "the 4 methods differ" in text
    assert text.endswith("with so few data sets the smallest p is 0.375.")
    assert contrasts.least_p(5, 4) == 6 / 16
    many = frame(rng.normal([9, 6, 0], size=(12, 3)))
    assert contrasts.sentence(many, "accuracy", str).endswith("a beats b, c (Wilcoxon, Holm, 5 %).")
    alike = contrasts.sentence(frame(rng.normal(size=(12, 3))), "accuracy", str)
    assert "cannot be told apart as a whole" in alike
    assert alike.endswith("a is not shown to beat any other (Wilcoxon, Holm, 5 %).")


CARDS = [card("d", "graph", 50, 2), card("e", "images", 5000, 3), card("f", "images", 6000, 3)]


def test_parts_of_the_data_merge_where_they_hold_the_same():
    found = advice.groups(CARDS)
    assert found == {
        "graphs, two classes, at most 1000 rows": {("d", "e")},
        "images, more than two classes, more than 1000 rows": {("e", "e"), ("f", "e")},
    }


def test_a_group_takes_the_place_of_the_kind():
    cards = [CARDS[0] | {"group": "papers"}, *CARDS[1:]]
    assert any(words.startswith("papers, ") for words in advice.groups(cards))
    assert not any(words.startswith("graphs") for words in advice.groups(cards))


def test_advice_by_hand():
    means = {
        "d": {"hyperbolic_tree": 0.9, "tree": 0.8, "majority": 0.95},
        "e": {"hyperbolic_tree": 0.70, "tree": 0.705, "majority": 0.3},
        "f": {"hyperbolic_tree": 0.71, "tree": 0.715, "majority": 0.3},
    }
    scores = long_table(means, {"hyperbolic_tree": 0.01, "tree": 0.5})
    table = advice.advise(scores, CARDS, "accuracy").set_index("data")
    graphs, images = (table.filter(like=word, axis=0).iloc[0] for word in ("graphs", "images"))
    assert (graphs["best"], graphs["quick"], graphs["lead"]) == (
        "hyperbolic_tree", "hyperbolic_tree", pytest.approx(0.1),
    )  # fmt: skip
    assert (images["best"], images["quick"]) == ("tree", "hyperbolic_tree")
    assert (images["lead"], images["ahead"], images["behind"]) == (pytest.approx(-0.005), 0, 2)
    text = advice.sentence(advice.advise(scores, CARDS, "accuracy"), "accuracy")
    assert "tree on images, more than two classes, more than 1000 rows (71.0)" in text
    assert len(advice.rows(table.reset_index(), "accuracy")) == 2


def test_methods_that_share_the_best_rank_are_all_named():
    means = {
        "d": {"hyperbolic_tree": 0.9, "tree": 0.9, "forest": 0.8},
        "e": {"hyperbolic_tree": 0.6, "tree": 0.7, "forest": 0.5},
        "f": {"hyperbolic_tree": 0.7, "tree": 0.6, "forest": 0.5},
    }
    scores = long_table(means, {"hyperbolic_tree": 0.01, "tree": 0.5})
    table = advice.advise(scores, CARDS, "accuracy")
    for row in table.to_dict("records"):
        assert set(row["best"].split(" and ")) == {"hyperbolic_tree", "tree"}
        assert row["second"] == "forest"
        assert (row["quick"], row["is_best"]) == ("hyperbolic_tree", True)
    assert {row["times"] for row in advice.rows(table, "accuracy")} == {"10 ms"}


def test_methods_that_share_a_rank_may_differ_in_their_means():
    means = {"d": {"a": 0.9, "b": 0.5}, "e": {"a": 0.7, "b": 0.6}, "f": {"a": 0.6, "b": 0.8}}
    table = advice.advise(long_table(means), CARDS, "accuracy").set_index("data")
    images = table.filter(like="images", axis=0).iloc[0]
    assert (images["mean"], images["mean_to"]) == pytest.approx((0.65, 0.7))
    rows = advice.rows(table.reset_index(), "accuracy")
    assert "rank 1.50, mean 65.0 to 70.0" in [row["evidence"] for row in rows]


@pytest.mark.parametrize(("n", "named"), [(2, "a1 and a2"), (5, "a1 and 4 others")])
def test_methods_that_share_the_second_rank_are_named_or_counted(n, named):
    field = {"best": 0.9} | {f"a{i + 1}": 0.8 for i in range(n)}
    table = advice.advise(long_table(dict.fromkeys("def", field)), CARDS, "accuracy")
    assert set(table["best"]) == {"best"}
    assert set(table["second"]) == {named}


def test_what_is_about_as_fast_is_not_quicker():
    means = {name: {"slow": 0.9, "fast": 0.899} for name in "def"}
    for seconds, quick in ((1.4, "slow"), (1.6, "fast")):
        table = advice.advise(long_table(means, {"slow": seconds, "fast": 1.0}), CARDS, "accuracy")
        assert set(table["quick"]) == {quick}


def test_ranks_on_part_of_the_data_are_said_to_be():
    means = {d: {"hyperbolic_tree": 0.9, "tree": 0.8} for d in "def"}
    means["f"] = {"forest": 0.7}
    table = advice.advise(long_table(means), CARDS, "accuracy").set_index("data")
    images = table.filter(like="images", axis=0).iloc[0]
    assert (images["pairs"], images["compared"], images["paired"]) == (2, 1, 1)
    rows = advice.rows(table.reset_index(), "accuracy")
    assert any(row["evidence"].endswith("mean 90.0 on 1") for row in rows)
    assert any(row["record"] == "ahead on 1, behind on 0 of 1" for row in rows)


def test_the_heading_names_the_method_that_was_compared():
    mean = frame([[0.9, 0.8, np.nan], [0.8, 0.7, np.nan], [0.7, 0.6, 0.9]])
    compared = contrasts.complete(mean, "accuracy")
    assert compared.columns[0] == contrasts.contrasts(mean, "accuracy")["best"].iloc[0] == "a"


def test_few_data_sets_are_judged_by_the_careful_test_alone():
    few = frame([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.5]])
    assert "Iman" not in contrasts.sentence(few, "accuracy", str)
    many = frame(np.random.default_rng(0).normal(size=(6, 3)))
    assert "Iman" in contrasts.sentence(many, "accuracy", str)


def test_a_method_of_some_pairs_is_never_advised():
    means = {
        "d": {"tree": 0.8, "forest": 0.7},
        "e": {"tree": 0.6, "forest": 0.5, "poincare_svm": 0.99},
        "f": {"tree": 0.6, "forest": 0.5},
    }
    table = advice.advise(long_table(means), CARDS, "accuracy")
    assert table["best"].tolist() == ["tree", "tree"]


def sized(n_of, cost):
    cards = [card(name, "points", n, 2, d) for name, (n, d) in n_of.items()]
    rows = [
        (name, "e", "m", "", 0, k, metric, value)
        for name, (n, d) in n_of.items()
        for k in range(2)
        for metric, value in (("fit_seconds", cost(n, d)), ("peak_memory_mb", 100.0))
    ]
    return pd.DataFrame(rows, columns=tables.COLUMNS), cards


def test_exponents_of_known_laws():
    sizes = {f"d{i}": (n, d) for i, (n, d) in enumerate([(10, 2), (20, 5), (80, 3), (99, 9)] * 2)}
    scores, cards = sized(sizes, lambda n, d: 1e-3 * n**1.5 * d)
    [row] = growth.exponents(growth.costs(scores, cards)).to_dict("records")
    assert row["fit_seconds_n"] == pytest.approx(1.5)
    assert row["fit_seconds_d"] == pytest.approx(1.0)
    assert row["peak_memory_mb_n"] == pytest.approx(0.0, abs=1e-9)


def test_three_sizes_have_no_exponent():
    scores, cards = sized({"a": (10, 2), "b": (20, 2), "c": (80, 2), "d": (80, 2)}, lambda n, d: n)
    [row] = growth.exponents(growth.costs(scores, cards)).to_dict("records")
    assert np.isnan(row["fit_seconds_n"])
    shown = growth.section(scores, cards)
    assert shown["laws"] == []
    assert shown["rows"][0]["times"] == "10 s to 80 s"


def test_exponents_that_no_method_has_have_no_column():
    sizes = {f"d{i}": (n, 2) for i, n in enumerate((10, 20, 80, 99))}
    shown = growth.section(*sized(sizes, lambda n, d: 3.0))
    assert shown["laws"] == ["time ∝ n to the", "memory ∝ n to the"]
    assert [text.split()[0] for text in shown["rows"][0]["exponents"]] == ["0.00", "0.00"]


def test_pairs_without_a_card_are_left_out(data):
    table = growth.costs(data["scores"], data["cards"][:2])
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
    table = saved.confusion(data["disks"])
    first = data["disks"][0]
    counts = table.groupby(["dataset", "method"])["rows"].sum()
    assert counts["karate", "tree"] == (first.held_out[0] >= 0).sum()
    found = saved.calibration({("d", "e", "m"): [[0, 0.0, 0.0], [3, 0.8, 1.0]]})
    assert found.to_numpy().tolist() == [["d", "e", "m", 3, 0.8, 1.0]]


def test_latex_of_any_table_has_as_many_columns_in_every_row(data):
    mean = tables.matrix(tables.summarise(data["scores"], "accuracy"), "mean")
    text = saved.to_latex(contrasts.contrasts(mean, "accuracy"), saved.TESTS, "tab:tests")
    [columns] = re.findall(r"\\begin\{tabular\}\{([lr]+)\}", text)
    lines = [line for line in text.splitlines() if " & " in line]
    assert len(lines) == len(mean)
    assert {line.count(" & ") for line in lines} == {len(columns) - 1}
    assert columns.startswith("llr")
