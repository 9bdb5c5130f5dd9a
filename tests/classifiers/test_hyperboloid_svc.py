"""The estimator over the solvers of the hyperboloid SVM."""

import warnings

import networkx as nx
import numpy as np
import pytest
from cases import each_of
from paper_mirror import MIRROR, needs_mirror
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_score

from noneuclid import HyperboloidSVC
from noneuclid.embeddings import strain
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.descent import projected_gradient
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, objective, signed_rows


def blobs(n_classes, n=36, seed=0, spread=0.35):
    """Tangent coordinates of noisy classes in different directions, and integer labels."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    angle = 2.0 * np.pi * y / n_classes
    X = np.column_stack([np.cos(angle), np.sin(angle)]) + spread * rng.normal(size=(n, 2))
    return X, y


SETTINGS = {
    "optimal": {"solver": "optimal", "tol": 1e-4},
    "optimal, arcsinh": {"solver": "optimal", "loss": "arcsinh", "max_nodes": 100},
    "optimal, arcsinh, no boxes": {"solver": "optimal", "loss": "arcsinh", "max_nodes": 0},
    "optimal, robust": {"solver": "optimal", "robust_radius": 0.1, "tol": 1e-4},
    "pgd, hinge": {"solver": "pgd", "loss": "hinge"},
    "pgd, arcsinh": {"solver": "pgd", "loss": "arcsinh"},
    "sdp": {"solver": "sdp"},
    "sdp, robust": {"solver": "sdp", "robust_radius": 0.1},
}


def quiet(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


@each_of("multi_class", ["ovr", "ovo"])
@each_of("n_classes", [2, 3])
@each_of("name", SETTINGS)
def test_every_solver_fits(name, n_classes, multi_class):
    X, y = blobs(n_classes)
    model = quiet(HyperboloidSVC(C=5.0, multi_class=multi_class, **SETTINGS[name]), X, y)
    problems = 1 if n_classes == 2 else 3
    assert model.coef_.shape == (problems, 3)
    shape = () if n_classes == 2 else (3,)
    for attribute in ("objective_", "lower_bound_", "gap_", "status_", "n_iter_"):
        assert np.shape(getattr(model, attribute)) == shape, attribute
    assert np.issubdtype(np.asarray(model.n_iter_).dtype, np.integer)
    gap = (model.objective_ - model.lower_bound_) / np.abs(model.objective_)
    assert np.allclose(gap, model.gap_, equal_nan=True)
    proves = not name.startswith("pgd") and name != "optimal, arcsinh, no boxes"
    assert np.all(np.isfinite(model.lower_bound_) == proves)
    if proves:
        assert np.all(model.lower_bound_ <= model.objective_ + 1e-12)
    if name in ("optimal", "optimal, robust"):
        assert (np.asarray(model.gap_) <= 1e-4).all()
        assert set(np.atleast_1d(model.status_)) <= {"optimal", "horospherical"}
    assert model.score(X, y) >= 0.9
    radius = SETTINGS[name].get("robust_radius", 0.0)
    loss = SETTINGS[name].get("loss", "hinge")
    if n_classes == 2:
        points, signs = convert(X, "tangent", "hyperboloid"), np.where(y == 1, 1.0, -1.0)
        expected = objective(model.coef_[0], points, signs, 5.0, loss, radius)
        assert model.objective_ == pytest.approx(expected, rel=1e-9)
        distances = lorentz.hyperplane_distance(points, model.coef_[0])
        assert np.allclose(model.decision_function(X), distances)


def test_moment_solver_fits():
    X, y = blobs(2, n=10)
    model = quiet(HyperboloidSVC(C=2.0, solver="moment"), X, y)
    exact = HyperboloidSVC(C=2.0).fit(X, y)
    assert model.lower_bound_ <= exact.objective_ * (1.0 + 1e-7)
    assert model.objective_ >= exact.lower_bound_
    assert model.score(X, y) >= 0.9


@each_of(
    "settings",
    [
        {"solver": "sdp", "loss": "arcsinh"},
        {"solver": "moment", "loss": "arcsinh"},
        {"solver": "moment", "robust_radius": 0.1},
        {"solver": "pgd", "robust_radius": 0.1},
        {"solver": "pgd", "loss": "arcsinh", "robust_radius": 0.1},
        {"solver": "optimal", "loss": "arcsinh", "robust_radius": 0.1},
    ],
)
def test_combinations_that_mean_nothing(settings):
    X, y = blobs(2, n=8)
    with pytest.raises(InputError, match="solver"):
        HyperboloidSVC(**settings).fit(X, y)


@pytest.mark.parametrize("solver", ["sdp", "moment", "optimal"])
def test_mosek_without_licence(solver, monkeypatch):
    monkeypatch.setattr(programs, "_missing_mosek", lambda: "no licence")
    X, y = blobs(2, n=8)
    if solver == "optimal":  # which needs it for robust slices
        model = HyperboloidSVC(solver=solver, conic_solver="mosek", robust_radius=0.1)
    else:
        model = HyperboloidSVC(solver=solver, conic_solver="mosek")
    with pytest.raises(InputError, match="no licence"):
        model.fit(X, y)


@pytest.mark.parametrize("solver", ["optimal", "pgd", "sdp", "moment"])
def test_one_class_only(solver):
    with pytest.raises(InputError, match="1 class"):
        HyperboloidSVC(solver=solver).fit(blobs(2, n=6)[0], np.zeros(6))


ENCODINGS = {
    "uint8": lambda y: y.astype(np.uint8),
    "bool": lambda y: y.astype(bool),
    "strings": lambda y: np.array(["ant", "bee"])[y],
    "objects": lambda y: np.array(["ant", "bee"], dtype=object)[y],
    "negative": lambda y: np.array([-7, -3])[y],
    "int8 at its ends": lambda y: np.array([-128, 127], dtype=np.int8)[y],
    "floats": lambda y: y.astype(float),
    "list": lambda y: [int(label) for label in y],
}


@each_of("solver", ["optimal", "pgd", "sdp"])
@each_of("name", ENCODINGS)
def test_label_encodings(name, solver):
    X, y = blobs(2, n=30, spread=0.9)
    plain = quiet(HyperboloidSVC(C=3.0, solver=solver, random_state=0), X, y)
    labels = ENCODINGS[name](y)
    model = quiet(HyperboloidSVC(C=3.0, solver=solver, random_state=0), X, labels)
    assert np.array_equal(model.coef_, plain.coef_)
    assert list(model.predict(X)) == list(
        np.asarray(labels)[[np.argmax(y == k) for k in plain.predict(X)]]
    )
    assert type(model.predict(X)[0]) is type(np.asarray(labels)[0])
    assert 0 < np.count_nonzero(plain.predict(X)) < len(y)


def test_uint8_labels_of_three_classes():
    X, y = blobs(3)
    plain = HyperboloidSVC(C=5.0).fit(X, y)
    bytes_ = HyperboloidSVC(C=5.0).fit(X, (200 + y).astype(np.uint8))
    assert np.array_equal(bytes_.predict(X) - 200, plain.predict(X))


@needs_mirror
@pytest.mark.parametrize("solver", ["optimal", "pgd"])
def test_karate_is_not_a_coin(solver):
    folder = MIRROR / "hsvm-relax/karate"
    X, y = np.load(folder / "X_lorentz.npy"), np.load(folder / "y.npy").astype(np.uint8)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = HyperboloidSVC(C=10.0, solver=solver, loss="hinge", chart="hyperboloid")
    assert cross_val_score(model, X, y, cv=folds).mean() > 0.85


def test_karate_of_networkx_is_not_a_coin():
    graph = nx.karate_club_graph()
    y = np.array([graph.nodes[i]["club"] == "Officer" for i in graph]).astype(np.uint8)
    distances = np.asarray(nx.floyd_warshall_numpy(graph, weight=None))
    X, _ = strain.hydra(distances, 2)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = HyperboloidSVC(C=10.0, chart="hyperboloid")
    assert cross_val_score(model, X, y, cv=folds).mean() > 0.85


def cone_grid(rows, c, many=4001):
    """Least hinge sum on a grid of directions of the light cone, the best length for each."""
    angle = np.linspace(0.0, 2.0 * np.pi, many)
    best = np.inf
    for sign in (1.0, -1.0):
        margins = np.column_stack([np.full(many, sign), np.cos(angle), np.sin(angle)]) @ rows.T
        # A convex piecewise linear function of the length is least at 0 or where a margin is 1.
        for k in range(rows.shape[0]):
            with np.errstate(divide="ignore"):
                length = np.where(margins[:, k] > 0.0, 1.0 / margins[:, k], 0.0)
            best = min(best, np.maximum(0.0, 1.0 - length[:, None] * margins).sum(axis=1).min())
    return c * best


@needs_mirror
@pytest.mark.parametrize("k", [0, 6])
def test_football_against_a_grid_of_angles(k):
    folder = MIRROR / "hsvm-relax/football"
    spatial, y = np.load(folder / "X_lorentz.npy")[:, 1:], np.load(folder / "y.npy").astype(int)
    points, signs = lorentz.from_spatial(spatial), np.where(y == np.unique(y)[k], 1.0, -1.0)
    fit = global_optimum.solve(points, signs, 10.0, tol=1e-4)
    grid = cone_grid(signed_rows(points, signs), 10.0 * HINGE_SLOPE)
    assert fit.gap <= 1e-4
    assert fit.lower_bound <= grid
    if fit.status == "horospherical":
        assert fit.objective == pytest.approx(grid, rel=1e-3)


@each_of("seed", range(6))
def test_arcsinh_is_never_above_gradient_descent(seed):
    X, y = blobs(2, n=24, seed=seed, spread=(0.4, 0.9, 1.5)[seed % 3])
    X[:4] *= 2.0
    model = quiet(HyperboloidSVC(C=3.0, loss="arcsinh", max_nodes=0), X, y)
    points, signs = convert(X, "tangent", "hyperboloid"), np.where(y == 1, 1.0, -1.0)
    start = global_optimum.solve(points, signs, 3.0).w
    rival = projected_gradient.descend(points, signs, start, 3.0, loss="arcsinh")
    assert model.objective_ <= rival.objective * (1.0 + 1e-9)
    assert model.objective_ <= objective(start, points, signs, 3.0, "arcsinh")
    assert model.objective_ == objective(model.coef_[0], points, signs, 3.0, "arcsinh")


def test_arcsinh_has_no_bound_in_three_dimensions():
    X, y = blobs(2, n=12)
    model = HyperboloidSVC(loss="arcsinh").fit(np.column_stack([X, X[:, 0] ** 2]), y)
    assert np.isnan([model.lower_bound_, model.gap_]).all()


def test_arcsinh_bound_on_tiny_data():
    X, y = blobs(2, n=8, spread=0.9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = HyperboloidSVC(C=1.0, loss="arcsinh", tol=1e-2, max_nodes=100_000).fit(X, y)
    assert 0.0 <= model.gap_ <= 1e-2 * (1.0 + 1e-9)
    rival = quiet(HyperboloidSVC(C=1.0, loss="arcsinh", solver="pgd"), X, y)
    assert model.lower_bound_ <= rival.objective_
    with pytest.warns(ConvergenceWarning, match="max_nodes"):
        short = HyperboloidSVC(C=1.0, loss="arcsinh", tol=1e-6, max_nodes=3).fit(X, y)
    assert short.lower_bound_ <= model.objective_


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_curvature_is_only_a_unit(radius):
    X, y = blobs(2, n=24, spread=0.8)
    plain = HyperboloidSVC(C=3.0, robust_radius=radius).fit(X, y)
    # In a space of curvature -4 lengths are half as long: the points, and what they may move.
    bent = HyperboloidSVC(C=3.0, robust_radius=radius / 2, curvature=4.0).fit(X / 2, y)
    assert bent.objective_ == pytest.approx(plain.objective_, rel=2e-4)
    assert np.allclose(bent.coef_, plain.coef_, rtol=1e-3, atol=1e-3)
    assert np.array_equal(bent.predict(X / 2), plain.predict(X))
    if radius:
        less = HyperboloidSVC(C=3.0, robust_radius=radius, curvature=4.0).fit(X / 2, y)
        assert less.objective_ > plain.objective_ * 1.01


@pytest.mark.parametrize("curvature", [0.25, 1.0, 4.0])
def test_charts_agree(curvature):
    X, y = blobs(3, n=24)
    X = 0.5 * X / np.sqrt(curvature)
    fits = {}
    for chart in CHARTS:
        Z = convert(X, "tangent", chart, curvature)
        model = HyperboloidSVC(C=3.0, chart=chart, curvature=curvature).fit(Z, y)
        fits[chart] = model.objective_, model.predict(Z)
    for value, predicted in fits.values():
        assert np.allclose(value, fits["tangent"][0], rtol=2e-4)
        assert np.array_equal(predicted, fits["tangent"][1])


def test_max_iter_leaves_the_gap_open():
    X, y = blobs(2, n=40, spread=1.2)
    with pytest.warns(ConvergenceWarning, match="gap"):
        model = HyperboloidSVC(C=3.0, tol=1e-9, max_iter=2).fit(X, y)
    assert model.status_ == "gap open"
    assert model.gap_ > 1e-9
    assert model.n_iter_ == 2
    full = HyperboloidSVC(C=3.0).fit(X, y)
    assert model.lower_bound_ <= full.objective_ * (1.0 + 1e-9)


def test_two_fits_are_equal():
    X, y = blobs(3, n=45, spread=0.8)
    first, second = (HyperboloidSVC(C=3.0).fit(X, y) for _ in range(2))
    assert np.array_equal(first.coef_, second.coef_)
    assert np.array_equal(first.lower_bound_, second.lower_bound_)
    assert np.array_equal(first.predict_proba(X), second.predict_proba(X))


@pytest.mark.slow
@each_of("norm", [12.0, 20.0, 30.0, 100.0, 400.0, 1e4])
def test_far_points_end_with_a_word(norm):
    X, y = blobs(2, n=16, spread=0.3)
    X *= norm
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if norm > 300.0:  # where squares of coordinates overflow
            with pytest.raises(InputError):
                HyperboloidSVC(C=1.0).fit(X, y)
            return
        model = HyperboloidSVC(C=1.0, tol=1e-4).fit(X, y)
    assert model.n_iter_ <= 2000  # slices, the limit of the solver
    assert np.isfinite([*model.coef_[0], model.objective_, model.lower_bound_]).all()
    late = [w for w in caught if issubclass(w.category, ConvergenceWarning)]
    assert bool(late) == (model.status_ == "gap open")
    assert model.objective_ <= 16 * HINGE_SLOPE * (1.0 + 1e-6)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_one_point_a_class(C):
    for X in ([[0.2, 0.1], [-0.5, 0.3]], [[0.0, 0.0], [0.4, 0.0]], [[0.3, 0.3], [0.3, 0.3]]):
        model = HyperboloidSVC(C=C, tol=1e-4).fit(np.array(X), ["a", "b"])
        assert model.gap_ <= 1e-4
        assert np.isfinite(model.predict_proba(np.array(X))).all()
    assert set(
        HyperboloidSVC(C=100.0)
        .fit(np.array(X) * [[1.0], [-1.0]], [0, 1])
        .predict(np.array(X) * [[1.0], [-1.0]])
    ) == {0, 1}


@needs_mirror
@pytest.mark.parametrize("C", [0.1, 1.0])
def test_nine_points_far_out_among_thousands(C):
    """Where |t| exceeds the resultant the slices' bounds do not cross where their lines do."""
    points = np.load(MIRROR / "hsvm-relax/paul/X_lorentz.npy")
    signs = np.where(np.load(MIRROR / "hsvm-relax/paul/y.npy") == 8, 1.0, -1.0)
    rival = projected_gradient.solve(points, signs, C, loss="hinge")
    fit = global_optimum.solve(points, signs, C)
    assert fit.lower_bound <= rival.objective
    assert fit.gap <= 1e-6


