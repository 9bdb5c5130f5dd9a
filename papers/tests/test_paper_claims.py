"""Claims of the papers: effects by hand, the rule, the words of the papers, page and document."""

import importlib
import math
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from paper_mirror import ROOT
from test_claims import FILES, check_place, needs_texts, plain

from noneuclid_papers.claims import comparisons as claims
from noneuclid_papers.sections.paper_claims import SECTION
from noneuclid_papers.statistics import claim_effects as effects
from noneuclid_papers.tables import paper_claims

CLAIMS = paper_claims.listed().to_dict("records")
PAGE = (ROOT / "papers/docs/findings.md").read_text()
T9 = 2.2621571628  # 97.5 % quantile of Student's t with 9 degrees of freedom


def ends(effect):
    return effect.estimate, effect.low, effect.high


def test_mean_of_ten_values_by_hand():
    values = [1.0] * 5 + [3.0] * 5
    half = T9 * math.sqrt(10 / 9) / math.sqrt(10)
    assert ends(effects.mean(values)) == pytest.approx((2.0, 2.0 - half, 2.0 + half))
    assert effects.mean(values).n == 10
    assert ends(effects.mean([4.0, 4.0])) == (4.0, 4.0, 4.0)


def test_welch_is_students_t_for_equal_variances():
    one, two = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    half = 2.7764451052 * math.sqrt(1 / 3 + 1 / 3)  # four degrees of freedom
    for found in (
        effects.difference(two, one),
        effects.difference_of_means((5.0, 2.0), (math.sqrt(1 / 3),) * 2, (3, 3)),
    ):
        assert ends(found) == pytest.approx((3.0, 3.0 - half, 3.0 + half))
    assert ends(effects.difference([1.0, 1.0], [0.5, 0.5])) == (0.5, 0.5, 0.5)
    # A sample without variance leaves the other's one degree of freedom.
    half = 12.7062047364 * 1.0
    assert ends(effects.difference([1.0, 3.0], [0.0, 0.0])) == pytest.approx(
        (2, 2 - half, 2 + half)
    )


def test_shares_by_hand():
    half = 1.9599639845 * math.sqrt(0.9 * 0.1 / 100 + 0.5 * 0.5 / 100)
    found = effects.difference_of_shares((0.9, 0.5), 100)
    assert ends(found) == pytest.approx((0.4, 0.4 - half, 0.4 + half))
    assert effects.share(0, 500).high == pytest.approx(1 - 0.025 ** (1 / 500), abs=1e-9)
    assert effects.share(500, 500).low == pytest.approx(0.025 ** (1 / 500), abs=1e-9)
    # Clopper and Pearson's interval of 5 in 10, from their tables.
    assert ends(effects.share(5, 10)) == pytest.approx((0.5, 0.1871, 0.8129), abs=5e-5)


def test_ratios_are_of_geometric_means():
    assert ends(effects.ratio([2.0, 8.0], [1.0, 4.0]))[0] == pytest.approx(2.0)
    found = effects.geometric_mean([1.0, 4.0])
    spread = math.exp(12.7062047364 * math.log(2))
    assert ends(found) == pytest.approx((2.0, 2.0 / spread, 2.0 * spread))


def test_exponent_of_a_power_law():
    sizes = np.array([1.0, 10.0, 100.0])
    assert ends(effects.exponent(sizes, 3.0 * sizes**1.5)) == pytest.approx((1.5, 1.5, 1.5))
    # Residuals 1, -2, 1 of the logarithms at -1, 0, 1: standard error √(6/1)/√2.
    sizes = np.exp([-1.0, 0.0, 1.0])
    half = 12.7062047364 * math.sqrt(6 / 2)
    found = effects.exponent(sizes, np.exp([1.0, -2.0, 1.0]))
    assert ends(found) == pytest.approx((0.0, -half, half))


@each_of(
    ("low", "high", "side", "bound", "none", "word"),
    [
        (0.1, 0.5, "above", 0, 0, "agrees"),
        (-0.1, 0.5, "above", 0, 0, "open"),
        (-0.5, -0.1, "above", 0, 0, "contradicts"),
        (0.0, 0.5, "above", 0, 0, "open"),
        (0.1, 0.5, "below", 1, 0, "agrees"),
        (1.1, 1.5, "below", 1, 0, "contradicts"),
        (-0.4, 0.4, "within", 0.5, 0, "agrees"),
        (-0.6, 0.4, "within", 0.5, 0, "open"),
        (0.6, 0.7, "within", 0.5, 0, "contradicts"),
        (-0.7, -0.6, "within", 0.5, 0, "contradicts"),
        (4.0, 6.0, "reaches", 10, 1, "agrees"),
        (3.0, 6.0, "reaches", 10, 1, "open"),
        (0.9, 6.0, "reaches", 10, 1, "open"),
        (2.0, 4.9, "reaches", 10, 1, "contradicts"),
    ],
)
def test_words_of_comparisons(low, high, side, bound, none, word):
    effect = effects.Effect((low + high) / 2, low, high, 10)
    assert effects.judge(effect, side, bound, none) == word


def test_one_counterexample_contradicts_a_theorem():
    assert effects.judge(effects.share(0, 9), "never", 0) == "agrees"
    assert effects.judge(effects.share(1, 10_000), "never", 0) == "contradicts"


