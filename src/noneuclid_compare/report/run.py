"""What the sections of the page read of a run, pictures as small data URIs with their sizes."""

import base64
import re
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pandas as pd
from markupsafe import Markup
from PIL import Image

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.report import section_list
from noneuclid_compare.report.figures import figure_list, page_figures
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import (
    leader_comparisons,
    league_rows,
    recommendation_rows,
    score_tables,
    winners_by_kind,
    without_embedding,
)

POINT = 96 / 72  # pixels of CSS
_SAFE = " !$()*+,-./:;=?@_~[]{}|^'"
_PNG = re.compile(r"data:image/png;base64,\s*([A-Za-z0-9+/=\s]+)")


@dataclass
class Run:
    """Tables and files of a run.

    Attributes
    ----------
    scores : DataFrame
        The long table of `evaluate` for methods on embedded points: columns
        `score_tables.COLUMNS`.
    runs : list of dict
        One per train job; see `provenance_rows.run_rows`.
    cards : list of dict
        One per drawn (dataset, embedding); see `dataset_cards.cards`.
    facts : list of dict
        `dataset`, `embedding`, `dimension` and `group` of a card, one per (dataset, embedding).
    disks : list of Disk
        One per drawn (dataset, embedding); only two-dimensional ones of kept models have regions.
    results : Path
        The folder of results.
    metric, title, note : str
        What ranks the methods, the title of the page, and a sentence under it.
    entries : dict
        See `section_list.entries`.
    reliabilities : dict of (dataset, embedding, method) to list
        See `viewer.pack`.
    baselines : DataFrame
        The scores of the methods on the original features, apart from all others.
    """

    scores: pd.DataFrame
    runs: list
    cards: list
    disks: list
    results: Path
    metric: str = "balanced_accuracy"
    title: str = "Non-Euclidean classifiers compared"
    note: str = ""
    entries: dict = field(default_factory=lambda: section_list.entries({}))
    facts: list = field(default_factory=list)
    reliabilities: dict = field(default_factory=dict)
    baselines: pd.DataFrame = field(
        default_factory=lambda: pd.DataFrame(columns=score_tables.COLUMNS)
    )

    @cached_property
    def classes(self):
        """Dotted class of each method, for its family."""
        return {run["method"]: run["class"] for run in self.runs}

    @cached_property
    def names(self):
        """Readable names of methods, data sets and embeddings."""
        return Names(self.entries["verdict"]["labels"], self.classes)

    @cached_property
    def leagues(self):
        """The league by each metric, that of the report first; see `league_rows.league`."""
        others = [name for name in score_tables.metrics(self.scores) if name != self.metric]
        charts = {run["method"]: run["chart"] for run in self.runs}
        about = {"names": self.names, "charts": charts}
        return [
            league_rows.league(self.scores, m, self.classes, self.against_baselines(m), **about)
            for m in [self.metric, *others]
        ]

    @cached_property
    def advised(self):
        """The best method by kind of data; see `winners_by_kind.advise`."""
        return winners_by_kind.advise(self.scores, self.facts, self.metric, self.classes)

    @cached_property
    def without_embedding(self):
        """The best method on each embedding against the best baseline; the table of `rows`."""
        return self.against_baselines(self.metric)

    @cached_property
    def cases(self):
        """The recommendations; see `recommendation_rows.cases`. Empty without their section."""
        if "recommendation" not in self.entries:
            return []
        pairs = self.entries["recommendation"]["pairs"]
        placing = recommendation_rows.placing(self.results, pairs)
        # The scores of baselines are apart.
        scores = pd.concat([part for part in (self.scores, self.baselines) if len(part)])
        return recommendation_rows.cases(scores, self.metric, self.classes, placing)

    @cached_property
    def drawn(self):
        """The candidate whose disk opens the page; see `recommendation_rows.drawn`."""
        pairs = {(disk.dataset, disk.embedding) for disk in self.disks}
        verdict = leader_comparisons.judge(self.scores, self.metric, self.classes)
        return recommendation_rows.drawn(self.cases, pairs, verdict and verdict.leader)

    def against_baselines(self, metric):
        """The same by another metric."""
        return without_embedding.rows(self.scores, self.baselines, metric, self.classes)

    def read_json(self, path):
        """Content of a JSON file in the folder of results."""
        return io.read_json(self.results / path)

    def read_table(self, path, text=()):
        """A table in the folder of results; columns `text` are not numbers."""
        # A class may be called "NA" or "01".
        words = {"keep_default_na": False, "na_values": [""], "dtype": dict.fromkeys(text, str)}
        return io.read_table(self.results / path, **words)

    @cached_property
    def inputs(self):
        """What the figures of the stage report may need, by parameter name."""
        shared = {"scores": self.scores, "metric": self.metric, "classes": self.classes}
        shared |= {"facts": self.facts, "disks": self.disks, "names": self.names}
        shared |= {"baselines": self.baselines, "drawn": self.drawn}
        return shared | (self.settings.get("sweep") or {})

    @property
    def settings(self):
        """Settings of the report that figures depend on."""
        sweep = self.entries["wins"]["sweep"]
        return {"sweep": sweep} if sweep else {}

    def pictures(self, category):
        """The figures of `figure_list` in one category, for the page."""
        found = []
        for entry in figure_list.entries(settings=self.settings):
            if entry.category == category:
                report = entry.stage == "report"
                folder = "report/figures" if report else figure_list.folder_of(entry.stage)
                figure = page_figures.load_figure(entry)
                data = f"{folder}/{page_figures.name_table(entry, figure)}"
                caption = page_figures.write_caption(figure, self.inputs)
                shown = self.picture(f"{folder}/{entry.name}", caption, data)
                if entry.narrow:
                    path = f"{folder}/{entry.narrow_name}"
                    shown["narrow"] = self.picture(path, "", formats=())
                    # Within `srcset` a blank ends the address.
                    shown["narrow"]["uri"] = shown["narrow"]["uri"].replace(" ", "%20")
                found.append(shown)
        return found

    def picture(self, path, text, data=None, formats=(*page_figures.FORMATS, "tsv"), id=None):
        """A figure for the page, with the files that are saved of it.

        `path` is that of its files in the folder of results, without ending; `data` is the table
        that it shows, if it is not one of that name.
        """
        name = path.rpartition("/")[2]
        files = {ending: _address(f"{path}.{ending}") for ending in formats}
        if data:
            files["tsv"] = _address(data)
        shown = picture(name, io.read_svg(self.results / f"{path}.svg"))
        return {"id": id or name, "text": text, "files": files, "narrow": None} | shown


