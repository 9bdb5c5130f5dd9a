"""Reference points: what is computed for them, what figures show, what is refused; the stage."""

import json
import sys
import types
import warnings

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from sklearn.svm import LinearSVC

from noneuclid import PoincareSVC
from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz
from noneuclid_compare import io
from noneuclid_compare.data.generators import uniform_ball
from noneuclid_compare.records import Embedded
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.stages import illustrate
from noneuclid_papers.illustrations import reference_points
from noneuclid_papers.statistics import reference_points as scenes


def embedded(overlap=False, shift=0.0, seed=3, curvature=1.0):
    """Three classes in the plane, of which the third is far from the others."""
    data = uniform_ball.load({}, seed, n_samples=120, margin=0.3, radius=0.7)
    points = charts.convert(data.features, "poincare", "hyperboloid")
    labels = data.labels.copy()
    if overlap:
        labels[::5] = 1 - labels[::5]
    points = points @ lorentz.boost(lorentz.from_spatial([np.sinh(shift), 0.0])).T
    far = lorentz.from_spatial([[9.0, 9.0], [9.0, 8.0]])
    points = np.vstack([points, far]) / np.sqrt(curvature)
    return Embedded(
        charts.convert(points, "hyperboloid", "poincare", curvature), "poincare",
        np.append(labels, [2, 2]), ("a<b", "b", "far"), curvature=curvature,
        about={"dataset": {"name": "ball"}},
    )  # fmt: skip


@pytest.fixture(scope="module")
def scene():
    return scenes.scene(embedded(), ("a<b", "b"), PoincareSVC(C=10))


def test_the_pair_is_the_closest_of_the_hulls(scene):
    assert not scene.overlap
    assert len(scene.points) == 120
    # Obvious: all pairs of points of the hulls' boundaries.
    share = np.linspace(0, 1, 40)
    edges = [
        np.vstack(
            [lorentz.geodesic(a, b, share) for a, b in zip(c, np.roll(c, -1, 0), strict=True)]
        )
        for c in scene.corners
    ]
    apart = lorentz.pairwise_distances(*edges)
    assert lorentz.distance(*scene.pair) == pytest.approx(apart.min(), abs=5e-3)
    assert lorentz.distance(*scene.pair) <= apart.min()
    half = [lorentz.distance(scene.reference, end) for end in scene.pair]
    assert half[0] == pytest.approx(half[1]) == pytest.approx(lorentz.distance(*scene.pair) / 2)


def test_the_hulls_are_convex_and_hold_their_points(scene):
    for side, corners in zip((False, True), scene.corners, strict=True):
        flat = charts.convert(corners, "hyperboloid", "klein")
        inside = charts.convert(scene.points[scene.positive == side], "hyperboloid", "klein")
        edge = np.roll(flat, -1, 0) - flat
        for points in (flat, inside):
            offset = points[:, None] - flat
            turn = edge[:, 0] * offset[..., 1] - edge[:, 1] * offset[..., 0]
            assert (turn <= 1e-9).all()  # clockwise


def test_planes_pass_through_their_points_and_are_the_svm(scene):
    assert list(scene.planes) == list(scenes.RULES)
    np.testing.assert_allclose(scene.planes["hulls"][0], scene.reference, atol=1e-7)
    for rule, (point, normal) in scene.planes.items():
        assert lorentz.product(normal, normal) == pytest.approx(1)
        assert lorentz.product(point, normal) == pytest.approx(0, abs=1e-9)
        model = PoincareSVC(C=10, reference_point=rule, chart="hyperboloid")
        model.fit(scene.points, scene.positive)
        decided = lorentz.product(scene.points, normal) > 0
        np.testing.assert_array_equal(decided, model.predict(scene.points))


@pytest.mark.parametrize("margin", [0.0, 0.5, -1.0])
def test_lines_keep_their_distance(scene, margin):
    point, normal = scene.planes["midpoint of means"]
    line = scenes.line(point, normal, margin, reach=4.0)
    np.testing.assert_allclose(lorentz.product(line, line), -1, atol=1e-6)
    np.testing.assert_allclose(lorentz.hyperplane_distance(line, normal), margin, atol=1e-6)
    assert lorentz.distance(line[0], line[-1]) > 7


def test_other_curvatures_give_the_same_scene(scene):
    other = scenes.scene(embedded(curvature=4.0), ("a<b", "b"), PoincareSVC(C=10, curvature=4.0))
    np.testing.assert_allclose(other.pair, scene.pair, atol=1e-6)
    for rule, (_, normal) in other.planes.items():
        np.testing.assert_allclose(normal, scene.planes[rule][1], atol=1e-4)


def test_boundaries_are_straight_from_their_point_only(scene):
    figure = reference_points.draw_log_maps(scene)
    bent = []
    for ax in figure.axes:
        x, y = max((line.get_data() for line in ax.lines if len(line.get_xdata()) == 400), key=len)
        line = np.column_stack([x, y])
        bent.append(np.linalg.svd(line - line.mean(0), compute_uv=False)[1])
    assert bent[1] < 1e-5 < 0.1 < bent[0]


