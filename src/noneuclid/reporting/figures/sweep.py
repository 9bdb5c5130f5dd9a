"""Score and cost against a number that data sets vary: pan2023, figures 2, 4, 8 and 9."""

import re

from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.ticker import LogLocator, NullFormatter

from noneuclid.errors import InputError
from noneuclid.experiment import wording
from noneuclid.reporting import style
from noneuclid.reporting.tables import score_tables

GROUPS = ("name", "value", "panel")
COSTS = {"fit_seconds": "time of one fit", "n_updates": "updates"}
LINES = {
    "median": "Line: median over data sets; band: quartiles; cross: mean.",
    "mean": "Line: mean over data sets; band: quartiles.",
}
# With more values than this, markers would hide the lines.
_MARKED = 25


def values(scores, metric, pattern, below="fit_seconds"):
    r"""Score and cost of one fit on each data set of a sweep.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`.
    metric : str
    pattern : str
        Regular expression, searched for in the names of data sets, with the groups `name` (what is
        varied), `value` (a number) and, if there are several, `panel` (what is kept). A data set
        without it is left out.
    below : {"fit_seconds", "n_updates"}
        The cost.

    Returns
    -------
    DataFrame
        Columns `panel`, `name`, `value`, `method`, `score`, and one named like `below`; a row for
        each method on each data set: means over folds and repeats. A cost that a method does not
        have is NaN.

    Raises
    ------
    InputError
        If the pattern is illegal, lacks a group, or is in no data set's name; or if no method has
        the cost.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [(f"n{n}", "e", "m", "", 0, 0, metric, n / 100)
    ...         for n in (10, 20) for metric in ("accuracy", "fit_seconds")]
    >>> table = pd.DataFrame(rows, columns=tables.COLUMNS)
    >>> values(table, "accuracy", r"(?P<name>n)(?P<value>\d+)")[["value", "score"]].to_numpy()
    array([[10. ,  0.1],
           [20. ,  0.2]])
    """
    expression = _compiled(pattern)
    keys = [*score_tables.PAIR, "method"]
    costs = score_tables.summarise(scores, below)[[*keys, "mean"]].rename(columns={"mean": below})
    found = score_tables.summarise(scores, metric)[[*keys, "mean"]].rename(
        columns={"mean": "score"}
    )
    found = found.merge(costs, on=keys, how="left")
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
        raise InputError(f"sweep: group `value` of {pattern!r} is no number: {error}") from None
    return found[["panel", "name", "value", "method", "score", below]].reset_index(drop=True)


def _compiled(pattern):
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise InputError(f"sweep: {pattern!r} is no regular expression: {error}") from None
    if not {"name", "value"} <= set(expression.groupindex):
        raise InputError(f"sweep: {pattern!r} lacks the groups (?P<name>...) and (?P<value>...)")
    return expression


def caption(line="median", below="fit_seconds", **others):
    """What stands below the figure.

    Parameters
    ----------
    line, below, others
        As for `draw`.

    Examples
    --------
    >>> caption("mean", "n_updates", pattern="")[:52]
    'Score and updates against what the data sets vary. L'
    """
    return f"Score and {COSTS[below]} against what the data sets vary. {LINES[line]}"


def draw(scores, metric, pattern, scale="log", line="median", below="fit_seconds"):
    """A column of panels for each number that is varied; score above, cost of one fit below.

    Parameters
    ----------
    scores, metric, pattern, below
        As for `values`.
    scale : {"log", "linear"}
        Of the axis of the numbers.
    line : {"median", "mean"}
        Over data sets; the band shows quartiles, crosses the means beside medians.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        As `values`.
    """
    table = values(scores, metric, pattern, below)
    panels, names = (list(dict.fromkeys(sorted(table[key]))) for key in ("panel", "name"))
    methods = list(dict.fromkeys(sorted(table["method"])))
    if style.in_percent(metric):
        table["score"] *= 100
    rows = [(panel, column) for panel in panels for column in ("score", below)]
    width = max(3.2 * len(names) + 0.6, 6.0)
    figure = Figure(figsize=(width, 2.3 * len(rows) + 0.6), layout="constrained")
    axes = figure.subplots(len(rows), len(names), squeeze=False, sharex="col", sharey="row")
    words = {"score": style.metric_label(metric)} | COSTS
    for row, (panel, column) in zip(axes, rows, strict=True):
        for ax, name in zip(row, names, strict=True):
            part = table[(table["panel"] == panel) & (table["name"] == name)]
            _draw_panel(ax, part, column, methods, line)
        row[0].set_ylabel("\n".join(filter(None, [panel, words[column]])), fontsize=9.5)
        if column in COSTS:
            _count_in_powers(row[0], column)
    for ax, name in zip(axes[-1], names, strict=True):
        ax.set_xscale(scale)
        ax.set_xlabel(name, fontsize=9.5)
    handles = axes[0, 0].get_legend_handles_labels()
    columns = min(len(methods), max(2 * len(names), 2))
    figure.legend(*handles, loc="outside upper center", ncols=columns, frameon=False, fontsize=8.5)
    return figure


def _count_in_powers(ax, column):
    """Logarithmic axis of a cost."""
    ax.set_yscale("log")
    if column == "fit_seconds":
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=9))
        ax.yaxis.set_major_formatter(lambda value, _: wording.seconds(value))
        ax.yaxis.set_minor_formatter(NullFormatter())


def _draw_panel(ax, part, column, methods, line):
    """Every method's line, band and crosses; a method that is not in it has an empty line."""
    looks = zip(
        methods, style.class_colours(len(methods)), style.class_markers(len(methods)), strict=True
    )
    for method, colour, marker in looks:
        runs = part[part["method"] == method].groupby("value")[column]
        low, high, mean = runs.quantile(0.25), runs.quantile(0.75), runs.mean()
        middle = mean if line == "mean" else runs.median()
        ax.fill_between(middle.index, low, high, color=colour, alpha=0.15, lw=0)
        ax.plot(
            middle.index, middle, color=colour, lw=1.2, ms=5, marker=Path(marker), mew=0.4,
            mec=style.edge(colour), label=method, markevery=max(1, len(middle) // _MARKED),
        )  # fmt: skip
        if line == "median":
            ax.plot(mean.index, mean, ls="", marker="x", ms=4, mew=0.8, color=style.INK)
    ax.grid(color=style.RULE, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=8.5)
