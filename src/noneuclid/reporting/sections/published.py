"""Section "Against the papers": our numbers beside every number that a paper prints."""

from noneuclid.reporting.section import Section

TEXT = "How many of the numbers that each table prints our runs reproduce."


class Published(Section):
    """Tables and figure of the stage published."""

    name = "published"
    title = "Against the papers"

    def entry(self, config):
        """Nothing more than that papers are compared with."""
        return {} if "published" in config else None

    def reads(self, entry):
        """What the stage found, and its figure."""
        return ["published/section.json", "published/reproduced.svg"]

    def values(self, run):
        """See `published_rows.section`; and `figures`."""
        figure = run.picture("published/reproduced", TEXT, data="published/cells.tsv")
        return run.read_json("published/section.json") | {"figures": [figure]}
