"""The figures of the page: a line here, and a file NAME.py that defines `FIGURE`.

The workflow reads this list, so this module imports no library. Plug-ins add figures of their own
stages, which are dotted names of modules.
"""

from typing import NamedTuple

from noneuclid_compare import plugins


class Entry(NamedTuple):
    """Name of a figure and of its files, stage that writes it, and its place in the report.

    `caption` is a file in workflow/report, for Snakemake's own report. With `setting`, the figure
    is drawn where the configuration's `report:` has that key. `narrow` figures have a second SVG,
    NAME_narrow.svg, for phones.
    """

    name: str
    stage: str
    category: str
    title: str
    caption: str = "figure"
    setting: str | None = None
    narrow: bool = False
    package: str = __package__

    @property
    def module(self):
        """Module that draws it."""
        return f"{self.package}.{self.name}"

    @property
    def narrow_name(self):
        """Name of the file for phones, without ending."""
        return f"{self.name}_narrow"


FIGURES = (
    Entry("effects", "report", "Result", "differences and pipelines", "effects"),
    Entry("opening_disk", "report", "Result", "decision regions", "opening_disk"),
    Entry(
        "accuracy_time",
        "report",
        "Every data set and pipeline",
        "accuracy against time",
        "accuracy_time",
        narrow=True,
    ),
    Entry("scale", "report", "Scale", "time and memory", "scale", setting="sweep"),
    Entry("sweep", "report", "Every data set and pipeline", "sweep", setting="sweep"),
)


def entries(stage=None, settings=None):
    """Entries of one stage, or of all; with `settings`, those that these settings ask for.

    Examples
    --------
    >>> [entry.name for entry in entries("report", {"metric": "accuracy"})]
    ['effects', 'opening_disk', 'accuracy_time']
    """
    return [
        entry
        for entry in plugins.items("FIGURES", FIGURES)
        if stage in (None, entry.stage)
        and (settings is None or entry.setting is None or entry.setting in settings)
    ]


def files(stage):
    """Pictures that another stage draws for the page, in the folder of results."""
    return [f"{folder_of(stage)}/{entry.name}.svg" for entry in entries(stage)]


def folder_of(stage):
    """Folder of a stage in the results: the last part of its name."""
    return stage.rpartition(".")[2]


def modules(stage=None):
    """Modules that draw the figures of one stage, or of all."""
    return [entry.module for entry in entries(stage)]
