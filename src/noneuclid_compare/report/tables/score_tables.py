"""Tables of scores: means, spreads, ranks and times, and their TSV and LaTeX forms.

Data sets are the units of all averages and ranks. Several embeddings of one data set show the same
rows, so their scores are not independent: they are averaged first and count once.
"""

import numpy as np
import pandas as pd

from noneuclid.errors import InputError
from noneuclid_compare.evaluation import metric_table
from noneuclid_compare.report import style

PAIR = ["dataset", "embedding"]
COLUMNS = [*PAIR, "method", "setting", "repeat", "fold", "metric", "value"]


def check(scores):
    """Refuse a table of scores that lacks a column or has no rows."""
    missing = [name for name in COLUMNS if name not in scores.columns]
    if missing:
        raise InputError(f"the table of scores lacks {', '.join(missing)}: it needs {COLUMNS}")
    if scores.empty:
        raise InputError("the table of scores has no rows: run `evaluate` first")


def metrics(scores):
    """Metrics in the table, without costs: known ones first and in their usual order."""
    present = {name for name in scores["metric"].unique() if not metric_table.is_cost(name)}
    known = [name for name in metric_table.NAMES if name in present]
    return known + sorted(present - set(known))


def name_methods(scores):
    """Names of methods, with the setting where a method has several for one data set."""
    variants = scores.groupby([*PAIR, "method"])["setting"].nunique(dropna=False)
    several = set(variants[variants > 1].index.get_level_values("method"))
    names = scores["method"].astype(str)
    return names.where(~names.isin(several), names + " " + scores["setting"].astype(str))


def summarise(scores, metric):
    """Mean, spread, rank and time of each method on each (data set, embedding) pair.

    `mean` and `sd` (n - 1 in the denominator) are over all folds of all repeats; `folds` and
    `missing` are the numbers of folds with and without a value; `rank` is 1 for the best, equal
    means share the mean of their ranks, and a method alone on its data has none, unless all are
    alone; `dataset_rank` is that of `dataset_ranks`; `fit_seconds` and `predict_seconds` are means
    over folds.

    Raises
    ------
    InputError
        If a column is missing or no row has this metric.
    """
    check(scores)
    named = scores.assign(method=name_methods(scores))
    values = named[named["metric"] == metric]
    if values.empty:
        ranking = [name for name in metrics(scores) if metric_table.higher_is_better(name)]
        raise InputError(f"no score is called {metric!r}: choose one of {', '.join(ranking)}")
    groups = values.groupby([*PAIR, "method"], sort=True)["value"]
    table = groups.agg(mean="mean", sd="std", folds="count", size="size").reset_index()
    table["missing"] = table.pop("size") - table["folds"]
    table["rank"] = ranks(table, metric)
    table["dataset_rank"] = dataset_ranks(table, metric)
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


def dataset_ranks(table, metric):
    """Rank of each method on each data set as a whole; equal in all rows of the data set.

    The scores of the embeddings are averaged, then ranked. Where a method lacks an embedding that
    others have, such means are of different points: there the rank is the mean of the ranks on
    each embedding.
    """
    found = pd.Series(np.nan, index=table.index)
    for _, rows in table.groupby("dataset"):
        means = rows.pivot(index="method", columns="embedding", values="mean")
        if len(means) > 1 and means.notna().all(axis=None):
            overall = means.mean(axis=1).round(9)
            rank = overall.rank(ascending=not style.higher_is_better(metric))
        else:
            rank = rows.groupby("method")["rank"].mean()
        found[rows.index] = rows["method"].map(rank)
    return found


def league(scores, metric="balanced_accuracy"):
    """The league table: one row per method, best average rank first.

    Columns `average_rank` (over data sets, see `dataset_ranks`), `first` (data sets where that rank
    is the best of all), `datasets`, `pairs` (data sets and embedded data sets with a rank), `mean`
    (over data sets, of the means over their embeddings), `fit_seconds` and `predict_seconds`
    (medians).
    """
    return order(summarise(scores, metric))


