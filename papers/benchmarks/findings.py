"""Tables of papers/docs/findings.md and papers/docs/numbers.md, from the kept tables.

    PYTHONPATH=benchmarks python papers/benchmarks/findings.py

A table replaces what is between `<!-- NAME -->` and `<!-- end -->`. One test compares the pages
with the tables (papers/tests/test_paper_findings.py). papers/kept/paper_claims.tsv gets all
comparisons behind the claims.
"""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid_papers.printed import fault_comparison, published, reproduction_status
from noneuclid_papers.stages import published as kept
from noneuclid_papers.statistics import claim_effects
from noneuclid_papers.tables import paper_claims, score_differences

ROOT = Path(__file__).resolve().parents[2]
PAGE, NUMBERS = ROOT / "papers/docs/findings.md", ROOT / "papers/docs/numbers.md"
REPRODUCED, PRINTED = ROOT / "papers/kept", ROOT / "papers/printed"
BENCHMARKS = ROOT / "benchmarks"
PAPERS = ("cho2019", "pan2023", "yang2024", "chlenski2024")
AGREE = (reproduction_status.EXACT, reproduction_status.CLOSE)
SHARES = (0.0025, 0.005, 0.0075)


def cells():
    """Printed numbers beside ours, of all papers, with the kind of their methods."""
    parts = [kept.read(REPRODUCED / f"{one}.tsv") for one in PAPERS]
    methods = kept.read_words(PRINTED / "methods.tsv")
    return score_differences.with_kinds(pd.concat(parts, ignore_index=True), methods)


def imitations():
    """Runs with and without a fault, of all papers."""
    return kept.read(REPRODUCED / "imitations.tsv", fault_comparison.WORDS)


def bench(name):
    """A table of a benchmark, of the papers or of the others."""
    own = ROOT / f"papers/benchmarks/{name}.tsv"
    path = own if own.is_file() else BENCHMARKS / f"{name}.tsv"
    return pd.read_csv(path, sep="\t", comment="#")


