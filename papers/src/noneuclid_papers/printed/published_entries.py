"""The numbers that papers print: which tables, methods and metrics there are."""

import csv
import re

from noneuclid.errors import InputError, require
from noneuclid_papers.folders import KEPT, PRINTED


def check(published, datasets):
    """Refuse a configuration's `published:` that no printed table or no data set fits."""
    for paper in published.get("kept", []):
        read(KEPT / f"{paper}.tsv")
    if "paper" not in published:
        return
    rows = read(PRINTED / f"{published['paper']}.tsv")
    for entry in _entries(published):
        check_entry(entry, rows)
    for test in published.get("tests", []):
        check_test(test, rows)
    for entry in published.get("comparisons", []):
        check_comparison(entry, rows)
    for entry in (*_entries(published), *_tests(published)):
        _check_datasets(entry, datasets)


def methods(published):
    """Names of our methods in a configuration's `published:`, each with its place.

    Examples
    --------
    >>> methods({"tables": [{"table": "t", "methods": {"a": "A"}, "ours": ["b"]}]})
    [('published/t', ['a', 'b'])]
    """
    found = [(entry, [*entry["methods"], *entry.get("ours", [])]) for entry in _entries(published)]
    for test in _tests(published):
        found.append((test, [test[side] for side in ("first", "second") if side in test]))
    return [(f"published/{entry['table']}", names) for entry, names in found]


def _entries(published):
    """Entries of tables, and of imitations with and without the fault."""
    entries = list(published.get("tables", []))
    for imitation in published.get("imitations", []):
        entries += [imitation | imitation[side] for side in ("with", "without")]
    return entries


def _tests(published):
    """Entries of p-values and of comparisons."""
    return [*published.get("tests", []), *published.get("comparisons", [])]


def _check_datasets(entry, datasets):
    """Refuse a pattern that fits no data set."""
    fits = pattern(entry["datasets"]).fullmatch
    if not any(map(fits, datasets)):
        raise InputError(
            f"published: {entry['table']}: no data set fits {entry['datasets']!r}; there are "
            f"{', '.join(datasets)}"
        )


def pattern(text):
    """Compile a regular expression, or refuse it in one line."""
    try:
        return re.compile(text)
    except re.error as error:
        raise InputError(f"published: {text!r} is not a pattern: {error}") from None


def read(path):
    """Rows of a table of printed numbers, everything as text."""
    if not path.is_file():
        known = sorted(file.stem for file in path.parent.glob("*20*.tsv"))
        raise InputError(f"no {path.name} in {path.parent}; papers there: {', '.join(known)}")
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def check_entry(entry, rows):
    """Refuse an entry for a table, method or metric that a paper does not have."""
    _check(entry["table"], (row["table"] for row in rows), "table")
    part = [row for row in rows if row["table"] == entry["table"]]
    for kind in ("method", "metric"):
        names = list(entry[f"{kind}s"].values())
        for name in names:
            _check(name, (row[kind] for row in part), f"{entry['table']}: {kind}")
            place = f"published: {entry['table']}: several {kind}s of ours for {name!r}"
            require(names.count(name) == 1, f"{place}; leave one")


def check_test(test, rows):
    """Refuse a test for a p-value that a paper does not print."""
    filled = ("variant",) if "over" in test else ()
    _check_printed(test, rows, "p_value", filled)


def check_comparison(entry, rows):
    """Refuse a comparison for a number that a paper does not print."""
    _check_printed(entry, rows, entry["metric"], ("dataset", "variant"))


def _check_printed(entry, rows, metric, filled):
    """Refuse names that no printed row has together; texts in `filled` may have braces."""
    _check(metric, (row["metric"] for row in rows), "metric")
    part = [row for row in rows if row["metric"] == metric]
    for kind in ("table", "dataset", "variant", "method"):
        if kind in filled and "{" in entry[kind]:
            continue
        _check(entry[kind], (row[kind] for row in part), f"{metric}: {kind}")
        part = [row for row in part if row[kind] == entry[kind]]


def _check(name, names, kind):
    known = list(dict.fromkeys(names))
    if name not in known:
        raise InputError(f"published: no {kind} {name!r}; known: {', '.join(known)}")
