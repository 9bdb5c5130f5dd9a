"""The certificates' section, its figure and its picture."""

import numpy as np
import pandas as pd
import pytest

from noneuclid.geometry import charts, lorentz
from noneuclid_compare.report.figures import page_figures
from noneuclid_papers.figures import bounds, hyperplanes
from noneuclid_papers.statistics import optimality_gaps
from noneuclid_papers.tables import certificate_rows as certificates


def row(kind, value, bound=None, problem="a", C=1.0, **more):
    return {
        "problem": problem, "C": C, "n": 30, "n_positive": 7, "solver": kind, "kind": kind,
        "objective": value, "lower_bound": bound, "seconds": 0.01, "warning": "", "n_iter": 3,
        "gap": None if bound is None else (value - bound) / value, "status": "optimal",
        "w": [0.1, 1.0, 0.0],
    } | more  # fmt: skip


def skipped(kind, **more):
    empty = dict.fromkeys(("objective", "lower_bound", "gap", "seconds", "w", "n_iter"))
    return row(kind, 1.0, **more) | empty | {"status": "skipped", "warning": "more than 9 points"}


@pytest.fixture
def table():
    first = [row("optimal", 4.0, 4.0), row("sdp", 6.0, 0.0), row("moment", 4.0, 3.999),
             row("pgd", 4.2, warning="still falling")]  # fmt: skip
    cone = {"problem": "b", "status": "horospherical", "w": [1.0, 0.6, 0.8]}
    second = [row("optimal", 2.0, 1.9999, **cone), row("sdp", 2.0, 1.0, problem="b"),
              skipped("moment", problem="b"), row("pgd", 10.0, problem="b")]  # fmt: skip
    named = [("one", [*first, *second]), ("two", [{**r, "C": 10.0} for r in first])]
    return optimality_gaps.long_table(
        [{"dataset": d, "embedding": "e", "dimension": 2, "solutions": rows} for d, rows in named]
    )


def test_sentences_say_what_was_found(table):
    told = certificates.sentences(table)
    assert told[0].startswith(
        "The global optimum is certified for all 3 problems (largest relative "
    )
    assert "In 1 problem it is horospherical" in told[0]
    assert told[1] == (
        "Objectives of the SDP relaxation exceed the optimum by a median of 50.0 % and at most "
        "50.0 % (One, a, C = 1); they are within 0.01 % of it in 1 of 3 problems."
    )
    assert "bound of the SDP relaxation has a median distance of 100 % from the optimum" in told[2]
    assert " and zero, which carries no information, in 2" in told[2]
    assert "The moment relaxation was not applied to 1 problem (more than 9 points)." in told
    assert "at most 400 % (One, b, C = 1)" in told[-1]
    assert "bound of gradient descent" not in " ".join(told)


def test_an_open_gap_is_said():
    wide = row("optimal", 2.0, 1.0, status="gap open")
    rows = [row("optimal", 4.0, 4.0, problem="b"), wide]
    table = optimality_gaps.long_table(
        [{"dataset": "d", "embedding": "e", "dimension": 2, "solutions": rows}]
    )
    (told,) = certificates.sentences(table)
    assert "certified for 1 of 2 problems" in told
    assert "The largest gap of the other problems is 5.0e-01." in told


def test_section_has_a_row_for_each_problem_and_each_c(table):
    section = certificates.section(table)
    assert section["solvers"] == [
        ("sdp", "SDP relaxation"),
        ("moment", "Moment relaxation"),
        ("pgd", "Gradient descent"),
    ]
    assert [(r["dataset"], r["C"]) for r in section["overview"]] == [("one", "1"), ("two", "10")]
    cells = section["overview"][0]
    assert cells["optimal"]["certified"] == "2 of 2"
    assert cells["optimal"]["horospherical"] == 1
    sdp, moment, pgd = cells["others"]
    assert (sdp["median"], sdp["worst"], sdp["bound"]) == ("+25.0", "+50.0", "−75.0")
    assert moment["missing"] == 1
    assert (pgd["median"], pgd["bound"]) == ("+202", "–")
    one, two = section["details"]
    assert [r["problem"] for r in one["rows"]] == ["a", "b"]
    assert len(two["rows"]) == 1
    assert one["rows"][1]["status"] == "horospherical"
    assert [c["above"] for c in one["rows"][1]["others"]] == ["0.00", "–", "+400"]
    assert one["rows"][0]["others"][2]["warning"] == "still falling"


