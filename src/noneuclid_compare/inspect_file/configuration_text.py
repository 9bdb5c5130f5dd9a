"""A short, commented configuration for what a look at files has found."""

import os
import re
from pathlib import Path

import yaml

from noneuclid.errors import InputError, require
from noneuclid_compare import wording
from noneuclid_compare.config import configuration, defaults
from noneuclid_compare.jobs import locations

# Sections with a default, in the order of the file, and what they say.
SECTIONS = {
    "seed": "all random numbers follow from it",
    "repeats": "how often the rows are split again; more give narrower intervals",
    "splits": "the folds, the same for every method",
    "search": "tries the values under `grid:` on training rows",
    "embeddings": "where the points are put; disks are drawn of two dimensions",
    "methods": "",
    "report": "",
}
HEAD = (
    "# `noneuclid run` in this folder compares methods on it and writes results/report/index.html.",
    "",
)
DEFAULTS = (
    "",
    "# What is left out has a default, here as a comment: remove the # to change it (of a section,",
    "# all its #). config/README.md of noneuclid explains all keys.",
)


def inline(value):
    """A value as YAML on one line.

    Examples
    --------
    >>> inline({"label": "yes", "drop": ["a b", "1"]})
    "{label: 'yes', drop: [a b, '1']}"
    """
    text = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=2**30
    )
    return text.removesuffix("...\n").strip()


def name_of(path):
    """Name of a data set: the name of its file, with an underscore for what no name can hold.

    Examples
    --------
    >>> name_of("my data (2).csv.gz")
    'my_data_2'
    """
    stem = Path(path).name.removesuffix(".gz")
    stem = stem.rpartition(".")[0] or stem
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", stem).strip("_.-")[:100] or "data"


def path_from(folder, path):
    """Path of a file as the folder of a run names it: relative if it is near, else absolute."""
    path = path.parent.resolve() / path.name
    relative = os.path.relpath(path, folder.resolve())
    found = str(path) if relative.startswith("../..") else Path(relative).as_posix()
    if any(c in found for c in "{}") or not found.isprintable():
        raise InputError(f"the path {found!r} has braces or characters of control: rename it")
    return found


def entries_of(folder, results):
    """Entries under `datasets`, with the comments of their parameters, and the lines after them.

    Files that are read alike are one entry with `each`.
    """
    entries = {}
    for path, found in results.items():
        files = {role: path_from(folder, file) for role, file in found.files.items()}
        name = name_of(path)
        require(
            name not in entries, f"{path}: another file makes the name {name!r}, too; rename it"
        )
        entry = {"use": found.use, "files": files, "params": found.params} | found.entry
        entries[name] = entry, found.comments, found.hints
    names = list(entries)
    first, *comments = entries[names[0]]
    alike = len(names) > 1 and all(
        entry | {"files": None} == first | {"files": None} for entry, *_ in entries.values()
    )
    (role, pattern), *others = first["files"].items()
    suffix = Path(pattern).name.removeprefix(names[0])
    if (
        alike
        and not others
        and all(
            entry["files"] == {role: f"{Path(pattern).parent.as_posix()}/{name}{suffix}"}
            for name, (entry, *_) in entries.items()
        )
    ):
        files = {role: f"{Path(pattern).parent.as_posix()}/{{file}}{suffix}"}
        entry = {"each": {"file": names}} | first | {"files": files}
        return {"{file}": (entry, *comments)}
    return entries


def text_of(folder, results):
    """Text of the configuration, checked, and a sentence on the run."""
    lines = [*_heading(results), "datasets:"]
    for name, (entry, comments, hints) in entries_of(folder, results).items():
        lines.append(f"  {inline(name)}:")
        for key, value in entry.items():
            if key != "params":
                lines.append(f"    {key}: {inline(value)}")
            else:
                lines += ["    params:"] * bool(value)
                lines += [_line(f"      {inline(k)}", v, comments.get(k)) for k, v in value.items()]
                start = "      #" if value else "    #"
                lines += [f"{start} {' '.join(text.split())}" for text in hints]
    sections = {key: value for found in results.values() for key, value in found.sections.items()}
    lines += [f"{key}: {inline(value)}" for key, value in sections.items()]
    given = yaml.safe_load("\n".join(lines))
    configuration.check(given, locations.root() / "workflow/schemas/config.schema.yaml")
    config = configuration.filled(given)
    lines += DEFAULTS
    for section, comment in SECTIONS.items():
        if section in given:
            continue
        value = config[section]
        if section == "splits":
            # What each data set sets itself has no default.
            own = [set(entry.get("split", {})) for entry in config["datasets"].values()]
            value = {k: v for k, v in value.items() if k not in set.intersection(*own)}
        if section in ("embeddings", "methods"):
            lines.append(_line(f"# {section}", None, comment))
            lines += [f"#   {name}: {inline(entry)}" for name, entry in value.items()]
            lines += _of_products(given, section)
        else:
            lines.append(_line(f"# {section}", value, comment))
    return "\n".join(lines) + "\n", _summary(config, results)


def _of_products(given, section):
    """What is run instead if a chart is added that makes the rows of a table points of a product.

    Examples
    --------
    >>> _of_products({"datasets": {"a": {"use": "table_file", "params": {}}}}, "embeddings")
    ['#   # With a signature such as chart: H2 S2 under params, instead: given']
    """
    entries = given["datasets"]
    if any(defaults.kind_of(e) != "features" or section in e for e in entries.values()):
        return []
    entries = {
        name: entry | {"params": entry.get("params", {}) | {"chart": "H2 S2"}}
        for name, entry in entries.items()
    }
    found = configuration.filled({"datasets": entries})[section]
    return [
        f"#   # With a signature such as chart: H2 S2 under params, instead: {', '.join(found)}"
    ]


def _heading(results):
    """First lines of the file."""
    path, found = next(iter(results.items()))
    data = found.dataset
    what = f"{data.n} {'nodes' if data.kind == 'graph' else 'rows'}"
    if data.features is not None:
        what += f", {data.features.shape[1]} features"
    if data.target is None:
        what += f", {len(data.class_names)} classes"
    others = f" and {len(results) - 1} more files" if len(results) > 1 else ""
    return [f"# {inline(path.name)}{others}: {what}.", *HEAD]


def _summary(config, results):
    """What the run will do."""
    entry = next(iter(results.values())).entry
    split = config["splits"] | entry.get("split", {})
    others = " and the baselines" if entry.get("baselines", True) else ""
    fixed = split["scheme"] == "fixed"
    folds = "the split of the file" if fixed else wording.count(split["folds"], "fold")
    parts = [
        wording.count(len(config["embeddings"]), "embedding"),
        wording.count(len(config["methods"]), "method") + others,
        f"{wording.count(config['repeats'], 'repeat')} of {folds}",
    ]
    return f"run: {', '.join(parts)}"


def _line(key, value, comment):
    text = f"{key}:" if value is None else f"{key}: {inline(value)}"
    return f"{text} # {' '.join(comment.split())}" if comment else text
