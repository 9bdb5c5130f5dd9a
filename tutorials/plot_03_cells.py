"""
Cells
=====

You have an AnnData of single cells. This tutorial embeds the cells in the Poincaré disk, trains a classifier for
cell types on the disk, and draws both. As in scanpy, results are written into the AnnData.
"""

# %%
# Cells
# -----
# scanpy includes seven hundred blood cells, with 50 principal components in ``obsm["X_pca"]``.
import warnings

import scanpy as sc

import noneuclid

warnings.simplefilter("ignore")
adata = sc.datasets.pbmc68k_reduced()
print(adata.shape, adata.obs["bulk_labels"].nunique(), "types")

# %%
# Embed
# -----
# Poincaré maps place cells close together that are neighbours in the data. They do not use labels. The coordinates are written to ``obsm``.
noneuclid.cells.embed(adata, method="poincare_map", key_added="X_poincare")
print(adata.obsm["X_poincare"].shape)

# %%
# Draw
# ----
# As in scanpy, ``color`` names columns of ``obs`` and genes.
noneuclid.cells.plot(adata, color=["bulk_labels", "CST3"])

# %%
# Classify
# --------
# ``classify`` trains on the cells with a label and predicts all cells. Here a fifth of the labels is withheld first.
withheld = adata.obs_names[::5]
adata.obs["known"] = adata.obs["bulk_labels"].astype(object)
adata.obs.loc[withheld, "known"] = None
noneuclid.cells.classify(adata, "known", basis="X_poincare", key_added="predicted")
right = adata.obs.loc[withheld, "predicted"].astype(str) == adata.obs.loc[
    withheld, "bulk_labels"
].astype(str)
print("accuracy on cells without label:", round(right.mean(), 3))

# %%
# Only cells with withheld labels are a fair test of the classifier. The embedding was fitted on all cells, without labels, so this test
# is transductive.
#
# Transfer labels
# ---------------
# New cells must be placed among the old ones by one model, because two separate embeddings have unrelated coordinates. Genes are
# joined by name: here the new cells lack some genes and have others. Both sets are log-normalised alike, in ``raw``; ``X`` is scaled.
from sklearn.pipeline import make_pipeline

full = adata.raw.to_adata()
full.X = full.X.toarray()
old, new = full[~full.obs_names.isin(withheld), 100:], full[withheld, :-100]
genes = old.var_names.intersection(new.var_names)
print(f"{len(genes) / old.n_vars:.0%} of the genes are in common")
model = make_pipeline(noneuclid.LiftedPCA(20), noneuclid.PoincareSVC(chart="poincare"))
model.fit(old[:, genes].X, old.obs["bulk_labels"])
print("accuracy on new cells:", round(model.score(new[:, genes].X, new.obs["bulk_labels"]), 3))

# %%
# An answer with a stated error rate
# ----------------------------------
# ``ConformalClassifier`` answers "unknown" where several types are possible, so that at most 10 % of the answers are wrong. With
# ``fit(..., groups=donors)`` this holds for cells of new donors, of which nine or more are needed.
sure = noneuclid.ConformalClassifier(model, error_rate=0.1, random_state=0)
sure.fit(old[:, genes].X, old.obs["bulk_labels"])
answers = sure.predict(new[:, genes].X)
print(f"unknown: {(answers == 'unknown').mean():.0%}")
print(f"wrong: {1 - sure.score(new[:, genes].X, new.obs['bulk_labels']):.0%}")

# %%
# Next
# ----
# * From files, ``noneuclid predict`` labels new cells, also of raw counts and with missing genes (:doc:`/own_data`).
# * Rows and labels for scikit-learn: ``X, y = noneuclid.from_anndata(adata, "bulk_labels", "obsm/X_poincare")``.
# * Many methods and embeddings on the same folds: :doc:`/own_data`.
