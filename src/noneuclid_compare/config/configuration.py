"""Checks of the configuration and the few rules by which it is read."""

import re
from functools import cache, partial

import jsonschema
import yaml

from noneuclid.errors import InputError
from noneuclid_compare import plugins
from noneuclid_compare.config import (
    baselines,
    candidates,
    configuration_checks,
    file_names,
    prediction_kinds,
    registry,
)
from noneuclid_compare.config.baselines import with_baselines
from noneuclid_compare.config.defaults import with_defaults
from noneuclid_compare.config.expand_entries import PARTS, check_plain, expanded
from noneuclid_compare.evaluation import metric_table, scorers
from noneuclid_compare.records import OF_GROUPS, ORIGINAL

OF_PARTS = ("noneuclid.HilbertSVC", "noneuclid.HilbertNearestClassifier")
OF_PRODUCTS = ("product_embedding", "product_umap")
OF_ALL_METHODS = ("class_weight", "keep_scores", "training_scores")
# Keys of configurations that compare methods over many data sets, and how many disks they show.
STUDIES = ("candidates",)
DRAWN_OF_A_STUDY = 12


@cache
def _validator(path):
    """Validator of the schema in a YAML file; 2.0 is not an integer, because range() refuses it."""
    draft = jsonschema.Draft202012Validator
    types = draft.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    schema = yaml.safe_load(path.read_text(encoding="utf-8"))
    for added in plugins.paths("SCHEMA"):
        more = yaml.safe_load(added.read_text(encoding="utf-8"))
        schema["properties"] |= more["properties"]
        schema["$defs"] |= more["$defs"]
    schema["$defs"]["metric"]["enum"] = list(metric_table.RANKING)
    measured = [*metric_table.NAMES, *metric_table.TRAINING_NAMES, *metric_table.COSTS]
    schema["$defs"]["measured"]["enum"] = measured
    return jsonschema.validators.extend(draft, type_checker=types)(schema)


def check(config, schema):
    """Refuse a configuration that the schema or its own cross-references forbid.

    Entries with `each` are expanded and defaults filled in first. The error has one line per
    mistake, ten at most.
    """
    check_plain(config)
    config = filled(config)
    check_plain(config)
    errors = sorted(_validator(schema).iter_errors(config), key=lambda e: [str(p) for p in e.path])
    best = [
        jsonschema.exceptions.best_match([error]) for error in errors[: configuration_checks.MOST]
    ]
    configuration_checks.refuse(
        [
            f"{configuration_checks.place_of(e.path)}: {configuration_checks.in_words(e)}"
            for e in best
        ]
    )
    config = with_baselines(config)
    found = []
    for look in _looks(config):
        try:
            look()
        except InputError as error:
            found.append(str(error))
    configuration_checks.refuse(found)


def filled(config):
    """Configuration with entries with `each` expanded, and with defaults of missing keys."""
    return with_defaults(expanded(config))


def completed(config):
    """Configuration that all rules and estimates read: `filled`, with baselines."""
    return with_baselines(filled(config))


