"""The report's figures and rasters."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from reporting_fixtures import report_input

from noneuclid.errors import InputError
from noneuclid.plots import rasters
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import (
    accuracy_time,
    disk,
    league,
    opening_disk,
    page_figures,
    scale,
)
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import cost_scaling, recommendation_rows, score_tables

SMALL = ("majority", "logistic", "hyperbolic_tree")


@pytest.fixture(scope="module")
def data():
    return report_input(2, size=40, methods=SMALL)


def half_plane(cells):
    """Class 1 where 0.6 x + 0.8 y > 0.1, outside the disk -1."""
    centre = (np.arange(cells) + 0.5) / cells * 2 - 1
    x, y = np.meshgrid(centre, centre)
    return np.where(np.hypot(x, y) < 1, 0.6 * x + 0.8 * y > 0.1, -1)


def test_refined_boundary_is_nearer_than_half_a_cell():
    fine = rasters.refine(rasters.fill(half_plane(60)), 480)
    centre = (np.arange(480) + 0.5) / 240 - 1
    x, y = np.meshgrid(centre, centre)
    signed = 0.6 * x + 0.8 * y - 0.1
    wrong = (fine == 1) != (signed > 0)
    inside = np.hypot(x, y) < 0.95
    assert np.abs(signed[wrong & inside]).max() < 0.5 * 2 / 60


def test_paint_keeps_orientation_and_colours():
    image = rasters.paint(half_plane(60), [(1, 0, 0), (0, 0, 1)], size=100)
    assert image.shape == (100, 100, 3)
    assert image[90, 50].tolist() == [0, 0, 1]
    assert image[10, 50].tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("raster", "message"),
    [
        (np.zeros((3, 4), int), "must be square"),
        (np.full((3, 3), 2), "codes 2 to 2: expected -1 to 1"),
        (np.full((3, 3), -1), "-1 everywhere"),
    ],
)
def test_malformed_rasters_are_refused(raster, message):
    with pytest.raises(InputError, match=message):
        rasters.check(raster, 2)


def test_a_disk_has_a_panel_for_the_data_and_each_method(data):
    figure = disk.draw_disk(data["disks"][0])
    titles = [ax.get_title() for ax in figure.axes if ax.get_title()]
    assert titles[0] == "the data\n34 points"
    assert {t.split("\n")[0] for t in titles[1:]} == set(map(Names().method, SMALL))
    shares = [float(t.split("\n")[1].split(" ")[1]) for t in titles[1:]]
    assert shares == sorted(shares, reverse=True)


def test_a_projection_has_points_but_no_regions(data):
    projected = replace(data["disks"][0], dimension=5, regions=None)
    figure = disk.draw_disk(projected)
    assert figure.get_suptitle().endswith("5 dimensions, projected")
    assert not any(ax.images for ax in figure.axes)


@pytest.mark.parametrize(("dimension", "said"), [(2, False), (5, True)])
def test_the_caption_of_a_disk_without_regions(data, dimension, said):
    shown = replace(data["disks"][0], dimension=dimension, regions=None)
    caption = opening_disk.write_caption([shown], data["scores"])
    assert ("projected" in caption) == said
    assert "Regions" not in caption
    assert "Rings mark the rows misclassified by" in caption


def test_the_opening_disk_shows_the_reference_points_of_its_method(data):
    table = np.array([[0, 0.9, 0.0], [2, 0.1, 0.2], [2, -0.3, 0.4]])
    first = replace(data["disks"][0], references=table)
    drawn = recommendation_rows.Drawn(first.dataset, first.embedding, first.methods[2], True)
    asked = [first, *data["disks"][1:]], data["scores"]
    figure = opening_disk.draw_opening_disk(*asked, drawn=drawn)
    stars = [line for line in figure.axes[0].lines if line.get_marker() == "*"]
    places = [[float(line.get_xdata()[0]), float(line.get_ydata()[0])] for line in stars]
    assert sorted(places) == sorted(table[1:, 1:].tolist())
    assert all(line.get_markersize() >= 10 for line in stars)
    assert "reference point" in [text.get_text() for text in figure.legends[0].texts]
    caption = opening_disk.write_caption(*asked, drawn=drawn)
    assert " is recommended. " in caption
    assert "Stars: reference points" in caption
    other = opening_disk.write_caption(*asked, drawn=replace(drawn, method=first.methods[1]))
    assert "Stars" not in other
    led = opening_disk.write_caption(*asked, drawn=replace(drawn, recommended=False))
    assert "uses no embedding and has no disk" in led


def test_only_rows_left_out_and_wrong_are_ringed(data):
    given = data["disks"][0]
    held_out = np.where(np.arange(34) < 30, given.labels, -1)
    held_out[:3] = 1 - given.labels[:3]
    one = replace(given, methods=("m",), held_out=held_out[None], regions=given.regions[:1])
    panel = disk.draw_disk(one).axes[1]
    assert len(panel.collections[-1].get_offsets()) == 3
    assert panel.get_title() == "M\naccuracy 90.0 %"


def test_many_points_and_rings_are_drawn_in_part_and_the_figure_says_so(data, monkeypatch):
    monkeypatch.setattr(disk, "MAX_POINTS", 20)
    monkeypatch.setattr(disk, "MAX_RINGS", 4)
    given = data["disks"][0]
    held_out = np.array([1 - given.labels, given.labels])
    two = replace(given, methods=("a", "b"), held_out=held_out, regions=given.regions[:2])
    kept = disk.sample(given.labels, 20)
    step = -(-len(kept) // 4)
    figure = disk.draw_disk(two)
    panels = {ax.get_title().split("\n")[0]: ax for ax in figure.axes}
    assert panels["the data"].get_title() == f"the data\n34 points, {len(kept)} drawn"
    assert len(panels["A"].collections[-1].get_offsets()) == -(-len(kept) // step)
    assert panels["B"].get_title().endswith("100.0 %")
    assert figure.legends[0].texts[-1].get_text().endswith(f"when left out (1 of {step})")
    assert disk.tabulate_disk(two)["row"].tolist() == kept.tolist()
    asked = [two], data["scores"]
    drawn = recommendation_rows.Drawn(two.dataset, two.embedding, "a", True)
    caption = opening_disk.write_caption(*asked, drawn=drawn)
    assert f"{len(kept)} of 34 rows are drawn. " in caption
    assert f"Rings mark one in {step} of the rows misclassified when left out." in caption
    shown = opening_disk.draw_opening_disk(*asked, drawn=drawn).axes[0]
    assert len(shown.collections[-1].get_offsets()) == -(-len(kept) // step)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": np.zeros((33, 2))}, "points of shape .33, 2. for 34 labels"),
        ({"points": np.full((34, 2), 0.8)}, "row 0 is .0.8, 0.8.: convert"),
        ({"points": np.full((34, 2), np.nan)}, "row 0 is .nan, nan."),
        ({"held_out": np.zeros((2, 34), int)}, "held_out of shape"),
    ],
)
def test_malformed_disks_are_refused(data, change, message):
    with pytest.raises(InputError, match=message):
        disk.draw_disk(replace(data["disks"][0], **change))


@pytest.mark.parametrize("format", page_figures.FORMATS)
def test_same_figure_same_bytes(data, format):
    first, second = (
        page_figures.to_bytes(league.draw_ranks(data["scores"]), format) for _ in range(2)
    )
    assert first == second
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[format])


def test_unknown_format_is_refused():
    with pytest.raises(InputError, match="'bmp'"):
        page_figures.to_bytes(Figure(), "bmp")


def test_league_figure_lists_methods_best_first(data):
    figure = league.draw_ranks(data["scores"])
    ax = figure.axes[0]
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names == list(map(Names().method, score_tables.league(data["scores"]).index))
    bottom, top = ax.get_ylim()
    assert bottom > top


def test_accuracy_time_labels_every_method_and_needs_times(data):
    figure = accuracy_time.draw_accuracy_time(data["scores"])
    real = set(map(Names().method, set(SMALL) - set(style.FLOORS)))
    assert {text.get_text() for text in figure.axes[0].texts} == real
    timeless = data["scores"][data["scores"]["metric"] != "fit_seconds"]
    with pytest.raises(InputError, match="fit_seconds"):
        accuracy_time.draw_accuracy_time(timeless)


def copies(scores, n):
    """The scores with every method n times, under names of its own."""
    return pd.concat([scores.assign(method=f"m{k}_" + scores["method"]) for k in range(n)])


def test_accuracy_time_shows_a_method_far_below_at_the_edge(data):
    scores = copies(data["scores"], 3)
    judged = scores["metric"].eq("balanced_accuracy")
    means = {name: 0.8 + k / 100 for k, name in enumerate(sorted(set(scores["method"])))}
    means["m0_logistic"] = 0.01
    scores = scores.assign(value=scores["value"].mask(judged, scores["method"].map(means)))
    ax = accuracy_time.draw_accuracy_time(scores).axes[0]
    assert "M0 logistic ↓ 1.0" in {text.get_text() for text in ax.texts}
    assert ax.get_ylim()[0] > 70
    table = accuracy_time.tabulate_accuracy_time(scores)
    assert table.loc["m0_logistic", "mean"] == pytest.approx(0.01)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_labels_cover_neither_labels_nor_markers(seed):
    rng = np.random.default_rng(seed)
    x, y = 0.5 + 0.13 * rng.normal(size=(2, 20))
    figure = Figure(figsize=(8, 5), layout="constrained")
    ax = figure.subplots()
    ax.scatter(x, y)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    accuracy_time.place_labels(figure, ax, x, y, [f"method_number_{i}" for i in range(20)])
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    # Text.get_window_extent leaves out the annotation's line.
    boxes = [super(type(text), text).get_window_extent(canvas.get_renderer()) for text in ax.texts]
    overlapping = [
        (i, j) for i, a in enumerate(boxes) for j, b in enumerate(boxes[:i]) if a.overlaps(b)
    ]
    assert overlapping == []
    centres = ax.transData.transform(np.column_stack([x, y]))
    assert not any(box.contains(*centre) for box in boxes for centre in centres)


@pytest.mark.parametrize("seed", range(5))
def test_the_front_holds_whom_nobody_beats(seed):
    x, y = np.random.default_rng(seed).integers(0, 6, size=(2, 12))
    beaten = [
        any(x[j] <= x[i] and y[j] >= y[i] and (x[j] < x[i] or y[j] > y[i]) for j in range(12))
        for i in range(12)
    ]
    assert (accuracy_time.find_front(x, y) == ~np.array(beaten)).all()


def test_a_method_of_some_data_sets_is_shown_but_not_on_the_front(data):
    scores = data["scores"]
    partial = (scores["method"] == "logistic") & (scores["dataset"] != "karate")
    best = scores.assign(value=scores["value"].where(scores["method"] != "logistic", 1e-9))
    best = best[~partial]
    table = accuracy_time.tabulate_accuracy_time(best)
    assert "logistic" in table.index
    assert not table.loc["logistic", "front"]
    assert table["front"].any()


def test_scale_shows_every_cost_and_dimensions_only_if_they_vary(data):
    figure = scale.draw_scale(data["scores"], data["cards"])
    assert len(figure.axes) == 2
    cards = [card | {"dimension": k + 2} for k, card in enumerate(data["cards"])]
    assert len(scale.draw_scale(data["scores"], cards).axes) == 4


def test_one_size_of_data_is_inside_the_axes(data):
    one = data["cards"][:1]
    scores = data["scores"][data["scores"]["dataset"] == "karate"]
    for ax in scale.draw_scale(scores, one).axes:
        low, high = ax.get_xlim()
        assert low < 34 < high


def test_many_methods_have_a_panel_each(data):
    scores = copies(data["scores"], 3)
    titles = [ax.get_title() for ax in scale.draw_scale(scores, data["cards"]).axes if ax.axison]
    assert titles == 2 * sorted(map(Names().method, set(scores["method"])))


@pytest.mark.parametrize("n", [1, 3])
def test_lines_of_the_scale_are_arithmetic_means(data, n):
    cards = [
        card | {"dimension": 2 + k, "dataset": card["dataset"] | {"n": 50}}
        for k, card in enumerate(data["cards"])
    ]
    table = cost_scaling.costs(copies(data["scores"], n), cards)
    figure = scale.draw_scale(copies(data["scores"], n), cards)
    method = sorted(table["method"].unique())[0]
    means = table[table["method"] == method].groupby("d")["fit_seconds"].mean()
    drawn = [line.get_xydata() for ax in figure.axes for line in ax.lines]
    assert any(data.shape == (2, 2) and np.allclose(data[:, 1], means) for data in drawn)
    mean = table[table["method"] == method]["fit_seconds"].mean()
    assert any(np.allclose(data, [[50, mean]]) for data in drawn if len(data) == 1)


@pytest.mark.parametrize("n", [1, 3])
def test_scale_draws_what_is_known(data, n):
    scores = data["scores"][data["scores"]["metric"] != "peak_memory_mb"]
    figure = scale.draw_scale(copies(scores, n), data["cards"])
    assert page_figures.to_bytes(figure, "svg").startswith(b"<?xml")


def test_disk_data_name_what_each_method_said_of_each_row(data):
    held_out = data["disks"][0].held_out.copy()
    held_out[0, 3] = -1
    shown = replace(data["disks"][0], held_out=held_out)
    table = disk.tabulate_disk(shown)
    assert table[["x", "y"]].to_numpy() == pytest.approx(shown.points)
    assert table.loc[3, f"left_out_{shown.methods[0]}"] == ""
    said = table.loc[5, f"left_out_{shown.methods[1]}"]
    assert said == shown.class_names[held_out[1, 5]]
