"""
Splits by geodesics and by horospheres
======================================

A horosphere is a circle that touches the rim at a point at infinity, and contains the points near it. Trees with
horosphere splits suit classes that extend towards different parts of the rim. They do not depend on coordinate axes.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import (
    HorosphereDecisionTreeClassifier,
    HyperbolicDecisionTreeClassifier,
    PoincareDiskDisplay,
)

rng = np.random.default_rng(0)
angle = np.repeat(np.pi * np.array([0.25, 0.75, 1.25, 1.75]), 40) + 0.3 * rng.normal(size=160)
radius = rng.uniform(0.5, 3.5, size=160)
X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
y = np.repeat(["north-east", "north-west", "south-west", "south-east"], 40)

fig, axes = plt.subplots(1, 2, figsize=(8, 4.2), layout="constrained")
models = {
    "geodesic splits": HyperbolicDecisionTreeClassifier(max_depth=3, random_state=0),
    "horosphere splits": HorosphereDecisionTreeClassifier(max_depth=3, random_state=0),
}
for ax, (name, model) in zip(axes, models.items(), strict=True):
    model.fit(X, y)
    title = f"{name}: accuracy {model.score(X, y):.2f}"
    PoincareDiskDisplay.from_estimator(model, X, y, ax=ax, legend=False, title=title)
plt.show()
