"""Pictures inside the page and the tables of what they draw: small, the same to the eye."""

import base64
import io
import re
from urllib.parse import unquote

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from noneuclid.errors import InputError
from noneuclid.plots import palette
from noneuclid_compare.report import run
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.stages import illustrate


def cloud(n, how):
    """A figure with n markers."""
    figure = Figure(figsize=(4, 4))
    ax = figure.subplots()
    x, y = np.random.default_rng(0).normal(size=(2, n))
    if how == "plot":
        ax.plot(x, y, ls="", marker="o", ms=3, label="all")
    else:
        ax.scatter(x, y, s=9, label="all")
    ax.plot([-3, 3], [-3, 3], color="black")
    ax.set(xlim=(-5, 5), ylim=(-5, 5))
    return figure


def to_image(svg):
    """The one image in an SVG."""
    (text,) = re.findall(r"data:image/png;base64,\s*([A-Za-z0-9+/=\s]+)", svg)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(text))).convert("RGBA"), dtype=float)


@pytest.mark.parametrize("how", ["plot", "scatter"])
def test_ten_thousand_markers_make_a_small_svg(how):
    few, many = (page_figures.to_bytes(cloud(n, how), "svg") for n in (page_figures.MANY, 10_000))
    assert b"<image" not in few
    assert many.count(b"<image") == 1
    assert len(many) < 250_000
    assert len(run.picture("cloud", many)["uri"]) < 150_000
    # Lines and texts stay what they are: the ticks, the diagonal, the numbers.
    assert few.count(b'id="line2d_') - many.count(b'id="line2d_') == (how == "plot")
    assert many.count(b'id="text_') == few.count(b'id="text_') > 0


def test_surfaces_are_images():
    figure = Figure()
    ax = figure.add_subplot(projection="3d")
    grid = np.meshgrid(np.linspace(-1, 1, 60), np.linspace(-1, 1, 60))
    ax.plot_surface(*grid, grid[0] * grid[1], rstride=1, cstride=1)
    assert len(page_figures.to_bytes(figure, "svg")) < 300_000


def test_the_picture_on_the_page_is_that_of_the_file():
    svg = page_figures.to_bytes(cloud(2000, "plot"), "svg")
    made = run.picture("cloud", svg)
    text = unquote(made["uri"].removeprefix("data:image/svg+xml,"))
    before, after = to_image(svg.decode()), to_image(text)
    assert np.abs(before - after).mean() < 2
    width, height = re.search(rb'width="([\d.]+)pt" height="([\d.]+)pt"', svg).groups()
    assert (made["width"], made["height"]) == (
        round(float(width) * 96 / 72),
        round(float(height) * 96 / 72),
    )


def test_paths_move_by_less_than_a_hundredth_of_a_point():
    svg = page_figures.to_bytes(cloud(50, "scatter"), "svg").decode()

    def numbers(text):
        paths = " ".join(re.findall(r' d="([^"]*)"', text))
        return np.array([float(v) for v in re.findall(r"-?\d+(?:\.\d+)?", paths)])

    before, after = numbers(svg), numbers(run.compact(svg))
    assert len(before) == len(after) > 100
    assert np.abs(before - after).max() < 0.01


def test_png_keeps_its_bytes_and_says_its_size():
    png = page_figures.to_bytes(cloud(10, "plot"), "png")
    made = run.picture("cloud", png)
    assert base64.b64decode(made["uri"].partition(",")[2]) == png
    assert (made["width"], made["height"]) == Image.open(io.BytesIO(png)).size


def test_other_bytes_are_refused():
    with pytest.raises(InputError, match="'cloud' is neither PNG nor SVG"):
        run.picture("cloud", b"GIF89a")


def test_the_drawn_table_holds_every_series():
    figure = Figure()
    left, right = figure.subplots(1, 2)
    left.plot([0, 1, 2], [3, 4, 5], color="red", label="_hidden")
    left.scatter([6, 7], [8, 9], color="blue")
    left.axhline(0)
    left.set_title("left")
    right.fill([0, 1, 0], [0, 0, 1], color="green", label="area")
    right.plot([1], [2], marker="o", mfc="none", mec="black")
    table = illustrate.tabulate_artists(figure)
    assert list(table.columns) == illustrate.COLUMNS
    about = ["panel", "title", "label", "kind", "colour"]
    found = sorted(map(tuple, table[about].drop_duplicates().values.tolist()))
    assert found == [
        (1, "left", "", "markers", "#0000ff"),
        (1, "left", "_hidden", "line", "#ff0000"),
        (2, "", "", "markers", "#000000"),
        (2, "", "area", "area", "#008000"),
    ]
    line = table[table["kind"] == "line"]
    assert line[["x", "y"]].values.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_the_drawn_table_has_three_dimensions():
    figure = Figure()
    ax = figure.add_subplot(projection="3d")
    ax.plot([0, 1], [2, 3], [4, 5])
    assert illustrate.tabulate_artists(figure)[["x", "y", "z"]].values.tolist() == [
        [0, 2, 4],
        [1, 3, 5],
    ]


def test_a_figure_without_points_has_an_empty_table():
    assert illustrate.tabulate_artists(Figure()).empty


def test_names_with_an_underscore_in_front_are_in_legends():
    figure = Figure()
    ax = figure.subplots()
    ax.plot([0, 1], [0, 1], label=palette.plain("_first"))
    texts = [text.get_text() for text in ax.legend().get_texts()]
    assert texts == ["\u2060_first"]
