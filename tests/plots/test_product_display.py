"""The display of product spaces: where points are drawn, far sides, labels, errors."""

import numpy as np
import pytest
from cases import each_of
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from noneuclid import ProductSpaceDisplay
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace, charts
from noneuclid.plots import palette, product_panels

draw = ProductSpaceDisplay.from_points


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def sample(signature, n=40, n_classes=2, **settings):
    space = ProductSpace(signature, **settings)
    X = space.random_wrapped_normal(n, random_state=0)
    return space, X, np.arange(n) % n_classes


def test_planes_are_exact():
    space, X, y = sample("H2 E2", curvatures=[-4, 0])
    disk, plane = draw(space, X, y).panels
    disk_points = charts.convert(X[:, :3], "hyperboloid", "poincare", 4.0) * 2
    np.testing.assert_allclose(disk.places, disk_points, atol=1e-12)
    np.testing.assert_array_equal(plane.places, X[:, 3:])
    assert [disk.title, plane.title] == ["H2, K = -4", "E2, K = 0"]


@each_of(
    "signature, curvature, other",
    [
        ("H2", -0.5, "klein"),
        ("H1", -2.0, "tangent"),
        ("H4", -2.0, "half_space"),
        ("S1", 3.0, "tangent"),
        ("S2", 3.0, "stereographic"),
        ("S4", 0.2, "tangent"),
    ],
)
def test_pictures_are_the_same_in_every_chart(signature, curvature, other):
    space, X, y = sample(signature, curvatures=[curvature])
    expected, found = (
        draw(space, X, y),
        draw(space.in_charts([other]), space.convert(X, [other]), y),
    )
    np.testing.assert_allclose(found.panels[0].places, expected.panels[0].places, atol=1e-8)
    np.testing.assert_array_equal(found.panels[0].far, expected.panels[0].far)


@each_of("signature, sign", [("H2", -1), ("H1", -1), ("S1", 1), ("S2", 1), ("S4", 1)])
def test_pictures_are_those_of_unit_curvature(signature, sign):
    space, X, y = sample(signature, curvatures=[sign])
    scaled = draw(ProductSpace(signature, curvatures=[4.0 * sign]), X / 2, y)
    np.testing.assert_allclose(
        scaled.panels[0].places, draw(space, X, y).panels[0].places, atol=1e-9
    )
    assert scaled.axes_[0].get_title().startswith(f"{signature}, K = {4 * sign}")


@each_of("signature", ["H2", "H1"])
def test_points_close_to_the_centre_of_a_disk_are_drawn_farther_out(signature):
    space = ProductSpace(signature, curvatures=[-1e-4])
    X = space.random_wrapped_normal(30, random_state=0)
    panel = draw(space, X, np.zeros(30, dtype=int)).panels[0]
    tangent = space.convert(X, ["tangent"])
    radius = np.linalg.norm(panel.places, axis=1)
    title, note = panel.title.split("\n")
    assert title == f"{signature}, K = -0.0001"
    if signature == "H2":
        assert radius.max() == pytest.approx(0.7)
        factor = float(note.removeprefix("distances from the centre × "))
        distances = 2 * np.arctanh(radius) / np.sqrt(1e-4)
        wanted = factor * np.linalg.norm(tangent, axis=1)
        np.testing.assert_allclose(distances, wanted, rtol=0.06)
        turned = panel.places / radius[:, None]
        assert np.sum(turned * tangent, axis=1) == pytest.approx(np.linalg.norm(tangent, axis=1))
    wide = space.random_wrapped_normal(30, covariances=1e4, random_state=0)
    assert draw(space, wide, np.zeros(30, dtype=int)).panels[0].title == title


