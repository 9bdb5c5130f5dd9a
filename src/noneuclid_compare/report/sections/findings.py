"""Section "Key findings": sentences computed from the scores and the runs."""

from noneuclid_compare.report.section import Section


class Findings(Section):
    """All findings in words, folded under the result."""

    name = "findings"
    title = "Findings in detail"

    def values(self, run):
        """`findings`: pairs of a word and a sentence."""
        from noneuclid_compare.report.tables import findings

        found = findings.findings(run.scores, run.runs, run.metric, run.advised, run.names)
        if "published" not in run.entries:
            return {"menu": "Findings", "findings": found}
        section = run.read_json("published/section.json")
        against = [("Published results", section["headline"])]
        found = against + found if section["opening"] else found + against
        return {"menu": "Findings", "findings": found}


SECTION = Findings()
