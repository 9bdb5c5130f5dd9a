"""Mistakes that a configuration can hold, each told in one line. Nothing is imported for it."""

import ast
import json
import math
import re
import sys
from functools import cache
from numbers import Real
from pathlib import Path

import yaml

from noneuclid.errors import InputError
from noneuclid.experiment import (
    class_settings,
    documents,
    imports,
    parameters,
    provenance,
    sources,
    tasks,
)
from noneuclid.experiment.each import PARTS, number_in, short

# More than this are not told at a time.
MOST = 10
# Linux takes 131,072 bytes as one argument of a command, and quoting needs some.
LONGEST = 100_000
# Dimensions of the space that points are drawn or embedded in.
MOST_DIMENSIONS = 10_000
# Points of the grid that a method is searched over.
MOST_POINTS = 10_000
# Where the name of the module stands that has this function.
MODULE_KEYS = {"load": "loader", "embed": "module", "draw": "module"}

_DESCENT = ("loss", "learning_rate", "max_iter", "tol")
# Settings under `certificates: solvers:` besides `solver` and `points`.
SOLVERS = {
    "optimal": ("tol", "max_slices", "conic_solver"),
    "sdp": ("draws", "conic_solver"),
    "moment": ("ball", "conic_solver"),
    "pgd": _DESCENT,
    "published_pgd": _DESCENT,
    "released_pgd": _DESCENT,
}


def refuse(found):
    """Raise mistakes, a line each and not too many, if there are any."""
    if found:
        raise InputError("\n".join(list(dict.fromkeys(found))[:MOST]))


def place_of(path):
    """Key path of an error, as the user would look for it."""
    return short("/".join(map(str, path))) or "top level"


def in_words(error):
    """Say a schema error in words."""
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema["properties"]))
        each = ["each"] if len(error.path) == 2 and error.path[0] in PARTS else []
        known = ", ".join(sorted([*error.schema["properties"], *each]))
        return f"unknown key {short(repr(unknown[0]))}; known: {known}"
    if error.validator == "pattern":
        return f"{short(repr(error.instance))} is not {error.schema['description']}"
    advice = number_in(error.instance) if error.validator == "type" else ""
    if error.validator == "type" and error.validator_value == "string":
        advice = ": write words, in quotes"
    return short(" ".join(error.message.split())) + advice


