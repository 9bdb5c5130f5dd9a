"""Checks of the configuration and the few rules by which it is read."""

import ast
import os
import re
import sys
from functools import cache
from pathlib import Path

import jsonschema
import yaml

from noneuclid import provenance
from noneuclid.contracts import InputError

DEFAULT_CHART = "hyperboloid"


@cache
def _validator(path):
    """Validator of the schema in a YAML file."""
    schema = yaml.safe_load(path.read_text())
    return jsonschema.Draft202012Validator(schema)


def check(config, schema):
    """Refuse a configuration that the schema or its own cross-references forbid.

    Parameters
    ----------
    config : dict
    schema : Path
        JSON schema, as YAML.

    Raises
    ------
    InputError
        One line: where, what, and what is allowed.
    """
    errors = sorted(_validator(schema).iter_errors(config), key=lambda e: [str(p) for p in e.path])
    if errors:
        error = jsonschema.exceptions.best_match(errors)
        raise InputError(f"{_place(error.path)}: {_plain(error)}")
    for name, dataset in config["datasets"].items():
        _check_names(dataset["embeddings"], config["embeddings"], f"datasets/{name}", "embedding")
        _check_names(dataset.get("methods", []), config["methods"], f"datasets/{name}", "method")
        check_target(f"{dataset['loader']}.load", f"datasets/{name}/loader")
    for name, embedding in config["embeddings"].items():
        check_target(f"{embedding['module']}.embed", f"embeddings/{name}/module")
    for name, method in config["methods"].items():
        check_target(method["class"], f"methods/{name}/class")


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


def check_target(path, place):
    """Refuse a dotted name of this package that no file defines (nothing is imported)."""
    module, _, name = path.rpartition(".")
    if module.split(".")[0] != provenance.PACKAGE:
        return
    file = provenance.module_file(module)
    if file is None:
        raise InputError(f"{place}: there is no module {module}")
    defined = {getattr(node, "name", None) for node in ast.parse(file.read_bytes()).body}
    if name not in defined:
        raise InputError(f"{place}: {module} defines no {name!r}")


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
    environment is active. The mirror is no parameter of a rule: another one is no reason to copy
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
