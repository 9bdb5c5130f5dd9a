"""
Compositions with zeros
=======================

A count of zero has no logarithm and lies infinitely far from all positive values. This tutorial compares what can replace zeros, and
reads a BIOM file.
"""

# %%
# Data
# ----
# Counts of thirty taxa in eighty samples of two diets. Depths differ, and rare taxa are often not seen.
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from noneuclid import HilbertSVC, LogRatio, ZeroReplacement

rng = np.random.default_rng(0)
means = np.tile(rng.lognormal(0, 1.5, 30), (2, 1))
means[1, 10:16] *= 3
diet = np.arange(80) % 2
counts = np.array(
    [rng.multinomial(rng.integers(50, 500), rng.dirichlet(3 * means[k])) for k in diet]
)
y = np.array(["plants", "meat"])[diet]
print(counts.shape, f"{(counts == 0).mean():.0%} zeros")

# %%
# Replace zeros
# -------------
# ``ZeroReplacement`` returns proportions. "multiplicative" puts 65 % of the smallest positive proportion in place of a zero, for any
# unit. The other methods are for counts: a zero becomes the expectation of a Dirichlet prior, so it depends on taxon and depth. In a
# pipeline, what replaces a zero is learned from training rows.
replacements = {
    "half a count added": FunctionTransformer(lambda X: X + 0.5),
    "multiplicative": ZeroReplacement(),
    "geometric prior": ZeroReplacement("geometric"),
    "square root prior": ZeroReplacement("square_root"),
}
for name, replacement in replacements.items():
    model = make_pipeline(replacement, LogRatio(chart="tangent"), LogisticRegression(C=0.1))
    print(f"{name:20} {cross_val_score(model, counts, y).mean():.3f}")

# %%
# The Hilbert metric reads the same proportions, without log-ratios.
model = make_pipeline(ZeroReplacement("square_root"), HilbertSVC(C=0.1))
print(f"{'Hilbert SVM':20} {cross_val_score(model, counts, y).mean():.3f}")

# %%
# From a BIOM file
# ----------------
# Sequencing pipelines write counts as BIOM, with a table of the samples. BIOM 1.0 is text:
folder = Path(tempfile.mkdtemp())
biom = {
    "format": "Biological Observation Matrix 1.0.0",
    "type": "Taxon table",
    "matrix_type": "sparse",
    "matrix_element_type": "int",
    "shape": counts.T.shape,
    "rows": [{"id": f"taxon{k}", "metadata": None} for k in range(30)],
    "columns": [{"id": f"s{k}", "metadata": None} for k in range(80)],
    "data": [[int(r), int(c), int(counts[c, r])] for r, c in np.argwhere(counts.T)],
}
(folder / "taxa.biom").write_text(json.dumps(biom))
lines = ["sample\tdiet", *(f"s{k}\t{label}" for k, label in enumerate(y))]
(folder / "samples.tsv").write_text("\n".join(lines))


def shell(command):
    """Run a command of noneuclid as in a shell, and print its output."""
    program = [sys.executable, "-m", "noneuclid_compare", *command.split()[1:]]
    done = subprocess.run(program, cwd=folder, check=True, capture_output=True, text=True)
    print(f"$ {command}\n{done.stdout or done.stderr}")


# %%
# ``noneuclid init`` sees that the numbers are counts, and joins the samples by name. ``noneuclid run`` in the new folder compares methods.
shell("noneuclid init taxa.biom --labels samples.tsv --label diet")
print((folder / "taxa/config.yaml").read_text().partition("# What is left out")[0])

# %%
# Next
# ----
# * Proportions, percentages and other amounts: :doc:`/own_data`.
# * What the metrics mean: :doc:`/hilbert`.
# * All replacements and their sources: :class:`noneuclid.ZeroReplacement`.
