"""Sweeps: which data sets stand where, and what is drawn of them."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from noneuclid.errors import InputError
from noneuclid_compare.report.figures import page_figures, sweep
from noneuclid_compare.report.tables import score_tables

PATTERN = r"^(?P<name>points|margin)(?P<value>[0-9.]+)_(?P<panel>p[0-9.]+)"


@pytest.fixture
def scores():
    """Three runs at two values of two sweeps and two |p|, two methods, two folds."""
    rng = np.random.default_rng(0)
    names = [
        f"{name}{value}_p{p}_run{run}"
        for name, values in {"points": (1000, 10_000), "margin": (0.1, 1.0)}.items()
        for value in values
        for p in (0.2, 0.6)
        for run in range(3)
    ]
    rows = [
        (name, "given", method, "", 0, fold, metric, rng.random())
        for name in [*names, "karate"]
        for method in ("a", "b")
        for fold in range(2)
        for metric in ("accuracy", "fit_seconds")
    ]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS)


def test_values_are_those_of_the_data_sets(scores):
    table = sweep.tabulate_sweep(scores, "accuracy", PATTERN)
    assert len(table) == 2 * 2 * 2 * 3 * 2
    chosen = scores[scores["dataset"].str.startswith("margin0.1_p0.6") & (scores["method"] == "b")]
    here = table[
        (table["name"] == "margin") & (table["value"] == 0.1) & (table["panel"] == "p0.6")
    ].query("method == 'b'")
    for column, metric in (("score", "accuracy"), ("fit_seconds", "fit_seconds")):
        expected = chosen[chosen["metric"] == metric].groupby("dataset")["value"].mean()
        np.testing.assert_allclose(np.sort(here[column]), np.sort(expected))


def test_more_metrics_are_columns_of_the_table_only(scores):
    some = scores[(scores["metric"] == "accuracy") & (scores["method"] == "a")]
    both = pd.concat([scores, some.assign(metric="train_f1_macro", value=some["value"] / 2)])
    table = sweep.tabulate_sweep(both, "accuracy", PATTERN, also=["train_f1_macro"])
    plain = sweep.tabulate_sweep(scores, "accuracy", PATTERN)
    pd.testing.assert_frame_equal(table.drop(columns="train_f1_macro"), plain)
    halves = table["score"].where(table["method"] == "a") / 2
    np.testing.assert_allclose(table["train_f1_macro"], halves)
    with pytest.raises(InputError, match="no score is called 'f2'"):
        sweep.tabulate_sweep(scores, "accuracy", PATTERN, also=["f2"])
    for name in ("fit_seconds", "score", "value"):
        with pytest.raises(InputError, match="the table has columns name, value, panel, method"):
            sweep.tabulate_sweep(scores, "accuracy", PATTERN, also=[name])


def test_lines_are_medians_and_crosses_means(scores):
    figure = sweep.draw_sweep(scores, "accuracy", PATTERN)
    FigureCanvasAgg(figure).draw()
    axes = np.array(figure.axes).reshape(4, 2)  # two |p|, score and time; margin, points
    table = sweep.tabulate_sweep(scores, "accuracy", PATTERN)
    part = table.query("panel == 'p0.6' and name == 'points' and method == 'a'")
    runs = part.groupby("value")
    scales = {2: ("score", 100), 3: ("fit_seconds", 1)}
    for row, (column, scale) in scales.items():
        line, cross = axes[row, 1].lines[0], axes[row, 1].lines[-1]
        assert line.get_xdata().tolist() == [1000, 10_000]
        np.testing.assert_allclose(line.get_ydata(), scale * runs[column].median())
        np.testing.assert_allclose(cross.get_ydata()[:2], scale * runs[column].mean())
        band = axes[row, 1].collections[0].get_paths()[0].vertices
        for value, part_runs in runs:
            ends = band[band[:, 0] == value, 1]
            quartiles = scale * part_runs[column].quantile([0.25, 0.75])
            np.testing.assert_allclose([ends.min(), ends.max()], quartiles)
    assert [ax.get_xlabel() for ax in axes[-1]] == ["margin", "points"]
    assert [ax.get_xscale() for ax in axes[0]] == ["log", "log"]
    assert page_figures.to_bytes(figure, "svg").startswith(b"<?xml")


def test_means_of_updates_on_a_linear_axis(scores):
    pattern = r"^(?P<name>margin)(?P<value>[0-9.]+)_p0.2"
    updates = scores[scores["metric"] == "accuracy"].assign(metric="n_updates")
    updates = updates[updates["method"] == "a"].assign(value=range(100, 100 + len(updates) // 2))
    both = pd.concat([scores, updates])
    table = sweep.tabulate_sweep(both, "accuracy", pattern, "n_updates")
    assert table.loc[table["method"] == "b", "n_updates"].isna().all()
    figure = sweep.draw_sweep(both, "accuracy", pattern, "linear", "mean", "n_updates")
    above, below = figure.axes
    runs = table[table["method"] == "a"].groupby("value")
    for ax, column, scale in ((above, "score", 100), (below, "n_updates", 1)):
        np.testing.assert_allclose(ax.lines[0].get_ydata(), scale * runs[column].mean())
        assert not any(line.get_marker() == "x" for line in ax.lines)
    assert (below.get_xscale(), below.get_yscale()) == ("linear", "log")
    assert below.get_ylabel() == "updates"
    assert "Lines: mean" in sweep.write_caption(line="mean", below="n_updates")
    with pytest.raises(InputError, match="no score is called 'n_updates'"):
        sweep.draw_sweep(scores, "accuracy", pattern, below="n_updates")


def test_one_panel_needs_no_group(scores):
    figure = sweep.draw_sweep(scores, "accuracy", r"(?P<name>points)(?P<value>\d+)_p0.2")
    assert len(figure.axes) == 2


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(points", "is no regular expression"),
        (r"points(?P<value>\d+)", r"lacks the groups \(\?P<name>"),
        (r"(?P<name>radius)(?P<value>\d+)", "not found in the name of any data set"),
        (r"(?P<name>points)(?P<value>\d+_)", "is not a number"),
        (r"(?P<name>margin)(?P<value>x)?", "is not a number"),
    ],
)
def test_patterns_that_fit_nothing_are_refused(scores, pattern, said):
    with pytest.raises(InputError, match=said) as caught:
        sweep.tabulate_sweep(scores, "accuracy", pattern)
    assert "\n" not in str(caught.value)
