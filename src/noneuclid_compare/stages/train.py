"""Stage train: one method on one embedded data set, all folds of one repeat."""

import argparse
import json
import sys
import traceback
from contextlib import contextmanager
from dataclasses import asdict
from inspect import signature
from pathlib import Path

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from tqdm import tqdm

from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid.geometry import charts, spaces
from noneuclid_compare import io, provenance
from noneuclid_compare.config import load_by_name, parameter_checks
from noneuclid_compare.evaluation import convergence, cross_validation, out_of_distribution
from noneuclid_compare.jobs import forests
from noneuclid_compare.models import error_rates, new_images, new_nodes
from noneuclid_compare.records import Embedded, Split, kind_of
from noneuclid_compare.stages import preload
from noneuclid_compare.stages.launch import launch

# Kilobytes of /proc, bytes in a megabyte.
KIBIBYTE, MEGABYTE = 1024, 1e6


def main(argv=None):
    """Parse the arguments, read points and folds, train, write predictions and record."""
    args = parse(argv)
    embedded = io.read_record(args.points, Embedded)
    split = io.read_record(args.split, Split)
    check_unseen(embedded, split)
    method = args.method
    estimator, X, y = prepare(method, embedded, args.seed)
    check_grid(estimator, method)
    check_task(estimator, embedded, args.names)
    # The same inner folds for all methods and embeddings, so that their inner scores are paired.
    inner = split.about.get("seed", 0)
    search = cross_validation.Search(method["grid"], **method["search"], seed=inner)

    def bar(rounds):
        return tqdm(rounds, desc=f"{args.names[2]}, fold", mininterval=5)

    with naming(args.names):
        predictions, records = cross_validation.cross_validate(
            estimator,
            X,
            y,
            split,
            len(embedded.class_names),
            search,
            bar,
            method.get("keep_scores", True),
            method.get("training_scores", False),
        )
    kept = None
    if args.model:
        used = split.fold != Split.UNUSED
        groups = split.groups_of(used)
        if embedded.target is None:
            names = np.array(embedded.class_names)
            fitted, kept = cross_validation.fit(
                in_order_of(names, estimator), X[used], y[used], search, names, groups
            )
        else:
            fitted, kept = cross_validation.fit(estimator, X[used], y[used], search, None, groups)
        content = kept_model(args, embedded, fitted, used, groups)
        content["converged"] = convergence.solved(kept["status"])
        content["calibration"] = error_rates.calibration(predictions, embedded, split, fitted)
        io.write_model(args.model, content)
    io.write_record(args.predictions, predictions)
    io.write_json(
        args.record,
        describe(args, embedded, records)
        | {
            "class_weight": parameter_checks.class_weight_of(estimator),
            "labels_per_class": split.about.get("labels_per_class"),
            "model": kept and {key: kept[key] for key in ("best", "n_iter", "warnings", "status")},
        },
    )


def prepare(method, embedded, seed):
    """Estimator of a method as the configuration gives it, its points, and what it predicts."""
    X = embedded.points
    chart, space = chart_of(method, embedded)
    if embedded.column_kinds is None:
        X = spaces.convert(X, embedded.chart, chart, embedded.curvature)
    estimator = load_by_name.build(
        method["use"],
        params_for(method, embedded) | decided(method, embedded),
        **space,
        random_state=seed,
        data_kind=kind_of(embedded.about.get("dataset", {})),
        column_kinds=embedded.column_kinds,
        **{key: method[key] for key in ("class_weight",) if key in method},
    )
    preload.load_for_fit()
    return estimator, X, embedded.labels if embedded.target is None else embedded.target


