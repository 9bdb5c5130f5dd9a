"""Differences from printed scores, against counts by hand."""

import numpy as np
import pandas as pd
import pytest
from paper_mirror import ROOT

from noneuclid.errors import InputError
from noneuclid_papers.printed import reproduction_status
from noneuclid_papers.stages import published as stage
from noneuclid_papers.tables import score_differences

PAPERS = ("cho2019", "pan2023", "yang2024", "chlenski2024")
METHODS = stage.read_words(ROOT / "papers/printed/methods.tsv")


@pytest.fixture(scope="module")
def cells():
    parts = [stage.read(ROOT / f"papers/kept/{paper}.tsv") for paper in PAPERS]
    return score_differences.with_kinds(pd.concat(parts, ignore_index=True), METHODS)


def made(*differences, **more):
    cell = {"paper": "p", "method": "A", "unit": "%", "metric": "accuracy", "kind": "own"}
    cell |= {"status": reproduction_status.OUTSIDE} | more
    return pd.DataFrame([cell | {"difference": value} for value in differences])


def test_shares_and_median_of_five_scores():
    # The edges belong to the limits.
    table = made(0.805 - 0.8, -0.004, 0.79 - 0.8, 0.02, -0.021)
    assert score_differences.shares(table) == ["5", "40 %", "60 %", "80 %", "1.00"]


@pytest.mark.parametrize(
    "more",
    [
        {"status": reproduction_status.REPEATED},
        {"status": reproduction_status.PAIRED},
        {"status": reproduction_status.OTHER_DATA},
        {"unit": "s"},
        {"unit": "count"},
        {"metric": reproduction_status.GAP, "unit": "1"},
        {"metric": reproduction_status.P_VALUE, "unit": "1"},
    ],
)
def test_what_is_no_score_or_counted_elsewhere_is_left_out(more):
    table = pd.concat([made(0.001), made(0.5, **more), made(np.nan)])
    assert score_differences.rows(table) == [
        ["all", "proposed methods", "1", "100 %", "100 %", "100 %", "0.10"],
        ["p", "A", "1", "100 %", "100 %", "100 %", "0.10"],
    ]
    assert score_differences.opening(made(0.5, **more)) == ""


def test_baselines_are_apart():
    table = pd.concat([made(0.001), made(0.03, 0.001, kind="baseline", method="B")])
    assert [row[:4] for row in score_differences.rows(table)] == [
        ["all", "proposed methods", "1", "100 %"],
        ["p", "A", "1", "100 %"],
        ["all", "baselines", "2", "50 %"],
        ["p", "B", "2", "50 %"],
    ]
    first, second = score_differences.opening(table).split(". ")
    assert first.startswith("Scores of proposed methods (1): 100 %")
    assert second.startswith("Scores of baselines (2): 50 %")


def test_each_method_of_a_paper_has_a_kind():
    for paper in PAPERS:
        printed = stage.read_words(ROOT / f"papers/printed/{paper}.tsv")["method"]
        assert METHODS.query("paper == @paper")["method"].tolist() == printed.unique().tolist()
    table = made(0.001).drop(columns="kind").assign(paper="q")
    with pytest.raises(InputError, match="methods: no row for q / A; add it"):
        score_differences.with_kinds(table, METHODS)
    wrong = pd.DataFrame({"paper": ["q"], "method": ["A"], "kind": ["other"]})
    with pytest.raises(InputError, match="unknown kind other; known: own, baseline"):
        score_differences.with_kinds(table, wrong)


def test_small_groups_counted_by_hand(cells):
    rows = {tuple(row[:2]): row[2:] for row in score_differences.rows(cells)}
    # 0.86 and 0.8606, 0.73 and 0.7247, 0.24 and 0.2616, 0.93 and 0.9292.
    assert rows["cho2019", "Hyperbolic SVM"] == ["4", "50 %", "75 %", "75 %", "0.31"]
    # 71.97 and 79.55, 89.87 and 91.95, 76.78 and 89.51.
    assert rows["pan2023", "Hyperboloid SVM"] == ["3", "0 %", "0 %", "0 %", "7.58"]
    # Four networks by two coordinates, and DeepWalk in four dimensions.
    assert rows["cho2019", "Euclidean SVM"][0] == str(4 + 4 * 4)
    # Table 1 without gaussian 2 and 3, eight data sets one-vs-rest and ten one-vs-one at three C,
    # and the F1 of karate in table 2, which has another accuracy of gradient descent on paul, too.
    assert rows["yang2024", "SDP"][0] == str(4 + 3 * 8 + 3 * 10 + 1)
    assert rows["yang2024", "PGD"][0] == str(4 + 3 * 8 + 3 * 10 + 1 + 1)


def test_median_of_the_scores_of_yang2024_that_are_outside(cells):
    part = cells[(cells["paper"] == "yang2024") & (cells["status"] == reproduction_status.OUTSIDE)]
    assert score_differences.shares(score_differences.compared(part))[-1] == "0.78"
