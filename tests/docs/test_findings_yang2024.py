"""Numbers in docs/findings.md about yang2024, from the kept tables."""

import numpy as np
import pandas as pd
from findings_text import FINDINGS, bench, plain, stated
from paper_mirror import ROOT

from noneuclid_papers.printed import fault_comparison, reproduction_status


def test_yang2024(cells):
    gaps = cells[(cells["method"] == "SDP") & (cells["metric"] == "optimality_gap")]
    gaps = gaps[(gaps["dataset"] != "karate")]
    good = gaps["status"].isin([reproduction_status.EXACT, reproduction_status.CLOSE]).sum()
    open_cells = cells[
        (cells["method"] == "SDP") & (cells["status"] == reproduction_status.HYPOTHESIS)
    ]
    is_gap = open_cells["metric"] == reproduction_status.GAP
    assert not (open_cells["dataset"] == "karate")[is_gap].any()
    part = open_cells["dataset"] != "karate"
    assert stated(r"(\d+) gaps and (\d+) scores of the SDP are hypotheses") == (
        str((part & is_gap).sum()),
        str((part & ~is_gap).sum()),
    )
    assert stated(r"(\d+) of (\d+) gaps of the SDP \(without karate\) are exact or close") == (
        str(good),
        str(len(gaps)),
    )
    near = gaps[
        ((gaps["dataset"] == "polbooks") & gaps["variant"].str.contains("one-vs-one, C"))
        | ((gaps["dataset"] == "olsson") & gaps["variant"].str.contains("one-vs-rest, C"))
    ]
    assert len(near) == 6
    assert (near["difference"].abs() <= 0.001).all()
    pgd = cells[(cells["dataset"] == "karate") & (cells["method"] == "PGD")]
    pgd = pgd[pgd["metric"] == "accuracy"]["ours"]
    low, high = stated(r"With integer labels PGD has (\d+) to (\d+) %")
    assert (round(100 * pgd.min()), round(100 * pgd.max())) == (int(low), int(high))


def test_open_cases_of_yang2024(cells):
    part = cells[(cells["paper"] == "yang2024") & (cells["status"] == reproduction_status.OUTSIDE)]
    part = part[(part["method"] == "Moment") & part["metric"].isin(["accuracy", "f1_weighted"])]
    count, most = stated(r"(\d+) scores outside, on nine data sets \(paul (\d+)\)")
    counts = part["dataset"].value_counts()
    assert (len(part), len(counts), counts["paul"]) == (int(count), 9, int(most))
    assert counts.idxmax() == "paul"
    draws = bench("yang2024_draws")
    text = stated(
        r"([\d.]+), ([\d.]+) and ([\d.]+) printed for C = 0.1, 1 and 10; ours ([\d.]+), ([\d.]+)"
        r" and ([\d.]+)"
    )
    one = draws.groupby("C").first()
    assert text == tuple(f"{x:.4f}" for x in [*one["printed"], *one["ours"]])
    spread = draws.groupby("C")["gap"].agg(np.ptp)
    low, high = stated(r"move the mean gap of the fold by ([\d.]+) to ([\d.]+);")
    assert (f"{spread.min():.3f}", f"{spread.max():.3f}") == (low, high)
    assert (draws.groupby(["C", "state"])["gap"].agg(np.ptp) == 0).all()


