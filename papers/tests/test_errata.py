"""Letters to the authors: paragraphs are whole and quote the paper; faults of formulas."""

import re

import numpy as np
import pytest
from cases import each_of
from paper_mirror import ROOT
from scipy.linalg import null_space
from scipy.optimize import minimize
from scipy.spatial import ConvexHull, HalfspaceIntersection
from test_claims import FILES, check_place, needs_texts, plain

from noneuclid.geometry import lorentz, poincare, polytope_metrics
from noneuclid.geometry.polytope import Polytope
from noneuclid_papers.stages.published import read_words

LETTERS = sorted((ROOT / "papers/letters").glob("*.md"))
PARTS = ("Where", "Quotation", "What we found", "How to run it", "How sure we are",
         "What would change our mind")  # fmt: skip
FOLDERS = r"\b(?:tests|benchmarks|config|resources|docs|papers)/[\w./]+\.\w+"
ITEMS = [
    (letter.stem, item)
    for letter in LETTERS
    for item in re.split(r"^## (?=\d+\. )", letter.read_text(), flags=re.M)[1:]
]
each = each_of(("paper", "item"), ITEMS, ids=lambda text: text[:24])


def test_there_is_a_letter_for_each_paper():
    assert [letter.stem for letter in LETTERS] == sorted([*FILES, "chlenski2025"])


@each
def test_each_paragraph_is_whole_and_names_files_that_exist(paper, item):
    assert tuple(re.findall(r"^- \*\*(.*?):\*\* \S", item, re.M)) == PARTS
    for path in re.findall(FOLDERS, item):
        assert (ROOT / path).exists(), path


@needs_texts
@each_of(("paper", "item"), [case for case in ITEMS if case[0] in FILES], ids=lambda t: t[:24])
def test_each_paragraph_quotes_the_paper(paper, item):
    (quote,) = re.findall(r'^- \*\*Quotation:\*\* "(.*)"$', item, re.M)
    assert plain(quote) in plain(FILES[paper].read_text(errors="replace"))
    (place,) = re.findall(r"^- \*\*Where:\*\* (.*)$", item, re.M)
    check_place(paper, place, quote)


def test_equation_54_of_pan2023_leaves_the_hyperboloid():
    x = np.array([0.3, 0.4])
    square = x @ x
    printed = np.append(1 - square, 2 * x) / (1 + square)
    right = np.append(1 + square, 2 * x) / (1 - square)
    np.testing.assert_allclose(printed, [0.6, 0.48, 0.64])
    assert printed @ printed == pytest.approx(1)
    assert lorentz.product(printed, printed) == pytest.approx(0.28)
    assert lorentz.product(right, right) == pytest.approx(-1)
    np.testing.assert_allclose(right[1:] / (1 + right[0]), x)  # (36)


def dual(rows, most, equality):
    """Value and w of the dual of pan2023; rows y_i v_i, shape (n, d), and y or None."""
    done = minimize(
        lambda a: (a @ rows) @ (a @ rows) / 2 - a.sum(),
        np.full(len(rows), 0.1),
        bounds=[(0, most)] * len(rows),
        constraints=[] if equality is None else [{"type": "eq", "fun": lambda a: a @ equality}],
        options={"ftol": 1e-12},
        method="SLSQP",
    )
    return -done.fun, done.x @ rows


def primal(rows, C):
    """Value of (31) of pan2023, with slacks; that of (29) if C is large and rows separable."""
    n, d = rows.shape
    done = minimize(
        lambda z: z[:d] @ z[:d] / 2 + C * z[d:].sum(),
        np.ones(d + n),
        bounds=[(None, None)] * d + [(0, None)] * n,
        constraints=[{"type": "ineq", "fun": lambda z: rows @ z[:d] + z[d:] - 1}],
        options={"ftol": 1e-12},
        method="SLSQP",
    )
    return done.fun


def test_duals_of_pan2023_have_an_equality_that_the_primals_lack():
    y = np.array([1.0, -1.0])
    rows = y[:, None] * np.array([[3.0, 1.0], [1.0, -0.2]])
    for C, most, value in ((10.0, None, 3.25), (1.0, 1.0, 1.20)):
        printed, w = dual(rows, most, y)
        assert primal(rows, C) == pytest.approx(value, abs=0.005)
        assert dual(rows, most, None)[0] == pytest.approx(primal(rows, C), abs=1e-5)
        assert printed == pytest.approx(0.37, abs=0.005)
        assert (y * (rows @ w) > 0).all()  # <v, w> of both points


