"""The kept tables of a paper, written after a run of ``noneuclid paper --keep``.

What the run did not compute stays.
"""

import pandas as pd

from noneuclid.errors import require
from noneuclid_compare import io
from noneuclid_compare.config import yaml_checks
from noneuclid_papers.folders import CONFIG, PRINTED
from noneuclid_papers.printed import fault_comparison, published, run_metadata
from noneuclid_papers.stages import published as stage

_ROW = ["paper", *published.KEYS]
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


def keep(config, name, results, folder):
    """Write the numbers of a run, and those behind its figures, into the kept tables."""
    numbers = "paper" in config.get("published", {})
    tables = ["published/cells.tsv", "published/imitations.tsv"] if numbers else []
    for place in [*tables, *figures(config), "evaluate/runs.json"]:
        require((results / place).exists(), f"{results / place} is missing: nothing was kept")
    if numbers:
        paper = config["published"]["paper"]
        keep_numbers(paper, results / "published", folder, faults_of(paper))
    keep_figures(figures(config), name, results, folder / "figures")


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
    old = stage.read_words(path).to_dict("records") if path.is_file() else []
    rows = {row["figure"]: row for row in old}
    for file in files:
        io.write_bytes(folder / name / file.name, file.read_bytes())
        rows[f"{name}/{file.stem}"] = {"figure": f"{name}/{file.stem}"} | made
        print(f"wrote {folder / name / file.name}")
    if files:
        io.write_table(path, pd.DataFrame([rows[key] for key in sorted(rows)]))


def faults_of(paper):
    """Faults that the configurations of a paper imitate."""
    files = CONFIG.glob("*.yaml")
    found = [yaml_checks.read(path).get("published", {}) for path in files]
    entries = [e for p in found if p.get("paper") == paper for e in p.get("imitations", [])]
    return {entry["fault"] for entry in entries}


def keep_numbers(paper, results, folder, faults):
    """Write cells and imitations of a run into the kept tables.

    What the run lacks stays, except imitations of other than these faults of the paper.
    """
    reasons = stage.read_words(PRINTED / "reasons.tsv")
    path = folder / "imitations.tsv"
    kept, found = (stage.read(p, fault_comparison.WORDS) for p in (path, results / path.name))
    named = (kept["paper"] != paper) | kept["fault"].isin(faults)
    imitations = _kept_imitations(kept[named], found)
    io.write_table(path, imitations)
    path = folder / f"{paper}.tsv"
    found = stage.read(results / "cells.tsv")
    found = found[found["paper"] == paper]
    cells = _kept_cells(stage.read(path), found, imitations, reasons)
    io.write_table(path, cells)
    new = int(found["ours"].notna().sum())
    print(f"wrote {path}: {new} numbers of this run, {cells['ours'].notna().sum() - new} kept")


def _kept_cells(kept, found, imitations, reasons):
    """Cells of a paper: ours of the run where it has fits, else the kept one, judged again.

    Fits without a value replace a kept number. `kept` and `found` are tables of `published.cells`;
    `imitations` is the table of all imitations that are kept now. What is printed is taken from
    `found`: a kept number beside another printed one is dropped.
    """
    old, new = kept.set_index(_ROW), found.set_index(_ROW)
    rest = new.index[new["runs"].isna()].intersection(old.index, sort=False)
    printed = ["unit", "printed"]
    rest = rest[(old.loc[rest, printed] == new.loc[rest, printed]).all(axis=1)]
    parts = [new.drop(rest), old.loc[rest]]
    rows = pd.concat([part for part in parts if len(part)])
    rows = rows.reindex(new.index).reset_index()[found.columns]
    words = ["imitations", "status", "reason", "evidence", "ratio", "printed_ratio"]
    return published.judged(rows.drop(columns=words), reasons, imitations)[found.columns]


def _kept_imitations(kept, found):
    """Imitations of all papers: those of a run, and the kept ones that it did not repeat; judged.

    A row with one side only does not replace one with both.
    """
    names, sides = [*_ROW, "fault"], ["with_runs", "without_runs"]
    old, new = kept.set_index(names), found.set_index(names)
    whole = old.index[old[sides].notna().all(axis=1)]
    partial = new.index[new[sides].isna().any(axis=1)]
    new = new.drop(partial.intersection(whole))
    order = old.index.append(new.index.difference(old.index, sort=False))
    parts = [new, old.drop(new.index, errors="ignore")]
    rows = pd.concat([part for part in parts if len(part)] or [new])
    return fault_comparison.judged(rows.reindex(order).reset_index()[kept.columns])
