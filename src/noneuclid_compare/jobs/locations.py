"""Where the workflow's files and the configuration of a run are."""

import os
from contextlib import suppress
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare import plugins
from noneuclid_compare.provenance import SOURCE, folders

# The wheel's copy of the folders beside src; setup.py makes it.
PACKAGED = SOURCE / "workflow_files"
# Names of the configuration in the folder of a run.
CONFIGURATIONS = ("config.yaml", "config/config.yaml")


def root():
    """Folder of workflow, config and resources: in the installed package or in the checkout."""
    return PACKAGED if PACKAGED.is_dir() else SOURCE.parents[1]


def tables(name):
    """Paths of a table of resources: that of the comparison, and those of what plugs in."""
    places = [root() / "resources", *plugins.paths("RESOURCES")]
    return [place / name for place in places if (place / name).is_file()]


def configuration_in(folder):
    """Path of the configuration in the folder of a run."""
    if not folder.is_dir():
        raise InputError(
            f"there is no folder {folder}: `noneuclid init {folder}` makes one with a configuration"
        )
    for name in CONFIGURATIONS:
        if (folder / name).is_file():
            return folder / name
    raise InputError(
        f"there is no {CONFIGURATIONS[0]} in {folder.resolve()}: `noneuclid init FOLDER` writes "
        "one, or name another file"
    )


def search_path(deployed):
    """Folder of the packages for the search path of jobs, or None if their Python has it installed.

    Jobs with software of their own (`deployed`) get a folder that holds the packages alone: beside
    an installed package are the libraries of another Python.
    """
    if not PACKAGED.is_dir():
        return SOURCE.parent
    if not deployed:
        return None
    folder = Path(".snakemake/packages").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in folders().items():
        link = folder / name
        if not link.is_symlink() or link.resolve() != source:
            # Another job may make the same link now.
            with suppress(FileNotFoundError):
                link.unlink()
            with suppress(FileExistsError):
                os.symlink(source, link)
    return folder
