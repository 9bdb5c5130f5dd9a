"""Stage run: Snakemake with the workflow of this package and the configuration of a folder.

Its output is a line for each stage; all of Snakemake's own is in its log.

Not part of the workflow: the command ``noneuclid run`` runs it.
"""

import argparse
import getpass
import os
import sys
from pathlib import Path

from noneuclid.errors import InputError, require
from noneuclid_compare.jobs import locations
from noneuclid_compare.monitor import preflight

# Options of Snakemake that say how many jobs run at a time, or where that is said.
LIMITS = (("--cores", "-c"), ("--jobs", "-j"), ("--executor", "-e"), ("--profile",))
LIMITS += (("--workflow-profile",),)


def add_arguments(parser):
    """Add what is shown; every other option is Snakemake's."""
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="Snakemake's own output in place of one line for each stage",
    )
    parser.epilog = (
        "All other options are Snakemake's (snakemake --help): -n plans only, --cores N limits the "
        "jobs that run at a time (default: all cores), --directory FOLDER and --configfile FILE "
        "choose the run, --workflow-profile slurm submits the jobs to SLURM."
    )
    parser.set_defaults(run=run)


def run(args):
    """Become Snakemake, whose exit status is then that of the command."""
    sys.stdout.flush()
    words = line(args.options, args.verbose)
    os.execv(words[0], words)


def line(options, verbose=False, snakefile=None):
    """The command line that runs Snakemake, with its own output or the display of this package.

    `snakefile` is that of a plug-in; default: the workflow of the comparison.
    """
    _check_user()
    shown = verbose or any(option.startswith("--logger") for option in options)
    program = "snakemake" if shown else "noneuclid_compare.stages.snakemake_run"
    # -P: as for Snakemake's own command, the folder of the run is no place of modules.
    return [sys.executable, "-P", "-m", program, *command(options, shown, snakefile)]


def command(options, shown=True, snakefile=None):
    """Options of Snakemake: the workflow, what the user left open, and the user's own.

    Snakemake's own output is `shown`, or the display of this package.

    The configuration is that of the folder of the run unless another is named; as many jobs run at
    a time as there are cores unless an option or a profile limits them.
    """
    known = argparse.ArgumentParser(allow_abbrev=False, add_help=False, exit_on_error=False)
    known.add_argument("--directory", "-d", type=Path, default=Path())
    known.add_argument("--configfile", "--configfiles", nargs="*")
    for position, names in enumerate(LIMITS):
        known.add_argument(*names, nargs="?", const="", dest=f"limit_{position}")
    given, _ = known.parse_known_args(options)
    _check_limits(given)
    limited = os.environ.get("SNAKEMAKE_PROFILE") is not None or any(
        value is not None for name, value in vars(given).items() if name.startswith("limit_")
    )
    found = []
    if given.configfile is None:
        found += ["--configfile", str(locations.configuration_in(given.directory).resolve())]
    if all(Path(file).is_file() for file in given.configfile or []):
        _check_folder(given.directory)
    if not limited:
        found += ["--cores", "all"]
    if not shown:
        found += ["--logger", "noneuclid"]
    # Last before the user's options, as it takes one value: a target may follow.
    snakefile = snakefile or locations.root() / "workflow/Snakefile"
    return [*found, "--snakefile", str(snakefile), *options]


def _check_limits(given):
    """Refuse fewer than one job at a time: Snakemake would wait for ever."""
    for (name, _), value in zip(LIMITS[:2], (given.limit_0, given.limit_1), strict=True):
        whole = value is not None and value.removeprefix("-").isdecimal()
        require(not whole or int(value) >= 1, f"{name} {value}: give a number of at least 1")


def _check_user():
    """Refuse to start without a user name and a home folder: Snakemake would fail without them."""
    home = os.path.expanduser("~")
    try:
        missing = "" if getpass.getuser() else "user name"
    except (KeyError, OSError):
        missing = "user name"
    missing = missing if os.path.isabs(home) else "home folder"
    remedy = "set USER, and HOME to a folder that can be written: USER=me HOME=/tmp noneuclid run"
    require(not missing, f"no {missing} is known, as of an unknown user in a container: {remedy}")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or f"{home}/.cache")
    require(
        os.access(preflight.nearest(cache / "snakemake"), os.W_OK | os.X_OK),
        f"cannot write to {cache}, where Snakemake has its cache: {remedy}",
    )


def _check_folder(folder):
    """Make the folder of a run; one that cannot be written ends in one line."""
    remedy = "give another folder (--directory)"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"cannot write to {folder}: {error.strerror}; {remedy}"
        raise InputError(text) from None
    require(os.access(folder, os.W_OK), f"cannot write to {folder}: no permission; {remedy}")
    results = folder / "results"
    require(not results.is_file(), f"{results} is a file; move it or {remedy}")
