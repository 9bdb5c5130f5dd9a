"""
Four embeddings of one network
==============================

The karate club embedded by four methods, with the accuracy of one classifier on each. ``Hydra`` reproduces shortest-path distances,
``PoincareEmbedding`` places neighbours close together, ``LaBNE`` uses the Laplacian and degrees, and ``RandomWalkEmbedding`` uses random
walks.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from sklearn.model_selection import cross_val_score

from noneuclid import (
    Hydra,
    HyperboloidSVC,
    LaBNE,
    PoincareDiskDisplay,
    PoincareEmbedding,
    RandomWalkEmbedding,
)

graph = nx.karate_club_graph()
sides = np.array([graph.nodes[v]["club"] for v in graph])
embeddings = [
    Hydra(),
    PoincareEmbedding(random_state=0),
    LaBNE(),
    RandomWalkEmbedding(random_state=0),
]
fig, axes = plt.subplots(1, 4, figsize=(13, 3.8), layout="constrained")
for ax, embedding in zip(axes, embeddings, strict=True):
    points = embedding.set_params(chart="poincare").fit_transform(graph)
    model = HyperboloidSVC(chart="poincare").fit(points, sides)
    accuracy = cross_val_score(model, points, sides).mean()
    PoincareDiskDisplay.from_estimator(
        model,
        points,
        sides,
        ax=ax,
        legend=False,
        title=f"{type(embedding).__name__}: {accuracy:.2f}",
    )
plt.show()
