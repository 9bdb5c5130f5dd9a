"""Section "Published results": our numbers beside every number that a paper prints."""

from noneuclid_compare.report.figures import figure_list
from noneuclid_compare.report.section import Section


class Published(Section):
    """Tables and figure of the stage published."""

    name = "published"
    title = "Published results"
    key = "published"
    package = "noneuclid_papers"
    files = ("published/section.json", *figure_list.files("noneuclid_papers.stages.published"))

    def opening(self, run):
        """What the page opens with where the run repeats a paper."""
        sentence = run.read_json("published/section.json")["opening"]
        return ("Published results", sentence) if sentence else None

    def finding(self, run):
        """How many numbers are reproduced."""
        return "Published results", run.read_json("published/section.json")["headline"]

    def values(self, run):
        """See `published_rows.section`; and `figures`."""
        return run.read_json("published/section.json") | {"figures": run.pictures(self.title)}


SECTION = Published()
