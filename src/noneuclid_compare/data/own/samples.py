"""What the loaders of your own files share: from rows as read to a checked data set."""

from dataclasses import replace

import numpy as np

from noneuclid.errors import InputError, require, require_number
from noneuclid.geometry import charts
from noneuclid_compare.data import composition
from noneuclid_compare.data.checks import as_text, bring_inside, checked, encode, with_time
from noneuclid_compare.data.files import categories
from noneuclid_compare.data.own.row_groups import about_groups, encode_groups
from noneuclid_compare.data.own.texts import (
    explain_missing,
    is_missing,
    missing_of,
    repeated,
    require_distinct,
)
from noneuclid_compare.data.targets import intervals
from noneuclid_compare.records import Dataset

KINDS = ("features", "expression", "images", "points", "composition")
# Farther from 1, squares and sums of squares leave the range of float64.
LARGEST = 1e100


def file_of(files, loader, role="data", optional=()):
    """Path of a role; other roles are refused.

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


def require_choice(value, key, legal, loader):
    """Raise `InputError` unless the value is one of the legal ones."""
    require(
        value in legal,
        f"{loader}: {key} = {value!r}; choose one of {', '.join(map(str, legal))}",
    )


def make_dataset(
    rows,
    path,
    loader,
    default="features",
    decimal=".",
    *,
    unlabeled="error",
    missing=None,
    missing_values="error",
    numeric=False,
    kind=None,
    chart=None,
    curvature=1.0,
    project_to_ball=False,
    polytope="simplex",
    normalize=False,
    pseudocount=None,
    multiplicative_replacement=False,
    min_prevalence=None,
    about=None,
):
    """Check rows and make a data set of them."""
    settings = {"unlabeled": unlabeled, "missing": missing, "numeric": numeric, "kind": kind}
    settings |= {"chart": chart, "curvature": curvature, "project_to_ball": project_to_ball}
    settings |= {"polytope": polytope, "normalize": normalize, "pseudocount": pseudocount}
    settings |= {"multiplicative_replacement": multiplicative_replacement, "about": about}
    settings |= {"missing_values": missing_values, "column_kinds": rows.column_kinds}
    settings |= {"min_prevalence": min_prevalence}
    kind = _kind(settings, loader, default)
    where = path.name
    require(
        len(rows.labels) == rows.features.shape[0],
        f"{where}: {rows.features.shape[0]} rows of features but {len(rows.labels)} labels; give "
        "one label for each row",
    )
    try:
        rows = replace(rows, labels=as_text(rows.labels))
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    missing = missing_of(missing, loader)
    kept, oddities = _labelled(rows, where, unlabeled, missing)
    again = [*repeated(rows.names), *repeated(rows.columns, "feature")]
    oddities = [*rows.oddities, *again, *oddities]
    labels = rows.labels[kept]
    # No second copy of what may be gigabytes.
    features = rows.features if len(kept) == len(rows.labels) else rows.features[kept]
    names = None if rows.names is None else [rows.names[k] for k in kept]
    target, closed, grouped, columns = None, {}, {}, rows.columns
    if rows.groups is not None:
        name, values = rows.groups
        places = [_row(k, rows.names) for k in kept]
        grouped = encode_groups(name, as_text(values)[kept], where, places, missing)
    try:
        if min_prevalence is not None:
            require(columns is not None, "min_prevalence needs names of the parts")
            features, columns, said = composition.common_parts(features, columns, min_prevalence)
            oddities.append(said)
        features = composition.dense(features)
        impute = missing_values == "impute"
        _require_finite(features, names, columns, impute)
        kinds = rows.column_kinds or ([None] * features.shape[1] if impute else None)
        if kinds is not None:
            for column, one in zip(columns or [], kinds, strict=False):
                require_distinct(one["levels"] if one else (), f"values of {column!r}")
            features, kinds = categories.without_unused(features, kinds)
            oddities += categories.described(features, kinds, columns)
        if numeric:
            target = _as_numbers(labels, decimal)
        codes, class_names = encode(labels) if target is None else intervals(target)
        require_distinct(class_names)
        _require_no_target(labels, codes, target)
        if kind == "composition":
            features, changed, rule = composition.close_composition(
                features, normalize, pseudocount, multiplicative_replacement
            )
            oddities += changed
            closed = {"closed": rule}
        if project_to_ball:
            features, changed = bring_inside(features, chart, curvature)
            oddities += changed
            closed = {"project_to_ball": True}
        if chart == charts.SPACE_ONLY:
            closed = {"written": chart}
        features, chart, changed = with_time(features, chart, curvature)
        oddities += changed
    except InputError as error:
        dropped = len(rows.labels) - len(kept)
        counted = f" (rows counted without {dropped} unlabelled ones)" if dropped else ""
        raise InputError(f"{where}: {error}{counted}") from error
    return checked(
        Dataset(
            where,
            kind,
            codes,
            class_names,
            features=features,
            target=target,
            fixed_fold=None if rows.fixed_fold is None else rows.fixed_fold[kept],
            about=describe(where, about, oddities)
            | {"columns": columns}
            | closed
            | (about_groups(rows.groups[0], grouped) if grouped else {}),
            **grouped,
            column_kinds=kinds,
            **({"chart": chart, "curvature": curvature} if kind == "points" else {}),
        )
    )


def describe(where, about, oddities):
    """What is known of the data: the user's `about`, the file, what was changed."""
    given = about or {}
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
    require_choice(settings["unlabeled"], "unlabeled", ("error", "drop"), loader)
    require_choice(settings["numeric"], "numeric", (False, True), loader)
    require_choice(settings["missing_values"], "missing_values", ("error", "impute"), loader)
    require_choice(settings["normalize"], "normalize", (False, True), loader)
    require_choice(settings["project_to_ball"], "project_to_ball", (False, True), loader)
    require(
        not settings["project_to_ball"] or settings["chart"] in charts.BALLS,
        f"{loader}: project_to_ball needs chart: {' or '.join(charts.BALLS)}",
    )
    require_choice(settings["polytope"], "polytope", ("simplex",), loader)
    require_choice(settings["kind"], "kind", (None, *KINDS), loader)
    kind = settings["kind"] or (default if settings["chart"] is None else "points")
    require(
        (kind == "points") == (settings["chart"] is not None),
        f"{loader}: kind {kind!r} and chart {settings['chart']!r} do not fit; chart belongs to "
        "kind points, which needs it",
    )
    require(
        kind == "features"
        or (settings["missing_values"] == "error" and settings["column_kinds"] is None),
        f"{loader}: categories and missing_values: impute belong to kind features, not {kind}",
    )
    delta = settings["multiplicative_replacement"]
    if not isinstance(delta, bool):
        require_number(delta, "multiplicative_replacement", loader, low=1e-300, high=1.0)
    require(
        kind == "composition"
        or not (settings["normalize"] or delta or settings["pseudocount"] is not None),
        f"{loader}: normalise, pseudocount and multiplicative_replacement need kind: composition",
    )
    if settings["min_prevalence"] is not None:
        require(kind == "composition", f"{loader}: min_prevalence needs kind: composition")
        require_number(settings["min_prevalence"], "min_prevalence", loader, low=0, high=1)
    require_number(settings["curvature"], "curvature", loader, low=1e-12)
    if settings["pseudocount"] is not None:
        require_number(settings["pseudocount"], "pseudocount", loader, low=1e-300)
    return kind