def chart_of(method, embedded):
    """Chart in which a method reads points, and the parameters that say so.

    A method with a parameter `space` reads a product; one without `chart` reads any space.
    """
    takes = signature(load_by_name.estimator(method["use"])).parameters
    if "space" in takes and spaces.is_signature(embedded.chart):
        return embedded.chart, {"space": embedded.chart}
    chart = method["chart"]
    if chart == spaces.AMBIENT and not spaces.is_signature(embedded.chart):
        chart = "hyperboloid"
    if "space" not in takes or "chart" in takes:
        return chart, {"chart": chart, "curvature": embedded.curvature}
    return "hyperboloid", {"space": f"H{embedded.dimension}({-embedded.curvature})"}


def decided(method, embedded):
    """Parameters that the size of the data sets: larger leaves of forests on many rows."""
    leaf = forests.leaf_size(method, len(embedded.points))
    return {} if leaf is None else {"min_samples_leaf": leaf}


@contextmanager
def naming(names):
    """Name the method whose estimator or scorer raises an error for its input.

    The traceback stays in the log: the error may be the method's own.
    """
    try:
        yield
    except InputError:
        raise
    except (ValueError, TypeError, AttributeError) as error:
        traceback.print_exc()
        why = str(error).strip().partition("\n")[0]
        raise InputError(
            f"method {names[2]} on data set {names[0]}, embedding {names[1]}: {why} (change its "
            "parameters or the scoring, or correct the class; the log says where it was raised)"
        ) from error


