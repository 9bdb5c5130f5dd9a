"""Checks of the configuration and the few rules by which it is read."""

import ast
import os
import re
import sys
from functools import cache
from itertools import product
from pathlib import Path
from string import Formatter

import jsonschema
import yaml

from noneuclid import declared, provenance
from noneuclid.contracts import InputError

DEFAULT_CHART = "hyperboloid"
DRAWN_OF_A_STUDY = 12

# Settings under `certificates: solvers:` besides `solver` and `points`.
SOLVERS = {
    "optimal": ("tol", "max_slices", "conic_solver"),
    "sdp": ("draws", "conic_solver"),
    "moment": ("ball", "conic_solver"),
    "pgd": ("loss", "variant", "learning_rate", "max_iter", "tol", "start"),
}


@cache
def _validator(path):
    """Validator of the schema in a YAML file."""
    schema = yaml.safe_load(path.read_text())
    return jsonschema.Draft202012Validator(schema)


def expanded(config):
    """Write out every entry under `datasets` that stands for many.

    An entry with `each` is repeated for all combinations of the values of the names there: those
    of a list, or 1 to n for a number n. Its own name and all texts in it are filled in by
    `str.format`; a text that is a name in braces and no more becomes the value itself.

    Parameters
    ----------
    config : dict

    Returns
    -------
    dict
        Without `each`; the same where no entry has it.

    Raises
    ------
    InputError
        If values are missing, a text asks for another name, or two entries have one name.

    Examples
    --------
    >>> entry = {"each": {"number": 2}, "files": {"points": "{number:03}.mat"}}
    >>> expanded({"datasets": {"d_{number}": entry}})["datasets"]
    {'d_1': {'files': {'points': '001.mat'}}, 'd_2': {'files': {'points': '002.mat'}}}
    """
    if not isinstance(config.get("datasets"), dict):
        return config
    datasets = {}
    for name, entry in config["datasets"].items():
        for full_name, full_entry in _written_out(name, entry):
            if full_name in datasets:
                raise InputError(
                    f"datasets/{full_name}: two entries have this name; put all names of `each` "
                    "into it, in braces"
                )
            datasets[full_name] = full_entry
    return config | {"datasets": datasets}


def _written_out(name, entry):
    """All pairs (name, entry) that one entry stands for."""
    if not isinstance(entry, dict) or "each" not in entry:
        return [(name, entry)]
    place, each = f"datasets/{name}", entry["each"]
    if not isinstance(each, dict) or not each:
        raise InputError(f"{place}/each: {each!r} gives no names and values, such as {{number: 3}}")
    entry = {key: value for key, value in entry.items() if key != "each"}
    ranges = [_values(value, f"{place}/each/{key}") for key, value in each.items()]
    rows = [dict(zip(each, row, strict=True)) for row in product(*ranges)]
    return [(_filled(name, row, place), _filled(entry, row, place)) for row in rows]


def _values(value, place):
    """What a name under `each` runs over."""
    if isinstance(value, int) and value >= 1 and not isinstance(value, bool):
        return range(1, value + 1)
    if isinstance(value, list) and value:
        return value
    raise InputError(f"{place}: {value!r} is neither a number of copies nor a list of values")


def _filled(value, values, place):
    """A value of the configuration with the names in braces replaced."""
    if isinstance(value, dict):
        return {key: _filled(item, values, place) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, values, place) for item in value]
    if not isinstance(value, str):
        return value
    try:
        parts = list(Formatter().parse(value))
        if len(parts) == 1 and (parts[0][0], *parts[0][2:]) == ("", "", None):
            return Formatter().get_field(parts[0][1], (), values)[0]
        return value.format(**values)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"{place}: {value!r} cannot be filled in from {', '.join(values)}: {error}"
        ) from error


