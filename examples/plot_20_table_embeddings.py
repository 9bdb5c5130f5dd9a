"""
Three embeddings of one table
=============================

Handwritten digits (600 rows, 64 columns) in the Poincaré disk. ``LiftedPCA`` is linear and has a rule for new rows. ``Hydra``
reproduces distances along the graph of neighbours. ``PoincareMap`` keeps neighbours close together.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from noneuclid import Hydra, LiftedPCA, PoincareDiskDisplay, PoincareMap

X, y = load_digits(n_class=6, return_X_y=True)
X, y = X[:600], y[:600]
embeddings = [
    LiftedPCA(chart="poincare"),
    Hydra(chart="poincare", random_state=0),
    PoincareMap(chart="poincare", random_state=0),
]
fig, axes = plt.subplots(1, 3, figsize=(12, 4.4), layout="constrained")
for ax, embedding in zip(axes, embeddings, strict=True):
    points = embedding.fit_transform(X)
    accuracy = cross_val_score(KNeighborsClassifier(), points, y).mean()
    title = f"{type(embedding).__name__}: neighbours right in {100 * accuracy:.0f} %"
    PoincareDiskDisplay.from_predictions(
        points, y, chart="poincare", ax=ax, title=title, legend=ax is axes[-1], point_size=8
    )
plt.show()