def _looks(config):
    """Checks of what the schema cannot see; each raises for one mistake."""
    names, methods = partial(partial, configuration_checks.check_names), config["methods"]
    tested, entries = {}, []
    for part in (*PARTS, "illustrations"):
        entries += [(f"{part}/{name}", entry) for name, entry in config.get(part, {}).items()]
    for place, entry in entries:
        yield partial(configuration_checks.check_length, entry, place)
    yield partial(file_names.check, config)
    yield partial(configuration_checks.check_own_files, entries)
    yield partial(configuration_checks.check_kept_scores, config)
    yield partial(configuration_checks.check_training_scores, config)
    known = [method for method in methods if method not in baselines.NAMES]
    for name, dataset in config["datasets"].items():
        place = f"datasets/{name}"
        yield names(dataset["embeddings"], config["embeddings"], place, "embedding")
        yield names(dataset.get("methods", []), known, place, "method")
        yield partial(configuration_checks.check_function, dataset, "load", place)
        split = split_of(config, name)
        yield partial(configuration_checks.check_repeats, split, config["repeats"], place)
        tested[name] = {e: methods_of(config, name, e) for e in dataset["embeddings"]}
        yield partial(configuration_checks.check_methods_left, tested[name], place)
    for name, entry in config["embeddings"].items():
        yield partial(configuration_checks.check_function, entry, "embed", f"embeddings/{name}")
        yield names(entry.get("methods", []), known, f"embeddings/{name}", "method")
        if entry["use"] in OF_PRODUCTS:
            run = {method for _, e, some in pairs(config) if e == name for method in some}
            used = {key: method for key, method in methods.items() if key in run}
            yield partial(configuration_checks.check_on_product, used, f"embeddings/{name}")
    for name, method in methods.items():
        used = {key: config["datasets"][key] for key, _, some in pairs(config) if name in some}
        yield partial(configuration_checks.check_method, method, f"methods/{name}", used)
        if name not in baselines.NAMES:
            wanted = config.get("candidates")
            yield partial(candidates.check, method, f"methods/{name}", wanted)
    sweep = config["report"].get("sweep")
    pattern = sweep["pattern"] if isinstance(sweep, dict) else sweep
    yield partial(configuration_checks.check_pattern, pattern, "report/sweep")
    yield partial(scorers.check, config["search"]["scoring"])
    yield partial(prediction_kinds.check_scoring, config, pairs(config))
    asked = {"report/metric": [config["report"]["metric"]]}
    yield partial(prediction_kinds.check_metrics, config, pairs(config), asked)
    for name, setting in class_trees(config).items():
        yield partial(configuration_checks.check_class_tree, setting, f"datasets/{name}")
    for name in linked(config):
        yield partial(
            configuration_checks.check_linked, config["datasets"][name], f"datasets/{name}"
        )
    for name in compared_signatures(config):
        yield partial(
            configuration_checks.check_compared, config["datasets"][name], f"datasets/{name}"
        )
    if "isometries" in config:
        yield partial(
            configuration_checks.check_isometries, config["isometries"], config["datasets"]
        )
    for name, entry in config.get("illustrations", {}).items():
        yield partial(
            configuration_checks.check_illustration,
            entry,
            tested,
            f"illustrations/{name}",
            keep_models(config),
        )
        splits = {dataset: split_of(config, dataset) for dataset in config["datasets"]}
        yield partial(configuration_checks.check_fold, entry, splits, f"illustrations/{name}")
    for checks in plugins.items("CHECKS"):
        yield from checks(config)


def methods_of(config, dataset, embedding=None):
    """Names of the methods that run on a data set: its own list, else all; or its baselines.

    With an embedding, only those that it lists, if it has a list.
    """
    if embedding == ORIGINAL:
        return baselines.methods_of(config, dataset)
    others = [name for name in config["methods"] if name not in baselines.NAMES]
    found = config["datasets"][dataset].get("methods", others)
    listed = config.get("embeddings", {}).get(embedding, {}).get("methods", found)
    return [name for name in found if name in listed]


def pairs(config):
    """List of [dataset, embedding, methods]: everything that is trained."""
    return [
        [name, embedding, methods_of(config, name, embedding)]
        for name, dataset in config["datasets"].items()
        for embedding in dataset["embeddings"]
    ]


def keep_models(config):
    """Whether a model of each method, fitted on all rows, is kept."""
    return config.get("keep_models", True)


def drawn_pairs(config):
    """List of (dataset, embedding) with a disk and a card in the report.

    All, but the first twelve where methods are compared, and not data sets: a page with
    hundreds of disks opens in no browser. Original features are not drawn.

    Examples
    --------
    >>> datasets = {f"d{k}": {"embeddings": ["given"]} for k in range(100)}
    >>> config = {"datasets": datasets, "methods": {}}
    >>> len(drawn_pairs(config)), len(drawn_pairs(config | {"candidates": 6}))
    (100, 12)
    """
    found = embedded_pairs(config)
    return found[:DRAWN_OF_A_STUDY] if is_study(config) else found


def is_study(config):
    """Whether a configuration compares methods over many data sets."""
    return any(key in config for key in plugins.items("STUDIES", STUDIES))


