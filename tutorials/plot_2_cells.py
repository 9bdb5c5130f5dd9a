"""
Cells
=====

You have an AnnData of single cells. This tutorial embeds the cells in the Poincaré disk, trains a classifier for
their types on the disk, and draws both, in scanpy's manner: results are written into the AnnData.
"""

# %%
# Cells
# -----
# Seven hundred blood cells that ship with scanpy, with 50 principal components in ``obsm["X_pca"]``.
import warnings

import matplotlib.pyplot as plt
import scanpy as sc

import noneuclid

warnings.simplefilter("ignore")
adata = sc.datasets.pbmc68k_reduced()
print(adata.shape, adata.obs["bulk_labels"].nunique(), "types")

# %%
# Embed
# -----
# Poincaré maps put cells near that are neighbours along the data; no label is read. The coordinates go to ``obsm``.
noneuclid.cells.embed(adata, method="poincare_map", key_added="X_poincare")
print(adata.obsm["X_poincare"].shape)

# %%
# Draw
# ----
noneuclid.cells.plot(adata, color="bulk_labels", basis="X_poincare")
plt.show()

# %%
# Classify
# --------
# ``classify`` trains on the cells that have a label and predicts all; here a fifth of the labels is withheld first.
withheld = adata.obs_names[::5]
adata.obs["known"] = adata.obs["bulk_labels"].astype(object)
adata.obs.loc[withheld, "known"] = None
noneuclid.cells.classify(adata, "known", basis="X_poincare", key_added="predicted")
right = adata.obs.loc[withheld, "predicted"].astype(str) == adata.obs.loc[
    withheld, "bulk_labels"
].astype(str)
print("accuracy on cells without label:", round(right.mean(), 3))

# %%
# Only the points where labels were withheld are a fair test of the classifier. The embedding saw all cells, so that the test is one of
# transductive use; :class:`noneuclid.LiftedPCA` has a rule for new cells.
#
# Next
# ----
# * New cells: embed with :class:`noneuclid.LiftedPCA` and call ``transform``.
# * Rows and labels for scikit-learn: ``X, y = noneuclid.from_anndata(adata, "bulk_labels", "obsm/X_poincare")``.
# * Many methods and embeddings under one protocol: :doc:`plot_6_cluster`.
