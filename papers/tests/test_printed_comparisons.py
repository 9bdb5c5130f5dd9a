"""Speedups, largest gains and formulas beside printed numbers, against sums by hand."""

import json

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from paper_mirror import ROOT

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import configuration
from noneuclid_compare.config.yaml_checks import read
from noneuclid_papers.printed import published, published_entries, reproduction_status
from noneuclid_papers.stages import published as stage

# Accuracy and seconds of the methods a and b in three settings: three runs of p1 and p2, one of p3.
ACCURACY = {
    **{"p1_run0": (0.9, 0.8), "p1_run1": (0.9, 0.2), "p1_run2": (0.9, 0.8)},
    **{"p2_run0": (1.0, 0.6), "p2_run1": (1.0, 0.6), "p2_run2": (0.5, 0.55)},
    "p3_run0": (1.0, 0.1),
}
SECONDS = {
    **{"p1_run0": (1, 10), "p1_run1": (1, 10), "p1_run2": (4, 40)},
    **{"p2_run0": (2, 80), "p2_run1": (2, 10), "p2_run2": (2, 30)},
    "p3_run0": (1, 5),
}
SPEEDUPS = [60 / 6, 120 / 6, 5]
PRINTED = [
    *(("speedup", "12", "1"), ("speedup", "0.1", "1"), ("accuracy_gain_max", "30", "%")),
    ("updates_bound", "594", "count"),
]
BASE = {"table": "text", "dataset": "sets", "method": "A against B", "datasets": "p[0-9]_run[0-9]"}
PAIR = BASE | {"first": "a", "second": "b", "group": "^(p[0-9])"}
SPEEDUP = PAIR | {"variant": "0", "metric": "speedup"}
GAIN = PAIR | {"variant": "2", "metric": "accuracy_gain_max"}
FORMULA = BASE | {
    "variant": "3",
    "metric": "updates_bound",
    "datasets": "p(?P<margin>1)_run(?P<fraction>0)",
    "formula": "pan2023_updates_bound",
}


def scores(accuracy=ACCURACY, embedding="given"):
    """The table of `evaluate`, two repeats of three uneven folds; a run's values have its mean."""
    factors = np.array([[0.5, 0.6, 1.9], [0.9, 1.0, 1.1]])
    rows = [
        (dataset, embedding, method, repeat, fold, metric, value * factors[repeat, fold], "{}")
        for metric, table in {"fit_seconds": SECONDS, "accuracy": accuracy}.items()
        for dataset, values in table.items()
        for method, value in zip("ab", values, strict=True)
        for repeat, fold in np.ndindex(2, 3)
    ]
    names = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value", "setting"]
    found = pd.DataFrame(rows, columns=names)
    sizes = found[found["metric"] == "accuracy"].assign(metric="test_rows")
    sizes["value"] = np.where(sizes["method"] == "a", 50, 7)
    return pd.concat([found, sizes]).assign(commit="c", code="d", machine="m")


def theirs():
    rows = [
        ("text", "sets", str(k), "A against B", metric, value, "", unit)
        for k, (metric, value, unit) in enumerate(PRINTED)
    ]
    return pd.DataFrame(rows, columns=published.COLUMNS)


def cells(*entries, table=None, tables=()):
    none = pd.DataFrame(columns=published.REASONS)
    table = scores() if table is None else table
    found = published.cells(table, theirs(), "p", tables, none, comparisons=entries)
    return found.set_index("variant")


def test_a_speedup_is_the_geometric_mean_over_settings_of_ratios_of_mean_times():
    cell = cells(SPEEDUP).loc["0"]
    assert cell["ours"] == pytest.approx(np.prod(SPEEDUPS) ** (1 / 3))
    assert (cell["status"], cell["runs"], cell["commit"]) == (reproduction_status.ALIKE, 7, "c")
    assert np.isnan(cell["se"])
    turned = cells(SPEEDUP | {"first": "b", "second": "a"}).loc["0"]
    assert turned["ours"] == pytest.approx(np.prod(SPEEDUPS) ** (-1 / 3))
    assert turned["status"] == reproduction_status.OTHER_SIDE
    apart = cells(SPEEDUP | {"group": "(.*)"}).loc["0"]
    assert apart["ours"] == pytest.approx(np.prod([10, 10, 10, 40, 5, 15, 5]) ** (1 / 7))


def test_times_of_two_machines_are_not_compared():
    table = scores()
    other = (table["method"] == "a") & table["dataset"].str.startswith("p2")
    mixed = table.assign(machine=np.where(other, "n", "m"))
    cell = cells(SPEEDUP, table=mixed).loc["0"]
    assert (cell["ours"], cell["runs"]) == (pytest.approx(50**0.5), 4)
    mixed = table.assign(commit=np.where(table["method"] == "a", "d", "c"))
    assert cells(SPEEDUP, table=mixed).loc["0", "status"] == reproduction_status.NOT_RUN
    assert cells(GAIN, table=mixed).loc["2", "commit"] == "c, d"


