"""Folds, the same for every method; also splits that train on a few rows of each class."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import (
    GroupShuffleSplit,
    KFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
from sklearn.utils import check_random_state

from noneuclid.classifiers.group_folds import DRAWS, group_folds, held_out
from noneuclid.errors import InputError, require, require_number
from noneuclid_compare.records import OF_GROUPS, Split

FEW_LABELS, ALL = "few_labels", "all"
GROUP_FOLDS, ONE_OUT, GROUP_HOLDOUT = OF_GROUPS
SCHEMES = ("stratified_kfold", "kfold", "holdout", "fixed", FEW_LABELS, *OF_GROUPS)
SMALL_CLASSES = ("error", "drop", "keep")


class Groups(NamedTuple):
    """Groups of a data set: codes (n,) into `names`, what they are, and whether y is classes."""

    codes: np.ndarray
    names: tuple
    what: str
    of_classes: bool = True


def groups_of(dataset):
    """`Groups` of a `Dataset`, or None."""
    if dataset.groups is None:
        return None
    what = dataset.about.get("grouped_by", "group")
    return Groups(dataset.groups, dataset.group_names, what, dataset.target is None)


def make_split(
    labels,
    class_names,
    repeat,
    seed,
    fixed_fold=None,
    groups=None,
    *,
    scheme="stratified_kfold",
    folds=5,
    test_fraction=0.2,
    small_classes="error",
    random_state=None,
    labels_per_class=None,
):
    """Assign each row to the fold that leaves it out.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Codes into `class_names`.
    class_names : tuple of str
    repeat, seed : int
        The split is a function of both and of the labels; "fixed" depends on neither, and with
        `random_state` the seed is not used.
    fixed_fold : ndarray of int, shape (n,), or None
        The authors' split, 1 where they test.
    groups : Groups or None
        For "stratified_group_kfold", "leave_one_group_out" and "group_holdout", which leave out
        whole groups. The other schemes ignore them.
    scheme : str
        One of `SCHEMES`. "kfold" does not look at the classes.
    folds : int, default=5
    test_fraction : float, default=0.2
        Of the rows of the holdout, or of the groups.
    small_classes : {"error", "drop", "keep"}
        What happens to a class with fewer members than folds, or with one member under holdout.
        "drop": its rows are not used. "keep": its members go to as many different folds as there
        are members, and a single one is in every training set. With groups, of a class in one
        group only; "keep" has this group in every training set.
    random_state : int, optional
        That of scikit-learn's splitter in the first repeat, one more in each of the next, to
        repeat the folds of another program.
    labels_per_class : int or list of (int or "all"), optional
        For "few_labels": training rows of each class; all others are test rows. Of a list each
        repeat takes the next value. "all" is a holdout by `test_fraction`. "keep" means for a class
        of fewer rows that half of them are training rows.

    Returns
    -------
    Split
        `about` holds scheme, settings, repeat, seed and a sentence for each decision on a class.

    Raises
    ------
    InputError
        If a class is too small and `small_classes` is "error", fewer than two classes remain, or
        the scheme is "fixed" and the data set has no split, or there are too few groups.

    Examples
    --------
    >>> split = make_split(np.array([0, 0, 1, 1]), ("a", "b"), repeat=0, seed=0, folds=2)
    >>> [len(rows) for rows in split.rows(0)]
    [2, 2]
    """
    settings = {"scheme": scheme, "folds": folds, "test_fraction": test_fraction}
    settings |= {"small_classes": small_classes, "random_state": random_state}
    settings |= {"labels_per_class": labels_per_class}
    _check_settings(settings)
    labels = np.asarray(labels)
    about = {"scheme": scheme, "settings": settings, "repeat": repeat, "seed": seed}
    if scheme == FEW_LABELS:
        number = _number_of(labels_per_class, repeat)
        about["labels_per_class"] = number
        scheme = "holdout" if number == ALL else scheme
    if scheme == "fixed":
        fold, decisions = _fixed(labels, class_names, fixed_fold)
    elif scheme == FEW_LABELS:
        state = _state(random_state, repeat, seed)
        fold, decisions = _draw_few(labels, class_names, number, small_classes, state)
    elif scheme in OF_GROUPS:
        state = _state(random_state, repeat, seed)
        fold, decisions = _in_groups(labels, class_names, groups, settings, state)
    else:
        needed = {"stratified_kfold": folds, "kfold": 1}.get(scheme, 2)
        fold, decisions = _set_small_aside(labels, class_names, needed, small_classes)
        rows = np.flatnonzero(fold >= 0)
        require(
            np.unique(labels[rows]).size > 1,
            f"split: fewer than two classes have enough members for scheme {scheme}; "
            "lower folds or merge classes",
        )
        state = _state(random_state, repeat, seed)
        draw = _holdout if scheme == "holdout" else _kfold
        fold[rows] = draw(labels[rows], settings, state)
        if scheme == "holdout":
            decisions += _one_sided(labels, class_names, fold, small_classes)
    about["decisions"] = decisions
    if groups is None:
        return Split(fold, about)
    mixed = _mixed(fold, groups.codes)
    about |= {"grouped_by": groups.what, "n_groups": len(groups.names), "mixed_groups": mixed}
    return Split(fold, about, None if mixed else groups.codes)


def _check_settings(settings):
    """Refuse values out of range."""
    for key, legal in (("scheme", SCHEMES), ("small_classes", SMALL_CLASSES)):
        require(settings[key] in legal, f"split: {key} = {settings[key]!r}; give one of {legal}")
    require_number(settings["folds"], "folds", "split", low=2, integer=True)
    require_number(settings["test_fraction"], "test_fraction", "split", low=1e-6, high=1 - 1e-6)
    if settings["scheme"] == FEW_LABELS:
        _check_few(settings["labels_per_class"])
    else:
        require(
            settings["labels_per_class"] is None,
            "split: labels_per_class needs scheme: few_labels",
        )
    if settings["random_state"] is not None:
        require_number(
            settings["random_state"], "random_state", "split", low=0, high=2**31, integer=True
        )


def _state(given, repeat, seed):
    """State of the splitter's generator."""
    if given is not None:
        return given + repeat
    return int(np.random.SeedSequence([seed, repeat]).generate_state(1)[0])