@each_of("n_classes", [1, 2, 20])
def test_positions_along_lines_are_exact(n_classes):
    space, X, y = sample("H1 S1 E1", 60, n_classes)
    disk, circle, line = draw(space, X, y).panels
    # The foot of a point on the diameter: half the distance along it is that of the Klein chart.
    klein = 2 * disk.places / (1 + (disk.places**2).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(klein[:, 0], X[:, 1] / X[:, 0], atol=1e-12)
    assert (np.hypot(*disk.places.T) < 1).all()
    angles = np.arctan2(*circle.places.T[::-1])
    np.testing.assert_allclose(angles, np.arctan2(X[:, 3], X[:, 2]), atol=1e-12)
    assert np.abs(np.hypot(*circle.places.T) - 1).max() <= 0.25
    np.testing.assert_array_equal(line.places[:, 0], X[:, 4])
    # From top to bottom, from outside to inside: the order of the legend. In the
    # disk, half of the sinh of the distance from the diameter.
    side = disk.places[:, 1] / (1 - (disk.places**2).sum(axis=1))
    for heights in (side, np.hypot(*circle.places.T), line.places[:, 1]):
        for code in range(n_classes - 1):
            assert heights[y == code].min() > heights[y == code + 1].max()
        assert len(np.unique(heights.round(9))) == len(heights)


def test_the_sphere_is_seen_from_the_mean():
    """A view of the Earth: north is up, east at the right, the other half is far."""
    latitude, longitude = np.radians([0.0, 30, 0, 0, -20]), np.radians([0.0, 0, 40, 170, 200])
    X = np.column_stack(
        [
            np.cos(latitude) * np.cos(longitude),
            np.cos(latitude) * np.sin(longitude),
            np.sin(latitude),
        ]
    )
    view = product_panels.view_of(X)
    np.testing.assert_allclose(view @ view.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(view) == pytest.approx(1)
    mean = X.mean(axis=0)
    np.testing.assert_allclose(view[2], mean / np.linalg.norm(mean))
    assert view[1, 2] > 0.9
    (panel,) = draw("S2", X, list("aaabb")).panels
    assert panel.far.tolist() == [False, False, False, True, True]
    np.testing.assert_allclose(panel.places, X @ view[:2].T)
    assert panel.places[1, 1] > panel.places[0, 1]
    assert panel.places[2, 0] > panel.places[0, 0]


@pytest.mark.parametrize(
    ("X", "eye"),
    [
        ([[0, 0, 1], [0, 0, -1]], [1, 0, 0]),  # no mean: from the origin
        ([[0, 0, 1]], [0, 0, 1]),  # the last axis points to the eye
        ([[0, 0, -1]], [0, 0, -1]),
    ],
)
def test_views_without_a_mean_or_a_last_axis(X, eye):
    view = product_panels.view_of(np.array(X, dtype=float))
    assert view[2].tolist() == eye
    assert np.linalg.det(view) == pytest.approx(1)


def test_far_points_are_hollow():
    space, X, y = sample("S2", 200)
    display = draw(space, X, y)
    (panel,) = display.panels
    assert 0 < panel.far.sum() < 100
    kinds = [(far, code) for far in (True, False) for code in (0, 1)]
    for mark, (far, code) in zip(display.axes_[0].collections, kinds, strict=True):
        own = panel.places[(panel.far == far) & (y == code)]
        np.testing.assert_array_equal(mark.get_offsets(), own)
        assert len(mark.get_facecolors()) == (not far)
        edge = palette.class_colours(2)[code] if far else "#ffffff"
        assert to_hex(mark.get_edgecolors()[0]) == edge.lower()
    assert texts(display) == ["0", "1", "far side"]
    assert texts(draw(space, X[~panel.far], y[~panel.far])) == ["0", "1"]


def test_the_graticule_is_on_the_near_side():
    view = product_panels.view_of(np.array([[0.6, 0.64, 0.48]]))
    lines = product_panels.graticule(view)
    depth = np.sqrt(np.maximum(0, 1 - (lines**2).sum(axis=-1, keepdims=True)))
    points = np.concatenate([lines, depth], axis=-1) @ view
    for degrees, line in zip(range(-60, 90, 30), points[:5], strict=True):
        seen = line[np.isfinite(line[:, 2]), 2]
        np.testing.assert_allclose(seen, np.sin(np.radians(degrees)), atol=1e-6)
    for degrees, line in zip(range(0, 180, 30), points[5:], strict=True):
        across = line[np.isfinite(line[:, 2]), :2] @ [
            -np.sin(np.radians(degrees)),
            np.cos(np.radians(degrees)),
        ]
        np.testing.assert_allclose(across, 0, atol=1e-6)
    assert np.isnan(lines[5:, :, 0]).mean() == pytest.approx(0.5, abs=0.02)


def lifted(panel):
    """Pictures of a sphere as points of it; other places unchanged."""
    if panel.frame != "sphere":
        return panel.places
    depth = np.sqrt(1 - (panel.places**2).sum(axis=1))
    return np.column_stack([panel.places, np.where(panel.far, -depth, depth)])


@each_of("kind, chart", [("H", "tangent"), ("S", "sphere"), ("E", "euclidean")])
def test_a_plane_in_more_dimensions_is_found(kind, chart):
    """Points of a plane or sphere, in general position in five dimensions."""
    space = ProductSpace(f"{kind}2", charts=[chart])
    X = space.random_wrapped_normal(50, covariances=[np.diag([0.4, 0.1])], random_state=1)
    axes = np.linalg.qr(np.random.default_rng(0).normal(size=(5 + (kind == "S"), X.shape[1])))[0]
    (found,) = draw(ProductSpace(f"{kind}5", charts=[chart]), X @ axes.T).panels
    (plain,) = draw(space, X).panels
    np.testing.assert_allclose(pdist(lifted(found)), pdist(lifted(plain)), atol=1e-9)
    assert "\n" not in plain.title
    expected = "three of 6 directions" if kind == "S" else "two of 5 principal components"
    assert found.title.split("\n")[1] == expected


def test_a_small_patch_of_a_large_sphere_is_seen_from_above():
    """The mean is among the directions, though it varies least."""
    v = np.random.default_rng(0).normal(size=(40, 4)) * [0.3, 0.2, 0.15, 0.1]
    space = ProductSpace("S4", charts=["tangent"])
    X = np.vstack([v, -v])
    (panel,) = draw(space, X).panels
    assert not panel.far.any()
    flat = space.convert(X)[:, 1:]
    axes = np.linalg.svd(flat)[2][:2]
    np.testing.assert_allclose(pdist(panel.places), pdist(flat @ axes.T), atol=1e-9)


def texts(display):
    (legend,) = display.figure_.legends
    return [text.get_text() for text in legend.get_texts()]


def test_classes_rings_and_one_legend():
    space, X, y = sample("H2 S1 E3", 30, 3)
    names = np.array(["low", "mid", "high"])
    display = draw(
        space, X, names[y], names[np.maximum(y, 1)], class_names=names.tolist(), ordered=True
    )
    assert texts(display) == ["low", "mid", "high", "wrong"]
    np.testing.assert_array_equal(display.labels, y)
    np.testing.assert_array_equal(display.wrong, y == 0)
    for ax, panel in zip(display.axes_, display.panels, strict=True):
        *marks, rings = ax.collections
        for code, mark in enumerate(marks):
            assert to_hex(mark.get_facecolors()[0]) == palette.ORDERED[code]
            np.testing.assert_array_equal(mark.get_offsets(), panel.places[y == code])
        np.testing.assert_array_equal(rings.get_offsets(), panel.places[y == 0])
        assert ax.get_legend() is None
    assert not draw(space, X).figure_.legends  # no classes
    assert not draw(space, X, y, legend=False).figure_.legends


def test_axes_of_a_user():
    space, X, y = sample("H2 S2")
    figure = Figure(layout="none")
    axes = figure.subplots(1, 2)
    display = draw(space, X, y, ax=axes)
    assert display.figure_ is figure
    assert display.axes_.tolist() == axes.tolist()
    assert not figure.legends
    assert axes[-1].get_legend() is not None
    with pytest.raises(InputError, match="1 axes are given for the 2 factors of H2 S2"):
        draw(space, X, y, ax=axes[0])


@each_of(
    "signature, n, n_classes, name",
    [
        ("S2", 10, 2, "a"),
        ("H5 S5 E5", 300, 10, "class"),
        ("H2 S2 E1", 300, 20, "a class with a very long name, number"),
        ("H2^4 S2^2 E2^2 S1^2", 300, 20, "class"),
        ("H1 S1 E1 E2", 20_000, 10, "class"),
    ],
)
def test_nothing_is_clipped_and_nothing_overlaps(signature, n, n_classes, name):
    space, X, y = sample(signature, n, n_classes)
    display = draw(space, X, np.array([f"{name} {k}" for k in range(n_classes)])[y])
    figure = display.figure_
    figure.canvas.draw()
    boxes = [ax.get_tightbbox() for ax in display.axes_]
    boxes.append(figure.legends[0].get_window_extent())
    for k, box in enumerate(boxes):
        assert min(box.x0, box.y0) >= -1, (k, box)
        assert box.x1 <= figure.bbox.x1 + 1, (k, box)
        assert box.y1 <= figure.bbox.y1 + 1, (k, box)
        assert not [other for other in boxes[:k] if box.overlaps(other.padded(-1))]
    sides = [ax.bbox.height / figure.dpi for ax in display.axes_]
    assert min(sides) > 1.9
    rows = {round(ax.bbox.y0) for ax in display.axes_}
    assert len(rows) == -(-len(sides) // 4)
    image = np.asarray(figure.canvas.buffer_rgba())
    for box in boxes[:-1]:
        y0, y1 = (figure.bbox.y1 - np.array([box.y1, box.y0])).astype(int).clip(0)
        part = image[y0:y1, int(max(box.x0, 0)) : int(box.x1), :3].astype(int)
        coloured = np.ptp(part, axis=-1) > 60  # neither white nor grey
        assert coloured.sum() > 30


class Nearest(ClassifierMixin, BaseEstimator):
    """The class of the nearest row of a product space."""

    def fit(self, X, y):
        self.space_, self.X_, self.y_ = ProductSpace("S1 E1"), X, np.asarray(y)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.y_[self.space_.pairwise_distances(X, self.X_).argmin(axis=1)]


def test_predictions_of_an_estimator():
    space, X, y = sample("S1 E1")
    model = Nearest().fit(X[::2], y[::4].repeat(2)[:20])
    display = ProductSpaceDisplay.from_estimator(model, X, model.predict(X))
    assert display.space == space
    assert not display.wrong.any()
    other = ProductSpaceDisplay.from_estimator(Nearest().fit(X, y), X, 1 - y)
    assert other.wrong.all()
    np.testing.assert_array_equal(other.labels, 1 - y)
    assert texts(other) == ["0", "1", "wrong"]


REFUSED = [
    (lambda X, y: draw("S1 E1", X, X[:, 2] * 1.5), InputError, "y is continuous"),
    (lambda X, y: draw("S1 E1", X, y, class_names=[0, 2]), InputError, "y at row 1 is 1"),
    (lambda X, y: draw("S1 E1", X, y[1:]), InputError, "y has shape"),
    (lambda X, y: draw("S1 E1", X, y, y[1:]), InputError, "y_pred has shape"),
    (lambda X, y: draw("S1 E1", X, y_pred=y), InputError, "give y with y_pred and class_names"),
    (
        lambda X, y: draw("S1 E1", 2 * X, y),
        InputError,
        "factor S1: all rows have curvature 0.25, not 1",
    ),
    (lambda X, y: draw("S1 E2", X, y), InputError, "has 2 \\+ 2 = 4"),
    (
        lambda X, y: ProductSpaceDisplay.from_estimator(Nearest(), X, y),
        NotFittedError,
        "not fitted",
    ),
    (
        lambda X, y: ProductSpaceDisplay.from_estimator(LogisticRegression().fit(X, y), X, y),
        InputError,
        "LogisticRegression has no space_; give the space to from_points",
    ),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED, ids=[m for *_, m in REFUSED])
def test_refused(call, error, message):
    _, X, y = sample("S1 E1")
    with pytest.raises(error, match=message):
        call(X, y)
