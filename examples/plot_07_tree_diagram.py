"""
A hyperbolic decision tree and its cells
========================================

Each split of a hyperbolic tree is a hyperplane orthogonal to a coordinate axis. The diagram has one box for each node;
the disk shows the cells. ``export_text`` prints the same as text.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import HyperbolicDecisionTreeClassifier, TreeDisplay, export_text

rng = np.random.default_rng(0)
centres = 1.5 * np.array([[1, 0.3], [-0.5, 1], [-0.4, -0.9]])
X = np.concatenate([c + 0.5 * rng.normal(size=(50, 2)) for c in centres])
y = np.repeat(["stem", "left", "right"], 50)

tree = HyperbolicDecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
print(export_text(tree))
TreeDisplay.from_estimator(tree, X, y)
plt.show()
