"""
Clusters without labels
=======================

Points of three wrapped normal distributions. ``HyperbolicKMeans`` cuts the plane halfway between Fréchet means;
``WrappedNormalMixture`` also learns the spread of each cluster, and its criterion BIC chooses their number. The regions of k-means are
those of ``NearestFrechetMeanClassifier`` with its labels.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import (
    HyperbolicKMeans,
    NearestFrechetMeanClassifier,
    PoincareDiskDisplay,
    WrappedNormalMixture,
    geometry,
)

spreads = {(0.0, 0.0): 0.05, (0.85, 0.0): 0.4, (-0.4, 0.8): 0.4}
parts = [
    geometry.random_wrapped_normal(80, mean, spread, random_state=k)
    for k, (mean, spread) in enumerate(spreads.items())
]
X, y = np.vstack(parts), np.repeat([0, 1, 2], 80)

k_means = HyperbolicKMeans(3, chart="poincare", random_state=0).fit(X)
regions = NearestFrechetMeanClassifier(chart="poincare").fit(X, k_means.labels_)
mixtures = [WrappedNormalMixture(k, chart="poincare", random_state=0).fit(X) for k in (1, 2, 3, 4)]
mixture = min(mixtures, key=lambda model: model.bic(X))
print({model.n_components: round(model.bic(X)) for model in mixtures})

fig, axes = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained")
PoincareDiskDisplay.from_predictions(X, y, ax=axes[0], legend=False, title="true")
PoincareDiskDisplay.from_estimator(
    regions, X, k_means.labels_, ax=axes[1], legend=False, title="k-means"
)
PoincareDiskDisplay.from_predictions(
    X, mixture.predict(X), ax=axes[2], legend=False, title=f"mixture of {mixture.n_components}"
)
plt.show()
