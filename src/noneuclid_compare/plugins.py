"""Parts that plug into the comparison by entry point; the comparison knows none of them.

A plug-in is a module that an installed package names under the entry-point group `noneuclid`. Each
of its attributes is optional: tables of names (`LOADERS`, `EMBEDDINGS`, `METHODS`, `ILLUSTRATIONS`,
`KINDS`, `COMMANDS`), `SECTIONS` and `FIGURES` of the page, `SCHEMA`, the path of a YAML file with
more keys of the configuration, `CHECKS`, functions of a configuration that yield its checks,
`STUDIES`, keys that compare methods and not data sets, `SCORED`, keys with which every baseline
needs a score of the search, `PROGRAMS`, methods that repeat a program and are never recommended,
and `RESOURCES`, a folder with a table of sources.
"""

from functools import cache
from importlib import metadata
from typing import NamedTuple

from noneuclid.errors import InputError

GROUP = "noneuclid"


class Command(NamedTuple):
    """A command: what it does, the extra that it needs, and packages of that extra.

    Its module has `add_arguments`; it is one of `noneuclid_compare.stages`, of the same name unless
    one is given, and imported without these packages. With `options` it takes those of Snakemake.
    """

    summary: str
    extra: str = ""
    packages: tuple = ()
    module: str = ""
    options: bool = False


@cache
def installed():
    """Modules that plug in, each once, in the order of their names."""
    found = sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(dict.fromkeys(map(_loaded, found)))


def _loaded(entry):
    """The module of an entry point; an import can raise anything."""
    try:
        return entry.load()
    except Exception as error:
        raise InputError(
            f"plug-in {entry.name} of {entry.dist.name} cannot be imported "
            f"({type(error).__name__}: {error}): reinstall or uninstall it"
        ) from error


def packages():
    """Names of the packages of the plug-ins."""
    return tuple(module.__name__.partition(".")[0] for module in installed())


def tables(name, own):
    """A table of names of the comparison, with those of the plug-ins."""
    for module in installed():
        own = own | getattr(module, name, {})
    return own


def items(name, own=()):
    """A sequence of the comparison, followed by those of the plug-ins."""
    return (*own, *(item for module in installed() for item in getattr(module, name, ())))


def paths(name):
    """Paths that the plug-ins give."""
    return [getattr(module, name) for module in installed() if hasattr(module, name)]
