"""Numbers in docs/findings.md from the kept tables of figures."""

import re

import pandas as pd
from paper_mirror import ROOT

FINDINGS = re.sub(r"\s+", " ", (ROOT / "docs/findings.md").read_text())
FOLDER = ROOT / "papers/kept/figures"


def test_each_kept_figure_has_an_origin():
    origins = pd.read_csv(FOLDER / "origins.tsv", sep="\t", dtype=str)
    files = {str(path.relative_to(FOLDER))[:-4] for path in FOLDER.glob("*/*.tsv")}
    assert set(origins["figure"]) == files
    assert not origins["commit"].str.contains("changes").any()


def test_classifiers_of_compositions():
    table = pd.read_csv(FOLDER / "acharya2026/groups.tsv", sep="\t")
    scores = 100 * table.pivot(index="dataset", columns="method", values="mean")
    text = re.search(
        r"log-ratios \(([\d.]+) % on average\) or on the parts \(([\d.]+) %; .*?, five data sets\)"
        r".*?`HilbertSVC` \(([\d.]+) %\) .*? on log-ratios \(([\d.]+) %\) on three data sets, and"
        r" than one on the parts \(([\d.]+) %\) on two",
        FINDINGS,
    ).groups()
    names = ["logistic_log_ratios", "logistic_parts", "hilbert_svm"]
    names += ["euclidean_svm_log_ratios", "euclidean_svm_parts"]
    assert list(text) == [f"{x:.1f}" for x in scores[names].mean()]
    wins = [int((scores["hilbert_svm"] > scores[name]).sum()) for name in names[3:]]
    assert (len(scores), wins) == (5, [3, 2])


def test_the_simulation_of_yang2024():
    table = pd.read_csv(FOLDER / "yang2024_simulation/pairs.tsv", sep="\t")
    gain = table[table["metric"] == "accuracy"]["difference"]
    classes = table["series"].str.extract(r"_K(\d)_", expand=False)
    text = re.search(
        r"printed: (\d+) mixtures of .*? an accuracy ([\d.]+) points below .*? it is higher on"
        r" (\d+) mixtures, equal on (\d+) and lower on (\d+)\. The mean difference is"
        r" (\S+), (\S+) and (\S+) points for 2, 3 and 5 classes",
        FINDINGS,
    ).groups()
    counts = [(gain > 0).sum(), (gain == 0).sum(), (gain < 0).sum()]
    means = 100 * gain.groupby(classes).mean()[["2", "3", "5"]]
    shown = [f"{mean:.1f}".replace("-", "−") for mean in means]
    assert list(text) == [*map(str, [len(gain), f"{-100 * gain.mean():.1f}", *counts]), *shown]
