"""Splits of labelled points by horospheres, and the trees that they grow.

In every module of this folder:

polar (n, d + 2) : points as `geometry.horospheres.rays` gives them
ideal (d,) : ideal point, a unit vector
codes (n,) : classes 0 to n_classes - 1
weights (n,) : of the rows, > 0
"""
