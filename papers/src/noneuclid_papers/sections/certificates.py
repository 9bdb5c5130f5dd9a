"""Section "Certificates": certified optima, and what other solvers reach and prove."""

from noneuclid_compare.report.figures import figure_list
from noneuclid_compare.report.section import Section


class Certificates(Section):
    """Table and figures of the stage gaps."""

    name = "certificates"
    title = "Certificates"
    key = "certificates"
    package = "noneuclid_papers"
    files = ("gaps/certificates.tsv", *figure_list.files("noneuclid_papers.stages.gaps"))

    def values(self, run):
        """See `certificate_rows.section`; and `figures`."""
        from noneuclid_papers.tables import certificate_rows

        table = run.read_table("gaps/certificates.tsv", text=["problem"])
        return certificate_rows.section(table, run.names) | {"figures": run.pictures(self.title)}


SECTION = Certificates()