def markdown(head, rows):
    """A table of texts."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([str(cell).replace("|", r"\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def percent(share, digits=1):
    """A share in percent."""
    return f"{100 * share:.{digits}f} %"


def opening(table, _):
    """How near our scores are, the sentences that open the page of the report too."""
    return score_differences.opening(table)


def misses(table, _):
    """How near the scores are: proposed methods that have three or more, and baselines by paper."""
    found = score_differences.compared(table)
    own = found[found["kind"] == "own"].groupby(["paper", "method"], sort=False)
    rows = [(", ".join(key), *score_differences.shares(part)) for key, part in own if len(part) > 2]
    rest = found[found["kind"] == "baseline"].groupby("paper", sort=False)
    rows += [(f"{paper}, baselines", *score_differences.shares(part)) for paper, part in rest]
    return markdown(["method", *score_differences.HEAD[2:]], rows)


def differences(table, _):
    """How near our scores are, by paper and method."""
    return markdown(score_differences.HEAD, score_differences.rows(table))


def verdicts(table, _):
    """How many numbers of each paper have which word, baselines apart."""
    rows = []
    for kind, words in score_differences.KINDS.items():
        part = table[table["kind"] == kind]
        for paper in ("all", *PAPERS):
            status = part["status"] if paper == "all" else part[part["paper"] == paper]["status"]
            counts = [(status == word).sum() for word in reproduction_status.JUDGED]
            compared = status.isin(reproduction_status.COMPARED).sum()
            rest = [(status == word).sum() for word in reproduction_status.REST]
            rows.append([paper, words, sum(counts), *counts, compared, *rest])
    head = ["paper", "methods", "judged", "exact", "close", "by imitation", "hypothesis", "outside"]
    return markdown([*head, "compared", *reproduction_status.REST], rows)


def rates(table, _):
    """How often the words notice a wrong number."""
    powers = reproduction_status.powers(table)
    close = table[(table["status"] == reproduction_status.CLOSE) & table["unit"].isin(["%", "1"])]
    close = close[close["metric"] != reproduction_status.GAP]
    rows = []
    for shift in (reproduction_status.SHIFT, 0.01, 0.005, 0.0025):
        moved = [(close["difference"] + s).abs() > close["tolerance"] for s in (-shift, shift)]
        rows.append((f"a close score, ours moved by {shift:g}", len(close),
                     percent(np.mean(moved))))  # fmt: skip
    for name, words in (
        ("method", "another method of the row, with another printed number"),
        ("method_all", "another method of the row"),
        ("garbage", "a random number between 0 and 1, or up to 10⁶"),
    ):
        rows.append((words, powers[name][1], percent(powers[name][0], 2)))
    return markdown(["in place of ours", "numbers", "noticed"], rows)


def judged_with(table, runs, share):
    """Words of all numbers, with another share of predictions that may change."""
    table, runs, own = table.copy(), runs.copy(), reproduction_status.SHARE
    reproduction_status.SHARE = share
    for part, side in ((table, ""), *((runs, f"{side}_") for side in fault_comparison.SIDES)):
        known = part[f"{side}rows"].notna()
        names = ["metric", "unit", "printed", f"{side}rows"]
        part.loc[known, f"{side}tolerance"] = [
            reproduction_status.tolerance(
                metric, reproduction_status.half_digit(printed.partition(" ")[0], unit), rows, 0.0
            )
            for metric, unit, printed, rows in part.loc[known, names].to_numpy()
        ]
    reasons = kept.read_words(PRINTED / "reasons.tsv")
    words = ["imitations", "status", "reason", "evidence", "ratio", "printed_ratio"]
    again = fault_comparison.judged(runs)
    found = published.judged(table.drop(columns=words), reasons, again)
    reproduction_status.SHARE = own
    return found


def shares(table, runs):
    """The rates with other shares of predictions in the interval of "close"."""
    rows = []
    for share in SHARES:
        found = judged_with(table, runs, share)
        powers = reproduction_status.powers(found)
        counts = [(found["status"] == word).sum() for word in AGREE]
        # As the page says.
        assert (share <= 0.005) == (powers["method"][0] >= 0.6)
        assert powers["garbage"][0] >= 0.98
        noticed = percent(powers["method"][0]), percent(powers["garbage"][0], 2)
        rows.append((f"{100 * share:g} %", *counts, *noticed))
    head = ["share", "exact", "close", "another method noticed", "random number noticed"]
    return markdown(head, rows)


def compared(table, _):
    """p-values and times, which have no interval."""
    part = table[table["status"].isin(reproduction_status.COMPARED)]
    kinds = part["metric"].map({"p_value": "p-values", "speedup": "speedups"}).fillna("times")
    rows = []
    for (paper, kind), found in part.groupby(["paper", kinds]):
        counts = [(found["status"] == word).sum() for word in reproduction_status.COMPARED]
        chance = "–"
        if kind == "p-values":
            a, b = (found["published"] < 0.05).mean(), (found["ours"] < 0.05).mean()
            chance = percent(a * b + (1 - a) * (1 - b), 0)
        rows.append((paper, kind, len(found), *counts, chance))
    return markdown(
        ["paper", "what", "compared", *reproduction_status.COMPARED, "same side by chance"], rows
    )


def faults(_, runs):
    """What imitations of each fault return and lose."""
    runs = runs[runs["with_status"] != reproduction_status.PAIRED]
    good = {side: runs[f"{side}_status"].isin(AGREE) for side in fault_comparison.SIDES}
    counts = pd.DataFrame(
        {
            "numbers": 1,
            "gained": good["with"] & ~good["without"],
            "lost": good["without"] & ~good["with"],
            "counted": runs["verdict"].isin(reproduction_status.RETURNED),
        }
    )
    sums = counts.groupby([runs["paper"], runs["fault"]]).sum().sort_index()
    rows = [(*key, *values) for key, *values in sums.itertuples()]
    return markdown(["paper", "fault or setting", *counts], rows)


def outside(table, _):
    """Numbers that are not reproduced, by method."""
    part = table[
        table["status"].isin([reproduction_status.HYPOTHESIS, reproduction_status.OUTSIDE])
    ]
    gap = (part["metric"] == reproduction_status.GAP) | part["metric"].str.startswith("updates")
    rows = []
    for (kind, paper, method), found in part.groupby(["kind", "paper", "method"]):
        counts = [
            ((found["status"] == word) & (gap[found.index] == kind)).sum()
            for word in (reproduction_status.HYPOTHESIS, reproduction_status.OUTSIDE)
            for kind in (False, True)
        ]
        rows.append((score_differences.KINDS[kind], f"{paper}, {method}", *counts))
    rows.sort(key=lambda row: list(score_differences.KINDS.values()).index(row[0]))
    head = ["methods", "paper, method", "hypothesis: scores", "gaps or counts"]
    return markdown([*head, "outside: scores", "gaps or counts"], rows)


def optima(_, __):
    """Certified optima of five folds, and calibration by distance."""
    table = bench("hyperboloid_svm_tables").query("solver == 'optimal'")
    rows = [
        (row.set, row.problems, f"{row.largest_gap:.1e}", f"{row.seconds_a_fold:.2g}",
         f"{row.accuracy:.1f}", f"{row.accuracy_distance:.1f}")
        for row in table.itertuples()
    ]  # fmt: skip
    head = ["data", "problems", "largest gap", "seconds a fold", "accuracy", "by distance"]
    return markdown(head, rows)


def times(table, _):
    """How many times ours the times are that yang2024 prints for the moment relaxation."""
    part = table[(table["unit"] == "s") & (table["method"] == "Moment")].dropna(subset="ours")
    ratios = (part["published"] / part["ours"]).groupby(part["variant"].str.partition(",")[0])
    rows = [
        (name, len(one), *(f"{x:.0f}" for x in (one.min(), one.median(), one.max())))
        for name, one in ratios
    ]
    return markdown(["problem", "times", "least ratio", "median", "largest"], rows)


def claims(paper):
    """Function that makes the line and the table of the claims of a paper."""

    def make(_, __):
        sentence, change = paper_claims.verdict_line(paper)
        rows = [
            (f"{row['about']}: “{row['quote']}”".removeprefix(": "),
             row["place"].rpartition(" ")[2], row["verdict"], row["printed"], row["measured"],
             row["why"])
            for row in paper_claims.rows([paper])
        ]  # fmt: skip
        table = markdown(["claim", "in", "verdict", "printed", "measured", "why"], rows)
        return f"**{sentence}** Missing: {change}\n\n{table}"

    make.__name__ = f"claims {paper}"
    return make


def counted(_, __):
    """How many claims of each paper have which verdict."""
    rows = []
    for paper in paper_claims.PAPERS:
        verdicts = [row["verdict"] for row in paper_claims.rows([paper])]
        rows.append((paper, *(verdicts.count(word) for word in claim_effects.VERDICTS)))
    return markdown(["paper", *claim_effects.VERDICTS], rows)


def cost(_, __):
    """Hours of all runs, measured and estimated."""
    table = pd.read_csv(REPRODUCED / "costs.tsv", sep="\t")
    hours = table["hours"].sum()
    guessed = table.loc[table["how"] == "estimated", "hours"].sum()
    return f"{hours:.0f} hours for {len(table)} runs, {guessed:.0f} of them estimated."


TABLES = {
    PAGE: (counted, *map(claims, paper_claims.PAPERS), opening, misses, cost),
    NUMBERS: (differences, verdicts, rates, shares, compared, faults, outside, optima, times),
}


def filled(page):
    """Text of a page with the tables of today's numbers."""
    text, table, runs = page.read_text(), cells(), imitations()
    for make in TABLES[page]:
        block = f"<!-- {make.__name__} -->\n\n{make(table, runs)}\n\n<!-- end -->"
        pattern = rf"<!-- {make.__name__} -->\n.*?<!-- end -->"
        text, count = re.subn(pattern, lambda _, b=block: b, text, flags=re.S)
        assert count == 1, make.__name__
    return text


if __name__ == "__main__":
    for page in TABLES:
        page.write_text(filled(page))
    found = paper_claims.compared()
    found.to_csv(REPRODUCED / "paper_claims.tsv", sep="\t", index=False, float_format="%.6g")
