"""Certified global optimum of the hinge: branch and bound on the time coordinate of w."""
