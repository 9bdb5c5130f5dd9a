"""Section "Result": the verdict in one sentence, one plot of effects, one disk."""

from noneuclid.reporting import names
from noneuclid.reporting.section import Section


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
        start, _, rest = headline.sentence(*asked, run.without_embedding).partition(": ")
        return {
            "start": start,
            "rest": rest,
            "remarks": headline.remarks(*asked, run.without_embedding),
            "effects": effects,
            "disk": disk if run.disks else None,
        }


SECTION = Verdict()
