"""
One model, four charts
======================

A chart is a coordinate system of hyperbolic space. The same points in four charts give the same classifier, because every
estimator converts its rows first. Use the chart in which your embedding writes its coordinates.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import HyperboloidSVC

rng = np.random.default_rng(0)
tangent = np.concatenate([c + 0.5 * rng.normal(size=(60, 2)) for c in ([1.3, 0.5], [-0.8, -0.4])])
y = np.repeat(["left", "right"], 60)[::-1]

r = np.linalg.norm(tangent, axis=1, keepdims=True)
direction = tangent / r
charts = {
    "tangent": tangent,
    "poincare": direction * np.tanh(r / 2),
    "klein": direction * np.tanh(r),
    "hyperboloid": np.hstack([np.cosh(r), direction * np.sinh(r)]),
}

fig, axes = plt.subplots(1, 4, figsize=(13, 3.6), layout="constrained")
for ax, (chart, X) in zip(axes, charts.items(), strict=True):
    model = HyperboloidSVC(C=10, chart=chart).fit(X, y)
    shown = X[:, -2:]
    ax.scatter(*shown.T, c=model.decision_function(X), cmap="coolwarm", vmin=-2, vmax=2, s=12)
    ax.set(title=f"{chart}: {X.shape[1]} columns", aspect="equal")
    print(f"{chart:12} accuracy {model.score(X, y):.3f}, normal {model.coef_.round(3)[0]}")
plt.show()
