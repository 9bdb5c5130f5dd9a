"""Tables that are saved beside the page: TSV by `score_tables.to_tsv`, LaTeX here."""

import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.report import viewer
from noneuclid_compare.report.tables import score_tables

SCORES = (
    "Mean score and standard deviation over folds of each pipeline on each data set, with its rank "
    "and processor times."
)
SCALE = (
    "Exponents of time and memory in the number of rows n and the dimension d, with half widths of "
    "95 % intervals (least squares on logarithms over the data sets of the run)."
)
PLACE = [*score_tables.PAIR, "method"]


def to_latex(table, caption, label):
    """Any table in LaTeX (packages booktabs and graphicx): words left, numbers right.

    The index is shown if it has a name; `label` is that of the LaTeX table.
    """
    shown = table if table.index.name is None else table.reset_index()
    kinds = ["r" if kind.kind in "fiu" else "l" for kind in shown.dtypes]
    lines = [score_tables.latex_row(map(_cell, row)) for row in shown.itertuples(index=False)]
    heads = [score_tables.escape(str(name).replace("_", " ")) for name in shown.columns]
    return score_tables.latex_table(
        heads, lines, "".join(kinds), score_tables.escape(caption), label
    )


def both(name, table, caption):
    """A table as TSV and LaTeX, by name of the file."""
    return {
        f"{name}.tsv": score_tables.to_tsv(table),
        f"{name}.tex": to_latex(table, caption, f"tab:{name}"),
    }


def _cell(value):
    text = score_tables.escape(wording.number(value)).replace("–", "--").replace("−", "$-$")
    if text.startswith("-") and not isinstance(value, str):
        text = "$-$" + text[1:]
    return text


def confusion(disks):
    """Counts of held-out rows by true and predicted class, first repeat, in a long table.

    Columns `dataset`, `embedding`, `method`, `truth`, `predicted`, `rows`.
    """
    rows = [
        (disk.dataset, disk.embedding, method, truth, predicted, count)
        for disk in disks
        for method, guess in zip(disk.methods, disk.held_out, strict=True)
        for truth, counts in zip(disk.class_names, _counts(disk, guess), strict=True)
        for predicted, count in zip(disk.class_names, counts, strict=True)
    ]
    return pd.DataFrame(rows, columns=[*PLACE, "truth", "predicted", "rows"])


def _counts(disk, guess):
    return viewer.confusion(disk.labels, guess, len(disk.class_names))


def calibration(reliabilities):
    """Bins of `metrics.reliability` that hold rows, in a long table; see `viewer.pack`.

    Columns `dataset`, `embedding`, `method`, `rows`, `mean_probability`, `accuracy`.
    """
    rows = [
        (*key, int(count), probability, accuracy)
        for key, bins in reliabilities.items()
        for count, probability, accuracy in bins
        if count
    ]
    return pd.DataFrame(rows, columns=[*PLACE, "rows", "mean_probability", "accuracy"])
