"""
Tree, forest, extra trees, boosting
===================================

One tree and three ensembles of hyperbolic trees on one data set. They are scikit-learn's own, trained on the hyperbolic
coordinate along each axis, so speed and parameters are those of scikit-learn. With ``response_method="predict_proba"``, the
colour is stronger for higher probabilities.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import (
    HyperbolicDecisionTreeClassifier,
    HyperbolicExtraTreesClassifier,
    HyperbolicHistGradientBoostingClassifier,
    HyperbolicRandomForestClassifier,
    PoincareDiskDisplay,
)

rng = np.random.default_rng(3)
radius = np.tile(rng.uniform(0.2, 3.0, size=80), 2)
angle = 1.5 * radius + np.repeat([0, np.pi], 80) + 0.25 * rng.normal(size=160)
X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
y = np.repeat(["arm 1", "arm 2"], 80)

models = {
    "one tree": HyperbolicDecisionTreeClassifier(random_state=0),
    "random forest": HyperbolicRandomForestClassifier(random_state=0),
    "extra trees": HyperbolicExtraTreesClassifier(random_state=0),
    "boosting": HyperbolicHistGradientBoostingClassifier(min_samples_leaf=5, random_state=0),
}
fig, axes = plt.subplots(1, 4, figsize=(13, 3.6), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    PoincareDiskDisplay.from_estimator(
        model.fit(X, y),
        X,
        y,
        response_method="predict_proba",
        grid_resolution=160,
        ax=ax,
        legend=False,
        point_size=16,
        title=name,
    )
plt.show()
