"""
Does curvature improve accuracy?
================================

Hyperbolic and Euclidean classifiers on the same coordinates and folds. In the first data set sixteen branches leave a centre: a
hyperplane of hyperbolic space can separate each branch from the rest, a straight line cannot. On breast cancer, reduced to two
principal components, there is no gain. Most real data lie between the two, closer to the second (``papers/docs/curvature.md``).
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid import EuclideanSVC, HyperboloidSVC, PoincareSVC

rng = np.random.default_rng(0)
angle = np.repeat(2 * np.pi * np.arange(16) / 16, 24) + 0.05 * rng.normal(size=384)
radius = rng.uniform(0.8, 4, size=384)
branches = (
    radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]),
    np.repeat(range(16), 24),
)

X, y = load_breast_cancer(return_X_y=True)
cancer = make_pipeline(StandardScaler(), PCA(2), StandardScaler()).fit_transform(X), y

models = {
    "Euclidean SVM": EuclideanSVC(C=1),
    "Gaussian kernel": SVC(C=1),
    "Poincaré SVM": PoincareSVC(C=1),
    "hyperboloid SVM": HyperboloidSVC(C=1),
}
fig, axes = plt.subplots(1, 2, figsize=(10, 3.2), sharey=True, layout="constrained")
for ax, (title, (X, y)) in zip(
    axes, {"sixteen branches": branches, "breast cancer": cancer}.items(), strict=True
):
    for place, model in enumerate(models.values()):
        scores = cross_val_score(model, X, y)
        ax.errorbar(scores.mean(), place, xerr=scores.std(), fmt="o", capsize=3)
    ax.set(title=title, xlabel="accuracy, mean and standard deviation of five folds")
    ax.set_yticks(range(len(models)), models)
plt.show()
