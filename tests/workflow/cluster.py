"""The SLURM cluster that answers here, if any, as tests submit to it."""

import functools
import re
import subprocess

import pytest


def ask(*command):
    """What a command of SLURM prints, or nothing where none answers."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


@functools.cache
def partition():
    """Default partition, or the first."""
    names = ask("sinfo", "--noheader", "--format", "%P").split()
    return next((n.rstrip("*") for n in sorted(names, key=lambda n: not n.endswith("*"))), None)


@functools.cache
def setting(name):
    found = re.search(rf"^{name}\s*=\s*(.*)$", ask("scontrol", "show", "config"), flags=re.M)
    return found[1].strip() if found else ""


def options(jobs=4):
    """Options of Snakemake: the profile, and what belongs to this small cluster."""
    accounted = setting("AccountingStorageType") not in ("accounting_storage/none", "(null)", "")
    return [
        "--workflow-profile",
        "workflow/profiles/slurm",
        "--default-resources",
        f"slurm_partition={partition()}",
        "mem_mb=1000",
        "runtime=30",
        "--slurm-status-command",
        "sacct" if accounted else "squeue",
        "--slurm-init-seconds-before-status-checks",
        "1",
        "--jobs",
        str(jobs),
    ]


needs_slurm = pytest.mark.skipif(partition() is None, reason="no SLURM cluster answers sinfo")
