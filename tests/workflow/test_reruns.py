import json
import os
import re

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow")]

AFTER = [
    "results/draw/gaussians/given.npz",
    "results/draw/karate/hydra.npz",
    "results/evaluate/scores.parquet",
    "results/report/index.html",
]
PLAN = "results/evaluate/plan.json"
TREE = "src/noneuclid/classifiers/hyperbolic_trees.py"
PAIRS = ["gaussians/given", "karate/hydra"]


def trained(method, pairs=PAIRS, repeats=(0, 1)):
    return [f"results/train/{pair}/{method}/{k}.npz" for pair in pairs for k in repeats]


@pytest.fixture
def restored(finished):
    """The finished copy; files edited by a test are put back, with their new times."""
    with finished.restored():
        yield finished


def test_second_run_starts_no_job(finished):
    files = [path for path in (finished.folder / "results").rglob("*") if path.is_file()]
    before = {path: path.stat().st_mtime_ns for path in files}
    done = finished.run()
    text = done.stdout + done.stderr
    assert done.returncode == 0
    assert "Nothing to be done" in text
    assert not re.search("^(local)?rule |jobid:", text, flags=re.M)
    assert {path: path.stat().st_mtime_ns for path in files} == before


def test_new_times_comments_and_docstrings_run_nothing(restored):
    for path in sorted((restored.folder / "src").rglob("*.py")):
        text = path.read_text().replace('"""', '"""Edited. ', 1)
        path.write_text(f"# Edited.\n{text}\n# Edited.\n")
    for top in ("src", "config", "workflow", "results", "tiny.yaml"):
        for path in [restored.folder / top, *(restored.folder / top).rglob("*")]:
            if path.is_file():
                os.utime(path)
    assert restored.planned() == []


def test_editing_a_classifier_retrains_it_alone_with_an_old_time_as_well(restored):
    restored.edit_code(TREE)
    os.utime(restored.folder / TREE, (1, 1))
    draws = [path for path in AFTER if path != "results/draw/ball/given.npz"]
    assert restored.planned() == sorted([*trained("hyperbolic_tree"), *draws])


def test_editing_the_report_runs_the_report_alone(restored):
    restored.edit_code("src/noneuclid_compare/report/sections/scores.py")
    assert restored.planned() == ["results/report/index.html"]


def test_a_new_method_line_runs_only_its_own_jobs(restored):
    line = "  stump: {use: sklearn.tree.DecisionTreeClassifier, params: {max_depth: 1}}\n"
    restored.edit("tiny.yaml", "methods:\n  majority", f"methods:\n{line}  majority")
    # The club of karate lists its methods.
    stumps = trained("stump", pairs=["gaussians/given"])
    draws = [path for path in AFTER if path != "results/draw/karate/hydra.npz"]
    assert restored.planned() == sorted([*stumps, PLAN, *draws])


def test_changed_settings_retrain_only_that_method(restored):
    restored.edit("tiny.yaml", "grid: {C: [0.1, 10]}", "grid: {C: [0.1, 1]}")
    ball = trained("poincare_svm", pairs=["ball/given"])
    draw = "results/draw/ball/given.npz"
    assert restored.planned() == sorted([*trained("poincare_svm"), *ball, *AFTER, draw])


@pytest.mark.slow
def test_a_new_data_set_line_runs_only_its_own_jobs(restored):
    line = "  club: {use: karate, embeddings: [hydra]"
    line += ", methods: [majority]}\n"
    restored.edit("tiny.yaml", "datasets:\n", f"datasets:\n{line}")
    own = ["results/acquire/club.npz", "results/embed/club/hydra.npz"]
    own += ["results/split/club/0.npz", "results/split/club/1.npz", "results/draw/club/hydra.npz"]
    own += trained("majority", pairs=["club/hydra"])
    after = [PLAN, "results/evaluate/scores.parquet", "results/report/index.html"]
    assert restored.planned() == sorted([*own, *after])


def test_every_run_names_its_code_data_seed_and_versions(finished):
    runs = json.loads((finished.folder / "results/evaluate/runs.json").read_text())
    assert len(runs) == 2 * (9 + 5 + 3)
    for run in runs:
        assert run["digest"]
        assert len(run["data_checksum"]) == 64
        assert run["versions"]["scikit-learn"]
        assert isinstance(run["seed"], int)
