"""
Classifier comparison on the Poincaré disk
==========================================

Seven classifiers on three data sets in the hyperbolic plane, after scikit-learn's own comparison. The first data set
has four classes around the origin, the second seven branches, the third a disk inside a ring. Colours are decision
regions, rings mark misclassified training points, and the number is the accuracy on held-out points.

Hyperplanes of hyperbolic space are arcs that meet the rim at right angles. The boundaries of linear Euclidean classifiers on the
same coordinates are straight lines. No hyperplane separates a disk from a ring, but trees and kernels do. No classifier is best on
all data sets. Results in two dimensions may not hold in higher dimensions.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

from noneuclid import (
    HorosphereDecisionTreeClassifier,
    HyperbolicLogisticRegression,
    HyperbolicRandomForestClassifier,
    HyperboloidSVC,
    PoincareDiskDisplay,
    PoincareSVC,
)


def to_disk(tangent):
    """Exponential map at the origin: a vector of length r goes to the radius tanh(r / 2)."""
    r = np.linalg.norm(tangent, axis=1, keepdims=True)
    return tangent * np.tanh(r / 2) / r


def blobs(rng):
    centres = 1.8 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    return np.concatenate([c + 0.8 * rng.normal(size=(50, 2)) for c in centres]), np.repeat(
        range(4), 50
    )


def branches(rng):
    angle = np.repeat(2 * np.pi * np.arange(7) / 7, 30) + 0.14 * rng.normal(size=210)
    radius = rng.uniform(0.5, 3.5, size=210)
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), np.repeat(
        range(7), 30
    )


def ring(rng):
    radius = np.concatenate([rng.uniform(0, 1.2, size=80), rng.uniform(1.0, 2.6, size=80)])
    angle = rng.uniform(0, 2 * np.pi, size=160)
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), np.repeat([0, 1], 80)


classifiers = {
    "logistic regression\n(Euclidean)": LogisticRegression(C=10),
    "SVM, Gaussian kernel\n(Euclidean)": SVC(C=10),
    "Poincaré SVM": PoincareSVC(C=10, chart="poincare"),
    "hyperboloid SVM": HyperboloidSVC(C=10, chart="poincare"),
    "hyperbolic logistic\nregression": HyperbolicLogisticRegression(C=10, chart="poincare"),
    "hyperbolic forest": HyperbolicRandomForestClassifier(
        n_estimators=50, chart="poincare", random_state=0
    ),
    "horosphere tree": HorosphereDecisionTreeClassifier(chart="poincare", random_state=0),
}

rng = np.random.default_rng(0)
fig, axes = plt.subplots(3, len(classifiers), figsize=(15, 7), layout="constrained")
for row, make in zip(axes, (blobs, branches, ring), strict=True):
    tangent, y = make(rng)
    X_train, X_test, y_train, y_test = train_test_split(
        to_disk(tangent), y, test_size=0.4, stratify=y, random_state=0
    )
    for ax, (name, classifier) in zip(row, classifiers.items(), strict=True):
        model = classifier.fit(X_train, y_train)
        PoincareDiskDisplay.from_estimator(
            model,
            X_train,
            y_train,
            chart="poincare",
            grid_resolution=120,
            ax=ax,
            legend=False,
            point_size=6,
            hyperplanes=False,
            reference_points=False,
        )
        ax.set_title(name if make is blobs else "", fontsize=10)
        ax.text(1, -1, f"{model.score(X_test, y_test):.2f}", ha="right", fontsize=10)
plt.show()
