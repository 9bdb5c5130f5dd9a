"""Numbers in docs/hilbert.md, docs/hyperboloid_svm.md and docs/scale.md, from the benchmarks."""

import re

import pandas as pd
from findings_text import agrees, bench
from paper_mirror import ROOT

HILBERT, HYPERBOLOID, SCALE = (
    (ROOT / f"docs/{name}.md").read_text() for name in ("hilbert", "hyperboloid_svm", "scale")
)


def rows_after(text, head):
    """Cells of the table that begins with this line."""
    lines = text[text.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def integers(text):
    return tuple(int(float(part.replace(",", ""))) for part in text.split(", "))


def test_hard_margins_of_hilbert():
    kept = pd.concat([bench("hilbert_simplex"), bench("hilbert_polytope")])
    rows = rows_after(HILBERT, "| polytope | metric | n, m, d")
    assert len(rows) == 8
    for polytope, metric, sizes, ours, paper in rows:
        n, m, d = integers(sizes)
        name = metric.lower().replace(" ", "_")
        same = (kept[["n", "m", "d"]] == (n, m, d)).all(axis=1) & (kept["metric"] == name)
        assert (polytope == "simplex") == (m == d + 1)
        for solver, text in (("ours", ours), ("paper", paper)):
            if text:
                (seconds,) = kept.loc[same & (kept["solver"] == solver), "seconds"]
                assert agrees(text.removesuffix(" s"), seconds), (sizes, metric)


def test_growth_of_the_hard_margin():
    grown = bench("hilbert_growth").dropna(subset="exponent")
    polytopes = grown[grown["series"].str.endswith("tangent_polytope")]
    for solver, words in (("ours", "d are"), ("paper", "program are")):
        stated = re.search(rf"{words} ([\d.]+), ([\d.]+) and\s([\d.]+)", HILBERT).groups()
        values = polytopes.loc[polytopes["solver"] == solver, "exponent"]
        assert all(map(agrees, stated, values)), solver


def seconds_and_gap(text, row, kind):
    """Whether "12.3, gap 4e-5 left" or "more than 150" is what a row has."""
    seconds, gap, status = (row[f"{kind}{name}"] for name in ("", "_gap", "_status"))
    if status == "time limit":
        return text == f"more than {seconds:g}"
    words = text.partition(", gap ")
    if status == "inaccurate":
        assert float(words[2].removesuffix(" left")) == float(f"{gap:.2g}")
    else:
        assert not words[2]
    return agrees(words[0], seconds)


def soft(name):
    """Rows of a benchmark of soft margins, with the columns that `seconds_and_gap` reads."""
    names = {"seconds": "now", "gap": "now_gap", "status": "now_status"}
    return bench(name).rename(columns=names)


def test_soft_margins_on_the_simplex():
    kept = soft("hilbert_soft")
    kept = kept[kept["n"] == 100_000].set_index("C")
    rows = rows_after(HILBERT, "| C | radius")
    assert {float(row[0]) for row in rows} == set(kept.index)
    for c, _, now, before in rows:
        line = kept.loc[float(c)]
        assert seconds_and_gap(now, line, "now"), c
        assert seconds_and_gap(before, line, "before"), c


def test_soft_margins_in_other_polytopes():
    kept = soft("hilbert_soft_polytope")
    rows = rows_after(HILBERT, "| data | n, m, d")
    assert len(rows) == len(kept.drop_duplicates(["n", "m", "d"]))
    for _, sizes, c, now, before in rows:
        same = (kept[["n", "m", "d"]] == integers(sizes)).all(axis=1) & (kept["C"] == float(c))
        lines = [line for _, line in kept[same].iterrows()]
        for text, kind in ((now, "now"), (before, "before")):
            assert any(seconds_and_gap(text, line, kind) for line in lines), (sizes, kind)


def test_exponents_of_soft_margins():
    kept = bench("hilbert_soft_polytope").dropna(subset="exponent")
    sentence = r"n, m and d are (-?[\d.]+), (-?[\d.]+) and (-?[\d.]+) \(commit \w+: "
    sentence += r"(-?[\d.]+), (-?[\d.]+) and (-?[\d.]+)\)"
    stated = re.search(sentence, HILBERT).groups()
    assert list(kept["series"]) == ["n", "m", "d"]
    assert [float(x) for x in stated[:3]] == list(kept["exponent"].round(1))
    assert [float(x) for x in stated[3:]] == list(kept["before_exponent"].round(1))


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


def test_counts_to_components():
    kept = bench("atlas_prepare")
    for cells, size, seconds, gigabytes in rows_after(SCALE, "| cells | file | processor s"):
        part = kept[kept["cells"] == 10 ** "⁰¹²³⁴⁵⁶⁷⁸⁹".index(cells[-1])].set_index("step")
        stage = part.loc["stage acquire, all"]
        assert agrees(seconds, stage["processor_s"])
        assert agrees(gigabytes, stage["peak_mb"] / 1000)
        assert agrees(size.removesuffix(" GB"), float(part["note"].iloc[0].removesuffix(" GB")))


def test_the_largest_problems_of_the_hyperboloid_svm():
    kept = bench("hyperboloid_svm_scale").set_index(["n", "d"])["seconds"]
    stated = re.search(r"one problem \| ([\d.]+) s, process ([\d.]+) GiB", SCALE).groups()
    assert agrees(stated[0], kept[10**7, 2])
    (high,) = re.search(r"5,600 points, tol 10⁻³ \| ([\d.]+) s", SCALE).groups()
    assert agrees(high, kept[5600, 512])


def test_hard_cases_of_the_hyperboloid_svm_before_and_after():
    kept = bench("hyperboloid_hard")
    rows = rows_after(HYPERBOLOID, "| case | n, d | distance")
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
    (number,) = re.search(r"all (\d+) problems are in `hyperboloid_hard", HYPERBOLOID).groups()
    assert kept["label"].value_counts().to_dict() == dict.fromkeys(("before", "after"), int(number))


def test_margins_near_facets_before_and_after():
    kept = bench("hilbert_extremes").set_index("case")
    number, opened, short = re.search(
        r"on (\d+) random problems.*leaves\s(\d) open, (\d) far below", HILBERT, flags=re.S
    ).groups()
    line = kept.loc[f"all {number} near facets"]
    assert line["before_status"] == f"{opened} open, {short} short"
    assert line["after_status"] == "0 open, 0 short"
    less, most = re.search(r"\(([\d.]+)\swhere ([\d.]+) is attainable\)", HILBERT).groups()
    first = kept.loc["box, seed 1"]
    assert agrees(less, first["before_objective"])
    assert agrees(most, first["after_objective"])


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
