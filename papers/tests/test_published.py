"""Our scores beside printed numbers: errors, statistics, entries and files."""

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from paper_mirror import ROOT
from printed_cells import ENTRY, SCORES, judge, ours, paper, reasons
from scipy.stats import t as student

from noneuclid.errors import InputError
from noneuclid_papers.printed import published, published_entries, reproduction_status
from noneuclid_papers.stages import published as stage
from noneuclid_papers.tables import published_rows as shown

T1 = 12.706205  # quantile for two values


def test_the_error_is_over_runs_and_the_last_digit_counts():
    # Means of the runs .8 and .9: standard error .05; the folds' own spread does not matter.
    table = ours([[0.7, 0.9], [0.85, 0.95]])
    edge = 100 * (0.85 + T1 * np.hypot(0.05, 0.05)) + 0.05
    for value, status in ((edge - 0.051, "not judged"), (edge + 0.051, "outside")):
        (cell,) = judge(table, paper(("n10", "A", f"{value:.1f}", "", "%"))).to_dict("records")
        assert cell["status"] == status
        assert cell["ours"] == pytest.approx(0.85)
        assert cell["se"] == pytest.approx(0.05)
        assert cell["tolerance"] == pytest.approx(T1 * np.hypot(0.05, 0.05) + 0.0005)
        assert cell["runs"] == 2


def test_one_run_is_judged_by_its_folds_and_one_value_by_digits_alone():
    folds = judge(ours([[0.7, 0.9]]), paper(("n10", "A", "80", "", "%")))
    assert folds["se"].tolist() == [pytest.approx(0.1)]
    one = ours([[0.8977]])
    for value, status in (("89.8", "exact"), ("89.7", "outside")):
        assert judge(one, paper(("n10", "A", value, "", "%")))["status"].tolist() == [status]


@pytest.mark.parametrize(("kind", "printed"), [("se", 0.02), ("sd", 0.01)])
def test_the_papers_own_error_counts(kind, printed):
    theirs = paper(("n10", "A", "0.80", "0.02", "1"))
    cell = judge(ours([[0.7, 0.9]]), theirs, error=kind, count=5).iloc[0]
    assert cell["tolerance"] == pytest.approx(T1 * np.hypot(0.1, printed) + 0.005)
    assert cell["printed"] == "0.80 ± 0.02"


def test_the_largest_of_several_values():
    values = [[1.0], [5.0], [3.0]]
    theirs = paper(("n10", "A", "5", "", "count"))
    cell = judge(ours(values), theirs, statistic="max").iloc[0]
    assert cell["ours"] == 5.0
    assert 0 < cell["se"] < 2
    assert cell["status"] == "exact"
    # Three runs do not tell how much the largest of three varies.
    cell = judge(ours(values), paper(("n10", "A", "6", "", "count")), statistic="max").iloc[0]
    assert (cell["status"], cell["reason"]) == ("not judged", published.TOO_WIDE)


@pytest.mark.parametrize("statistic", ["mean", "max"])
def test_the_paper_has_fewer_runs_than_ours(statistic):
    values = np.random.default_rng(0).exponential(100, size=60)
    theirs = paper(("n10", "A", "100", "", "count"))
    names = r"blobs_(?P<size>n\d+)_seed\d+"
    options = {"datasets": names, "statistic": statistic, "printed_runs": 5}
    cell = judge(ours(values[:, None]), theirs, **options).iloc[0]
    # Many experiments of five runs, drawn from ours.
    drawn = np.random.default_rng(1).choice(values, size=(200_000, 5))
    found = getattr(drawn, statistic)(axis=1)
    assert cell["ours"] == pytest.approx(found.mean(), rel=0.01)
    noise = np.hypot(1, np.sqrt(5 / 60)) * found.std()
    expected = student.ppf(0.975, 59) * noise + 0.5
    assert cell["tolerance"] == pytest.approx(expected, rel=0.02)
    assert cell["se"] == pytest.approx(np.sqrt(5 / 60) * found.std(), rel=0.02)


@pytest.mark.parametrize("family", ["normal", "exponential", "lognormal"])
def test_coverage_of_intervals_of_the_largest(family):
    random, held = np.random.default_rng(0), {}
    row = {"paper": "p", "unit": "count", "error": "", "metric": "count"} | dict.fromkeys(
        published.KEYS, ""
    )
    for times in (1, 10):
        hits = []
        for _ in range(500):
            printed = getattr(random, family)(size=20).max()
            table = ours(getattr(random, family)(size=(20 * times, 1)))
            rows = pd.DataFrame(table, columns=SCORES)
            found = published._summary(rows, ENTRY | {"statistic": "max", "printed_runs": 20})
            # As if there were enough runs to judge.
            found["theirs"] = found["se"] * np.sqrt(times)
            cell = published.beside(row | {"value": f"{printed:.9f}"}, found)
            hits.append(abs(cell["difference"]) <= cell["tolerance"])
        held[times] = np.mean(hits)
    assert 0.60 < held[1] < 0.79
    assert 0.88 < held[10] < 0.96