@each_of(
    ("words", "verdict"),
    [
        ("a", "holds"), ("aa", "holds"), ("ao", "in part"), ("ac", "in part"),
        ("c", "does not hold"), ("co", "does not hold"),
        ("o", "cannot be tested here"), ("", "cannot be tested here"),
    ],
)  # fmt: skip
def test_verdict_of_words(words, verdict):
    names = {"a": effects.AGREES, "o": effects.OPEN, "c": effects.CONTRADICTS}
    assert effects.verdict([names[one] for one in words]) == verdict


def test_every_comparison_belongs_to_a_claim():
    names = [claim["claim"] for claim in CLAIMS]
    assert len(set(names)) == len(names)
    compared = set(claims.COMPARISONS)
    assert compared <= set(names)
    assert set(claims.PRINTED) <= compared
    for claim in CLAIMS:
        assert claim["unit"] in paper_claims.UNITS
        # What cannot be tested has neither comparisons nor a command.
        assert bool(claim["command"]) == (claim["claim"] in compared)
        for path in re.findall(r"(?:papers/)?benchmarks/\w+\.py", claim["command"]):
            assert (ROOT / path).exists()
        for name in re.findall(r"noneuclid paper (\w+)", claim["command"]):
            assert (ROOT / f"papers/config/{name}.yaml").exists()
    for paper in paper_claims.PAPERS:
        assert 5 <= sum(claim["paper"] == paper for claim in CLAIMS) <= 10


@needs_texts
@each_of("claim", CLAIMS, ids=lambda claim: claim["claim"])
def test_the_claim_is_in_the_words_of_the_paper(claim):
    text = plain(FILES[claim["paper"]].read_text(errors="replace"))
    for part in claim["quote"].split(" … "):
        assert plain(part) in text
        if claim["place"] != "abstract":
            check_place(claim["paper"], claim["place"], part)


def test_kept_comparisons_are_those_of_today():
    kept = pd.read_csv(ROOT / "papers/kept/paper_claims.tsv", sep="\t")
    pd.testing.assert_frame_equal(kept, paper_claims.compared(), check_dtype=False, rtol=1e-5)


def test_an_effect_from_its_table():
    """Mean difference of the hundred mixtures of cho2019, straight from the file."""
    lines = (ROOT / "papers/kept/figures/cho2019/pairs.tsv").read_text().splitlines()
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    gains = [
        100 * float(row["difference"])
        for row in rows
        if row["series"] == "mixture" and row["metric"] == "aupr_macro"
    ]
    (claim,) = (row for row in paper_claims.rows(["cho2019"]) if row["claim"] == "cho mixtures")
    half = 1.9842169516 * np.std(gains, ddof=1) / 10
    mean = np.mean(gains)
    expected = f"{mean:+.1f} [{mean - half:+.1f}, {mean + half:+.1f}] points, 100 mixtures"
    assert claim["measured"] == expected


def test_numbers_of_the_verdict_lines_are_those_of_the_comparisons():
    found = paper_claims.compared().set_index(["claim", "comparison"])["estimate"]
    sentence, _ = paper_claims.verdict_line("pan2023")
    assert f"Speedup: ours {found['pan 540 times', '540']:.1f}, printed 540" in sentence
    for paper in paper_claims.PAPERS:
        assert not re.search("[<>]", paper_claims.verdict_line(paper)[0])


def test_page_and_document_say_the_same():
    run = SimpleNamespace(entries={"paper_claims": {"papers": list(paper_claims.PAPERS)}})
    shown = SECTION.values(run)["papers"]
    assert [paper["name"] for paper in shown] == list(paper_claims.PAPERS)
    for paper in shown:
        assert paper["sentence"] in PAGE
        assert paper["change"] in PAGE
        for claim in paper["claims"]:
            names = ("verdict", "printed", "measured", "why")
            cells = " | ".join(claim[name].replace("|", r"\|") for name in names)
            (line,) = (one for one in PAGE.splitlines() if one.endswith(f" | {cells} |")
                       and f"“{claim['quote']}” |" in one)  # fmt: skip
            assert claim["about"] in line


def test_the_section_is_of_the_papers_of_a_configuration():
    published = {"paper": "pan2023", "kept": ["cho2019"]}
    assert SECTION.entry({"published": published}) == {"papers": ["pan2023", "cho2019"]}
    assert SECTION.entry({}) is SECTION.entry({"published": {"paper": "another"}}) is None


def test_weights_of_the_soft_margin_on_a_segment(monkeypatch):
    """Facet functions x and 4 - x at 1 and at 1/2, and at the end 0 of the segment."""
    for folder in ("papers/benchmarks", "benchmarks"):
        monkeypatch.syspath_prepend(str(ROOT / folder))
    theorems = importlib.import_module("theorems")
    at, inner, end = (np.array([x, 4 - x]) for x in (1.0, 0.5, 0.0))
    assert theorems._hilbert(at, inner) == pytest.approx(0.5 * math.log(2 * 3.5 / 3))
    assert theorems._hilbert(at, end) == math.inf
    assert theorems._euclidean(at, end) == 1.0
    for distance, words in ((theorems._hilbert, [1.0] * 5), (theorems._euclidean, [0.0] * 5)):
        assert list(theorems.soft_weights(np.random.default_rng(0), 5, distance)) == words