def test_proof_of_theorem_iv_1_of_pan2023_shows_a_radius_above_one():
    p, R = np.meshgrid(np.linspace(0.01, 0.99, 50), np.linspace(0.01, 0.99, 50))
    assert ((1 + R * p) / (R + p**2) > 1).all()
    farthest = poincare.mobius_add(-p[..., None], -R[..., None])[..., 0]  # in one dimension
    np.testing.assert_allclose(np.abs(farthest), (p + R) / (1 + R * p))
    p, R = 0.19, 0.95
    assert (1 + R * p) / (R + p**2) == pytest.approx(1.197, abs=5e-4)
    radius = (p + R) / (1 + R * p)
    assert radius == pytest.approx(0.966, abs=5e-4)
    bound = (2 * radius / ((1 - radius**2) * np.sinh(1))) ** 2
    table = read_words(ROOT / "papers/printed/pan2023.tsv").query("metric == 'updates_bound'")
    assert round(bound) == int(table["value"].iloc[0])


def test_equations_16_to_18_of_chlenski2024_are_right_for_k_1_only():
    x = np.array([0.3, -0.4])
    for K in (1.0, 2.0):
        unit = np.append(1 + x @ x, 2 * x) / (1 - x @ x)
        printed, right = np.sqrt(K) * unit, unit / np.sqrt(K)
        assert lorentz.product(printed, printed) == pytest.approx(-K)
        assert lorentz.product(right, right) == pytest.approx(-1 / K)
        np.testing.assert_allclose(right[1:] / (1 / np.sqrt(K) + right[0]), x)
        back = right[1:] / (np.sqrt(K) + right[0])
        np.testing.assert_allclose(back, x if K == 1 else [0.218, -0.291], atol=5e-4)


def pairs(m):
    """Differences e_j - e_k of unit vectors for all ordered pairs, shape (m(m - 1), m)."""
    j, k = np.nonzero(~np.eye(m, dtype=bool))
    return np.eye(m)[j] - np.eye(m)[k]


@each_of("m", (3, 4, 5))
def test_norm_polytope_of_acharya2026_has_a_facet_for_each_pair(m):
    normals = pairs(m) @ null_space(np.ones((1, m))) / 2
    half_spaces = np.column_stack([normals, -np.ones(len(normals))])
    corners = HalfspaceIntersection(half_spaces, np.zeros(m - 1)).intersections
    ball = ConvexHull(np.unique(corners.round(9), axis=0))
    assert len(np.unique(ball.equations.round(6), axis=0)) == m * (m - 1)
    assert (m * (m - 1) == 2 * m) == (m == 3)


@each_of("polytope", (Polytope.simplex(4), Polytope.box([0, 0], [1, 2]), Polytope.random(7, 3, 0)))
def test_norm_polytope_of_acharya2026_needs_every_pair(polytope):
    normals = pairs(polytope.m) / 2
    V = polytope.vertices
    on = np.abs(polytope.facet_values(V)) < 1e-9
    middle = np.array([V[facet].mean(axis=0) for facet in on.T])
    j, k = np.nonzero(~np.eye(polytope.m, dtype=bool))
    p, q = 0.9 * middle[j] + 0.1 * middle[k], 0.1 * middle[j] + 0.9 * middle[k]
    logs = np.log(polytope.facet_values(q)) - np.log(polytope.facet_values(p))
    values = logs @ normals.T
    far = polytope_metrics.chord_distance(p, q, polytope)
    np.testing.assert_allclose(values.max(axis=1), far)
    assert ((values > far[:, None] - 1e-9).sum(axis=1) == 1).all()
    np.testing.assert_array_equal(values.argmax(axis=1), np.arange(len(values)))


def test_equation_20_of_yang2024_has_another_centre():
    w0, w = 1.0, np.array([1.5, -0.7])
    along, slope = w / np.linalg.norm(w), np.linalg.norm(w) / w0
    side = np.linspace(-1, 1, 5)[:, None]
    spatial = np.sqrt((1 + side**2) / (slope**2 - 1)) * along + side * [-along[1], along[0]]
    x = lorentz.from_spatial(spatial)
    np.testing.assert_allclose(w0 * x[:, 0], spatial @ w)
    v = spatial / (1 + x[:, :1])
    np.testing.assert_allclose(((v - w / w0) ** 2).sum(axis=1), slope**2 - 1)
    assert (np.abs(((v - w[0] / w0) ** 2).sum(axis=1) - (slope**2 - 1)) > 1).all()
