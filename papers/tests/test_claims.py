"""Sentences that find a fault in a paper: their evidence, and the words of the paper."""

import os
import re
from pathlib import Path

import pytest
from cases import each_of
from paper_mirror import ROOT

from noneuclid_papers.stages.published import read_words

TEXTS = Path(os.environ.get("NONEUCLID_PAPERS") or ROOT.parent / "shared/papers")
FILES = {
    name: next(iter(TEXTS.glob(f"{number:03}_*.txt")), None)
    for number, name in enumerate(
        ("pan2023", "acharya2026", "chlenski2024", "cho2019", "yang2024"),
    )
}
needs_texts = pytest.mark.skipif(
    not all(FILES.values()),
    reason=f"no texts of the papers in {TEXTS}: set NONEUCLID_PAPERS to the folder that holds them",
)
QUOTATIONS = read_words(ROOT / "papers/printed/quotations.tsv")
CLAIMS = read_words(ROOT / "papers/printed/claims.tsv").to_dict("records")
STATUSES = ("confirmed", "hypothesis", "not checked")
SECOND_CHECK = r"(confirmed|softened|removed|not checkable|open) \d{4}-\d{2}-\d{2}"
SECTION = "## Where the papers and our runs differ"


def bullets(text):
    """Items of the list in a section of the findings."""
    section = text.split(SECTION, 1)[1].split("\n## ", 1)[0]
    return re.split(r"^- ", section, flags=re.M)[1:]


# A line with the number and the name of a section or an appendix.
HEADING = re.compile(r"(?:Appendix )?(\d+(?:\.\d+)*|[IVX]+(?:-[A-Z])?|[A-H](?:\.\d+)*)[.:]? ?[A-Z]")


def sections_of(paper, quote):
    """Numbers of the sections of a paper in which a line has these words."""
    at, found = "", []
    for line in FILES[paper].read_text(errors="replace").split("\n"):
        if len(line) < 110 and (heading := HEADING.match(line)):
            at = heading.group(1)
        if plain(quote) in plain(line):
            found.append(at)
    return found


SECTIONED = r"(?:section|appendix) (\w+(?:[.-]\w+)*)"
OTHER = r"(table|figure|algorithm|theorem|lemma|appendix|eq|opt)s?[.,]? \(?(\w+(?:\.\w+)*)"


def check_place(paper, place, quote):
    """The words are in a section that the place begins with; a table or an equation is there."""
    if re.match(SECTIONED, place):
        named, found = re.findall(SECTIONED, place), sections_of(paper, quote)
        assert any(re.match(rf"{re.escape(n)}(?![0-9])", at) for n in named for at in found), found
        return
    kind, number = re.search(OTHER, place).groups()
    name = f"({number})" if kind in ("eq", "opt") else f"{kind} {number}"
    assert name.lower() in plain(FILES[paper].read_text(errors="replace")).lower(), name


BULLETS = bullets((ROOT / "papers/docs/numbers.md").read_text())


def plain(text):
    """Words without line breaks, marks of comments and doubled spaces."""
    return re.sub(r"[\s#\"]+", " ", text)


@each_of("claim", CLAIMS, ids=lambda claim: claim["sentence"][:40])
def test_the_sentence_and_its_evidence_are_there(claim):
    gone = claim["second_check"].startswith("removed")
    assert (plain(claim["sentence"]) in plain((ROOT / claim["file"]).read_text())) != gone
    assert (ROOT / claim["evidence"]).exists()
    assert claim["status"].startswith(STATUSES)
    assert re.fullmatch(SECOND_CHECK, claim["second_check"])
    for path in re.findall(r"(?:papers/)?(?:tests|benchmarks|config)/\S+\.\w+", claim["command"]):
        assert (ROOT / path).exists()


@each_of("claim", CLAIMS, ids=lambda claim: claim["sentence"][:40])
def test_a_checked_claim_names_place_and_words_of_the_paper(claim):
    if claim["status"] == "confirmed in the program" and claim["paper"] not in FILES:
        assert claim["program"]
    elif not claim["status"].startswith("not checked"):
        assert claim["paper"] in FILES
        assert claim["place"]
        assert claim["quote"]
        assert len(claim["quote"]) < 100


@each_of("bullet", BULLETS, ids=lambda bullet: bullet[:40])
def test_each_difference_of_the_findings_has_a_claim(bullet):
    found = [c for c in CLAIMS if c["file"] == "papers/docs/numbers.md" and c["paper"] in bullet]
    assert any(plain(claim["sentence"]) in plain(bullet) for claim in found)


def test_the_findings_have_differences():
    assert len(BULLETS) >= 9