def _address(path):
    """Address of a file in the folder of results, seen from the page in results/report."""
    return path.removeprefix("report/") if path.startswith("report/") else f"../{path}"


def picture(name, raw):
    """Address (`uri`) and size in pixels of a picture in PNG or SVG; `name` is for the message.

    `width` and `height` are None where an SVG does not state them in points.

    Raises
    ------
    InputError
        If it is neither PNG nor SVG.
    """
    raw = bytes(raw)
    if raw.startswith(b"\x89PNG"):
        width, height = Image.open(BytesIO(raw)).size
        return {"uri": _encode(raw), "width": width, "height": height}
    if not raw.startswith((b"<?xml", b"<svg")):
        raise InputError(f"figure {name!r} is neither PNG nor SVG: give its bytes in one")
    text = raw.decode()
    sides = {side: _points(text, side) for side in ("width", "height")}
    short = compact(text)
    # Single quotes are written as they are; `quote` leaves nothing that HTML must escape.
    short = short if "'" in short else short.replace('"', "'")
    return {"uri": Markup(f"data:image/svg+xml,{quote(short, safe=_SAFE)}")} | sides


def _points(svg, side):
    """Width or height of an SVG in pixels, if it is in points."""
    found = re.search(rf'<svg[^>]* {side}="([\d.]+)pt"', svg)
    return round(POINT * float(found[1])) if found else None


def compact(svg):
    """Shrink an SVG: positions to a hundredth of a point, images in 256 colours, fewer letters.

    Comments and names of groups, to which nothing refers, are left out.
    """
    svg = _PNG.sub(lambda found: _encode(_with_palette(base64.b64decode(found[1]))), svg)
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<!DOCTYPE[^>]*>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(?<=<g) id="[^"]*"', "", svg).replace("DejaVuSans-", "D")
    svg = re.sub(r' d="[^"]*"|translate\([^)]*\)| [xy]="[^"]*"', _shorter, svg)
    return re.sub(r">\s+<", "><", re.sub(r"\s+", " ", svg))


def _shorter(found):
    """Numbers of a path or a place, cut to two decimals, and no blanks beside a letter."""
    short = re.sub(r"(\.\d\d)\d+", r"\1", found[0])
    return re.sub(r"\s*\b([MLQCz])\b\s*", r"\1", short) if short.startswith(" d=") else short


def _with_palette(png):
    image, smaller = Image.open(BytesIO(png)).convert("RGBA"), BytesIO()
    # Octree: the only method of Pillow that keeps transparency.
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        smaller, "PNG", optimize=True
    )
    return min(png, smaller.getvalue(), key=len)


def _encode(png):
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"
