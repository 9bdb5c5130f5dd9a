"""Tables of scores: means, spreads, ranks and times, and their TSV and LaTeX forms."""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.evaluation import metric_table, verdicts
from noneuclid.evaluation import ranks as comparisons
from noneuclid.reporting import style

PAIR = ["dataset", "embedding"]
COLUMNS = [*PAIR, "method", "setting", "repeat", "fold", "metric", "value"]


def check(scores):
    """Refuse a table of scores that lacks a column or has no rows.

    Raises
    ------
    InputError
    """
    missing = [name for name in COLUMNS if name not in scores.columns]
    if missing:
        raise InputError(f"the table of scores lacks {', '.join(missing)}: it needs {COLUMNS}")
    if scores.empty:
        raise InputError("the table of scores has no rows: run `evaluate` first")


def metrics(scores):
    """Metrics in the table, without costs: known ones first and in their usual order."""
    present = set(scores["metric"]) - set(metric_table.COSTS)
    known = [name for name in metric_table.NAMES if name in present]
    return known + sorted(present - set(known))


def name_methods(scores):
    """Put the setting behind the method's name where a method has several for one data set.

    Returns
    -------
    Series of str, one per row.
    """
    variants = scores.groupby([*PAIR, "method"])["setting"].nunique(dropna=False)
    several = set(variants[variants > 1].index.get_level_values("method"))
    names = scores["method"].astype(str)
    return names.where(~names.isin(several), names + " " + scores["setting"].astype(str))


def summarise(scores, metric):
    """Mean, spread, rank and time of each method on each (data set, embedding) pair.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`: columns `COLUMNS`.
    metric : str

    Returns
    -------
    DataFrame
        One row per (dataset, embedding, method): `mean` and `sd` (n - 1 in the denominator)
        over all folds of all repeats, `folds` and `missing` (how many have a value, or have
        none), `rank` (1 is best, equal means share the mean of their ranks; none for a method
        alone on its data, unless all are), `fit_seconds` and `predict_seconds` (mean over folds).

    Raises
    ------
    InputError
        If a column is missing or no row has this metric.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("d", "e", m, "", 0, k, "accuracy", v)
    ...         for m, values in {"a": (0.8, 0.9), "b": (0.5, 0.7)}.items()
    ...         for k, v in enumerate(values)]
    >>> table = summarise(pd.DataFrame(rows, columns=COLUMNS), "accuracy")
    >>> table.set_index("method")[["mean", "rank"]].round(6).T.to_dict("list")
    {'a': [0.85, 1.0], 'b': [0.6, 2.0]}
    """
    check(scores)
    named = scores.assign(method=name_methods(scores))
    values = named[named["metric"] == metric]
    if values.empty:
        raise InputError(
            f"no score is called {metric!r}: choose one of {', '.join(metrics(scores))}"
        )
    groups = values.groupby([*PAIR, "method"], sort=True)["value"]
    table = groups.agg(mean="mean", sd="std", folds="count", size="size").reset_index()
    table["missing"] = table.pop("size") - table["folds"]
    table["rank"] = ranks(table, metric)
    for cost in ("fit_seconds", "predict_seconds"):
        times = named[named["metric"] == cost].groupby([*PAIR, "method"])["value"].mean()
        table = table.join(times.rename(cost), on=[*PAIR, "method"])
    return table


def ranks(table, metric):
    """Rank of each mean among those of its data set, 1 the best; none where it is alone."""
    # Rounded: two sums in another order must not decide a tie.
    fields = table["mean"].round(9).groupby([table[name] for name in PAIR])
    compared = fields.transform("size") > 1
    found = fields.rank(ascending=not style.higher_is_better(metric))
    return found.where(compared) if compared.any() else found


def league(scores, metric="balanced_accuracy"):
    """The league table: one row per method, best average rank first.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`.
    metric : str

    Returns
    -------
    DataFrame
        Index `method`; columns `average_rank` (over (data set, embedding) pairs with a value),
        `first` (pairs where its rank is the best of all), `pairs`, `mean` (of the pairs'
        means), `fit_seconds` and `predict_seconds` (medians of the pairs' means).

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("d", "e", m, "", 0, 0, "accuracy", v) for m, v in {"a": 0.8, "b": 0.9}.items()]
    >>> league(pd.DataFrame(rows, columns=COLUMNS), "accuracy")["average_rank"].to_dict()
    {'b': 1.0, 'a': 2.0}
    """
    return order(summarise(scores, metric))


def order(summary):
    """The league of a summary that is at hand; see `league`.

    Methods that were run on less than half of the data come last: their average ranks are of
    other fields.
    """
    best = summary["rank"] == summary.groupby(PAIR)["rank"].transform("min")
    result = (
        summary.assign(first=best)
        .groupby("method")
        .agg(
            average_rank=("rank", "mean"),
            first=("first", "sum"),
            pairs=("rank", "count"),
            mean=("mean", "mean"),
            fit_seconds=("fit_seconds", "median"),
            predict_seconds=("predict_seconds", "median"),
        )
    )
    few = 2 * result["pairs"] < result["pairs"].max()
    ordered = result.assign(few=few).sort_values(["few", "average_rank"], kind="stable")
    return ordered.drop(columns="few")


