"""Words of statistics that the page explains."""

import pytest
from cases import each_of

from noneuclid_compare.report import words


def test_the_first_mention_in_each_section_is_linked():
    folded = '<details class="fold"><p>Holm</p></details>'
    text = f"<section><p>Holm</p><p>Holm</p></section>{folded}"
    found, used = words.linked(text)
    assert found.count('href="#word-holm-s-correction"') == 2
    assert [word.name for word in used] == ["Holm's correction"]
    assert "<p>Holm</p></section><details" in found


@pytest.mark.parametrize("tag", ["a", "code", "h3", "summary"])
def test_links_code_and_titles_stay_as_they_are(tag):
    text = f'<p title="Hydra"><{tag}>Hydra</{tag}></p>'
    assert words.linked(text) == (text, [])


@each_of(
    ("text", "name"),
    [
        ("Cohen&#39;s d", "Cohen's d"),
        ("Cohen's d", "Cohen's d"),
        ("a corrected resampled t-test", "Corrected t-test"),
        ("95&nbsp;% intervals", "95 % interval"),
        ("95\u202f% intervals", "95 % interval"),
        ("Lifted PCA", "Lifted PCA"),
        ("the Pareto front", "Pareto front"),
        ("on Hydra", "Hydra"),
    ],
)
def test_words_are_found_as_the_page_writes_them(text, name):
    found, (word,) = words.linked(f"<p>{text}</p>")
    assert word.name == name
    assert f'title="{word.line}"' in found


def test_addresses_are_unique_and_lines_are_one_sentence():
    assert len({word.id for word in words.WORDS}) == len(words.WORDS)
    assert all(word.line.endswith(".") for word in words.WORDS)
    assert all("<" not in word.line and '"' not in word.line for word in words.WORDS)
