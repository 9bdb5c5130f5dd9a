"""Stage predict: label new samples, or give their numbers, by a model that the stage train kept.

Not part of the workflow: the command ``noneuclid predict`` runs it.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from noneuclid.datasets import composition
from noneuclid.datasets.files import arrays, tables
from noneuclid.datasets.own.samples import repeated
from noneuclid.embeddings import maps
from noneuclid.errors import InputError, require, require_package
from noneuclid.evaluation import out_of_distribution
from noneuclid.experiment import imports, io
from noneuclid.geometry import charts
from noneuclid.stages.launch import launch, reader_may_leave

KEYS = ("estimator", "chart", "curvature", "class_names", "names")
# Charts with one coordinate more than dimensions.
TALL = ("hyperboloid", "simplex")


def main(argv=None):
    """Parse the arguments, read model and samples, predict, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    run(parser.parse_args(argv))


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a .skops of results/models")
    parser.add_argument(
        "data", type=Path, metavar="DATA", help="samples: csv, tsv, txt, parquet, npz, npy or h5ad"
    )
    parser.add_argument(
        "--trust", nargs="+", default=[], metavar="NAME", help="modules and FILE.py of own methods"
    )
    parser.add_argument("--output", type=Path, help="TSV, or .parquet; default: standard output")
    parser.add_argument(
        "--chart",
        choices=charts.COORDINATES,
        help="DATA holds points of the embedding in this chart",
    )
    parser.add_argument("--id", help="column of a table that names the samples")
    parser.add_argument("--drop", nargs="+", default=[], help="columns that are not features")
    parser.add_argument("--decimal", choices=[".", ","], default=".", help="mark in a text table")
    parser.add_argument(
        "--features",
        help="array of an npz; X, layers/NAME or obsm/NAME of an h5ad; default: as in training",
    )
    parser.set_defaults(run=run)


def run(args):
    """Label the samples; warnings go to standard error, the table to the output."""
    model = read_model(args.model, args.trust)
    fitted = maps.restore(**model.get("map", {}))
    trained_on = model.get("features")
    said = []
    as_trained = fitted.kind == "given" and args.chart in (None, fitted.chart)
    if not as_trained and (args.chart is not None or fitted.kind == "none"):
        if fitted.columns is not None:
            # Their names are those of other coordinates.
            said = [f"Columns of chart {args.chart!r} are taken in the order of the file."]
        why = fitted.why if args.chart is None else ""
        fitted = maps.Given(
            chart=args.chart or model["chart"], curvature=model["curvature"], why=why
        )
        trained_on = None
    rows = read_samples(args, model.get("id"), fitted.columns, args.features or trained_on or "X")
    try:
        features = rows.features
        if model.get("closed") and fitted.kind != "given":
            features = as_composition(features, **model["closed"])
        points = place(features, fitted, model)
    except InputError as error:
        raise InputError(f"{args.data}: {error}") from error
    table, far = label_all(model, points, fitted.chart, rows.names, args.data)
    if str(trained_on).startswith("obsm/") and args.features is None:
        said.append(
            f"{trained_on} must be a projection on the components of the training data; components "
            "computed from these cells alone give wrong labels"
        )
    for sentence in [*said, *rows.oddities, *repeated(rows.names)]:
        print(f"note: {sentence}", file=sys.stderr)
    if far:
        print(f"warning: {far}", file=sys.stderr)
    if args.output is None:
        with reader_may_leave():
            table.to_csv(sys.stdout, sep="\t", index=False)
    else:
        io.write_table(args.output, table)


def read_model(path, trusted=()):
    """Read a model, and refuse a skops file that is something else."""
    near = sorted(other.name for other in path.parent.glob("*.skops"))
    require(path.exists() or not near, f"{path} does not exist; there are {', '.join(near)}")
    model = io.read_model(path, [imports.trusted_types(name) for name in trusted])
    missing = [key for key in KEYS if not isinstance(model, dict) or key not in model]
    require(
        not missing,
        f"{path} is not a model of noneuclid, it has no {', '.join(missing)}: give a file of "
        "results/models",
    )
    return model


def read_samples(args, id, columns, features):
    """Samples of any file that a loader reads; `columns` picks and orders the named features.

    `id` is the column that named the samples in training, `features` an array or part of the file.
    """
    suffix = arrays.suffix_of(args.data)
    if suffix in tables.TABLES:
        require_unique(columns or [], args.model)
        known = id is not None and id in tables.columns_of(args.data)
        chosen = args.id if args.id is not None else id if known else None
        rows = tables.rows_of_table(
            args.data, features=columns, id=chosen, drop=args.drop, decimal=args.decimal
        )
        if args.id is None and id is not None:
            rows.oddities.extend(remembered(id, known, rows.names, columns))
        return rows
    if suffix != ".h5ad":
        return arrays.rows_of_arrays(args.data, features)
    rows = arrays.rows_of_h5ad(args.data, features=features)
    if columns is None or rows.columns in (None, columns):
        return rows
    arrays.require_names(args.data, "feature", rows.columns, columns)
    require_unique(columns, args.model)
    require_unique(rows.columns, args.data)
    position = {name: k for k, name in enumerate(rows.columns)}
    return arrays.Rows(rows.features[:, [position[c] for c in columns]], None, rows.names, columns)


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


def as_composition(parts, normalise, pseudocount):
    """Parts that sum to one, changed as those of the training data were."""
    try:
        return composition.close_composition(parts, normalise, pseudocount)[0]
    except InputError as error:
        # The remedies are keys of a configuration.
        why, *_ = str(error).partition(";")
        raise InputError(f"{why}; give parts of the same unit as in training") from error


def place(features, fitted, model):
    """Points of the samples in the chart of the map, of the dimension of the model."""
    if fitted.kind == "given":
        wanted = dimension(model) + (fitted.chart in TALL)
        embedding = model["names"][1]
        require(
            features.shape[1] == wanted,
            f"{features.shape[1]} columns, but points of this model have {wanted} in chart "
            f"{fitted.chart!r}; give points embedded as in {embedding!r}, and drop other columns"
            + (f" ({fitted.why})" if fitted.why else ""),
        )
    return fitted.place(features)


def dimension(model):
    """Dimension of the space that the model was trained in."""
    return model["estimator"].n_features_in_ - (model["chart"] in TALL)


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
    X = charts.convert(points, chart, model["chart"], curvature)
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


if __name__ == "__main__":
    launch(main)