def _labelled(rows, where, unlabeled, texts):
    """Indices of the rows that have a label, and what to report."""
    missing = np.array([is_missing(label, texts) for label in rows.labels], dtype=bool)
    if not missing.any():
        return np.arange(len(missing)), []
    row = int(np.argmax(missing))
    require(
        unlabeled == "drop",
        f"{where}: {_row(row, rows.names)} has no label ({rows.labels[row]!r}), and "
        f"{missing.sum() - 1} more; label them, or set unlabeled: drop"
        f"{explain_missing(rows.labels[row])}",
    )
    require(not missing.all(), f"{where}: no row has a label")
    return np.flatnonzero(~missing), [f"{missing.sum()} rows without label were left out."]


def _as_numbers(labels, decimal):
    """Labels as numbers, also where a text file writes them."""
    numbers = np.empty(len(labels))
    for row, label in enumerate(labels):
        text = str(label)
        if isinstance(label, str) and decimal != ".":
            # With a comma for decimals 1.234 may be a thousand and more.
            text = text.replace(".", " ").replace(decimal, ".")
        # Python reads 1_0 as ten.
        numbers[row] = np.nan if "_" in text else _number(text)
        if np.isnan(numbers[row]):
            raise InputError(
                f"label of row {row} is {label!r}, not a number; correct it, or leave numeric out"
            )
        if LARGEST < abs(numbers[row]) < np.inf:
            raise InputError(
                f"label of row {row} is {label}, beyond {LARGEST:g}; correct it, or use another "
                "unit"
            )
    return numbers


