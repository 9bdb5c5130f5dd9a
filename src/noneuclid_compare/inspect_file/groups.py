"""The column by which folds leave out whole groups: by its name, and by what it does to folds."""

import numpy as np

from noneuclid_compare import wording
from noneuclid_compare.data.files.arrays import listing
from noneuclid_compare.data.own.texts import is_missing
from noneuclid_compare.inspect_file import suspicious

# Last words of names, those first whose rows resemble each other most: a donor before a batch.
RANKS = (
    ("donor", "patient", "subject", "participant", "individual", "animal", "mouse"),
    ("household", "family"),
    ("sample", "specimen"),
    ("hospital", "clinic", "center", "centre", "cohort", "study", "lab"),
    ("litter", "cage", "slide", "session", "experiment"),
    ("batch", "plate", "lane"),
)
FEWEST, SMALLEST = 3, 1.5  # groups; rows of one on average


def rank(word):
    """Rank of the last word of a name, None if it names no groups."""
    return next((k for k, words in enumerate(RANKS) if word in words), None)


def can_be_left_out(values, labels=None):
    """Whether folds can leave out the groups of a column: values (n,), and class labels (n,).

    There are three groups or more with 1.5 rows on average, and each class is in two of them. A
    column that numbers the rows, has two values, or is the class in other words is none.

    Examples
    --------
    >>> labels = ["x", "y"] * 6
    >>> donors = [f"d{k // 4}" for k in range(12)]
    >>> can_be_left_out(donors, labels), can_be_left_out(labels, labels)
    (True, False)
    >>> can_be_left_out(range(12), labels), can_be_left_out(["a", "b"] * 5 + ["c", None], labels)
    (False, False)
    """
    if any(is_missing(value) for value in values):
        return False
    codes = np.unique(np.array([str(value) for value in values]), return_inverse=True)[1]
    if not FEWEST <= codes.max() + 1 <= len(codes) / SMALLEST:
        return False
    if labels is None:
        return True
    classes = np.unique(np.array([str(label) for label in labels]), return_inverse=True)[1]
    pairs = np.unique(np.column_stack([classes, codes]), axis=0)
    return bool(np.bincount(pairs[:, 0]).min() > 1)


def _copies(target, values):
    """Whether numbers (n,) are the target (n,) in another unit, or almost."""
    if any(isinstance(value, str) for value in values):
        return False
    target, values = target.astype(float), values.astype(float)
    return any(suspicious.copies_of(target, values[:, None]))


def named_so(columns, word_of):
    """Columns whose names may name groups; `word_of` as in `choose`."""
    return [name for name in columns if rank(word_of(name)) is not None]


def choose(found, columns, labels, word_of):
    """Set `groups` of a `Found` to the column of the best rank, the first of equals; its name.

    `columns` maps names to values (n,), `word_of` a name to the word that may name groups; labels
    (n,). Rows without a label do not count. None if no column can be left out.
    """
    known = np.array([not is_missing(label) for label in labels], dtype=bool)
    outcomes, numeric = np.asarray(labels, dtype=object)[known], found.params.get("numeric")
    ranks = {}
    for name in named_so(columns, word_of):
        values = np.asarray(columns[name], dtype=object)[known]
        free = can_be_left_out(values, None if numeric else outcomes)
        if free and not (numeric and _copies(outcomes, values)):
            ranks[name] = rank(word_of(name)), len({*map(str, values)})
    if not ranks:
        return None
    chosen, *others = sorted(ranks, key=lambda name: ranks[name][0])
    count = wording.count(ranks[chosen][1], "group")
    said = f"folds leave out whole groups, {count}"
    also = f"; or by {listing(others, 5)}" if others else ""
    found.set("groups", chosen, said + also)
    found.facts.append(("groups", f"{chosen}: {said} (delete `groups` for folds of rows){also}"))
    return chosen
