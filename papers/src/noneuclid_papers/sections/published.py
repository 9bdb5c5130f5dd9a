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

    def warning(self, run):
        """How far our scores are from those of the paper that the run repeats."""
        sentence = run.read_json("published/section.json")["opening"]
        return (f"{self.title}:", sentence) if sentence else None

    def values(self, run):
        """See `published_rows.section`; and `figures`."""
        return run.read_json("published/section.json") | {"figures": run.pictures(self.title)}


SECTION = Published()
