"""What the loaders of your own files share: from rows as read to a checked data set."""

import unicodedata

import numpy as np

from noneuclid.contracts import Dataset, InputError
from noneuclid.datasets import composition
from noneuclid.datasets.checks import checked, encode, require, require_number
from noneuclid.datasets.targets import intervals

COMMON = {
    "unlabelled": "error",
    "numeric": False,
    "kind": None,
    "chart": None,
    "curvature": 1.0,
    "polytope": "simplex",
    "normalise": False,
    "pseudocount": None,
    "about": {},
}
"""Settings of every loader of rows; see `docs/own_data.md`."""

KINDS = ("features", "expression", "images", "points", "composition")
# What people write where a label is missing; a class of such a name is refused, not guessed.
_EMPTY = {"", "NA", "N/A", "NaN", "nan", "<NA>", "null", "NULL"}


def file_of(files, loader, role="data", optional=()):
    """Path of a role; other roles are refused.

    Raises
    ------
    InputError

    Examples
    --------
    >>> file_of({"data": "cells.h5ad"}, "anndata_file")
    'cells.h5ad'
    """
    legal = (role, *optional)
    for given in files:
        require(given in legal, f"{loader}: unknown file {given!r}; legal: {', '.join(legal)}")
    require(role in files, f"{loader}: no file given; write files: {{{role}: PATH}}")
    return files[role]


def require_choice(settings, key, legal, loader):
    """Raise `InputError` unless ``settings[key]`` is one of the legal values."""
    require(
        settings[key] in legal,
        f"{loader}: {key} = {settings[key]!r}; choose one of {', '.join(map(str, legal))}",
    )


def is_missing(label):
    """Whether a label stands for no label.

    Examples
    --------
    >>> [is_missing(label) for label in ("T", "", "NA", None, float("nan"), 0, False)]
    [False, True, True, True, True, False, False]
    """
    if isinstance(label, str):
        return label.strip() in _EMPTY
    return str(label) in ("None", "nan", "NaT", "<NA>")


def repeated(names, what="sample"):
    """Sentence on names that occur more than once, which does not matter to any method.

    Examples
    --------
    >>> repeated(["a", "b", "a"])
    ["1 sample names occur more than once, the first 'a'."]
    """
    unique, counts = np.unique(np.array(names or [], dtype=str), return_counts=True)
    more = unique[counts > 1]
    first = f"the first {str(more[0])!r}." if more.size else ""
    return [f"{len(more)} {what} names occur more than once, {first}"] if more.size else []


def dataset(rows, path, settings, loader, kind="features"):
    """Check rows and make a data set of them.

    Parameters
    ----------
    rows : noneuclid.readers.Rows
        With labels.
    path : Path
        Opens the error messages.
    settings : dict
        With every key of `COMMON`.
    loader : str
    kind : str, default="features"
        What the loader reads, if the settings do not say.

    Returns
    -------
    Dataset
        Of kind `points` if `chart` is given, else of the kind said. `about` keeps
        `oddities` (what was changed, as sentences) and `columns` (names of the features).

    Raises
    ------
    InputError
        Naming the row of a missing label, and row and column of an illegal value.
    """
    kind = _kind(settings, loader, kind)
    where = path.name
    require(
        len(rows.labels) == len(rows.features),
        f"{where}: {len(rows.features)} rows of features but {len(rows.labels)} labels; give one "
        "label for each row",
    )
    kept, oddities = _labelled(rows, where, settings["unlabelled"])
    again = [*repeated(rows.names), *repeated(rows.columns, "feature")]
    oddities = [*rows.oddities, *again, *oddities]
    features, labels = rows.features[kept], rows.labels[kept]
    names = None if rows.names is None else [rows.names[k] for k in kept]
    target = None
    try:
        _require_finite(features, names, rows.columns)
        if settings["numeric"]:
            target = _as_numbers(labels, settings.get("decimal", "."))
        codes, class_names = encode(labels) if target is None else intervals(target)
        _require_trimmed(class_names)
        if kind == "composition":
            features, changed = composition.closed(
                features, settings["normalise"], settings["pseudocount"]
            )
            oddities += changed
    except InputError as error:
        dropped = len(rows.labels) - len(kept)
        counted = f" (rows counted without {dropped} unlabelled ones)" if dropped else ""
        raise InputError(f"{where}: {error}{counted}") from error
    chart = {"chart": settings["chart"], "curvature": settings["curvature"]}
    return checked(
        Dataset(
            where,
            kind,
            codes,
            class_names,
            features=features,
            target=target,
            about=about(where, settings, oddities) | {"columns": rows.columns},
            **(chart if kind == "points" else {}),
        )
    )


