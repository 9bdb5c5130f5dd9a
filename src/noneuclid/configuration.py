"""Checks of the configuration and the few rules by which it is read."""

import ast
import os
import re
import sys
from functools import cache
from pathlib import Path

import jsonschema
import yaml

from noneuclid import declared, papers, provenance, registry, signatures
from noneuclid.contracts import InputError
from noneuclid.expansion import check_plain, expanded

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
    """Validator of the schema in a YAML file; 2.0 is no integer, for range() takes none."""
    draft = jsonschema.Draft202012Validator
    types = draft.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    return jsonschema.validators.extend(draft, type_checker=types)(yaml.safe_load(path.read_text()))


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
    check_plain(config)
    config = expanded(config)
    check_plain(config)
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
        _check_method(method, f"methods/{name}")
    study = config.get("study", {})
    compared = [study[role] for role in ("first", "second") if role in study]
    _check_names(compared, config["methods"], "study", "method")
    for name, block in config.get("paired_tests", {}).get("blocks", {}).items():
        _check_names(block, config["methods"], f"paired_tests/blocks/{name}", "method")
    for entry in config.get("published", {}).get("tables", []):
        names = [*entry["methods"], *entry.get("ours", [])]
        _check_names(names, config["methods"], f"published/{entry['table']}", "method")
    papers.check(config.get("published", {}), config["datasets"], schema.parents[2] / "resources")
    if "certificates" in config:
        _check_certificates(config["certificates"], config["datasets"])
    for name, entry in config.get("illustrations", {}).items():
        _check_illustration(entry, config, f"illustrations/{name}")


def _place(path):
    """Key path of an error, as the user would look for it."""
    return _short("/".join(map(str, path))) or "top level"


def _plain(error):
    """Say a schema error in words."""
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema["properties"]))
        known = ", ".join(sorted(error.schema["properties"]))
        return f"unknown key {_short(repr(unknown[0]))}; known: {known}"
    if error.validator == "pattern":
        return f"{_short(repr(error.instance))} is not {error.schema['description']}"
    return _short(" ".join(error.message.split()))


def _short(text, most=300):
    """Text without its middle, if it is long.

    Examples
    --------
    >>> _short("0123456789", most=4)
    '01 ... 89'
    """
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-(most // 2) :]}"


def _check_names(names, known, place, kind):
    """Refuse a name that is not among the known ones."""
    for name in names:
        if name not in known:
            raise InputError(
                f"{place}: unknown {kind} {_short(repr(name))}; known: {', '.join(known)}"
            )


def _check_settings(entry, module, place):
    """Refuse a setting that the module does not read, where its source tells which it reads."""
    known = declared.known_settings(module)
    if known is not None:
        _check_names(entry.get("settings", {}), sorted(known) or ["none"], place, "setting")


def _check_method(method, place):
    """Refuse settings and values of a grid that the class does not take, where its source tells."""
    known = signatures.names(method["class"])
    for section in ("settings", "grid"):
        for name, value in method.get(section, {}).items():
            if name in registry.CONTEXT:
                raise InputError(f"{place}/{section}: {registry.NO_SETTING.format(name)}")
            if known is not None:
                _check_names([name], sorted(known), f"{place}/{section}", "setting")
            for one in value if section == "grid" else [value]:
                legal = signatures.refused(method["class"], name, one)
                # The stage train puts the data set's own points there.
                if legal and (name, one) != ("reference_point", "dataset"):
                    found = _short(repr(one))
                    raise InputError(f"{place}/{section}/{name}: {found}; give {legal}")


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
    try:
        defined = _defined(file)
    except (SyntaxError, ValueError) as error:
        raise InputError(f"{place}: {module} is no Python ({error}): correct it") from error
    if name not in defined:
        known = ", ".join(sorted(n for n in defined if n and n[0].isupper()) or ["none"])
        raise InputError(f"{place}: {module} defines no {name!r}; known: {known}")


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

    Jobs end with this process. They run the source of this repository with the Python that runs
    Snakemake, whether or not an environment is active. Snakemake itself holds the threads of linear
    algebra to those of a rule; numba's are held here. The mirror is no parameter of a rule: another
    one is no reason to copy a verified file again.

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
    os.environ["NONEUCLID_RUN"] = str(os.getpid())
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