def test_a_largest_gain_is_that_of_the_leading_setting_of_those_with_the_most_runs():
    cell = cells(GAIN).loc["2"]
    # The largest mean, not the largest median: that is of p2, with 0.4, 0.4 and -0.05.
    differences = [0.1, 0.7, 0.1]
    assert cell["ours"] == pytest.approx(0.3)
    assert cell["se"] == pytest.approx(np.std(differences, ddof=1) / np.sqrt(3))
    assert (cell["status"], cell["runs"], cell["commit"]) == (reproduction_status.EXACT, 3, "c")
    single = cells(GAIN | {"group": "(.*)"}).loc["2"]
    assert single["ours"] == pytest.approx(0.9)
    assert (single["status"], single["tolerance"]) == (reproduction_status.OUTSIDE, 0.005)
    turned = cells(GAIN | {"first": "b", "second": "a"}).loc["2"]
    assert turned["ours"] == pytest.approx(-0.25)


def test_on_the_rows_of_the_paper_the_interval_is_that_of_a_difference():
    cell = cells(GAIN | {"folds": "theirs"}).loc["2"]
    rows = 3 * 2 * 3 * 50  # of the method a: data sets, repeats, folds
    assert cell["rows"] == rows / 2
    expected = np.floor(2 * np.sqrt(2 * reproduction_status.SHARE * rows)) / rows
    assert cell["tolerance"] == pytest.approx(0.005 + expected, abs=1 / rows)
    table = scores()
    with pytest.raises(InputError, match="a has no metric test_rows"):
        cells(GAIN | {"folds": "theirs"}, table=table[table["metric"] != "test_rows"])


def test_only_rows_of_both_methods_in_this_order_count():
    table = scores()
    other = table[table["method"] == "a"].assign(method="c", value=7.0, commit="x")
    mixed = pd.concat([other, table]).sample(frac=1, random_state=0)
    for found in (cells(SPEEDUP, GAIN, table=mixed), cells(SPEEDUP, GAIN)):
        assert found["ours"].dropna().tolist() == pytest.approx([10, 0.3])
        assert set(found["commit"]) == {"c", ""}


def test_folds_without_a_value_of_both_are_left_out():
    table = scores()
    lost = (table["dataset"] == "p1_run1") & (table["method"] == "b") & (table["fold"] == 2)
    lost &= table["metric"] == "accuracy"
    gain = GAIN | {"datasets": "p1_run[0-9]"}
    found = cells(gain, table=table.assign(value=table["value"].mask(lost))).loc["2"]
    left = np.mean([0.5, 0.6, 0.9, 1.0])
    assert found["ours"] == pytest.approx((0.1 + 0.7 * left + 0.1) / 3)


def test_embeddings_are_settings_of_their_own():
    weak = {name: (a - 0.2, b) for name, (a, b) in ACCURACY.items()}
    both = pd.concat([scores(), scores(weak, "weak")])
    for entry, gain, runs in (
        (GAIN, 0.3, 3),
        (GAIN | {"embedding": "weak"}, 0.1, 3),
        (GAIN | {"group": None, "datasets": "p1_run1"}, 0.7, 1),
    ):
        cell = cells(entry, table=both).loc["2"]
        assert (cell["ours"], cell["runs"]) == (pytest.approx(gain), runs)


def test_a_formula_takes_the_numbers_of_the_pattern():
    cell = cells(FORMULA).loc["3"]
    # p = 0: R_p = R = 0.95.
    assert cell["ours"] == pytest.approx((2 * 0.95 / ((1 - 0.95**2) * np.sinh(1))) ** 2)
    assert (cell["runs"], cell["commit"], cell["status"]) == (1, "c", reproduction_status.OUTSIDE)


def test_what_was_not_run_with_both_methods_has_no_number():
    table = scores()
    only = table[table["method"] == "a"]
    assert set(cells(SPEEDUP, GAIN, table=only)["status"]) == {reproduction_status.NOT_RUN}
    lost = table[(table["method"] != "b") | (table["dataset"] != "p1_run1")]
    cell = cells(GAIN, table=lost).loc["2"]
    assert (cell["ours"], cell["runs"]) == (pytest.approx(0.25), 3)  # p1 has two left


