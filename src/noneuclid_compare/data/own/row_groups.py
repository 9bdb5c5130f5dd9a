"""Groups of the rows of your own files: checked, and as codes and names."""

import re
from decimal import Decimal

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid_compare.data.own.texts import is_missing, require_distinct


def require_other(groups, others, loader):
    """Refuse groups that are not a name, or that are a column with another meaning."""
    require(
        groups is None or (isinstance(groups, str) and groups),
        f"{loader}: groups = {groups!r}; give the name of a column",
    )
    for key, other in others.items():
        require(
            groups is None or groups != other,
            f"{loader}: {groups!r} is the {key} and the groups; give another column for the groups",
        )


def encode_groups(name, values, where, places, missing):
    """Codes and names of groups, as `Dataset` has them, of values (n,); a missing one is an error.

    `places` (n,) call the rows of the file `where`, and `missing` are texts that mean no group.

    Examples
    --------
    >>> encode_groups("donor", ["d2", 1.0, "d2"], "a.csv", "012", {""})
    {'groups': array([1, 0, 1]), 'group_names': ('1', 'd2')}
    """
    absent = [place for place, one in zip(places, values, strict=True) if is_missing(one, missing)]
    if absent:
        more = f", and {len(absent) - 1} more" if len(absent) > 1 else ""
        raise InputError(
            f"{where}: {absent[0]} has no {name}, by which `groups` are given{more}; fill it in, "
            "remove the row, or leave `groups` out"
        )
    names, codes = np.unique(texts_of(values), return_inverse=True)
    names = tuple(names.tolist())
    try:
        require_distinct(names, "groups")
        _require_distinct_values(names)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    return {"groups": codes, "group_names": names}


def texts_of(values):
    """Names of the groups of rows, a list: whole numbers have no decimals.

    Examples
    --------
    >>> texts_of(["d2", 1.0, " d2"])
    ['d2', '1', 'd2']
    """
    whole = (isinstance(value, float | np.floating) and value.is_integer() for value in values)
    return [str(int(v) if w else v).strip() for v, w in zip(values, whole, strict=True)]


def _require_distinct_values(names):
    """Refuse two groups that are one number or one truth value; 07 is a text.

    Examples
    --------
    >>> _require_distinct_values(("1", "01", "1.5", "d1", "True"))
    """
    seen = {}
    for name in names:
        number = re.fullmatch(r"[+-]?(0|[1-9]\d*)([.,]\d*)?([eE][+-]?\d{1,3})?", name)
        value = Decimal(name.replace(",", ".")) if number else name
        value = name.lower() if name.lower() in ("true", "false") else value
        other = seen.setdefault(value, name)
        require(
            other == name,
            f"groups {other!r} and {name!r} are one value, written in two ways; write them alike",
        )


def about_groups(name, found):
    """What the `about` of a data set says of its groups: what they are, and how many there are."""
    return {"grouped_by": name, "n_groups": len(found["group_names"])}
