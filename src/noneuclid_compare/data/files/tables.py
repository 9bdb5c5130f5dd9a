"""Tables that other programs wrote. Pandas loads only when one is read."""

import csv
import gzip
import re
from collections import Counter
from pathlib import Path

import numpy as np

from noneuclid.errors import InputError, require, require_package
from noneuclid.interfaces.numbers import require_exact
from noneuclid_compare.data.files import categories
from noneuclid_compare.data.files.arrays import (
    Rows,
    listing,
    reading,
    require_names,
    suffix_of,
)
from noneuclid_compare.data.files.word_vectors import require_no_word_vectors

TEXT = (".csv", ".tsv", ".txt")
TABLES = (*TEXT, ".parquet")
# Texts that mean no label, unless the caller gives others.
NO_LABEL = frozenset({""})
# Texts that pandas reads as no value in a column of features.
_NO_VALUE = [
    *("", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan"),
    *("NULL", "null", "None", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
]
# So many rows in a row are numbered by intention.
_COUNTED = 10
# Words of names of quantities that may take consecutive values by design.
_QUANTITIES = {"year", "month", "week", "day", "hour", "minute", "second", "time", "duration"}
_QUANTITIES |= {"age", "dose", "dosage", "conc", "concentration", "temperature", "temp", "pressure"}
_QUANTITIES |= {"depth", "distance", "length", "width", "height", "size", "position", "speed"}
_QUANTITIES |= {"mass", "weight", "wavelength", "frequency", "voltage", "current", "score"}
_UNIT = re.compile(r"[_ (\[](s|ms|k?hz|m?g|kg|[mcknu]?m|bp|rpm|v)[)\]]?$", re.IGNORECASE)


def read_table(path, text=(), decimal="."):
    """Read csv, tsv, txt (comma, semicolon or tab; UTF-8) or parquet."""
    pandas = require_package("pandas", "data", "a table")

    if suffix_of(path) == ".parquet":
        parquet = require_package("pyarrow.parquet", "data", "a parquet table")

        with reading(path, "a parquet table"):
            _require_unique(path, parquet.read_schema(path).names)
            table = pandas.read_parquet(path)
        require_names(path, "column", table.columns, text)
        plain = isinstance(table.index, pandas.RangeIndex)
        names = None if plain else [str(name) for name in table.index]
    else:
        with reading(path, "a table"):
            table, names = _read_text(path, text, decimal)
        _require_one_line_each(path, table)
    require(len(table) > 0, f"{path} has a header but no rows")
    return table.reset_index(drop=True), names


def columns_of(path):
    """Names of the columns of a table, empty if it has none; an index is not a column."""
    with reading(path, "a table"):
        if suffix_of(path) == ".parquet":
            parquet = require_package("pyarrow.parquet", "data", "a parquet table")

            schema = parquet.read_schema(path)
            index = (schema.pandas_metadata or {}).get("index_columns", [])
            return [name for name in schema.names if name not in index]
        return _header(path)[1]


def separator_of(path):
    """Separator of a text table: a comma, a semicolon or a tab."""
    with reading(path, "a table"):
        return _header(path)[0]


def _read_text(path, text, decimal):
    """Table of a text file, and its row names if the first column has no name."""
    pandas = require_package("pandas", "data", "a table")

    separator, header = _header(path)
    require_names(path, "column", header, text)
    first = [] if header[0] else ["Unnamed: 0"]
    texts = [*text, *first]
    # From 3.1 on pandas has one converter of numbers, which is exact.
    new = tuple(map(int, pandas.__version__.split(".")[:2])) >= (3, 1)
    exact = {} if new else {"float_precision": "round_trip"}
    named = [*first, *header[len(first) :]]
    table = pandas.read_csv(
        path,
        sep=separator,
        decimal=decimal,
        encoding="utf-8-sig",
        dtype=dict.fromkeys(texts, object),
        # In the columns of text "NA" and "None" are names and labels.
        na_values={column: _NO_VALUE for column in named if column not in texts},
        keep_default_na=False,
        **exact,
        low_memory=False,
    )
    require(
        # Pandas makes an index of what comes before the last columns.
        len(_first_row(path, separator)) <= len(header)
        and table.index.equals(pandas.RangeIndex(len(table))),
        f"{path}: rows have more values than the header has names; name every column and end no "
        f"line in {separator!r}",
    )
    return table, table.pop(first[0]).tolist() if first else None


def _first_row(path, separator):
    """Values in the first line after the header that is not blank."""
    opened = gzip.open if Path(path).suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as stream:
        next(stream)
        line = next((line for line in stream if line.strip()), "")
    return next(csv.reader([line], delimiter=separator), [])


def _require_one_line_each(path, table):
    """Refuse values of several lines: a stray quote makes one of all rows up to the next."""
    pandas = require_package("pandas", "data", "a table")

    for column in table.columns:
        if pandas.api.types.is_numeric_dtype(table[column]):
            continue
        broken = table[column].astype(str).str.contains("[\r\n]", regex=True).to_numpy()
        if broken.any():
            raise InputError(
                f"{path}: column {column!r}, row {broken.argmax()} holds several lines of the "
                "file; remove a stray quote, or the line breaks"
            )


def _header(path):
    """Separator and column names; the separator is the one that makes the most columns."""
    require(
        suffix_of(path) in TEXT,
        f"{path}: {suffix_of(path) or 'no'} suffix; a table is one of {', '.join(TABLES)}",
    )
    opened = gzip.open if Path(path).suffix == ".gz" else open
    with opened(path, "rb") as stream:
        for number, line in enumerate(stream, 1):
            # Pandas ends a value there and says nothing.
            require(
                b"\0" not in line,
                f"{path}: line {number} contains a zero byte, so the file is not UTF-8 text "
                "or is truncated; save it again",
            )
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                before = line[: error.start].decode("utf-8")[-20:]
                raise InputError(
                    f"{path}: line {number} holds the byte {line[error.start]:#x} after "
                    f"{before!r}, which is not UTF-8 (the file may be in latin-1); save it as UTF-8"
                ) from error
    with opened(path, "rt", encoding="utf-8-sig") as stream:
        require_no_word_vectors(path, stream)
    headers = {}
    for separator in "\t" if suffix_of(path) == ".tsv" else ",;\t":
        with opened(path, "rt", encoding="utf-8-sig", newline="") as stream:
            try:
                headers[separator] = next(csv.reader(stream, delimiter=separator), [])
            except csv.Error:
                # A field beyond csv's limit: the line of a wide table, not split.
                headers[separator] = []
    separator = max(headers, key=lambda s: len(headers[s]))
    names = headers[separator]
    require(
        not any("\n" in name or "\r" in name for name in names),
        f"{path}: the first line opens a quote that it does not close; remove the quote",
    )
    require(any(names), f"{path} has no header: name the columns in the first line")
    for position, name in enumerate(names):
        require(name or position == 0, f"{path}: column {position} has no name; name or remove it")
    _require_unique(path, names)
    return separator, names


def _require_unique(path, names):
    """Refuse two columns of one name."""
    for name, count in Counter(names).items():
        require(count == 1, f"{path}: {count} columns are named {name!r}; rename all but one")


def in_configuration(name, value):
    """A parameter as a configuration has it.

    Examples
    --------
    >>> in_configuration("drop", ["node"])
    "drop: ['node']"
    """
    return f"{name}: {value!r}"


def rows_of_table(
    path,
    label=None,
    features=None,
    id=None,
    drop=(),
    groups=None,
    decimal=".",
    missing=NO_LABEL,
    written=in_configuration,
    kinds=None,
    absent=(),
):
    """Samples of a table; `written` gives a parameter as the caller writes it.

    `kinds` has the columns of categories, as `data.prepare.mixed_columns` says, without levels if
    they are to be found, or, without a label, with those of training. `absent` are texts in other
    columns that mean no value.
    """
    kinds = kinds or {}
    named = [column for column in (label, id, groups, *kinds) if column is not None]
    table, names = read_table(path, named, decimal)
    columns = [str(column) for column in table.columns]
    require_names(path, "column", columns, [*drop, *(features or [])])
    table.columns = columns
    oddities, chosen = [], features is not None
    if id is not None:
        names = [str(name) for name in table[id]]
    elif names is not None and suffix_of(path) != ".parquet":
        oddities.append("The first column has no name; it was read as the names of the samples.")
    if features is None:
        features = [c for c in columns if c not in {label, id, groups, *drop}]
        for column in features:
            if column not in kinds:
                _require_no_index(table[column], column, path, written)
        rising = [column for column in features if _rises(table[column])]
        if rising:
            oddities.append(
                f"Integers increase from row to row in {listing(rising)}. If they number the "
                "samples, set id or drop."
            )
    require(features, f"{path}: no feature column is left; it has: {listing(columns)}")
    require(label not in features, f"{path}: the label {label!r} is among the features; remove it")
    require(
        groups not in features, f"{path}: the groups {groups!r} are among the features; remove them"
    )
    for column in kinds:
        require(column in features, f"{path}: the category {column!r} is not among the features")
    unused = [c for c in columns if c not in {label, id, groups, *features}]
    if unused and label is not None:
        oddities.append(f"Columns left out: {listing(unused)}.")
    labels = None if label is None else as_labels(table[label], path, missing, decimal)
    grouped = groups and (groups, as_labels(table[groups], path, missing, decimal))
    coded, known = {}, dict(kinds)
    for column, kind in kinds.items():
        values, where = table[column].to_numpy(dtype=object), f"{path}: column {column!r}"
        if label is not None:
            coded[column], known[column] = categories.learn(values, kind, where, missing, decimal)
            continue
        complete = None if absent else where
        coded[column], unseen = categories.recognise(values, kind, missing, decimal, complete)
        if unseen:
            oddities.append(categories.about_unseen(column, unseen, kind["ordered"]))
    others = table.drop(columns=list(coded))
    cure = _cure(None if chosen else written, label is not None)
    numbers = _numbers(others.assign(**coded), features, path, decimal, cure, absent, written)
    found = [known.get(column) for column in features] if kinds else None
    return Rows(
        *(numbers, labels, names, list(features), oddities), groups=grouped, column_kinds=found
    )


def _cure(written, categories):
    """Function of a column: what to do if it has no numbers, besides to correct them.

    `written` is None where the caller chose the columns, and `categories` whether it may name some.
    """

    def cure(column):
        text = f", or list it if it holds categories: {in_configuration('categories', [column])}"
        text = text if categories else ""
        if written is None:
            return text
        return (
            f"{text}, or exclude the column: {written('drop', [column])}, or "
            f"{written('id', column)} if it names the samples"
        )

    return cure


def words_of(name):
    """Words of a name, in lower case.

    Examples
    --------
    >>> words_of("patientID_2")
    ['patient', 'id']
    """
    return re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", str(name)).lower())


def is_quantity(name):
    """Whether a column has the name of a quantity, such as a year or a dose, or ends in a unit.

    Examples
    --------
    >>> [is_quantity(name) for name in ("year_built", "minutes", "drop_mm", "X1")]
    [True, True, True, False]
    """
    words = {word for one in words_of(name) for word in (one, one.removesuffix("s"))}
    return bool(_QUANTITIES & words or _UNIT.search(str(name)))


def is_index(name):
    """Whether pandas gave this name to an index that it wrote."""
    return bool(re.fullmatch(r"Unnamed: \d+(\.\d+)*|__index_level_\d+__", str(name)))


def _require_no_index(values, column, path, written):
    """Refuse a feature that numbers the rows: if rows are sorted by class, it reveals the class."""
    found = pandas_index = is_index(column)
    counted = len(values) >= _COUNTED and not is_quantity(column)
    if not found and counted and values.dtype.kind in "iuf":
        # In any order: rows that were shuffled keep the numbers of those that were sorted.
        found = (np.diff(np.sort(values.to_numpy(dtype=np.float64, na_value=np.nan))) == 1).all()
    what = "is an index that pandas wrote" if pandas_index else "numbers the rows"
    require(
        not found,
        f"{path}: column {column!r} {what} (row 0 is {values.iloc[0]}); as a feature it reveals "
        f"the class if rows are sorted by class: set {written('id', column)} or "
        f"{written('drop', [column])}, or list the features",
    )


def _rises(values):
    """Whether integers rise from row to row: numbers of samples of which some were left out."""
    if len(values) < _COUNTED or values.dtype.kind not in "iu" or values.hasnans:
        return False
    values = values.to_numpy()
    return bool((values[1:] > values[:-1]).all())


# Cells that hold more than a number: pattern, what it is, remedy. # is a number.
_FORMS = [
    (r"\d{4}([-/.])\d\d?\1\d\d?([ T].*)?", "a date", "write days since a date"),
    (r"\d\d?([-/.])\d\d?\1\d{2,4}( .*)?", "a date", "write days since a date"),
    (r"\d\d?:\d\d(:\d\d.*)?", "a time", "write minutes"),
    (r"# ?%", "a percentage", "remove the percent sign"),
    (r"[+-]?\d+,\d+", "a number with a comma", "give {comma} unless it separates thousands"),
    (r"[+-]?\d{1,3}([ ,.'\xa0\u2009\u202f]\d{3})+([.,]\d+)?", "thousands", "write them in one"),
    (r"[+-]?\d+\.\d+", "a number with a point", "give {point}"),
    (r"[<>≤≥~]=? ?#.*", "a limit", "write a number, or empty the cell"),
    (r"# ?[^\W\d_].*|[$€£¥] ?#|# ?[$€£¥°µ].*", "a number with a unit", "remove the unit"),
]


def form_of(text, written=in_configuration):
    """What a cell holds that is more than a number, and its remedy; None for other texts.

    `written` gives a parameter as the caller writes it.

    Examples
    --------
    >>> form_of("12 mg"), form_of("mg")
    (('a number with a unit', 'remove the unit'), None)
    """
    for pattern, what, cure in _FORMS:
        if re.fullmatch(pattern.replace("#", r"[+-]?\d+(?:[.,]\d+)?"), text):
            return what, cure.format(comma=written("decimal", ","), point=written("decimal", "."))
    return None


def _numbers(table, columns, path, decimal, cure, absent, written):
    """Matrix of the columns; the first value that is not a number is an error.

    `cure` is that of `_cure`, `written` that of `form_of`; texts that are `absent` are no value.
    """
    pandas = require_package("pandas", "data", "a table")

    table = table[list(columns)].copy()
    for column in columns:
        values = table[column]
        if pandas.api.types.is_integer_dtype(values):
            known = values[values.notna()]
            require_exact(
                known, lambda k, c=column, rows=known.index: f"{path}: column {c!r}, row {rows[k]}"
            )
        if pandas.api.types.is_numeric_dtype(values):
            continue
        texts = values.astype(str)
        known = values.notna() & ~texts.str.strip().isin(absent)
        if decimal == ",":
            # 1.234 may be a thousand and more. Pandas leaves commas if one value is not a number.
            texts = texts.where(~texts.str.contains(".", regex=False), "")
            texts = texts.str.replace(",", ".", regex=False)
        numbers = pandas.to_numeric(texts, errors="coerce").where(known)
        bad = np.flatnonzero(numbers.isna() & known)
        if bad.size:
            first = str(values.iloc[bad[0]])
            what, remedy = form_of(first.strip(), written) or ("not a number", "correct it")
            what = what if remedy == "correct it" else f"not a number but {what}"
            raise InputError(
                f"{path}: column {column!r}, row {bad[0]} is {first!r}, {what} ({bad.size} such "
                f"rows); {remedy}{cure(column)}"
            )
        whole = np.flatnonzero(texts.str.fullmatch(r"\s*[+-]?\d{16,}\s*"))
        require_exact(
            [int(texts.iloc[k]) for k in whole],
            lambda k, c=column, rows=whole: f"{path}: column {c!r}, row {rows[k]}",
        )
        table[column] = numbers
    return table.to_numpy(dtype=np.float64, na_value=np.nan)


def read_labels(path, label, missing=NO_LABEL, decimal="."):
    """Labels in one column of a table; `missing` and `decimal` as in `rows_of_table`.

    Returns shape (n,).
    """
    table, _ = read_table(path, [label])
    return as_labels(table[label], path, missing, decimal)


def as_labels(column, path, missing=NO_LABEL, decimal="."):
    """Labels as objects; in a text file, texts that are all whole numbers become numbers."""
    values = column.to_numpy(dtype=object)
    if suffix_of(path) == ".parquet":
        return values
    # A missing label stays missing, and does not turn the others into text; 007 is a text.
    absent = [text.strip() in missing for text in values]
    given = [text for text, none in zip(values, absent, strict=True) if not none]
    mark = re.escape(decimal)
    if given and all(re.fullmatch(rf"[+-]?(0|[1-9]\d*)({mark}0*)?", text) for text in given):
        numbers = [int(text.partition(decimal)[0]) for text in given]
    elif given and all(
        re.fullmatch(rf"[+-]?(\d+{mark}?\d*|{mark}\d+)([eE][+-]?\d+)?", text) for text in given
    ):
        numbers = [float(text.replace(decimal, ".")) for text in given]
        # Measurements, which the check of the labels will refuse as classes.
        numbers = numbers if any(number % 1 for number in numbers) else given
    else:
        numbers = given
    found = iter(numbers)
    values = [text if none else next(found) for text, none in zip(values, absent, strict=True)]
    return np.array([*values, None], dtype=object)[:-1]
