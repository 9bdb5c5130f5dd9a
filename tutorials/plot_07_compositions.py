"""
Compositions
============

Your rows are compositions: abundances, proportions, topics. A part that falls from 1 % to 0.1 % has changed more than one that
falls from 41 % to 40.1 %. The Hilbert metric of the simplex measures this relative change.
"""

# %%
# Data
# ----
# Counts of five groups of insects in two habitats. The habitats differ in the rarest group: one in a hundred, or five. Rows must be
# positive and sum to one. A zero is infinitely far away, so add a pseudocount to the counts and divide. 0.5 is for counts. Zeros of
# proportions are replaced in another way: :doc:`/hilbert`.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from noneuclid import HilbertNearestClassifier, HilbertSVC, SimplexDisplay

rng = np.random.default_rng(0)
habitats = {"forest": [60, 30, 1, 8, 8], "meadow": [58, 30, 5, 8, 8]}
counts = np.array(
    [rng.multinomial(1000, p) for a in habitats.values() for p in rng.dirichlet(a, size=60)]
)
y = np.repeat(list(habitats), 60)
X = counts + 0.5
X /= X.sum(axis=1, keepdims=True)

# %%
# Fit
# ---
# ``margin_`` is the margin in nats (differences of logarithms). ``gap_`` is the proven distance of the objective from its bound. If
# the classes overlap, search values of ``C`` below 1 too; large values all give the same result.
model = HilbertSVC(C=1).fit(X, y)
print(f"margin {model.margin_:.4f}, gap {model.gap_:.1e}, accuracy {model.score(X, y):.3f}")

# %%
# Compare
# -------
methods = {
    "logistic regression, shares": LogisticRegression(C=10),
    "logistic regression, logarithms": None,
    "Hilbert SVM": HilbertSVC(C=1),
    "nearest representative": HilbertNearestClassifier(representative="mean"),
}
for name, method in methods.items():
    rows = X
    if method is None:
        rows, method = np.log(X) - np.log(X).mean(axis=1, keepdims=True), LogisticRegression()
    print(f"{name:32} {cross_val_score(method, rows, y).mean():.3f}")

# %%
# Draw
# ----
# Compositions of three parts can be drawn. Here these are the last three parts, divided by their sum.
three = X[:, 2:] / X[:, 2:].sum(axis=1, keepdims=True)
SimplexDisplay.from_estimator(
    HilbertSVC(C=1).fit(three, y), three, y, part_names=["bee", "moth", "fly"]
)
plt.show()

# %%
# Next
# ----
# * Measurements between known bounds, such as rates: ``HilbertSVC(Polytope.box(low, high))``, :doc:`/gallery/plot_14_bounded_measurements`.
# * What the metrics mean: :doc:`/hilbert`.
