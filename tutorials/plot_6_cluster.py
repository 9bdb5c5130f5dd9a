"""
A comparison, here and on a cluster
===================================

Many methods on many data sets, under one protocol, with a report at the end. The workflow needs the extra ``workflow``, and ``slurm``
for a cluster with SLURM: ``pip install 'noneuclid[workflow,slurm]'``. The commands below are typed into a shell; this page runs them in a
temporary folder.
"""

# %%
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp())


def shell(command, start="", lines=None):
    """Run a command of noneuclid as a shell would, and show what it prints from some text on."""
    print("$", command)
    words = command.split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "noneuclid", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "100"},
    )
    text = done.stdout.strip() or done.stderr.strip()  # Snakemake writes to the second
    print("\n".join(text[text.index(start) :].splitlines()[:lines]))


# %%
# A folder with a configuration
# -----------------------------
# ``--slurm`` also writes a profile for the cluster.
shell("noneuclid init mine --slurm")

# %%
# The configuration runs as it is. It names data sets, embeddings and methods; put your own table, ``.h5ad`` or graph under
# ``datasets:`` (:doc:`/own_data` has a recipe for each).
print((folder / "mine/config.yaml").read_text())

# %%
# What will it cost?
# ------------------
# Core-hours and memory, before anything runs:
folder = folder / "mine"
shell("noneuclid estimate", lines=30)

# %%
# Run it here
# -----------
# In the folder, ``noneuclid run --cores 4`` runs everything and writes ``results/report/index.html``. What is finished is kept: change the
# configuration or your code, run again, and only what depends on the change is computed. Options of Snakemake are passed on; ``--dry-run``
# counts the jobs, estimates the time, and runs none.
shell("noneuclid run --dry-run")

# %%
# Run it on a cluster
# -------------------
# Set partition and account in ``profiles/slurm/config.yaml``; then ``noneuclid run --workflow-profile slurm`` submits the jobs. Each
# asks for the memory and time that its data need, more with every attempt, and small fits share a job.
text = (folder / "profiles/slurm/config.yaml").read_text()
print(
    "\n".join(
        line for line in text.splitlines() if re.search("partition|account|^jobs|executor", line)
    )
)

# %%
# Next
# ----
# * All settings of the profile, pitfalls and measured overheads: :doc:`/cluster`.
# * All keys of a configuration: :doc:`/recipes`.
# * Use a kept model on new samples: ``noneuclid predict MODEL DATA``, :doc:`/own_data`.
