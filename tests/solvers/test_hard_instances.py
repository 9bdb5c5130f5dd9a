"""The public instances: equal rows from seeds, and a check that refuses wrong solutions."""

import importlib
import math
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from cases import each_of
from scipy.optimize import linprog

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks/instances"
MODULES = ("generate", "exact_hyperboloid", "exact_balls", "check", "solve")
sys.path.insert(0, str(FOLDER))
generate, exact_hyperboloid, exact_balls, check, solve = map(importlib.import_module, MODULES)
sys.path.remove(str(FOLDER))

ENTRIES = generate.entries()
BEST = {row["name"]: row for row in generate.read_table(FOLDER / "best.tsv")}
# One of each generator; the table of scikit-learn takes longer.
FIRST = {row["generator"]: row["name"] for row in reversed(ENTRIES.values())}
FIRST["breast_cancer"] = "breast-cancer-2"
KINDS = {
    (row["problem"], row["metric"], row["generator"]): row["name"]
    for row in ENTRIES.values()
    if row["name"] in BEST and row["name"] != "high-128"
}


def stored(name):
    return check.read_solution(FOLDER / "solutions" / f"{name}.tsv", ENTRIES[name]["problem"])


@each_of("name", FIRST.values())
def test_rows_are_equal_to_the_last_bit(name):
    instance = generate.load(name)
    assert instance.points.shape == (int(ENTRIES[name]["n"]), int(ENTRIES[name]["d"]))
    assert set(instance.signs) == {1.0, -1.0}


def test_other_rows_are_refused(tmp_path):
    text = (FOLDER / "instances.tsv").read_text()
    (tmp_path / "instances.tsv").write_text(text.replace("centre\t2\tn=60", "centre\t1\tn=60"))
    with pytest.raises(ValueError, match=r"instance centre-2-60: checksum \w{16}, not \w{16}"):
        generate.load("centre-2-60", tmp_path)
    with pytest.raises(ValueError, match="unknown instance 'centre'; known: centre-2-60"):
        generate.load("centre")


@pytest.mark.parametrize("change", [{"C": 2.0}, {"metric": "funk"}, {"problem": "hard"}])
def test_the_checksum_depends_on_the_problem(change):
    instance = generate.load("centre-2-60")
    other = instance.points.copy()
    other[3, 1] = np.nextafter(other[3, 1], 1.0)
    for changed in (change, {"points": other}, {"signs": -instance.signs}):
        assert replace(instance, **changed).checksum != instance.checksum


def test_polytope_points_are_inside():
    for name in ("near-simplex-3-1", "near-box-3-2", "near-cross-3-3", "wide-hard", "cross-soft"):
        polytope = exact_balls.facets(instance := generate.load(name))
        assert min(map(min, polytope.a)) > 0
        if instance.polytope == "simplex":
            assert all(sum(row) == 1 for row in polytope.points)
        A, b, *_ = generate.facets_of(instance)
        floats = np.array(polytope.a, dtype=float)
        np.testing.assert_allclose(instance.points @ A.T + b, floats, rtol=1e-9, atol=1e-15)


def test_all_data_fit_into_50_kilobytes():
    files = [*FOLDER.glob("*.tsv"), *FOLDER.glob("solutions/*")]
    assert sum(file.stat().st_size for file in files) <= 50_000


def test_objectives_and_bounds_do_not_contradict_each_other():
    assert list(BEST) == list(ENTRIES)
    for name, row in BEST.items():
        side = 1 if ENTRIES[name]["problem"] == "hyperboloid" else -1
        assert side * (Decimal(row["objective"]) - Decimal(row["bound"])) >= 0
        assert stored(name)["objective"] == Decimal(row["objective"])


@each_of("name", KINDS.values())
def test_stored_solutions_have_their_objective(name):
    verdict = check.check(generate.load(name), stored(name), check.best_known(name))
    assert verdict.feasible
    assert "within" in verdict.text
    assert abs(verdict.objective - stored(name)["objective"]) < Decimal("1e-18") * (
        1 + abs(verdict.objective)
    )


def times(solution, factor):
    return {**solution, "w": [factor * x for x in solution["w"]]}