def test_the_moment_relaxation_without_a_bounded_region(cells, imitations):
    runs = imitations[imitations["fault"].str.endswith("no bounded region")]
    trees = {"tree 1", "tree 2", "tree 3"}
    assert set(runs["dataset"]) - trees == {"football", "olsson", "polbooks", "myeloidprogenitors"}
    gap = runs["metric"] == "optimality_gap"
    gaps, scores = runs[gap], runs[~gap]
    assert (gaps["with_status"] == reproduction_status.OUTSIDE).all()
    assert stated(r"None of (\d+) printed gaps is returned") == (str(len(gaps)),)
    found = []
    for scheme in ("one-vs-one", "one-vs-rest"):
        part = gaps[gaps["variant"].str.startswith(scheme)]
        with_it, without = (
            part[f"{side}_ours"] / part["published"] for side in ("with", "without")
        )
        nearer = ((with_it - 1).abs() < (without - 1).abs()).sum()
        found.append([nearer, len(part), f"{without.mean():.2f}", f"{with_it.mean():.2f}"])
    found[1][0] = len(part) - found[1][0]
    assert stated(
        r"One-vs-one, (\d+) of (\d+) come nearer: on average our gaps are ([\d.]+) times the"
        r" printed ones with the region and ([\d.]+) times without it\. One-vs-rest, (\d+) of (\d+)"
        r" are farther away \(([\d.]+) and ([\d.]+) times\)"
    ) == tuple(map(str, found[0] + found[1]))
    three = gaps[gaps["dataset"].isin(trees)].sort_values("dataset")
    assert stated(
        r"On the three trees they are ([\d.]+), ([\d.]+) and ([\d.]+) \(([\d.]+), ([\d.]+) and"
        r" ([\d.]+) with the region, ([\d.]+), ([\d.]+) and ([\d.]+) printed\)"
    ) == tuple(f"{x:.4f}" for x in three[["with_ours", "without_ours", "published"]].T.stack())
    letter = (ROOT / "docs/errata/yang2024.md").read_text()
    ratio = gaps["with_ours"] / gaps["published"]
    assert stated(
        r"are ([\d.]+) to ([\d.]+) times yours, and none of the (\d+) agrees", letter
    ) == (f"{ratio.min():.2f}", f"{ratio.max():.2f}", str(len(gaps)))
    before, after = (
        scores[f"{side}_status"].isin([reproduction_status.EXACT, reproduction_status.CLOSE])
        for side in ("without", "with")
    )
    outside = scores["without_status"] == reproduction_status.OUTSIDE
    counts = [(outside & after).sum(), outside.sum(), (before & ~after).sum(), before.sum()]
    assert stated(
        r"(\d+) of (\d+) scores that are outside become exact or close, and (\d+) of (\d+) that are"
        r" exact or close no longer are; in all, (\d+) of (\d+) scores agree in the region and"
        r" (\d+) without"
    ) == tuple(map(str, [*counts, before.sum(), len(scores), after.sum()]))
    kept = cells[(cells["method"] == "Moment") & (cells["metric"] == "optimality_gap")]
    open_gaps = (kept[kept["dataset"].isin(set(runs["dataset"]))]["status"] == "outside").sum()
    assert stated(
        r"\(paul \d+\), and (\d+) gaps of data sets on which .*?; (\d+) of (\d+) scores"
        r" that were outside agree, and (\d+) of (\d+) others"
    ) == tuple(map(str, [open_gaps, *counts]))


def test_faults_that_lose_numbers(imitations):
    good = {
        side: imitations[f"{side}_status"].isin(
            [reproduction_status.EXACT, reproduction_status.CLOSE]
        )
        for side in fault_comparison.SIDES
    }
    returned = imitations["verdict"] == reproduction_status.LOSES
    changed = pd.DataFrame(
        {
            "gained": good["with"] & ~good["without"],
            "lost": good["without"] & ~good["with"],
            "returned": returned,
        }
    )
    sums = changed.groupby(imitations["fault"]).sum()
    sums = sums[sums["returned"] > 0]
    assert len(sums) == 3
    words = ("moment", "the C whose row", "SVM")
    gained = changed["gained"] & imitations["fault"].isin(sums.index)
    without = imitations.loc[gained, "without_status"]
    sides = [
        (without == word).sum()
        for word in (reproduction_status.OUTSIDE, reproduction_status.NOT_JUDGED)
    ]
    assert sides[0] == returned.sum()
    moment, row, svm = (sums[sums.index.str.contains(word)].iloc[0] for word in words)
    assert stated(
        r"moment relaxation gains (\d+) numbers of yang2024 and loses (\d+), and the C whose row"
        r" the paper repeats gains (\d+) and loses (\d+); the weights of the hyperbolic"
        r" SVM of chlenski2024 gain (\d+) and lose (\d+)\. Of these (\d+) numbers (\d+)"
        r" are outside without the fault, and do not count as reproduced; the other (\d+) are not"
        r" judged"
    ) == tuple(map(str, [*moment[:2], *row[:2], *svm[:2], sums["gained"].sum(), *sides]))