@pytest.mark.parametrize(("count", "status"), [(49, "not judged"), (50, "close")])
def test_the_largest_is_judged_with_ten_times_as_many_runs(count, status):
    values = 10 + np.random.default_rng(0).normal(size=(count, 1))
    largest = published._largest(values[:, 0], 5)[0]
    theirs = paper(("n10", "A", f"{largest + 0.6:.0f}", "", "count"))
    names = r"blobs_(?P<size>n\d+)_seed\d+"
    cell = judge(ours(values), theirs, datasets=names, statistic="max", printed_runs=5).iloc[0]
    assert cell["status"] == status


def test_times_are_not_judged_and_missing_runs_are_named():
    theirs = [("n10", "A", "3", "", "s"), ("n99", "A", "3", "", "%"), ("n10", "B", "", "", "%")]
    known = [
        ("p", "t", "", "n9.", "", "", "", "", "no data", "gone", "link"),
        ("", "", "", "", "", "", "", "", "hypothesis", "x", ""),
    ]
    found = judge(ours([[9.0]]), paper(*theirs), known)
    assert found["status"].tolist() == ["not judged", "no data", "not run"]
    assert found["reason"].tolist() == ["x", "gone", ""]


def test_the_best_of_ours_stands_in_the_same_row():
    scores = ours([[0.8]]) + ours([[0.9]], "x") + ours([[0.95]], "y")
    cell = judge(scores, paper(("n10", "A", "80", "", "%")), ours=["x", "y", "z"]).iloc[0]
    assert (cell["best_method"], cell["best"]) == ("y", 0.95)


def test_a_method_of_a_paper_has_one_of_ours():
    theirs = paper(("n10", "A", "90", "", "%"))
    with pytest.raises(InputError, match="t: several methods of ours for 'A'; leave one"):
        judge(ours([[0.8]]), theirs, methods={"a": "A", "x": "A"})


def test_a_row_that_is_printed_twice_has_ours_of_the_first_table_and_counts_there():
    theirs = paper(
        ("n10", "A", "80.0", "", "%"),
        ("n10", "B", "70.0", "", "%"),
        ("best", "A", "80.0", "", "%"),
        ("best", "B", "70.1", "", "%"),
    ).assign(row_of=["", "", "t, n10", "t, n10"])
    scores = ours([[0.8]]) + ours([[0.7]], "b")
    cells = judge(scores, theirs, methods={"a": "A", "b": "B"})
    assert cells["ours"].tolist() == [0.8, 0.7, 0.8, 0.7]
    assert cells["status"].tolist() == ["exact", "exact", "repeated", "outside"]
    assert cells["counted_in"].tolist() == ["", "", "t, n10", ""]
    assert cells["reason"].tolist()[2] == "Counted in t, n10."


def test_a_fold_without_a_value_does_not_hide_the_others():
    theirs = paper(("n10", "A", "90", "", "%"))
    for values in ([[0.9, np.nan, 0.9]], [[0.9, 0.9], [np.nan, np.nan]]):
        cell = judge(ours(values), theirs).iloc[0]
        assert (cell["status"], cell["ours"], cell["runs"]) == ("exact", 0.9, 2)
    assert judge(ours([[np.nan]]), theirs)["status"].tolist() == ["not run"]


def test_rows_are_those_of_folds_with_a_value():
    theirs = paper(("n10", "A", "90", "", "%"))
    sizes = ours([[100, 100]], metric="test_rows")
    other = ours([[0.5, 0.5]], "b") + ours([[7, 7]], "b", metric="test_rows")
    for values, rows in (([[0.9, 0.9]], 200), ([[0.9, np.nan]], 100), ([[np.nan] * 2], np.nan)):
        cell = judge(ours(values) + sizes + other, theirs, folds="theirs").iloc[0]
        assert cell["rows"] == pytest.approx(rows, nan_ok=True)
    two = ours([[0.9, np.nan], [0.9, 0.9]]) + ours([[100, 100], [30, 30]], metric="test_rows")
    assert judge(two, theirs, folds="theirs").iloc[0]["rows"] == 160
    with pytest.raises(InputError, match="a has no metric test_rows"):
        judge(ours([[0.9, 0.9]]) + other, theirs, folds="theirs")


