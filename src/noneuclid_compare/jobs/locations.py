"""Where the workflow's files and the configuration of a run are."""

import os
from contextlib import suppress
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare.provenance import PACKAGE, SOURCE

# The wheel's copy of the folders beside src; setup.py makes it.
PACKAGED = SOURCE / "workflow_files"
# Names of the configuration in the folder of a run.
CONFIGURATIONS = ("config.yaml", "config/config.yaml")


def root():
    """Folder of workflow, config and resources: in the installed package or in the checkout."""
    return PACKAGED if PACKAGED.is_dir() else SOURCE.parents[1]


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
        "one, --configfile FILE names another"
    )


def search_path(deployed):
    """Folder of the package for the search path of jobs, or None if their Python has it installed.

    Jobs with software of their own (`deployed`) get a folder that holds the package alone: beside
    an installed package are the libraries of another Python.
    """
    if not PACKAGED.is_dir():
        return SOURCE.parent
    if not deployed:
        return None
    folder = Path(".snakemake/packages").resolve()
    link = folder / PACKAGE
    folder.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink() or link.resolve() != SOURCE:
        # Another job may make the same link now.
        with suppress(FileNotFoundError):
            link.unlink()
        with suppress(FileExistsError):
            os.symlink(SOURCE, link)
    return folder