def test_the_published_moment_relaxation_by_three_solvers():
    table = bench("yang2024_moment").set_index(["scheme", "C", "solver"])
    text = stated(
        r"mean of two folds is ([\d.]+) in our form, and ([\d.]+) by Clarabel and ([\d.]+) by SCS"
        r" in the form of the paper \(([\d.]+) printed\)"
    )
    part = table.loc["ovo", 0.1]
    assert text[:3] == tuple(f"{part.loc[s, 'gap']:.2f}" for s in ("ours", "clarabel", "scs"))
    assert float(text[3]) == part["printed"].iloc[0]
    groups = table.groupby(["scheme", "C"])
    low, high = groups["gap"].min(), groups["gap"].max()
    between = (low < groups["printed"].first()) & (groups["printed"].first() < high)
    assert (between.sum(), len(between)) == (5, 6)
    assert "In five of six settings the printed gap lies between" in plain(FINDINGS)


def test_gaussian_1_of_yang2024_is_found_and_the_others_are_not():
    table = bench("yang2024_mixtures")
    one = table[table["printed"] == "gaussian 1"].iloc[0]
    assert stated(
        r"Gaussian 1 of yang2024's table 1 is the mixture of the program's script with s = (\d) and"
        r" seed (\d+): the SDP has ([\d.]+) ± ([\d.]+) % and a gap of ([\d.]+), as printed"
    ) == (
        f"{one['s']:.0f}",
        str(one["seed"]),
        f"{one['SDP']:.2f}",
        f"{one['SDP_sd']:.2f}",
        f"{one['SDP_gap']:.4f}",
    )
    assert (one["SDP"], one["SDP_gap"]) == (one["SDP_printed"], one["SDP_gap_printed"])
    rest = table[table["printed"] != "gaussian 1"]
    assert set(rest["printed"]) == {"gaussian 2", "gaussian 3"}
    assert ((rest["SDP"] - rest["SDP_printed"]).abs() > 1).all()
    assert ((rest["SDP_gap"] - rest["SDP_gap_printed"]).abs() > 0.04).all()


def test_the_letter_counts_the_numbers_that_agree(cells):
    letter = plain((ROOT / "docs/errata/yang2024.md").read_text())
    part = cells[(cells["paper"] == "yang2024") & cells["status"].isin(reproduction_status.JUDGED)]
    agree = part["status"].isin([reproduction_status.EXACT, reproduction_status.CLOSE]).sum()
    assert f"Of the {len(part)} numbers that we could judge {agree} agree with yours" in letter


def test_split_of_the_images(cells, imitations):
    pooled = imitations[imitations["fault"].str.contains("training and test rows are pooled")]
    row = pooled[pooled["metric"] == "accuracy"].set_index("dataset").loc["cifar"]
    pgd = cells[(cells["dataset"] == "cifar") & (cells["method"] == "PGD")]
    pgd = pgd[pgd["metric"] == "accuracy"].set_index("variant")[["printed", "ours"]]
    text = stated(
        r"CIFAR10 has ([\d.]+) %, as printed \(([\d.]+) % for C = 0.1 and ([\d.]+) % for C = 10\);"
        r" on the test rows of CIFAR10 alone it has ([\d.]+) %"
    )
    two = pgd.loc[["one-vs-one, C=0.1", "one-vs-one, C=10"]]
    assert text[1:3] == tuple(two["printed"].str.partition(" ")[0])
    assert {text[0]} == {f"{100 * x:.1f}" for x in [*two["ours"], row["with_ours"]]}
    assert text[3] == f"{100 * row['without_ours']:.2f}"
