"""Conic programs with known answers, their statuses, and the choice of the solver."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from noneuclid.errors import InputError
from noneuclid.solvers.conic import programs
from noneuclid.solvers.conic.mosek import fill_task

SYMMETRIC = np.array([[2.0, -1.0, 0.5], [-1.0, 3.0, 4.0], [0.5, 4.0, -1.0]])
LARGER, SMALLER = np.tril_indices(3)  # upper triangle by columns


def svec(matrix):
    return np.where(LARGER == SMALLER, 1.0, np.sqrt(2.0)) * matrix[LARGER, SMALLER]


def run(P, q, A, b, cones, **settings):
    A = sparse.csc_matrix(np.atleast_2d(A))
    return programs.solve(P, np.array(q), A, np.array(b), cones, solver="clarabel", **settings)


def test_smallest_eigenvalue_by_a_semidefinite_cone():
    result = run(None, [-1.0], svec(np.eye(3))[:, None], svec(SYMMETRIC), [("psd", 3)])
    assert result.status == "optimal"
    assert result.x[0] == pytest.approx(np.linalg.eigvalsh(SYMMETRIC)[0], abs=1e-6)
    assert result.z @ svec(SYMMETRIC) == pytest.approx(result.x[0], abs=1e-6)


def test_quadratic_objective_equality_and_norm():
    # Nearest point to (3, 4, 1) with x_2 = 1 and |x_0, x_1| <= 2.
    A = np.array([[0, 0, 1], [0, 0, 0], [-1, 0, 0], [0, -1, 0]], dtype=float)
    cones = [("zero", 1), ("second_order", 3)]
    result = run(sparse.eye(3), [-3.0, -4.0, -1.0], A, [1.0, 2.0, 0.0, 0.0], cones)
    np.testing.assert_allclose(result.x, [1.2, 1.6, 1.0], atol=1e-6)
    np.testing.assert_allclose(result.x - [3.0, 4.0, 1.0] + A.T @ result.z, 0.0, atol=1e-6)
    np.testing.assert_allclose(result.s, [0.0, 2.0, 1.2, 1.6], atol=1e-6)
    assert result.objective == pytest.approx(result.dual_objective, abs=1e-6)


def test_objective_with_terms_off_the_diagonal():
    P = sparse.csc_matrix([[2.0, 1.0], [1.0, 2.0]])
    result = run(P, [-3.0, -3.0], -np.eye(2), [0.0, 0.0], [("nonnegative", 2)])
    np.testing.assert_allclose(result.x, [1.0, 1.0], atol=1e-6)


@pytest.mark.parametrize(
    ("A", "b", "limit", "status"),
    [
        ([[-1.0], [1.0]], [-2.0, 1.0], 200, "infeasible"),
        ([[1.0], [1.0]], [2.0, 1.0], 200, "unbounded"),
        ([[-1.0], [1.0]], [0.0, 1.0], 1, "max_iter"),
    ],
)
def test_statuses(A, b, limit, status):
    assert run(None, [1.0], A, b, [("nonnegative", 2)], max_iter=limit).status == status


@pytest.fixture
def without_cache():
    programs._missing_mosek.cache_clear()
    yield
    programs._missing_mosek.cache_clear()


@pytest.fixture(params=["no package", "no licence"])
def no_mosek(request, monkeypatch, without_cache):
    class Refusal(Exception):
        pass

    class Env:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

        def checkoutlicense(self, feature):
            raise Refusal("rescode.err_missing_license_file(1008): nowhere")

    fake = SimpleNamespace(Env=Env, Error=Refusal, feature=SimpleNamespace(pton=0))
    monkeypatch.setitem(sys.modules, "mosek", None if request.param == "no package" else fake)
    return {"no package": "not installed", "no licence": "1008"}[request.param]


def test_asking_for_mosek_without_it_is_one_clear_line(no_mosek):
    with pytest.raises(InputError, match=no_mosek) as caught:
        programs.require("mosek")
    assert "\n" not in str(caught.value)


def test_mosek_never_runs_unasked(monkeypatch):
    def refuse(*args):
        raise AssertionError("MOSEK ran")

    monkeypatch.setattr(programs, "_missing_mosek", lambda: "")
    monkeypatch.setattr(programs, "_mosek", refuse)
    A = sparse.csc_matrix([[-1.0]])
    result = programs.solve(None, np.ones(1), A, -np.ones(1), [("nonnegative", 1)])
    assert result.solver == "clarabel"


def test_unknown_solver():
    with pytest.raises(InputError, match="scs"):
        programs.require("scs")


class Recorder:
    """The part of a MOSEK task that `fill_task` needs, evaluated by definition."""

    def __init__(self):
        self.F, self.g, self.c, self.rows, self.constraints = {}, {}, {}, 0, []

    def __getattr__(self, name):  # appendrzerodomain and its like
        assert name.startswith("append")
        assert name.endswith("domain")
        return lambda size: (name, size)

    def appendvars(self, size):
        self.size = size

    def putvarboundsliceconst(self, first, last, kind, low, high):
        assert (first, last, kind) == (0, self.size, "free")

    def putcslice(self, first, last, values):
        self.c |= dict(zip(range(first, last), values, strict=True))

    def putcj(self, j, value):
        self.c[j] = value

    def appendafes(self, count):
        self.rows += count

    def putafefentrylist(self, rows, columns, values):
        self.F |= dict(zip(zip(rows, columns, strict=True), values, strict=True))

    def putafefentry(self, row, column, value):
        self.F[row, column] = value

    def putafegslice(self, first, last, values):
        self.g |= dict(zip(range(first, last), values, strict=True))

    def putafeg(self, row, value):
        self.g[row] = value

    def appendacc(self, domain, rows, constants):
        assert domain[1] == len(rows)
        self.constraints.append((domain[0], rows))

    def values(self, x):
        value = np.array([self.g.get(r, 0.0) for r in range(self.rows)])
        for (row, column), factor in self.F.items():
            value[row] += factor * x[column]
        return [(name, value[rows]) for name, rows in self.constraints]


def test_mosek_task_states_the_same_program():
    rng = np.random.default_rng(0)
    root = np.zeros((2, 5))
    root[:, 1:4] = rng.normal(size=(2, 3))
    P, q, x = root.T @ root, rng.normal(size=5), rng.normal(size=6)
    cones = [("zero", 1), ("psd", 3), ("nonnegative", 2), ("second_order", 3)]
    A, b = sparse.csc_matrix(rng.normal(size=(12, 5))), rng.normal(size=12)
    task = Recorder()
    rows = fill_task(task, "free", sparse.csc_matrix(P), q, A, b, cones)
    s = b - A @ x[:5]
    zero, psd, positive, norm, rotated = task.values(x)
    assert [name for name, _ in (zero, positive, norm, rotated)] == [
        f"append{kind}domain" for kind in ("rzero", "rplus", "quadraticcone", "rquadraticcone")
    ]
    np.testing.assert_allclose(np.r_[zero[1], positive[1], norm[1]], s[[0, 7, 8, 9, 10, 11]])
    by_columns = [(a, c) for c in range(3) for a in range(c, 3)]  # of the lower triangle
    ours = {(i, j): value for i, j, value in zip(LARGER, SMALLER, s[1:7], strict=True)}
    np.testing.assert_allclose(psd[1], [ours[pair] for pair in by_columns])
    np.testing.assert_array_equal(np.sort(np.concatenate(rows)), np.arange(12))
    t, half, *Rx = rotated[1]
    assert (t, half) == (x[5], 1.0)
    assert np.dot(Rx, Rx) == pytest.approx(x[:5] @ P @ x[:5])
    assert task.c == dict(enumerate([*q, 1.0]))


def test_mosek_task_without_a_quadratic_term():
    task = Recorder()
    A = sparse.csc_matrix([[1.0]])
    fill_task(task, "free", sparse.csc_matrix((1, 1)), np.ones(1), A, np.ones(1), [("zero", 1)])
    assert task.size == len(task.constraints) == 1
