"""Stage paper: one paper from nothing to its page, and its kept tables.

Not part of the workflow: the command ``noneuclid paper`` runs it.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

from noneuclid.errors import InputError, require
from noneuclid_compare.stages import run
from noneuclid_papers.folders import CONFIG, KEPT, ROOT

QUICK = "_quick"


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.description = (
        "Runs the configuration of a paper, from the download of its data to its page."
    )
    parser.add_argument("paper", metavar="PAPER", help=f"one of {', '.join(names())}")
    whole = ", ".join(name for name in names() if not file_of(name, quick=True).is_file())
    words = f"a smaller version that takes minutes (none for {whole})"
    parser.add_argument("--quick", action="store_true", help=words)
    parser.add_argument("--cores", help="jobs that run at a time; default: all cores")
    parser.add_argument("--directory", type=Path, help="of the run; default: named after the paper")
    parser.add_argument(
        "--keep",
        action="store_true",
        help="write the numbers of the run into papers/kept",
    )
    parser.add_argument("--verbose", action="store_true", help="Snakemake's own output")
    parser.epilog = "All other options are Snakemake's, such as -n and --config mirror=FOLDER."
    parser.set_defaults(run=run_paper)


def names():
    """Names of the configurations; the quick ones belong to these."""
    found = sorted(path.stem for path in CONFIG.glob("*.yaml"))
    return [name for name in found if not name.endswith(QUICK)]


def file_of(name, quick):
    """Path that a configuration has, or would have."""
    return CONFIG / f"{name}{QUICK if quick else ''}.yaml"


def configuration_of(name, quick):
    """Path of a configuration; an unknown name ends in one line."""
    known = names()
    if name not in known:
        raise InputError(f"no paper {name!r}; there are {', '.join(known)}")
    path = file_of(name, quick)
    require(path.is_file(), f"{name} has no quick version: leave out --quick")
    return path


def run_paper(args):
    """Run the workflow; with `--keep`, write the kept tables when it has ended well."""
    path = configuration_of(args.paper, args.quick)
    directory = args.directory or Path(path.stem)
    if args.keep:
        # Not before: --help needs no package.
        from noneuclid_papers.stages import paper_numbers

        config = paper_numbers.keepable(path, args)
    options = ["--configfile", str(path.resolve()), "--directory", str(directory)]
    options += [] if args.cores is None else ["--cores", args.cores]
    # The user's options first: these end lists of values.
    line = run.line([*args.options, *options], args.verbose, ROOT / "workflow/Snakefile")
    sys.stdout.flush()
    if args.keep:
        status = status_of(line)
        if status:
            sys.exit(status)
        paper_numbers.keep(config, path.stem, directory / "results", KEPT)
    else:
        os.execv(line[0], line)


def status_of(line):
    """Exit status of the workflow; a SIGTERM for this program is one for the workflow.

    Snakemake then starts no more jobs and ends with the running ones.
    """
    with subprocess.Popen(line) as workflow:

        def stop(*_):
            print("stops when the running jobs have ended", file=sys.stderr, flush=True)
            workflow.terminate()

        before = signal.signal(signal.SIGTERM, stop)
        try:
            return workflow.wait()
        finally:
            signal.signal(signal.SIGTERM, before)