def _set_small_aside(labels, class_names, needed, policy):
    """Start with fold 0 in all rows except those that the policy removes; report what was done."""
    fold = np.zeros(len(labels), dtype=np.int64)
    decisions = []
    reason = f"fewer than the {needed} folds" if needed > 2 else "fewer than the 2 a split needs"
    for code, size in enumerate(np.bincount(labels, minlength=len(class_names))):
        if size == 0 or size >= needed:
            continue
        found = f"class {class_names[code]!r} has {size} member{'s' if size > 1 else ''}, {reason}"
        if policy == "error":
            # What a loader makes of a column of numbers that nobody called a target.
            whole = all(name.removeprefix("-").isdecimal() for name in class_names)
            target = "; if the labels are numbers to predict, set numeric: true" if whole else ""
            raise InputError(
                f"{found}: drop it (small_classes: drop) or keep it (small_classes: keep){target}"
            )
        members = labels == code
        if policy == "drop":
            fold[members] = Split.UNUSED
            decisions.append(f"{found}: its rows are not used.")
        elif size == 1:
            fold[members] = Split.TRAIN_ONLY
            decisions.append(f"{found}: its row is in every training set and never tested.")
        else:
            decisions.append(f"{found}: it is tested in {size} folds, one row in each.")
    return fold, decisions


def _kfold(labels, settings, state):
    """Fold of each row."""
    folds = settings["folds"]
    require(
        np.bincount(labels).max() >= folds,
        f"split: no class has {folds} members; lower folds",
    )
    fold = np.empty(len(labels), dtype=np.int64)
    kind = KFold if settings["scheme"] == "kfold" else StratifiedKFold
    splitter = kind(folds, shuffle=True, random_state=state)
    with warnings.catch_warnings():
        # Only classes that the policy keeps are that small, and the decision says so.
        warnings.filterwarnings("ignore", message="The least populated class")
        for k, (_, left_out) in enumerate(splitter.split(labels[:, None], labels)):
            fold[left_out] = k
    return fold


