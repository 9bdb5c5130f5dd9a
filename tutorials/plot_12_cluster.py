"""
A comparison, here and on a cluster
===================================

The workflow compares many methods on many data sets, on the same folds, and writes a report. It needs the extra ``workflow``, and
``slurm`` for a cluster with SLURM (:doc:`/install`). Type the commands below into a shell; this page ran them in a temporary folder.
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
    """Run a command of noneuclid as in a shell, and print its output, beginning at `start`."""
    print("$", command)
    words = command.split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "noneuclid_compare", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "100"},
    )
    text = done.stdout.strip() or done.stderr.strip()  # Snakemake writes to stderr
    print("\n".join(text[text.index(start) :].splitlines()[:lines]))


# %%
# A folder with a configuration
# -----------------------------
# ``--slurm`` also writes a profile for the cluster.
shell("noneuclid init mine --slurm")

# %%
# The configuration runs unchanged. It lists data sets, embeddings and methods. Add your own table, ``.h5ad`` or graph under
# ``datasets:`` (:doc:`/own_data` has an example for each).
print((folder / "mine/config.yaml").read_text())

# %%
# Estimate the cost
# -----------------
# ``noneuclid estimate`` prints jobs and memory before the run:
folder = folder / "mine"
shell("noneuclid estimate", lines=30)

# %%
# Run it here
# -----------
# In the folder, ``noneuclid run --cores 4`` runs everything and writes ``results/report/index.html``. What is finished is kept: change the
# configuration or your code, run again, and only what depends on the change is computed. Options of Snakemake are passed on; ``--dry-run``
# counts the jobs and runs none.
shell("noneuclid run --dry-run")

# %%
# Run it on a cluster
# -------------------
# Set the partition and account in ``profiles/slurm/config.yaml``. ``noneuclid run --workflow-profile slurm`` then submits the jobs. Each
# job requests the memory and time that its data need, and more with every attempt. Short fits share a job.
text = (folder / "profiles/slurm/config.yaml").read_text()
print(
    "\n".join(
        line for line in text.splitlines() if re.search("partition|account|^jobs|executor", line)
    )
)

# %%
# Next
# ----
# * All settings of the profile and known problems: :doc:`/cluster`.
# * All keys of a configuration: :doc:`/recipes`.
# * How to read the report: :doc:`/read_report`.
# * Label new samples with a kept model: ``noneuclid predict MODEL DATA``, :doc:`/own_data`.
