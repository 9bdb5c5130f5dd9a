"""The sections of the page, in order: a line here, and a file NAME.py that defines `SECTION`."""

from functools import cache
from importlib import import_module
from pathlib import Path

from noneuclid_compare import plugins
from noneuclid_compare.report.figures import figure_list

NAMES = (
    "verdict",
    "random_folds",
    "scores",
    "moved_points",
    "class_tree",
    "link_prediction",
    "signatures",
    "recommendation",
    "datasets",
    "illustrations",
    "settings",
    "scale",
    "provenance",
)


@cache
def sections():
    """The sections in order, with those of the plug-ins before the sections that they name."""
    names = [f"noneuclid_compare.report.sections.{name}" for name in NAMES]
    for name, following in plugins.tables("SECTIONS", {}).items():
        names.insert(names.index(f"noneuclid_compare.report.sections.{following}"), name)
    return tuple(import_module(name).SECTION for name in names)


def entries(config):
    """What the sections on the page need of the configuration, by name of the section."""
    found = {section.name: section.entry(config) for section in sections()}
    return {name: entry for name, entry in found.items() if entry is not None}


def on_page(entries):
    """Sections that have an entry."""
    return [section for section in sections() if section.name in entries]


def modules(entries):
    """Modules of the sections on the page and of their figures, whose captions it has."""
    found = [type(section).__module__ for section in on_page(entries)]
    titles = {section.title for section in on_page(entries)}
    return found + [one.module for one in figure_list.entries() if one.category in titles]


def templates(entries):
    """Folders with the templates of the sections on the page."""
    packages = dict.fromkeys(section.package for section in on_page(entries))
    return [Path(import_module(name).__file__).parent / "templates" for name in packages]
