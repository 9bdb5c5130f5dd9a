"""Solvers of the hyperboloid SVM: problem in, `problem.Solution` with a status out.

In every module of this folder:

points (n, d + 1) : on the hyperboloid of curvature -1, time coordinate first
signs (n,) : -1 or 1, both present
rows (n, d + 1) : y_i (-x_i0, x_i1, ..., x_id), so that w @ rows[i] = y_i <w,x_i>_L
w (d + 1,) : Lorentz normal (t, u), time coordinate first; spacelike, <w,w>_L >= 0
C : float > 0, the factor of the losses
weights (n,) : factors q > 0 of the losses, None for ones
radius : of the uncertainty of (27) of Yang et al. (2024), l_inf, in the tangent space at the origin
tol : wanted relative gap, or relative fall of the objective

A number § is a paragraph of docs/hyperboloid_svm.md, which derives the constants beside it.
"""
