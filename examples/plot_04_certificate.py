"""
A certificate of optimality
===========================

The problem of the hyperboloid SVM is not convex. Gradient descent ends at a solution of unknown quality. The default solver
proves a lower bound of the objective: ``gap_`` is the relative distance from the global optimum.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import HyperboloidSVC

rng = np.random.default_rng(0)
X = np.concatenate([c + 0.5 * rng.normal(size=(60, 2)) for c in ([3.0, 0.0], [0.0, 0.0])])
y = np.repeat([0, 1], 60)

C_values = np.logspace(-2, 2, 9)
optimal = [HyperboloidSVC(C=C).fit(X, y) for C in C_values]
descent = [HyperboloidSVC(C=C, solver="pgd", loss="hinge", tol=1e-2).fit(X, y) for C in C_values]

print("largest proved gap:", max(float(m.gap_) for m in optimal))
excess = [float(d.objective_ / o.lower_bound_) - 1 for d, o in zip(descent, optimal, strict=True)]

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.loglog(C_values, [float(m.objective_) for m in optimal], "o-", label="global optimum")
left.loglog(C_values, [float(m.objective_) for m in descent], "x--", label="gradient descent")
left.set(xlabel="C", ylabel="objective")
left.legend()
right.semilogx(C_values, 100 * np.array(excess), "x--", color="C1")
right.set(xlabel="C", ylabel="gradient descent above the bound (%)")
plt.show()
