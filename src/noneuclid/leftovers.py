"""Jobs that a killed run has left in SLURM's queue: they write what the next run makes."""

import subprocess
from pathlib import Path

from noneuclid.contracts import InputError

QUEUE = ["squeue", "--noheader", "--format=%i|%k|%Z"]
# How Snakemake begins the comment of each job that it submits.
MARK = "rule_"


def check_queue(folder):
    """Refuse a run in a folder in which jobs of an earlier one still work or wait.

    Parameters
    ----------
    folder : path
        Working directory of the run, before it has submitted a job.

    Raises
    ------
    InputError
    """
    left = submitted_from(folder)
    if left:
        raise InputError(
            f"jobs of an earlier run in this folder are still in the queue: cancel them (scancel "
            f"{' '.join(left)}) or wait for their end, and run again"
        )


def submitted_from(folder):
    """Numbers of Snakemake's jobs in the queue that work in this folder; none without a queue."""
    try:
        done = subprocess.run(QUEUE, capture_output=True, text=True, timeout=60, check=True)
    except (FileNotFoundError, subprocess.SubprocessError):
        return []
    jobs = [line.split("|", 2) for line in done.stdout.splitlines()]
    here = Path(folder).resolve()
    return [
        number
        for number, comment, place in jobs
        if comment.startswith(MARK) and Path(place).resolve() == here
    ]
