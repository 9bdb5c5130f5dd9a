"""A section of the page: what it reads, what it shows, and which files it leaves.

Snakemake reads `entry`, `reads` and `leaves` of every section before the first job. A module in
`sections` therefore imports what is slow to load, such as scipy or matplotlib, inside its methods.
"""

from collections.abc import Callable
from dataclasses import dataclass

FORMATS = ("png", "svg", "pdf")


@dataclass(frozen=True)
class Saved:
    """Files of one figure or one table in results/report.

    `label` and `caption`, the name of a file in workflow/report, are those of Snakemake's own
    report; without them it lacks the files.
    """

    path: str
    formats: tuple
    label: dict | None = None
    caption: str | None = None

    def files(self, reported=False):
        """Paths of the files that Snakemake's report shows, or of the others."""
        shown = [ending for ending in self.formats if ending in (*FORMATS, "tsv")]
        if self.path.startswith("figures/"):
            shown = [ending for ending in shown if ending != "tsv"]
        if self.caption is None:
            shown = []
        kept = [ending for ending in self.formats if (ending in shown) == reported]
        return [f"{self.path}.{ending}" for ending in kept]


@dataclass(frozen=True)
class Drawing:
    """A figure that the page draws: its words there, and a function of the run.

    `draw` gives matplotlib's figure and the table that it shows. `label` and `caption` are those of
    `Saved`.
    """

    name: str
    text: str | Callable
    draw: Callable
    label: str | None = None
    caption: str | None = None

    def saved(self):
        """Files of the figure: three formats and the table."""
        label = self.label and {"figure": self.label}
        return Saved(f"figures/{self.name}", (*FORMATS, "tsv"), label, self.caption)


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

    def entry(self, config):
        """What the section needs of the configuration (JSON); None if the page is to lack it."""
        return {} if not self.key or self.key in config else None

    def reads(self, entry):
        """Files in results/ that the section reads; `files` if the entry does not matter."""
        return list(self.files)

    def drawings(self, entry):
        """Figures that the page draws, as `Drawing`."""
        return []

    def saved_tables(self, entry):
        """Tables that the section leaves, as `Saved`."""
        return []

    def leaves(self, entry):
        """All files that the section leaves, as `Saved`."""
        drawn = [drawing.saved() for drawing in self.drawings(entry)]
        return [*self.saved_tables(entry), *drawn]

    def tables(self, run):
        """Tables to save, as text, by name of the file."""
        return {}

    def pictures(self, run):
        """The figures that the page draws, for its template."""
        return [
            run.picture(
                f"report/figures/{drawing.name}",
                drawing.text if isinstance(drawing.text, str) else drawing.text(run),
            )
            for drawing in self.drawings(run.entries[self.name])
        ]

    def values(self, run):
        """What the template shows."""
        return {}

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
                "script_data": {},
                **self.values(run),
            }
        ]
