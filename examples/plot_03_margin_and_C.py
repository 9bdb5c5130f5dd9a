"""
What C does in a hyperbolic SVM
===============================

As in every soft-margin SVM, a small ``C`` gives a wide margin and a large ``C`` a narrow one. The curves next to the
hyperplane have a constant hyperbolic distance from it. They are not geodesics, and they meet its ends on the rim.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import HyperboloidSVC, PoincareDiskDisplay

rng = np.random.default_rng(1)
X = np.concatenate([c + 0.6 * rng.normal(size=(40, 2)) for c in ([1.2, 0.8], [-0.6, 0.2])])
y = np.repeat(["a", "b"], 40)

fig, axes = plt.subplots(1, 3, figsize=(11, 4), layout="constrained")
for ax, C in zip(axes, (0.01, 0.1, 10), strict=True):
    model = HyperboloidSVC(C=C).fit(X, y)
    w = model.coef_[0]
    margin = np.arcsinh(1 / np.sqrt(w[1:] @ w[1:] - w[0] ** 2))  # where <w, x>_L = 1
    PoincareDiskDisplay.from_estimator(
        model, X, y, margins=margin, ax=ax, legend=False, title=f"C = {C}: margin {margin:.2f}"
    )
plt.show()
