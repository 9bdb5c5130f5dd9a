"""Score and cost against a number that data sets vary: Pan et al. (2023), figures 2, 4, 8 and 9."""

import re

import seaborn as sns
from matplotlib.figure import Figure

from noneuclid.errors import InputError, require
from noneuclid.plots import palette
from noneuclid_compare import wording
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import score_tables

GROUPS = ("name", "value", "panel")
COSTS = {"fit_seconds": "time of one fit", "n_updates": "updates"}
LINES = {
    "median": "Lines: medians over data sets. With up to eight methods, bands show quartiles and "
    "crosses show means.",
    "mean": "Lines: means over data sets. With up to eight methods, bands show quartiles.",
}
# With more values than this, markers would hide the lines.
_MARKED = 25
_BANDS = 8  # methods whose bands can be distinguished


def tabulate_sweep(scores, metric, pattern, below="fit_seconds", also=()):
    r"""Score and cost of one fit of each method on each data set of a sweep, means over folds.

    `pattern` is searched for in the names of data sets, with the groups `name` (what is varied),
    `value` (a number) and, if there are several, `panel` (what is kept); a data set without it is
    left out. Columns `panel`, `name`, `value`, `method`, `score`, and one named like `below`,
    "fit_seconds" or "n_updates", which is NaN where a method does not have it; then the metrics
    `also`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [(f"n{n}", "e", "m", "", 0, 0, metric, n / 100)
    ...         for n in (10, 20) for metric in ("accuracy", "fit_seconds")]
    >>> table = pd.DataFrame(rows, columns=score_tables.COLUMNS)
    >>> tabulate_sweep(table, "accuracy", r"(?P<name>n)(?P<value>\d+)")["score"].tolist()
    [0.1, 0.2]
    """
    expression = _compile(pattern)
    own = [*GROUPS, "method", "score", below]
    require(not {*own} & {*also}, f"sweep: also: the table has columns {', '.join(own)} anyway")
    keys = [*score_tables.PAIR, "method"]

    def means(of, name):
        return score_tables.summarise(scores, of)[[*keys, "mean"]].rename(columns={"mean": name})

    found = means(metric, "score")
    for column in (below, *also):
        found = found.merge(means(column, column), on=keys, how="left")
    parts = {name: expression.search(name) for name in found["dataset"].unique()}
    parts = {name: part.groupdict() for name, part in parts.items() if part}
    if not parts:
        raise InputError(f"sweep: {pattern!r} is not found in the name of any data set")
    found = found[found["dataset"].isin(parts)].copy()
    for group in GROUPS:
        found[group] = [parts[name].get(group) or "" for name in found["dataset"]]
    try:
        found["value"] = found["value"].astype(float)
    except ValueError as error:
        raise InputError(f"sweep: group `value` of {pattern!r} is not a number: {error}") from None
    return found[["panel", "name", "value", "method", "score", below, *also]].reset_index(drop=True)


def _compile(pattern):
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise InputError(f"sweep: {pattern!r} is no regular expression: {error}") from None
    if not {"name", "value"} <= set(expression.groupindex):
        raise InputError(f"sweep: {pattern!r} lacks the groups (?P<name>...) and (?P<value>...)")
    return expression


def write_caption(line="median", below="fit_seconds"):
    """Caption for the arguments of `draw_sweep`."""
    return f"Score and {COSTS[below]} against the parameter varied between data sets. {LINES[line]}"


def draw_sweep(scores, metric, pattern, scale="log", line="median", below="fit_seconds", names=None
):  # fmt: skip
    """A column of panels for each number that is varied; score above, cost of one fit below.

    Lines are medians or means over the data sets, bands quartiles, crosses means beside medians;
    `scale` is that of the axis of the numbers.
    """
    table, named = tabulate_sweep(scores, metric, pattern, below), (names or Names()).method
    table["method"] = table["method"].map(named)
    panels, names = (sorted(table[key].unique()) for key in ("panel", "name"))
    if style.in_percent(metric):
        table["score"] *= 100
    rows = [(panel, column) for panel in panels for column in ("score", below)]
    width = max(3.2 * len(names) + 0.6, 6.0)
    figure = Figure(figsize=(width, 2.3 * len(rows) + 0.6))
    axes = figure.subplots(len(rows), len(names), squeeze=False, sharex="col", sharey="row")
    looks = theme.method_looks(map(named, score_tables.name_methods(scores)), table["method"])
    words = {"score": style.metric_label(metric)} | COSTS
    # Scales are set last: on log axes seaborn would average logarithms.
    for row, (panel, column) in zip(axes, rows, strict=True):
        for ax, name in zip(row, names, strict=True):
            part = table[(table["panel"] == panel) & (table["name"] == name)]
            _draw_panel(ax, part, column, line, looks)
            ax.set_xlabel(name)
            ax.set_ylabel("\n".join(filter(None, [panel, words[column]])))
        if column == "fit_seconds":
            theme.use_log_scale(row[0], "y", wording.seconds)
        elif column in COSTS:
            row[0].set_yscale("log")
    for ax in axes[-1]:
        ax.set_xscale(scale)
    columns = min(table["method"].nunique(), max(2 * len(names), 2))
    theme.move_legend(figure, axes[0, 0], ncols=columns)
    for ax in axes.ravel()[1:]:
        ax.get_legend().remove()
    return figure


def _draw_panel(ax, part, column, line, looks):
    """Lines, bands and crosses of all methods."""
    shown = {"data": part, "x": "value", "y": column, "dashes": False, "ax": ax, **looks}
    few = len(looks["hue_order"]) <= _BANDS
    every = max(1, part["value"].nunique() // _MARKED)
    sns.lineplot(
        **shown, estimator=line, errorbar=("pi", 50) if few else None, lw=1.2, ms=5, mew=0.4,
        markevery=every, err_kws={"alpha": 0.15, "lw": 0} if few else None,
    )  # fmt: skip
    if line == "median" and few:
        means = part.groupby(["method", "value"], as_index=False)[column].mean()
        ax.plot(means["value"], means[column], ls="", marker="x", ms=4, mew=0.8, color=palette.INK)


FIGURE = PageFigure(draw_sweep, write_caption, tabulate_sweep)
