"""Sentences of the letters, and statements of papers/docs/numbers.md, from the kept tables."""

import importlib
import re

import numpy as np
import pandas as pd
import pytest
from findings_text import bench
from paper_mirror import ROOT


@pytest.fixture(scope="module")
def kept():
    """Printed numbers beside ours, and imitations."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "papers/benchmarks"))
        findings = importlib.import_module("findings")
        yield findings.cells(), findings.imitations()


def check(paper, *sentences):
    text = re.sub(r"\s+", " ", (ROOT / f"papers/letters/{paper}.md").read_text())
    assert [sentence for sentence in sentences if sentence not in text] == []


def two(*values):
    """Percentages with two decimals."""
    return [f"{100 * value:.2f}" for value in values]


def descent():
    """Accuracies of tables 5 to 10 with each step of the program, and from shaken starts."""
    table = bench("yang2024_descent").query("metric == 'accuracy' and table != 'table_1'")
    low = table[["ours", "shaken_low"]].min(axis=1)
    high = table[["ours", "shaken_high"]].max(axis=1)
    half = 5.6e-5  # of the last digit, and the rounding of the table
    printed = table["printed"] / 100
    return table.assign(
        same=(table["ours"] - printed).abs() < half,
        inside=printed.between(low - half, high + half),
        spread=(high - low).round(5),
    )


def states():
    """Numbers of the SDP over ten states of the generator."""
    table = bench("yang2024_states")
    half = table["metric"].map({"accuracy": 5e-5, "f1_weighted": 5e-3, "optimality_gap": 5e-5})
    first = table["table"].isin(["table_5", "table_6", "table_7"])
    return table.assign(
        inside=table["printed"].between(table["low"] - half - 1e-9, table["high"] + half + 1e-9),
        spread=table["high"] - table["low"],
        scheme=np.where(first, "ovr", "ovo"),
    )


def test_gradient_descent_of_yang2024():
    table = descent()
    runs = {name: part for name, part in table.groupby("setting")}
    own, counted = runs["program"], runs["counted"]
    fixed = own[own["spread"] == 0]
    assert fixed["same"].all()
    keys = ["table", "dataset", "metric"]
    agree = fixed[keys].merge(counted, validate="one_to_one")["same"].sum()
    wide = bench("yang2024_descent").query("metric == 'accuracy'")
    wide = wide.pivot(index=["dataset", "scheme", "C", "steps"], columns="setting", values="ours")
    change = (100 * (wide["program"] - wide["counted"]).abs()).round(6)
    one = bench("yang2024_descent").query(
        "metric == 'accuracy' and setting == 'program' and table == 'table_1'"
    )
    one = one.set_index(["dataset", "steps"])
    tree, gaussian = ([one.loc[name, k] for k in (2000, 4000)] for name in ("tree_1", "gaussian_1"))
    assert tree[0]["shaken_high"] < 0.9611 < tree[1]["shaken_high"]
    pairs = [f"{' ± '.join(two(row['ours'], row['sd']))} %" for row in (*tree, *gaussian)]
    ends = [f"{' to '.join(two(row['shaken_low'], row['shaken_high']))} %" for row in tree]
    check(
        "yang2024",
        f"In {len(fixed)} of the 42 settings ten",
        f"returns it in {agree} of these {len(fixed)}",
        f"{own['same'].sum()} of your 42 accuracies",
        f"come back to the last digit, with it {counted['same'].sum()}",
        f"of {len(change)} accuracies in the table {(change > 0).sum()} change, by at most "
        f"{change.max():.1f} points",
        f"tree 1 has {pairs[0]} after 2,000 steps and {pairs[1]} after 4,000, and in ten runs "
        f"whose starts differ by 1e-13 it has {ends[0]} and {ends[1]}",
        f"Gaussian 1 has {pairs[2]} after 2,000 steps and {pairs[3]} after 4,000",
    )


def test_random_candidates_of_yang2024():
    table = states()
    scores, gaps = (table[table["metric"] == name] for name in ("accuracy", "optimality_gap"))
    most = 100 * scores.groupby("scheme")["spread"].max()
    top = scores.loc[scores["spread"].idxmax()]
    equal = (scores["inside"] & (scores["spread"] < 1e-9)).sum()
    counts = [
        part.query(f"scheme == '{scheme}'")["inside"].sum()
        for scheme in ("ovr", "ovo")
        for part in (scores, gaps)
    ]
    low, high, printed = two(top["low"], top["high"], top["printed"])
    check(
        "yang2024",
        f"moves by up to {most['ovr']:.1f} points one-vs-rest (football, C = 10: {low} to {high} %;"
        f" you print {printed} %) and by up to {most['ovo']:.1f} points one-vs-one",
        f"ours in {scores['inside'].sum()} of 42 settings of seven data sets (in {equal} of these",
        f"your gap in {gaps['inside'].sum()} of 42",
        f"One-vs-rest {counts[0]} of 21 accuracies and {counts[1]} of 21 gaps are in the range, "
        f"one-vs-one {counts[2]} and {counts[3]}",
    )


def test_counts_of_yang2024(kept):
    cells, imitations = kept
    status = cells.loc[cells["paper"] == "yang2024", "status"]
    words = ("exact", "close", "reproduced by imitation", "hypothesis", "outside")
    agree = status.isin(words[:2]).sum()
    gaps = imitations[imitations["fault"].str.endswith("no bounded region")]
    gaps = gaps[gaps["metric"] == "optimality_gap"]
    assert (gaps["with_status"] == "outside").all()
    ratio = gaps["with_ours"] / gaps["published"]
    check(
        "yang2024",
        f"Of the {status.isin(words).sum()} numbers that we could judge {agree} agree with yours",
        f"are {ratio.min():.2f} to {ratio.max():.2f} times yours, and none of the {len(gaps)}",
    )


def test_gains_of_pan2023():
    folder = ROOT / "papers/kept/figures"
    runs = pd.concat(
        pd.read_csv(folder / f"{name}/sweep.tsv", sep="\t", dtype={"value": str})
        for name in ("pan2023_figure_2", "pan2023_figure_8")
    )
    scores = ["score", "f1_macro", "train_f1_macro"]
    means = 100 * runs.groupby(["name", "value", "panel", "method"])[scores].mean()
    means = means.unstack("method")
    gains = means.xs("poincare_svm", axis=1, level=1)
    gains = (gains - means.xs("hyperboloid_svm_pgd", axis=1, level=1)).max()
    check(
        "pan2023",
        f"is {gains['score']:.2f} points of accuracy on held-out points, {gains['f1_macro']:.2f} "
        f"points of macro-F1 on held-out points, and {gains['train_f1_macro']:.2f} points of",
    )


def test_programs_of_chlenski2024():
    table = bench("chlenski2024_linear").set_index(["program", "dimension"])
    texts = []
    for program in ("LinearHSVM", "LorentzMLR"):
        ends = table.loc[program, ["least", "largest"]].to_numpy()
        parts = [f"{a:.2f} to {b:.2f}".removeprefix("100.00 to ") for a, b in ends]
        texts.append(f"{', '.join(parts[:-1])} and {parts[-1]} %")
    forests = bench("chlenski2024_forests")
    exact = (forests["trees_100"] - forests["stored"]).abs() < 1e-3
    assert (len(forests), exact.sum()) == (36, 35)
    far = bench("chlenski2024_far_points").set_index("number")
    share, worst = 100 * far["differ"], far.loc[8]
    check(
        "chlenski2024",
        f"LinearHSVM has {texts[0]} and the logistic regression {texts[1]}",
        "Of the other 36 scores, of HyperRF and of scikit-learn's tree and forest, 35",
        f"In mixture 8, {share[8]:.0f} % of the points differ",
        f"are {worst['nearest']:.1f} to {worst['farthest']:.1f} units from the origin; one is "
        f"{1 / worst['smallest']:.0f} times too small, and one {worst['largest']:.0f} times",
        f"In mixtures 0 and 2 it is {share[0]:.0f} and {share[2]:.0f} %",
    )


def test_numbers_within_the_range_of_our_runs_are_hypotheses(kept):
    cells, _ = kept
    moved = descent().query("setting == 'program'")
    for method, table, words in (
        ("SDP", states(), "On data from files the program draws"),
        ("PGD", moved, "Rounding moves this score"),
    ):
        part = cells[(cells["method"] == method) & cells["status"].isin(["hypothesis", "outside"])]
        part = part[part["table"].isin([f"table_{k}" for k in range(5, 11)])]
        part = part.merge(table[["table", "dataset", "metric", "inside"]])
        said = part["reason"].str.startswith(words)
        assert said.any()
        np.testing.assert_array_equal(said, part["inside"])


def test_what_the_findings_state_in_words(kept):
    cells, imitations = kept
    optima = bench("hyperboloid_svm_tables").query("solver == 'optimal'")
    assert optima["largest_gap"].max() < 1e-6
    figures = bench("pan2023_figures").set_index("method")
    assert figures.filter(like="weber", axis=0)["separated"].max() == 0
    ours = figures.loc[["poincare_perceptron", "hyperboloid_perceptron_c"]]
    assert (ours["separated"] == ours["datasets"]).any()
    released = bench("chlenski2024_released")
    released = released[~released["method"].str.startswith("Horo") & released["printed"].notna()]
    assert (released["same"] == "yes").all()
    walks = imitations[imitations["paper"] == "cho2019"]
    near = (walks["with_ours"] - walks["published"]).abs() <= walks["with_tolerance"]
    assert (~near).sum() == 1
    karate = cells[(cells["dataset"] == "karate") & (cells["metric"] == "optimality_gap")]
    assert not karate["status"].isin(["reproduced by imitation"]).any()
    svm = imitations[imitations["paper"] == "pan2023"].set_index("dataset")["with_ours"]
    assert two(*svm[["olsson", "cifar", "fashion-mnist"]]) == ["71.59", "47.66", "39.91"]
    mixtures = bench("yang2024_mixtures").set_index("printed")
    first = mixtures.loc["gaussian 1"]
    assert (first["s"], first["seed"], first["SDP"]) == (1, 2, first["SDP_printed"])
    assert ((mixtures["SDP"] - mixtures["SDP_printed"]).abs().drop("gaussian 1") > 1).all()
