"""
Cells from raw counts
=====================

You have raw counts of cells of several donors with known types, and a second data set without labels. This tutorial trains on the
first file and labels the cells of the second.
"""

# %%
# Two data sets
# -------------
# The cells are simulated: four types, six donors, and depths that differ. The second data set has a new donor at half the depth, lacks
# some genes and has others.
import subprocess
import sys
import tempfile
from pathlib import Path

import anndata
import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score

rng = np.random.default_rng(0)
TYPES, GENES = np.array(["stem", "early", "late", "other"]), 120
stem = rng.normal(size=GENES)
early, other = stem + 0.5 * rng.normal(size=(2, GENES))
profiles = np.array([stem, early, early + 0.5 * rng.normal(size=GENES), other])


def cells(n_donors, depth):
    """Sixty cells of each donor, all of whose cells have the same shift of the genes."""
    kind, donor = rng.integers(4, size=60 * n_donors), np.repeat(np.arange(n_donors), 60)
    level = np.exp(profiles[kind] + 0.3 * rng.normal(size=(n_donors, GENES))[donor])
    size = depth * rng.lognormal(0, 0.5, len(kind))
    counts = rng.poisson(size[:, None] * level / level.sum(axis=1, keepdims=True))
    names = {"cell_type": TYPES[kind], "donor": [f"donor{k}" for k in donor]}
    obs = pd.DataFrame(names, index=[f"cell{k}" for k in range(len(kind))])
    var = pd.DataFrame(index=[f"gene{k}" for k in range(GENES)])
    return anndata.AnnData(counts.astype(np.float32), obs, var)


reference, query = cells(6, depth=1000), cells(1, depth=500)
query.var_names = [f"new{k}" if k < 5 else f"gene{k}" for k in range(GENES)]
truth = query.obs.pop("cell_type")
folder = Path(tempfile.mkdtemp())
reference.write_h5ad(folder / "reference.h5ad")
query.write_h5ad(folder / "query.h5ad")


def shell(command):
    """Run a command of noneuclid as in a shell, and print its output."""
    program = [sys.executable, "-m", "noneuclid_compare", *command.split()[1:]]
    done = subprocess.run(program, cwd=folder, check=True, capture_output=True, text=True)
    print(f"$ {command}\n{done.stdout or done.stderr}")


# %%
# A configuration
# ---------------
# ``noneuclid init`` recognises counts and donors. Counts are prepared by the steps of scanpy; folds leave out whole donors.
shell("noneuclid init reference.h5ad --label cell_type")
print((folder / "reference/config.yaml").read_text().partition("# What is left out")[0])

# %%
# For this page, one embedding and two methods are enough.
configuration = """
datasets:
  reference:
    use: anndata_file
    files: {data: reference.h5ad}
    params: {label: cell_type, groups: donor, counts: true, pca: {n_comps: 10}}
    embeddings: [lifted_pca]
    baselines: false
repeats: 1
splits: {scheme: stratified_group_kfold, folds: 3}
embeddings: {lifted_pca: {use: lifted_pca, params: {n_components: 5}}}
methods:
  neighbours: {use: noneuclid.GeodesicKNeighborsClassifier}
  wrapped_normal: {use: noneuclid.WrappedNormalClassifier}
"""
(folder / "config.yaml").write_text(configuration)
shell("noneuclid run --cores 2")

# %%
# The score for cells of new donors, next to that of random folds:
table = pd.read_csv(folder / "results/report/tables/random_folds.tsv", sep="\t")
print(table.to_string(index=False))

# %%
# Label the second data set
# -------------------------
# The run has kept each model, with the steps that prepare counts. Genes are found by name. Missing ones are an error, unless they get
# their means of training.
shell(
    "noneuclid predict results/models/reference/lifted_pca/neighbours.skops query.h5ad "
    "--missing-genes mean --output labels.tsv"
)
labels = pd.read_csv(folder / "labels.tsv", sep="\t", index_col="sample")
print(labels.head(3))

# %%
# Here the types are known, so the labels can be checked. ``far`` marks cells unlike all of training: their labels are guesses.
print("accuracy:", round(balanced_accuracy_score(truth, labels["predicted"]), 2))
print("far:", labels["far"].sum(), "of", len(labels))

# %%
# Next
# ----
# * In Python: ``noneuclid_compare.load_model(PATH).predict_file("query.h5ad")``.
# * Answers with a stated error rate for cells of new donors: :doc:`/tutorials/plot_03_cells`.
# * All steps and settings of counts: :doc:`/own_data`.
