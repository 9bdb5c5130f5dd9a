"""What every loader shares: settings with defaults, label codes, and one check of the result."""

import numbers
import unicodedata
from dataclasses import replace

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid.geometry import charts, lorentz, spaces
from noneuclid_compare.data import targets
from noneuclid_compare.records import KINDS

# Lengths of edges, so that sums and ratios of paths stay in the range of float64.
LENGTHS = (1e-100, 1e100)
_MISSING = {"None", "nan", "NaT", "<NA>"}


def encode(labels):
    """Turn labels into codes and class names.

    Text, booleans and whole numbers of any width are accepted; whole numbers written as floats
    count as whole numbers. Classes are in sorted order: text by alphabet, numbers by size.

    Shapes: `labels` (n,); returns `codes` (n,).
    """
    values = as_text(np.asarray(labels, dtype=object))
    require(values.ndim == 1, f"labels have shape {values.shape}; give one label for each row")
    require(len(values) > 0, "labels are empty; give one label for each row")
    first = _family(values[0])
    for row, value in enumerate(values):
        if value == "" if isinstance(value, str) else str(value) in _MISSING:
            raise InputError(f"row {row} has no label ({value!r}); label the row or remove it")
        require(
            _family(value) == first,
            f"labels mix types: row 0 is {values[0]!r}, row {row} is {value!r}; "
            "write all as text or all as whole numbers",
        )
        require(
            first != "number" or isinstance(value, numbers.Integral) or float(value).is_integer(),
            f"label of row {row} is {value!r}, a continuous value; "
            "give classes, or cut the values into intervals first",
        )
        require(
            first != "number" or isinstance(value, numbers.Integral) or abs(value) <= 2**53,
            f"label of row {row} is {value!r}, a float beyond 2^53, which may represent several "
            "integers; write the labels as text",
        )
    plain = [int(v) if first == "number" else v for v in values]
    # Python's own integers: numpy would round those beyond 64 bits.
    try:
        names = sorted(set(plain))
    except TypeError as error:
        raise InputError(f"labels are {first} values ({error}); write them as text") from error
    code_of = {name: code for code, name in enumerate(names)}
    codes = np.array([code_of[value] for value in plain], dtype=np.int64)
    return codes, tuple(str(name) for name in names)


def as_text(labels):
    """Labels with bytes read as UTF-8, as numpy and HDF5 keep text.

    Examples
    --------
    >>> as_text(np.array([b"a", "b"], dtype=object)).tolist()
    ['a', 'b']
    """
    labels = labels.copy()
    for place, value in np.ndenumerate(labels):
        if isinstance(value, bytes):
            try:
                labels[place] = value.decode("utf-8")
            except UnicodeDecodeError:
                raise InputError(
                    f"label of row {place[0]} is {value!r}, bytes that are not UTF-8; save the "
                    "labels as text"
                ) from None
    return labels


def bring_inside(features, chart, curvature):
    """Points of `charts.project_to_ball`, and a sentence on the rows that it moved, in a list.

    Examples
    --------
    >>> bring_inside(np.array([[0.5], [1.0]]), "klein", 1.0)[1][0].partition(":")[0]
    'Rows at the rim of the ball or over it by rounding, 1 of 2, the first row 1'
    """
    points, rows = charts.project_to_ball(features, chart, curvature)
    if not rows.size:
        return points, []
    return points, [
        f"Rows at the rim of the ball or over it by rounding, {len(rows)} of {len(points)}, the "
        f"first row {rows[0]}: set to norm 1 - 2^-24 of the radius (project_to_ball)."
    ]


def with_time(features, chart, curvature):
    """Points and their chart, after the time coordinate of ``lorentz_space`` was computed.

    MERU and HyCoCLIP keep the other coordinates alone [1]_: time is sqrt(1/K + |x|^2).

    References
    ----------
    .. [1] K. Desai et al., Hyperbolic image-text representations, ICML 2023, arXiv:2304.09172,
       section 3.

    Examples
    --------
    >>> with_time(np.array([[0.75]]), "lorentz_space", 1.0)[:2]
    (array([[1.25, 0.75]]), 'hyperboloid')
    """
    if chart != charts.SPACE_ONLY:
        return features, chart, []
    said = "The time coordinate of each row was computed, sqrt(1/K + |x|^2) (lorentz_space)."
    return lorentz.from_spatial(features, curvature), "hyperboloid", [said]


def _family(value):
    """Kind of a label: text, truth value, number, or anything else by its type's name."""
    if isinstance(value, bool | np.bool_):
        return "bool"
    if isinstance(value, numbers.Real):
        return "number"
    return "text" if isinstance(value, str) else type(value).__name__