def test_one_cell_has_one_entry_and_one_setting_of_each_method():
    entry = {"table": "text", "datasets": "p1_run1", "dataset": "sets", "variant": "2"}
    entry |= {"methods": {"a": "A against B"}, "metrics": {"accuracy": "accuracy_gain_max"}}
    for twice in ({"tables": [entry]}, {}):
        entries = [GAIN] if twice else [GAIN, GAIN]
        with pytest.raises(InputError, match="two entries for text / sets / 2 / A against B"):
            cells(*entries, **twice)
    table = scores()
    settings = np.where(table["dataset"] == "p2_run0", "C=7", "C=1")
    with pytest.raises(InputError, match="published: a has several settings"):
        cells(GAIN, table=table.assign(setting=settings))


@each_of(
    ("wrong", "message"),
    [
        ({"metric": "loss"}, "no metric 'loss'; known: speedup, accuracy_gain_max, updates_bound"),
        ({"table": "{x}"}, "no speedup: table '{x}'; known: text"),
        ({"method": "B"}, "no speedup: method 'B'; known: A against B"),
        ({"variant": "2"}, "no speedup: variant '2'; known: 0, 1"),
        ({"variant": "{x}"}, "'{x}' needs a group of the patterns"),
        ({"variant": "{n}", "datasets": "p(?P<n>[0-9])_run0"}, "p prints no text / sets / 2"),
        ({"first": "b"}, "b is compared with itself"),
        ({"second": "c"}, "no data set has both a and c"),
        ({"group": "("}, "group: '\\(' is not a regular expression"),
        ({"group": "q"}, "group: 'q' is not found in the data set 'p1_run0'"),
        ({"datasets": "q"}, "no data set fits 'q'"),
        (FORMULA | {"formula": "nope"}, "no formula 'nope'; known: pan2023_updates_bound"),
        (FORMULA | {"datasets": "p1_run0"}, "fails: TypeError: .*missing 2 required"),
        (FORMULA | {"datasets": "(?P<margin>p1)_run(?P<fraction>0)"}, "fails: ValueError"),
        (FORMULA | {"datasets": "p(?P<margin>[12])_run(?P<fraction>0)"}, "has several settings"),
    ],
)
def test_a_comparison_that_cannot_be_computed_is_refused_before_the_run(
    wrong, message, tmp_path, monkeypatch
):
    io.write_table(tmp_path / "p.tsv", theirs())
    for module in (published, published_entries):
        monkeypatch.setattr(module, "PRINTED", tmp_path)
    pairs = [[name, "given", ["a", "b"]] for name in ACCURACY]

    def check(entry):
        settings = {"paper": "p", "comparisons": [entry]}
        published_entries.check(settings, list(ACCURACY))
        published.check_comparisons(settings, pairs)

    for right in (SPEEDUP, GAIN, FORMULA):
        check(right)
    with pytest.raises(InputError, match=message):
        check(wrong if "formula" in wrong else SPEEDUP | wrong)


def test_the_stage_computes_the_comparisons_of_the_configuration(tmp_path):
    scores().to_parquet(tmp_path / "scores.parquet")
    io.write_table(tmp_path / "p.tsv", theirs())
    io.write_text(tmp_path / "methods.tsv", "paper\tmethod\tkind\np\tA against B\town\n")
    words = ["--scores", tmp_path / "scores.parquet", "--paper", tmp_path / "p.tsv"]
    words += ["--settings", json.dumps({"paper": "p", "comparisons": [GAIN, SPEEDUP]})]
    resources = ROOT / "papers/printed"
    words += ["--reasons", resources / "reasons.tsv", "--protocols", resources / "protocols.tsv"]
    words += ["--methods", tmp_path / "methods.tsv"]
    stage.main([str(word) for word in [*words, "--output", tmp_path]])
    found = stage.read(tmp_path / "cells.tsv").set_index("metric")["ours"]
    assert found["accuracy_gain_max"] == pytest.approx(0.3)
    assert found["speedup"].dropna().tolist() == pytest.approx([10])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"formula": "pan2023_updates_bound"}, "leave out the key with 'poincare"),
        ({"folds": "theirs"}, "leave out the key with 'theirs'"),
        ({"score": "accuracy"}, "unknown key 'score'"),
        ({"metric": "loss"}, "'loss' is not one of"),
        ({"first": None}, "'first' is a required property"),
    ],
)
def test_the_schema_takes_either_two_methods_or_a_formula(wrong, message):
    config = read(ROOT / "papers/config/pan2023_figure_2.yaml")
    entry = config["published"]["comparisons"][0]
    assert entry["metric"] == "speedup"
    entry |= wrong
    config["published"]["comparisons"][0] = {k: v for k, v in entry.items() if v is not None}
    with pytest.raises(InputError, match=f"published/comparisons/0.*: {message}"):
        configuration.check(config, ROOT / "workflow/schemas/config.schema.yaml")
