"""Differences from a reference over many data sets."""

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from noneuclid.errors import InputError
from noneuclid_compare.report.tables import score_tables
from noneuclid_papers.illustrations import relative_to

PAIRS = {
    "low": {"reference": "old", "methods": {"New": "new", "Newer": "newer"}},
    "high": {"reference": "new", "methods": ["newer"]},
}
SETTINGS = {"pattern": "^(K[0-9])_", "pairs": PAIRS, "differences": ["accuracy"], "values": ["gap"]}
NAMES = ["K2_seed1", "K2_seed2", "K2_seed3", "K5_seed1", "other"]


def scores():
    rng = np.random.default_rng(0)
    rows = [
        (dataset, "e", method, "", 0, fold, metric, rng.uniform())
        for dataset in NAMES
        for method in ("newer", "old", "new")
        for metric in ("gap", "accuracy")
        if (method, metric) != ("old", "gap")
        for fold in range(3)
    ]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS).sample(frac=1, random_state=0)


def mean(table, *names):
    keys = ["dataset", "method", "metric"]
    return table.loc[(table[keys] == list(names)).all(axis=1), "value"].mean()


def test_differences_are_taken_on_each_data_set():
    table = scores()
    drawn = relative_to.draw({}, {}, table, **SETTINGS)
    assert list(drawn) == ["K2", "K5"]
    _, text, shown = drawn["K2"]
    assert text.startswith("K2, 3 data sets. Differences from old and new (line).")
    assert len(shown) == 3 * 2 * 3
    label = {"New": "new", "Newer": "newer", "newer": "newer"}
    for row in shown.to_dict("records"):
        value = mean(table, row["dataset"], label[row["method"]], row["metric"])
        assert row["value"] == pytest.approx(value)
        if row["metric"] == "gap":
            assert np.isnan(row["difference"])
            continue
        reference = mean(table, row["dataset"], PAIRS[row["column"]]["reference"], "accuracy")
        assert row["difference"] == pytest.approx(value - reference)


def test_a_row_for_each_metric_and_a_column_for_each_pair():
    figure, _, shown = relative_to.draw({}, {}, scores(), **SETTINGS)["K2"]
    FigureCanvasAgg(figure).draw()
    assert [ax.get_title() for ax in figure.axes] == ["low", "high", "", ""]
    part = shown[(shown["column"] == "low") & (shown["metric"] == "accuracy")]
    for (method, rows), dots in zip(
        part.groupby("method", sort=False), figure.axes[0].collections, strict=True
    ):
        assert method in ("New", "Newer")
        np.testing.assert_allclose(dots.get_offsets()[:, 1], 100 * rows["difference"])
    gaps = shown[(shown["column"] == "high") & (shown["metric"] == "gap")]
    np.testing.assert_allclose(figure.axes[3].collections[-1].get_offsets()[:, 1], gaps["value"])


def test_a_far_data_set_is_marked_at_the_edge():
    values = [np.array([0.0, 1, 2, 3, 500, -90]), np.array([1.0, 2, 3, 4, 5])]
    ax = Figure().subplots()
    boxes = ax.boxplot(values, showfliers=False)
    relative_to._mark_far(ax, values, boxes["caps"])
    assert ax.get_ylim() == (-2.5, 7.5)  # whiskers and zero: 0 to 5, and half of it on either side
    assert {text.get_text(): text.xy for text in ax.texts} == {"500": (1, 7.5), "-90": (1, -2.5)}
    values = [np.array([0.0, 1, 2, 3, 7]), np.array([1.0, 2, 3, 4, 5])]
    ax = Figure().subplots()
    boxes = ax.boxplot(values, showfliers=False)
    relative_to._mark_far(ax, values, boxes["caps"])
    assert not ax.texts


def changed(**settings):
    return SETTINGS | settings


@each_of(
    ("settings", "given", "said"),
    [
        (SETTINGS, False, "set `scores: true`"),
        (changed(pairs={}), True, "give `pairs`"),
        (changed(pattern="K2"), True, "'K2' has no group"),
        (changed(pattern="(K"), True, r"'\(K' is not a pattern"),
        (changed(pattern="(Z)"), True, r"'\(Z\)' matches no data set"),
        (changed(differences=["gap"]), True, "'old' has no scores by 'gap'"),
        (
            changed(pairs={"a": {"reference": "x", "methods": ["new"]}}),
            True,
            "no scores of 'x'; it has new, newer, old",
        ),
    ],
)
def test_wrong_entries_are_named(settings, given, said):
    with pytest.raises(InputError, match=f"^{relative_to.TITLE}: {said}"):
        relative_to.draw({}, {}, scores() if given else None, **settings)
