"""Section "Against the papers": our numbers beside every number that a paper prints."""

from noneuclid.reporting.section import Section

TEXT = "How many of the numbers that each table prints our runs reproduce."


class Published(Section):
    """Tables and figure of the stage published."""

    name = "published"
    title = "Against the papers"
    key = "published"
    files = ("published/section.json", "published/reproduced.svg")

    def values(self, run):
        """See `published_rows.section`; and `figures`."""
        figure = run.picture("published/reproduced", TEXT, data="published/cells.tsv")
        return run.read_json("published/section.json") | {"figures": [figure]}
