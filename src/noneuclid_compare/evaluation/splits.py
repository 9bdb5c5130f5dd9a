"""Folds, the same for every method; also splits that train on a few rows of each class."""

import warnings

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, StratifiedShuffleSplit

from noneuclid.errors import InputError, require, require_number
from noneuclid_compare.records import Split

FEW_LABELS, ALL = "few_labels", "all"
SCHEMES = ("stratified_kfold", "kfold", "holdout", "fixed", FEW_LABELS)
SMALL_CLASSES = ("error", "drop", "keep")


def make_split(
    labels,
    class_names,
    repeat,
    seed,
    fixed_fold=None,
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
    scheme : {"stratified_kfold", "kfold", "holdout", "fixed", "few_labels"}
        "kfold" does not look at the classes.
    folds : int, default=5
    test_fraction : float, default=0.2
        Of the holdout.
    small_classes : {"error", "drop", "keep"}
        What happens to a class with fewer members than folds, or with one member under holdout.
        "drop": its rows are not used. "keep": its members go to as many different folds as there
        are members, and a single one is in every training set.
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
        the scheme is "fixed" and the data set has no split.

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
    return Split(fold=fold, about={**about, "decisions": decisions})


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
