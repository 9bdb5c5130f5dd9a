"""Draw, write and describe the figures of `figure_list`."""

import inspect
import io as streams
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import matplotlib
from matplotlib.collections import Collection
from matplotlib.lines import Line2D

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.report.figures import figure_list
from noneuclid_compare.report.tables import score_tables

FORMATS = ("png", "svg", "pdf")
MANY = 300  # markers of one series

_FIXED = {
    "png": {"metadata": {"Software": None}, "dpi": 160},
    "svg": {"metadata": {"Date": None, "Creator": None}, "dpi": 160},
    "pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}, "dpi": 200},
}


@dataclass(frozen=True)
class PageFigure:
    """One figure: function that draws it, its caption, and the table of what it shows.

    Functions name what they need as parameters; a figure whose `draw` needs something that the
    stage does not have is left out. The table is a function too, or, where the stage writes it
    anyway, the name of its file.
    """

    draw: Callable
    caption: str | Callable
    table: str | Callable

    def is_drawn_from(self, inputs):
        """Whether `inputs` has everything that `draw` needs."""
        parameters = inspect.signature(self.draw).parameters.values()
        return all(p.name in inputs for p in parameters if p.default is p.empty)


def load_figure(entry):
    """The `FIGURE` of an entry of `figure_list`."""
    return import_module(entry.module).FIGURE


def write_caption(figure, inputs):
    """Caption of a figure; some depend on the run, by its `inputs`."""
    return _call(figure.caption, inputs) if callable(figure.caption) else figure.caption


def name_table(entry, figure):
    """File of the table of a figure, seen from the folder of the figure."""
    return f"{entry.name}.tsv" if callable(figure.table) else figure.table


def write_figures(stage, inputs, folder):
    """Write the figures of a stage in all formats, and their tables; return their SVG by name.

    `inputs` has what the functions of the figures may need, by parameter name.
    """
    found = {}
    for entry in figure_list.entries(stage):
        name, figure = entry.name, load_figure(entry)
        if not figure.is_drawn_from(inputs):
            continue
        found[name] = write_figure(_call(figure.draw, inputs), folder / name)["svg"]
        if entry.narrow:
            drawn = to_bytes(_call(figure.draw, inputs | {"narrow": True}), "svg")
            io.write_bytes(folder / f"{entry.narrow_name}.svg", drawn)
        if callable(figure.table):
            text = score_tables.to_tsv(_call(figure.table, inputs))
            io.write_text(folder / f"{name}.tsv", text)
    return found


def write_figure(figure, path):
    """Write a figure in all formats, the suffix added to `path`; return the bytes by format."""
    contents = {}
    for format in FORMATS:
        contents[format] = to_bytes(figure, format)
        # The first format has arranged the panels, which takes as long as drawing them.
        figure.set_layout_engine("none")
    for format, content in contents.items():
        io.write_bytes(path.with_name(f"{path.name}.{format}"), content)
    return contents


def to_bytes(figure, format):
    """Bytes of a figure as "png", "svg" or "pdf", without a date: equal figures, equal bytes.

    A series of more than `MANY` markers, and every surface in three dimensions, is an image inside
    the SVG and the PDF; lines and texts stay lines and texts.
    """
    if format not in FORMATS:
        raise InputError(f"no figure format is called {format!r}: choose one of {FORMATS}")
    for artist in figure.findobj(_is_heavy):
        artist.set_rasterized(True)
    buffer = streams.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "noneuclid", "pdf.fonttype": 42}):
        figure.savefig(buffer, format=format, bbox_inches="tight", **_FIXED[format])
    return buffer.getvalue()


def _is_heavy(artist):
    """Whether an artist would be thousands of paths in an SVG."""
    if isinstance(artist, Collection):
        return len(artist.get_offsets()) > MANY or getattr(artist.axes, "name", "") == "3d"
    marked = isinstance(artist, Line2D) and artist.get_marker() not in ("", " ", "None", None)
    return marked and len(artist.get_xdata()) > MANY


def _call(function, inputs):
    """Call a function with those of the inputs that it has parameters for."""
    names = inspect.signature(function).parameters
    return function(**{name: inputs[name] for name in names if name in inputs})