def checked(dataset):
    """Return the data set if it keeps the contract, with canonical number types."""
    name, kind = dataset.name, dataset.kind
    require(kind in KINDS, f"{name}: kind {kind!r} is unknown; legal kinds: {', '.join(KINDS)}")
    dataset = replace(dataset, labels=_checked_labels(dataset))
    if dataset.target is not None:
        dataset = replace(dataset, target=targets.check(dataset))
    n = len(dataset.labels)
    if kind == "graph":
        edges, weights = _checked_edges(dataset, n)
        dataset = replace(dataset, edges=edges, weights=weights)
    else:
        require(dataset.features is not None, f"{name}: kind {kind!r} needs features")
    if dataset.features is not None:
        dataset = replace(dataset, features=_checked_features(dataset, n))
    if kind == "points":
        try:
            spaces.check_points(dataset.features, dataset.chart, dataset.curvature)
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
    if dataset.fixed_fold is not None:
        fold = np.asarray(dataset.fixed_fold)
        require(
            fold.shape == (n,) and np.isin(fold, (0, 1)).all(),
            f"{name}: fixed_fold must hold {n} values 0 (training) or 1 (testing)",
        )
        dataset = replace(dataset, fixed_fold=fold.astype(np.int64))
    if dataset.groups is not None:
        groups = np.asarray(dataset.groups)
        require(
            groups.shape == (n,)
            and groups.dtype.kind in "iu"
            and (np.unique(groups) == np.arange(len(dataset.group_names))).all(),
            f"{name}: groups must hold {n} codes, each of the {len(dataset.group_names)} group "
            "names in use",
        )
        dataset = replace(dataset, groups=groups.astype(np.int64))
    return dataset


def _checked_labels(dataset):
    """Labels as int64 codes into the class names, at least two of them in use."""
    name, names = dataset.name, dataset.class_names
    labels = np.asarray(dataset.labels)
    require(
        labels.ndim == 1 and labels.size > 0 and labels.dtype.kind in "iu",
        f"{name}: labels must be a list of integer codes; use datasets.checks.encode",
    )
    labels = labels.astype(np.int64)
    wrong = np.flatnonzero((labels < 0) | (labels >= len(names)))
    if wrong.size:
        raise InputError(
            f"{name}: row {wrong[0]} has code {labels[wrong[0]]}; codes run from 0 to "
            f"{len(names) - 1}, one for each class name"
        )
    for class_name in names:
        require(
            not any(unicodedata.category(c) == "Cc" for c in str(class_name)),
            f"{name}: the class {class_name!r} holds a character of control, such as an end of "
            "line; remove it",
        )
    used = np.unique(labels)
    require(
        used.size > 1,
        f"{name}: one class only ({names[used[0]]!r}); a classifier needs two or more",
    )
    return labels


def _checked_features(dataset, n):
    """Features as a float64 matrix with one row for each label, finite or with column kinds."""
    name, features = dataset.name, np.asarray(dataset.features, dtype=np.float64)
    require(features.ndim == 2, f"{name}: features have shape {features.shape}; give a matrix")
    require(
        len(features) == n,
        f"{name}: {len(features)} rows of features but {n} labels; give one label for each row",
    )
    kinds = dataset.column_kinds
    if kinds is not None:
        require(
            len(kinds) == features.shape[1] and dataset.kind == "features",
            f"{name}: {len(kinds)} column kinds for {features.shape[1]} columns of kind "
            f"{dataset.kind!r}; give one for each column of kind 'features'",
        )
    bad = np.argwhere(~np.isfinite(features) & ((kinds is None) | ~np.isnan(features)))
    if bad.size:
        row, column = bad[0]
        raise InputError(
            f"{name}: features at row {row}, column {column} are {features[row, column]}; "
            "remove the row or fill in the value"
        )
    return features


def _checked_edges(dataset, n):
    """Edges between rows, each once, without self loops; their lengths finite and positive."""
    name = dataset.name
    require(dataset.edges is not None, f"{name}: kind 'graph' needs edges")
    edges = np.asarray(dataset.edges, dtype=np.int64).reshape(-1, 2)
    outside = np.flatnonzero(((edges < 0) | (edges >= n)).any(axis=1))
    if outside.size:
        found = edges[outside[0]].tolist()
        raise InputError(f"{name}: edge {outside[0]} is {found}; rows run from 0 to {n - 1}")
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if loops.size:
        raise InputError(
            f"{name}: edge {loops[0]} joins row {edges[loops[0], 0]} to itself; remove it"
        )
    require(
        len(np.unique(np.sort(edges, axis=1), axis=0)) == len(edges),
        f"{name}: an edge is given twice; give each undirected edge once",
    )
    if dataset.weights is None:
        return edges, None
    weights = np.asarray(dataset.weights, dtype=np.float64)
    require(
        weights.shape == (len(edges),), f"{name}: {weights.size} weights for {len(edges)} edges"
    )
    low, high = LENGTHS
    bad = np.flatnonzero(~((weights >= low) & (weights <= high)))
    if bad.size:
        raise InputError(
            f"{name}: edge {bad[0]} has length {weights[bad[0]]}; give positive finite lengths, "
            f"{low:g} to {high:g}"
        )
    return edges, weights
