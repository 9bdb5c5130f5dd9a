"""Linear SVMs without intercept: problem in, `liblinear.LinearSolution` with a status out.

In every module of this folder:

X (n, p) : rows x_i
signs (n,) : labels y_i, -1 or 1, both present
w (p,) : normal; row i has the margin y_i w·x_i
C : float > 0, the factor of the losses
weights (n,) : factors q > 0 of the losses, None for ones
tol : wanted relative gap between objective and lower bound
"""
