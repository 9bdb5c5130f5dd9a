"""Speedups, largest gains and formulas beside printed numbers, against sums by hand."""

import numpy as np
import pandas as pd
import pytest

from noneuclid.errors import InputError
from noneuclid.evaluation import agreement, published, published_entries

# Seconds and accuracy of the methods a and b on four data sets: two settings, two runs each.
SECONDS = {"p1_run0": (1, 10), "p1_run1": (3, 30), "p2_run0": (2, 80), "p2_run1": (2, 80)}
ACCURACY = {"p1_run0": (0.9, 0.8), "p1_run1": (0.9, 0.4), "p2_run0": (1, 0.9), "p2_run1": (1, 0.8)}
PRINTED = [
    *(("speedup", "20", "1"), ("speedup", "0.5", "1"), ("accuracy_gain_max", "30", "%")),
    ("updates_bound", "594", "count"),
]
BASE = {"table": "text", "dataset": "sets", "method": "A against B", "datasets": "p[0-9]_run[0-9]"}
PAIR = BASE | {"first": "a", "second": "b", "group": "^(p[0-9])"}
SPEEDUP = PAIR | {"variant": "0", "metric": "speedup", "score": "fit_seconds"}
GAIN = PAIR | {"variant": "2", "metric": "accuracy_gain_max", "score": "accuracy"}
FORMULA = BASE | {
    "variant": "3",
    "metric": "updates_bound",
    "datasets": "p(?P<fraction>[0-9])_run[0-9]",
    "formula": "noneuclid.papers.pan2023.updates_bound",
}


def scores(folds=2):
    """The table of `evaluate`; the folds of a run differ and have its mean."""
    rows = [
        (dataset, "given", method, 0, fold, metric, value * (0.9 + 0.2 * fold / (folds - 1)), "{}")
        for metric, table in {"fit_seconds": SECONDS, "accuracy": ACCURACY}.items()
        for dataset, values in table.items()
        for method, value in zip("ab", values, strict=True)
        for fold in range(folds)
    ]
    names = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value", "setting"]
    found = pd.DataFrame(rows, columns=names)
    sizes = found[found["metric"] == "accuracy"].assign(metric="test_rows", value=50)
    return pd.concat([found, sizes]).assign(commit="c", code="d", machine="m")


def theirs():
    rows = [
        ("text", "sets", str(k), "A against B", metric, value, "", unit)
        for k, (metric, value, unit) in enumerate(PRINTED)
    ]
    return pd.DataFrame(rows, columns=published.COLUMNS)


def cells(*entries, table=None):
    none = pd.DataFrame(columns=published.REASONS)
    table = scores() if table is None else table
    found = published.cells(table, theirs(), "p", [], none, comparisons=entries)
    return found.set_index("variant")


def test_a_speedup_is_the_geometric_mean_over_groups_of_ratios_of_mean_times():
    cell = cells(SPEEDUP).loc["0"]
    # 20 / 2 and 80 / 2; the mean of single ratios, or of the sums, would be another.
    assert cell["ours"] == pytest.approx(np.sqrt(10 * 40))
    assert (cell["status"], cell["runs"], cell["commit"]) == (agreement.ALIKE, 4, "c")
    turned = cells(SPEEDUP | {"first": "b", "second": "a"}).loc["0"]
    assert turned["ours"] == pytest.approx(1 / 20)
    assert turned["status"] == agreement.OTHER_SIDE


def test_a_largest_gain_is_that_of_the_leading_group():
    cell = cells(GAIN).loc["2"]
    # 0.1 and 0.5 in the first group, 0.1 and 0.2 in the second.
    assert cell["ours"] == pytest.approx(0.3)
    assert cell["se"] == pytest.approx(0.2)
    assert (cell["status"], cell["runs"]) == (agreement.EXACT, 2)
    single = cells(GAIN | {"group": "(.*)"}).loc["2"]
    assert single["ours"] == pytest.approx(0.5)
    assert (single["status"], single["tolerance"]) == (agreement.OUTSIDE, 0.005)
    turned = cells(GAIN | {"first": "b", "second": "a"}).loc["2"]
    assert turned["ours"] == pytest.approx(-0.15)


def test_on_the_rows_of_the_paper_the_interval_is_that_of_the_leading_group():
    cell = cells(GAIN | {"folds": "theirs"}).loc["2"]
    assert cell["rows"] == 2 * 2 * 50
    assert cell["tolerance"] == pytest.approx(agreement.tolerance("accuracy", 0.005, 200, 0.0))


def test_the_order_of_rows_and_methods_of_others_do_not_count():
    table = scores()
    other = table[table["method"] == "a"].assign(method="c", value=7.0)
    mixed = pd.concat([other, table]).sample(frac=1, random_state=0)
    for found in (cells(SPEEDUP, GAIN, table=mixed), cells(SPEEDUP, GAIN)):
        assert found["ours"].dropna().tolist() == pytest.approx([20, 0.3])


def test_a_formula_takes_the_numbers_of_the_pattern():
    pattern = "p(?P<margin>1)_run(?P<fraction>0)"
    cell = cells(FORMULA | {"datasets": pattern}).loc["3"]
    # p = 0: R_p = R = 0.95.
    assert cell["ours"] == pytest.approx((2 * 0.95 / ((1 - 0.95**2) * np.sinh(1))) ** 2)
    assert (cell["runs"], cell["commit"], cell["status"]) == (1, "c", agreement.OUTSIDE)
    two = FORMULA | {"datasets": "p(?P<margin>[0-9])_run(?P<fraction>0)"}
    with pytest.raises(InputError, match="one cell has several settings"):
        cells(two)


def test_cells_without_both_methods_are_not_run_and_a_single_missing_run_is_named():
    table = scores()
    only = table[table["method"] == "a"]
    assert set(cells(SPEEDUP, GAIN, table=only)["status"]) == {agreement.NOT_RUN}
    lost = table[(table["method"] != "b") | (table["dataset"] != "p2_run1")]
    with pytest.raises(InputError, match="1 runs of a and b lack the other"):
        cells(GAIN, table=lost)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"metric": "loss"}, "no metric 'loss'; known: speedup, accuracy_gain_max, updates_bound"),
        ({"method": "B"}, "no speedup: method 'B'; known: A against B"),
        ({"variant": "2"}, "no speedup: variant '2'; known: 0, 1"),
    ],
)
def test_a_comparison_that_the_paper_does_not_print_is_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        published_entries.check_test(SPEEDUP | wrong, theirs().to_dict("records"))