def _holdout(labels, settings, state):
    """Fold 0 for the held-out rows; the rest are training rows."""
    classes = np.unique(labels).size
    left_out = int(np.ceil(settings["test_fraction"] * len(labels)))
    require(
        classes <= left_out <= len(labels) - classes,
        f"split: test_fraction {settings['test_fraction']} holds out {left_out} of {len(labels)} "
        f"rows, but each part must hold the {classes} classes; change test_fraction",
    )
    fold = np.full(len(labels), Split.TRAIN_ONLY)
    splitter = StratifiedShuffleSplit(1, test_size=left_out, random_state=state)
    _, rows = next(splitter.split(labels[:, None], labels))
    fold[rows] = 0
    return fold


def _one_sided(labels, class_names, fold, policy):
    """Say which classes are never tested or never trained on, unless that is an error."""
    decisions = []
    for part, verb in ((fold == 0, "tested"), (fold == Split.TRAIN_ONLY, "trained on")):
        for code in np.setdiff1d(labels[fold != Split.UNUSED], labels[part]):
            size = int((labels == code).sum())
            if size == 1:  # set aside before
                continue
            found = f"none of the {size} rows of class {class_names[code]!r} is {verb}"
            require(
                policy != "error",
                f"split: {found}: change test_fraction, or accept it (small_classes: keep)",
            )
            decisions.append(f"{found[0].upper()}{found[1:]}.")
    return decisions


def _in_groups(labels, class_names, groups, settings, state):
    """Fold of each row by whole groups, with a sentence on each class of one group only."""
    scheme = settings["scheme"]
    require(
        groups is not None,
        f"split: scheme {scheme!r} needs groups; set groups under params: the column of the donor, "
        "the hospital or the sample",
    )
    if not groups.of_classes:
        labels = np.zeros_like(labels)
    used, decisions = _set_lone_aside(labels, class_names, groups, settings["small_classes"])
    rows = np.flatnonzero(used)
    codes = np.unique(groups.codes[rows], return_inverse=True)[1]
    labels = np.unique(labels[rows], return_inverse=True)[1]
    require(
        labels.any() or not groups.of_classes,
        f"split: fewer than two classes are in more than one {groups.what}; use other groups",
    )
    free = held_out(labels, codes)
    least = settings["folds"] if scheme == GROUP_FOLDS else 2
    require(
        free.sum() >= least,
        f"split: {free.sum()} of {len(groups.names)} groups ({groups.what}) can be held out, fewer "
        f"than the {least} that scheme {scheme} needs; "
        + ("lower folds" if free.sum() > 1 else "leave `groups` out, or choose other groups"),
    )
    fold = np.full(len(used), Split.UNUSED)
    if scheme == GROUP_FOLDS:
        fold[rows] = group_folds(labels, codes, least, check_random_state(state))
    elif scheme == ONE_OUT:
        fold[rows] = np.where(free, np.cumsum(free) - 1, Split.TRAIN_ONLY)[codes]
    else:
        fold[rows] = _group_holdout(labels, codes, free, settings["test_fraction"], state)
    return fold, decisions


def _set_lone_aside(labels, class_names, groups, policy):
    """Which rows are used; classes of one group only by the policy, and what was decided."""
    used, decisions = np.ones(len(labels), dtype=bool), []
    for code in np.unique(labels) if groups.of_classes else []:
        members = labels == code
        inside = np.unique(groups.codes[members])
        if len(inside) > 1:
            continue
        found = (
            f"class {class_names[code]!r} is in one {groups.what} only "
            f"({groups.names[inside[0]]!r})"
        )
        require(
            policy != "error",
            f"split: {found}, without which nothing can be trained on it: drop the class "
            f"(small_classes: drop), or keep this {groups.what} in every training set "
            "(small_classes: keep)",
        )
        if policy == "drop":
            used &= ~members
            decisions.append(f"{found}: its rows are not used.")
        else:
            said = f"this {groups.what} is in every training set and never tested"
            decisions.append(f"{found}: {said}.")
    return used, decisions


