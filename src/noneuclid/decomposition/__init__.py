"""Subspaces of hyperbolic space in which points vary most."""
