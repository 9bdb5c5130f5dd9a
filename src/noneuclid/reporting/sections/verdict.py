"""Section "Result": the verdict in one sentence, one plot of effects, one disk."""

from noneuclid.reporting import names
from noneuclid.reporting.section import Section

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
        from noneuclid.reporting.tables import headline

        asked = run.scores, run.metric, run.classes, run.names
        effects, disk = run.pictures(self.title)
        remarks = headline.remarks(*asked, run.without_embedding)
        if advised := _advised(run):
            remarks = [(head, advised.get(head, text)) for head, text in remarks]
        start, _, rest = headline.sentence(*asked, run.without_embedding).partition(": ")
        return {
            "start": start,
            "rest": rest,
            "remarks": remarks,
            "more": "#recommendation" if advised else "",
            "effects": effects,
            "disk": disk if run.disks else None,
        }


def _advised(run):
    """What the section of recommendations says, in place of a remark; {} without that section."""
    from noneuclid.reporting import section_list

    for section in section_list.on_page(run.entries):
        if section.name == "recommendation":
            rows = section.values(run)["rows"]
            each = "; ".join(f"{row['name']}: {row['use']}" for row in rows)
            text = f"Use, on each single data set: {each}."
            if len(rows) == 1:
                text = f"Use, on this single data set: {rows[0]['use']}."
            elif len(rows) > MOST:
                text = "A method is recommended for each single data set."
            return {"In practice": text}
    return {}


SECTION = Verdict()
