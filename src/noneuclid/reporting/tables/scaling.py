"""Time and memory of one fit against the size of the data, with fitted exponents."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from noneuclid.evaluation import effect_sizes
from noneuclid.experiment import wording
from noneuclid.reporting import style
from noneuclid.reporting.figures import league_figures
from noneuclid.reporting.tables import score_tables

COSTS = {"fit_seconds": "time of one fit", "peak_memory_mb": "peak memory of the job (MB)"}
SIZES = {"n": "rows", "d": "dimensions"}
_WORDS = {"fit_seconds": "time", "peak_memory_mb": "memory"}
LEAST = 4  # distinct sizes that an exponent needs
_TOGETHER = 8  # methods that one panel can show
_ACROSS = 6


def costs(scores, cards):
    """Mean time and memory of each method on each pair with a card, with the size of the data.

    Columns `dataset`, `embedding`, `method`, `n`, `d`, then those of `COSTS`; NaN for an unknown
    cost.
    """
    sizes = pd.DataFrame(
        [
            (c["dataset"]["name"], c["embedding"]["name"], c["dataset"]["n"], c["dimension"])
            for c in cards
        ],
        columns=[*score_tables.PAIR, *SIZES],
    )
    named = scores.assign(method=score_tables.name_methods(scores))
    named = named[named["metric"].isin(list(COSTS))]
    wide = named.pivot_table("value", [*score_tables.PAIR, "method"], "metric").reset_index()
    found = sizes.merge(
        wide.reindex(columns=[*score_tables.PAIR, "method", *COSTS]), on=score_tables.PAIR
    )
    return found.sort_values(["method", "n", "d", *score_tables.PAIR]).reset_index(drop=True)


def exponents(table):
    """Exponents of time and memory in n and d, for each method, from the table of `costs`.

    A size is used if it takes at least `LEAST` values over the data of the method; other properties
    that vary with the data, such as the number of classes, are not corrected for. Columns `method`,
    `pairs`, `sizes` (distinct n), then for each cost and size the exponent, `fit_seconds_n`, and
    the half width of its 95 % interval, `fit_seconds_n_half`; NaN where there are too few sizes.
    """
    return pd.DataFrame([_row(method, part) for method, part in table.groupby("method")])


def _row(method, part):
    row = {"method": method, "pairs": len(part), "sizes": part["n"].nunique()}
    for cost in COSTS:
        known = part[part[cost] > 0]  # neither unknown nor below the clock's resolution
        varied = [size for size in SIZES if known[size].nunique() >= LEAST]
        law = effect_sizes.power_law(known[varied], known[cost]) if varied else None
        for size in SIZES:
            at = varied.index(size) if law and size in varied else None
            row[f"{cost}_{size}"] = np.nan if at is None else law[0][at]
            row[f"{cost}_{size}_half"] = np.nan if at is None else law[1][at]
    return row


def section(scores, cards):
    """Costs at the smallest and the largest data, and exponents, as texts.

    `laws`: names of the exponents that any method has; `rows`, one per method.
    """
    table = costs(scores, cards)
    fitted = exponents(table).set_index("method")
    laws = {f"{c}_{s}": f"{_WORDS[c]} ∝ {s} to the" for c in COSTS for s in SIZES}
    laws = {name: words for name, words in laws.items() if fitted[name].notna().any()}
    rows = [_texts(part, fitted.loc[method], laws) for method, part in table.groupby("method")]
    return {"laws": list(laws.values()), "rows": rows}


def _texts(part, fitted, laws):
    seconds, memory = part["fit_seconds"].iloc[[0, -1]], part["peak_memory_mb"].agg(["min", "max"])
    return {
        "method": fitted.name,
        "times": " to ".join(dict.fromkeys(map(wording.seconds, seconds))),
        "time_sort": seconds.iloc[-1],
        "memory": " to ".join(dict.fromkeys(wording.number(round(end, 0)) for end in memory)),
        "memory_sort": memory["max"],
        "exponents": [_exponent(fitted, name) for name in laws],
    }


def _exponent(fitted, name):
    if np.isnan(fitted[name]):
        return "–"
    # A rounded zero has no sign.
    return f"{round(fitted[name], 2) + 0.0:.2f} ± {fitted[f'{name}_half']:.2f}".replace("-", "−")


def draw(scores, cards):
    """Time and memory against n and, if it varies, d.

    Lines join the means over the data sets of one size. Few methods share the panels, with costs in
    rows and sizes in columns; many have a panel each, with the others in grey.
    """
    table = costs(scores, cards)
    sizes = ["n", *(["d"] if table["d"].nunique() > 1 else [])]
    shape = _draw_together if table["method"].nunique() <= _TOGETHER else _draw_apart
    return shape(table, sizes)


def _draw_together(table, sizes):
    figure = Figure(figsize=(8 if len(sizes) == 1 else 9.5, 6.4), layout="constrained")
    axes = figure.subplots(len(COSTS), len(sizes), squeeze=False, sharex="col", sharey="row")
    for line, (cost, words) in zip(axes, COSTS.items(), strict=True):
        for ax, size in zip(line, sizes, strict=True):
            _draw_panel(ax, table, size, cost)
        line[0].set_ylabel(words, fontsize=9.5)
    for ax, size in zip(axes[-1], sizes, strict=True):
        ax.set_xlabel(f"{SIZES[size]} (logarithmic)", fontsize=9.5)
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=4, frameon=False, fontsize=8.5)
    return figure


def _draw_apart(table, sizes):
    methods = sorted(table["method"].unique())
    lines = -(-len(methods) // _ACROSS)
    blocks = [(cost, size) for size in sizes for cost in COSTS]
    figure = Figure(figsize=(9.5, len(blocks) * (0.7 + 1.15 * lines)), layout="constrained")
    parts = figure.subfigures(len(blocks), squeeze=False)[:, 0]
    for part, (cost, size) in zip(parts, blocks, strict=True):
        axes = part.subplots(lines, _ACROSS, sharex=True, sharey=True, squeeze=False).ravel()
        means = table.groupby(["method", size])[cost].mean()
        for k, (ax, method) in enumerate(zip(axes, methods, strict=False)):
            for other in methods:
                ax.plot(means[other], color=style.RULE, lw=0.7, zorder=1)
            own = table[table["method"] == method]
            ax.plot(means[method], color=style.PALETTE[0], lw=1.2, zorder=2)
            ax.plot(own[size], own[cost], ls="", marker="o", ms=2, color=style.PALETTE[0])
            ax.set_title(wording.plain(method), fontsize=8, pad=3)
            _scale(ax, cost, few=True)
            ax.tick_params(labelsize=7.5, labelbottom=k + _ACROSS >= len(methods))
        for ax in axes[len(methods) :]:
            ax.set_axis_off()
        part.supylabel(COSTS[cost], fontsize=9.5)
        part.supxlabel(f"{SIZES[size]} (logarithmic)", fontsize=9.5)
    return figure


def _draw_panel(ax, table, size, cost):
    methods = sorted(table["method"].unique())
    looks = style.class_colours(len(methods)), style.class_markers(len(methods))
    for method, colour, marker in zip(methods, *looks, strict=True):
        part = table[table["method"] == method]
        middle = part.groupby(size)[cost].mean()
        ax.plot(part[size], part[cost], ls="", marker=Path(marker), ms=4.5, color=colour,
                mec=style.edge(colour), mew=0.4, alpha=0.8)  # fmt: skip
        ax.plot(middle.index, middle, color=colour, lw=1, marker=Path(marker), ms=4.5, mew=0.4,
                mec=style.edge(colour), label=method)  # fmt: skip
    _scale(ax, cost)


def _scale(ax, cost, few=False):
    """Logarithmic axes with plain numbers, on request few of them."""
    for axis, rescale in ((ax.xaxis, ax.set_xscale), (ax.yaxis, ax.set_yscale)):
        low, high = axis.get_data_interval()
        if not 0 < high < np.inf:
            continue  # this cost is not known
        rescale("log")
        axis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=9))
        if few:
            axis.set_major_locator(MaxNLocator(3) if high <= 20 * low else LogLocator(numticks=4))
        axis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_minor_formatter(NullFormatter())
    if cost == "fit_seconds":
        ax.yaxis.set_major_formatter(lambda value, _: wording.seconds(value))
    league_figures.plain_axes(ax)
