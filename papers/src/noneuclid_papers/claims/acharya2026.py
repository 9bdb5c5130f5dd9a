"""Comparisons behind the claims of acharya2026; see `claims`."""

from noneuclid_papers.claims.kept_tables import read, statement, theorem
from noneuclid_papers.statistics import claim_effects as effects


def _growth():
    table = read("hilbert_growth")
    table = table[(table["solver"] == "paper") & (table["series"].str.endswith("polytope"))]
    for size in ("n", "m", "d"):
        part = table[table["series"].str.startswith(size)]
        growth = effects.exponent(part[size], part["seconds"])
        yield size, growth, "below", 3


def _weights():
    """The weights as printed; those by Euclidean distances are a repair of ours."""
    return (one for one in statement("acharya2026", "weights of opt. 14") if one[0] == "as printed")


COMPARISONS = {
    "acharya margin": theorem("acharya2026", "theorem 1.1"),
    "acharya program": theorem("acharya2026", "opt. 10"),
    "acharya growth": _growth,
    "acharya balls": theorem("acharya2026", "lemma 2.3"),
    "acharya representatives": theorem("acharya2026", "eq. 15"),
    "acharya soft": _weights,
}
PRINTED = {}
