"""The display of compositions and polygons."""

import numpy as np
import pytest
from cases import each_of
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from noneuclid import HilbertNearestClassifier, HilbertSVC, Polytope, SimplexDisplay
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid.geometry.polytope_hyperplanes import hyperplane_distance
from noneuclid.geometry.polytope_metrics import METRICS, polytope_distance

draw = SimplexDisplay.from_estimator
SMALL = {"grid_resolution": 60}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def compositions(n_classes=2):
    rng = np.random.default_rng(0)
    places = ([16, 2, 2], [2, 9, 9], [3, 16, 2])[:n_classes]
    X = np.vstack([rng.dirichlet(place, 12) for place in places])
    return X, np.repeat(["a", "b", "c"][:n_classes], 12)


@each_of("n_classes", [2, 3])
@each_of(
    "model",
    [
        HilbertSVC(C=0.1),
        HilbertNearestClassifier(representative="mean"),
        LogisticRegression(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_regions_are_predictions(model, n_classes):
    X, y = compositions(n_classes)
    display = draw(model.fit(X, y), X, y, **SMALL)
    pixels, _ = display.plane.pixels(60)
    inside = ~np.isnan(pixels[..., 0])
    assert (display.regions[~inside] == -1).all()
    said = model.predict(pixels[inside])
    np.testing.assert_array_equal(np.array(display.class_names)[display.regions[inside]], said)
    np.testing.assert_array_equal(display.wrong, model.predict(X) != y)
    if isinstance(model, HilbertSVC):
        assert display.hyperplane_classes == ([0, 1, 2] if n_classes == 3 else [None])


@pytest.mark.parametrize("metric", METRICS)
def test_hyperplane_band_and_balls_are_those_of_the_margin(metric):
    X, y = compositions()
    model = HilbertSVC(metric=metric, margin="hard").fit(X, y)
    display = draw(model, X, y, margin=True, balls=2, **SMALL)
    assert len(display.balls) == 4
    (line,) = (line for line in display.ax_.lines if len(line.get_xdata()) == 2)
    ends = display.plane.lift(line.get_xydata())
    np.testing.assert_allclose(ends @ model.coef_[0, 1:] + model.coef_[0, 0], 0, atol=1e-9)
    for centre, radius, code in display.balls:
        assert radius == model.margin_
        side = hyperplane_distance(
            centre[None], model.coef_[0, 1:], model.coef_[0, 0], Polytope.simplex(3), metric
        )[0]
        assert np.sign(side) == (1 if code else -1)
    near = [abs(model.decision_function(centre[None])[0]) for centre, _, _ in display.balls]
    assert min(near) == pytest.approx(model.margin_, abs=1e-4)


def test_swapped_labels_swap_sides():
    X, y = compositions()
    first = draw(HilbertSVC(margin="hard").fit(X, y), X, y, **SMALL)
    other = np.where(y == "a", "b", "a")
    second = draw(HilbertSVC(margin="hard").fit(X, other), X, other, **SMALL)
    inside = first.regions >= 0
    assert (first.regions[inside] == 1 - second.regions[inside]).mean() > 0.999


def test_parts_may_be_exchanged():
    X, y = compositions()
    order = [2, 0, 1]
    first = draw(HilbertNearestClassifier(representative="mean").fit(X, y), X, y, **SMALL)
    second = draw(
        HilbertNearestClassifier(representative="mean").fit(X[:, order], y), X[:, order], y, **SMALL
    )
    np.testing.assert_allclose(second.representatives, first.representatives[:, order])


def test_balls_about_representatives_just_hold_their_rows():
    X, y = compositions(3)
    model = HilbertNearestClassifier(representative="ball").fit(X, y)
    display = draw(model, X, y, balls=1, **SMALL)
    assert len(display.balls) == 3
    for centre, radius, code in display.balls:
        own = X[y == display.class_names[code]]
        assert polytope_distance(centre, own, Polytope.simplex(3)).max() == pytest.approx(radius)
    assert max(ball[1] for ball in display.balls) == pytest.approx(model.objective_, rel=1e-4)


@pytest.mark.parametrize(
    "polytope", [{"regular_polygon": 5}, "box", Polytope.box([0, 0], [2, 1])], ids=str
)
def test_polygons(polytope):
    rng = np.random.default_rng(1)
    X = rng.uniform(0.1, 0.6, (24, 2))
    y = X[:, 0] + 0.2 * X[:, 1] > 0.4
    display = draw(HilbertSVC(polytope, margin="hard").fit(X, y), X, y, **SMALL)
    np.testing.assert_array_equal(display.plane.flat(display.points), X)
    assert not display.ax_.texts  # corners of a polygon have no names
    assert not display.wrong.any()


def test_a_model_may_read_another_chart():
    X, y = compositions(3)
    logs = charts.convert(X, "simplex", "tangent")
    model = HilbertNearestClassifier(representative="mean", chart="tangent").fit(logs, y)
    own = HilbertNearestClassifier(representative="mean").fit(X, y)
    display, expected = draw(model, logs, y, **SMALL), draw(own, X, y, **SMALL)
    np.testing.assert_allclose(display.points, X, atol=1e-12)
    assert (display.regions == expected.regions).mean() > 0.999
    assert model.chart == "tangent"
    assert model.n_features_in_ == 2


def test_axes_names_of_parts_and_predictions():
    X, y = compositions()
    figure = Figure()
    ax = figure.subplots()
    display = SimplexDisplay.from_predictions(X, y, y[::-1], part_names=["A", "B", "C"], ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert [text.get_text() for text in ax.texts] == ["A", "B", "C"]
    assert display.wrong.all()


REFUSED = [
    (lambda X, y: draw(HilbertSVC(), X, y), NotFittedError, "not fitted"),
    (
        lambda X, y: draw(
            HilbertNearestClassifier(representative="mean").fit(
                X[:, [0, 0, 1, 2]] / (1 + X[:, :1]), y
            )
        ),
        InputError,
        "dimension 3, the picture 2",
    ),
    (
        lambda X, y: draw(LogisticRegression().fit(X[:, :2], y), X, y),
        InputError,
        "reads 2 columns, the triangle shows compositions of 3 parts",
    ),
    (
        lambda X, y: draw(LogisticRegression().fit(X, y), X, y, margin=True),
        InputError,
        "has no single margin",
    ),
    (
        lambda X, y: draw(LogisticRegression().fit(X, y), X, y, balls=1),
        InputError,
        "balls=1 needs a HilbertSVC",
    ),
    (lambda X, y: draw(LogisticRegression().fit(X, y), 2 * X, y), InputError, "row 0"),
    (
        lambda X, y: draw(LogisticRegression().fit(X, y), X, ["z", *y[1:]]),
        InputError,
        "y at row 0 is 'z'",
    ),
    (lambda X, y: draw(LogisticRegression().fit(X, y), X), InputError, "give both X and y"),
    (
        lambda X, y: SimplexDisplay.from_predictions(X, y, part_names=["A"]),
        InputError,
        "1 names are given for three parts",
    ),
    (lambda X, y: SimplexDisplay.from_predictions(X, y[:2]), InputError, "y has shape"),
]


@each_of(("call", "kind", "message"), REFUSED)
def test_bad_arguments_are_named_in_one_line(call, kind, message):
    with pytest.raises(kind, match=message) as caught:
        call(*compositions())
    assert kind is NotFittedError or "\n" not in str(caught.value)
