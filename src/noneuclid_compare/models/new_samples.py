"""New samples of a file and their labels by a kept model: one table for the command and Python."""

import shlex
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import replace
from numbers import Real

import numpy as np

from noneuclid.embeddings import maps
from noneuclid.errors import FarRow, InputError, require, require_package
from noneuclid.geometry import charts, spaces
from noneuclid_compare import io, wording
from noneuclid_compare.data import composition
from noneuclid_compare.data.checks import bring_inside
from noneuclid_compare.data.files import arrays, edge_lists, feature_tables, tables
from noneuclid_compare.data.files.vectors import rows_of_vectors
from noneuclid_compare.data.files.word_vectors import holds_word_vectors
from noneuclid_compare.data.own.samples import place_of
from noneuclid_compare.data.own.texts import missing_of, repeated
from noneuclid_compare.data.prepare import of_file
from noneuclid_compare.evaluation import out_of_distribution
from noneuclid_compare.models import error_rates, new_groups, new_images, new_nodes, projections

# Charts with one coordinate more than dimensions.
# Samples that all have one class are worth a note, and the most classes that a sentence lists.
MANY, LISTED = 20, 10


def in_python(name, value):
    """An option as a keyword: what `labelled` calls it in messages.

    Examples
    --------
    >>> in_python("missing_genes", "mean"), in_shell("missing_genes", "mean")
    ("missing_genes='mean'", '--missing-genes mean')
    >>> in_python("drop", ["a b"]), in_shell("drop", ["a b"])
    ("drop=['a b']", "--drop 'a b'")
    """
    return f"{name}={value!r}"


def in_shell(name, value):
    """An option of the command."""
    values = value if isinstance(value, list) else [value]
    return f"--{name.replace('_', '-')} {shlex.join(map(str, values))}"


def labelled(
    model,
    data,
    where="the model",
    *,
    chart=None,
    id=None,
    drop=(),
    decimal=None,
    features=None,
    reference=None,
    missing_genes="error",
    error_rate=None,
    written=in_python,
):
    """Table of predictions of the samples in a file, and sentences on what was decided.

    `where` names the model in messages, and `written` gives an option as the caller writes it.
    Returns the table of `label`, with the columns of `error_rates` if there is a rate, notes on
    reading, and a warning of far samples or an empty text.
    """
    fitted = rule_of(model, where)
    decimal = decimal or model.get("decimal") or "."
    if error_rate is not None:
        with sound(where):
            largest = error_rates.threshold_of(model, error_rate, where, written)
    require(
        fitted.kind != "none"
        or chart is not None
        or (fitted.column_kinds is None and not data.is_dir()),
        f"{where}: {fitted.why}; give points, with {written('chart', 'NAME')}",
    )
    of_images = chart is None and fitted.kind != "none" and model.get("images", {})
    if not (of_images and data.is_dir()):
        arrays.require_file(data)
    joined = fitted.kind == "neighbour_mean" and chart is None
    require(
        joined or arrays.suffix_of(data) not in edge_lists.GRAPHS,
        f"{data} is a network, but {where} was not trained on one; give rows as in training",
    )
    require(
        not joined or new_nodes.may_hold(data),
        f"{data} holds no edges: a model of a network takes a file of the edges of new nodes, or "
        f"points of the embedding with {written('chart', 'NAME')}",
    )
    trained_on = model.get("features")
    said = []
    as_trained = fitted.kind == "given" and chart in (None, fitted.written or fitted.chart)
    if not as_trained and (chart is not None or fitted.kind == "none"):
        if fitted.columns is not None:
            # Their names are those of other coordinates.
            said = [f"Columns of chart {chart!r} are taken in the order of the file."]
        why = fitted.why if chart is None else ""
        fitted = maps.Given(chart=chart or model["chart"], curvature=model["curvature"], why=why)
        if chart == charts.SPACE_ONLY:
            fitted = replace(fitted, chart="hyperboloid", written=chart)
        trained_on = None
    part, known = features or trained_on or "X", written("reference", "TRAINING.h5ad")
    if joined:
        known = fitted.columns or list(map(str, range(fitted.width)))
        rows = new_nodes.rows_of_edges(data, known, model.get("network", {}))
    elif of_images and new_images.may_hold(data, part):
        rows = new_images.rows_of_images(data, of_images, part)
    elif reference is None and fitted.preparation is not None:
        mean = written("missing_genes", "mean")
        asked = data, features, trained_on or "X"
        rows = of_file.place_new(*asked, fitted.columns, fitted.preparation, missing_genes, mean)
        fitted = replace(fitted, columns=None, preparation=None)
    elif reference is None:
        try:
            rows = read_samples(data, model, fitted, part, where, id, drop, decimal, written)
        except InputError as error:
            if part != projections.PRINCIPAL:
                raise
            raise InputError(f"{error}; {known} computes them") from error
    else:
        seen = None if model.get("training") is None else lambda rows: nearness(rows, fitted, model)
        rows = projections.project(reference, data, trained_on, features or "X", seen)
    try:
        if not joined:
            require_finite(rows, fitted.columns, imputes(model))
            said += about_missing(rows.features, fitted.column_kinds)
        with sound(where):
            values = rows.features
            if model.get("closed") and fitted.kind != "given":
                values, changed = as_composition(values, model["closed"])
                said += changed
            if fitted.kind == "given" and fitted.project_to_ball:
                values, moved = bring_inside(values, fitted.chart, fitted.curvature)
                said += moved
            points, names, unplaced = place_near(values, rows.names, fitted, model)
            said += unplaced
    except InputError as error:
        raise InputError(f"{data}: {error}") from error
    with sound(where):
        table, far = label_all(model, points, fitted.chart, names, data)
        if error_rate is not None:
            table, sentence = error_rates.with_labels(table, model["estimator"].classes_, largest)
            said.append(sentence)
    if not model.get("converged", True):
        said.append("The solver of this model did not converge; the report has its warnings.")
    said += [] if joined else new_groups.about_unseen(model, data, decimal)
    if str(trained_on).startswith("obsm/") and features is None and reference is None:
        said.append(
            f"{trained_on} must be a projection on the components of the training data; components "
            "computed from these cells alone give wrong labels; --reference TRAINING.h5ad projects "
            "the cells"
        )
    classes, found = getattr(model["estimator"], "classes_", ()), table["predicted"].unique()
    if len(table) >= MANY and len(found) == 1 < len(classes):
        said.append(
            f"All {len(table)} samples are predicted as {str(found[0])!r}, one of {len(classes)} "
            "classes; if this is unexpected, check that units and columns are those of training"
        )
    return table, [*said, *rows.oddities, *repeated(rows.names)], far