@pytest.mark.parametrize("name", ["centre-2-60", "far-20-1e4", "random-5"])
def test_wrong_normals_are_refused(name):
    instance, best, right = generate.load(name), check.best_known(name), stored(name)
    time, *space = right["w"]
    wrong = {
        "is too small": [
            times(right, -1),
            {**right, "w": [-time, *space]},
            {**right, "w": [time * Decimal("0.99"), *space]},
            {**right, "objective": right["objective"] * Decimal("0.99999999")},
        ],
        "is too large": [{**right, "objective": right["objective"] * Decimal("1.00000001")}],
        "is negative": [{**right, "w": [2 * sum(map(abs, space)), *space]}],
        "w is zero": [times(right, 0)],
        f"w has {len(space)} numbers, not {len(space) + 1}": [{**right, "w": space}],
    }
    for words, solutions in wrong.items():
        for solution in solutions:
            verdict = check.check(instance, solution, best)
            assert not verdict.feasible
            assert verdict.text.startswith("not feasible: ")
            assert words in verdict.text


@pytest.mark.parametrize("name", ["near-box-3-2", "near-box-3-7", "near-simplex-3-1"])
def test_wrong_hard_margins_are_refused(name):
    instance, best, right = generate.load(name), check.best_known(name), stored(name)
    r = right["r"]
    wrong = {
        "crosses the hyperplane": [
            {**times(right, -1), "c": -right["c"]},
            {**right, "c": right["c"] + Decimal("1e-6")},
            {**right, "c": right["c"] - Decimal("1e-6")},
            {**right, "r": r + Decimal("1e-5"), "objective": r + Decimal("1e-5")},
            {**times(right, 0), "c": Decimal(0)},
        ],
        "is too large": [{**right, "objective": r * Decimal("1.00000001")}],
        "is negative": [{**right, "r": -r}],
    }
    for words, solutions in wrong.items():
        for solution in solutions:
            verdict = check.check(instance, solution, best)
            assert not verdict.feasible
            assert words in verdict.text


def test_wrong_soft_margins_are_refused():
    name = "simplex-soft-funk"
    instance, best, right = generate.load(name), check.best_known(name), stored(name)
    larger = right["objective"] + Decimal("1e-6")
    for words, solution in {
        "w does not point": {**times(right, -1), "c": -right["c"]},
        "is too large": {**right, "c": right["c"] + Decimal("0.1")},
        "too large": {**right, "objective": larger},
        "the radius 1e-07 is not in": {**right, "r": Decimal("1e-7")},
        "the radius 50 is not in": {**right, "r": Decimal(50)},
    }.items():
        verdict = check.check(instance, solution, best)
        assert not verdict.feasible
        assert words in verdict.text
    scaled = {**times(right, Decimal("0.01")), "c": right["c"] / 100}
    assert "within" in check.check(instance, scaled, best).text


def normal(*numbers, objective=0):
    return {"w": [Decimal(x) for x in numbers], "objective": Decimal(objective)}


def on_the_line(*positions, problem="hyperboloid", metric="", C=2.0, signs=None, **polytope):
    points = np.array(positions)[:, None]
    signs = np.where(points[:, 0] > 0.5, 1.0, -1.0) if signs is None else np.array(signs)
    return generate.Instance("line", problem, metric, C, points, signs, **polytope)


def test_the_objective_is_the_formula():
    instance = on_the_line(0.75, -0.75)  # x_0 = 5/4
    fault, value = check.evaluate(instance, normal("0.5", "1"))
    # margins 3/4 - 5/8 and 3/4 + 5/8
    assert fault == ""
    assert abs(value - (Decimal("0.375") + Decimal(2).sqrt() * Decimal("0.875"))) < Decimal("1e-27")
    far = on_the_line(math.sinh(30.0), -0.75)
    square = Decimal(far.points[0, 0]) ** 2
    _, value = check.evaluate(far, normal("1", "1", objective=0))
    first = 1 - (Decimal(far.points[0, 0]) - (1 + square).sqrt())
    # The difference of 5e12 and its neighbour has no digit in double precision.
    assert abs(value - Decimal(2).sqrt() * first) < Decimal("1e-12")


UNIT = {"polytope": "box", "low": (0.0,), "high": (1.0,)}


