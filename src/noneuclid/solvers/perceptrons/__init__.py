"""Perceptrons and the theorems of Pan et al. (2023) about them.

In every module of this folder:

vectors (n, d) : rows z_i
signs (n,) : labels y_i, -1 or 1, times a weight > 0 if the row has one
radius, reference_norm : R and |p| in [0, 1), Poincaré norms of the points and of the reference
margin : ε > 0, hyperbolic
limit, max_updates : updates at most
order, random_state : RandomState that draws the order of the rows, None for the given one
"""
