"""Section "Study": two methods compared over many data sets."""

from noneuclid_compare.report.figures import figure_list
from noneuclid_compare.report.section import Section


class Study(Section):
    """Tests and figures of the stage study."""

    name = "study"
    title = "Study"
    key = "study"
    files = ("study/tests.tsv", *figure_list.files("study"))

    def entry(self, config):
        """Whether data sets belong to groups; None without a study."""
        return {"grouped": "group" in config["study"]} if self.key in config else None

    def values(self, run):
        """`first`, `second`, `rows` and `figures`."""
        from noneuclid_papers.tables import study_rows

        tests = run.read_table("study/tests.tsv")
        first, second = (run.names.method(tests[role].iloc[0]) for role in ("first", "second"))
        return {
            "menu": self.title,
            "title": f"{first} compared with {second}",
            "first": first,
            "second": second,
            "rows": study_rows.comparison_rows(tests),
            "figures": run.pictures(self.title),
        }


SECTION = Study()
