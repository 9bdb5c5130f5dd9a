"""Our scores beside those printed in a paper."""

import numpy as np

from noneuclid.datasets.checks import require

COLUMNS = ["table", "dataset", "variant", "method", "metric", "value", "error"]
# Printed scores are in percent.
PERCENT = 0.01


def beside(table, published, metric, source, methods):
    """Put published scores beside ours, with the difference and whether it is noise.

    A difference is noise if it is at most two of its standard errors. Where the paper prints no
    error, its own is taken to be ours, so that the error of the difference is sqrt(2) times ours.

    Parameters
    ----------
    table : DataFrame
        Columns `group`, `method`, `mean`, `se`, as `paired_tests.summarise` gives them. A group
        is called as the paper's data set and variant, with underscores for blanks, in any case.
    published : DataFrame
        Columns `COLUMNS`; scores in percent.
    metric : str
    source : str
        Which table of the paper.
    methods : dict of str to str
        Our method to the paper's.

    Returns
    -------
    DataFrame
        `table` with `published`, `difference` (ours - published) and `within_noise` ("yes", "no",
        or "" where nothing was published, or our error is not known or zero).

    Raises
    ------
    InputError
        If the paper's table, or a method in it, does not exist.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = ["group", "method", "mean", "se"]
    >>> ours = pd.DataFrame([("d_n1", "mine", 0.9, 0.01)], columns=columns)
    >>> theirs = pd.DataFrame([("t", "D", "n1", "Mine", "f", 92.5, np.nan)], columns=COLUMNS)
    >>> found = beside(ours, theirs, "f", "t", {"mine": "Mine"})
    >>> found[["published", "within_noise"]].values.tolist()
    [[0.925, 'yes']]
    """
    known = published[(published["table"] == source) & (published["metric"] == metric)]
    names = sorted(published["table"].unique())
    require(len(known), f"published: no {metric} in table {source!r}; known tables: {names}")
    names = sorted(known["method"].unique())
    for name in methods.values():
        require(name in names, f"published: no method {name!r} in {source}; known: {names}")
    places = (known["dataset"] + "_" + known["variant"]).str.lower().str.replace(" ", "_")
    keys = zip(places, known["method"], strict=True)
    values = dict(zip(keys, PERCENT * known[["value", "error"]].to_numpy(float), strict=True))
    wanted = zip(table["group"].str.lower(), table["method"].map(methods), strict=True)
    value, error = np.transpose([values.get(key, (np.nan, np.nan)) for key in wanted])
    ours = table["se"].replace(0, np.nan).to_numpy(float)
    difference = table["mean"].to_numpy(float) - value
    noise = 2 * np.hypot(ours, np.where(np.isnan(error), ours, error))
    words = np.where(np.abs(difference) <= noise, "yes", "no")
    words = np.where(np.isnan(difference + noise), "", words)
    return table.assign(published=value, difference=difference, within_noise=words)
