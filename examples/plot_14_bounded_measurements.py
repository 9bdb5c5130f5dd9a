"""
Measurements between bounds
===========================

A rate between 0 and 1, or a score between two limits, lies in a box. In the Hilbert metric of the box, a step near a facet is
longer than the same step in the middle. The boundary with the largest margin is therefore closer to the facet. Dashed lines show the
margin on both sides.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

from noneuclid import HilbertSVC, Polytope

rng = np.random.default_rng(0)
logit = np.concatenate([c + 0.45 * rng.normal(size=(60, 2)) for c in ([-3.8, 0.0], [0.8, 0.3])])
X = 1 / (1 + np.exp(-logit))
y = np.repeat([0, 1], 60)

box = Polytope.box([0, 0], [1, 1])
models = {
    "Hilbert SVM of the box": HilbertSVC(box, margin="hard"),
    "Euclidean SVM": SVC(kernel="linear", C=1e4),
}
fig, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    model.fit(X, y)
    ax.scatter(*X.T, c=y, cmap="coolwarm", s=14)
    first, second = np.meshgrid(*[np.linspace(1e-3, 1 - 1e-3, 60)] * 2)
    m = model.margin_ if hasattr(model, "margin_") else 1.0
    score = model.decision_function(np.column_stack([first.ravel(), second.ravel()]))
    ax.contour(
        first,
        second,
        score.reshape(first.shape),
        levels=[-m, 0, m],
        colors="k",
        linestyles=["--", "-", "--"],
    )
    ax.set(title=f"{name}: accuracy {model.score(X, y):.2f}", xlim=(0, 1), ylim=(0, 1))
    ax.set(xlabel="rate 1", ylabel="rate 2", aspect="equal")
plt.show()
