"""Comparisons behind the claims of `papers/printed/paper_claims.tsv`, from the kept tables.

A module for each paper has two tables by name of the claim. `COMPARISONS` are functions that yield
(label, effect, side, bound) or (..., none), see `statistics.claim_effects`. `PRINTED` are functions
that yield the effects that the paper prints as scores, in the same unit; effects that it states in
words are in `paper_claims.tsv`. Differences of scores are in points.
"""

from noneuclid_papers.claims import acharya2026, chlenski2024, cho2019, pan2023, yang2024

_PAPERS = cho2019, pan2023, chlenski2024, yang2024, acharya2026
COMPARISONS = {name: run for paper in _PAPERS for name, run in paper.COMPARISONS.items()}
PRINTED = {name: run for paper in _PAPERS for name, run in paper.PRINTED.items()}
