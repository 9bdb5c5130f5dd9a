import json
import os
import re
import zipfile

import pytest

from noneuclid_compare import provenance

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


def edit_code(copy, file):
    copy.edit(file, "\n\n\n", "\n\n\nEDITED = True\n\n\n")


@pytest.fixture
def restored(finished):
    """The finished copy; files edited by a test are put back, with their new times."""
    edited = [finished.config, *(finished.folder / "src").rglob("*.py")]
    before = {path: path.read_bytes() for path in edited}
    yield finished
    for path, content in before.items():
        if path.read_bytes() != content:
            path.write_bytes(content)


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
    for path in sorted((restored.folder / "src/noneuclid").rglob("*.py")):
        text = path.read_text().replace('"""', '"""Edited. ', 1)
        path.write_text(f"# Edited.\n{text}\n# Edited.\n")
    for top in ("src", "config", "workflow", "results", "tiny.yaml"):
        for path in [restored.folder / top, *(restored.folder / top).rglob("*")]:
            if path.is_file():
                os.utime(path)
    assert restored.planned() == []


def test_editing_a_classifier_retrains_it_alone_with_an_old_time_as_well(restored):
    edit_code(restored, TREE)
    os.utime(restored.folder / TREE, (1, 1))
    draws = [path for path in AFTER if path != "results/draw/ball/given.npz"]
    assert restored.planned() == sorted([*trained("hyperbolic_tree"), *draws])


def test_editing_the_report_runs_the_report_alone(restored):
    edit_code(restored, "src/noneuclid_compare/report/sections/wins.py")
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
    also = ["results/draw/ball/given.npz", "results/illustrate/reference_points.json"]
    assert restored.planned() == sorted([*trained("poincare_svm"), *ball, *AFTER, *also])


def test_a_new_data_set_line_runs_only_its_own_jobs(restored):
    line = "  club: {use: karate, embeddings: [hydra]"
    line += ", methods: [majority]}\n"
    restored.edit("tiny.yaml", "datasets:\n", f"datasets:\n{line}")
    own = ["results/acquire/club.npz", "results/embed/club/hydra.npz"]
    own += ["results/split/club/0.npz", "results/split/club/1.npz", "results/draw/club/hydra.npz"]
    own += trained("majority", pairs=["club/hydra"])
    own += ["results/certify/club/hydra.json", "results/gaps/certificates.tsv"]
    after = [PLAN, "results/evaluate/scores.parquet", "results/report/index.html"]
    assert restored.planned() == sorted([*own, *after])


CERTIFIED = [f"results/certify/{pair}.json" for pair in ("ball/given", *PAIRS)]
SHOWN = ["results/gaps/certificates.tsv", "results/report/index.html"]


def test_another_c_solves_the_certificates_alone(restored):
    restored.edit("tiny.yaml", "C: [1, 10]", "C: [1, 5]")
    assert restored.planned() == [*CERTIFIED, *SHOWN]


def test_editing_a_solver_solves_the_certificates_and_trains_what_uses_it(restored):
    edit_code(restored, "src/noneuclid/solvers/hyperboloid/sdp_relaxation.py")
    planned = restored.planned()
    assert {*CERTIFIED, *SHOWN, *trained("hyperboloid_svm_pgd")} <= set(planned)
    assert not set(trained("tree")) & set(planned)


ILLUSTRATED = ["results/illustrate/reference_points.json", "results/report/index.html"]


def test_editing_a_picture_or_an_illustration_draws_it_alone(restored):
    picture = "papers/src/noneuclid_papers/figures/hyperplanes.py"
    illustration = "papers/src/noneuclid_papers/illustrations/reference_points.py"
    edit_code(restored, picture)
    edit_code(restored, illustration)
    assert restored.planned() == [SHOWN[0], *ILLUSTRATED]
    # Neither stage reads the other's file.
    names = [path[4:-3].replace("/", ".") for path in (picture, illustration)]
    for stage, own, other in (("gaps", *names), ("illustrate", *names[::-1])):
        read = provenance.closure(f"noneuclid_compare.stages.{stage}", own)
        assert own in read
        assert other not in read


def test_other_settings_of_an_illustration_draw_it_alone(restored):
    restored.edit("tiny.yaml", 'params: {classes: ["0", "2"]}', 'params: {classes: ["0", "1"]}')
    assert restored.planned() == ILLUSTRATED


def test_the_page_and_snakemakes_report_show_illustrations(finished):
    page = (finished.folder / "results/report/index.html").read_text()
    assert "<h2>Reference points</h2>" in page
    for format in ("png", "svg", "pdf", "tsv"):
        assert f'href="figures/reference_points/log_maps.{format}"' in page
    done = finished.run("--report", "report.zip")
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(finished.folder / "report.zip") as archive:
        names = [name.rpartition("/")[2] for name in archive.namelist()]
    assert {"log_maps.png", "closest_pair.png", "boundaries.png", "hyperboloid.png"} <= set(names)


def test_certificates_of_some_data_sets(restored):
    restored.edit("tiny.yaml", "certificates:\n", "certificates:\n  datasets: [karate]\n")
    assert restored.planned() == SHOWN


def test_without_certificates_there_is_no_section(restored):
    text = restored.config.read_text()
    head, tail = text.split("certificates:\n")
    restored.config.write_text(head + tail[tail.index("report:") :])
    assert restored.planned() == ["results/report/index.html"]
    done = restored.run("--dry-run", "results/gaps/certificates.tsv")
    assert "the configuration has no `certificates:`" in done.stdout + done.stderr


def test_every_run_names_its_code_data_seed_and_versions(finished):
    runs = json.loads((finished.folder / "results/evaluate/runs.json").read_text())
    assert len(runs) == 2 * (9 + 5 + 3)
    for run in runs:
        assert run["digest"]
        assert len(run["data_checksum"]) == 64
        assert run["versions"]["scikit-learn"]
        assert isinstance(run["seed"], int)
