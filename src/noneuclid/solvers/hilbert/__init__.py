"""Separation in Hilbert and Funk metrics: problem in, `problem.HilbertSolution` out.

In every module of this folder:

X (n, d) : points strictly inside the polytope {x : A x + b >= 0, E x + f = 0}
A (m, d), b (m,), E (e, d), f (e,) : the polytope; e = 0 if it is full-dimensional
a (n, m) : facet values A x + b, or their logarithms `logs`
signs (n,) : -1 or 1, both present; `codes` are classes 0 to K - 1
metric : "hilbert", "funk" or "reverse_funk"
tol : wanted difference of objective and upper bound, in units of the metric
stop : maps a lower and an upper bound to whether they are close enough
load (k,) : linear term, subtracted from the weighted slacks
"""