def check(config, schema):
    """Refuse a configuration that the schema or its own cross-references forbid.

    Parameters
    ----------
    config : dict
        Entries with `each` are checked as `expanded` writes them out.
    schema : Path
        JSON schema, as YAML.

    Raises
    ------
    InputError
        One line: where, what, and what is allowed.
    """
    config = expanded(config)
    errors = sorted(_validator(schema).iter_errors(config), key=lambda e: [str(p) for p in e.path])
    if errors:
        error = jsonschema.exceptions.best_match(errors)
        raise InputError(f"{_place(error.path)}: {_plain(error)}")
    for name, dataset in config["datasets"].items():
        _check_names(dataset["embeddings"], config["embeddings"], f"datasets/{name}", "embedding")
        _check_names(dataset.get("methods", []), config["methods"], f"datasets/{name}", "method")
        check_target(f"{dataset['loader']}.load", f"datasets/{name}/loader")
        _check_settings(dataset, dataset["loader"], f"datasets/{name}/settings")
    for name, embedding in config["embeddings"].items():
        check_target(f"{embedding['module']}.embed", f"embeddings/{name}/module")
        _check_settings(embedding, embedding["module"], f"embeddings/{name}/settings")
    for name, method in config["methods"].items():
        check_target(method["class"], f"methods/{name}/class")
    study = config.get("study", {})
    compared = [study[role] for role in ("first", "second") if role in study]
    _check_names(compared, config["methods"], "study", "method")
    for name, block in config.get("paired_tests", {}).get("blocks", {}).items():
        _check_names(block, config["methods"], f"paired_tests/blocks/{name}", "method")
    if "certificates" in config:
        _check_certificates(config["certificates"], config["datasets"])
    for name, entry in config.get("illustrations", {}).items():
        _check_illustration(entry, config, f"illustrations/{name}")


def _place(path):
    """Key path of an error, as the user would look for it."""
    return "/".join(map(str, path)) or "top level"


def _plain(error):
    """Say a schema error in words."""
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema["properties"]))
        return f"unknown key {unknown[0]!r}; known: {', '.join(sorted(error.schema['properties']))}"
    if error.validator == "pattern":
        return f"{error.instance!r} is not {error.schema['description']}"
    return " ".join(error.message.split())


def _check_names(names, known, place, kind):
    """Refuse a name that is not among the known ones."""
    for name in names:
        if name not in known:
            raise InputError(f"{place}: unknown {kind} {name!r}; known: {', '.join(known)}")


def _check_settings(entry, module, place):
    """Refuse a setting that the module does not read, where its source tells which it reads."""
    known = declared.known_settings(module)
    if known is not None:
        _check_names(entry.get("settings", {}), sorted(known) or ["none"], place, "setting")


def _check_certificates(certificates, datasets):
    """Refuse unknown data sets, settings that a solver lacks, and numbers without a reference."""
    place, solvers = "certificates/solvers", certificates["solvers"]
    _check_names(certificates.get("datasets", []), datasets, "certificates/datasets", "data set")
    for name, entry in solvers.items():
        known = ("solver", "points", *SOLVERS[entry["solver"]])
        _check_names(entry, known, f"{place}/{name}", f"setting of solver {entry['solver']!r}:")
    exact = [name for name, entry in solvers.items() if entry["solver"] == "optimal"]
    if len(exact) != 1 or "points" in solvers[exact[0]]:
        raise InputError(
            f"{place}: give one entry with `solver: optimal`, no more, and without `points`: the "
            "others are compared with its optimum"
        )


def _check_illustration(entry, config, place):
    """Refuse figures of what the configuration does not run."""
    check_target(f"{entry['module']}.draw", f"{place}/module")
    _check_settings(entry, entry["module"], f"{place}/settings")
    for path in [*entry.get("points", []), *entry.get("models", [])]:
        dataset, embedding, *method = path.split("/")
        _check_names([dataset], config["datasets"], place, "data set")
        embeddings = config["datasets"][dataset]["embeddings"]
        _check_names([embedding], embeddings, place, f"embedding of {dataset}")
        _check_names(method, methods_of(config, dataset), place, f"method of {dataset}")