def embedded_pairs(config):
    """List of (dataset, embedding), without the original features."""
    return [(name, e) for name, e, _ in pairs(config) if e != ORIGINAL]


def isometry_runs(config):
    """List of (dataset, embedding, method, distance): what the stage isometries fits again.

    Examples
    --------
    >>> config = {"datasets": {"d": {"embeddings": ["given"]}}, "methods": {"tree": {}}}
    >>> isometry_runs(config), isometry_runs(config | {"isometries": [1.5, 3]})
    ([], [('d', 'given', 'tree', '1.5'), ('d', 'given', 'tree', '3')])
    """
    distances = [f"{distance:g}" for distance in config.get("isometries", [])]
    runs = [(data, e, m) for data, e, some in pairs(config) if e != ORIGINAL for m in some]
    return [(*run, distance) for run in runs for distance in distances]


def group_runs(config):
    """List of [dataset, embedding, method]: what the stage random_folds fits again.

    Examples
    --------
    >>> dataset = {"embeddings": ["pca"], "params": {"groups": "donor"}}
    >>> config = {"datasets": {"d": dataset}, "methods": {"tree": {}}}
    >>> [group_runs(config | {"splits": {"scheme": s}}) for s in ("kfold", "group_holdout")]
    [[], [['d', 'pca', 'tree']]]
    """
    return [
        [name, embedding, method]
        for name, embedding, methods in pairs(config)
        for method in methods
        if "groups" in config["datasets"][name].get("params", {})
        and split_of(config, name)["scheme"] in OF_GROUPS
    ]


def class_trees(config):
    """Setting `class_tree` of each data set that has one, for the stage evaluate_tree."""
    found = {name: entry.get("class_tree") for name, entry in config["datasets"].items()}
    return {name: setting for name, setting in found.items() if setting is not None}


def linked(config):
    """Networks whose held-out edges are predicted."""
    return [name for name, entry in config["datasets"].items() if entry.get("link_prediction")]


def compared_signatures(config):
    """Parameters of the stage signatures for each data set that has it.

    Examples
    --------
    >>> sets = {"a": {"signatures": True}, "b": {"signatures": {"n_components": 2}}, "c": {}}
    >>> compared_signatures({"datasets": sets})
    {'a': {}, 'b': {'n_components': 2}}
    """
    found = {name: entry.get("signatures") for name, entry in config["datasets"].items()}
    return {name: {} if asked is True else asked for name, asked in found.items() if asked}


def split_of(config, dataset):
    """Parameters of the split of a data set: the common ones, then its own."""
    return config["splits"] | config["datasets"][dataset].get("split", {})


def default_chart(use, params=None):
    """Chart of a method that names none: classes of other packages read plain vectors.

    Those of the Hilbert metric read compositions unless `params` have another polytope.

    These are the log-ratios of compositions, the components of `lifted_pca`, and log at the origin
    of hyperbolic points, as in hyperbolic neural networks (Ganea et al. 2018).

    Examples
    --------
    >>> default_chart("sklearn.svm.SVC"), default_chart("noneuclid.PoincareSVC")
    ('tangent', 'hyperboloid')
    """
    if use in OF_PARTS and (params or {}).get("polytope", "simplex") == "simplex":
        return "simplex"
    path = registry.path_of(use, registry.METHOD)
    own = registry.FILE.fullmatch(path) or path.partition(".")[0] in registry.own_packages()
    return "hyperboloid" if own else "tangent"


def method_of(config, method):
    """All that defines how a method is trained, with defaults filled in."""
    entry = config["methods"][method]
    grid = entry.get("grid", {})
    return {
        "use": entry["use"],
        "chart": entry.get("chart", default_chart(entry["use"], entry.get("params"))),
        "params": entry.get("params", {}),
        "grid": grid,
        # Without a grid there is no search, and its parameters do not cause training.
        "search": baselines.search_of(config, method) if grid else {},
        **{key: config[key] for key in OF_ALL_METHODS if key in config},
    }


def alternatives(names):
    r"""Regular expression that matches exactly these names.

    Examples
    --------
    >>> alternatives(["a.b", "c"])
    'a\\.b|c'
    """
    return "|".join(re.escape(name) for name in names)