def order(summary):
    """The league of a summary.

    Methods that were run on less than half of the data come last: their average ranks are among
    other methods.
    """
    best = summary["dataset_rank"] == summary.groupby("dataset")["dataset_rank"].transform("min")
    datasets = summary.assign(first=best).groupby(["method", "dataset"])
    datasets = datasets.agg({"dataset_rank": "first", "first": "first", "mean": "mean"})
    result = datasets.groupby("method").agg(
        average_rank=("dataset_rank", "mean"),
        first=("first", "sum"),
        datasets=("dataset_rank", "count"),
    )
    pairs = summary.groupby("method")
    result["pairs"] = pairs["rank"].count()
    result["mean"] = datasets["mean"].groupby("method").mean()
    for cost in ("fit_seconds", "predict_seconds"):
        result[cost] = pairs[cost].median()
    few = 2 * result["pairs"] < result["pairs"].max()
    ordered = result.assign(few=few).sort_values(["few", "average_rank"], kind="stable")
    return ordered.drop(columns="few")


def matrix(summary, column):
    """One column of `summarise` as methods (best average rank first) by (dataset, embedding).

    NaN where a method has no value.
    """
    table = summary.pivot(index="method", columns=PAIR, values=column)
    return table.reindex(order(summary).index)


def rank_matrix(summary):
    """`dataset_rank` of `summarise` as methods (best average rank first) by data sets."""
    table = summary.drop_duplicates(["method", "dataset"])
    table = table.pivot(index="method", columns="dataset", values="dataset_rank")
    return table.reindex(order(summary).index)


def without_floors(mean, classes=None):
    """Rows of `matrix` without floors; all rows if there are only floors."""
    real = [style.family(name, classes) != "floor" for name in mean.index]
    return mean[real] if any(real) else mean


def rank_intervals(ranks, level=0.95, draws=2000, seed=0):
    """Percentile bootstrap over data sets of each method's average rank, shape (n_methods, 2).

    `ranks` is `rank_matrix(summary)`.
    """
    values = ranks.to_numpy(dtype=float)
    pick = np.random.default_rng(seed).integers(values.shape[1], size=(draws, values.shape[1]))
    drawn = np.ma.masked_invalid(values[:, pick]).mean(axis=2).filled(np.nan)
    tail = 50 * (1 - level)
    return np.nanpercentile(drawn, [tail, 100 - tail], axis=1).T


def to_tsv(table):
    """A table as TSV text: the index only if it has a name, floats with six digits."""
    return table.to_csv(
        sep="\t", index=table.index.name is not None, float_format="%.6g", lineterminator="\n"
    )


def to_latex(scores, metric="balanced_accuracy", caption=None, label="tab:league"):
    """The league table in LaTeX (packages booktabs and graphicx): mean ± sd.

    The best mean of each column is underlined.
    """
    summary = summarise(scores, metric)
    overall = order(summary)
    mean, sd, rank = (matrix(summary, column) for column in ("mean", "sd", "rank"))
    first = rank.eq(rank.min())
    lines = []
    for i, method in enumerate(mean.index):
        parts = zip(mean.iloc[i], sd.iloc[i], first.iloc[i], strict=True)
        cells = [_latex_cell(*part, metric) for part in parts]
        head = [escape(method), f"{overall.loc[method, 'average_rank']:.2f}"]
        lines.append(latex_row([*head, *cells]))
    heads = [escape(f"{d}, {e}") for d, e in mean.columns]
    words = caption or (
        f"{style.metric_label(metric).capitalize()}: mean over folds and repeats, "
        "± standard deviation over folds. The best mean of each column is underlined."
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


def _latex_cell(mean, sd, first, metric):
    text = style.spread(mean, sd, metric).replace("–", "--")
    head, mark, tail = text.partition(" ± ")
    head = rf"\underline{{{head}}}" if first else head
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
