"""Pictures of Hilbert and Funk geometry: places, distances, balls that touch, the limit."""

import numpy as np
import pytest
from cases import each_of
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.patches import Polygon

from noneuclid import HilbertSVC, PoincareSVC
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_hyperplanes import hyperplane_distance
from noneuclid.geometry.polytope_metrics import METRICS
from noneuclid.plots import palette
from noneuclid.plots.planes import Plane
from noneuclid_compare.records import Embedded
from noneuclid_papers.illustrations import polygon_limit, polytopes

NAMES = ("a<b", "b", "c")
SHAPES = {
    "simplex": Polytope.simplex(3),
    "box": Polytope.box([0, 0], [1, 1]),
    "hexagon": Polytope.regular_polygon(6),
}


def composition():
    """Three classes of the simplex, of which two overlap."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.dirichlet(place, 15) for place in ([16, 2, 2], [2, 9, 9], [5, 8, 8])])
    about = {"dataset": {"name": "mix"}}
    return Embedded(
        charts.convert(X, "simplex", "tangent"), "tangent", np.repeat([0, 1, 2], 15), NAMES,
        about=about,
    )  # fmt: skip


def kept(metric="hilbert", **settings):
    data = composition()
    X = charts.convert(data.points, "tangent", "simplex")
    y = np.array(NAMES)[data.labels]
    # One against one, hard: a fit in milliseconds, and a classifier of two classes.
    model = HilbertSVC(metric=metric, margin="hard", chart="simplex", **settings)
    model.fit(X[data.labels < 2], y[data.labels < 2])
    return {"estimator": model, "chart": "simplex"}


@pytest.fixture(scope="module")
def drawn():
    models = {f"mix/log_ratio/{metric}_svm": kept(metric) for metric in METRICS}
    return polytopes.draw({"mix/log_ratio": composition()}, models, None, classes=["a<b", "b"])


@pytest.mark.parametrize("shape", SHAPES)
def test_places_are_affine_and_come_back(shape):
    polytope = SHAPES[shape]
    plane = Plane(polytope)
    weights = np.random.default_rng(1).dirichlet(np.ones(len(plane.corners)), 20)
    X = weights @ plane.lift(plane.corners)
    polytope.check_inside(X)
    np.testing.assert_allclose(plane.flat(X), weights @ plane.corners, atol=1e-12)
    np.testing.assert_allclose(plane.lift(plane.flat(X)), X, atol=1e-12)
    edge = np.roll(plane.corners, -1, axis=0) - plane.corners
    lengths = np.linalg.norm(edge, axis=1)
    np.testing.assert_allclose(lengths, lengths[0])


@each_of("metric", METRICS)
@each_of("shape", SHAPES)
def test_distances_along_the_line_are_those_of_the_linear_program(shape, metric):
    polytope = SHAPES[shape]
    plane, rng = Plane(polytope), np.random.default_rng(2)
    corners = plane.lift(plane.corners)
    X = rng.dirichlet(np.ones(len(corners)), 12) @ corners
    w = rng.normal(size=X.shape[1])
    g = np.append(-w @ (corners.mean(axis=0) + 0.1 * (corners[0] - corners[1])), w)
    segment = plane.segment(g)
    ends = plane.lift(segment)
    np.testing.assert_allclose(g[0] + ends @ w, 0, atol=1e-12)
    np.testing.assert_allclose(polytope.facet_values(ends).min(axis=1), 0, atol=1e-12)
    expected = np.abs(hyperplane_distance(X, w, g[0], polytope, metric))
    np.testing.assert_allclose(plane.distances_to(segment, metric, X), expected, atol=1e-6)


def test_a_line_outside_has_no_segment():
    assert len(Plane(SHAPES["box"]).segment(np.array([-3.0, 1.0, 0.5]))) == 0


def test_every_pixel_inside_has_its_point():
    plane = Plane(SHAPES["simplex"])
    points, (left, right, low, high) = plane.pixels(200)
    inside = ~np.isnan(points[..., 0])
    # The triangle fills half of its frame.
    assert inside.mean() == pytest.approx(0.5, abs=0.01)
    x = left + (np.arange(200) + 0.5) * (right - left) / 200
    np.testing.assert_allclose(plane.flat(points[3])[inside[3], 0], x[inside[3]])
    assert inside[0].sum() > inside[-1].sum()
    assert (low, high) == pytest.approx((0, 0.75**0.5))


def test_the_mesh_fills_the_polytope():
    plane = Plane(SHAPES["hexagon"])
    mesh = plane.mesh()
    SHAPES["hexagon"].check_inside(mesh.reshape(-1, 2))
    np.testing.assert_allclose(mesh[0], 0, atol=1e-12)
    np.testing.assert_array_equal(mesh[:, 0], mesh[:, -1])
    assert np.abs(mesh[-1]).max() > 0.999 * np.abs(plane.corners).max()


def test_balls_touch_the_hyperplane_and_do_not_cross(drawn):
    figure, text = drawn["margins"]
    assert "touch the hyperplane" in text
    for ax, metric in zip(figure.axes, METRICS, strict=True):
        outlines = [patch for patch in ax.patches if isinstance(patch, Polygon)]
        *balls, rim = (patch.get_xy()[:-1] for patch in outlines)
        assert len(rim) == 3
        assert len(balls) == 2 * polytopes.BALLS
        (line,) = (line for line in ax.lines if len(line.get_xdata()) == 2)
        start, end = line.get_xydata()
        across = np.array([-(end - start)[1], (end - start)[0]])
        reach = [(ball - start) @ across for ball in balls]
        sides = np.array([(each.min(), each.max()) for each in reach])
        one, other = sides[: polytopes.BALLS], sides[polytopes.BALLS :]
        if one.max() > other.max():
            one, other = other, one
        assert one.max() == pytest.approx(0, abs=1e-6)
        assert other.min() == pytest.approx(0, abs=1e-6)
        assert NAMES[0] not in ax.get_title()
        assert f"r = {kept(metric)['estimator'].margin_:.3f}" in ax.get_title()


def test_regions_are_what_the_classifier_says(drawn):
    figure, _ = drawn["regions"]
    assert [ax.get_title().split("\n")[0] for ax in figure.axes] == [f"{m}_svm" for m in METRICS]
    (image,) = figure.axes[0].get_images()
    pixels, plane = image.get_array(), Plane(SHAPES["simplex"])
    points, _ = plane.pixels(len(pixels))
    rows = np.argwhere(~np.isnan(points[..., 0]))[::997]
    said = kept()["estimator"].predict(np.array([points[tuple(row)] for row in rows]))
    colours = palette.class_colours(3)
    for row, name in zip(rows, said, strict=True):
        expected = to_rgb(palette.tint(colours[NAMES.index(name)]))
        np.testing.assert_allclose(pixels[tuple(row)], expected)
    assert len(set(said)) == 2
    for figure, _ in drawn.values():
        FigureCanvasAgg(figure).draw()


@pytest.mark.parametrize(
    ("models", "settings", "said"),
    [
        ({}, {"classes": ["a<b", "b"]}, "give one data set under points, methods under models"),
        ({"m": kept()}, {"classes": ["b"]}, "give one data set under points, methods under"),
        ({"m": kept()}, {"classes": ["b", "d"]}, "mix has no class 'd'; it has a<b, b, c"),
        ({"m": kept()}, {"classes": ["b", "c"]}, "no hyperplane separates 'b' and 'c'"),
        (
            {"m": {"estimator": PoincareSVC(), "chart": "simplex"}},
            {"classes": ["a<b", "b"]},
            "m is no HilbertSVC in a polytope of dimension 2",
        ),
    ],
)
def test_wrong_entries_are_named(models, settings, said):
    with pytest.raises(InputError, match=f"^{polytopes.TITLE}: {said}"):
        polytopes.draw({"mix": composition()}, models, None, **settings)


def plane_points(curvature=1.0):
    """Two classes of the hyperbolic plane, apart."""
    rng = np.random.default_rng(3)
    X = rng.uniform(-0.55, 0.55, (24, 2))
    score = X @ [1.0, 0.4] + 0.1
    X, labels = X[abs(score) > 0.1], (score[abs(score) > 0.1] > 0).astype(int)
    return Embedded(X / np.sqrt(curvature), "klein", labels, ("a", "b"), curvature=curvature)


def test_the_limit_is_approached():
    figure, text, table = polygon_limit.draw(
        {"ball": plane_points(4.0)}, {}, None, classes=["a", "b"], sides=[8, 32, 128]
    )["limit"]
    FigureCanvasAgg(figure).draw()
    assert list(table["sides"]) == [8, 32, 128, np.inf]
    missing = table["missing_margin"].to_numpy()
    assert (missing[:-1] > 4 * missing[1:]).all()
    assert missing[2] < 1e-3
    assert table["angle"][2] < 0.02 < table["angle"][0]
    assert f"the margin is {table['margin'][3]:.4f}" in text
    X, labels = plane_points().points, plane_points().labels
    g = table[["c", "w1", "w2"]].to_numpy()[-1]
    # <w,x>_L with w = (-c, w1, w2): the hyperbolic distance of the nearest point is the margin.
    scale = np.sqrt(1 - (X**2).sum(1)) * np.sqrt(g[1:] @ g[1:] - g[0] ** 2)
    distance = np.arcsinh((g[0] + X @ g[1:]) / scale)
    assert np.min((2 * labels - 1) * distance) == pytest.approx(table["margin"][3], abs=1e-5)
    (line,) = (line for line in figure.axes[0].lines if line.get_label() == "disk")
    ends = line.get_xydata()
    np.testing.assert_allclose(np.linalg.norm(ends, axis=1), 1)
    np.testing.assert_allclose(g[0] + ends @ g[1:], 0, atol=1e-12)


@pytest.mark.parametrize(
    ("data", "classes", "said"),
    [
        (plane_points(), ["a"], "give one data set under points and two names of classes"),
        (plane_points(), ["a", "d"], "ball has the classes a, b; name two of them"),
        (
            Embedded(np.zeros((2, 3)), "klein", np.arange(2), ("a", "b")),
            ["a", "b"],
            "ball has 3 dimensions, not 2",
        ),
        (
            Embedded(plane_points().points, "klein", plane_points().labels[::-1], ("a", "b")),
            ["a", "b"],
            "no hyperplane separates the two classes; name others",
        ),
    ],
)
def test_what_has_no_limit_is_refused(data, classes, said):
    with pytest.raises(InputError, match=f"^{polygon_limit.TITLE}: {said}"):
        polygon_limit.draw({"ball": data}, {}, None, classes=classes)