def _group_holdout(labels, codes, free, fraction, state):
    """Fold 0 for held-out groups: the first draw that trains on, and if possible tests, all."""
    inside = np.flatnonzero(free[codes])
    draws = GroupShuffleSplit(DRAWS, test_size=fraction, random_state=state)
    classes, found = len(np.unique(labels)), None
    try:
        for _, chosen in draws.split(inside, groups=codes[inside]):
            fold = np.full(len(labels), Split.TRAIN_ONLY)
            fold[inside[chosen]] = 0
            trained, tested = (len(np.unique(labels[fold == k])) for k in (Split.TRAIN_ONLY, 0))
            if trained == classes and (found is None or tested == classes):
                found = fold
                if tested == classes:
                    break
    except ValueError as error:
        raise InputError(f"split: {error} (groups); change test_fraction") from error
    require(
        found is not None,
        f"split: no draw of {DRAWS} trains on all classes; lower test_fraction",
    )
    return found


def _mixed(fold, codes):
    """Number of groups of which a fold has rows on both sides.

    Examples
    --------
    >>> _mixed(np.array([0, 0, 1, -1, -2]), np.array([0, 0, 1, 1, 0]))
    1
    """
    used = fold != Split.UNUSED
    pairs = np.unique(np.column_stack([codes[used], fold[used]]), axis=0)
    return int((np.bincount(pairs[:, 0]) > 1).sum())


def _fixed(labels, class_names, fixed_fold):
    """The authors' split, with a sentence on each class they never train on."""
    require(
        fixed_fold is not None,
        "split: scheme 'fixed' needs the authors' split, but the data set has none; "
        "use stratified_kfold or holdout",
    )
    testing = np.asarray(fixed_fold) == 1
    require(
        testing.any() and np.unique(labels[~testing]).size > 1,
        "split: the authors' split has no test rows, or trains on fewer than two classes",
    )
    unseen = np.setdiff1d(labels[testing], labels[~testing])
    decisions = [
        f"class {class_names[code]!r} has no training row in the authors' split: "
        f"its {int((labels == code).sum())} test rows cannot be predicted correctly."
        for code in unseen
    ]
    return np.where(testing, 0, Split.TRAIN_ONLY).astype(np.int64), decisions


def _check_few(values):
    """Refuse what is not a number of labels, or a list of such numbers and "all"."""
    listed = values if isinstance(values, list | tuple) else [values]
    require(
        len(listed) > 0 and values is not None,
        "split: scheme 'few_labels' needs labels_per_class, such as [5, 10, 20, all]",
    )
    for value in listed:
        if value != ALL:
            require_number(value, "labels_per_class", "split", low=1, integer=True)


def _number_of(values, repeat):
    """Labels per class of a repeat: repeats take the values in turn.

    Examples
    --------
    >>> [_number_of([5, "all"], repeat) for repeat in range(3)], _number_of(10, 3)
    ([5, 'all', 5], 10)
    """
    return values[repeat % len(values)] if isinstance(values, list | tuple) else values


def _draw_few(labels, class_names, number, policy, state):
    """Fold of each row, and a sentence for each class that is too small.

    A class needs one row more than it trains on. Of a smaller one half of the rows, rounded down,
    are training rows ("keep"), or none of its rows is used ("drop").
    """
    rng = np.random.default_rng(state)
    fold, decisions = np.zeros(len(labels), dtype=np.int64), []
    for code, name in enumerate(class_names):
        rows = rng.permutation(np.flatnonzero(labels == code))
        size = len(rows)
        if size > number:
            fold[rows[:number]] = Split.TRAIN_ONLY
            continue
        if size == 0:
            continue
        found = f"class {name!r} has {size} member{'s' if size > 1 else ''}, {number} to train on"
        if policy == "error":
            raise InputError(
                f"{found} and none to test: drop it (small_classes: drop), train on half of it "
                "(small_classes: keep), or lower labels_per_class"
            )
        if policy == "drop":
            fold[rows] = Split.UNUSED
            decisions.append(f"{found} and none to test: its rows are not used.")
        elif size == 1:
            fold[rows] = Split.TRAIN_ONLY
            decisions.append(f"{found}: its row is a training row and never tested.")
        else:
            fold[rows[: size // 2]] = Split.TRAIN_ONLY
            decisions.append(f"{found} and none to test: it trains on {size // 2}.")
    used = fold != Split.UNUSED
    require(
        np.unique(labels[used]).size > 1,
        f"split: fewer than two classes have more than {number} rows; lower labels_per_class",
    )
    return fold, decisions
