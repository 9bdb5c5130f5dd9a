"""The numbers that papers print: which tables, methods and metrics there are."""

import csv
import re

from noneuclid.contracts import InputError


def check(published, datasets, resources):
    """Refuse a configuration's `published:` that no file or no data set fits.

    Parameters
    ----------
    published : dict
        `paper` and `tables`, `kept`; all optional.
    datasets : iterable of str
        Names of the data sets.
    resources : Path
        Folder with `published` and `reproduced`.

    Raises
    ------
    InputError
    """
    for paper in published.get("kept", []):
        read(resources / f"reproduced/{paper}.tsv")
    if "paper" not in published:
        return
    rows = read(resources / f"published/{published['paper']}.tsv")
    for entry in published["tables"]:
        check_entry(entry, rows)
        fits = pattern(entry["datasets"]).fullmatch
        if not any(map(fits, datasets)):
            raise InputError(
                f"published: {entry['table']}: no data set fits {entry['datasets']!r}; there are "
                f"{', '.join(datasets)}"
            )


def pattern(text):
    """A regular expression, or one clear line."""
    try:
        return re.compile(text)
    except re.error as error:
        raise InputError(f"published: {text!r} is no pattern: {error}") from None


def read(path):
    """Rows of a table of printed numbers, everything as text.

    Parameters
    ----------
    path : Path

    Returns
    -------
    list of dict

    Raises
    ------
    InputError
        If there is no such file.
    """
    if not path.is_file():
        known = sorted(file.stem for file in path.parent.glob("*20*.tsv"))
        raise InputError(f"no {path.name} in {path.parent}; papers there: {', '.join(known)}")
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def check_entry(entry, rows):
    """Refuse an entry for a table, method or metric that a paper does not have.

    Parameters
    ----------
    entry : dict
        `table`, `methods` and `metrics`, as `noneuclid.evaluation.published.cells` takes them.
    rows : list of dict
        As `read` gives them.

    Raises
    ------
    InputError
    """
    _check(entry["table"], (row["table"] for row in rows), "table")
    part = [row for row in rows if row["table"] == entry["table"]]
    for kind in ("method", "metric"):
        for name in entry[f"{kind}s"].values():
            _check(name, (row[kind] for row in part), f"{entry['table']}: {kind}")


def _check(name, names, kind):
    known = list(dict.fromkeys(names))
    if name not in known:
        raise InputError(f"published: no {kind} {name!r}; known: {', '.join(known)}")
