"""Score and time of every method against a number that data sets vary: pan2023, figures 2, 8."""

import re

from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.ticker import LogLocator, NullFormatter

from noneuclid.contracts import InputError
from noneuclid.reporting import style, tables

GROUPS = ("name", "value", "panel")


def values(scores, metric, pattern):
    r"""Score and time of one fit on each data set of a sweep.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`.
    metric : str
    pattern : str
        Regular expression, searched for in the names of data sets, with the groups `name` (what is
        varied), `value` (a number) and, if there are several, `panel` (what is kept). A data set
        without it is left out.

    Returns
    -------
    DataFrame
        Columns `panel`, `name`, `value`, `method`, `score`, `fit_seconds`; a row for each method on
        each data set: means over folds and repeats.

    Raises
    ------
    InputError
        If the pattern is illegal, lacks a group, or is in no data set's name.

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
    found = tables.summarise(scores, metric).rename(columns={"mean": "score"})
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
    return found[["panel", "name", "value", "method", "score", "fit_seconds"]].reset_index(
        drop=True
    )


def _compiled(pattern):
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise InputError(f"sweep: {pattern!r} is no regular expression: {error}") from None
    if not {"name", "value"} <= set(expression.groupindex):
        raise InputError(f"sweep: {pattern!r} lacks the groups (?P<name>...) and (?P<value>...)")
    return expression


def draw(scores, metric, pattern):
    """A column of panels for each number that is varied; score above, time of one fit below.

    Line: median over data sets; band: quartiles; cross: mean.

    Parameters
    ----------
    scores, metric, pattern
        As for `values`.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        As `values`.
    """
    table = values(scores, metric, pattern)
    panels, names = (list(dict.fromkeys(sorted(table[key]))) for key in ("panel", "name"))
    methods = list(dict.fromkeys(sorted(table["method"])))
    if style.in_percent(metric):
        table["score"] *= 100
    rows = [(panel, column) for panel in panels for column in ("score", "fit_seconds")]
    size = (3.2 * len(names) + 0.6, 2.3 * len(rows) + 0.6)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(rows), len(names), squeeze=False, sharex="col", sharey="row")
    words = {"score": style.metric_label(metric), "fit_seconds": "time of one fit"}
    for line, (panel, column) in zip(axes, rows, strict=True):
        for ax, name in zip(line, names, strict=True):
            part = table[(table["panel"] == panel) & (table["name"] == name)]
            _draw_panel(ax, part, column, methods)
        line[0].set_ylabel("\n".join(filter(None, [panel, words[column]])), fontsize=9.5)
        if column == "fit_seconds":
            line[0].set_yscale("log")
            line[0].yaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=9))
            line[0].yaxis.set_major_formatter(lambda value, _: style.seconds(value))
            line[0].yaxis.set_minor_formatter(NullFormatter())
    for ax, name in zip(axes[-1], names, strict=True):
        ax.set_xscale("log")
        ax.set_xlabel(name, fontsize=9.5)
    handles = axes[0, 0].get_legend_handles_labels()
    columns = min(len(methods), 2 * len(names))
    figure.legend(*handles, loc="outside upper center", ncols=columns, frameon=False, fontsize=8.5)
    return figure


def _draw_panel(ax, part, column, methods):
    """Every method's line, band and crosses; a method that is not in it has an empty line."""
    looks = zip(
        methods, style.class_colours(len(methods)), style.class_markers(len(methods)), strict=True
    )
    for method, colour, marker in looks:
        runs = part[part["method"] == method].groupby("value")[column]
        low, middle, high = (runs.quantile(q) for q in (0.25, 0.5, 0.75))
        ax.fill_between(middle.index, low, high, color=colour, alpha=0.15, lw=0)
        ax.plot(
            middle.index, middle, color=colour, lw=1.2, ms=5, marker=Path(marker), mew=0.4,
            mec=style.edge(colour), label=method,
        )  # fmt: skip
        ax.plot(middle.index, runs.mean(), ls="", marker="x", ms=4, mew=0.8, color=style.INK)
    ax.grid(color=style.RULE, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=8.5)
