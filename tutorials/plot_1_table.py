"""
A table
=======

You have a table of measurements and a label for each row, and you know scikit-learn. This tutorial fits a hyperbolic
classifier, compares it with a Euclidean one on equal terms, and draws it.
"""

# %%
# Read and scale
# --------------
# Any array or data frame of numbers will do. Centre and standardise the columns first: the classifiers lift each row from the
# tangent space at the origin, distances grow with the norm, and rows more than about ten units from the origin leave too few digits.
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
# ``HyperboloidSVC`` is a support vector machine whose hyperplanes are those of hyperbolic space. It has ``C``, like every SVM.
X_train, X_test, y_train, y_test = train_test_split(X, names[y], stratify=y, random_state=0)
model = make_pipeline(StandardScaler(), HyperboloidSVC(C=1))
model.fit(X_train, y_train)
print("accuracy:", round(model.score(X_test, y_test), 3))
print("probabilities of the first row:", model.predict_proba(X_test[:1]).round(3))

# %%
# The problem is not convex, so the fit states how good its solution is: the relative distance from the global optimum, proved, for
# each class against the rest.
print("gap:", model[-1].gap_.max() <= 1e-6, "status:", *model[-1].status_)

# %%
# Compare
# -------
# Always beside a Euclidean method on the same folds. Whether curvature pays depends on the data; here it does not.
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
# In two dimensions the model can be seen. Points are drawn in the Poincaré disk, hyperplanes as arcs.
plane = make_pipeline(StandardScaler(), PCA(2)).fit(X)
points = plane.transform(X)
flat = HyperboloidSVC(C=1).fit(points, names[y])
display = PoincareDiskDisplay.from_estimator(flat, points, names[y])
plt.show()

# %%
# Next
# ----
# * Keep the picture: ``display.figure_.savefig("wine.png")``; keep the model, choose a method: :doc:`/choose`.
# * Coordinates from a hyperbolic embedding: give ``chart="poincare"`` (or the chart that your file has) instead of scaling.
# * The table as a file, many methods and a report: :doc:`plot_6_cluster`.
# * All parameters: :class:`noneuclid.HyperboloidSVC`.
