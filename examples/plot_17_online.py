"""
Learning from a stream
======================

Perceptrons learn row by row with ``partial_fit``. The curve is the accuracy on held-out points after each batch of ten,
averaged over 20 streams.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import clone

from noneuclid import PoincarePerceptron, PoincareSecondOrderPerceptron

rng = np.random.default_rng(0)


def draw(n):
    y = rng.integers(0, 2, size=n)
    return np.where(y, 1.2, -0.4)[:, None] * [1.0, 0.5] + 0.6 * rng.normal(size=(n, 2)), y


X_test, y_test = draw(2000)
models = {
    "first order": PoincarePerceptron(reference_point="origin", random_state=0),
    "second order": PoincareSecondOrderPerceptron(reference_point="origin", random_state=0),
}
curves = {name: np.zeros(30) for name in models}
for _ in range(20):
    fresh = {name: clone(model) for name, model in models.items()}
    for batch in range(30):
        X, y = draw(10)
        for name, model in fresh.items():
            model.partial_fit(X, y, classes=[0, 1])
            curves[name][batch] += model.score(X_test, y_test) / 20

fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for name, accuracy in curves.items():
    ax.plot(10 * np.arange(1, 31), accuracy, label=name)
ax.set(xlabel="rows seen", ylabel="accuracy on 2,000 new rows")
ax.legend()
plt.show()
