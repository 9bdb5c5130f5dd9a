"""Mistakes that a configuration can hold, each in one line.

Only what the configuration names is imported, and only classes of estimators are called.
"""

import inspect
import json
import math
import re
from numbers import Real
from pathlib import Path

import yaml

from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace, class_trees
from noneuclid_compare import wording
from noneuclid_compare.config import (
    defaults,
    load_by_name,
    parameter_checks,
    prediction_kinds,
    registry,
    signatures,
)
from noneuclid_compare.config.expand_entries import PARTS, number_in, short
from noneuclid_compare.data import downloads
from noneuclid_compare.data.files import arrays
from noneuclid_compare.evaluation import metric_table
from noneuclid_compare.records import COMPARED

# Most mistakes that are reported at once.
MOST = 10
# Linux takes 131,072 bytes as one argument of a command, and quoting uses some of them.
LONGEST = 100_000
# Dimensions of the space that points are drawn or embedded in.
MOST_DIMENSIONS = 10_000
# Points of the grid that a method is searched over.
MOST_POINTS = 10_000


def refuse(found):
    """Raise the mistakes found, one line each and `MOST` at most."""
    if found:
        raise InputError("\n".join(list(dict.fromkeys(found))[:MOST]))


def place_of(path):
    """Key path of an error."""
    return short("/".join(map(str, path))) or "top level"


def in_words(error):
    """Describe a schema error in words."""
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema["properties"]))
        each = ["each"] if len(error.path) == 2 and error.path[0] in PARTS else []
        known = ", ".join(sorted([*error.schema["properties"], *each]))
        return f"unknown key {short(repr(unknown[0]))}; known: {known}"
    if error.validator is None:  # the schema false
        return f"leave out the key with {short(repr(error.instance))}"
    if error.validator == "pattern":
        return f"{short(repr(error.instance))} is not {error.schema['description']}"
    advice = number_in(error.instance) if error.validator == "type" else ""
    if error.validator == "type" and error.validator_value == "string":
        advice = ": write words, in quotes"
    return short(" ".join(error.message.split())) + advice


def check_keys(path):
    """Refuse keys that a file gives twice: YAML would keep only the last."""
    with Path(path).open(encoding="utf-8") as stream:
        refuse([f"{path}: {repeated}" for repeated in _repeated(yaml.compose(stream), (), set())])


def _repeated(node, place, seen):
    """Places of keys that occur twice in a part of a document; each part is visited once."""
    if node in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(node)
    if isinstance(node, yaml.SequenceNode):
        for position, item in enumerate(node.value):
            yield from _repeated(item, (*place, position), seen)
        return
    lines = {}
    for key, value in node.value:
        name, line, inner = str(key.value), key.start_mark.line + 1, (*place, key.value)
        if name in lines:
            yield (
                f"line {line}: {place_of(inner)} is already in line {lines[name]}; rename one or "
                "delete it"
            )
        lines[name] = line
        yield from _repeated(value, inner, seen)


def check_names(names, known, place, kind):
    """Refuse a name that is not among the known ones."""
    for name in names:
        if name not in known:
            raise InputError(
                f"{place}: unknown {kind} {short(repr(name))}; known: {', '.join(known)}"
            )


def check_methods_left(tested, place):
    """Refuse an embedding of a data set whose `methods` are none of the data set's."""
    for embedding, methods in tested.items():
        if not methods:
            raise InputError(
                f"{place}: none of its methods is in the list of embeddings/{embedding}/methods; "
                "add one there, or leave this embedding out"
            )


def check_on_product(methods, place):
    """Refuse methods that read hyperbolic points alone, where the points are of a product."""
    for name, method in methods.items():
        try:
            cls = load_by_name.estimator(method["use"])
        except InputError:
            continue  # has its own line
        own = cls.__module__.partition(".")[0] in registry.own_packages()
        chart = method.get("chart", "hyperboloid" if own else "tangent")
        if chart not in ("tangent", "ambient") and "space" not in inspect.signature(cls).parameters:
            raise InputError(
                f"{place}: {name} reads hyperbolic points alone; under methods of this embedding "
                "list those with a parameter `space`, such as "
                "noneuclid.ProductRandomForestClassifier, or with chart: ambient or tangent"
            )


def check_files(datasets, fetched, folder=None):
    """Refuse files of the user that are missing, or no files; some loaders read folders."""
    folder, found = Path.cwd() if folder is None else folder, []
    for name, dataset in datasets.items():
        use = dataset["use"]
        own = use in registry.OF_FOLDERS or registry.FILE.fullmatch(use)
        for role, path in dataset.get("files", {}).items():
            if path in fetched or path.startswith(downloads.MADE):
                continue
            place = f"datasets/{name}/files/{role}"
            where = path if arrays.is_address(path) else folder / path
            try:
                there = arrays.mode_of(where) is not None
                if not there and not path.startswith("~"):
                    raise InputError(
                        f"there is no file {path} in {folder}: correct the path, which counts from "
                        "the folder of the run (--directory)"
                    )
                if not (own and there):
                    arrays.require_file(where if there else path)
            except InputError as error:
                found.append(f"{place}: {error}")
    refuse(found)


