"""Section "Claims of the papers": which of them hold, with what was printed and measured."""

from noneuclid_compare.report.section import Section
from noneuclid_papers.folders import PAPERS


class PaperClaims(Section):
    """Claims of the papers whose numbers the page shows, from the kept tables."""

    name = "paper_claims"
    title = "Claims of the papers"
    key = "published"
    package = "noneuclid_papers"

    def entry(self, config):
        """The papers: that of the run, and those kept."""
        published = config.get(self.key, {})
        shown = published.get("paper"), *published.get("kept", [])
        papers = [one for one in shown if one in PAPERS]
        return {"papers": papers} if papers else None

    def values(self, run):
        """`papers`: `name`, `sentence`, `change` and `claims`, see `paper_claims.rows`."""
        from noneuclid_papers.tables import paper_claims

        names = ("name", "sentence", "change", "claims")
        papers = [
            dict(zip(names, (one, *paper_claims.verdict_line(one), paper_claims.rows([one])),
                     strict=True))
            for one in run.entries[self.name]["papers"]
        ]  # fmt: skip
        return {"menu": "Claims", "papers": papers}


SECTION = PaperClaims()
