"""A section of the page: what it reads, what it shows, and which tables it leaves.

Its figures are those of `figures.figure_list` whose category is its title.

Snakemake reads `entry`, `reads` and `saved_tables` of every section before the first job. A module
in `sections` therefore imports what is slow to load, such as scipy or matplotlib, inside its
methods.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Saved:
    """Files of one table in results/report.

    `label` and `caption`, the name of a file in workflow/report, are those of Snakemake's own
    report; without them it lacks the files.
    """

    path: str
    formats: tuple
    label: dict | None = None
    caption: str | None = None

    def files(self, reported=False):
        """Paths of the files that Snakemake's report shows, or of the others."""
        shown = ["tsv"] if self.caption else []
        kept = [ending for ending in self.formats if (ending in shown) == reported]
        return [f"{self.path}.{ending}" for ending in kept]


def table(name, label=None, caption=None, latex=False):
    """Files of a table."""
    formats = ("tsv", "tex") if latex else ("tsv",)
    return Saved(f"tables/{name}", formats, label and {"table": label}, caption)


class Section:
    """Base class of the sections; a subclass has a `name`, a `title` and `values`.

    `name` is its address on the page. The variable `section` of the template has the values;
    `table.html.j2` shows `note`, `heads`, `rows`, and the addresses `saved`.
    """

    name = ""
    title = ""
    template = ""  # without one that of its name
    key = ""  # of the configuration, without which the page lacks the section
    files = ()  # in results/ that it reads, beyond those that all sections may read
    package = "noneuclid_compare.report"  # with its template

    def entry(self, config):
        """What the section needs of the configuration (JSON); None if the page is to lack it."""
        return {} if not self.key or self.key in config else None

    def reads(self, entry):
        """Files in results/ that the section reads; `files` if the entry does not matter."""
        return list(self.files)

    def saved_tables(self, entry):
        """Tables that the section leaves, as `Saved`."""
        return []

    def tables(self, run):
        """Tables to save, as text, by name of the file."""
        return {}

    def values(self, run):
        """What the template shows."""
        return {}

    def warning(self, run):
        """A head and a sentence for the first screen, below the plot, or None."""
        return None

    def parts(self, run):
        """Values of the section, with its address, heading, words in the menu and template.

        `script_data` is what the scripts of the page read, by id of the element.
        """
        return [
            {
                "id": self.name,
                "title": self.title,
                "menu": self.title,
                "badge": "",
                "template": self.template or f"{self.name}.html.j2",
                "package": self.package,
                "script_data": {},
                **self.values(run),
            }
        ]