@needs_texts
@each_of(
    "claim",
    [claim for claim in CLAIMS if claim["quote"]],
    ids=lambda claim: claim["sentence"][:40],
)
def test_the_quotation_is_in_the_paper(claim):
    text = FILES[claim["paper"]].read_text(errors="replace")
    assert plain(claim["quote"]) in plain(text)


def test_each_number_of_a_text_has_its_place_and_words():
    keys = ["dataset", "variant", "method", "metric", "value", "unit"]
    for paper, part in QUOTATIONS.groupby("paper"):
        printed = read_words(ROOT / f"papers/printed/{paper}.tsv")
        printed = printed[printed["table"] == "text"]
        assert part[keys].values.tolist() == printed[keys].values.tolist()
    assert QUOTATIONS["place"].ne("").all()
    assert QUOTATIONS["paper"].nunique() == 4


@needs_texts
@pytest.mark.parametrize("paper", sorted(set(QUOTATIONS["paper"])))
def test_quotations_of_numbers_are_in_the_paper(paper):
    text = plain(FILES[paper].read_text(errors="replace"))
    for quote in QUOTATIONS[QUOTATIONS["paper"] == paper]["quote"]:
        assert plain(quote) in text


@needs_texts
def test_table_2_of_chlenski2024_is_transcribed_under_its_own_headings():
    text = FILES["chlenski2024"].read_text(errors="replace")
    head = "Logistic Hyperbolic Logistic Hyperbolic Support Support Vector HyperDT"
    lines = text[text.index(head) :].splitlines()[1:6]
    assert lines[0].endswith("Regression Regression Vector Classifier Classifier")
    names = [
        *("Logistic Regression", "Hyperbolic Logistic Regression"),
        *("Hyperbolic Support Vector Classifier", "Support Vector Classifier", "HyperDT"),
    ]
    table = read_words(ROOT / "papers/printed/chlenski2024.tsv")
    table = table[table["table"] == "table_2"].set_index(["variant", "method"])["value"]
    for line in lines[1:]:
        values = re.findall(r"(?<!\S)\d+\.\d\d", line)
        variant = f"D{line.split()[0]}_n800"
        assert [table[variant, name] for name in names] == values


PAIRS = ("hdt", "dt", "ho"), ("hrf", "rf", "hof")
PRINTED = "dt hdt", "dt ho", "ho hdt", "rf hrf", "rf hof", "hof hrf"
FILED = "dt hdt", "rf hrf", "dt ho", "rf hof", "ho hdt", "hof hrf"


def contradictions(rows, headings):
    """Marks of the best method of table 1 that p-values under some headings contradict."""
    found = total = 0
    for scores, p_values in rows:
        cells = dict(zip((*PAIRS[0], *PAIRS[1]), scores, strict=True))
        p = dict(zip(map(frozenset, map(str.split, headings)), p_values, strict=True))
        for block in PAIRS:
            best = max(cells[name][0] for name in block)
            for name in block:
                for other, mark in zip(block, ("*", "ddagger", r"\dagger"), strict=True):
                    if other != name and cells[name][0] == best:
                        total += 1
                        found += (mark in cells[name][1]) != (p[frozenset((name, other))] < 0.05)
    return found, total


@needs_texts
def test_columns_of_table_6_of_chlenski2024_agree_with_the_marks_of_table_1_as_filed():
    lines = FILES["chlenski2024"].read_text(errors="replace").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("Gaussian 2 100 89.10"))
    second = next(i for i, line in enumerate(lines) if line.startswith("Gaussian 2 100 .204"))
    rows = []
    for one, six in zip(lines[first : first + 36], lines[second : second + 36], strict=True):
        scores = re.findall(r"(\d{1,3}\.\d\d)(.*?)(?=\s\d{1,3}\.\d\d|$)", one)
        p_values = [float(p) for p in re.findall(r"(?<![\w.])\d*\.\d+(?:e-\d+)?", six)]
        if len(p_values) == 6:  # two rows have blanks
            rows.append(([(float(value), marks) for value, marks in scores], p_values))
    assert len(rows) == 34
    assert contradictions(rows, PRINTED) == (24, 140)
    assert contradictions(rows, FILED) == (1, 140)


@needs_texts
@each_of(
    "claim",
    [claim for claim in CLAIMS if claim["paper"] in FILES],
    ids=lambda claim: claim["sentence"][:40],
)
def test_the_words_are_in_the_section_that_the_claim_names(claim):
    check_place(claim["paper"], claim["place"], claim["quote"])


@needs_texts
def test_words_in_another_section_are_noticed():
    place, quote = "section 4, first paragraph", "warm-started with a Euclidean SVM solution"
    check_place("yang2024", place, quote)
    with pytest.raises(AssertionError, match="4"):
        check_place("yang2024", "section 4.2", quote)
    with pytest.raises(AssertionError, match="table 12"):
        check_place("yang2024", "table 12, row karate", quote)