def matrix(summary, column):
    """One column of `summarise` as methods (best average rank first) by (dataset, embedding).

    Returns
    -------
    DataFrame
        NaN where a method has no value.
    """
    table = summary.pivot(index="method", columns=PAIR, values=column)
    return table.reindex(order(summary).index)


def without_floors(mean, classes=None):
    """Rows of `matrix` whose method learns something; all if none does."""
    real = [style.family(name, classes) != "floor" for name in mean.index]
    return mean[real] if any(real) else mean


def rank_intervals(ranks, level=0.95, draws=2000, seed=0):
    """Percentile bootstrap over the pairs of each method's average rank.

    Parameters
    ----------
    ranks : DataFrame
        Methods by pairs, as `matrix(summary, "rank")` gives it.
    level : float
    draws, seed : int

    Returns
    -------
    ndarray, shape (n_methods, 2)
        Lower and upper end.

    Examples
    --------
    >>> import pandas as pd
    >>> rank_intervals(pd.DataFrame([[1.0, 1.0], [2.0, 2.0]])).tolist()
    [[1.0, 1.0], [2.0, 2.0]]
    """
    values = ranks.to_numpy(dtype=float)
    pick = np.random.default_rng(seed).integers(values.shape[1], size=(draws, values.shape[1]))
    drawn = np.ma.masked_invalid(values[:, pick]).mean(axis=2).filled(np.nan)
    tail = 50 * (1 - level)
    return np.nanpercentile(drawn, [tail, 100 - tail], axis=1).T


def critical_difference(ranks):
    """Nemenyi's critical difference at 5 % of the average ranks of these methods.

    Parameters
    ----------
    ranks : DataFrame
        Methods by pairs, as `matrix(summary, "rank")` gives it.

    Returns
    -------
    float or None
        None where it is not defined: one method, one pair, or a rank missing.

    Examples
    --------
    >>> import pandas as pd
    >>> round(critical_difference(pd.DataFrame(np.ones((4, 14)))), 2)
    1.25
    >>> critical_difference(pd.DataFrame([[1.0], [2.0]]))
    """
    if min(ranks.shape) < 2 or ranks.isna().to_numpy().any():
        return None
    return comparisons.critical_difference(*ranks.shape)


def to_tsv(table):
    """A table as TSV text: the index only if it has a name, floats with six digits."""
    return table.to_csv(
        sep="\t", index=table.index.name is not None, float_format="%.6g", lineterminator="\n"
    )


def to_latex(
    scores, metric="balanced_accuracy", caption=None, label="tab:league", classes=None
):  # fmt: skip
    """The league table in LaTeX (packages booktabs and graphicx): mean ± sd.

    The best mean of each column is underlined; bold if its method beats every other there.

    Returns
    -------
    str
    """
    summary = summarise(scores, metric)
    overall = order(summary)
    mean, sd, rank = (matrix(summary, column) for column in ("mean", "sd", "rank"))
    first = rank.eq(rank.min())
    named = scores.assign(method=name_methods(scores))
    real = [name for name in mean.index if style.family(name, classes) != "floor"]
    larger = style.higher_is_better(metric)
    best = verdicts.winners(*verdicts.values_of(named, metric, larger, real))
    lines = [
        latex_row(
            [escape(method), f"{overall.loc[method, 'average_rank']:.2f}"]
            + [_latex_cell(mean.iloc[i, j], sd.iloc[i, j], first.iloc[i, j],
                           best.get(pair) == method, metric)
               for j, pair in enumerate(mean.columns)]
        )
        for i, method in enumerate(mean.index)
    ]  # fmt: skip
    heads = [escape(f"{d}, {e}") for d, e in mean.columns]
    words = caption or (
        f"{style.metric_label(metric).capitalize()}: mean over folds and repeats, "
        "± standard deviation over folds. The best mean of each column is underlined, and bold if "
        "its method beats every other there (corrected resampled t-test, Holm, 5 %)."
    )
    heads = ["method", "average rank", *heads]
    return latex_table(heads, lines, f"lr{'r' * mean.shape[1]}", escape(words), label)


def latex_table(heads, lines, columns, caption, label):
    """A table in LaTeX, at most as wide as the text, from rows that `latex_row` made."""
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\label{{{label}}}",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            latex_row(heads),
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}}",
            r"\end{table}",
            "",
        ]
    )


def latex_row(cells):
    """A row of a table in LaTeX."""
    return " & ".join(cells) + r" \\"


def _latex_cell(mean, sd, first, best, metric):
    text = style.spread(mean, sd, metric).replace("–", "--")
    head, mark, tail = text.partition(" ± ")
    head = rf"\underline{{{head}}}" if first else head
    head = rf"\textbf{{{head}}}" if best else head
    return f"{head} $\\pm$ {tail}" if mark else head


_SPECIAL = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
}


def escape(text):
    """Text for LaTeX."""
    return "".join(_SPECIAL.get(c, c) for c in text)
