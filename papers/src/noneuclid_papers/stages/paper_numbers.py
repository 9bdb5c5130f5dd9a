"""The kept tables of a paper, written after a run of ``noneuclid paper --keep``."""

import pandas as pd

from noneuclid.errors import require
from noneuclid_compare import io
from noneuclid_compare.config import yaml_checks
from noneuclid_compare.jobs import locations
from noneuclid_papers.printed import fault_comparison, run_metadata, stored_results
from noneuclid_papers.stages import published

# Options of Snakemake, with their number of values, that change nothing in what is run.
HARMLESS = {"--config": 1, "--jobs": 1, "-j": 1, "--keep-going": 0, "-k": 0}
HARMLESS |= {"--profile": 1, "--workflow-profile": 1, "--rerun-incomplete": 0, "--verbose": 0}


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
    made = run_metadata.of(run_metadata.records(io.read_json(results / "evaluate/runs.json")))
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
    files = (locations.root() / "papers/config").glob("*.yaml")
    found = [yaml_checks.read(path).get("published", {}) for path in files]
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
    imitations = stored_results.imitations(kept[named], found)
    io.write_table(path, imitations)
    path = resources / f"reproduced/{paper}.tsv"
    found = published.read(results / "cells.tsv")
    found = found[found["paper"] == paper]
    cells = stored_results.cells(published.read(path), found, imitations, reasons)
    io.write_table(path, cells)
    new = int(found["ours"].notna().sum())
    print(f"wrote {path}: {new} numbers of this run, {cells['ours'].notna().sum() - new} kept")
