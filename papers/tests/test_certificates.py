"""Certificates: problems, rows, the order of bounds, the long table, the stages."""

import inspect
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from cases import each_of

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.problem import objective
from noneuclid_compare import io
from noneuclid_compare.config import configuration
from noneuclid_compare.records import Embedded, Split
from noneuclid_papers import certified, checks
from noneuclid_papers.programs import yang2024
from noneuclid_papers.stages import certify
from noneuclid_papers.stages import gaps as gaps_stage
from noneuclid_papers.statistics import certificates, optimality_gaps

ROOT = Path(__file__).resolve().parents[2]
SOLVERS = {kind: {"solver": kind} for kind in ("pgd", "moment", "sdp", "optimal")}


def blobs(classes=3, per_class=12, dimension=2, seed=0):
    """Overlapping clouds on the hyperboloid, one per class."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(classes), per_class)
    angle = 2 * np.pi * labels / classes
    spatial = rng.normal(scale=0.6, size=(len(labels), dimension))
    spatial[:, 0] += 1.2 * np.cos(angle)
    spatial[:, 1] += 1.2 * np.sin(angle)
    return lorentz.from_spatial(spatial), labels


@pytest.fixture(scope="module")
def solved():
    points, labels = blobs()
    posed = certificates.problems(labels, "abc")
    return points, posed, certificates.certify(points, posed, [0.5, 5], SOLVERS)


def record(rows, dataset="d", dimension=2):
    return {"dataset": dataset, "embedding": "e", "dimension": dimension, "solutions": rows}


def test_problems_are_named_after_their_positive_class():
    labels = np.array([0, 3, 1, 3, 0])
    one = certificates.problems(labels, ["a", "b", "c", "d"])
    assert [name for name, *_ in one] == ["a", "b", "d"]
    for name, rows, signs in one:
        assert labels[rows].tolist() == labels.tolist()
        assert np.array_equal(signs > 0, labels == "abcd".index(name))
    pairs = certificates.problems(labels, ["a", "b", "c", "d"], "ovo")
    assert [name for name, *_ in pairs] == ["b against a", "d against a", "d against b"]
    for name, rows, signs in pairs:
        assert np.array_equal(signs > 0, labels[rows] == "abcd".index(name[0]))


def test_every_problem_c_and_solver_has_a_row(solved):
    points, posed, rows = solved
    keys = [(row["problem"], row["C"], row["kind"]) for row in rows]
    kinds = ["optimal", "sdp", "moment", "pgd"]
    assert keys == [(name, C, kind) for name in "abc" for C in (0.5, 5.0) for kind in kinds]
    for row in rows:
        ((rows_of, signs),) = [p[1:] for p in posed if p[0] == row["problem"]]
        w = np.array(row["w"])
        value = objective(w, points[rows_of], signs, row["C"])
        assert row["objective"] == pytest.approx(value, rel=1e-12)
        assert (row["n"], row["n_positive"]) == (36, 12)
        assert row["seconds"] > 0
        assert (row["lower_bound"] is None) == (row["kind"] == "pgd")
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows


def test_another_loss_is_judged_by_the_hinge():
    points, labels = blobs(2)
    ((_, rows, signs),) = certificates.problems(labels, "ab")
    entry = {"solver": "pgd", "loss": "arcsinh"}
    row = certificates.solution_row(points[rows], signs, 2.0, "x", entry)
    w = np.array(row["w"])
    assert row["objective"] == objective(w, points, signs, 2.0, "hinge")
    assert row["objective"] != objective(w, points, signs, 2.0, "arcsinh")


def test_large_problems_are_skipped_and_failures_told(monkeypatch):
    points, labels = blobs(2)

    def fail(points, signs, C, loss):
        raise InputError("the objective overflows")

    monkeypatch.setitem(certificates.SOLVERS, "pgd", fail)
    signs = np.where(labels == 0, 1.0, -1.0)
    failed = certificates.solution_row(points, signs, 1.0, "a", {"solver": "pgd"})
    skipped = certificates.solution_row(
        points, signs, 1.0, "b", {"solver": "sdp", "max_points": 23}
    )
    assert (failed["status"], failed["warning"]) == ("failed", "the objective overflows")
    assert (skipped["status"], skipped["warning"]) == ("skipped", "more than 23 points")
    for row in (failed, skipped):
        assert [row[k] for k in ("objective", "lower_bound", "gap", "eta", "w")] == [None] * 5
    kept = certificates.solution_row(points, signs, 1.0, "b", {"solver": "sdp", "max_points": 24})
    assert kept["status"] == "solved"


@pytest.mark.parametrize("name", ["published_pgd", "released_pgd"])
def test_descents_of_yang2024_are_solvers_of_kind_pgd(name):
    points, labels = blobs(2, per_class=12)
    signs = np.where(labels == 1, 1.0, -1.0)
    row = certificates.solution_row(points, signs, 1.0, "a", {"solver": name, "max_iter": 50})
    fit = getattr(yang2024, name)(points, signs, 1.0, "hinge", max_iter=50)
    assert (row["kind"], row["w"], row["status"]) == ("pgd", fit.w.tolist(), fit.status)
    assert row["objective"] == pytest.approx(fit.objective)


def test_the_order_holds_and_a_broken_one_is_named(solved):
    rows = solved[2]
    certificates.check_order(rows, "d, e")
    for kind, change, message in (
        ("sdp", {"lower_bound": 1e6}, r"problem 'b', C=5: the lower bound 1000000 of 'sdp' exceeds "
         r"the objective "),
        ("pgd", {"objective": 0.0}, r"exceeds the objective 0 of 'pgd'; one of them is wrong"),
        ("moment", {"lower_bound": -1.0}, r"'sdp' exceeds the lower bound -1 of 'moment'"),
    ):  # fmt: skip
        broken = [
            row | change if (row["problem"], row["C"], row["kind"]) == ("b", 5.0, kind) else row
            for row in rows
        ]
        with pytest.raises(InputError, match=message):
            certificates.check_order(broken, "d, e")


def test_rounding_is_no_broken_order(solved):
    row = next(row for row in solved[2] if row["kind"] == "optimal")
    close = row | {"lower_bound": row["objective"] * (1 + 1e-7)}
    certificates.check_order([close], "d, e")
    with pytest.raises(InputError):
        certificates.check_order([row | {"lower_bound": row["objective"] * (1 + 1e-5)}], "d, e")


def test_long_table_measures_from_the_optimum_of_the_same_problem(solved):
    rows = solved[2]
    skipped = dict.fromkeys(("objective", "lower_bound", "gap", "eta", "n_iter", "seconds", "w"))
    extra = rows[2] | skipped | {"status": "skipped"}
    table = optimality_gaps.long_table([record(rows), record([*rows[:2], extra], "other")])
    assert table.columns.tolist() == optimality_gaps.COLUMNS
    assert len(table) == len(rows) + 3
    best = {(r["problem"], r["C"]): r["objective"] for r in rows if r["kind"] == "optimal"}
    for row in table[table["status"] != "skipped"].to_dict("records"):
        optimum = best[row["problem"], row["C"]]
        assert row["above"] == pytest.approx(row["objective"] / optimum - 1)
        if row["kind"] != "pgd":
            assert row["below"] == pytest.approx(1 - row["lower_bound"] / optimum)
    assert table["certified"].all()
    last = table.iloc[-1]
    assert np.isnan([last["above"], last["below"], last["objective"]]).all()


def test_an_open_gap_is_not_certified():
    row = {"problem": "a", "C": 1.0, "kind": "optimal", "status": "gap open", "objective": 2.0}
    assert not optimality_gaps.long_table([record([row])])["certified"].any()


def test_overview_sums_up_each_solver(solved):
    table = optimality_gaps.long_table([record(solved[2])])
    found = optimality_gaps.overview(table).set_index(["C", "solver"])
    part = table[(table["C"] == 5) & (table["solver"] == "sdp")]
    row = found.loc[(5.0, "sdp")]
    assert (row["problems"], row["solved"], row["certified"]) == (3, 3, 3)
    assert row["above_worst"] == part["above"].max()
    assert row["below_median"] == part["below"].median()
    assert row["seconds"] == pytest.approx(part["seconds"].sum())


def test_the_problem_with_the_largest_spread_is_planar_and_has_a_hyperplane():
    def rows(problem, worst, status="optimal"):
        both = ("optimal", status, 1.0), ("pgd", "converged", worst)
        return [
            {"problem": problem, "C": 1.0, "kind": kind, "solver": kind, "status": s,
             "objective": value, "lower_bound": None}
            for kind, s, value in both
        ]  # fmt: skip

    flat = [*rows("a", 2.0), *rows("b", 3.0), *rows("c", 9.0, "horospherical")]
    table = optimality_gaps.long_table([record(rows("z", 99.0), "deep", dimension=3), record(flat)])
    chosen = optimality_gaps.most_spread(table)
    assert chosen[["dataset", "problem"]].drop_duplicates().to_numpy().tolist() == [["d", "b"]]
    assert len(chosen) == 2
    cone = optimality_gaps.most_spread(table[table["problem"].isin(["c", "z"])])
    assert set(cone["problem"]) == {"c"}
    assert optimality_gaps.most_spread(table[table["dimension"] == 3]).empty


def test_solver_settings_of_the_configuration_exist():
    assert set(checks.SOLVERS) == set(certificates.SOLVERS)
    for kind, options in checks.SOLVERS.items():
        assert set(options) <= set(inspect.signature(certificates.SOLVERS[kind]).parameters)


def configured(**changes):
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    config["certificates"] = {"C": [1], "solvers": {"best": {"solver": "optimal"}}} | changes
    return config


@each_of(
    ("changes", "message"),
    [
        ({"C": [0]}, "certificates/C/0: 0 is less than the minimum of 1e-10"),
        ({"C": []}, r"certificates/C: \[\] should be non-empty"),
        ({"multi_class": "all"}, "certificates/multi_class: 'all' is not one of"),
        ({"datasets": ["no"]}, "certificates/datasets: unknown data set 'no'; known: karate"),
        ({"solvers": {"a": {"solver": "lp"}}}, "solvers/a/solver: 'lp' is not one of"),
        (
            {"solvers": {"a": {"solver": "pgd"}}},
            "certificates/solvers: give exactly one entry with",
        ),
        ({"solvers": {"a": {"solver": "optimal", "max_points": 9}}}, "without `max_points`"),
        ({"solvers": {k: {"solver": "optimal"} for k in "ab"}}, "give exactly one entry with"),
        (
            {"solvers": {"a": {"solver": "optimal", "draws": 3}}},
            "a: unknown parameter of solver 'optimal': 'draws'; known: solver, max_points, tol",
        ),
        ({"solvers": {"a": {"solver": "pgd", "los": 3}}}, "solvers/a: unknown key 'los'; known"),
    ],
)
def test_wrong_configurations_are_named(changes, message):
    schema = ROOT / "workflow/schemas/config.schema.yaml"
    configuration.check(configured(), schema)
    with pytest.raises(InputError, match=message) as caught:
        configuration.check(configured(**changes), schema)
    assert "\n" not in str(caught.value)


def test_defaults_are_filled_in():
    config = configured(datasets=["ball", "karate"])
    assert certified.certify_settings(config)["multi_class"] == "ovr"
    assert "datasets" not in certified.certify_settings(config)
    assert certified.certified_pairs(config) == [("karate", "hydra"), ("ball", "given")]


@pytest.fixture
def stages(tmp_path):
    """Certificates of a data set of curvature -4 with a class that no row in use has."""
    points, labels = blobs(4, per_class=8, seed=3)
    about = {"embedding": {"name": "given"}}
    names = ("NA", "01", "x", "y")
    embedded = Embedded(points[:, 1:] / (1 + points[:, :1]) / 2, "poincare", labels, names, 4.0,
                        about=about)  # fmt: skip
    fold = np.where(labels == 3, Split.UNUSED, np.arange(len(labels)) % 2)
    io.write_record(tmp_path / "embed/d/e.npz", embedded)
    io.write_record(tmp_path / "split/d/0.npz", Split(fold))
    settings = {"C": [2], "multi_class": "ovr", "solvers": SOLVERS}
    files = ["--points", tmp_path / "embed/d/e.npz", "--split", tmp_path / "split/d/0.npz"]
    rest = ["--settings", json.dumps(settings), "--seed", 1, "--output", tmp_path / "d.json"]
    certify.main([*map(str, files), "--names", "d", "e", *map(str, rest)])
    return tmp_path, points[labels != 3], labels[labels != 3]


def test_stages_use_rows_in_use_at_curvature_minus_one(stages):
    folder, points, labels = stages
    written = io.read_json(folder / "d.json")
    assert [row["problem"] for row in written["solutions"][::4]] == ["NA", "01", "x"]
    for row in written["solutions"]:
        signs = np.where(labels == ("NA", "01", "x").index(row["problem"]), 1.0, -1.0)
        value = objective(np.array(row["w"]), points, signs, 2.0)
        assert row["objective"] == pytest.approx(value, rel=1e-9)
    arguments = ["--records", folder / "d.json", "--results", folder, "--output", folder / "gaps"]
    gaps_stage.main(list(map(str, arguments)))
    words = {"keep_default_na": False, "na_values": [""], "dtype": {"problem": str}}
    table = io.read_table(folder / "gaps/certificates.tsv", **words)
    assert set(table["problem"]) == {"NA", "01", "x"}
    assert table["w"].map(json.loads).tolist() == [r["w"] for r in written["solutions"]]
    assert len(pd.read_csv(folder / "gaps/overview.tsv", sep="\t")) == 4
    drawn = pd.read_csv(folder / "gaps/hyperplanes.tsv", sep="\t")
    assert drawn[["x0", "x1", "x2"]].to_numpy() == pytest.approx(points)
    for name in ("bounds", "hyperplanes"):
        for suffix in ("png", "svg", "pdf"):
            assert (folder / f"gaps/{name}.{suffix}").stat().st_size > 1000


def test_points_of_the_picture_are_those_of_its_problem(stages):
    folder, points, labels = stages
    records = [io.read_json(folder / "d.json")]
    table = optimality_gaps.long_table(records)
    found, positive = gaps_stage.points_of(table[table["problem"] == "x"], records, folder)
    np.testing.assert_allclose(found, points, rtol=1e-9)
    assert np.array_equal(positive, labels == 2)
    assert len(gaps_stage.points_of(table.head(0), records, folder)[0]) == 0


def test_the_stage_refuses_a_broken_order(stages, monkeypatch):
    folder = stages[0]
    original = certificates.sdp_relaxation.solve

    def wrong(*args, **settings):
        return original(*args, **settings).__class__(
            np.array([0.0, 1.0, 0.0]), 1.0, "solved", 1, lower_bound=1e5
        )

    monkeypatch.setitem(certificates.SOLVERS, "sdp", wrong)
    settings = {"C": [2], "multi_class": "ovr", "solvers": SOLVERS}
    files = ["--points", folder / "embed/d/e.npz", "--split", folder / "split/d/0.npz"]
    rest = ["--settings", json.dumps(settings), "--seed", 1, "--output", folder / "new.json"]
    with pytest.raises(
        InputError, match="d, e, problem 'NA', C=2: the lower bound 100000 of 'sdp'"
    ):
        certify.main([*map(str, files), "--names", "d", "e", *map(str, rest)])
    assert not (folder / "new.json").exists()
