"""
The reference point of a Poincaré SVM
=====================================

Every hyperplane of a Poincaré SVM passes through its reference point (the cross). A convex problem determines the other degrees
of freedom. The rule that sets the reference point affects the result: ``"auto"`` tries several and keeps the one with the highest
training accuracy.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import PoincareDiskDisplay, PoincareSVC

rng = np.random.default_rng(2)
X = np.concatenate([c + 0.4 * rng.normal(size=(60, 2)) for c in ([1.6, 0.6], [0.5, 0.4])])
y = np.repeat(["far", "near"], 60)

fig, axes = plt.subplots(1, 4, figsize=(13, 3.8), layout="constrained")
rules = ("origin", "hulls", "midpoint of means", "auto")
for ax, rule in zip(axes, rules, strict=True):
    model = PoincareSVC(C=10, reference_point=rule).fit(X, y)
    title = f"{rule}: accuracy {model.score(X, y):.2f}"
    PoincareDiskDisplay.from_estimator(model, X, y, ax=ax, legend=False, title=title)
plt.show()
