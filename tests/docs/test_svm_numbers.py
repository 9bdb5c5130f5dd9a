"""Numbers in docs/hyperboloid_svm.md and benchmarks/hyperboloid_svm.md, from the benchmarks."""

import re

import pandas as pd
from findings_text import agrees, bench
from paper_mirror import ROOT

HYPERBOLOID, MEASURED = (
    (ROOT / f"{folder}/hyperboloid_svm.md").read_text() for folder in ("docs", "benchmarks")
)


def rows_after(text, head):
    """Cells of the table that begins with this line."""
    lines = text[text.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def integers(text):
    return tuple(int(float(part.replace(",", ""))) for part in text.split(", "))


KINDS = {
    "half of the labels positive, random, within 0.5 or 2": ("random_0.5_near", "random_0.5"),
    "a tenth positive, random, within 2": ("random_0.1",),
    "a tenth positive, random, within 1": ("random_0.1_near",),
    "a small class at the centre": ("centre",),
}


def test_shares_of_certified_seeds_on_the_light_cone():
    kept = bench("hyperboloid_cone").drop_duplicates(["kind", "n", "d", "seed"])
    name, seen = None, []
    for words, points, *cells in rows_after(HYPERBOLOID, "| kind | points | d = 6"):
        name = name if words == "the same" else words
        for d, cell in zip((6, 8, 10), cells, strict=True):
            here = (kept["n"] == integers(points)[0]) & (kept["d"] == d)
            found = kept[here & kept["kind"].isin(KINDS[name])]
            closed = found["gap"] <= 1e-6
            share, _, seconds = cell.partition(", ")
            assert share == f"{closed.sum()}/{len(found)}", (name, points, d)
            if seconds:
                most = found.loc[closed, "cpu_s"].max()
                assert most < 0.1 if seconds == "<0.1" else agrees(seconds, most)
            seen.append(found[~closed])
    assert sum(map(len, seen)) == (kept["gap"] > 1e-6).sum()
    gaps = pd.concat(seen)["gap"]
    low, high = re.search(r"stay open are (\S+) to (\S+) after", HYPERBOLOID).groups()
    assert (float(low), float(high)) == tuple(float(f"{x:.0e}") for x in (gaps.min(), gaps.max()))


def test_hard_cases_of_the_hyperboloid_svm_before_and_after():
    kept = bench("hyperboloid_hard")
    rows = rows_after(MEASURED, "| case | n, d | distance")
    for case, sizes, distance, c, *stated in rows:
        n, d = integers(sizes)
        part = kept[(kept[["n", "d"]] == (n, d)).all(axis=1) & (kept["case"] == case)]
        part = part[part["C"] == float(c)]
        part = part[abs(part["distance"] - float(distance)) < 0.1] if distance else part
        for label, gap, seconds in zip(("before", "after"), stated[::2], stated[1::2], strict=True):
            lines = part[part["label"] == label]
            assert any(
                float(gap) == float(f"{line['gap']:.1e}") and agrees(seconds, line["seconds"])
                for _, line in lines.iterrows()
            ), (case, sizes, c, label)
    (number,) = re.search(r"all (\d+) problems are in `hyperboloid_hard", MEASURED).groups()
    assert kept["label"].value_counts().to_dict() == dict.fromkeys(("before", "after"), int(number))


def test_margins_near_facets_are_certified():
    status = bench("hilbert_extremes").set_index("case")["after_status"].filter(like="near facets")
    assert len(status)
    assert set(status) == {"0 open, 0 short"}


def test_the_interior_point_method_beside_other_solvers():
    text = (ROOT / "src/noneuclid/solvers/hilbert/soft_margin_polytope.py").read_text()
    kept = bench("hilbert_slice")
    for words, solvers in (("HiGHS takes", "highs"), ("Clarabel", "clarabel")):
        least, most = re.search(rf"{words}\s([\d.]+) to ([\d.]+) times", text).groups()
        ratios = kept.loc[kept["solver"].str.startswith(solvers), "ratio"]
        assert (float(least), float(most)) == (ratios.min(), ratios.max())
        assert ratios.min() >= 3  # else the hand-written method would not be kept


def test_how_often_the_moment_relaxation_is_certified():
    table = bench("hyperboloid_svm_moment")
    certified, problems = table["certified"].sum(), table["problems"].sum()
    assert f"| certified for {certified} of {problems} problems |" in HYPERBOLOID
