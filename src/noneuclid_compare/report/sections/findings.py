"""Section "Key findings": sentences computed from the scores and the runs."""

from noneuclid_compare.report.section import Section


class Findings(Section):
    """All findings in words, folded under the result."""

    name = "findings"
    title = "Findings in detail"

    def values(self, run):
        """`findings`: pairs of a word and a sentence."""
        from noneuclid_compare.report import section_list
        from noneuclid_compare.report.tables import findings

        found = findings.findings(run.scores, run.runs, run.metric, run.advised, run.names)
        for section in section_list.on_page(run.entries):
            if against := section.finding(run):
                found = [against, *found] if section.opening(run) else [*found, against]
        return {"menu": "Findings", "findings": found}


SECTION = Findings()