@pytest.mark.parametrize("name", ["dataset", "embedding", "method", "repeat", "fold"])
def test_a_fit_without_a_value_is_no_other_fits(name):
    first, second = (
        pd.DataFrame(ours([[value]]) + ours([[size]], metric="test_rows"), columns=SCORES)
        for value, size in ((0.9, 100), (np.nan, 30))
    )
    first["dataset"] = second["dataset"] = "blobs_n10_seed0"
    second[name] = {"dataset": "blobs_n10_seed1", "repeat": 1, "fold": 1}.get(name, "b")
    methods = {"a": "A"} if name != "method" else {"a": "A", "b": "B"}
    theirs = paper(("n10", "A", "90", "", "%"), ("n10", "B", "90", "", "%"))
    cell = judge(pd.concat([first, second]), theirs, folds="theirs", methods=methods).iloc[0]
    assert (cell["ours"], cell["rows"]) == (0.9, 100)


def test_where_smaller_is_better_the_smallest_is_the_best():
    theirs = paper(("n10", "A", "50", "", "%")).assign(metric="rmse")
    scores = ours([[0.9]], metric="rmse") + ours([[0.5]], "x", metric="rmse")
    more = {"metrics": {"rmse": "rmse"}, "ours": ["a", "x"]}
    assert judge(scores, theirs, **more)["best"].tolist() == [0.5]


def test_unlike_runs_do_not_share_a_cell():
    scores = ours([[0.9]])
    other = [(*row[:3], "C=2", 1, *row[5:]) for row in scores]
    with pytest.raises(InputError, match="t: runs of a with different settings in one cell"):
        judge(scores + other, paper(("n10", "A", "90", "", "%")))
    table = pd.DataFrame(scores, columns=SCORES)
    theirs = paper(("n10", "A", "90", "", "%"))
    with pytest.raises(InputError, match="two entries for t / Blobs / n10 / A / accuracy"):
        published.cells(table, theirs, "p", [ENTRY, ENTRY], reasons())


@each_of(
    ("change", "message"),
    [
        ({"table": "u"}, "no table 'u'; known: t"),
        ({"methods": {"a": "C"}}, "no t: method 'C'; known: A"),
        ({"metrics": {"accuracy": "f1"}}, "no t: metric 'f1'; known: accuracy"),
        ({"variant": "{other}"}, "'{other}' needs a group of the patterns; known: size"),
        ({"datasets": "("}, "is not a pattern"),
        ({"variant": "{size}0"}, "p prints no t / Blobs / n100 / A / accuracy"),
    ],
)
def test_entries_that_do_not_fit(change, message):
    with pytest.raises(InputError, match=message):
        judge(ours([[0.8]]), paper(("n10", "A", "80", "", "%")), **change)


def test_what_no_file_or_data_set_fits_is_refused_before_the_run(tmp_path, monkeypatch):
    for name in ("PRINTED", "KEPT"):
        monkeypatch.setattr(published_entries, name, tmp_path)
    rows = paper(("n10", "A", "80", "", "%"))
    rows.to_csv(tmp_path / "p2000.tsv", sep="\t", index=False)
    right = {"paper": "p2000", "tables": [ENTRY]}
    published_entries.check(right, ["blobs_n10_seed0"])
    published_entries.check({}, ["d"])
    for entry, message in (
        (right, "t: no data set fits .*; there are d"),
        (right | {"paper": "q"}, "no q.tsv in .*; papers there: p2000"),
        (right | {"tables": [ENTRY | {"table": "u"}]}, "no table 'u'; known: t"),
        ({"kept": ["p"]}, "no p.tsv in"),
    ):
        with pytest.raises(InputError, match=message):
            published_entries.check(entry, ["d"])


def test_counts_keep_the_order_of_the_paper():
    theirs = pd.concat([paper(("n10", "A", "80", "", "%")).assign(table=t) for t in ("z", "t")])
    cells = judge(ours([[0.8]]), theirs)
    assert shown.counts(cells).index.tolist() == [("p", "z"), ("p", "t")]
    assert shown.counts(cells).to_numpy().sum() == 2


@pytest.mark.parametrize("file", sorted((ROOT / "papers/printed").glob("*20*.tsv")))
def test_the_files_of_printed_numbers_are_whole(file):
    table = stage.read_words(file)
    assert [*published.COLUMNS, *published.OPTIONAL][: len(table.columns)] == list(table.columns)
    assert not table.duplicated(published.KEYS).any()
    assert set(table["unit"]) <= set(reproduction_status.UNITS)
    numbers = pd.to_numeric(table["value"].replace("", np.nan))
    assert numbers[table["unit"] == "%"].dropna().between(0, 100).all()


def test_a_number_of_the_papers_table_1():
    table = stage.read_words(ROOT / "papers/printed/chlenski2024.tsv")
    gaussian = table[(table["table"] == "table_1") & (table["dataset"] == "Gaussian")]
    assert len(gaussian) == 16 * 6
    row = gaussian[(gaussian["variant"] == "D2_n800") & (gaussian["method"] == "HyperDT")]
    assert row["value"].tolist() == ["91.88"]
