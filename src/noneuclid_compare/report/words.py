"""Words of statistics on the page, each explained in one line.

The first mention in a section links to the list at the end of the page, and shows the line where
the pointer rests on it. The page stays one file that needs no network.
"""

import re
from typing import NamedTuple


class Word(NamedTuple):
    """A word, how it is written within a text (a regular expression), and its line."""

    name: str
    pattern: str
    line: str

    @property
    def id(self):
        """Address on the page."""
        return "word-" + re.sub(r"\W+", "-", self.name.lower())


_S = "(?:'|&#39;|’)s"
WORDS = (
    Word("95 % interval", r"95(?: |&nbsp;|\u202f|\u00a0)% intervals?",
         "Range of values that the data support; it contains the true value in 95 of 100 runs."),
    Word("Balanced accuracy", r"balanced accuracy",
         "Mean over the classes of the share of their rows that are classified correctly; guessing "
         "reaches 1 / (number of classes)."),
    Word("Calibration", r"calibration",
         "Agreement of predicted probabilities with the observed shares of right predictions."),
    Word("Cohen's d", rf"Cohen{_S} d\b", "Mean difference divided by its standard deviation."),
    Word("Confusion matrix", r"confusion matri(?:x|ces)",
         "Counts of rows by their true and their predicted class."),
    Word("Corrected t-test", r"corrected (?:resampled )?t-test",
         "t-test over folds whose variance is enlarged because training sets of different folds "
         "overlap (Nadeau and Bengio 2003)."),
    Word("Holm's correction", rf"Holm(?:-corrected|{_S} (?:method|correction|procedure|step))?",
         "p-values are enlarged for the number of comparisons, so that any false finding among "
         "them has a chance below 5 %."),
    Word("Hydra", r"Hydra",
         "Embedding of distances in hyperbolic space from the eigenvectors of one matrix "
         "(Keller-Ressel and Nargang 2020)."),
    Word("Judged number", r"judged numbers?",
         "Published number with one of five verdicts: exact (to half a unit of the last digit), "
         "close (within the noise), reproduced by imitation (with a named fault or setting of the "
         "paper's program), hypothesis (outside, with a reason that no run confirms), outside."),
    Word("Lifted PCA", r"lifted PCA",
         "Principal components that are scaled and mapped into hyperbolic space; new rows are "
         "placed by the same map."),
    Word("Hodges–Lehmann estimate", r"Hodges–Lehmann(?: estimate)?",
         "The median of the means of all pairs of differences: the estimate that belongs to the "
         "Wilcoxon test."),
    Word("Pareto front", r"Pareto front",
         "The methods for which no other method is both faster and better."),
    Word("Standard deviation", r"standard deviations?",
         "Typical distance of single values from their mean."),
)  # fmt: skip

_ALL = re.compile(
    "|".join(rf"(?P<w{k}>\b{word.pattern})" for k, word in enumerate(WORDS)), re.IGNORECASE
)
_TAG = re.compile(r"(<[^>]*>)")
# Texts of these are not marked: they are links or code already, or titles.
_PLAIN = ("a", "button", "code", "h1", "h2", "h3", "h4", "option", "script", "select", "summary")


def linked(html):
    """The sections of a page with the first mention of each word linked, and the words used.

    Examples
    --------
    >>> text, used = linked("<section><p>Holm's correction, <code>Holm</code>, Holm</p></section>")
    >>> [word.name for word in used], text.count("<a "), text[:34]
    (["Holm's correction"], 1, '<section><p><a class="word" href="')
    """
    seen, used, depth, parts = set(), set(), 0, []

    def link(found):
        word = WORDS[int(found.lastgroup[1:])]
        if word in seen:
            return found[0]
        seen.add(word)
        used.add(word)
        title = word.line.replace('"', "&quot;")
        return f'<a class="word" href="#{word.id}" title="{title}">{found[0]}</a>'

    for part in _TAG.split(html):
        if part.startswith("<"):
            name = re.match(r"</?([a-z0-9]*)", part)[1]
            if name == "section" or part.startswith('<details class="fold"'):
                seen.clear()
            if name in _PLAIN:
                depth += -1 if part.startswith("</") else 1
            parts.append(part)
        else:
            parts.append(part if depth else _ALL.sub(link, part))
    return "".join(parts), [word for word in WORDS if word in used]
