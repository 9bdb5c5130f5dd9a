"""Letters to the authors: every paragraph is whole, and quotes the paper."""

import re

from cases import each_of
from paper_mirror import ROOT
from test_claims import FILES, check_place, needs_texts, plain

LETTERS = sorted((ROOT / "papers/letters").glob("*.md"))
PARTS = ("Where", "Quotation", "What we found", "How to run it", "How sure we are",
         "What would change our mind")  # fmt: skip
FOLDERS = r"\b(?:tests|benchmarks|config|resources|docs|papers)/[\w./]+\.\w+"
ITEMS = [
    (letter.stem, item)
    for letter in LETTERS
    for item in re.split(r"^## (?=\d+\. )", letter.read_text(), flags=re.M)[1:]
]
each = each_of(("paper", "item"), ITEMS, ids=lambda text: text[:24])


def test_there_is_a_letter_for_each_paper():
    assert [letter.stem for letter in LETTERS] == sorted(FILES)


@each
def test_each_paragraph_is_whole_and_names_files_that_exist(paper, item):
    assert tuple(re.findall(r"^- \*\*(.*?):\*\* \S", item, re.M)) == PARTS
    for path in re.findall(FOLDERS, item):
        assert (ROOT / path).exists(), path


@needs_texts
@each
def test_each_paragraph_quotes_the_paper(paper, item):
    (quote,) = re.findall(r'^- \*\*Quotation:\*\* "(.*)"$', item, re.M)
    assert plain(quote) in plain(FILES[paper].read_text(errors="replace"))
    (place,) = re.findall(r"^- \*\*Where:\*\* (.*)$", item, re.M)
    check_place(paper, place, quote)