def test_rows_too_far_out_for_a_proof_are_named_with_a_cure():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)) + 20.0, np.arange(40) % 2
    with pytest.warns(
        ConvergenceWarning, match=r"rows lie up to \d+\.?\d* from the origin.*divide"
    ):
        HyperboloidSVC(max_iter=5).fit(X, y)


def test_the_cure_for_rows_too_far_out_certifies():
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(60, 2))
    X = 60.0 * directions / np.linalg.norm(directions, axis=1)[:, None] + 5.0
    y = directions[:, 0] > 0.0
    y[:8] ^= True
    with pytest.warns(ConvergenceWarning, match="centre the columns and divide") as caught:
        HyperboloidSVC(chart="tangent", C=1e4).fit(X, y)
    size = float(str(caught[0].message).rsplit(" ", 1)[1])
    centred = (X - X.mean(axis=0)) / size
    assert HyperboloidSVC(chart="tangent", C=1e4).fit(centred, y).gap_ <= 1e-6


@pytest.mark.parametrize(
    ("options", "limit"),
    [({"loss": "arcsinh", "max_nodes": 1}, "max_nodes"), ({"max_iter": 1}, "max_iter")],
)
def test_the_warning_names_the_limit_that_was_reached(options, limit):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.permutation(np.arange(40) % 2)
    with pytest.warns(ConvergenceWarning, match=f"; raise {limit}, or accept a larger tol"):
        HyperboloidSVC(chart="tangent", **options).fit(X, y)


@pytest.mark.parametrize(
    ("d", "distance", "limit"), [(2, 6.0, 1e-6), (3, 6.0, 1e-6), (3, 9.0, 7e-5)]
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_gap_on_the_light_cone_grows_with_the_distance(d, distance, limit):
    X = np.random.default_rng(0).normal(size=(20, d))
    X *= distance / np.linalg.norm(X, axis=1, keepdims=True)
    y = np.arange(20) % 10 == 0
    model = HyperboloidSVC(C=1e-4, chart="tangent", calibration=None).fit(X, y)
    assert model.status_ == ("horospherical" if distance == 6.0 else "gap open")
    assert model.gap_ <= limit
