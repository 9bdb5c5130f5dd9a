"""Bounds and solutions of several solvers for the same hyperboloid SVMs (yang2024, eq. 7)."""

import math
import time
from dataclasses import replace
from itertools import groupby

import numpy as np

from noneuclid.classifiers import multiclass
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.descent import projected_gradient
from noneuclid.solvers.hyperboloid.problem import objective
from noneuclid.solvers.hyperboloid.relaxations import moment_relaxation, sdp_relaxation
from noneuclid_papers.programs import yang2024_solvers

SOLVERS = {
    "optimal": global_optimum.solve,
    "sdp": sdp_relaxation.solve,
    "moment": moment_relaxation.solve,
    "pgd": projected_gradient.solve,
    "published_pgd": yang2024_solvers.published_pgd,
    "released_pgd": yang2024_solvers.released_pgd,
}
KINDS = {name: "pgd" if name.endswith("pgd") else name for name in SOLVERS}
BOUND_TOLERANCE, ORDER_TOLERANCE = 1e-6, 1e-4


def problems(labels, class_names, multi_class="ovr"):
    """Named binary problems of class codes: (name, rows, signs) each, rows slice or ndarray.

    Each class against the rest ("ovr") or each pair ("b against a"); classes without rows take no
    part. Raises `InputError` for fewer than two classes.

    Examples
    --------
    >>> labels = np.array([0, 2, 2, 3])
    >>> [name for name, rows, signs in problems(labels, "abcd")]
    ['a', 'c', 'd']
    >>> [name for name, rows, signs in problems(labels[:3], "abcd")]
    ['c against a']
    """
    present, codes = multiclass.encode_labels(labels)
    names = [str(class_names[code]) for code in present]
    if multi_class == "ovo" or len(names) == 2:
        pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
        titles = [f"{names[j]} against {names[i]}" for i, j in pairs]
    else:
        titles = names
    found = multiclass.binary_problems(codes, len(names), multi_class)
    return [
        (title, rows, signs.astype(float))
        for title, (rows, signs) in zip(titles, found, strict=True)
    ]


def certify(points, posed, values, solvers, seed=0):
    """Solve every problem of `problems` with every C by every solver, points shape (n, d + 1).

    `solvers` maps names to parameters: `solver`, a key of `SOLVERS`; `max_points` of a
    problem for this solver; the others go to its `solve`. One `solution_row` each, solvers in the
    order of `SOLVERS`.
    """
    # Sorted JSON on the way here loses their order in the configuration.
    kinds = list(SOLVERS)
    ordered = sorted(solvers.items(), key=lambda item: kinds.index(item[1]["solver"]))
    for entry in solvers.values():
        _warm_up(entry["solver"], points.shape[1])
    return [
        {"C": float(C), "problem": name, "n": len(signs), "n_positive": int((signs > 0).sum())}
        | solution_row(points[rows], signs, float(C), solver, entry, seed)
        for name, rows, signs in posed
        for C in values
        for solver, entry in ordered
    ]


