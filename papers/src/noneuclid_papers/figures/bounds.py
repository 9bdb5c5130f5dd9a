"""Bounds and objectives of the hyperboloid SVM relative to the certified optimum."""

from itertools import cycle

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from noneuclid.plots import palette
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names, capital
from noneuclid_papers.statistics import optimality_gaps

CAPTION = (
    "Each marker is one problem. Hollow markers left of the line: lower bounds. Filled markers "
    "right of it: objectives of the solutions. Values are in percent of the certified optimum, on "
    "a logarithmic scale outside the grey band (±0.01 %), within which values count as optimal."
)

# Within 0.01 % nothing differs from the certified optimum, whose own gap is as large.
LINEAR = 0.01
LOOKS = {
    "pgd": ("#D55E00", "o"),
    "sdp": ("#0072B2", "s"),
    "moment": ("#009E73", "^"),
}


def assign_looks(table):
    """Colour and marker of each solver except that of the reference: by kind, then by turns."""
    spare = cycle([("#CC79A7", "D"), ("#8000E0", "v"), ("#602000", "P"), ("#002080", "X")])
    kinds = table[table["kind"] != "optimal"].drop_duplicates("solver")
    found, used = {}, set()
    for solver, kind in zip(kinds["solver"], kinds["kind"], strict=True):
        found[solver] = next(spare) if kind in used else LOOKS[kind]
        used.add(kind)
    return found


def draw_bounds(table, names=None):
    """One dot per problem and solver: bounds to the left of the optimum, objectives to the right.

    `table` is that of `evaluation.optimality_gaps.long_table`. The scale is percent of the
    certified optimum, linear within ±0.01 % and logarithmic beyond.
    """
    shown = assign_looks(table)
    pairs = table[optimality_gaps.PAIR].drop_duplicates().to_records(index=False).tolist()
    height = 1.7 + max(0.42, 0.16 * len(shown)) * len(pairs)
    figure = Figure(figsize=(8.6, height))
    ax = figure.subplots()
    ax.axvspan(-LINEAR, LINEAR, color=palette.RULE, alpha=0.6, lw=0, zorder=0)
    ax.axvline(0, color=palette.INK, lw=1, zorder=1)
    for row, pair in enumerate(pairs):
        here = table[(table[optimality_gaps.PAIR] == pair).all(axis=1)]
        if row:
            ax.axhline(row - 0.5, color=palette.RULE, lw=0.8, zorder=0)
        for lane, (solver, look) in enumerate(shown.items()):
            at = row + 0.8 * ((lane + 0.5) / len(shown) - 0.5)
            _draw_lane(ax, here[here["solver"] == solver], at, 0.3 / len(shown), look)
    several, names = len({dataset for dataset, _ in pairs}) < len(pairs), names or Names()
    texts = [names.pair(*pair) for pair in pairs]
    theme.name_rows(ax, [", ".join(text) if several else text[0] for text in texts])
    _set_scale(ax, 100 * table["above"].max())
    ax.set_xlabel("% below (bounds) and above (objectives) the certified optimum")
    _draw_legend(figure, shown, set(table.loc[table["below"].notna(), "solver"]), names)
    return figure


def _draw_lane(ax, part, at, half, look):
    """Dots of one solver on one data set; they are spread within the lane, not at random."""
    colour, marker = look
    heights = at + half * np.linspace(-1, 1, len(part)) if len(part) > 1 else np.full(1, at)
    for values, face in ((-part["below"], "white"), (part["above"], colour)):
        ax.scatter(
            100 * values, heights[: len(part)], s=20, marker=marker, facecolors=face,
            edgecolors=colour, linewidths=0.8, alpha=0.85, zorder=3,
        )  # fmt: skip


def _set_scale(ax, largest):
    """Percent, linear near zero; ends at -100 % and above the largest objective."""
    ax.set_xscale("symlog", linthresh=LINEAR, linscale=0.5)
    decades = int(np.ceil(np.log10(max(10.0, np.nan_to_num(largest, nan=10.0)))))
    powers = 10.0 ** np.arange(-2, decades + 1)
    ticks = [*-powers[powers <= 100][::-1], 0, *powers]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(lambda value, _: _write_tick(value))
    ax.set_xlim(-180, 1.8 * powers[-1])


def _write_tick(value):
    """Text of a tick.

    Examples
    --------
    >>> [_write_tick(value) for value in (-0.01, 0, 100.0, 1e6)]
    ['−0.01', '0', '+100', '+10⁶']
    """
    if abs(value) >= 1e4:
        return "+10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] for c in str(round(np.log10(value))))
    return f"{value:+g}".replace("-", "−") if value else "0"


def _draw_legend(figure, shown, bounded, names):
    handles = [
        Line2D([], [], ls="", marker=marker, color=colour, mfc=face or colour, ms=6,
               label=f"{capital(names.solver(solver))}, {what}")
        for what, face in (("bound", "white"), ("objective", None))
        for solver, (colour, marker) in shown.items()
        if what == "objective" or solver in bounded
    ]  # fmt: skip
    figure.legend(handles=handles, loc="outside upper left", ncols=3)


def percent(share):
    """Write how far above or below the optimum something is, in percent with its sign.

    Examples
    --------
    >>> percent(0.0123), percent(-0.451), percent(2e-6), percent(54.321), percent(float("nan"))
    ('+1.23', '−45.1', '0.00', '+5\u202f432', '–')
    """
    if np.isnan(share):
        return "–"
    value = abs(100.0 * share)
    if value < 0.005:
        return "0.00"
    places = 2 if value < 9.995 else 1 if value < 99.95 else 0
    text = f"{value:,.{places}f}".replace(",", "\u202f")
    return ("+" if share > 0 else "−") + text


FIGURE = PageFigure(draw_bounds, CAPTION, "certificates.tsv")
