"""Programs of the papers as released, faults included, and their relaxations as printed.

One module for each paper. The library imports nothing of this package.
"""
