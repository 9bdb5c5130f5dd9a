"""Section "Certificates": certified optima, and what other solvers reach and prove."""

from noneuclid.reporting.section import Section

TEXTS = {
    "bounds": "Each marker is one problem. Left of the line, hollow: lower bounds; right of it, "
    "filled: objectives of the solutions. Percent of the certified optimum, on a logarithmic scale "
    "outside the grey band of ±0.01 %, within which values count as equal to the optimum.",
    "hyperplanes": "The problem with the largest differences between objectives, among those in "
    "two dimensions whose optimum is a hyperplane: its points on the Poincaré disk, the hyperplane "
    "of each solver, and its objective. The objective also depends on the length of w, which the "
    "lines do not show.",
}


class Certificates(Section):
    """Table and figures of the stage gaps."""

    name = "certificates"
    title = "Certificates"
    key = "certificates"
    files = ("gaps/certificates.tsv", *(f"gaps/{name}.svg" for name in TEXTS))

    def values(self, run):
        """See `certificate_rows.section`; and `figures`."""
        from noneuclid.reporting.tables import certificate_rows

        table = run.read_table("gaps/certificates.tsv", text=["problem"])
        data = {"bounds": "gaps/certificates.tsv"}
        figures = [run.picture(f"gaps/{n}", text, data.get(n)) for n, text in TEXTS.items()]
        return certificate_rows.section(table) | {"figures": figures}
