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
# Next
# ----
# * New cells must be placed among the old ones; two separate embeddings have unrelated coordinates. Fit
#   ``embedding = noneuclid.PoincareMap().fit(old.obsm["X_pca"])`` and a classifier on ``embedding.embedding_``, then predict
#   ``embedding.transform(new.obsm["X_pca"])``. Project the new cells on the principal components of the old ones. From files,
#   ``noneuclid predict --reference`` does this (:doc:`/own_data`).
# * Rows and labels for scikit-learn: ``X, y = noneuclid.from_anndata(adata, "bulk_labels", "obsm/X_poincare")``.
# * Many methods and embeddings on the same folds: :doc:`/own_data`.
