"""Section "Key findings": sentences computed from the scores and the runs."""

from noneuclid.reporting.section import Section


class Findings(Section):
    """What the page opens with."""

    name = "findings"
    title = "Key findings"

    def values(self, run):
        """`findings`: pairs of a word and a sentence."""
        from noneuclid.reporting.tables import findings

        # Findings are of all data, advice is of the drawn part.
        advised = None if run.part else run.advised
        found = findings.findings(run.scores, run.runs, run.metric, advised)
        if "published" not in run.entries:
            return {"findings": found}
        section = run.read_json("published/section.json")
        against = [("Against the papers", section["headline"])]
        return {"findings": against + found if section["repeats"] else found + against}


SECTION = Findings()
