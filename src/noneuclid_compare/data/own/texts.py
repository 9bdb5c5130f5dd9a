"""Texts of a file that mean nothing, and names that look the same."""

import unicodedata

import numpy as np

from noneuclid.errors import require

# Texts that pandas reads as no value, and the mark of the UCI repository and of Weka.
MISSING = [
    "",
    "?",
    "NA",
    "N/A",
    "n/a",
    "#N/A",
    "#N/A N/A",
    "#NA",
    "<NA>",
    "NaN",
    "nan",
    "-NaN",
    "-nan",
    "NULL",
    "null",
    "None",
]


def missing_of(given, loader):
    """Texts that mean no label: the given ones, or `MISSING`; always the empty one."""
    require(
        given is None or (isinstance(given, list) and all(isinstance(text, str) for text in given)),
        f"{loader}: missing = {given!r}; give a list of texts, such as ['NA', '?']",
    )
    return {"", *(MISSING if given is None else given)}


def is_missing(label, missing=frozenset(MISSING)):
    """Whether a label means that there is none.

    Examples
    --------
    >>> [is_missing(label) for label in ("T", "", "NA", "?", None, float("nan"), 0, False)]
    [False, True, True, True, True, True, False, False]
    >>> is_missing("None", {"", "NA"})
    False
    """
    if isinstance(label, str):
        return label.strip() in missing
    return str(label) in ("None", "nan", "NaT", "<NA>")


def explain_missing(label):
    """How to keep a label that was taken for none; nothing for an empty one.

    Examples
    --------
    >>> explain_missing("None")
    "; if 'None' is a class, list under missing only what means no label"
    >>> explain_missing(None)
    ''
    """
    if not isinstance(label, str) or not label.strip():
        return ""
    return f"; if {label.strip()!r} is a class, list under missing only what means no label"


def repeated(names, what="sample"):
    """Sentence on names that occur more than once, which does not matter to any method.

    Examples
    --------
    >>> repeated(["a", "b", "a"])
    ["1 sample name occurs more than once: 'a'."]
    >>> repeated(["a", "b", "a", "b"])
    ["2 sample names occur more than once, the first 'a'."]
    """
    unique, counts = np.unique(np.array(names or [], dtype=str), return_counts=True)
    more = unique[counts > 1]
    if len(more) == 1:
        return [f"1 {what} name occurs more than once: {str(more[0])!r}."]
    first = f"the first {str(more[0])!r}." if more.size else ""
    return [f"{len(more)} {what} names occur more than once, {first}"] if more.size else []


def require_distinct(names, what="classes"):
    """Refuse two names that look the same, such as ``a`` and ``a`` with a space of no width.

    Examples
    --------
    >>> require_distinct(("a", "b"))
    """
    seen = {}
    for name in names:
        other = seen.setdefault(_visible(name), name)
        require(
            other == name,
            f"two {what} look alike, {other!a} and {name!a}: they differ by spaces, by "
            "characters that cannot be seen, or by how accents are written; write them alike",
        )


def _visible(name):
    """What is seen of a name: accents composed, one kind of space, nothing of no width."""
    parts = [
        " " if c.isspace() else c
        for c in unicodedata.normalize("NFC", name)
        if c.isspace() or not (unicodedata.category(c) in ("Cf", "Cc") or c in _UNSEEN)
    ]
    return " ".join("".join(parts).split())


# Of no width, though Unicode calls them marks or letters.
_UNSEEN = {
    *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10)))
}
