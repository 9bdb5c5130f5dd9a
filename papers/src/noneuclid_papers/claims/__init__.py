"""Comparisons behind the claims of the papers, a module for each paper; see `comparisons`."""
