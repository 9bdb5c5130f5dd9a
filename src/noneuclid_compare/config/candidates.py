"""The settings that a search tries for a method: the same number for every method, if asked for."""

import math

from noneuclid.errors import InputError
from noneuclid_compare import wording

FEWER = "{}: {}, but `candidates` asks for {}: {}"


def count(method):
    """Number of settings that a search tries for a method; 1 without a grid.

    Examples
    --------
    >>> count({"grid": {"C": [1, 10], "gamma": [0.1, 1, 10]}}), count({"use": "my.py:Rule"})
    (6, 1)
    """
    return math.prod(map(len, method.get("grid", {}).values()))


def check(method, place, wanted):
    """Refuse a method with another number of candidates than `wanted` (None: any).

    A method that has fewer gives the reason in its entry: ``fewer: WORDS``.
    """
    found, reason = count(method), method.get("fewer")
    said = wording.count(found, "candidate setting")
    if reason is not None and (wanted is None or found >= wanted):
        missing = "there is no key `candidates`" if wanted is None else f"it has {said}"
        raise InputError(f"{place}/fewer: {missing}; remove this key")
    if wanted is None:
        return
    if found > wanted:
        raise InputError(FEWER.format(f"{place}/grid", said, wanted, "leave out values"))
    if found < wanted and reason is None:
        cure = "add values, or give the reason with fewer: WORDS"
        raise InputError(FEWER.format(f"{place}/grid", said, wanted, cure))