@pytest.mark.parametrize(
    ("metric", "largest"), [("hilbert", 3**0.5), ("funk", 1.5), ("reverse_funk", 2)]
)
def test_hard_margins_of_an_interval(metric, largest):
    instance = on_the_line(0.75, 0.25, problem="hard", metric=metric, **UNIT)
    for shift, feasible in ((-1e-12, True), (1e-12, False)):
        r = Decimal(math.log(largest) + shift)
        solution = {"w": [Decimal(1)], "c": Decimal("-0.5"), "r": r, "objective": r}
        assert (check.evaluate(instance, solution)[0] == "") is feasible


def test_the_soft_margin_of_an_interval():
    """The ball of factor 2 about 0.4 reaches 1/4: the slack of the hyperplane 1/2 is 1/4."""
    settings = {"problem": "soft", "metric": "hilbert", "signs": [1.0, -1.0, 1.0], **UNIT}
    instance = on_the_line(0.75, 0.25, 0.4, **settings)
    r = Decimal(2).ln() / 2  # in 28 digits
    solution = {"w": [Decimal(3)], "c": Decimal("-1.5"), "r": r}
    fault, value = check.evaluate(instance, solution)
    assert fault == ""
    point = Decimal(float("0.4"))
    reached = point / (2 - point)  # half the odds of the point
    assert abs(reached - Decimal("0.25")) < Decimal("1e-16")
    expected = r - 2 * (Decimal("0.5") - reached) / point / 3
    assert abs(value - expected) < Decimal("1e-25")
    cap = exact_balls.largest_radius(instance, exact_balls.facets(instance))
    assert float(cap) == pytest.approx(0.5 * math.log(3.0))


@each_of("metric", ["hilbert", "funk", "reverse_funk"])
@each_of("name", ["near-box-3-2", "near-cross-3-3", "near-simplex-3-1"])
def test_the_least_value_over_a_ball_is_that_of_a_linear_program(name, metric):
    instance = replace(generate.load(name), metric=metric)
    polytope, rng = exact_balls.facets(instance), np.random.default_rng(0)
    A, b, E, f = generate.facets_of(instance)
    for row, r in enumerate((0.1, 0.5, 1.5)):
        w, c = rng.integers(-9, 10, A.shape[1]), int(rng.integers(-9, 10))
        g = polytope.function([int(x) for x in w], c)
        proved = exact_balls.least_over_ball(instance, polytope, g, row, Decimal(r))
        a, T = A @ instance.points[row] + b, math.exp(2 * r if metric == "hilbert" else r)
        scaled, ends = A / a[:, None], b / a
        if metric == "hilbert":
            pairs = [(i, j) for i in range(len(a)) for j in range(len(a)) if i != j]
            rows = np.array([scaled[i] - T * scaled[j] for i, j in pairs])
            limits = np.array([T * ends[j] - ends[i] for i, j in pairs])
        elif metric == "funk":
            rows, limits = -scaled, ends - 1 / T
        else:
            rows, limits = np.vstack([scaled, -scaled]), np.r_[T - ends, ends]
        equal = (E, -f) if len(E) else (None, None)
        slow = linprog(w, rows, limits, *equal, (None, None))
        assert float(proved) == pytest.approx(slow.fun + c, abs=1e-6)
        assert float(proved) <= slow.fun + c + 1e-7


def test_files_of_solutions(tmp_path, capsys):
    path = tmp_path / "claim.tsv"
    name = "centre-2-60"
    for text, words in {
        "w\t1\t2\n": "no finite numbers for objective; give w, objective",
        "w\t1\tnan\nobjective\t1\n": "no finite numbers for w",
        "w\t1\ttwo\nobjective\t1\n": "w is not a list of decimal numbers",
        "w\t0\t1e-9\t0\nobjective\t1\n": "not feasible: the objective is",
    }.items():
        path.write_text(text)
        assert check.main(name, path) == 1
        assert words in "".join(capsys.readouterr())
    assert check.main(name, FOLDER / "solutions" / f"{name}.tsv") == 0
    assert "within 0" in capsys.readouterr().out
    assert check.main("unknown", path) == 1
    assert "unknown instance" in capsys.readouterr().err


