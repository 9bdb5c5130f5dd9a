"""
A table
=======

You have a table of measurements with a label for each row, and you know scikit-learn. This tutorial fits a hyperbolic
classifier, compares it with a Euclidean one on the same folds, and draws it.
"""

# %%
# Read and scale
# --------------
# Any array or data frame of numbers is suitable. Centre and standardise the columns first. The classifiers lift each row from the
# tangent space at the origin, so distances grow with the norm. Rows more than about ten units from the origin lose precision.
import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid import HyperbolicRandomForestClassifier, HyperboloidSVC, PoincareDiskDisplay

X, y = load_wine(return_X_y=True, as_frame=True)
names = load_wine().target_names
print(X.shape, *names)

# %%
# Fit and predict
# ---------------
# ``HyperboloidSVC`` is a support vector machine with the hyperplanes of hyperbolic space. It has a parameter ``C``, like every SVM.
X_train, X_test, y_train, y_test = train_test_split(X, names[y], stratify=y, random_state=0)
model = make_pipeline(StandardScaler(), HyperboloidSVC(C=1))
model.fit(X_train, y_train)
print("accuracy:", round(model.score(X_test, y_test), 3))
print("probabilities of the first row:", model.predict_proba(X_test[:1]).round(3))

# %%
# The problem is not convex, so the fit reports how close its solution is to the global optimum: ``gap_`` is the proven relative
# distance, for each class against the rest.
print("gap:", model[-1].gap_.max() <= 1e-6, "status:", *model[-1].status_)

# %%
# Compare
# -------
# Always compare with a Euclidean method on the same folds. Whether curvature improves accuracy depends on the data; here it does not.
methods = {
    "logistic regression": LogisticRegression(),
    "hyperboloid SVM": HyperboloidSVC(),
    "hyperbolic forest": HyperbolicRandomForestClassifier(random_state=0),
}
for name, method in methods.items():
    scores = cross_val_score(make_pipeline(StandardScaler(), method), X, y)
    print(f"{name:20} {scores.mean():.3f} ± {scores.std():.3f}")

# %%
# Draw
# ----
# A model in two dimensions can be drawn: points in the Poincaré disk, hyperplanes as arcs.
plane = make_pipeline(StandardScaler(), PCA(2)).fit(X)
points = plane.transform(X)
flat = HyperboloidSVC(C=1).fit(points, names[y])
display = PoincareDiskDisplay.from_estimator(flat, points, names[y])
plt.show()

# %%
# Next
# ----
# * Save the figure: ``display.figure_.savefig("wine.png")``. Choose a method: :doc:`/choose`. Save the model: :doc:`/own_data`.
# * For coordinates of a hyperbolic embedding, set ``chart="poincare"`` (or the chart of your file) instead of scaling.
# * A table in a file, many methods and a report: :doc:`/own_data`.
# * All parameters: :class:`noneuclid.HyperboloidSVC`.
