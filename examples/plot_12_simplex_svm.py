"""
Support vector machines on the simplex
======================================

Compositions of three parts are points of a triangle. The three metrics measure distances towards an edge differently:
``hilbert`` is symmetric, ``funk`` and ``reverse_funk`` are not. Outlined shapes are the balls of the margin about some
training points. If the classes are separable, no ball crosses the hyperplane.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import HilbertSVC, SimplexDisplay

rng = np.random.default_rng(0)
X = np.concatenate([rng.dirichlet(a, size=30) for a in ([12, 3, 2], [3, 5, 14])])
y = np.repeat(["rich in sand", "rich in clay"], 30)
parts = ["sand", "silt", "clay"]

fig, axes = plt.subplots(1, 3, figsize=(13, 4.6))
for ax, metric in zip(axes, ("hilbert", "funk", "reverse_funk"), strict=True):
    model = HilbertSVC(metric=metric, margin="hard").fit(X, y)
    SimplexDisplay.from_estimator(
        model,
        X,
        y,
        balls=3,
        margin=True,
        part_names=parts,
        ax=ax,
        legend=False,
        title=f"{metric}: margin {model.margin_:.2f} nats",
    )
fig.tight_layout()
plt.show()
