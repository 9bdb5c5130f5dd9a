"""Reference points by rule and given, hull algorithms, and what a fit copies."""

import tracemalloc

import numpy as np
import pytest
from cases import each_of
from clouds import ring_clouds

import noneuclid
from noneuclid import PoincareSVC
from noneuclid.classifiers import reference_rules
from noneuclid.classifiers import validation as blocks
from noneuclid.errors import InputError
from noneuclid.geometry import hulls, lorentz
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid_papers.programs import pan2023


def cloud(seed, n=60, d=2, spread=1.0, at=0.0):
    rng = np.random.default_rng(seed)
    return spread * rng.normal(size=(n, d)) + at * rng.normal(size=d)


def three_classes():
    X, y = ring_clouds(n=90, radius=1.5)
    return X, np.array(["a", "b", "c"])[y]


def test_vectors_have_the_length_and_place_of_the_boosted_points():
    X = convert(cloud(0, d=3), "tangent", "hyperboloid")
    p = convert(np.array([0.5, -1.0, 2.0]), "tangent", "hyperboloid")
    seen = reference_rules.seen_from(X, p)
    moved = X @ lorentz.boost(lorentz.from_spatial(-p[1:]))
    np.testing.assert_allclose(seen, moved[:, 1:], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(seen, axis=1), np.sinh(lorentz.distance(X, p)))


def test_hulls_give_the_midpoint_of_the_closest_pair():
    left = np.array([[-0.5, -0.3], [-0.5, 0.4], [-0.7, 0.1]])
    X, signs = np.vstack([left, left + np.array([1.1, 0.1])]), np.repeat([1.0, -1.0], 3)
    p, used = reference_rules.learn("hulls", X, signs, "klein", 1.0)
    pair = hulls.closest_pair(X[:3], X[3:], "klein")
    x, y = (convert(a, "klein", "hyperboloid") for a in (pair.x, pair.y))
    np.testing.assert_allclose(lorentz.distance(p, [x, y]), pair.distance / 2, rtol=1e-6)
    assert used == "hulls"
    corners, used = reference_rules.learn("hull vertices", X, signs, "klein", 1.0)
    assert used == "hull vertices"
    assert lorentz.distance(p, corners) > 0.01


@pytest.mark.parametrize("far", [20.0, 40.0, 100.0])
def test_one_row_far_out_does_not_hide_the_corners_of_the_others(far):
    first = np.array([[far, 0], [0.5, 0.5], [0.5, -0.5], [0.2, 0], [0.6, 0.1]])
    second = np.array([[-1.0, 0], [-2, 0.3], [-2, -0.3]])
    signs = np.repeat([1.0, -1.0], [5, 3])
    p, used = reference_rules.learn("hulls", np.vstack([first, second]), signs, "tangent", 1.0)
    np.testing.assert_allclose(convert(p, "hyperboloid", "tangent"), [-0.4, 0.0], atol=1e-9)
    assert used == "hulls"


def test_auto_leaves_the_hulls_of_classes_that_overlap_much():
    rng = np.random.default_rng(0)
    X = 0.3 * rng.normal(size=(1000, 2))
    X = X[np.hypot(*X.T) < 0.99]
    y = rng.random(len(X)) < 1 / (1 + np.exp(-4 * X[:, 0]))
    model = PoincareSVC(chart="poincare", calibration=None).fit(X, y)
    assert model.reference_rules_[0] != "hull vertices"
    assert model.score(X, y) > 0.65  # 0.71 with the best hyperplane of all; hull vertices: chance


@each_of("rule", reference_rules.RULES)
@each_of("chart", CHARTS)
def test_rules_do_not_depend_on_chart_or_curvature(rule, chart):
    X, signs = cloud(1), np.repeat([1.0, -1.0], 30)
    expected, used = reference_rules.learn(rule, X, signs, "tangent", 1.0)
    there = convert(X / 2, "tangent", chart, 4.0)
    found, again = reference_rules.learn(rule, there, signs, chart, 4.0)
    np.testing.assert_allclose(found, expected, atol=1e-4 if rule == "best plane" else 1e-7)
    assert used == again


@pytest.mark.parametrize("at", [0.0, 3.0])
def test_means_of_blocks_are_the_mean_of_all(monkeypatch, at):
    X, signs = cloud(2, n=101, d=5, at=at), np.where(np.arange(101) % 3, 1.0, -1.0)
    monkeypatch.setattr(blocks, "_BLOCK", 35)
    found, _ = reference_rules.learn("midpoint of means", X, signs, "tangent", 1.0)
    points = convert(X, "tangent", "hyperboloid")
    pair = (lorentz.midpoint(points[signs == side]) for side in (1, -1))
    np.testing.assert_allclose(found, lorentz.geodesic(*pair, 0.5), rtol=1e-10)


