"""Advice by kind of data."""

import pandas as pd
import pytest
from score_rows import CARDS, long_table

from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import winners_by_kind


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
    assert any(
        row["evidence"].endswith("from 1 method, on 1 of 2 embedded data sets") for row in rows
    )
    assert any(row["record"] == "better on 1, worse on 0 of 1" for row in rows)


def test_a_method_of_some_pairs_is_never_advised():
    means = {
        "d": {"tree": 0.8, "forest": 0.7},
        "e": {"tree": 0.6, "forest": 0.5, "poincare_svm": 0.99},
        "f": {"tree": 0.6, "forest": 0.5},
    }
    table = winners_by_kind.advise(long_table(means), CARDS, "accuracy")
    assert table["leader"].tolist() == ["tree", "tree"]
    assert "poincare_svm" not in ", ".join(table["group"])


def test_a_lead_is_the_mean_over_the_embeddings_of_a_data_set():
    pairs = [("a", "e"), ("a", "f"), ("b", "e")]
    columns = pd.MultiIndex.from_tuples(pairs, names=["dataset", "embedding"])
    ours = pd.DataFrame([[0.9, 0.5, 0.8]], columns=columns)
    flat = pd.DataFrame([[0.8, 0.2, 0.9]], columns=columns)
    assert winners_by_kind.leads(ours, flat).to_dict() == {"a": 0.2, "b": -0.1}


def test_a_part_of_many_data_sets_names_some():
    pairs = ", ".join(f"d{k}/e" for k in range(14))
    assert winners_by_kind._listed(pairs, Names()).endswith("D11 (E), and 2 others")
