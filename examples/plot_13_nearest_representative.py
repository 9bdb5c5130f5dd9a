"""
Nearest representatives of compositions
=======================================

Each class has one representative, and a new composition is assigned to the nearest one in the Hilbert metric. The boundaries
depend only on ratios of parts. The paper's representatives (``"guarantee"``) depend on the rows at the border between the classes. If
the classes overlap, as here, the mean is far more accurate.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import HilbertNearestClassifier, SimplexDisplay

rng = np.random.default_rng(0)
shapes = {"diet a": [9, 2, 2], "diet b": [2, 8, 3], "diet c": [3, 3, 9]}
X = np.concatenate([rng.dirichlet(a, size=40) for a in shapes.values()])
y = np.repeat(list(shapes), 40)

fig, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for ax, rule in zip(axes, ("mean", "guarantee"), strict=True):
    model = HilbertNearestClassifier(representative=rule).fit(X, y)
    title = f"{rule}: accuracy {model.score(X, y):.2f}"
    SimplexDisplay.from_estimator(
        model, X, y, part_names=["fibre", "fat", "sugar"], ax=ax, title=title, legend=ax is axes[0]
    )
plt.show()
