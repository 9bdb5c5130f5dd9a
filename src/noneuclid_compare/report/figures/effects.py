"""Difference between each method and the best Euclidean one, with intervals."""

from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from noneuclid.plots import palette
from noneuclid_compare.evaluation import verdicts
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import headline, leader_comparisons, without_embedding

CAPTION = (
    "Difference between each method and the baseline, the Euclidean method with the best mean, on "
    "the same coordinates and folds; values right of zero favour the method. Bars: 95 % intervals, "
    "adjusted for the number of comparisons (Holm). Grey band: no practical difference."
)
MATTERS = "no practical difference"
WITHOUT = "without embedding"


def draw_effects(
    scores, metric="balanced_accuracy", classes=None, names=None, narrow=False, baselines=None
):  # fmt: skip
    """One row per method, the best mean at the top: difference to the baseline, with its interval.

    With `baselines`, the scores on the original features, the best of these has a row. Methods far
    below the others are at the edge, with an arrow. `narrow` puts the names above the rows and
    leaves the numbers out.
    """
    names, scale = names or Names(), 100 if style.in_percent(metric) else 1
    found, smallest, original = _effects(scores, metric, classes, baselines)
    if found is None:
        figure = theme.new_figure(4, 1)
        figure.text(0.5, 0.5, "fewer than two methods to compare", ha="center", color=palette.MUTED)
        return figure
    table = scale * found.table[["difference", "low", "high"]]
    if style.in_percent(metric):  # no difference is as large: too few folds for an interval
        ends = ["low", "high"]
        table[ends] = table[ends].mask(table[ends].abs().max(axis=1) > scale)
    rows = np.arange(len(table))
    height = 0.37 if narrow else 0.29
    figure = Figure(figsize=(3.9 if narrow else 7.2, 0.95 + height * len(rows)))
    ax = figure.subplots()
    far = _far(table["difference"])
    ax.axvspan(-scale * smallest, scale * smallest, color=palette.RULE, alpha=0.75, lw=0, zorder=0)
    ax.axvline(0, color=palette.MUTED, lw=0.9, ls="--", zorder=1)
    low, high = _limits(table[~far], scale * smallest)
    ax.set_xlim(low, high)
    ax.hlines(rows, table["low"].mask(far), table["high"], color=palette.INK, lw=1.5, zorder=3)
    edge = low + 0.05 * (high - low)
    shown = table["difference"].mask(far, edge)
    for place, name in enumerate(table.index):
        if name == WITHOUT:
            ax.plot(shown[name], place, "s", ms=7, mfc="white", mew=1.6, zorder=4,
                    mec=style.FAMILIES["Euclidean"]["colour"])  # fmt: skip
    methods = table.index != WITHOUT
    theme.draw_families(ax, shown[methods], rows[methods], classes, narrow)
    texts = [_named(name, names, original, narrow) for name in table.index]
    (theme.name_above if narrow else theme.name_rows)(ax, texts)
    for row in np.flatnonzero(far):
        ax.annotate("", (0, row), (12, 0), xycoords=("axes fraction", "data"),
                    textcoords="offset points",
                    arrowprops={"arrowstyle": "->", "color": palette.INK, "lw": 1.2})  # fmt: skip
    if not narrow:
        _write_numbers(ax, found, metric)
    unit = " (points)" if scale == 100 else ""
    baseline = names.in_text("methods", found.baseline)
    ax.set(xlabel=f"difference in {style.metric_words(metric)}{unit}\nfrom {baseline}", ylabel="")
    return figure


def _effects(scores, metric, classes, baselines=None):
    """`headline.effects`, the smallest difference that matters, and the best baseline if any.

    The table has a row `WITHOUT` for the latter. None for a single method.
    """
    values = leader_comparisons.values_of(scores, metric, classes)
    verdict = verdicts.judge(*values)
    if verdict is None or not len(verdict.table):
        return None, None, None
    found, smallest = headline.effects(values, verdict, classes), headline.margin(verdict, metric)
    if baselines is None:
        return found, smallest, None
    asked = scores, baselines, metric, found.baseline, classes
    original = without_embedding.best_baseline(*asked)
    if original is not None:
        row = pd.DataFrame(original | {"p_holm": original["p"]}, index=[WITHOUT])
        place = (verdict.means - verdict.means[found.baseline] > original["difference"]).sum()
        parts = [found.table[:place], row[found.table.columns], found.table[place:]]
        found = replace(found, table=pd.concat(parts).rename_axis("method"))
    return found, smallest, original


def _named(name, names, original, narrow):
    """Name of a row; a baseline not chosen in all folds takes two lines beside the axes."""
    if name != WITHOUT:
        return names.method(name)
    if not original["baseline"]:
        return "Without embedding"
    chosen = without_embedding.words(original["baseline"], original["share"])
    between = " " if narrow or original["share"] >= 1 else "\n"
    return f"Without embedding:{between}{chosen}"


def _far(differences):
    """Which methods are far below the others; never the baseline, whose difference is 0.

    Examples
    --------
    >>> [_far(pd.Series(d)).tolist() for d in ([-90, -1, -2, -3, 0], [90, 91, 92, 93, 0])]
    [[True, False, False, False, False], [False, False, False, False, False]]
    """
    return (theme.raise_far(differences.to_numpy()) != differences) & (differences < 0)


def _limits(near, smallest):
    """Ends of the axis, with all intervals and the band inside."""
    low = min(-2 * smallest, near.min(axis=None))
    high = max(2 * smallest, near.max(axis=None))
    pad = 0.04 * (high - low)
    return low - pad, high + pad


def _write_numbers(ax, found, metric):
    """The difference and its interval in words, right of the axes."""
    for row, (name, one) in enumerate(found.table.iterrows()):
        text = style.signed(one["difference"], metric)
        if name == found.baseline:
            text = "baseline"
        elif one["low"] == one["low"]:
            text += f" ({headline.reach(one['low'], one['high'], metric)})"
        ax.text(1.02, row, text, transform=ax.get_yaxis_transform(), va="center", fontsize=8.5,
                color=palette.INK)  # fmt: skip


def tabulate_effects(scores, metric="balanced_accuracy", classes=None, baselines=None):
    """Difference of each method to the baseline, with its interval; see `headline.Effects`."""
    found, _, _ = _effects(scores, metric, classes, baselines)
    if found is None:
        return headline.no_effects()
    return found.table.assign(baseline=found.baseline)


def write_caption(
    scores=None, metric="balanced_accuracy", classes=None, names=None, baselines=None
):  # fmt: skip
    """Caption, with the name of the baseline and the width of the band if the scores are given."""
    if scores is None:
        return CAPTION
    found, smallest, original = _effects(scores, metric, classes, baselines)
    if found is None:
        return "Nothing is drawn: fewer than two methods can be compared."
    width = headline.points(smallest, metric)
    baseline = (names or Names()).in_text("methods", found.baseline)
    text = CAPTION.replace("the baseline, the", f"{baseline}, the")
    if style.family(found.baseline, classes) != "Euclidean":
        text = text.replace("the Euclidean method with", "the method with")
    text = text.replace(f"{MATTERS}.", f"{MATTERS} (less than {width}).")
    if original is not None:
        text += (
            " Open square: the best of the baselines on the original features, chosen for each "
            "fold on the other folds."
        )
        if original["datasets"] < found.n:
            text += f" It has values on {original['datasets']} of {found.n} data sets."
    far = found.table["difference"]
    return text + (" Arrows: methods beyond the axis." if _far(far).any() else "")


FIGURE = PageFigure(draw_effects, write_caption, tabulate_effects)
