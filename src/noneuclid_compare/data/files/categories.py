"""Levels of categories in tables: names in the file, codes in the data set."""

import re

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid_compare import wording
from noneuclid_compare.data.files.arrays import listing

# More levels than this are no category, nor are levels of which more than half occur once.
MOST_LEVELS = 100


def names_of(values, missing=(), decimal="."):
    """Name of the level of each value, None for a missing one, shape (n,).

    Numbers have the same name with each mark of decimals, and whole ones with decimals of zero,
    also in other files.

    Examples
    --------
    >>> names_of([1, "1.0", 2.0, "01", True, " a ", None, "NA"], {"NA"}).tolist()
    ['1', '1', '2', '01', 'True', 'a', None, None]
    >>> names_of(["1,0", "1,5", 1.5, "1.000", "a,b"], decimal=",").tolist()
    ['1', '1.5', '1.5', '1.000', 'a,b']
    """
    names = np.empty(len(values), dtype=object)
    for row, value in enumerate(values):
        text, mark = str(value).strip(), decimal if isinstance(value, str) else "."
        absent = text in missing if isinstance(value, str) else text in _ABSENT
        number = re.fullmatch(rf"([+-]?(?:0|[1-9]\d*))\{mark}(\d*)", text)
        if number:
            text = f"{number[1]}.{number[2]}" if number[2].strip("0") else number[1]
        names[row] = None if absent else text
    return names


_ABSENT = ("None", "nan", "NaT", "<NA>")


def levels_of(names):
    """Levels in sorted order, numbers by size, and how many rows each has.

    Examples
    --------
    >>> levels_of(names_of(["10", "9", "9", None]))
    (['9', '10'], [2, 1])
    """
    found, counts = np.unique([name for name in names if name is not None], return_counts=True)
    numbers = all(re.fullmatch(r"[+-]?\d{1,15}", name) for name in found)
    order = np.argsort([int(name) for name in found], kind="stable") if numbers else slice(None)
    return found[order].tolist(), counts[order].tolist()


def why_none(counts):
    """Why levels that so many rows have are no category; empty if they are.

    Examples
    --------
    >>> why_none([3, 1]), why_none([3, 1, 1])
    ('', '2 of its 3 values occur once')
    """
    single = sum(count == 1 for count in counts)
    if not counts:
        return "it has no value"
    if len(counts) > MOST_LEVELS:
        return f"it has {len(counts)} values, more than {MOST_LEVELS}"
    if len(counts) > 2 and 2 * single > len(counts):
        return f"{single} of its {len(counts)} values occur once"
    return ""


def codes_of(names, levels, unknown):
    """Codes of levels as floats, shape (n,): NaN for a missing value, `unknown` for another name.

    Examples
    --------
    >>> codes_of(["b", None, "c"], ["a", "b"], -1.0).tolist()
    [1.0, nan, -1.0]
    """
    codes = {name: float(code) for code, name in enumerate(levels)} | {None: np.nan}
    return np.array([codes.get(name, unknown) for name in names], dtype=np.float64)


def learn(values, kind, where, missing, decimal="."):
    """Codes of a column of training data, and its kind with all levels.

    `kind` is that of `data.prepare.mixed_columns`, with levels only if they have an order.
    """
    names = names_of(values, {*missing} - {*kind.get("levels", ())}, decimal)
    _require_one_mark(values, names, where)
    levels, counts = levels_of(names)
    if kind["ordered"]:
        strange = [row for row, name in enumerate(names) if name not in (None, *kind["levels"])]
        if strange:
            raise InputError(
                f"{where}, row {strange[0]} is {names[strange[0]]!r}, which ordered does not list; "
                f"its levels are {listing(kind['levels'])}: correct the value, or list it"
            )
        levels = kind["levels"]
    else:
        why = why_none(counts)
        require(
            not why,
            f"{where} is no category: {why}; group its values, or drop the column",
        )
    return codes_of(names, levels, np.nan), {"levels": levels, "ordered": kind["ordered"]}


def _require_one_mark(values, names, where):
    """Refuse a level that is written with a point and with a comma."""
    written = {}
    for row, (value, name) in enumerate(zip(values, names, strict=True)):
        text = str(value).strip()
        other = written.setdefault(name, text)
        require(
            name is None or ("," in other) == ("," in text) or "." not in other + text,
            f"{where}, row {row} is {text!r}, and another row {other!r}; write them alike",
        )


def about_unseen(column, names, ordered):
    """Sentence on values of new rows that training did not have.

    Examples
    --------
    >>> about_unseen("island", ["Ross"], False)
    "Column 'island' has values that training did not have, read as no level: Ross."
    """
    read = "missing" if ordered else "no level"
    found = listing(names, 5)
    return f"Column {column!r} has values that training did not have, read as {read}: {found}."


def recognise(values, kind, missing, decimal=".", where=None):
    """Codes of a column of new rows, and the names that are not among the levels of training.

    Such a value has the code -1, which no level has; in an ordered category it counts as missing,
    or is an error where there is a column, `where`, that may not have missing values.
    """
    names = names_of(values, {*missing} - {*kind["levels"]}, decimal)
    unseen = sorted({name for name in names if name is not None} - {*kind["levels"]})
    if unseen and kind["ordered"] and where is not None:
        row = next(row for row, name in enumerate(names) if name in unseen)
        raise InputError(
            f"{where}, row {row} is {names[row]!r}, no level of training; its levels are "
            f"{listing(kind['levels'])}: correct the value, or train with missing_values: impute"
        )
    return codes_of(names, kind["levels"], np.nan if kind["ordered"] else -1.0), unseen


def without_unused(features, kinds):
    """Features with codes of the levels that rows have, and the kinds with these levels.

    Ordered categories keep all levels. Shapes: `features` (n, p), `kinds` p.

    Examples
    --------
    >>> kinds = [{"levels": ["a", "b", "c"], "ordered": False}]
    >>> without_unused(np.array([[2.0], [np.nan], [0.0]]), kinds)[0].ravel().tolist()
    [1.0, nan, 0.0]
    """
    features, found = features.copy(), list(kinds)
    for k, kind in enumerate(kinds):
        if kind is None or kind["ordered"]:
            continue
        known = ~np.isnan(features[:, k])
        used, codes = np.unique(features[known, k], return_inverse=True)
        features[known, k] = codes
        found[k] = {"levels": [kind["levels"][int(code)] for code in used], "ordered": False}
    return features, found


def described(features, kinds, columns=None):
    """Sentences on categories and missing values of a table.

    Examples
    --------
    >>> described(np.array([[0.0], [np.nan]]), [{"levels": ["a"], "ordered": False}], ["x"])
    ['Categories: x (1 level).', 'Missing values, imputed and marked: x (1 row).']
    """
    columns = columns or [f"column {k + 1}" for k in range(len(kinds))]
    named = list(zip(columns, kinds, strict=True))
    levels = [f"{c} ({wording.count(len(k['levels']), 'level')})" for c, k in named if k]
    counts = zip(columns, np.isnan(features).sum(axis=0).tolist(), strict=True)
    rows = [f"{column} ({wording.count(count, 'row')})" for column, count in counts if count]
    said = {"Categories": levels, "Missing values, imputed and marked": rows}
    return [f"{what}: {listing(found)}." for what, found in said.items() if found]
