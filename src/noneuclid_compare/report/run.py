"""What the sections of the page read of a run, pictures as small data URIs with their sizes."""

import base64
import re
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd
from markupsafe import Markup
from PIL import Image

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.records import ORIGINAL, Split, kind_of
from noneuclid_compare.report import section_list
from noneuclid_compare.report.figures import figure_list, page_figures
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import pipelines, score_tables

# Metrics of the choice on the page, beside that of the report.
CHOICES = (
    *("balanced_accuracy", "accuracy", "log_loss"),
    *("r2", "rmse", "mae"),
)
# Features of pipelines without an embedding, where they are not the columns of a table.
PLAIN = {
    "graph": "on spectral coordinates",
    "attributes": "on features of the nodes (no edges)",
    "add_spectral": "on features of the nodes and spectral coordinates",
    "composition": "on log-ratios",
    "box": "on logits",
}
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
        kinds = {_plain(fact["dataset"]) for fact in self.facts}
        kind = kinds.pop() if len(kinds) == 1 else None
        places = {"plain": PLAIN[kind]} if kind in PLAIN else {}
        if kind == "composition":
            places["forests"] = "on proportions"
        return Names(self.entries["verdict"]["labels"], self.classes, **places)

    @cached_property
    def everything(self):
        """The scores of all pipelines, those without embedding included."""
        return pd.concat([part for part in (self.scores, self.baselines) if len(part)])

    @cached_property
    def metrics(self):
        """Metrics that a reader can choose, that of the report first."""
        present = score_tables.metrics(self.everything)
        return [self.metric, *(name for name in CHOICES if name in present and name != self.metric)]

    @cached_property
    def openings(self):
        """What the page opens with, by metric; see `pipelines.build`."""
        found = {metric: self.opening(self.everything, metric) for metric in self.metrics}
        return {metric: one for metric, one in found.items() if one is not None}

    @cached_property
    def of_datasets(self):
        """The same of each data set alone, by the metric of the report."""
        found = {
            name: self.opening(rows, self.metric)
            for name, rows in self.everything.groupby("dataset", sort=False)
        }
        return {name: one for name, one in found.items() if one is not None}

    def opening(self, scores, metric):
        """`Pipelines` of some scores."""
        known = self.smallest_classes, self.classes, self.names
        return pipelines.build(scores, metric, *known, self.tested_groups, self.dimensions)

    @cached_property
    def dimensions(self):
        """Dimension of each (data set, embedding)."""
        return {
            (fact["dataset"]["name"], fact["embedding"]["name"]): fact["dimension"]
            for fact in self.facts
            if fact["embedding"]["name"] != ORIGINAL
        }

    @cached_property
    def tested_groups(self):
        """Number of groups that some fold holds out whole, or of all if none does, by data set."""
        found = {}
        for name in self.entries.get("random_folds", {"datasets": []})["datasets"]:
            splits = self.splits(name)
            found[name] = splits[0].about["n_groups"]
            if splits[0].groups is not None:
                held = [one.groups[one.fold >= 0] for one in splits]
                found[name] = len(np.unique(np.concatenate(held)))
        return found

    def splits(self, dataset):
        """`Split` of each repeat of a data set with groups."""
        repeats = range(self.entries["random_folds"]["repeats"])
        paths = (self.results / f"split/{dataset}/{repeat}.npz" for repeat in repeats)
        return [io.read_record(path, Split) for path in paths]

    @cached_property
    def smallest_classes(self):
        """Rows of the smallest class of each data set; of a number, all rows."""
        found = {}
        for fact in self.facts:
            about = fact["dataset"]
            counts = about.get("classes") or {}
            whole = "target" in about or not counts
            found[about["name"]] = about["n"] if whole else min(counts.values())
        return found

    @cached_property
    def drawn(self):
        """(data set, embedding, method) of the disk that opens the page, or None.

        Of the first data set with a disk, the best pipeline on an embedding that is drawn.
        """
        disks = {(disk.dataset, disk.embedding): disk.methods for disk in self.disks}
        for dataset in dict.fromkeys(dataset for dataset, _ in disks):
            if dataset in self.of_datasets:
                rows = self.of_datasets[dataset].rows("pipeline")
                for embedding, method in zip(rows["embedding"], rows["method"], strict=True):
                    if method in disks.get((dataset, embedding), ()):
                        return dataset, embedding, method
        return None

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
        shared |= {"opening": self.openings.get(self.metric), "drawn": self.drawn}
        return shared | (self.settings.get("sweep") or {})

    @property
    def settings(self):
        """Settings of the report that figures depend on."""
        sweep = self.entries["scores"]["sweep"]
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


def _plain(dataset):
    """Key of `PLAIN` of a data set, from its card; another text or None if it has none."""
    more = ("add_spectral", "attributes")
    return next((key for key in more if dataset.get(key)), kind_of(dataset))


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
