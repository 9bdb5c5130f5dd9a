"""The kept tables: their words, and what these can tell apart."""

import re

import pandas as pd
import pytest
from paper_mirror import ROOT

from noneuclid_papers.printed import fault_comparison, published, reproduction_status
from noneuclid_papers.stages import published as stage

PAPERS = ("cho2019", "pan2023", "yang2024", "chlenski2024")


def kept(paper):
    return stage.read(ROOT / f"papers/kept/{paper}.tsv")


@pytest.fixture(scope="module")
def reasons():
    return stage.read_words(ROOT / "papers/printed/reasons.tsv")


@pytest.mark.parametrize("paper", PAPERS)
def test_kept_cells_are_those_printed(paper):
    printed = stage.read_words(ROOT / f"papers/printed/{paper}.tsv")
    cells = kept(paper)
    assert cells[published.KEYS].values.tolist() == printed[published.KEYS].values.tolist()
    for cell, row in zip(cells.to_dict("records"), printed.to_dict("records"), strict=True):
        error = f" ± {row['error']}" if row["error"] else ""
        assert cell["printed"] == row["value"] + error


@pytest.fixture(scope="module")
def imitations():
    return stage.read(ROOT / "papers/kept/imitations.tsv", fault_comparison.WORDS)


@pytest.mark.parametrize("paper", PAPERS)
def test_kept_words_follow_from_the_numbers_the_imitations_and_the_reasons(
    paper, reasons, imitations
):
    cells = kept(paper)
    again = published.judged(
        cells.drop(columns=["imitations", "status", "reason", "evidence"]), reasons, imitations
    )
    for name in ("imitations", "status", "reason", "evidence"):
        assert again[name].tolist() == cells[name].tolist()
    for name in ("ratio", "printed_ratio"):
        assert again[name].to_numpy() == pytest.approx(cells[name].to_numpy(), nan_ok=True)
    for cell in cells[cells["rows"].notna()].to_dict("records"):
        half = reproduction_status.half_digit(cell["printed"].partition(" ")[0], cell["unit"])
        whole = reproduction_status.tolerance(cell["metric"], half, cell["rows"], None)
        assert cell["tolerance"] == pytest.approx(whole, rel=1e-12)


def test_the_fault_of_a_reason_is_one_that_was_imitated(reasons, imitations):
    for reason in reasons[reasons["fault"] != ""].to_dict("records"):
        known = imitations[imitations["paper"] == reason["paper"]]["fault"].drop_duplicates()
        assert known.str.fullmatch(reason["fault"]).sum() == 1


def test_each_reason_is_that_of_a_kept_number(reasons):
    for paper, rows in reasons.groupby("paper"):
        cells = kept(paper).to_dict("records")
        unused = set(rows.index)
        for cell in cells:
            fits = [
                k
                for k, row in rows.iterrows()
                if all(re.fullmatch(row[key] or ".*", cell[key]) for key in published.KEYS)
                and (row["reason"], row["evidence"]) == (cell["reason"], cell["evidence"])
            ]
            unused -= set(fits[:1])
        assert not unused


def test_verdicts_of_the_kept_imitations_follow_from_their_numbers(imitations):
    pd.testing.assert_frame_equal(fault_comparison.judged(imitations), imitations)


def test_each_number_reproduced_by_imitation_has_a_run_that_returns_it(imitations):
    names = ["paper", *published.KEYS]
    runs = imitations.set_index(names)
    for paper in PAPERS:
        cells = kept(paper)
        for cell in cells[cells["status"] == reproduction_status.IMITATED].to_dict("records"):
            rows = runs.loc[[tuple(cell[name] for name in names)]]
            fits = rows[rows["fault"] == cell["reason"]]
            assert set(fits["with_status"]) <= {
                reproduction_status.EXACT,
                reproduction_status.CLOSE,
            }


def test_the_words_notice_wrong_numbers():
    powers = reproduction_status.powers(pd.concat(map(kept, PAPERS), ignore_index=True))
    assert powers["shift"][0] >= 0.6
    assert powers["method"][0] >= 0.6
    assert powers["garbage"][0] >= 0.99


def test_numbers_of_yang2024_counted_by_hand():
    counts = kept("yang2024")["status"].value_counts()
    # Three F1 of each data set: six in table 1, eight in tables 5 to 7, ten in tables 8 to 10.
    assert counts[reproduction_status.PAIRED] == 3 * (6 + 3 * 8 + 3 * 10)
    # Three accuracies and two gaps of gaussian 2 and 3.
    assert counts[reproduction_status.OTHER_DATA] == 2 * (3 + 2)
    # Accuracies of karate in six tables by three methods.
    assert counts[reproduction_status.IMITATED] == 6 * 3


def test_what_is_within_the_range_of_equal_runs_is_not_outside():
    cells = kept("yang2024")
    cells = cells[cells["status"] == reproduction_status.OUTSIDE]
    bench = {
        name: pd.read_csv(ROOT / f"papers/benchmarks/yang2024_{name}.tsv", sep="\t", comment="#")
        for name in ("states", "descent")
    }
    descent = bench["descent"].query("setting == 'program'")
    descent = descent[descent["steps"].eq(2000) == descent["table"].eq("table_1")]
    ranges = {
        (method, row.table, row.dataset.replace("_", " "), row.metric): (low, high)
        for method, table, ends in (
            ("SDP", bench["states"], ("low", "high")),
            ("PGD", descent, ("shaken_low", "shaken_high")),
        )
        for row, low, high in zip(table.itertuples(), *(table[end] for end in ends), strict=True)
    }
    assert ("PGD", "table_1", "tree 3", "accuracy") in ranges
    for cell in cells.to_dict("records"):
        key = cell["method"], cell["table"], cell["dataset"], cell["metric"]
        low, high = ranges.get(key, (1.0, 0.0))
        assert not low <= cell["published"] <= high, key