def test_best_plane_takes_the_foot_of_the_midpoint_of_means():
    X, signs = cloud(3), np.sign(cloud(3)[:, 0] + 0.3)
    model = PoincareSVC(reference_point="best plane", margin="exact", loss="hinge").fit(X, signs)
    p, normal = model.reference_points_[0], model.coef_[0]
    assert lorentz.product(p, p) == pytest.approx(-1)
    assert lorentz.product(p, normal) == pytest.approx(0, abs=1e-9)
    middle, _ = reference_rules.learn("midpoint of means", X, signs, "tangent", 1.0)
    along = np.array([[t * -normal[2], t * normal[1]] for t in np.linspace(-3, 3, 2001)])
    plane = [reference_rules._foot(lorentz.from_spatial(a), normal) for a in along]
    nearest = lorentz.distance(np.array(plane), middle).min()
    assert lorentz.distance(p, middle) == pytest.approx(nearest, abs=1e-3)


def test_best_plane_without_a_plane_says_what_it_took():
    angle = 2 * np.pi * np.arange(12) / 12
    ring = 2 * np.column_stack([np.cos(angle), np.sin(angle)])
    X, signs = np.vstack([ring, 0.1 * ring]), np.repeat([1.0, -1.0], 12)
    found = reference_rules.learn("best plane", X, signs, "tangent", 1.0, C=1e-3)
    assert found[1] == "midpoint of means"


@pytest.mark.parametrize("calibration", ["platt", "platt_cv"])
@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_one_point_for_each_problem(multi_class, calibration):
    X, y = three_classes()
    given = 0.3 * np.array([[0.5, 0.1], [-0.2, 0.4], [-0.1, -0.5]])
    settings = {"multi_class": multi_class, "calibration": calibration, "chart": "poincare"}
    ball = convert(X, "tangent", "poincare")
    model = PoincareSVC(reference_point=given, random_state=0, **settings).fit(ball, y)
    expected = convert(given, "poincare", "hyperboloid")
    np.testing.assert_allclose(model.reference_points_, expected)
    assert set(model.reference_rules_) == {"given"}
    alone = PoincareSVC(reference_point=given[1], random_state=0, **settings).fit(ball, y)
    np.testing.assert_allclose(alone.coef_[1], model.coef_[1])
    np.testing.assert_allclose(alone.calibration_[1], model.calibration_[1])
    assert not np.allclose(alone.coef_[0], model.coef_[0])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([[0.1, 0.2], [0.0, 0.0]], r"shape \(2, 2\); give one point .* shape \(3, 2\)"),
        ([0.1, 0.2, 0.3], r"shape \(3,\); give one point"),
        ([0.8, 0.9], "reference_point: row 0 lies outside the Poincaré ball"),
        ([[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]], "reference_point: row 1 lies outside"),
        ([0.1, np.nan], "reference_point: row 0, column 1 is NaN"),
    ],
)
def test_bad_reference_points_are_named(given, said):
    X, y = three_classes()
    X = convert(X, "tangent", "poincare")
    with pytest.raises(InputError, match=said):
        PoincareSVC(reference_point=given, chart="poincare").fit(X, y)


def same_points(X, *hulls_of_rows):
    first, *others = (set(map(tuple, X[rows])) for rows in hulls_of_rows)
    return all(other == first for other in others)


@each_of("seed", range(60))
def test_published_algorithms_give_the_hull_of_qhull(seed):
    rng = np.random.default_rng(seed)
    n, spread, at = rng.integers(1, 150), rng.choice([0.1, 1.0, 2.5]), rng.choice([0, 1, 3])
    X = convert(cloud(seed, n, spread=spread, at=at), "tangent", "poincare")
    X = np.vstack([X, X]) if seed % 3 == 0 else X
    vertices = hulls.hull_vertices(X, "poincare")
    scan, quick = pan2023.graham_scan(X), pan2023.quickhull(X)
    assert same_points(X, vertices, scan, quick)
    assert len(scan) == len(vertices)
    klein = convert(X[scan], "poincare", "klein")
    side = np.roll(klein, -1, axis=0) - klein
    after = np.roll(side, -1, axis=0)
    turns = side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0]
    assert len(scan) < 3 or (turns > 0).all()  # counterclockwise


