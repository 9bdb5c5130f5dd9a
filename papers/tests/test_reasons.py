"""Reasons for numbers outside, and the faults that they name."""

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from paper_mirror import ROOT
from printed_cells import ENTRY, SCORES, judge, ours, paper, reasons

from noneuclid.errors import InputError
from noneuclid_papers.printed import published, reproduction_status
from noneuclid_papers.stages import published as stage


def test_a_reason_is_a_hypothesis_about_what_is_outside():
    known = [("p|q", "t", "Bl.*", "", "A", "accuracy", "", "", "hypothesis", "why", "where")]
    theirs = paper(("n10", "A", "80.0", "", "%"), ("n20", "A", "80.0", "", "%"))
    found = judge(ours([[0.8]]) + ours([[0.9]], size="n20"), theirs, known)
    assert found["status"].tolist() == ["exact", "hypothesis"]
    assert found["evidence"].tolist() == ["", "where"]
    other = [("q", *known[0][1:])]
    found = judge(ours([[0.9]]), theirs[:1], other)
    assert found["status"].tolist() == ["outside"]


@each_of("side", ["", "higher", "lower"])
@each_of(("value", "known"), [(0.9, "higher"), (0.7, "lower")])
def test_a_reason_explains_one_side_of_the_printed_number(side, value, known):
    reason = ("p", "t", "", "", "", "", side, "", "hypothesis", "why", "where")
    found = judge(ours([[value]]), paper(("n10", "A", "80.0", "", "%")), [reason])
    assert found["status"].tolist() == ["hypothesis" if side in ("", known) else "outside"]


def test_no_other_reason_withdraws_a_number_that_is_outside():
    known = ("p", "", "", "", "", "", "", "", "not judged", "Ours is another program.", "none")
    cells = judge(ours([[0.9, 0.9]]), paper(("n10", "A", "50", "", "%")), known=[known])
    assert cells["status"].tolist() == ["outside"]


@each_of("value", ["50", "90", "90.2", "89.0"])
def test_other_data_withdraw_a_number_whatever_its_word(value):
    known = ("p", "", "", "", "", "", "", "", "other data", "Ours are other points.", "none")
    runs = ours([[0.9, 0.9], [0.9, 0.904]])
    theirs = paper(("n10", "A", value, "", "%"), ("n20", "A", value, "", "%"))
    cells = judge(runs, theirs, known=[known])
    assert judge(runs, theirs)["status"][0] != "other data"
    assert cells["status"].tolist() == ["other data", "not run"]
    assert cells["reason"].tolist() == ["Ours are other points.", ""]


def test_each_fault_that_returns_a_number_is_named():
    cell = judge(ours([[0.5]]), paper(("n10", "A", "90", "", "%"))).iloc[0].to_dict()
    words = (
        reproduction_status.RETURNS,
        reproduction_status.OUTSIDE,
        reproduction_status.RETURNS_DIGITS,
    )
    runs = [{"fault": f, "verdict": w} for f, w in zip("xyz", words, strict=True)]
    for tried, status, reason in ((runs, "reproduced by imitation", "x; or: z"),
                                  (runs[1:2], "outside", "")):  # fmt: skip
        found = published.status_of(cell, cell["status"], tried, reasons())
        assert (found["status"], found["reason"]) == (status, reason)


@each_of(
    ("fault", "runs", "status"),
    [
        ("", [("x", 0.1)], "hypothesis"),
        ("", [], "hypothesis"),
        ("x", [], "outside"),
        ("x", [("x", 0.6), ("y", 0.1)], "hypothesis"),
        ("x.*", [("x", 0.6), ("xy", 0.4)], "outside"),
        ("x", [("xy", 0.6)], "outside"),
        ("x", [("x", np.nan)], "outside"),
        ("x", [("x", 0.5)], "outside"),
        ("x", [("x", 1.29)], "hypothesis"),
        ("x", [("x", 1.31)], "outside"),
    ],
)
def test_a_reason_with_a_fault_holds_where_a_run_is_nearer(fault, runs, status):
    row = ("p", "", "", "", "", "", "lower", fault, "hypothesis", "x causes it", "z")
    cell = judge(ours([[0.5]]), paper(("n10", "A", "90", "", "%"))).iloc[0].to_dict()
    tried = [{"fault": f, "with_ours": value, "verdict": "outside"} for f, value in runs]
    found = published.status_of(cell, cell["status"], tried, reasons(row))
    assert found["status"] == status
    assert (found["reason"] == "x causes it") == (status == "hypothesis")


def test_reasons_that_say_nothing():
    theirs = paper(("n10", "A", "90", "", "%"))
    old = reasons().drop(columns=["ours", "fault"])
    with pytest.raises(InputError, match="reasons: no column ours, fault; add it"):
        published.cells(pd.DataFrame(ours([[0.8]]), columns=SCORES), theirs, "p", [ENTRY], old)
    for row, message in (
        (("p", "", "", "", "", "", "", "", "explaned", "x", "y"), "unknown kind 'explaned'"),
        (("p", "(", "", "", "", "", "", "", "hypothesis", "x", "y"), "is not a pattern"),
        (("p", "", "", "", "", "", "", "(", "hypothesis", "x", "y"), "is not a pattern"),
        (("p", "", "", "", "", "", "above", "", "hypothesis", "x", "y"), "ours is 'above'; give"),
    ):
        with pytest.raises(InputError, match=message):
            judge(ours([[0.8]]), theirs, [row])


def test_the_reasons_are_whole():
    table = stage.read_words(ROOT / "papers/printed/reasons.tsv")
    assert list(table.columns) == published.REASONS
    shown = (
        reproduction_status.HYPOTHESIS,
        reproduction_status.OTHER_DATA,
        reproduction_status.NOT_JUDGED,
    )
    assert set(table["kind"]) <= {*shown, reproduction_status.NOT_RUN, reproduction_status.NO_DATA}
    assert (table["reason"] != "").all()
    assert (table.loc[table["kind"].isin(shown), "evidence"] != "").all()
