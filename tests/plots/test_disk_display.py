"""The display of the Poincaré disk: geometry, arguments, errors."""

import sys

import numpy as np
import pytest
from cases import each_of
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid import (
    EuclideanSVC,
    HilbertSVC,
    HyperbolicDecisionTreeClassifier,
    HyperbolicDecisionTreeRegressor,
    HyperbolicLogisticRegression,
    HyperbolicRandomForestClassifier,
    HyperboloidPerceptron,
    PoincareDiskDisplay,
    PoincarePerceptron,
    PoincareStrategicPerceptron,
    PoincareSVC,
)
from noneuclid.errors import InputError, MissingPackage
from noneuclid.geometry import charts, lorentz
from noneuclid.plots import disk_regions, normals, tree_regions

draw = PoincareDiskDisplay.from_estimator
SMALL = {"grid_resolution": 40}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def points(n_classes=2, n=40, seed=0):
    """Classes around directions of the disk, which overlap a little."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % n_classes
    turn = 2 * np.pi * labels / n_classes + 0.4 + rng.normal(scale=0.5, size=n)
    X = rng.uniform(0.2, 0.9, (n, 1)) * np.column_stack([np.cos(turn), np.sin(turn)])
    return X, np.array(["a", "b", "c", "d"])[labels]


def lines(display, label):
    """Curves in the disk by the label of the first of them and its look."""
    (first,) = (line for line in display.ax_.lines if line.get_label() == label)
    return [
        line.get_xydata()
        for line in display.ax_.lines
        if line.get_linestyle() == first.get_linestyle()
        and line.get_linewidth() == first.get_linewidth()
    ]


@each_of(
    "model",
    [
        PoincareSVC(),
        PoincareSVC(margin="exact", reference_point="hulls"),
        PoincarePerceptron(random_state=0),
        HyperboloidPerceptron(random_state=0),
        HyperbolicLogisticRegression(),
        HilbertSVC({"regular_polygon": 8}, C=0.1),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_model_is_undecided_on_the_drawn_geodesic(model):
    X, y = points()
    model = model.set_params(chart="poincare").fit(X, y)
    display = draw(model, X, y, **SMALL)
    (line,) = lines(display, "hyperplane")
    inner = line[np.hypot(*line.T) < 0.98]
    np.testing.assert_allclose(model.decision_function(inner), 0, atol=1e-6)
    # A step to the side of the normal is a step towards the second class.
    w = normals.hyperplane_normals(model)[0]
    sides = lorentz.product(charts.convert(X, "poincare", "hyperboloid"), w) > 0
    np.testing.assert_array_equal(model.classes_[sides.astype(int)], model.predict(X))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@each_of("curvature", [1.0, 0.25, 4.0])
@each_of("chart", charts.CHARTS)
def test_pictures_are_the_same_in_every_chart_and_curvature(chart, curvature):
    X, y = points(3)
    model = HyperboloidPerceptron(random_state=0, max_iter=5, calibration=None)
    model.set_params(chart="poincare").fit(X, y)
    expected = draw(model, X, y, **SMALL)
    scaled = charts.convert(X / np.sqrt(curvature), "poincare", chart, curvature)
    model.set_params(chart=chart, curvature=curvature).fit(scaled, y)
    display = draw(model, scaled, y, **SMALL)
    np.testing.assert_allclose(display.points, X, atol=1e-9)
    assert (display.regions != expected.regions).mean() < 0.003
    np.testing.assert_allclose(display.hyperplanes, expected.hyperplanes, rtol=1e-6)
    # The rows may be in another chart than the model's.
    other = draw(model, X / np.sqrt(curvature), y, chart="poincare", **SMALL)
    np.testing.assert_allclose(other.points, X, atol=1e-9)
    np.testing.assert_array_equal(other.regions, display.regions)


def test_margins_are_distances_of_the_space():
    X, y = points()
    model = PoincareSVC(chart="poincare", curvature=4.0).fit(X / 2, y)
    display = draw(model, X / 2, y, margins=0.3, **SMALL)
    upper, lower = lines(display, "distance 0.3")
    for line, side in ((upper, 1), (lower, -1)):
        inner = line[np.hypot(*line.T) < 0.98]
        np.testing.assert_allclose(model.decision_function(inner / 2), side * 0.3, atol=1e-6)


@each_of("n_classes", [2, 3])
@each_of(
    "model",
    [
        PoincareSVC(chart="klein"),
        EuclideanSVC(chart="tangent"),
        HyperbolicRandomForestClassifier(n_estimators=3, random_state=0, chart="hyperboloid"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_regions_are_predictions(model, n_classes):
    X, y = points(n_classes)
    own = charts.convert(X, "poincare", model.chart)
    model.fit(own, y)
    for method in ("predict", "predict_proba"):
        display = draw(model, own, y, response_method=method, **SMALL)
        centres, inside = disk_regions.grid(40)
        codes = display.regions.ravel()
        assert (codes[~inside] == -1).all()
        at = charts.convert(centres[inside], "poincare", model.chart)
        np.testing.assert_array_equal(model.classes_[codes[inside]], model.predict(at))
        # Row 0 is the lowest, column 0 the leftmost.
        place = np.array([[display.points[0, 0], display.points[0, 1]]])
        column, row = ((place[0] + 1) / 2 * 40).astype(int)
        centre = (np.array([column, row]) + 0.5) / 20 - 1
        said = model.predict(charts.convert(centre[None], "poincare", model.chart))[0]
        assert display.class_names[display.regions[row, column]] == said
    largest = model.predict_proba(at).max(axis=1)
    np.testing.assert_allclose(display.confidence.ravel()[inside], largest)
    # The image has the colour of the region: blue tints have more blue than red, orange less.
    (image,) = display.ax_.get_images()
    pixels = image.get_array()
    for code, sign in ((0, 1), (1, -1)):
        row, column = np.argwhere((display.regions == code) & (display.confidence > 0.7))[0]
        red, _, blue = pixels[int((row + 0.5) * 10.5), int((column + 0.5) * 10.5)]
        assert sign * (blue - red) > 0


def test_swapped_labels_swap_colours_only():
    X, y = points()
    other = np.where(y == "a", "b", "a")
    first, second = (
        draw(PoincareSVC(chart="poincare").fit(X, labels), X, labels, **SMALL)
        for labels in (y, other)
    )
    inside = first.regions >= 0
    assert (first.regions[inside] == 1 - second.regions[inside]).mean() > 0.999
    np.testing.assert_allclose(first.hyperplanes, -second.hyperplanes, rtol=1e-5)
    np.testing.assert_array_equal(first.wrong, second.wrong)


def test_an_isometry_moves_the_picture():
    X, y = points()
    settings = {"reference_point": "hulls", "chart": "hyperboloid", "margin": "exact"}
    lifted = charts.convert(X, "poincare", "hyperboloid")
    move = lorentz.boost(lorentz.from_spatial([0.3, -0.2]))
    first = draw(PoincareSVC(**settings).fit(lifted, y), lifted, y, **SMALL)
    second = draw(PoincareSVC(**settings).fit(lifted @ move.T, y), lifted @ move.T, y, **SMALL)
    np.testing.assert_allclose(second.hyperplanes, first.hyperplanes @ move.T, rtol=1e-4)
    np.testing.assert_array_equal(first.wrong, second.wrong)
    carried = charts.convert(first.reference_points, "poincare", "hyperboloid") @ move.T
    places = charts.convert(carried, "hyperboloid", "poincare")
    np.testing.assert_allclose(second.reference_points, places, atol=1e-6)


def test_hyperplanes_of_several_classes_have_their_colours_and_pairs_none():
    X, y = points(3)
    rest = draw(PoincareSVC(chart="poincare").fit(X, y), X, y, **SMALL)
    assert rest.hyperplane_classes == [0, 1, 2]
    assert len(lines(rest, "class against the rest")) == 3
    pairs = draw(PoincareSVC(chart="poincare", multi_class="ovo").fit(X, y), X, y, **SMALL)
    assert pairs.hyperplane_classes == [None] * 3


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_is_no_geodesic_is_not_drawn_as_one():
    X, y = points()
    for model in (
        EuclideanSVC(chart="poincare"),
        PoincareStrategicPerceptron(budget=0.2, chart="poincare", random_state=0),
        HilbertSVC("box", chart="tangent"),
    ):
        assert len(draw(model.fit(X, y), X, y, **SMALL).hyperplanes) == 0
    # A normal inside the light cone: one label everywhere.
    display = PoincareDiskDisplay(
        points=X, labels=(y == "b"), class_names=["a", "b"], hyperplanes=[[2.0, 1.0, 0.0]]
    ).plot()
    assert "hyperplane" not in display.ax_.get_legend_handles_labels()[1]


def test_a_tree_shows_its_splits():
    X, y = points(3)
    model = HyperbolicDecisionTreeClassifier(max_depth=3, chart="poincare").fit(X, y)
    display = draw(model, X, y, **SMALL)
    assert len(display.splits) == len(tree_regions.arcs(model)) > 1
    assert len(display.hyperplanes) == 0


def test_axes_that_are_given_are_used():
    X, y = points()
    model = PoincareSVC(chart="poincare").fit(X, y)
    figure = Figure()
    ax = figure.subplots()
    display = draw(model, X, y, ax=ax, title="t", grid="geodesic", **SMALL)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert ax.get_title() == "t"
    plain = display.plot(grid="polar", hyperplanes=False, errors=False, legend=False)
    assert plain is display
    assert display.figure_ is not figure
    assert display.ax_.get_legend() is None
    assert plt.get_fignums()


def test_the_model_is_not_fitted_again(monkeypatch):
    X, y = points()
    model = PoincareSVC(chart="poincare").fit(X, y)
    before = dict(vars(model))
    monkeypatch.setattr(PoincareSVC, "fit", None)
    draw(model, X, y, **SMALL)
    assert vars(model) == before


def test_searches_pipelines_data_frames_and_no_points():
    import pandas as pd

    X, y = points()
    frame = pd.DataFrame(X, columns=["u", "v"])
    search = GridSearchCV(PoincareSVC(chart="poincare"), {"C": [1.0, 10.0]}, cv=2).fit(frame, y)
    display = draw(search, frame, y, **SMALL)
    assert len(display.hyperplanes) == 1
    assert len(display.points) == len(X)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    display = draw(pipeline, chart="poincare", **SMALL)
    assert len(display.points) == 0
    assert set(np.unique(display.regions)) == {-1, 0, 1}


def test_rings_are_the_wrong_predictions():
    X, y = points()
    model = PoincareSVC(chart="poincare").fit(X, y)
    display = draw(model, X, y, **SMALL)
    np.testing.assert_array_equal(display.wrong, model.predict(X) != y)
    rings = display.ax_.collections[-1].get_offsets()
    np.testing.assert_allclose(rings, X[display.wrong])
    shown = PoincareDiskDisplay.from_predictions(X, y, model.predict(X))
    np.testing.assert_array_equal(shown.wrong, display.wrong)
    assert shown.regions is None


REFUSED = [
    (lambda X, y: draw(PoincareSVC(), X, y), NotFittedError, "not fitted"),
    (
        lambda X, y: draw(LogisticRegression().fit(X, y), X, y),
        InputError,
        "LogisticRegression has no chart; give chart=, one of hyperboloid",
    ),
    (
        lambda X, y: draw(LogisticRegression().fit(X, y), X, y, chart="disk"),
        InputError,
        "reads chart='disk'",
    ),
    (
        lambda X, y: draw(HilbertSVC("box").fit(0.1 + 0.4 * (X + 1), y), X, y),
        InputError,
        "HilbertSVC reads chart='polytope'",
    ),
    (
        lambda X, y: draw(PoincareSVC().fit(np.hstack([X, X[:, :1]]), y)),
        InputError,
        "PoincareSVC has 3 dimensions, the disk 2: embed",
    ),
    (
        lambda X, y: draw(PoincareSVC(chart="poincare").fit(X, y), X[:, :1], y),
        InputError,
        "X has 1 dimension, the disk 2",
    ),
    (
        lambda X, y: draw(PoincareSVC(chart="poincare").fit(X, y), 2 * X, y),
        InputError,
        "lies outside the Poincaré ball",
    ),
    (
        lambda X, y: draw(PoincareSVC(chart="poincare").fit(X, y), X, ["z", *y[1:]]),
        InputError,
        "y at row 0 is 'z', not a class of the model; its classes are 'a', 'b'",
    ),
    (
        lambda X, y: draw(PoincareSVC(chart="poincare").fit(X, y), X),
        InputError,
        "give both X and y",
    ),
    (
        lambda X, y: draw(PoincareSVC(chart="poincare").fit(X, y), X, y[:3]),
        InputError,
        r"y has shape \(3,\) for 40 rows",
    ),
    (
        lambda X, y: draw(
            PoincareSVC(calibration=None).fit(X, y), X, y, response_method="predict_proba"
        ),
        InputError,
        "PoincareSVC with these settings has no predict_proba; use response_method='predict'",
    ),
    (
        lambda X, y: draw(PoincareSVC().fit(X, y), X, y, response_method="transform"),
        InputError,
        "response_method='transform'; give one of predict, predict_proba",
    ),
    (
        lambda X, y: draw(HyperbolicDecisionTreeRegressor().fit(X, X[:, 0])),
        InputError,
        "HyperbolicDecisionTreeRegressor predicts no classes",
    ),
    (
        lambda X, y: draw(PoincareSVC().fit(X, y), X, y, margins=[0.1, -1], **SMALL),
        InputError,
        "give distances above zero",
    ),
    (
        lambda X, y: draw(PoincareSVC().fit(X, y), X, y, grid="square", **SMALL),
        InputError,
        "grid='square'; give 'geodesic', 'polar' or None",
    ),
    (
        lambda X, y: draw(PoincareSVC().fit(X, y), X, y, curvature=4.0),
        InputError,
        "curvature=4.0, but PoincareSVC has curvature=1; leave it out",
    ),
    (
        lambda X, y: draw(PoincareSVC().fit(X, y), X, y, grid_resolution=1),
        InputError,
        "grid_resolution=1; give 2 or more",
    ),
    (
        lambda X, y: PoincareDiskDisplay.from_predictions(X, y, y[:3]),
        InputError,
        "y_pred has shape",
    ),
]


@each_of(("call", "kind", "message"), REFUSED)
def test_bad_arguments_are_named_in_one_line(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call(*points())
    assert kind is NotFittedError or "\n" not in str(caught.value)


def test_without_matplotlib_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackage, match=r"plots needs .*pip install matplotlib"):
        PoincareDiskDisplay.from_predictions([[0.0, 0.0]], ["a"])


@pytest.mark.parametrize("name", ["PoincareDiskDisplay", "SimplexDisplay", "TreeDisplay"])
def test_displays_are_public_names_of_the_package_and_of_plots(name):
    import noneuclid.plots

    assert getattr(noneuclid, name) is getattr(noneuclid.plots, name)
    with pytest.raises(AttributeError, match="no attribute 'Disk'"):
        _ = noneuclid.plots.Disk


def test_a_legend_of_forty_classes_leaves_room_for_the_disk():
    rng = np.random.default_rng(0)
    y = np.array([f"{a}.{b}" for a in range(4) for b in range(10)] * 2)
    points = rng.uniform(-0.6, 0.6, size=(80, 2))
    display = PoincareDiskDisplay.from_predictions(points, y, chart="poincare")
    display.ax_.figure.draw_without_rendering()
    assert display.ax_.get_position().width > 0.6
    bottom = display.ax_.get_legend().get_window_extent().y0
    assert bottom >= 0
