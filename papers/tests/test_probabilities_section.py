"""The section "Probabilities of differences"."""

import numpy as np
import pandas as pd
import pytest
from score_rows import folds_of

from noneuclid_compare.report.names import Names
from noneuclid_compare.report.run import Run
from noneuclid_papers.sections.probabilities import SECTION
from noneuclid_papers.statistics import bayesian_signed_ranks
from noneuclid_papers.tables import probability_rows

CLASSES = {"a": "my.A", "b": "my.B", "c": "my.C", "z": "sklearn.dummy.DummyClassifier"}
METRIC = "accuracy"


def scores(n=12, embeddings=("e",)):
    """Method b is 2 points above a, give or take 3; c is far below."""
    spread = 0.03 * np.linspace(-1, 1, n)
    means = {f"d{k:02}": {"a": 0.8, "b": 0.82 + spread[k], "c": 0.5, "z": 0.3} for k in range(n)}
    one = folds_of(means, sd=0.01, folds=2)
    return pd.concat([one.assign(embedding=name) for name in embeddings], ignore_index=True)


def runs(table, dimensions):
    found = table[["dataset", "embedding", "method"]].drop_duplicates().to_dict("records")
    return [
        row | {"dimension": dimensions[row["embedding"]], "class": CLASSES[row["method"]]}
        for row in found
    ]


def test_data_sets_are_the_units_whatever_their_embeddings():
    one = probability_rows.data_set_scores(scores(), METRIC, CLASSES)
    two = probability_rows.data_set_scores(scores(embeddings=("e", "f")), METRIC, CLASSES)
    assert one.shape == (12, 3)
    assert "z" not in one
    pd.testing.assert_frame_equal(one, two, check_like=True)


def test_each_pair_has_the_probabilities_of_its_differences():
    table = scores()
    found = probability_rows.pairs(table, runs(table, {"e": 2}), METRIC, CLASSES, 0.01)
    assert found[["first", "second"]].values.tolist() == [["b", "a"], ["b", "c"], ["a", "c"]]
    assert found["data_sets"].tolist() == [12] * 3
    gaps = 0.02 + 0.03 * np.linspace(-1, 1, 12)
    expected = bayesian_signed_ranks.probabilities(gaps, 0.01)
    assert found.loc[0, ["better", "equal", "worse"]].tolist() == pytest.approx(expected)
    assert found.loc[0, "difference"] == pytest.approx(0.02)


def test_each_dimension_is_a_scope_of_its_own():
    table = scores(embeddings=("e", "f"))
    ends = table["embedding"].eq("f") & table["method"].eq("a")
    table.loc[ends, "value"] += 0.1
    found = probability_rows.pairs(table, runs(table, {"e": 2, "f": 5}), METRIC, CLASSES, 0.01)
    pairs = found[found["second"] != "c"].set_index("dimension")
    assert pairs["first"].to_dict() == {"all": "a", "2": "b", "5": "a"}
    assert pairs["difference"].to_dict() == pytest.approx({"all": 0.03, "2": 0.02, "5": 0.08})


def test_few_data_sets_have_no_test(tmp_path):
    table = scores(9)
    assert probability_rows.pairs(table, runs(table, {"e": 2}), METRIC, CLASSES, 0.01).empty
    assert probability_rows.detectable(table, METRIC, CLASSES) is None
    values = section(table, tmp_path)
    assert (values["groups"], values["rows"], values["power"]) == ([], [], None)


def test_what_could_be_shown_is_the_median_over_the_comparisons():
    table = scores()
    found = probability_rows.detectable(table, METRIC, CLASSES)
    gaps = 0.03 * np.linspace(-1, 1, 12)
    # Both differences of b have this spread.
    single = [probability_rows.minimal_difference(gaps)] * 2
    assert found["single"] == pytest.approx(np.median(single), rel=1e-3)
    assert found["strict"] == pytest.approx(
        probability_rows.minimal_difference(gaps, 0.025), rel=1e-3
    )
    assert found["formula"] == pytest.approx(
        probability_rows.normal_difference(gaps.std(ddof=1), 12)
    )
    assert (found["data_sets"], found["comparisons"]) == (12, 2)


def test_the_power_in_a_sentence():
    found = {"data_sets": 40, "comparisons": 20, "single": 0.0123, "strict": 0.02, "formula": 0.01}
    assert probability_rows.sentence(found, METRIC).startswith(
        "With 40 data sets, Wilcoxon's signed-rank test (5 % level, 80 % power) finds a difference "
        "of 1.2 points between the leader and one other method; after Holm's correction for 20 "
        "comparisons the first finding needs 2.0 points (medians"
    )
    never = probability_rows.sentence(found | {"strict": float("nan")}, METRIC)
    assert "the first finding is not possible" in never


def section(table, folder):
    run = Run(table, runs(table, {"e": 2}), [], [], folder, METRIC)
    run.entries["probabilities"] = SECTION.entry({"equivalence": 0.01})
    return SECTION.values(run)


def test_the_section_shows_the_leader_and_all_pairs(tmp_path):
    values = section(scores(), tmp_path)
    assert [group["title"] for group in values["groups"]] == ["All dimensions"]
    assert [row[1] for row in values["groups"][0]["rows"]] == ["A", "C"]
    assert len(values["rows"]) == 3
    assert values["rows"][1][3:] == ["+32.0", "> 99 %", "< 1 %", "< 1 %"]
    assert values["width"] == "1.0 points"
    assert SECTION.entry({"report": {}}) is None


def test_rows_name_methods_in_words():
    found = pd.DataFrame(
        [["all", "b", "a", 12, 0.02, 0.7, 0.29, 0.01]], columns=probability_rows.COLUMNS
    )
    names = Names(labels={"methods": {"b": "My method"}})
    assert probability_rows.rows(found, METRIC, names) == [
        ["My method", "A", "12", "+2.0", "70 %", "29 %", "1 %"]
    ]
