"""
A tree in the hyperbolic plane
==============================

Hyperbolic space has room for trees: the circumference of a circle grows exponentially with its radius, and the number of nodes of
a tree grows exponentially with depth. Sarkar's construction places a binary tree so that all edges have equal length and distances
between nodes are close to those along the tree. The same tree in the Euclidean plane (classical multidimensional scaling) is distorted.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.manifold import ClassicalMDS

from noneuclid import TreeEmbedding

tree = nx.balanced_tree(2, 6)
wanted = np.asarray(nx.floyd_warshall_numpy(tree))
x = TreeEmbedding(scale=2.0, chart="hyperboloid").fit_transform(tree)
distances = np.arccosh(np.maximum(np.outer(x[:, 0], x[:, 0]) - x[:, 1:] @ x[:, 1:].T, 1)) / 2.0

flat = ClassicalMDS(2, metric="precomputed").fit_transform(wanted)
euclidean = cdist(flat, flat)

disk = TreeEmbedding(scale=0.7, chart="poincare").fit_transform(tree)
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
left.add_patch(plt.Circle((0, 0), 1, fill=False))
nx.draw(tree, dict(enumerate(disk)), ax=left, node_size=8, width=0.6)
left.set(title="127 nodes in the Poincaré disk", aspect="equal")

jitter = np.random.default_rng(0).uniform(-0.2, 0.2, size=wanted.shape)
right.plot((wanted + jitter).ravel(), euclidean.ravel(), ",", color="C1", label="Euclidean plane")
right.plot((wanted + jitter).ravel(), distances.ravel(), ",", color="C0", label="hyperbolic plane")
right.plot([0, 12], [0, 12], "k--", lw=0.8)
right.set(xlabel="distance along the tree", ylabel="distance after embedding")
right.legend(
    handles=[
        plt.Line2D([], [], marker="o", ls="", color=c, label=f"{n} plane")
        for c, n in (("C0", "hyperbolic"), ("C1", "Euclidean"))
    ],
)
plt.show()
