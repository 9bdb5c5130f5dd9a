"""What a look at a file finds, and what labels are."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid_compare import wording
from noneuclid_compare.config import defaults
from noneuclid_compare.data.checks import as_text, encode
from noneuclid_compare.data.files.arrays import listing
from noneuclid_compare.data.own.samples import not_numbers
from noneuclid_compare.data.own.texts import is_missing
from noneuclid_compare.inspect_file import suspicious
from noneuclid_compare.records import Dataset

# Numbers with more distinct values than this are measurements, not proposed as classes.
MOST_CLASSES_OF_NUMBERS = 20
# Parts of names that columns of classes have, the likeliest first.
_NAMES = ("label", "class", "target", "cell_type", "celltype", "type", "species", "diagnosis")
_NAMES = (*_NAMES, "outcome", "category", "group", "kind")


@dataclass
class Found:
    """An entry under `datasets` in the making, and what is said of the file.

    Attributes
    ----------
    use : str
        A short name of a loader.
    files : dict of str to Path
        By role.
    params : dict
        Of the loader.
    entry : dict
        Other keys of the entry, such as `split`.
    sections : dict
        Keys of the configuration that need another value than the default.
    facts : list of tuple of str
        What was found: a word and a text.
    problems : list of str
        Each with its remedy.
    comments : dict of str to str
        Why a parameter is set, for the file.
    hints : list of str
        Lines of comment after the parameters: settings that may fit.
    dataset : Dataset or None
        As the loader reads it with these parameters.
    """

    use: str
    files: dict[str, Path]
    params: dict
    entry: dict = field(default_factory=dict)
    sections: dict = field(default_factory=dict)
    facts: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)
    hints: list[str] = field(default_factory=list)
    dataset: Dataset | None = None

    @property
    def where(self):
        """Name of the file, for messages."""
        return next(iter(self.files.values())).name

    def set(self, key, value, comment):
        """Set a parameter of the loader, and say why."""
        self.params[key] = value
        self.comments[key] = comment


def read_labels(found, values, label, what="row"):
    """Add what labels say: classes or numbers, and which are missing or too few."""
    where = found.where
    values = as_text(np.asarray(values, dtype=object))
    missing = np.array([is_missing(value) for value in values], dtype=bool)
    known = values[~missing]
    require(known.size > 0, f"{where}: no {what} has a {label!r}; choose another label")
    if missing.any():
        count = int(missing.sum())
        found.set("unlabeled", "drop", f"{wording.count(count, what)} without {label}")
        found.problems.append(
            f"{count} of {len(values)} {what}s without {label}, the first is {what} "
            f"{int(np.argmax(missing))}: left out (unlabeled: drop); label them to use them"
        )
    if is_measured(known):
        require(
            found.use != "graph_file",
            f"{where}: {label!r} holds numbers that are measured, and a graph needs classes; cut "
            "them into intervals, or choose another label",
        )
        found.set("numeric", True, "a number to predict, by regressors")
        numbers = np.array(known, dtype=float)
        span = f"{numbers.min():.4g} to {numbers.max():.4g}"
        found.facts.append(("label", f"{label}: a number to predict by regression, {span}"))
        if not (numbers % 1).any():
            found.problems.append(
                f"{label} holds whole numbers, most of them in few {what}s: if they are names of "
                "classes, delete `numeric: true`"
            )
        return
    try:
        codes, names = encode(known)
    except InputError as error:
        raise InputError(f"{where}: {label}: {error}") from error
    counts = np.bincount(codes)
    require(
        len(names) > 1,
        f"{where}: {label!r} has one class only ({names[0]!r}, {counts[0]} {what}s); a classifier "
        "needs two or more: choose another label",
    )
    if len(names) > MOST_CLASSES_OF_NUMBERS and all(isinstance(v, int | np.integer) for v in known):
        found.problems.append(
            f"{label} holds {len(names)} different whole numbers, used as classes: if it is a "
            "quantity, add `numeric: true` under params"
        )
    found.problems += suspicious.about_names(names, "classes")
    single = int((counts == 1).sum())
    odd = not_numbers(known)
    alternatives = "names rather than classes; choose another label, or group the classes"
    if 0 < len(odd) < len(known) / 2:
        row = int(np.flatnonzero(values == odd[0])[0])
        alternatives = (
            f"numbers, except {odd[0]!r} in {what} {row}; correct it, or list it under missing, "
            "and set numeric: true"
        )
    require(
        len(names) == 2 or 2 * single <= len(names),
        f"{where}: {label!r} has {len(names)} values in {len(known)} {what}s, and {single} of them "
        f"occur once: {alternatives}",
    )
    order = np.argsort(-counts, kind="stable")
    sizes = listing([f"{names[k]} {counts[k]}" for k in order], 12)
    found.facts.append(("label", f"{label}: {len(names)} classes: {sizes}"))


def require_header(labels, count, n):
    """Refuse a table of labels that has one row too few, since its header is a label."""
    require(
        count != n - 1,
        f"{labels}: {count} labels for {n} rows; its first line is read as a header: add one",
    )


def check_sizes(found, sizes, what, usual):
    """Set the split that classes of these sizes need: the usual folds, or one for small classes."""
    folds = min(usual, max(sizes.values()))
    require(folds > 1, f"{found.where}: each class has one {what}; at least one needs two or more")
    small = {name: size for name, size in sizes.items() if size < folds}
    split = {} if folds == defaults.SPLITS["folds"] else {"folds": folds}
    if folds < usual:
        found.problems.append(
            f"the largest class has {folds} {what}s: there are {folds} folds (split: folds); more "
            f"{what}s give surer answers"
        )
    if small:
        split["small_classes"] = "keep"
        found.problems.append(
            f"{len(small)} of {len(sizes)} classes have fewer members than there are folds "
            f"({listing([f'{name} {size}' for name, size in small.items()], 5)}): each member is "
            "tested in a fold of its own, and a class of one is never tested (small_classes: "
            "keep); join classes, or leave their rows out (small_classes: drop)"
        )
    if split:
        found.entry["split"] = split


def is_measured(values):
    """Whether labels are numbers to predict: not whole, or most of them different.

    Examples
    --------
    >>> is_measured(np.array([1, 2, 1, 2], object)), is_measured(np.array([0.5, 2.0], object))
    (False, True)
    """
    if not all(isinstance(value, int | float | np.number) for value in values):
        return False
    if any(isinstance(value, bool | np.bool_) for value in values):
        return False
    counts = Counter(values.tolist())
    single = sum(count == 1 for count in counts.values())
    if any(float(value) % 1 for value in counts) or (len(counts) > 2 and 2 * single > len(counts)):
        return True
    few = np.median(list(counts.values())) < defaults.SPLITS["folds"]
    return bool(len(counts) > MOST_CLASSES_OF_NUMBERS and few)


def candidates(columns):
    """Columns that may hold classes, the likeliest first, with their numbers of classes.

    `columns` is a mapping from names to values.

    Examples
    --------
    >>> candidates({"id": ["a", "b", "c", "d"], "kind": ["x", "y", "x", "y"]})
    {'kind': 2}
    """
    found = {}
    for name, values in columns.items():
        known = [value for value in values if not is_missing(value)]
        counts = Counter(map(str, known))
        single = sum(count == 1 for count in counts.values())
        if len(counts) < 2 or 2 * single > len(counts) or len(counts) > len(known) // 2:
            continue
        text = isinstance(known[0], str | bytes | bool | np.bool_)
        if not text and (
            len(counts) > MOST_CLASSES_OF_NUMBERS or any(float(value) % 1 for value in known)
        ):
            continue
        rank = next((k for k, part in enumerate(_NAMES) if part in str(name).lower()), len(_NAMES))
        found[str(name)] = (rank, not text, len(counts))
    return {name: found[name][-1] for name in sorted(found, key=lambda name: found[name][:2])}
