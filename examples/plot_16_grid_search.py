"""
Pipelines and grid search
=========================

The estimators follow scikit-learn, so pipelines, grids and clones work as usual. The scale of the columns is an additional
parameter, because distances in the tangent chart grow with the norm.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from noneuclid import HyperboloidSVC

X, y = load_wine(return_X_y=True)
model = Pipeline(
    [
        ("standardize", StandardScaler()),
        ("project", PCA(2)),
        ("scale", FunctionTransformer(lambda Z, factor=1.0: factor * Z)),
        ("classify", HyperboloidSVC()),
    ]
)
scales, C_values = [0.03, 0.3, 1.0, 3.0], [1e-5, 1e-3, 0.1, 10]
grid = {"scale__kw_args": [{"factor": f} for f in scales], "classify__C": C_values}
search = GridSearchCV(model, grid, cv=3).fit(X, y)
print("best:", search.best_params_, f"accuracy {search.best_score_:.3f}")

scores = search.cv_results_["mean_test_score"].reshape(len(C_values), len(scales))
fig, ax = plt.subplots(figsize=(4.6, 4), layout="constrained")
image = ax.imshow(scores, cmap="viridis")
for (i, j), score in np.ndenumerate(scores):
    ax.text(
        j, i, f"{score:.2f}", ha="center", va="center", color="w" if score < scores.mean() else "k"
    )
ax.set_xticks(range(len(scales)), scales)
ax.set_yticks(range(len(C_values)), C_values)
ax.set(xlabel="scale of the components", ylabel="C")
fig.colorbar(image, label="accuracy of three folds")
plt.show()
