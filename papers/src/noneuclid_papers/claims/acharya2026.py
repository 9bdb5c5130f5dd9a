"""Comparisons behind the claims of acharya2026; see `claims`."""

from noneuclid_papers.claims.kept_tables import read, theorem
from noneuclid_papers.statistics import claim_effects as effects


def _growth():
    table = read("hilbert_growth")
    table = table[(table["solver"] == "paper") & (table["series"].str.endswith("polytope"))]
    for size in ("n", "m", "d"):
        part = table[table["series"].str.startswith(size)]
        growth = effects.exponent(part[size], part["seconds"])
        yield size, growth, "below", 3


COMPARISONS = {
    "acharya margin": theorem("acharya2026", "theorem 1.1"),
    "acharya program": theorem("acharya2026", "opt. 10"),
    "acharya growth": _growth,
    "acharya balls": theorem("acharya2026", "lemma 2.3"),
    "acharya representatives": theorem("acharya2026", "eq. 15"),
    "acharya soft": theorem("acharya2026", "weights of opt. 14"),
}
PRINTED = {}