@contextmanager
def sound(where):
    """Turn what a damaged model raises into one line; there is no common error of what it holds."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"{where} does not work ({type(error).__name__}: {reason}): it may be damaged or of "
            "another version; make it again by the run that kept it"
        ) from error


def rule_of(model, where):
    """The rule by which a model places new rows, after a check of what else the model holds."""
    with sound(where):
        fitted = maps.restore(**model.get("map", {}))
        columns, curvature = fitted.columns, model["curvature"]
        typed = isinstance(columns, list | None) and isinstance(curvature, Real) and curvature > 0
        if not (typed and spaces.is_known(model["chart"])):
            raise TypeError("columns, chart or curvature of another type")
        if not hasattr(model["estimator"], "predict"):
            raise TypeError(f"its estimator is a {type(model['estimator']).__name__}")
        # An estimator of another version has other attributes than its class has parameters.
        model["estimator"].get_params()
    return fitted


def numbers_of_classes(model, table):
    """How many samples were given each class, most first; empty for a regressor.

    Examples
    --------
    >>> import pandas
    >>> from sklearn.dummy import DummyClassifier
    >>> model = {"estimator": DummyClassifier().fit([[0], [0], [0]], ["a", "b", "c"])}
    >>> numbers_of_classes(model, pandas.DataFrame({"predicted": ["b", "a", "b"]}))
    'b (2), a (1); 1 of 3 classes has no sample'
    """
    classes = getattr(model["estimator"], "classes_", None)
    if classes is None:
        return ""
    found = Counter(table["predicted"].tolist()).most_common()
    text = ", ".join(f"{wording.printable(str(name))} ({n})" for name, n in found[:LISTED])
    text += f" and {wording.count(len(found) - LISTED, 'other')}" if len(found) > LISTED else ""
    absent = len(classes) - len(found)
    verb = "has" if absent == 1 else "have"
    return text + (f"; {absent} of {len(classes)} classes {verb} no sample" if absent else "")


def nearness(rows, fitted, model):
    """Distances, shape (n,), from rows to the nearest training point; at most 1 at such a point.

    A linear rule places training rows exactly where they were; other rules place them nearby.
    """
    training = model["training"]
    points = out_of_distribution.placed(
        training, place(rows, fitted, model), fitted.chart, model["curvature"]
    )
    near = training["threshold"] * (1e-4 if fitted.kind == "linear" else 1.0)
    return out_of_distribution.distances(training, points) / near


def imputes(model):
    """Whether a model takes missing values."""
    return model.get("missing_values") == "impute"


def require_finite(rows, columns, impute=False):
    """Refuse the first value that is not finite, by the names of its sample and column.

    With `impute`, NaN is a missing value.
    """
    bad = np.argwhere(~(np.isfinite(rows.features) | (impute & np.isnan(rows.features))))
    if bad.size:
        row, column = bad[0].tolist()
        names = rows.columns or columns
        if names is not None and len(names) != rows.features.shape[1]:
            names = None
        raise InputError(
            f"{place_of(row, column, rows.names, names)} is {rows.features[row, column]}; fill in "
            "the value or remove the row"
        )


def read_samples(
    data, model, fitted, features, where, id=None, drop=(), decimal=".", written=in_python
):
    """Samples of any file that a loader reads; the rule picks and orders the named features.

    `id` is the column that names the samples, by default as in training; `features` is an array or
    part of the file, and `written` as in `labelled`.
    """
    known_id, columns = model.get("id"), fitted.columns
    kinds = categories_of(fitted)
    suffix = arrays.suffix_of(data)
    if feature_tables.is_feature_table(data):
        rows = feature_tables.rows_of(data)
        require(columns is not None, f"{where} has no names of parts; give a table of its columns")
        return feature_tables.with_parts(rows, columns, data)
    if suffix in tables.TABLES and not holds_word_vectors(data):
        require_unique(columns or [], where)
        known = known_id is not None and known_id in tables.columns_of(data)
        chosen = id if id is not None else known_id if known else None
        missing = missing_of(model.get("missing"), where)
        rows = tables.rows_of_table(
            data,
            features=columns,
            id=chosen,
            drop=drop,
            decimal=decimal,
            missing=missing,
            written=written,
            kinds=kinds,
            absent=missing if imputes(model) else (),
        )
        if id is None and known_id is not None:
            rows.oddities.extend(remembered(known_id, known, rows.names, columns))
        return rows
    require(not kinds, f"{data}: the model reads the names of categories; give a table")
    if suffix != ".h5ad":
        return rows_of_vectors(data, features)
    rows = arrays.rows_of_h5ad(data, features=features)
    return rows if columns is None or rows.columns is None else in_order(rows, columns, data, where)


def read_by(model, points, chart):
    """Points as the estimator reads them; a baseline prepares missing values and categories."""
    rule, own = model.get("map", {}), chart == model["chart"]
    if own and rule.get("column_kinds") is not None and rule.get("column_transformer") is None:
        return points
    return spaces.convert(points, chart, model["chart"], model["curvature"])


def categories_of(fitted):
    """Kinds of the columns that hold categories, by name."""
    kinds = fitted.column_kinds or []
    return {c: kind for c, kind in zip(fitted.columns or [], kinds, strict=False) if kind}


def about_missing(features, kinds):
    """Sentence on values that are filled in with medians, in a list.

    Examples
    --------
    >>> about_missing(np.array([[np.nan, 0.0]]), [None, None])
    ['1 missing value is replaced by the median of training.']
    """
    # A missing category is a level, or none.
    filled = [k for k, kind in enumerate(kinds or []) if kind is None or kind["ordered"]]
    count = int(np.isnan(features[:, filled]).sum())
    verb = "is" if count == 1 else "are"
    said = f"{wording.count(count, 'missing value')} {verb} replaced by the median of training."
    return [said] if count else []


def in_order(rows, columns, path, where):
    """Rows with these columns, found by name."""
    if rows.columns == columns:
        return rows
    arrays.require_names(path, "feature", rows.columns, columns)
    require_unique(columns, where)
    require_unique(rows.columns, path)
    position = {name: k for k, name in enumerate(rows.columns)}
    chosen = rows.features[:, [position[name] for name in columns]]
    return replace(rows, features=chosen, columns=columns)


def remembered(id, known, names, columns):
    """Sentence on the column that named the samples in training, in a list.

    Examples
    --------
    >>> remembered("cell", False, None, ["x"])
    ["No column 'cell', which named the samples in training; they are numbered."]
    >>> remembered("cell", True, ["a"], ["x"])
    []
    """
    if not known and names is None:
        return [f"No column {id!r}, which named the samples in training; they are numbered."]
    if known and columns is None:
        return [f"Column {id!r} names the samples, as in training, and is no coordinate."]
    return []


def require_unique(names, where):
    """Refuse features that cannot be found by name because two have the same."""
    name, count = max(Counter(names).items(), key=lambda item: item[1], default=("", 0))
    require(count < 2, f"{where}: {count} features are named {name!r}; give each its own name")


def as_composition(parts, rule):
    """Parts that sum to one, changed as those of the training data were, and sentences on it."""
    try:
        return composition.close_composition(parts, **rule)[:2]
    except InputError as error:
        # The remedies are keys of a configuration.
        why, *_ = str(error).partition(";")
        cure = "give parts of the same unit as in training"
        if "boundary" in why:
            cure = "train with a replacement of zeros, which new rows then get, too"
        raise InputError(f"{why}; {cure}") from error


def place(features, fitted, model):
    """Points of the samples in the chart of the map, of the dimension of the model."""
    if fitted.column_kinds is not None:
        wanted = len(fitted.column_kinds)
        require(
            features.shape[1] == wanted,
            f"{features.shape[1]} columns, but the model was trained on {wanted}; give these",
        )
        if fitted.column_transformer is None:
            return features
        features = io.unpack(fitted.column_transformer).transform(features)
    if fitted.kind == "given":
        written = fitted.written or fitted.chart
        wanted = spaces.columns(dimension(model), written)
        embedding = model.get("names", ["", "the training data"])[1]
        require(
            features.shape[1] == wanted,
            f"{features.shape[1]} columns, but points of this model have {wanted} in chart "
            f"{written!r}; give points embedded as in {embedding!r}, and drop other columns"
            + (f" ({fitted.why})" if fitted.why else ""),
        )
    return fitted.place(features)


def place_near(features, names, fitted, model):
    """Points of the rows that can be placed, their names, and a sentence on others, in a list."""
    try:
        return place(features, fitted, model), names, []
    except FarRow:
        points, names = {}, names or list(range(len(features)))
        for row in range(len(features)):
            with suppress(FarRow):
                points[row] = place(features[row : row + 1], fitted, model)
        if not points:
            raise
    far = arrays.listing([name for row, name in enumerate(names) if row not in points], 5)
    count = wording.count(len(names) - len(points), "sample")
    said = f"No prediction for {count} too far from the training data to be placed: {far}."
    return np.concatenate(list(points.values())), [names[row] for row in points], [said]


def dimension(model):
    """Dimension of the space that the model was trained in."""
    return spaces.dimension(model["estimator"].n_features_in_, model["chart"])


def label_all(model, points, chart, names, path):
    """Predict points, as `label`; an error names the first sample that cannot be placed."""
    try:
        return label(model, points, chart, names)
    except InputError:
        for i in range(len(points)):
            try:
                label(model, points[i : i + 1], chart, None)
            except InputError as error:
                raise InputError(
                    f"{path}: sample {names[i] if names else i} lies too far from the training "
                    "data to be labelled; check its values, or remove it"
                ) from error
        raise


def label(model, points, chart, names):
    """Table of predictions of points in a chart, and a warning of those far from the training data.

    Its columns are `sample`, `predicted`, `p_CLASS` where the model gives probabilities, and, where
    it keeps its training points, `distance` to the nearest and `far`.
    """
    pandas = require_package("pandas", "data", "a table of predictions")

    estimator, curvature = model["estimator"], model["curvature"]
    X = read_by(model, points, chart)
    columns = {"sample": names or np.arange(len(X)), "predicted": estimator.predict(X)}
    if hasattr(estimator, "predict_proba"):
        probabilities = estimator.predict_proba(X).T
        columns |= {f"p_{c}": p for c, p in zip(estimator.classes_, probabilities, strict=True)}
    training = model.get("training")
    if training is None:
        why = "the model keeps no training points, so it is unknown which samples are far from them"
        return pandas.DataFrame(columns), why
    points = out_of_distribution.placed(training, points, chart, curvature)
    columns["distance"] = out_of_distribution.distances(training, points)
    columns["far"] = columns["distance"] > training["threshold"]
    count = int(columns["far"].sum())
    warning = (
        f"{count} of {len(X)} samples lie farther than {training['threshold']:.4g} from every "
        "training point (column far): their predictions are guesses"
    )
    return pandas.DataFrame(columns), warning if count else ""
