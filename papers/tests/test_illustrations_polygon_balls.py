"""Drawings of distances and balls of a polygon, and names of a paper's figures."""

import math

import numpy as np
import pytest
from matplotlib.patches import Polygon

from noneuclid.errors import InputError
from noneuclid.geometry.polytope_metrics import polytope_distance
from noneuclid_compare.stages import illustrate
from noneuclid_papers.illustrations import polygon_balls


def outlines(ax):
    """Corners of the patches of an axis."""
    patches = [patch for patch in ax.patches if isinstance(patch, Polygon)]
    return [patch.get_xy()[:-1] for patch in patches]


def test_the_chord_says_the_three_distances():
    figure, caption = polygon_balls.draw({}, {}, None)["chord"]
    (ax,) = figure.axes
    places = {text.get_text(): np.array(text.xy) for text in ax.texts}
    start, p, q, end = (places[name] for name in ("p'", "p", "q", "q'"))
    funk = np.log(math.dist(p, end) / math.dist(q, end))
    reverse = np.log(math.dist(q, start) / math.dist(p, start))
    for value in (funk, reverse, (funk + reverse) / 2):
        assert f"{value:.3f}" in caption


def test_corners_of_a_ball_lie_at_its_radius():
    figure, caption = polygon_balls.draw({}, {}, None, radius=0.25)["balls"]
    polytope = polygon_balls.polygon(polygon_balls.CORNERS)
    p = np.array(polygon_balls.draw.__kwdefaults__["p"])
    for ax, metric in zip(figure.axes, polygon_balls.NAMES, strict=True):
        ball = min(outlines(ax), key=np.ptp)
        found = [polytope_distance(p, corner, polytope, metric) for corner in ball]
        np.testing.assert_allclose(found, 0.25, rtol=1e-9)
        assert f"{len(ball)} sides" in ax.get_title()
        assert len(ax.lines) == len(ball) + 1  # its lines, and p
    assert "radius 0.25" in caption


def test_tangent_lines_of_the_separator_are_combinations_of_two_sides():
    figure, caption = polygon_balls.draw({}, {}, None)["separator"]
    (ax,) = figure.axes
    polytope = polygon_balls.polygon(polygon_balls.CORNERS)
    balls = [ball for ball in outlines(ax) if np.ptp(ball, axis=0).max() < 0.5]
    lines = [line.get_xydata() for line in ax.lines if len(line.get_xydata()) == 2]
    dashed = [line.get_xydata() for line in ax.lines if line.get_linestyle() == "--"]
    assert (len(balls), len(dashed)) == (4, 4)
    first = polygon_balls.line_through(*lines[0])  # K is drawn first
    sides = [np.sign(first[0] + ball @ first[1:]) for ball in balls]
    assert all(abs(side.sum()) == len(side) for side in sides)
    for ball, ends in zip(balls, dashed, strict=True):
        line = polygon_balls.line_through(*ends)
        assert abs(line[1] * first[2] - line[2] * first[1]) < 1e-12
        values = line[0] + ball @ line[1:]
        assert abs((values * np.sign(values.sum())).min()) < 1e-12
    for p, ball in zip((*polygon_balls.POSITIVE, *polygon_balls.NEGATIVE), balls, strict=True):
        found = [polytope_distance(np.array(p), corner, polytope, "hilbert") for corner in ball]
        np.testing.assert_allclose(found, 0.3, rtol=1e-9)
    rng = np.random.default_rng(0)
    for w in rng.normal(size=(20, 2)):
        corner, (first, second), y = polygon_balls.tangent(balls[0], w)
        assert (y >= 0).all()
        np.testing.assert_allclose(y[0] * first[1:] + y[1] * second[1:], w, atol=1e-12)
        assert (balls[0] @ w).min() == pytest.approx(corner @ w, abs=1e-12)
        assert min(first[0] + balls[0] @ first[1:]) > -1e-12
    assert "0.52 times that of S1 plus 0.64 times that of S2" in caption


@pytest.mark.parametrize("radius", [0.1, 0.3, 0.8])
def test_a_line_of_eqs_11_and_12_supports_the_ball(radius):
    figure, caption = polygon_balls.draw({}, {}, None, radius=radius)["side"]
    (ax,) = figure.axes
    polytope = polygon_balls.polygon(polygon_balls.CORNERS)
    p = np.array(polygon_balls.draw.__kwdefaults__["p"])
    ball = min(outlines(ax), key=np.ptp)
    chord, line, *sides = (x.get_xydata() for x in ax.lines if len(x.get_xydata()) == 2)
    (crossing,) = (text.xy for text in ax.texts if text.get_text() == "")
    assert polytope_distance(p, np.array(crossing), polytope, "hilbert") == pytest.approx(radius)
    # The crossing is on the chord and on S, whose line meets those of both sides in one point.
    lines = [polygon_balls.line_through(*ends) for ends in (chord, line, *sides)]
    chord, line, *sides = (g / np.linalg.norm(g[1:]) for g in lines)
    assert np.abs([g @ np.r_[1.0, crossing] for g in (chord, line)]).max() < 1e-12
    assert abs(np.linalg.det([line, *sides])) < 1e-12
    values = line[0] + ball @ line[1:]
    assert abs((values * np.sign(values.sum())).min()) < 1e-12  # a corner touches, none is beyond
    assert f"distance {radius:g} from p" in caption


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"corners": [[0, 0], [0, 1], [1, 0]]}, "convex polygon, against the clock"),
        ({"corners": [[0, 0], [1, 0]]}, "convex polygon, against the clock"),
        ({"corners": [1, 2]}, "not points"),
        ({"q": [2, 2]}, "row 1"),
        ({"radius": 0}, "above zero"),
    ],
)
def test_bad_settings_are_named(settings, message):
    with pytest.raises(InputError, match=message):
        polygon_balls.draw({}, {}, None, **settings)


def test_figures_take_the_names_of_a_papers():
    drawn = {"a": ("A", "One."), "b": ("B", "After p, figure 2: two.", "table")}
    names = {"a": "p_figure_1", "b": "p_figure_2"}
    found = illustrate.named(drawn, names)
    assert found["p_figure_1"] == ("A", "After p, figure 1. One.")
    assert found["p_figure_2"] == ("B", "After p, figure 2: two.", "table")
    assert illustrate.named(drawn, {}) == drawn
    with pytest.raises(InputError, match="no figure 'c'; known: a, b"):
        illustrate.named(drawn, {"c": "p_figure_1"})
    with pytest.raises(InputError, match="two have the name 'b'"):
        illustrate.named(drawn, {"a": "b"})