def check_target(path, place):
    """Refuse a dotted name of this package that no file defines (nothing is imported)."""
    module, _, name = path.rpartition(".")
    if module.split(".")[0] != provenance.PACKAGE:
        return
    file = provenance.module_file(module)
    if file is None:
        raise InputError(f"{place}: there is no module {module}")
    if name not in _defined(file):
        raise InputError(f"{place}: {module} defines no {name!r}")


@cache
def _defined(file):
    """Names of the functions and classes of a file."""
    return {getattr(node, "name", None) for node in ast.parse(file.read_bytes()).body}


def methods_of(config, dataset):
    """Names of the methods that run on a data set: its own list, else all."""
    return config["datasets"][dataset].get("methods", list(config["methods"]))


def pairs(config):
    """List of [dataset, embedding, methods]: everything that is trained."""
    return [
        [name, embedding, methods_of(config, name)]
        for name, dataset in config["datasets"].items()
        for embedding in dataset["embeddings"]
    ]


def drawn_pairs(config):
    """List of (dataset, embedding) with a disk and a card in the report.

    All, but the first twelve in a study, which compares methods and not data sets: a page with
    hundreds of disks opens in no browser.

    Examples
    --------
    >>> datasets = {f"d{k}": {"embeddings": ["given"]} for k in range(100)}
    >>> config = {"datasets": datasets, "methods": {}}
    >>> len(drawn_pairs(config)), len(drawn_pairs(config | {"study": {}}))
    (100, 12)
    """
    found = [(dataset, embedding) for dataset, embedding, _ in pairs(config)]
    return found[:DRAWN_OF_A_STUDY] if "study" in config else found


def certified_pairs(config):
    """List of (dataset, embedding) for the stage certify; none without `certificates`.

    Examples
    --------
    >>> datasets = {name: {"embeddings": ["given"]} for name in "ab"}
    >>> config = {"datasets": datasets, "methods": {}}
    >>> certified_pairs(config), certified_pairs(config | {"certificates": {"datasets": ["b"]}})
    ([], [('b', 'given')])
    """
    if "certificates" not in config:
        return []
    chosen = config["certificates"].get("datasets", config["datasets"])
    return [(dataset, embedding) for dataset, embedding, _ in pairs(config) if dataset in chosen]


def certify_settings(config):
    """What the stage certify is told, with defaults filled in."""
    settings = {"multi_class": "ovr"} | config["certificates"]
    return {name: settings[name] for name in ("C", "multi_class", "solvers")}


def split_of(config, dataset):
    """Split settings of a data set: the common ones, with its own on top."""
    return config["splits"] | config["datasets"][dataset].get("split", {})


def method_of(config, method):
    """All that defines how a method is trained, with defaults filled in."""
    entry = config["methods"][method]
    grid = entry.get("grid", {})
    return {
        "class": entry["class"],
        "chart": entry.get("chart", DEFAULT_CHART),
        "settings": entry.get("settings", {}),
        "grid": grid,
        # Without a grid there is no search, and its settings are no reason to train again.
        "search": config["search"] if grid else {},
    }


def prepare_jobs(source, mirror=None):
    """Set what the processes of all jobs inherit from Snakemake's.

    Jobs run the source of this repository with the Python that runs Snakemake, whether or not an
    environment is active. Snakemake itself holds the threads of linear algebra to those of a rule;
    numba's are held here. The mirror is no parameter of a rule: another one is no reason to copy
    a verified file again.

    Parameters
    ----------
    source : Path
        Folder that holds the package.
    mirror : str or None
        Folder to copy files from instead of downloading them.
    """
    inherited = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(source), inherited]))
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["NUMBA_NUM_THREADS"] = "1"
    if mirror:
        os.environ["NONEUCLID_MIRROR"] = str(Path(mirror).resolve())


def alternatives(names):
    r"""Regular expression that matches exactly these names.

    Examples
    --------
    >>> alternatives(["a.b", "c"])
    'a\\.b|c'
    """
    return "|".join(re.escape(name) for name in names)
