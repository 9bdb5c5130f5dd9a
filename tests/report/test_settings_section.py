"""The section "How the methods were run"."""

from dataclasses import replace

import pandas as pd
import pytest
from reporting_fixtures import report_input, run_of

from noneuclid_compare.report import section_list
from noneuclid_compare.report.sections.settings import SECTION
from noneuclid_compare.report.tables import score_tables, setting_rows

METHODS = ("tree", "logistic", "majority")
CONFIG = {
    "class_weight": "balanced",
    "candidates": 4,
    "methods": {
        "tree": {"use": "sklearn.tree.DecisionTreeClassifier", "grid": {"max_depth": [1, 2, 3, 4]}},
        "logistic": {"use": "l", "grid": {"C": [1, 10], "l1_ratio": [0, 1]}},
        "majority": {"use": "d", "fewer": "it has no setting"},
    },
}
WEIGHTS = {"tree": "balanced", "logistic": "balanced", "majority": "not available"}


@pytest.fixture
def run(tmp_path):
    data = report_input(2, size=20, methods=METHODS)
    data |= {"runs": [one | {"class_weight": WEIGHTS[one["method"]]} for one in data["runs"]]}
    return run_of(tmp_path, data, CONFIG)


def test_the_section_needs_a_setting_for_all_methods():
    assert SECTION.entry({"methods": {}}) is None
    assert SECTION.entry({"methods": {}, "candidates": 3})["candidates"] == 3
    assert "settings" in section_list.NAMES


def test_each_method_has_its_weights_candidates_and_scores(run):
    found = setting_rows.table(run, run.entries["settings"])
    assert found.loc["majority", ["class_weight", "candidates", "fewer"]].tolist() == [
        "not available",
        1,
        "it has no setting",
    ]
    assert found.loc["logistic", "candidates"] == 4
    assert found["data_sets"].tolist() == [2, 2, 2]
    assert found["balanced_accuracy"].is_monotonic_decreasing
    assert found.index[-1] == "majority"
    for metric in ("balanced_accuracy", "log_loss"):
        expected = score_tables.league(run.scores, metric)["mean"]
        pd.testing.assert_series_equal(
            found[metric].dropna().sort_index(), expected.sort_index(), check_names=False
        )


def test_a_method_without_probabilities_has_none(run):
    scores = run.scores[(run.scores["metric"] != "log_loss") | (run.scores["method"] != "tree")]
    rows = {row[0]: row for row in SECTION.values(replace(run, scores=scores))["rows"]}
    assert rows["Decision tree"][-2:] == ["no probabilities"] * 2
    assert float(rows["Logistic regression"][-2]) > 0


def test_the_note_names_the_methods_that_differ(run):
    values = SECTION.values(run)
    assert "in the search of every method that takes them except majority class." in values["note"]
    assert "among 4 candidate settings for every method except majority class." in values["note"]
    assert "with 15 bins of equal width" in values["note"]
    assert values["rows"][-1][2] == "1 (it has no setting)"
    assert [len(row) for row in values["rows"]] == [len(values["heads"])] * 3
    assert list(SECTION.tables(run)) == ["settings.tsv"]
