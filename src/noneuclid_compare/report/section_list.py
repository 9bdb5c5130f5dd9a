"""The sections of the page, in order: a line here, and a file NAME.py that defines `SECTION`."""

from importlib import import_module

NAMES = (
    "verdict",
    "findings",
    "routes",
    "study",
    "paired_tests",
    "wins",
    "probabilities",
    "isometries",
    "class_tree",
    "recommendation",
    "settings",
    "datasets",
    "illustrations",
    "certificates",
    "published",
    "scale",
    "provenance",
)
MODULES = tuple(f"noneuclid_compare.report.sections.{name}" for name in NAMES)
SECTIONS = tuple(import_module(module).SECTION for module in MODULES)


def entries(config):
    """What the sections on the page need of the configuration, by name of the section."""
    found = {section.name: section.entry(config) for section in SECTIONS}
    return {name: entry for name, entry in found.items() if entry is not None}


def on_page(entries):
    """Sections that have an entry."""
    return [section for section in SECTIONS if section.name in entries]