def solution_row(points, signs, C, name, entry, seed=0):
    """One solution as plain values; None where there is no value.

    `objective` is that of (7) at `w`, whatever loss the solver minimises; `eta` is eq. 15. Status
    "skipped": too many points; "failed": `warning` says why.

    Examples
    --------
    >>> x, y = np.array([[2**0.5, 1.0], [2**0.5, -1.0]]), np.array([1.0, -1.0])
    >>> row = solution_row(x, y, 10.0, "mine", {"solver": "optimal"})
    >>> row["status"], round(row["objective"], 3), round(row["lower_bound"], 3)
    ('optimal', 0.5, 0.5)
    >>> solution_row(x, y, 10.0, "mine", {"solver": "optimal", "max_points": 1})["status"]
    'skipped'
    """
    most = entry.get("max_points", math.inf)
    empty = dict.fromkeys(("objective", "lower_bound", "gap", "eta", "n_iter", "seconds", "w"))
    key = {"solver": name, "kind": KINDS[entry["solver"]]}
    if len(points) > most:
        return key | empty | {"status": "skipped", "warning": f"more than {most} points"}
    start = time.process_time()
    try:
        solution = SOLVERS[entry["solver"]](points, signs, C, **_arguments(entry, seed))
    except InputError as error:
        return key | empty | {"status": "failed", "warning": str(error)}
    seconds = time.process_time() - start
    solution = replace(solution, objective=objective(solution.w, points, signs, C))
    names = ("objective", "lower_bound", "gap", "eta")
    numbers = {name: float(getattr(solution, name)) for name in names}
    return key | {
        **{name: value if math.isfinite(value) else None for name, value in numbers.items()},
        "status": solution.status,
        "n_iter": int(solution.n_iter),
        "seconds": seconds,
        "warning": solution.warning,
        "w": solution.w.tolist(),
    }


def _arguments(entry, seed):
    """Keyword arguments of a solver: all entries except those that `certify` reads."""
    own = {name: value for name, value in entry.items() if name not in ("solver", "max_points")}
    common = {"sdp": {"seed": seed}, "pgd": {"loss": "hinge"}}
    return common.get(KINDS[entry["solver"]], {}) | own


def _warm_up(solver, columns):
    """Load compiled code before anything is timed, by a problem with and one without a margin."""
    rng = np.random.default_rng(0)
    points = lorentz.from_spatial(rng.normal(size=(8, columns - 1)))
    signs = np.where(np.arange(8) % 2 == 0, 1.0, -1.0)
    for C, of_a_side in ((10.0, np.sign(points[:, 1])), (0.1, signs)):
        SOLVERS[solver](points, of_a_side, C)


def check_order(rows, where):
    """Raise `InputError` for bounds above objectives, or bounds in the wrong order.

    For each problem no bound may exceed any objective: SDP bound, moment bound and certified bound
    lie below the optimum, all solutions above. The moment relaxation, which is the tighter one,
    may not prove less than the semidefinite one. `where` names the data in the message.

    Examples
    --------
    >>> row = {"C": 1.0, "problem": "a", "kind": "sdp"}
    >>> low = row | {"solver": "sdp", "objective": 3.0, "lower_bound": 2.0}
    >>> check_order([low], "d, e")
    >>> check_order([low, low | {"solver": "pgd", "objective": 1.9}], "d, e")
    Traceback (most recent call last):
    noneuclid.errors.InputError: d, e, problem 'a', C=1: the lower bound 2 of 'sdp' exceeds \
the objective 1.9 of 'pgd'; one of them is wrong: report it, and leave that solver out meanwhile
    """
    for (problem, C), group in groupby(rows, key=lambda row: (row["problem"], row["C"])):
        group = [row for row in group if row["objective"] is not None]
        bounded = [row for row in group if row["lower_bound"] is not None]
        if not group:
            continue
        best = min(group, key=lambda row: row["objective"])
        scale, place = abs(best["objective"]), f"{where}, problem {problem!r}, C={C:g}"
        for row in bounded:
            if row["lower_bound"] > best["objective"] + BOUND_TOLERANCE * scale:
                _refuse(place, row, "objective", best)
        tight = [row for row in bounded if row["kind"] == "moment"]
        for row in (row for row in bounded if row["kind"] == "sdp"):
            for other in tight:
                if row["lower_bound"] > other["lower_bound"] + ORDER_TOLERANCE * scale:
                    _refuse(place, row, "lower_bound", other)


def _refuse(place, row, name, other):
    raise InputError(
        f"{place}: the lower bound {row['lower_bound']:.9g} of {row['solver']!r} exceeds the "
        f"{name.replace('_', ' ')} {other[name]:.9g} of {other['solver']!r}; one of them is wrong: "
        "report it, and leave that solver out meanwhile"
    )