def check_own_files(entries):
    """Refuse two user files of the same name, by which a kept model finds its file."""
    files = {}
    for place, entry in entries:
        own = registry.FILE.fullmatch(entry["use"])
        if own is None:
            continue
        first = files.setdefault(Path(own["file"]).stem, own["file"])
        if Path(first).resolve() != Path(own["file"]).resolve():
            raise InputError(
                f"{place}/use: {own['file']} has the name of {first}; rename one of the files"
            )


def check_length(entry, place):
    """Refuse parameters that are too long for a command line."""
    length = len(json.dumps(entry.get("params", {})))
    if length > LONGEST:
        raise InputError(
            f"{place}/params: {length} characters, but a job accepts at most {LONGEST}; shorten "
            "the lists (to use most columns of a table, list the others under drop)"
        )


def check_pattern(pattern, place):
    """Refuse a text that is not a regular expression; None is allowed."""
    try:
        re.compile(pattern or "")
    except re.error as error:
        raise InputError(f"{place}: {short(repr(pattern))} is not a pattern: {error}") from error


def check_function(entry, kind, place):
    """Refuse an entry whose function is unknown, or takes other parameters."""
    use, params = entry["use"], entry.get("params", {})
    try:
        known = signatures.parameters_of(use, kind)
        found = load_by_name.load(registry.path_of(use, kind))
    except InputError as error:
        raise InputError(f"{place}/use: {error}") from error
    if known is None:
        return
    place = f"{place}/params"
    check_names(params, sorted(known) or ["none"], place, "parameter")
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in params:
            raise InputError(f"{place}: the parameter {name!r} is missing; {use} needs it")
    if (dimension := _number(params.get("n_components"))) > MOST_DIMENSIONS:
        raise InputError(
            f"{place}/n_components: {dimension} is more than the limit of {MOST_DIMENSIONS}; "
            "give fewer, such as 2"
        )
    for name, default in signatures.defaults(use, kind).items():
        meant = number_in(params.get(name))
        # Embeddings do not read column names, so a parameter with default None may be a number.
        numeric = isinstance(default, Real) or (default is None and kind == "embed")
        if meant and numeric and not isinstance(default, bool):
            raise InputError(f"{place}/{name}: {params[name]!r} is not a number{meant}")
    if use in registry.shipped("embed") and "space" in params:
        try:
            ProductSpace(params["space"])
        except InputError as error:
            raise InputError(f"{place}/space: {error}") from error
    if inspect.isclass(found):
        _check_values(found, {name: [value] for name, value in params.items()}, place)


def _number(value):
    return value if isinstance(value, Real) else 0


def check_method(method, place, datasets):
    """Refuse a class that is not an estimator, unknown parameters and illegal values."""
    use, params, grid = method["use"], method.get("params", {}), method.get("grid", {})
    try:
        cls = load_by_name.estimator(use)
        prediction_kinds.check_kinds(use, prediction_kinds.kind_of_method(method), datasets)
    except InputError as error:
        raise InputError(f"{place}/use: {error}") from error
    points = math.prod(map(len, grid.values()))
    if points > MOST_POINTS:
        raise InputError(
            f"{place}/grid: {points} points, each of which the search tries in every fold; give at "
            f"most {MOST_POINTS}"
        )
    for section, values in (("params", {k: [v] for k, v in params.items()}), ("grid", grid)):
        for name in load_by_name.CONTEXT:
            if name in values:
                raise InputError(f"{place}/{section}: {load_by_name.no_parameter(name)}")
        _check_values(cls, values, f"{place}/{section}")


def _check_values(cls, values, place):
    """Refuse unknown parameters and illegal values."""
    known = parameter_checks.known_parameters(cls)
    for name, tried in values.items():
        if known is not None:
            check_names([name], sorted(known), place, "parameter")
        elif name in parameter_checks.nameless_parameters(cls):
            raise InputError(f"{place}: {load_by_name.NAMELESS.format(cls.__name__, name)}")
        for value in tried:
            legal = parameter_checks.legal_values(cls, name, value)
            # The stage train puts the data set's own points there.
            if legal and (name, value) != ("reference_point", "dataset"):
                found = f"{short(repr(value))}{number_in(value)}"
                raise InputError(f"{place}/{name}: {found}; give {legal}")


def check_kept_scores(config):
    """Refuse to rank the methods by a metric of decision values that are not kept."""
    metric = config["report"]["metric"]
    needs = metric_table.find(metric).needs
    if not config.get("keep_scores", True) and needs in ("ranking", "probabilities"):
        raise InputError(
            f"report/metric: {metric} needs decision values or probabilities; give keep_scores: "
            "true, or another metric"
        )