def test_the_verdict_compares_with_objective_and_bound():
    instance = on_the_line(0.75, -0.75)
    solution = normal("0", "1", objective="0.85355339059327376220")  # 1/2 + 2/√2/4 for two rows
    solution["objective"] = check.evaluate(instance, solution)[1]
    value = solution["objective"]
    for known, bound, words in (
        (value + 1, value - 1, "better than best known by 1.0e+00; at most 1.0e+00 from"),
        (value - Decimal("1e-7"), value - 1, "within 1.0e-07 of best known"),
        (value - Decimal("0.1"), value - 1, "worse than best known by 1.0e-01"),
        (value + 1, value + Decimal("0.5"), "contradicts the bound"),
    ):
        assert words in check.check(instance, solution, (known, bound)).text
    assert "no other is known" in check.check(instance, solution, None).text


def test_records_keep_what_is_better():
    record = solve.Record(on_the_line(0.75, -0.75))
    assert record.gap == math.inf
    assert "not feasible" in record.offer(normal("2", "1"), "me")
    assert record.offer(normal("0", "1"), "me") == "better"
    first = record.objective
    assert record.offer(normal("0", "0.9"), "you") == "not better"
    record.offer_bound(0.5, "me")
    record.offer_bound(0.4, "you")
    record.offer_bound(3.0, "you")
    assert record.bound_by == record.objective_by == "me"
    assert Decimal("0.499999999999999") <= record.bound < Decimal("0.5")
    record.bound = first - Decimal("1e-9")
    assert "contradicts the known bound" in record.offer(normal("0", "1.3"), "you")
    assert record.objective < first
    assert record.bound == -math.inf


def test_best_known_values_are_written_and_read(tmp_path):
    (tmp_path / "instances.tsv").write_text((FOLDER / "instances.tsv").read_text())
    (tmp_path / "best.tsv").write_text("\t".join(solve.COLUMNS) + "\n")
    for name in ("random-5", "centre-2-60"):
        record = solve.Record(generate.load(name))
        record.offer(stored(name), "me")
        record.offer_bound(1.0, "me")
        solve.write(record, tmp_path)
    rows = generate.read_table(tmp_path / "best.tsv")
    assert [row["name"] for row in rows] == ["centre-2-60", "random-5"]
    known = check.best_known("random-5", tmp_path)
    assert known[0] == record_objective("random-5")
    again = solve.Record(generate.load("random-5"), rows[1])
    assert again.offer(stored("random-5"), "you") == "not better"
    written = check.read_solution(tmp_path / "solutions/random-5.tsv", "hyperboloid")
    assert written == stored("random-5")


def test_solutions_of_instances_on_the_same_rows_are_tried():
    record = solve.Record(generate.load("far-20-1"))
    solve.offer_relatives(record, {"far-20-1e4": BEST["far-20-1e4"]}, FOLDER)
    assert record.solution["w"] == stored("far-20-1e4")["w"]
    assert record.objective_by == BEST["far-20-1e4"]["objective_by"]
    other = solve.Record(generate.load("far-20-1"))
    solve.offer_relatives(other, {name: BEST[name] for name in ("far-20-1", "far-15-1")}, FOLDER)
    assert other.solution is None


def record_objective(name):
    return Decimal(BEST[name]["objective"])


def test_a_process_with_a_limit_finds_what_the_check_accepts():
    instance = generate.load("near-box-3-7")
    record = solve.Record(instance)
    for _, solution, bound in solve.run(instance.name, 1e-6, 20):
        record.offer(solve.repair(instance, solution), "me")
        record.offer_bound(bound, "me")
    assert 0 <= record.gap <= Decimal("1e-6")
    known = check.best_known(instance.name)
    assert abs(record.objective - known[0]) <= Decimal("1e-6")


def test_rounding_is_repaired_towards_the_feasible_side():
    instance = on_the_line(0.75, -0.75)
    timelike = {"w": [Decimal("-1.0000000001"), Decimal(1)]}
    moved = solve.repair(instance, timelike)
    assert exact_hyperboloid.lorentz_square(moved["w"]) >= 0
    assert moved["w"] == [Decimal(-1), Decimal(1)]
    name = "near-box-3-2"
    right = stored(name)
    too_large = {**right, "r": right["r"] * (1 + Decimal("1e-9"))}
    moved = solve.repair(generate.load(name), too_large)
    assert check.evaluate(generate.load(name), moved)[0] == ""
    assert moved["r"] > right["r"] * (1 - Decimal("1e-6"))
    soft = generate.load("simplex-soft-funk")
    wide = solve.repair(soft, {**stored(soft.name), "r": Decimal(99)})
    assert check.evaluate(soft, wide)[0] == ""