def test_figure_has_bounds_left_and_objectives_right(table):
    figure = bounds.draw_bounds(table)
    (ax,) = figure.axes
    marks = [c.get_offsets()[:, 0] for c in ax.collections]
    marks = [np.asarray(m[~np.isnan(m)]) for m in marks]
    assert sorted(np.concatenate(marks[0::2]).round(6)) == [-100, -100, -50, -0.025, -0.025]
    above = np.concatenate(marks[1::2])
    assert sorted(above[above > 1e-9].round(6)) == [5, 5, 50, 50, 400]
    assert ax.get_xscale() == "symlog"
    low, high = ax.get_xlim()
    assert low < -100
    assert high > 400
    assert [t.get_text() for t in ax.get_yticklabels()] == ["One", "Two"]
    labels = [t.get_text() for t in figure.legends[0].get_texts()]
    assert "Gradient descent, bound" not in labels
    assert {"SDP relaxation, bound", "Gradient descent, objective"} <= set(labels)
    assert page_figures.to_bytes(figure, "svg") == page_figures.to_bytes(
        bounds.draw_bounds(table), "svg"
    )


def test_dots_of_two_data_sets_do_not_share_a_lane(table):
    ax = bounds.draw_bounds(table).axes[0]
    heights = [c.get_offsets()[:, 1] for c in ax.collections]
    assert max(h.max() for h in heights[:6]) < 0.5 < min(h.min() for h in heights[6:])


def test_every_solver_has_its_own_look(table):
    again = table[table["kind"] == "pgd"].assign(solver="pgd_again")
    shown = bounds.assign_looks(pd.concat([table, again]))
    assert list(shown) == ["sdp", "moment", "pgd", "pgd_again"]
    assert len(set(shown.values())) == 4


def picture(table, problem):
    rng = np.random.default_rng(0)
    points = lorentz.from_spatial(rng.normal(size=(30, 2)))
    positive = np.arange(30) < 7
    rows = table[(table["problem"] == problem) & (table["dataset"] == "one")]
    return rows, points, positive


def test_picture_shows_all_points_and_hyperplanes_twice(table):
    rows, points, positive = picture(table, "a")
    rows = rows.assign(w=[[0.1 * k, 1.0, 0.2] for k in range(4)])
    figure = hyperplanes.draw_hyperplanes(rows, points, positive)
    move = hyperplanes.centre_boundary(rows, points, positive)
    metric = np.diag([-1.0, 1.0, 1.0])
    assert np.allclose(move.T @ metric @ move, metric)
    for ax, matrix in zip(figure.axes, (np.eye(3), move), strict=True):
        sides, arcs = ax.lines[:2], ax.lines[2:]
        assert [len(side.get_xdata()) for side in sides] == [7, 23]
        assert len(arcs) == 4
        for line, w in zip(arcs, rows["w"], strict=True):
            inner = line.get_xydata()[1:-1]
            on = charts.convert(inner, "poincare", "hyperboloid") @ np.linalg.inv(matrix).T
            assert np.abs(lorentz.product(on, np.array(w)) / on[:, 0]).max() < 1e-7
    # The optimum's hyperplane passes through the middle of the second disk.
    best = figure.axes[1].lines[2].get_xydata()
    assert np.hypot(*best.T).min() < 0.02


def test_horospherical_solutions_and_skipped_ones_are_told_and_not_drawn(table):
    figure = hyperplanes.draw_hyperplanes(*picture(table, "b"))
    texts = [t.get_text() for t in figure.legends[0].get_texts()]
    assert (
        texts[2]
        == "Branch and bound: 2 (certified) (horospherical: one label for all points, no line)"
    )
    assert "Moment relaxation: skipped" in texts
    assert "Gradient descent: 10, +400 %" in texts
    assert len(figure.axes[0].lines) == 2 + 2


def test_without_a_planar_problem_the_picture_says_so(table):
    figure = hyperplanes.draw_hyperplanes(table.head(0), np.empty((0, 3)), np.empty(0, bool))
    assert figure.axes == []
    assert figure.texts[0].get_text() == "no problem in two dimensions"