def about(where, settings, oddities):
    """What is known of the data: the user's `about`, the file, what was changed."""
    given = settings["about"]
    legal = "citation", "licence", "source", "oddities"
    for key, value in given.items():
        require(
            key in legal and isinstance(value, str),
            f"{where}: about has {key}: {value!r}; legal: {', '.join(legal)}, each one text",
        )
    oddities = [given["oddities"], *oddities] if "oddities" in given else list(oddities)
    return {"source": where} | given | {"oddities": oddities}


def _kind(settings, loader, default):
    """Kind of the data set, after all choices were found legal and consistent."""
    require_choice(settings, "unlabelled", ("error", "drop"), loader)
    require_choice(settings, "numeric", (False, True), loader)
    require_choice(settings, "normalise", (False, True), loader)
    require_choice(settings, "polytope", ("simplex",), loader)
    require_choice(settings, "kind", (None, *KINDS), loader)
    kind = settings["kind"] or (default if settings["chart"] is None else "points")
    require(
        (kind == "points") == (settings["chart"] is not None),
        f"{loader}: kind {kind!r} and chart {settings['chart']!r} do not fit; chart belongs to "
        "kind points, which needs it",
    )
    require(
        kind == "composition" or (not settings["normalise"] and settings["pseudocount"] is None),
        f"{loader}: normalise and pseudocount need kind: composition",
    )
    require_number(settings, "curvature", loader, low=1e-12)
    if settings["pseudocount"] is not None:
        require_number(settings, "pseudocount", loader, low=1e-300)
    return kind


def _labelled(rows, where, unlabelled):
    """Indices of the rows that have a label, and what to report."""
    missing = np.array([is_missing(label) for label in rows.labels], dtype=bool)
    if not missing.any():
        return np.arange(len(missing)), []
    row = int(np.argmax(missing))
    require(
        unlabelled == "drop",
        f"{where}: {_row(row, rows.names)} has no label ({rows.labels[row]!r}), and "
        f"{missing.sum() - 1} more; label them, or set unlabelled: drop",
    )
    require(not missing.all(), f"{where}: no row has a label")
    return np.flatnonzero(~missing), [f"{missing.sum()} rows without label were left out."]


def _as_numbers(labels, decimal):
    """Labels as numbers, also where a text file writes them."""
    numbers = np.empty(len(labels))
    for row, label in enumerate(labels):
        try:
            text = str(label)
            # With a comma for decimals 1.234 may be a thousand and more.
            numbers[row] = float(
                text if decimal == "." else text.replace(".", " ").replace(decimal, ".")
            )
        except ValueError:
            raise InputError(
                f"label of row {row} is {label!r}, not a number; correct it, or leave numeric out"
            ) from None
    return numbers


def _row(row, names):
    return f"row {row}" if names is None else f"row {row} (sample {names[row]!r})"


def _require_finite(features, names, columns):
    bad = np.argwhere(~np.isfinite(features))
    if bad.size:
        row, column = bad[0].tolist()
        named = f"column {column}" if columns is None else f"column {columns[column]!r}"
        value = features[row, column]
        found = "is empty or nan" if np.isnan(value) else f"is {value}"
        rows, places = (len(np.unique(bad[:, k])) for k in (0, 1))
        raise InputError(
            f"{_row(row, names)}, {named} {found}; remove rows or columns, or fill in the values "
            f"({rows} rows and {places} columns have such)"
        )


def _require_trimmed(class_names):
    for name in class_names:
        composed = unicodedata.normalize("NFC", name)
        require(
            composed == name or composed not in class_names,
            f"two classes look alike, {name!r}: one writes its accents as separate marks; "
            "normalise the labels",
        )
        require(
            name.strip() == name or name.strip() not in class_names,
            f"classes {name.strip()!r} and {name!r} differ only by spaces; write them alike",
        )
