"""
A new method
============

You have a new method and want to compare it with the others. A classifier with hyperbolic hyperplanes needs one function: the
solution of the binary problem. The base class provides charts, curvature, several classes, weights and probabilities.
"""

# %%
# Write it
# --------
# This example uses the hyperplane halfway between the means of two classes.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score

from noneuclid import BinaryFit, HyperboloidSVC, MarginClassifier, PoincareDiskDisplay


class HalfwayClassifier(MarginClassifier):
    def __init__(
        self,
        *,
        chart="tangent",
        curvature=1.0,
        multi_class="ovr",
        calibration="platt",
        class_weight=None,
        random_state=None,
    ):
        self.chart, self.curvature, self.multi_class = chart, curvature, multi_class
        self.calibration, self.class_weight = calibration, class_weight
        self.random_state = random_state

    def _fit_binary(self, points, signs, seed, weights):
        # Rows on the hyperboloid of curvature -1, time first; signs are 1 and -1; weights are None if
        # all rows weigh 1. The score of x is <coef, x>_L.
        weights = np.ones(len(signs)) if weights is None else weights
        means = [np.average(points[s], axis=0, weights=weights[s]) for s in (signs > 0, signs < 0)]
        return BinaryFit(means[0] - means[1], n_iter=1, status=None)


# %%
# Use it
# ------
rng = np.random.default_rng(0)
centres = 1.5 * np.array([[1, 0.2], [-0.4, 1], [-0.6, -0.9]])
X = np.concatenate([c + 0.6 * rng.normal(size=(60, 2)) for c in centres])
y = np.repeat(["a", "b", "c"], 60)
for model in (HalfwayClassifier(), HyperboloidSVC()):
    print(f"{type(model).__name__:18} {cross_val_score(model, X, y).mean():.3f}")

# %%
PoincareDiskDisplay.from_estimator(HalfwayClassifier().fit(X, y), X, y)
plt.show()

# %%
# Compare it with all others
# --------------------------
# Save the class in a file, ``my_method.py``, and name it in a configuration. ``noneuclid run`` then trains it on the same folds as
# every other method, and the report compares the methods.
configuration = """\
seed: 0
repeats: 2
splits: {scheme: stratified_kfold, folds: 5, small_classes: error}
search: {folds: 3, scoring: balanced_accuracy}
datasets:
  karate: {use: karate, embeddings: [hydra]}
embeddings:
  hydra: {use: hydra, params: {n_components: 2}}
methods:
  mine: {use: my_method.py:HalfwayClassifier}
  hyperboloid_svm: {use: noneuclid.HyperboloidSVC, grid: {C: [0.1, 1, 10]}}
report: {title: Mine against the others, metric: balanced_accuracy}
"""
print(configuration)

# %%
# Next
# ----
# * Add a data set, an embedding or a figure: :doc:`/add_method`.
# * For another geometry, ``use:`` can name any scikit-learn classifier.