def test_bands_count_the_points_within(scene):
    figure = reference_points.draw_boundaries(scene)
    _, right = figure.axes
    labels = [text.get_text() for text in right.get_legend().get_texts()]
    apart = np.abs(lorentz.hyperplane_distance(scene.points, scene.planes["hulls"][1]))
    for label, margin in zip(labels, reference_points.MARGINS, strict=True):
        assert label.startswith(f"ε = {margin:g}: {(apart < margin).sum()} point")
    assert [t.get_text() for t in figure.axes[0].get_legend().get_texts()] == list(scenes.RULES)


@pytest.mark.parametrize(("overlap", "shift"), [(False, 0.0), (True, 0.0), (False, 6.0)])
def test_every_figure_is_drawn(overlap, shift):
    given = {"ball/given": embedded(overlap, shift)}, {"svm": {"estimator": PoincareSVC(C=1)}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = reference_points.draw(*given, None, classes=("a<b", "b"))
        for figure, _ in shown.values():
            FigureCanvasAgg(figure).draw()
    texts = {name: text for name, (_, text) in shown.items()}
    scene = scenes.scene(embedded(overlap, shift), ("a<b", "b"), PoincareSVC(C=1))
    assert all(
        f"figure {number}" in text for number, text in zip("5679", texts.values(), strict=True)
    )
    assert ("they overlap" in texts["closest_pair"]) == overlap == scene.overlap
    assert ("hull vertices" in scene.planes) == overlap
    assert page_figures.to_bytes(shown["hyperboloid"][0], "svg").startswith(b"<?xml")


def test_what_cannot_be_shown_is_refused():
    data = embedded()
    with pytest.raises(InputError, match="ball has no class 'c'; it has a<b, b, far"):
        scenes.scene(data, ("b", "c"), PoincareSVC())
    space = Embedded(np.zeros((2, 3)), "tangent", np.arange(2), ("a", "b"), about=data.about)
    with pytest.raises(InputError, match="ball has 3 dimensions; use an embedding with"):
        scenes.scene(space, ("a", "b"), PoincareSVC())


@pytest.mark.parametrize(
    ("models", "settings", "said"),
    [
        ({"m": PoincareSVC()}, {"classes": ["b"]}, "give one data set under points, one method"),
        ({}, {"classes": ["a<b", "b"]}, "give one data set under points, one method"),
        ({"m": LinearSVC()}, {"classes": ["a<b", "b"]}, "m is no PoincareSVC; name one that is"),
    ],
)
def test_wrong_entries_are_named(models, settings, said):
    models = {name: {"estimator": model} for name, model in models.items()}
    with pytest.raises(InputError, match=f"^Reference points: {said}"):
        reference_points.draw({"ball/given": embedded()}, models, None, **settings)


def test_the_stage_writes_figures_and_texts(tmp_path):
    io.write_record(tmp_path / "embed/ball/given.npz", embedded())
    model = PoincareSVC(C=10, reference_point="origin")
    io.write_model(tmp_path / "models/ball/given/svm.skops", {"estimator": model})
    entry = {
        "use": "reference_points", "points": ["ball/given"],
        "models": ["ball/given/svm"], "params": {"classes": ["b", "a<b"]},
    }  # fmt: skip
    folder, texts = tmp_path / "figures", tmp_path / "texts.json"
    arguments = ["--entry", json.dumps(entry), "--results", str(tmp_path)]
    illustrate.main([*arguments, "--figures", str(folder), "--texts", str(texts)])
    names = list(reference_points.TEXTS)
    written = {path.name for path in folder.iterdir()}
    assert written == {f"{n}.{s}" for n in names for s in (*page_figures.FORMATS, "tsv")}
    # No table came with the figure: its points are the table.
    places = io.read_table(folder / "log_maps.tsv").query("panel == 1 and kind == 'markers'")
    assert len(places) >= 120
    said = io.read_json(texts)
    assert (said["title"], said["intro"]) == (reference_points.TITLE, reference_points.INTRO)
    assert [figure["name"] for figure in said["figures"]] == names


def test_the_stage_reads_scores_and_writes_data(tmp_path, monkeypatch):
    table = pd.DataFrame({"embedding": ["e", "e"], "value": [0.5, 0.75]})
    io.write_table(tmp_path / "evaluate/scores.parquet", table)
    module = types.ModuleType("my_pictures")
    module.TITLE, module.INTRO = "Mine", "See."
    module.draw = lambda points, models, scores: {"all": (Figure(), "Scores.", scores)}
    module.draw.__module__ = "my_pictures"
    monkeypatch.setitem(sys.modules, "my_pictures", module)
    arguments = [
        "--entry",
        '{"use": "my_pictures.draw", "scores": true}',
        "--results",
        str(tmp_path),
    ]
    arguments += ["--figures", str(tmp_path / "report/figures/mine")]
    illustrate.main([*arguments, "--texts", str(tmp_path / "illustrate/mine.json")])
    pd.testing.assert_frame_equal(
        pd.read_csv(tmp_path / "report/figures/mine/all.tsv", sep="\t"), table
    )
    texts = io.read_json(tmp_path / "illustrate/mine.json")
    assert (texts["title"], texts["figures"][0]["text"]) == ("Mine", "Scores.")
    assert texts["figures"][0]["formats"] == ["png", "svg", "pdf", "tsv"]
    picture = tmp_path / "report/figures/mine/all.svg"
    assert picture.read_bytes().startswith(b"<?xml")
