"""
Perceptrons and their mistake bounds
====================================

A perceptron makes finitely many updates if a margin separates the classes. The number of updates increases as the margin
decreases. The second-order perceptron uses the correlation of its earlier mistakes and needs fewer updates. Counts are means over
20 data sets.
"""

from itertools import product

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import HyperboloidPerceptron, PoincarePerceptron, PoincareSecondOrderPerceptron

rng = np.random.default_rng(0)
margins = np.array([0.05, 0.1, 0.2, 0.4])
kinds = {
    "first order, through the origin": PoincarePerceptron(reference_point="origin", random_state=0),
    "second order, through the origin": PoincareSecondOrderPerceptron(
        reference_point="origin", random_state=0
    ),
    "hyperboloid, any hyperplane": HyperboloidPerceptron(random_state=0),
}

updates = {name: np.zeros(len(margins)) for name in kinds}
for _, (k, margin) in product(range(20), enumerate(margins)):
    X = rng.uniform(-2, 2, size=(1000, 2))
    # Signed hyperbolic distance of a tangent vector from the line through the origin, normal (1, 1).
    r = np.linalg.norm(X, axis=1)
    distance = np.arcsinh(np.sinh(r) / r * (X.sum(axis=1) / np.sqrt(2)))
    X, y = X[abs(distance) > margin], (distance > 0)[abs(distance) > margin]
    for name, model in kinds.items():
        updates[name][k] += np.mean(model.fit(X, y).n_updates_) / 20

fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for name, counts in updates.items():
    ax.loglog(margins, counts, "o-", label=name)
ax.set(xlabel="margin (hyperbolic distance)", ylabel="updates until no mistake is left")
ax.set_xticks(margins, margins)
ax.minorticks_off()
ax.legend()
plt.show()