def _number(text):
    """The number that a text writes, nan if none."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return np.nan


def not_numbers(labels):
    """Labels that write no finite number.

    Examples
    --------
    >>> not_numbers(["1.5", "inf", "n/a"])
    ['inf', 'n/a']
    """
    return [label for label in labels if not np.isfinite(_number(label))]


def _row(row, names):
    return f"row {row}" if names is None else f"row {row} (sample {names[row]!r})"


def place_of(row, column, samples=None, columns=None):
    """A value of a file in words, by names where the file has them.

    Examples
    --------
    >>> place_of(3, 0, ["a", "b", "c", "d"], ["acid"])
    "row 4 counted from 1 (sample 'd'), column 'acid'"
    >>> place_of(3, 0)
    'row 4 counted from 1, column 1'
    """
    sample = "" if samples is None else f" (sample {str(samples[row])!r})"
    named = column + 1 if columns is None else repr(str(columns[column]))
    return f"row {row + 1} counted from 1{sample}, column {named}"


def _require_finite(features, names, columns, impute):
    """Refuse the first value that is not finite, or so large that its square may not be.

    With `impute`, only a column without any value is refused for NaN.
    """
    # Not abs, which is a copy of all.
    bad = ~((features <= LARGEST) & (features >= -LARGEST))
    if impute:
        bad &= ~np.isnan(features)
        empty = np.flatnonzero(np.isnan(features).all(axis=0))
        require(
            not empty.size,
            f"{place_of(0, empty[0], names, columns) if empty.size else ''} is empty, as in all "
            "rows; drop the column",
        )
    bad = np.argwhere(bad)
    if bad.size:
        row, column = bad[0].tolist()
        place, value = place_of(row, column, names, columns), features[row, column]
        if np.isfinite(value):
            raise InputError(
                f"{place} is {value:g}, beyond {LARGEST:g}; correct it, or use another unit"
            )
        found = "is empty or nan" if np.isnan(value) else f"is {value}"
        rows, places = (len(np.unique(bad[:, k])) for k in (0, 1))
        raise InputError(
            f"{place} {found}; remove rows or columns, fill in the values, or set missing_values: "
            f"impute ({rows} rows and {places} columns are affected)"
        )


def _require_no_target(labels, codes, target):
    """Refuse numbers, in digits or as text, of which most occur once: a number to predict."""
    if target is not None or isinstance(labels[0], bool | np.bool_):
        return
    counts = np.bincount(codes)
    single = int((counts == 1).sum())
    if len(counts) <= 2 or 2 * single <= len(counts):
        return
    if isinstance(labels[0], str):
        # Whole numbers as text may be codes, such as 007.
        measured = [_number(label) % 1 > 0 for label in labels]
        others = not_numbers(labels)
        require(
            2 * sum(measured) <= len(labels),
            f"{len(labels) - len(others)} of {len(labels)} labels are numbers, and most occur once"
            + (f"; correct {others[0]!r}, or list it under missing" if others else "")
            + "; to predict numbers, set numeric: true; otherwise group the classes",
        )
        return
    first = labels[np.flatnonzero(counts[codes] == 1)[0]]
    raise InputError(
        f"{len(counts)} labels are numbers, and {single} of them, the first {first}, occur "
        "once; to predict numbers, set numeric: true; otherwise group the classes"
    )
