"""Stage paper: one paper from nothing to its page, and its kept tables.

Not part of the workflow: the command ``noneuclid paper`` runs it.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd

from noneuclid.errors import InputError, require
from noneuclid.evaluation import fault_comparison, kept_tables, origins
from noneuclid.experiment import io, locations, yaml_checks
from noneuclid.stages import published, run

QUICK = "_quick"
# Options of Snakemake, with their number of values, that change nothing in what is run.
HARMLESS = {"--config": 1, "--jobs": 1, "-j": 1, "--keep-going": 0, "-k": 0}
HARMLESS |= {"--profile": 1, "--workflow-profile": 1, "--rerun-incomplete": 0, "--verbose": 0}


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
        help="write the numbers of the run into resources/reproduced of the checkout",
    )
    parser.add_argument("--verbose", action="store_true", help="Snakemake's own output")
    parser.epilog = "All other options are Snakemake's, such as -n and --config mirror=FOLDER."
    parser.set_defaults(run=run_paper)


def folder():
    """Folder of the papers' configurations."""
    return locations.root() / "config/papers"


def names():
    """Names of the configurations; the quick ones belong to these."""
    found = sorted(path.stem for path in folder().glob("*.yaml"))
    return [name for name in found if not name.endswith(QUICK)]


def file_of(name, quick):
    """Path that a configuration has, or would have."""
    return folder() / f"{name}{QUICK if quick else ''}.yaml"


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
    config = keepable(path, args) if args.keep else None
    options = ["--configfile", str(path.resolve()), "--directory", str(directory)]
    options += [] if args.cores is None else ["--cores", args.cores]
    # The user's options first: these end lists of values.
    line = run.line([*args.options, *options], args.verbose)
    sys.stdout.flush()
    if args.keep:
        status = status_of(line)
        if status:
            sys.exit(status)
        keep(config, path.stem, directory / "results", locations.root() / "resources")
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


def keepable(path, args):
    """The configuration of a run that may be kept; refuse one without numbers or no whole run."""
    config = yaml_checks.read(path)
    check_options(args.options)
    require(not args.quick, "--keep needs the whole run: leave out --quick")
    found = "paper" in config.get("published", {}) or figures(config)
    require(found, f"{args.paper} has no printed number and no figure of scores: leave out --keep")
    require(
        not locations.PACKAGED.is_dir(),
        "--keep writes into a checkout of the repository; this package is an installed one",
    )
    return config


def check_options(options):
    """Refuse options of Snakemake with which a run may be another than the configuration's.

    Examples
    --------
    >>> check_options(["--config", "mirror=here", "--jobs=2"])
    >>> check_options(["--config", "mirror=here", "repeats=1"])
    Traceback (most recent call last):
    noneuclid.errors.InputError: --keep needs the run of the configuration: leave out repeats=1
    """
    name, left = "", 0
    for option in options:
        if option.startswith("-"):
            name, *values = option.split("=", maxsplit=1)
            left = HARMLESS.get(name, -1)
        else:
            values = [option]
        if name == "--config":
            fits = all(value.startswith("mirror=") for value in values)
        else:
            left -= len(values)
            fits = left >= 0
        require(fits, f"--keep needs the run of the configuration: leave out {option}")


def keep(config, name, results, resources):
    """Write the numbers of a run, and those behind its figures, into the kept tables."""
    numbers = "paper" in config.get("published", {})
    tables = ["published/cells.tsv", "published/imitations.tsv"] if numbers else []
    for place in [*tables, *figures(config), "evaluate/runs.json"]:
        require((results / place).exists(), f"{results / place} is missing: nothing was kept")
    if numbers:
        paper = config["published"]["paper"]
        keep_numbers(paper, results / "published", resources, faults_of(paper))
    keep_figures(figures(config), name, results, resources / "reproduced/figures")


def figures(config):
    """Places of the tables behind figures of scores, in the results: files, or folders of them.

    Examples
    --------
    >>> figures({"report": {"sweep": "^a"}, "illustrations": {"b": {"scores": True}, "c": {}}})
    ['report/figures/sweep.tsv', 'report/figures/b']
    """
    found = ["report/figures/sweep.tsv"] if "sweep" in config.get("report", {}) else []
    found += ["study/pairs.tsv"] if "study" in config else []
    sections = config.get("illustrations", {}).items()
    return found + [f"report/figures/{name}" for name, entry in sections if entry.get("scores")]


def keep_figures(places, name, results, folder):
    """Copy the tables of figures into the folder `name`; `origins.tsv` says what made them."""
    files = []
    for place in (results / place for place in places):
        files += sorted(place.glob("*.tsv")) if place.is_dir() else [place]
    made = origins.of(origins.records(io.read_json(results / "evaluate/runs.json")))
    path = folder / "origins.tsv"
    old = published.read_words(path).to_dict("records") if path.is_file() else []
    rows = {row["figure"]: row for row in old}
    for file in files:
        io.write_bytes(folder / name / file.name, file.read_bytes())
        rows[f"{name}/{file.stem}"] = {"figure": f"{name}/{file.stem}"} | made
        print(f"wrote {folder / name / file.name}")
    if files:
        io.write_table(path, pd.DataFrame([rows[key] for key in sorted(rows)]))


def faults_of(paper):
    """Faults that the configurations of a paper imitate."""
    found = [yaml_checks.read(path).get("published", {}) for path in folder().glob("*.yaml")]
    entries = [e for p in found if p.get("paper") == paper for e in p.get("imitations", [])]
    return {entry["fault"] for entry in entries}


def keep_numbers(paper, results, resources, faults):
    """Write cells and imitations of a run into the kept tables.

    What the run lacks stays, except imitations of other than these faults of the paper.
    """
    reasons = published.read_words(resources / "published/reasons.tsv")
    path = resources / "reproduced/imitations.tsv"
    kept, found = (published.read(p, fault_comparison.WORDS) for p in (path, results / path.name))
    named = (kept["paper"] != paper) | kept["fault"].isin(faults)
    imitations = kept_tables.imitations(kept[named], found)
    io.write_table(path, imitations)
    path = resources / f"reproduced/{paper}.tsv"
    found = published.read(results / "cells.tsv")
    found = found[found["paper"] == paper]
    cells = kept_tables.cells(published.read(path), found, imitations, reasons)
    io.write_table(path, cells)
    new = int(found["ours"].notna().sum())
    print(f"wrote {path}: {new} numbers of this run, {cells['ours'].notna().sum() - new} kept")