def parse(argv):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=Path, required=True)
    parser.add_argument("--split", type=Path, required=True)
    parser.add_argument("--names", nargs=3, required=True, metavar="NAME")
    parser.add_argument("--method", type=json.loads, required=True, help="JSON")
    parser.add_argument("--repeat", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--predictions", type=Path, required=True)
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--model", type=Path, help="keep a model fitted on all rows")
    parser.add_argument("--map", type=Path, help="how new samples are embedded, for the model")
    return parser.parse_args(argv)


def kept_model(args, embedded, fitted, used, groups=None):
    """All that new samples need: estimator, chart, map of the embedding, training points."""
    points, curvature = embedded.points[used], embedded.curvature
    dataset = embedded.about.get("dataset", {})
    settings = dataset.get("settings", {})
    features = dataset.get("features", settings.get("features"))
    if embedded.about.get("embedding", {}).get("original_features"):
        prepared = None if embedded.column_kinds is None else fitted.preparation_
        training = out_of_distribution.summary_of_features(points, prepared)
    else:
        lifted = out_of_distribution.lifted(points, embedded.chart, curvature)
        training = out_of_distribution.summary(
            lifted, curvature, space=str(spaces.product_of(embedded.chart) or "")
        )
    return {
        "estimator": fitted,
        "names": list(args.names),
        "class_names": list(embedded.class_names),
        "chart": chart_of(args.method, embedded)[0],
        "curvature": curvature,
        "code": args.code,
        "map": asdict(io.read_record(args.map, maps.restore)),
        # Part of a file that has several: a layer, an array. Columns of a table are in the map.
        "features": features if isinstance(features, str) else None,
        **{key: settings.get(key) for key in ("id", "missing", "missing_values", "decimal")},
        "grouped_by": dataset.get("grouped_by"),
        "group_names": names_of_groups(dataset, groups),
        # How new edges are read.
        "network": {k: v for k, v in settings.items() if k in new_nodes.SETTINGS},
        # Shape and type of pixels.
        "images": {k: dataset[k] for k in new_images.FACTS if k in dataset},
        # How parts were made to sum to one.
        "closed": dataset.get("closed"),
        "training": training,
    }


def names_of_groups(dataset, groups):
    """Names of the groups of training rows; of all rows where folds mix them, `groups` is None."""
    names = dataset.get("group_names", [])
    return list(names) if groups is None else [names[code] for code in np.unique(groups)]


def check_unseen(embedded, split):
    """Refuse folds whose held-out rows the embedding was fitted to with their labels."""
    embedding = embedded.about.get("embedding", {})
    if not embedding.get("reads_labels") or embedding.get("transductive"):
        return
    left_out = split.fold >= 0
    if embedded.fixed_fold is None or not (embedded.fixed_fold[left_out] == 1).all():
        raise InputError(
            f"embedding {embedding['name']} has used labels of held-out rows: "
            "set split: {scheme: fixed} for this data set"
        )


def params_for(method, embedded):
    """Parameters of a method, where `reference_point: dataset` means the data set's own points.

    `about["reference_points"]` has one row for all binary problems, or one for each class.
    """
    params = method["params"]
    if params.get("reference_point") != "dataset":
        return params
    found = embedded.about.get("reference_points")
    if found is None:
        raise InputError(
            "reference_point: dataset needs a data set with reference points, and the "
            "embedding `given`, which keeps them; use a rule, such as reference_point: hulls"
        )
    if len(found) > 1 and params.get("multi_class", "ovr") != "ovr":
        raise InputError(
            f"the data set's {len(found)} reference points belong to classes, not to pairs of "
            "them; set multi_class: ovr or use a rule, such as reference_point: hulls"
        )
    points = charts.convert(np.array(found), embedded.chart, method["chart"], embedded.curvature)
    return params | {"reference_point": points}


def in_order_of(names, estimator):
    """The estimator for labels that are names: a reference point per class follows its class."""
    points = estimator.get_params().get("reference_point")
    if not isinstance(points, np.ndarray) or len(points) == 1:
        return estimator
    # Classes are sorted by label: before by code, now by name.
    return clone(estimator).set_params(reference_point=points[np.argsort(names)])


def check_grid(estimator, method):
    """Refuse a grid over a parameter that the method does not have, and illegal values."""
    refused = {*load_by_name.CONTEXT, *parameter_checks.nameless_parameters(type(estimator))}
    for name in method["grid"]:
        if name not in estimator.get_params() or name in refused:
            raise InputError(f"{method['use']} has no parameter {name!r} to search over")
    parameter_checks.check_values(estimator, method["grid"])


def check_task(estimator, embedded, names):
    """Refuse anything but a classifier where there are classes to predict, a regressor else."""
    numeric = embedded.target is not None
    found, wanted = ("numbers", "regressors") if numeric else ("classes", "classifiers")
    if not (is_regressor if numeric else is_classifier)(estimator):
        raise InputError(
            f"data set {names[0]} has {found} to predict, which method {names[2]} does not: list "
            f"only {wanted} under `methods:` of this data set"
        )


def describe(args, embedded, records):
    """Record of the job: what was run, on what, by which code, and how the solver ended."""
    dataset, embedding, method = args.names
    return {
        "dataset": dataset,
        "embedding": embedding,
        "method": method,
        "class": args.method["use"],
        "settings": args.method["params"] | decided(args.method, embedded),
        **{key: args.method[key] for key in ("chart", "grid", "search")},
        "class_names": list(embedded.class_names),
        "repeat": args.repeat,
        "seed": args.seed,
        "digest": args.code,
        "data_checksum": provenance.checksum(args.points),
        "split_checksum": provenance.checksum(args.split),
        "transductive": bool(embedded.about["embedding"].get("transductive", False)),
        "reads_labels": bool(embedded.about["embedding"].get("reads_labels", False)),
        "dimension": embedded.dimension,
        "versions": provenance.versions(),
        **provenance.origin(),
        "peak_memory_mb": peak_memory(),
        "folds": records,
    }


def peak_memory():
    """Largest resident memory so far in MB, without pages of files: the code of libraries.

    A fork has such pages only from when it uses them, a process of its own since the import. The
    figure is too small by what was read of them after the peak. macOS reports them with the rest,
    and a process there has loaded only the libraries of its method.
    """
    if sys.platform == "darwin":
        import resource  # Not on Windows.

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    lines = Path("/proc/self/status").read_text().splitlines()
    sizes = dict(line.split(":\t", 1) for line in lines)
    peak, files = (int(sizes[key].removesuffix("kB")) for key in ("VmHWM", "RssFile"))
    return (peak - files) * KIBIBYTE / MEGABYTE


if __name__ == "__main__":
    launch(main)
