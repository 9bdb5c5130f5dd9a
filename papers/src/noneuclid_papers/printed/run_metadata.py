"""What made our numbers: commit, digest of the code and machine of the runs behind them."""

import pandas as pd

COLUMNS = ["commit", "code", "machine"]
UNKNOWN = "unknown"
RUN = ["dataset", "embedding", "method", "repeat"]


def records(runs):
    """`RUN` and `COLUMNS` of the records of runs."""
    rows = [
        [
            *(run[name] for name in RUN),
            run.get("commit", UNKNOWN),
            run.get("digest") or UNKNOWN,
            run.get("machine", UNKNOWN),
        ]
        for run in runs
    ]
    return pd.DataFrame(rows, columns=[*RUN, *COLUMNS])


def with_origins(scores, runs):
    """Scores of `evaluate` with `COLUMNS`, from the records of its runs."""
    return scores.merge(records(runs), on=RUN, validate="many_to_one")


def of(rows):
    """What made some runs: each of `COLUMNS` in their scores, several values in one text.

    Examples
    --------
    >>> of(pd.DataFrame({"commit": ["b", "a", "b"], "value": [1.0, 2.0, 3.0]}))
    {'commit': 'a, b'}
    """
    return {name: joined(rows[name]) for name in COLUMNS if name in rows}


def joined(texts):
    """The distinct ones of some texts, in order.

    Examples
    --------
    >>> joined(["b", "", "a", "b"])
    'a, b'
    """
    return ", ".join(sorted({text for text in texts if text}))
