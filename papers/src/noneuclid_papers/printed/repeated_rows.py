"""Rows that a paper prints in two tables."""

KEYS = ["table", "dataset", "variant", "method", "metric"]


def first_keys(rows):
    """Where the row of each number is printed first, by `KEYS`: here, or in the table of `row_of`.

    `rows` are numbers of one paper as printed; `row_of` is "TABLE, VARIANT", empty or missing.

    Examples
    --------
    >>> row = {"table": "2", "dataset": "d", "variant": "best C", "method": "A", "metric": "f1"}
    >>> first_keys([row, row | {"row_of": "7, ovr, C=1"}])
    [('2', 'd', 'best C', 'A', 'f1'), ('7', 'd', 'ovr, C=1', 'A', 'f1')]
    """
    return [_first_key(row) for row in rows]


def _first_key(row):
    table, _, variant = row.get("row_of", "").partition(", ")
    first = row | {"table": table, "variant": variant} if table else row
    return tuple(first[key] for key in KEYS)


def counted_in(rows):
    """`row_of` of each number if the row there has the same number and error; else empty.

    Examples
    --------
    >>> first = {"table": "5", "dataset": "d", "variant": "", "method": "A", "metric": "f1"}
    >>> first |= {"value": "0.7", "error": ""}
    >>> again = first | {"table": "2", "row_of": "5"}
    >>> counted_in([first, again]), counted_in([first, again | {"value": "0.71"}])
    (['', '5'], ['', ''])
    """
    printed = {tuple(row[key] for key in KEYS): (row["value"], row["error"]) for row in rows}
    same = [
        printed.get(key) == (row["value"], row["error"])
        for row, key in zip(rows, first_keys(rows), strict=True)
    ]
    return [row.get("row_of", "") if one else "" for row, one in zip(rows, same, strict=True)]