def check_training_scores(config):
    """Refuse a table of scores on training rows that are not computed."""
    sweep = config["report"].get("sweep")
    also = sweep.get("also", []) if isinstance(sweep, dict) else []
    known = (*metric_table.TRAINING_NAMES, *metric_table.ELSEWHERE)
    training = [name for name in also if name in known]
    if training and not config.get("training_scores", False):
        raise InputError(f"report/sweep/also: {training[0]} needs training_scores: true")


def check_repeats(split, repeats, place):
    """Refuse repeats that repeat the same folds, or take numbers of labels unequally often."""
    if split["scheme"] == defaults.ALL_IN_ONE and repeats > 1:
        raise InputError(
            f"{place}/split: {split['scheme']} has the same folds in each of {repeats} repeats; "
            "give repeats: 1"
        )
    values = split.get("labels_per_class")
    if isinstance(values, list) and repeats % len(values):
        raise InputError(
            f"{place}/split: {repeats} repeats take {len(values)} values of labels_per_class in "
            f"turn; give repeats: {len(values)} or a multiple of it"
        )


def check_class_tree(setting, place):
    """Refuse a class tree that is none, whatever the classes are; a file must exist."""
    try:
        if isinstance(setting, str):
            setting = class_trees.read_parents(setting)
        if isinstance(setting, dict):
            class_trees.class_tree(setting, [])
    except InputError as error:
        raise InputError(f"{place}/class_tree: {error}") from error


def check_linked(entry, place):
    """Refuse links of what is known to be no network."""
    kind = defaults.kind_of(entry)
    if kind not in (None, "graph"):
        raise InputError(
            f"{place}/link_prediction: {entry['use']} has kind {kind!r}, and links are those of "
            "networks: delete this key"
        )


def check_compared(entry, place):
    """Refuse signatures of what is known to have other distances."""
    kind = defaults.kind_of(entry)
    if kind not in (None, *COMPARED):
        raise InputError(
            f"{place}/signatures: {entry['use']} has kind {kind!r}; signatures are compared for "
            "tables of numbers, cells and networks: delete this key"
        )


def check_isometries(distances, datasets):
    """Refuse distances with one name, and moves where no data set is in hyperbolic space."""
    names = [f"{distance:g}" for distance in distances]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            f"isometries: two distances are {twice} in six digits, which name their files; keep one"
        )
    if all(defaults.kind_of(entry) == "composition" for entry in datasets.values()):
        raise InputError(
            "isometries: no data set is in hyperbolic space, only compositions: delete this key"
        )


def check_illustration(entry, tested, place, keep_models=True):
    """Refuse an illustration of results that the configuration does not produce."""
    if entry.get("models") and not keep_models:
        raise InputError(f"{place}: `models` need keep_models: true")
    params, datasets = entry.get("params", {}), entry.get("datasets", [])
    for name, key in (("datasets", "datasets"), ("folds", "fold")):
        if name in params:
            raise InputError(f"{place}/params: move `{name}` out of `params`: `{key}` beside `use`")
    check_names(datasets, tested, place, "data set")
    takes = signatures.takes(entry["use"], "draw", "datasets")
    if takes and not datasets:
        raise InputError(f"{place}: the key `datasets` is missing; {entry['use']} needs it")
    if datasets and takes is False:
        raise InputError(f"{place}: {entry['use']} takes no `datasets`; leave the key out")
    if "fold" in entry and signatures.takes(entry["use"], "draw", "folds") is False:
        raise InputError(f"{place}: {entry['use']} draws no fold; leave the key `fold` out")
    given = {"datasets": datasets} if datasets else {}
    check_function(entry | {"params": params | given}, "draw", place)
    for path in [*entry.get("points", []), *entry.get("models", [])]:
        dataset, embedding, *method = path.split("/")
        check_names([dataset], tested, place, "data set")
        check_names([embedding], tested[dataset], place, f"embedding of {dataset}")
        check_names(method, tested[dataset][embedding], place, f"method of {dataset}")


def check_fold(entry, splits, place):
    """Refuse a fold that the split of a shown data set does not have."""
    shown = {path.partition("/")[0] for path in entry.get("points", [])}
    for dataset in sorted(shown & set(splits)):
        split = splits[dataset]
        scheme = split["scheme"]
        count = split.get("folds") if scheme.endswith("kfold") else 1
        count = None if scheme == defaults.ALL_IN_ONE else count
        if count is not None and entry.get("fold", 0) >= count:
            raise InputError(
                f"{place}/fold: {dataset} has {wording.count(count, 'fold')}; give 0"
                + (f" to {count - 1}" if count > 1 else "")
            )
