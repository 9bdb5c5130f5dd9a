"""What earlier runs have left: jobs in SLURM's queue, results of unknown origin, models."""

import subprocess
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare import wording

QUEUE = ["squeue", "--me", "--noheader", "--format=%i|%k|%Z"]
# How Snakemake begins the comment of each job that it submits.
MARK = "rule_"


def check_queue(folder):
    """Refuse a run in a folder in which jobs of an earlier one still work or wait."""
    left = submitted_from(folder)
    if left:
        raise InputError(
            f"jobs of an earlier run in this folder are still in the queue: cancel them (scancel "
            f"{' '.join(left)}) or wait for their end, and run again"
        )


def without_records(folder):
    """Warning of results whose origin Snakemake does not know and would not check; else empty."""
    known = Path(folder) / ".snakemake/metadata"
    results = Path(folder) / "results/train"
    if not results.is_dir() or (known.is_dir() and any(known.iterdir())):
        return ""
    return (
        f"warning: {results.parent} has results, but .snakemake, which records how they were "
        "made, is missing: they are used unchanged, whatever the configuration; restore "
        ".snakemake, or run once with --forceall"
    )


def remove_models(folder, trained):
    """Delete models of an earlier run that this run does not make again; a note, or empty.

    `trained` has the data set, embedding and method of each model of the configuration.
    """
    models = Path(folder) / "results/models"
    paths = [models / data / name / f"{method}.skops" for data, name, method in trained]
    found = [path for path in paths if path.is_file()]
    for path in found:
        path.unlink()
    if not found:
        return ""
    count = wording.count(len(found), "model")
    return f"note: removed {count} of an earlier run from results/models (keep_models: false)"


def submitted_from(folder):
    """Numbers of Snakemake's jobs in the queue that work in this folder; none without a queue."""
    try:
        done = subprocess.run(QUEUE, capture_output=True, text=True, timeout=60, check=True)
    except (FileNotFoundError, subprocess.SubprocessError):
        return []
    # The comment of a user's own job may have a line break.
    jobs = [line.split("|", 2) for line in done.stdout.splitlines() if line.count("|") >= 2]
    here = Path(folder).resolve()
    return [
        number
        for number, comment, place in jobs
        if comment.startswith(MARK) and Path(place).resolve() == here
    ]
