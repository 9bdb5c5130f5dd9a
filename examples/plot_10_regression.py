"""
Regression in the hyperbolic plane
==================================

Trees, forests and boosting also predict numbers. Here the target is the hyperbolic distance from a point, with noise.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import PredictionErrorDisplay, r2_score
from sklearn.model_selection import train_test_split

from noneuclid import HyperbolicHistGradientBoostingRegressor, HyperbolicRandomForestRegressor

rng = np.random.default_rng(0)
X = rng.normal(size=(600, 2))


def hyperboloid(tangent):
    r = np.linalg.norm(tangent, axis=1, keepdims=True)
    return np.hstack([np.cosh(r), tangent * np.sinh(r) / r])


place = hyperboloid(np.array([[1.0, 0.5]]))[0]
x = hyperboloid(X)
y = np.arccosh(x[:, 0] * place[0] - x[:, 1:] @ place[1:]) + 0.1 * rng.normal(size=600)

X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
fig, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
models = {
    "forest": HyperbolicRandomForestRegressor(random_state=0),
    "boosting": HyperbolicHistGradientBoostingRegressor(random_state=0),
}
for ax, (name, model) in zip(axes, models.items(), strict=True):
    predicted = model.fit(X_train, y_train).predict(X_test)
    PredictionErrorDisplay.from_predictions(
        y_test, predicted, kind="actual_vs_predicted", ax=ax, scatter_kwargs={"s": 10}
    )
    ax.set_title(f"{name}: R² = {r2_score(y_test, predicted):.2f}")
plt.show()