SMALL = [
    [[0.1, 0.2]],
    [[0.1, 0.2]] * 3,
    [[0.0, 0.1], [0.5, 0.2]],
    [[0.0, 0.1], [0.5, 0.2], [0.0, 0.1]],
    [[-0.5, 0.0], [0.2, 0.0], [0.7, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [0.25, 0.0], [0.5, 0.0]],
]


@each_of("X", SMALL)
def test_published_algorithms_on_few_and_flat_points(X):
    X = np.array(X)
    vertices = hulls.hull_vertices(X, "poincare")
    scan, quick = pan2023.graham_scan(X), pan2023.quickhull(X)
    assert same_points(X, vertices, scan, quick)
    assert len(scan) == len(vertices)


def test_published_start_may_be_no_vertex():
    X = np.array([[-0.8, 0.5], [0.8, 0.5], [0.0, 0.45], [0.0, 0.9]])
    assert hulls.hull_vertices(X, "poincare").tolist() == [0, 1, 3]
    assert sorted(pan2023.graham_scan(X)) == [0, 1, 3]
    assert 2 in pan2023.graham_scan(X, start="as_published")
    across = X[:, ::-1]
    assert pan2023.quickhull(across).tolist() == [0, 1, 3]
    assert pan2023.quickhull(across, start="as_published").tolist() == [0, 1, 2, 3]
    middle = X - [0.0, 0.6]
    for algorithm in (pan2023.graham_scan, pan2023.quickhull):
        assert sorted(algorithm(middle)) == sorted(algorithm(middle, start="as_published"))


@pytest.mark.parametrize("algorithm", [pan2023.graham_scan, pan2023.quickhull])
def test_hull_algorithms_refuse_what_is_no_disk(algorithm):
    with pytest.raises(InputError, match="the disk has 2 coordinates"):
        algorithm(np.zeros((4, 3)))
    with pytest.raises(InputError, match="row 0 lies outside the Poincaré ball"):
        algorithm(np.ones((1, 2)))
    with pytest.raises(InputError, match="unknown start"):
        algorithm(np.zeros((1, 2)), start="lowest")


@each_of("d", [2, 3, 4])
@each_of("at", [0.0, 4.0])
def test_no_corner_is_set_aside(monkeypatch, d, at):
    X = convert(cloud(d, 3000, d, spread=0.5, at=at), "tangent", "klein")
    quick = hulls.hull_vertices(X, "klein")
    kept = hulls.outer_rows(X)
    assert set(quick) <= set(kept)
    assert at or len(kept) < 0.8 * len(X)
    monkeypatch.setattr(hulls, "MANY", 10**9)
    np.testing.assert_array_equal(hulls.hull_vertices(X, "klein"), quick)


def test_flat_and_equal_rows_are_all_kept():
    flat = np.outer(np.linspace(-0.5, 0.5, 2000), [1.0, 2.0])
    for X in (flat, np.zeros((2000, 2)), flat[:, :1]):
        assert len(hulls.outer_rows(X)) == 2000
    assert hulls.hull_vertices(flat * 0.5, "klein").tolist() == [0, 1999]


@pytest.mark.parametrize("chart", ["poincare", "tangent"])
@pytest.mark.parametrize("margin", ["paper", "exact"])
def test_a_fit_adds_one_copy_of_the_data(chart, margin):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 150)) / 20
    y = X[:, 0] > 0
    model = PoincareSVC(chart=chart, margin=margin)
    model.fit(X[:50], y[:50])
    tracemalloc.start()
    model.fit(X, y)
    model.decision_function(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * X.nbytes


THIN = [
    PoincareSVC(calibration=None),
    PoincareSVC(calibration=None, margin="exact", reference_point="hulls"),
    noneuclid.PoincarePerceptron(max_iter=2),
    noneuclid.PoincareSecondOrderPerceptron(max_iter=2),
    noneuclid.PoincareStrategicPerceptron(max_iter=2, calibration=None),
    noneuclid.HyperboloidPerceptron(max_iter=2),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@each_of("model", THIN, ids=repr)
def test_long_thin_data_are_copied_once_labels_hardly(model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200_000, 2))
    y = np.digitize(np.arctan2(*X.T), [-1.0, 1.0])
    model.fit(X[:500], y[:500])
    tracemalloc.start()
    model.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Blocks of a few MB come on top; on the hyperboloid the copy has a third column.
    wide = 1.5 if isinstance(model, noneuclid.HyperboloidPerceptron) else 1.0
    assert peak < (wide + 0.5) * X.nbytes + 3e6


def test_best_plane_of_equal_classes_takes_the_means():
    X = np.vstack([cloud(0), cloud(0)])  # w = 0 is best
    signs = np.repeat([1.0, -1.0], 60)
    p, used = reference_rules.learn("best plane", X, signs, "tangent", 1.0, C=1e-3)
    assert used == "midpoint of means"
    assert np.isfinite(p).all()


def test_normals_take_no_square_matrix():
    rng = np.random.default_rng(0)
    p, w = convert(rng.normal(size=4), "tangent", "hyperboloid"), rng.normal(size=4)
    np.testing.assert_allclose(
        reference_rules.to_normal(w, p), lorentz.boost(p)[:, 1:] @ w, atol=1e-12
    )
    X = rng.normal(size=(6, 100_000)) / 300  # a matrix of that width has 80 GB
    assert PoincareSVC().fit(X, [0, 1] * 3).coef_.shape == (1, 100_001)
