"""
A network
=========

You have a graph and labels of some nodes. This tutorial embeds the graph in the Poincaré disk and predicts labels from
the coordinates.
"""

# %%
# A graph
# -------
# Zachary's karate club has 34 members. The label is the side that a member took when the club split.
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from sklearn.model_selection import cross_val_score

import noneuclid
from noneuclid import Hydra, HyperboloidSVC, PoincareDiskDisplay

graph = nx.karate_club_graph()
sides = np.array([graph.nodes[v]["club"] for v in graph])
print(graph, dict(zip(*np.unique(sides, return_counts=True), strict=True)))

# %%
# Embed
# -----
# A transformer takes the graph itself and returns one row per node, in the order of the nodes. ``Hydra`` reproduces shortest-path
# distances.
points = Hydra(chart="poincare").fit_transform(graph)
print(points.shape, "largest norm", np.linalg.norm(points, axis=1).max().round(3))

# %%
# Classify
# --------
# Embedded coordinates have a chart. Set the same chart for the classifier.
model = HyperboloidSVC(C=10, chart="poincare")
print("accuracy:", cross_val_score(model, points, sides).mean().round(3))

# %%
PoincareDiskDisplay.from_estimator(model.fit(points, sides), points, sides)
plt.show()

# %%
# As node attributes
# ------------------
# As is usual in networkx, positions and predictions can be written to the nodes.
noneuclid.networks.embed(graph, method="poincare_embedding", key_added="position", random_state=0)
noneuclid.networks.classify(graph, "club", key_added="predicted")
print(graph.nodes[0])

# %%
# Next
# ----
# * Trees: :class:`noneuclid.TreeEmbedding` embeds them with arbitrarily small distortion.
# * Which embedding? :doc:`/gallery/plot_19_graph_embeddings` shows four on one network.
