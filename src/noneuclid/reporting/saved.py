"""Tables as they are saved beside the page: TSV by `tables.to_tsv`, LaTeX here."""

from noneuclid.reporting import style, tables


def to_latex(table, caption, label):
    r"""Any table in LaTeX (packages booktabs and graphicx): words left, numbers right.

    Parameters
    ----------
    table : DataFrame
        Its index is shown if it has a name.
    caption, label : str
        Plain text, and the label's name.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> text = to_latex(pd.DataFrame({"name": ["a_b"], "mean": [0.5]}), "A table.", "tab:a")
    >>> [line for line in text.splitlines() if "&" in line]
    [XX]
    """
    shown = table if table.index.name is None else table.reset_index()
    kinds = ["r" if kind.kind in "fiu" else "l" for kind in shown.dtypes]
    lines = [tables.latex_row(map(_cell, row)) for row in shown.itertuples(index=False)]
    heads = [tables.escape(str(name).replace("_", " ")) for name in shown.columns]
    return tables.latex_table(heads, lines, "".join(kinds), tables.escape(caption), label)


def _cell(value):
    return tables.escape(style.number(value)).replace("–", "--").replace("−", "$-$")
