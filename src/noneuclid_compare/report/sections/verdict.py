"""Section "Result": the verdict in one sentence, one plot of effects, one disk."""

from noneuclid_compare.report import names
from noneuclid_compare.report.section import Section
from noneuclid_compare.report.sections.recommendation import keeps_models

# More recommendations are not listed.
MOST = 3


class Verdict(Section):
    """What the page opens with; it fits on one screen."""

    name = "verdict"
    title = "Result"

    def entry(self, config):
        """`labels`: readable names that the configuration gives; see `names.Names`."""
        return {"labels": names.labels(config)}

    def values(self, run):
        """The sentence, cut at its first colon; pairs of a word and a sentence; both figures."""
        from noneuclid_compare.report import section_list
        from noneuclid_compare.report.tables import headline

        asked = run.scores, run.metric, run.classes, run.names
        effects, disk = run.pictures(self.title)
        embedded = any(card["embedding"]["name"] != "given" for card in run.facts)
        remarks = headline.remarks(*asked, run.without_embedding, embedded, run.runs)
        advised = _advised(run)
        if advised:
            remarks = [
                (head, advised(text) if head == headline.USE else text) for head, text in remarks
            ]
        # The page answers one question; the first answer here opens it, the others follow.
        answers = [("Methods", headline.sentence(*asked, run.without_embedding))]
        numbers, sections = "", section_list.on_page(run.entries)
        for section in sections:
            if opening := section.opening(run):
                answers.insert(0, opening)
                numbers = f"#{section.name}"
        (_, sentence), *others = answers
        if others:
            # What to use would be a second answer.
            remarks = others + [remark for remark in remarks if remark[0] == headline.LEVEL]
        remarks += filter(None, [section.warning(run) for section in sections])
        start, _, rest = sentence.partition(": ")
        return {
            "start": start,
            "rest": rest,
            "remarks": remarks,
            "more": "#recommendation" if advised else "",
            "numbers": numbers,
            "models": advised and keeps_models(run.entries),
            "effects": effects,
            "disk": disk if run.disks else None,
        }


def _advised(run):
    """Function that adds what the section of recommendations says; None without that section."""
    from noneuclid_compare.report import section_list

    for section in section_list.on_page(run.entries):
        if section.name == "recommendation":
            rows = section.values(run)["rows"]
            each = "; ".join(f"{row['name']}, {row['short']}" for row in rows)
            if len(rows) == 1:
                return lambda text: f"On this one data set, use {rows[0]['short']}."
            if len(rows) <= MOST:
                return lambda text: f"Use, on each single data set: {each}."
            return lambda text: f"{text} For each single data set:"
    return None


SECTION = Verdict()