def check_keys(path):
    """Refuse keys that a file of the configuration gives twice: YAML would keep the last alone.

    Parameters
    ----------
    path : Path or str
        YAML or JSON.

    Raises
    ------
    InputError
        A line for each such key, ten at most; or the one of `documents.check`.
    """
    try:
        documents.check(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    with Path(path).open() as stream:
        refuse([f"{path}: {repeated}" for repeated in _repeated(yaml.compose(stream), (), set())])


def _repeated(node, place, seen):
    """Where keys stand a second time in a part of a document; each part is seen only once."""
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


def check_files(datasets, fetched, folder=None):
    """Refuse files of the user's own that are not there.

    Parameters
    ----------
    datasets : dict
    fetched : collection of str
        Paths that the workflow copies or downloads.
    folder : Path, optional
        That other paths count from; the present one.

    Raises
    ------
    InputError
        A line for each such file, ten at most.
    """
    folder = Path.cwd() if folder is None else folder
    refuse(
        [
            f"datasets/{name}/files/{role}: there is no file {path} in {folder}: correct the path, "
            "which counts from the folder of the run (--directory)"
            for name, dataset in datasets.items()
            for role, path in dataset.get("files", {}).items()
            if path not in fetched
            and not path.startswith(sources.MADE)
            and not (folder / path).exists()
        ]
    )


def check_length(entry, place):
    """Refuse settings that no command line holds."""
    length = len(json.dumps(entry.get("settings", {})))
    if length > LONGEST:
        raise InputError(
            f"{place}/settings: {length} characters, but a job is told {LONGEST} at most; shorten "
            "the lists (to take most columns of a table, name the others under drop)"
        )


def check_pattern(pattern, place):
    """Refuse a text that is no regular expression, if there is one."""
    try:
        re.compile(pattern or "")
    except re.error as error:
        raise InputError(f"{place}: {short(repr(pattern))} is no pattern: {error}") from error


def check_module(entry, module, function, place):
    """Refuse a module without the function, or settings that it does not read."""
    check_target(f"{module}.{function}", f"{place}/{MODULE_KEYS[function]}")
    _check_settings(entry, module, f"{place}/settings")


def _check_settings(entry, module, place):
    """Refuse what the module does not read, and text for a number, where its source tells."""
    known, settings = parameters.known_settings(module), entry.get("settings", {})
    if known is None:
        return
    check_names(settings, sorted(known) or ["none"], place, "setting")
    if (dimension := _number(settings.get("dimension"))) > MOST_DIMENSIONS:
        raise InputError(
            f"{place}/dimension: {dimension} is more than {MOST_DIMENSIONS}, the most that is "
            "planned; give fewer, such as 2"
        )
    for name, default in parameters.defaults(module).items():
        meant = number_in(settings.get(name))
        if meant and isinstance(default, Real) and not isinstance(default, bool):
            raise InputError(f"{place}/{name}: {settings[name]!r} is no number{meant}")


def _number(value):
    return value if isinstance(value, Real) else 0


def check_method(method, place, datasets):
    """Refuse an unknown or unfit class, and what it does not take, where its source tells."""
    check_target(method["class"], f"{place}/class")
    try:
        tasks.check(method["class"], datasets)
    except InputError as error:
        raise InputError(f"{place}/class: {error}") from error
    points = math.prod(len(values) for values in method.get("grid", {}).values())
    if points > MOST_POINTS:
        raise InputError(
            f"{place}/grid: {points} points, each of which the search tries in every fold; give at "
            f"most {MOST_POINTS}"
        )
    known = class_settings.names(method["class"])
    for section in ("settings", "grid"):
        for name, value in method.get(section, {}).items():
            if name in imports.CONTEXT:
                raise InputError(f"{place}/{section}: {imports.NO_SETTING.format(name)}")
            if known is not None:
                check_names([name], sorted(known), f"{place}/{section}", "setting")
            for one in value if section == "grid" else [value]:
                legal = class_settings.refused(method["class"], name, one)
                # The stage train puts the data set's own points there.
                if legal and (name, one) != ("reference_point", "dataset"):
                    found = f"{short(repr(one))}{number_in(one)}"
                    raise InputError(f"{place}/{section}/{name}: {found}; give {legal}")


def check_certificates(certificates, datasets):
    """Refuse unknown data sets, settings that a solver lacks, and numbers without a reference."""
    place, solvers = "certificates/solvers", certificates["solvers"]
    check_names(certificates.get("datasets", []), datasets, "certificates/datasets", "data set")
    for name, entry in solvers.items():
        known = ("solver", "points", *SOLVERS[entry["solver"]])
        check_names(entry, known, f"{place}/{name}", f"setting of solver {entry['solver']!r}:")
    exact = [name for name, entry in solvers.items() if entry["solver"] == "optimal"]
    if len(exact) != 1 or "points" in solvers[exact[0]]:
        raise InputError(
            f"{place}: give one entry with `solver: optimal`, no more, and without `points`: the "
            "others are compared with its optimum"
        )


def check_illustration(entry, tested, place):
    """Refuse figures of what the configuration does not run.

    Parameters
    ----------
    entry : dict
    tested : dict
        Name of a data set to a dictionary from its embeddings to the methods on them.
    place : str

    Raises
    ------
    InputError
    """
    check_module(entry, entry["module"], "draw", place)
    for path in [*entry.get("points", []), *entry.get("models", [])]:
        dataset, embedding, *method = path.split("/")
        check_names([dataset], tested, place, "data set")
        check_names([embedding], tested[dataset], place, f"embedding of {dataset}")
        check_names(method, tested[dataset][embedding], place, f"method of {dataset}")


def check_target(path, place):
    """Refuse a dotted name that no file of this package defines; nothing is imported for it."""
    module, _, name = path.rpartition(".")
    if module.split(".")[0] != provenance.PACKAGE:
        _check_elsewhere(module, place)
        return
    file = provenance.module_file(module)
    if file is None:
        raise InputError(f"{place}: there is no module {module}")
    try:
        defined = _defined(file)
    except (SyntaxError, ValueError) as error:
        raise InputError(f"{place}: {module} is no Python ({error}): correct it") from error
    if name not in defined:
        known = ", ".join(sorted(n for n in defined if n and n[0].isupper()) or ["none"])
        raise InputError(f"{place}: {module} defines no {name!r}; known: {known}")


def _check_elsewhere(module, place):
    """Refuse a module that no other package has, and those of Python itself."""
    if module.split(".")[0] in sys.stdlib_module_names:
        raise InputError(
            f"{place}: {module} is part of Python itself and has nothing that can be used here; "
            "give a module of noneuclid, scikit-learn or your own"
        )
    # A module without a package may be in the folder of the run, where jobs find it.
    try:
        missing = "." in module and provenance.found(module) is None
    except InputError:
        missing = True
    if missing:
        raise InputError(f"{place}: there is no module {module}: check its spelling, or install it")


@cache
def _defined(file):
    """Names of the functions and classes of a file."""
    return {getattr(node, "name", None) for node in ast.parse(file.read_bytes()).body}
