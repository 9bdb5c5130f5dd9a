import json
import os
import re
from pathlib import Path

import pytest
import small_run
from cluster import needs_slurm, options

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("executors")]

ROOT = Path(__file__).resolve().parents[2]
THREADS = ["OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA"]
MANY = {f"{name}_NUM_THREADS": "7" for name in THREADS}
LOADER = '''"""A data set whose loader tells how many threads it may use."""
import json
import os

from noneuclid_compare.data.shipped import karate


def load(files, seed, *, names):
    names = json.loads(names)
    print("threads", *(os.environ.get(f"{name}_NUM_THREADS") for name in names))
    return karate.load({}, seed)
'''
GENERIC = ["--executor", "cluster-generic", "--cluster-generic-submit-cmd", "sh", "--jobs", "1"]
EXECUTORS = [
    pytest.param(GENERIC, id="generic"),
    pytest.param(options(), id="slurm", marks=needs_slurm),
]


@pytest.fixture
def counting(fresh):
    """A copy with a data set that tells its threads."""
    (fresh.folder / "counting.py").write_text(LOADER)
    dataset = {
        "use": "counting.py:load",
        "params": {"names": json.dumps(THREADS)},
        "embeddings": ["hydra"],
    }
    config = {
        "seed": 0,
        "repeats": 1,
        "baselines": False,
        "splits": {"scheme": "stratified_kfold", "folds": 2},
        "search": {"folds": 2, "scoring": "accuracy"},
        "datasets": {"counting": dataset},
        "embeddings": {"hydra": {"use": "hydra"}},
        "methods": {"majority": {"use": "sklearn.dummy.DummyClassifier"}},
        "report": {"title": "Threads", "metric": "accuracy"},
    }
    fresh.config.write_text(json.dumps(config))
    return fresh


SLOW = """import time

from noneuclid_compare.embed import given


def embed(dataset, seed):
    time.sleep(1)
    return given.embed(dataset, seed)
"""


@pytest.mark.slow
@pytest.mark.parametrize("options", EXECUTORS)
def test_a_job_has_one_thread_for_each_library(counting, options):
    done = counting.run(*options, "--nocolor", "results/acquire/counting.npz", environment=MANY)
    check_threads(counting, done)


def check_threads(counting, done):
    """Check that the run ended well and its job had one thread for each library."""
    assert done.returncode == 0, done.stdout + done.stderr
    log = (counting.folder / "results/logs/acquire/counting.log").read_text()
    assert "threads 1 1 1 1 1\n" in log


@pytest.mark.slow
def test_waiting_jobs_are_looked_at_when_one_ends_and_not_each_second(fresh):
    # Several jobs that wait for one core; with the default limit, seconds count as well.
    (fresh.folder / "slow.py").write_text(SLOW)
    names = [f"slow_{k}" for k in range(5)]
    (dataset,) = small_run.CONFIG["datasets"].values()
    changes = {
        "datasets": {"gaussians": dataset | {"embeddings": names}},
        "embeddings": {name: {"use": "slow.py:embed"} for name in names},
    }
    fresh.config.write_text(json.dumps(small_run.CONFIG | changes))
    targets = [f"results/embed/gaussians/{name}.npz" for name in names]
    done = fresh.run("--verbose", "--nocolor", *targets, cores=1)
    assert done.returncode == 0, done.stdout + done.stderr
    words = done.stdout + done.stderr
    looks, ended = words.count("Ready jobs: "), words.count("Finished jobid: ")
    assert ended == 6
    assert looks <= ended + 1


@pytest.mark.slow
def test_the_generic_executor_plans_the_same_jobs(fresh):
    assert fresh.planned(*GENERIC) == fresh.planned()


def test_what_a_job_asks_for_grows_with_each_attempt(fresh):
    asked = []
    for attempt in ("1", "3"):
        target = "results/acquire/karate.npz"
        done = fresh.run("--dry-run", "--attempt", attempt, *GENERIC, target)
        assert done.returncode == 0, done.stdout + done.stderr
        found = [re.findall(rf"{name}=(\d+)", done.stdout) for name in ("mem_mb", "runtime")]
        asked.append([int(number) for (number,) in found])
    (memory, minutes), third = asked
    # Twice the memory for each attempt, and as much time again.
    assert third == [4 * memory, 3 * minutes]


def test_a_run_here_refuses_while_jobs_of_a_killed_one_are_in_the_queue(counting):
    program = counting.folder / "bin/squeue"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho '7|rule_prepare_karate_acquire|{counting.folder}'\n")
    program.chmod(0o755)
    environment = MANY | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
    target = "results/acquire/counting.npz"
    done = counting.run("--nocolor", target, environment=environment)
    assert done.returncode != 0
    assert "still in the queue: cancel them (scancel 7) or wait" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (counting.folder / target).exists()
    program.write_text("#!/bin/sh\n")
    done = counting.run("--nocolor", target, environment=environment)
    check_threads(counting, done)


def test_tests_of_a_group_are_known_as_such(request):
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@executors")


def test_nothing_in_the_rules_names_an_executor():
    files = [ROOT / "workflow/Snakefile", *(ROOT / "workflow/rules").glob("*.smk")]
    for path in [*files, ROOT / "workflow/profiles/default/config.yaml"]:
        assert not re.search(r"slurm|sbatch|cluster|executor", path.read_text(), flags=re.I), path


def test_no_code_asks_for_more_threads():
    for path in (ROOT / "src").rglob("*.py"):
        assert not re.search(r"parallel=True|prange|n_jobs=-", path.read_text())
