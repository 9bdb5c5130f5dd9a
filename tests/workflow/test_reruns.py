import json
import os
import time

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
    edited = [finished.config, *(finished.folder / "src").rglob("*.py")]
    before = {path: path.read_bytes() for path in edited}
    yield finished
    for path, content in before.items():
        if path.read_bytes() != content:
            path.write_bytes(content)


def test_second_run_does_nothing(finished):
    assert finished.planned() == []


def test_second_run_says_so_within_ten_seconds(finished):
    start = time.monotonic()
    done = finished.run()
    assert time.monotonic() - start < 10
    assert "Nothing to be done" in done.stdout + done.stderr


def test_touching_every_file_runs_nothing(restored):
    for top in ("src", "config", "workflow", "results", "Snakefile", "tiny.yaml"):
        for path in [restored.folder / top, *(restored.folder / top).rglob("*")]:
            if path.is_file():
                os.utime(path)
    assert restored.planned() == []


def test_editing_a_classifier_retrains_it_alone(restored):
    restored.edit(TREE, '"""', '"""Edited. ')
    draws = [path for path in AFTER if path != "results/draw/ball/given.npz"]
    assert restored.planned() == sorted([*trained("hyperbolic_tree"), *draws])


def test_an_edit_with_an_old_time_stamp_is_seen(restored):
    path = restored.folder / TREE
    restored.edit(TREE, '"""', '"""Edited. ')
    os.utime(path, (1, 1))
    assert trained("hyperbolic_tree")[0] in restored.planned()


def test_editing_the_report_runs_the_report_alone(restored):
    restored.edit("src/noneuclid/reporting/page.py", '"""', '"""Edited. ')
    assert restored.planned() == ["results/report/index.html"]


def test_a_new_method_line_runs_only_its_own_jobs(restored):
    line = "  stump: {class: sklearn.tree.DecisionTreeClassifier, settings: {max_depth: 1}}\n"
    restored.edit("tiny.yaml", "methods:\n  majority", f"methods:\n{line}  majority")
    assert restored.planned() == sorted([*trained("stump"), PLAN, *AFTER])


def test_changed_settings_retrain_only_that_method(restored):
    restored.edit("tiny.yaml", "grid: {C: [0.1, 10]}", "grid: {C: [0.1, 1]}")
    ball = trained("poincare_svm", pairs=["ball/given"])
    also = ["results/draw/ball/given.npz"]
    assert restored.planned() == sorted([*trained("poincare_svm"), *ball, *AFTER, *also])


def test_a_new_data_set_line_runs_only_its_own_jobs(restored):
    line = "  club: {loader: noneuclid.datasets.karate, embeddings: [hydra], methods: [majority]}\n"
    restored.edit("tiny.yaml", "datasets:\n", f"datasets:\n{line}")
    own = ["results/acquire/club.npz", "results/embed/club/hydra.npz"]
    own += ["results/split/club/0.npz", "results/split/club/1.npz", "results/draw/club/hydra.npz"]
    own += trained("majority", pairs=["club/hydra"])
    after = [PLAN, "results/evaluate/scores.parquet", "results/report/index.html"]
    assert restored.planned() == sorted([*own, *after])


def test_every_run_names_its_code_data_seed_and_versions(finished):
    runs = json.loads((finished.folder / "results/evaluate/runs.json").read_text())
    assert len(runs) == 2 * (2 * 5 + 3)
    for run in runs:
        assert run["digest"]
        assert len(run["data_checksum"]) == 64
        assert run["versions"]["scikit-learn"]
        assert isinstance(run["seed"], int)
