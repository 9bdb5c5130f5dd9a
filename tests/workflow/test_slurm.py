import json
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
import yaml
from cluster import ask, needs_slurm, options, setting
from snakemake_copies import Copy

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("executors"), needs_slurm]

HARD = "results/acquire/hard.npz"
SUBMITTED = re.compile(r"submitted with SLURM jobid (\d+)")
# Needs more memory than the first attempt has; or waits for ever, but the first time only.
LOADER = '''"""A data set that is hard to get."""
import time
from pathlib import Path

import numpy as np

from noneuclid_compare.data.shipped import karate


def load(files, seed, *, hard):
    if hard == "large":
        np.ones(1_600_000_000 // 8).sum()
    elif not Path("waited").exists():
        Path("waited").touch()
        time.sleep(3600)
    return karate.load({}, seed)
'''


def ids(text):
    return SUBMITTED.findall(text)


def about(job):
    """What SLURM knows of a job."""
    return dict(re.findall(r"(\w+)=(\S*)", ask("scontrol", "show", "job", job)))


@pytest.fixture(scope="module")
def submitted(tmp_path_factory):
    """A copy with a run of every stage that went through SLURM, and what that printed."""
    copy = Copy(tmp_path_factory.mktemp("slurm"))
    config = yaml.safe_load(copy.config.read_text())
    del config["datasets"]["ball"]
    config["repeats"] = 1
    methods = ("majority", "hyperbolic_tree")
    config["methods"] = {name: config["methods"][name] for name in methods}
    config["datasets"]["karate"]["methods"] = list(methods)
    copy.config.write_text(json.dumps(config))
    done = copy.run(*options(), "--nocolor", cores=1)
    assert done.returncode == 0, done.stdout + done.stderr
    return copy, done.stdout + done.stderr


@pytest.fixture
def hard(fresh):
    """Configure a data set that is hard to get."""
    (fresh.folder / "hard.py").write_text(LOADER)

    def configure(kind):
        config = {
            "seed": 0,
            "repeats": 1,
            "baselines": False,
            "splits": {"scheme": "stratified_kfold", "folds": 2},
            "search": {"folds": 2, "scoring": "accuracy"},
            "datasets": {
                "hard": {
                    "use": "hard.py:load",
                    "params": {"hard": kind},
                    "embeddings": ["hydra"],
                }
            },
            "embeddings": {"hydra": {"use": "hydra"}},
            "methods": {"majority": {"use": "sklearn.dummy.DummyClassifier"}},
            "report": {"title": "Hard", "metric": "accuracy"},
        }
        fresh.config.write_text(json.dumps(config))
        return fresh

    return configure


def test_the_tiny_run_goes_through_slurm(submitted):
    copy, text = submitted
    assert (copy.folder / "results/report/index.html").is_file()
    assert len(ids(text)) == len(set(ids(text))) >= 3
    for job in ids(text):
        found = about(job)
        assert found["JobState"] == "COMPLETED"
        assert found["WorkDir"] == str(copy.folder)


def test_small_fits_of_a_data_set_share_a_job(submitted):
    copy, text = submitted
    assert len(list(copy.folder.glob("results/train/*/*/*/*.npz"))) == 4
    comments = [about(job)["Comment"] for job in ids(text)]
    # One for each data set: its fits hang together by their folds.
    for name in ("karate", "gaussians"):
        assert sum(comment.startswith(f"rule_fits_{name}_split") for comment in comments) == 1
    assert not [comment for comment in comments if comment.startswith("rule_fit_")]


def test_memory_and_time_follow_from_the_data(submitted):
    """The embedded data existed when the fits were submitted, and asked for what is theirs."""
    _, text = submitted
    jobs = map(about, ids(text))
    (fits,) = (job for job in jobs if job["Comment"].startswith("rule_fits_gaussians"))
    assert 0 < int(fits["MinMemoryNode"].rstrip("M")) < 1500
    assert fits["NumCPUs"] == "1"


def test_a_second_call_submits_nothing(submitted):
    copy, _ = submitted
    again = copy.run(*options(), "--nocolor", cores=1)
    assert again.returncode == 0
    assert "Nothing to be done" in again.stdout + again.stderr
    assert not ids(again.stdout + again.stderr)


@pytest.mark.skipif(
    "cgroup" not in setting("TaskPlugin"), reason="this cluster does not hold jobs to their memory"
)
@pytest.mark.slow
def test_a_job_that_exceeds_its_memory_is_tried_again_with_more(hard):
    copy = hard("large")
    done = copy.run(*options(), "--nocolor", HARD, cores=1)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    first, second = (about(job) for job in ids(text))
    assert first["JobState"] in ("FAILED", "OUT_OF_MEMORY")
    assert second["JobState"] == "COMPLETED"
    memory = [int(job["MinMemoryNode"].rstrip("M")) for job in (first, second)]
    assert memory[1] == 2 * memory[0]
    assert minutes(second) == 2 * minutes(first)


def minutes(job):
    hours, rest, _ = job["TimeLimit"].split(":")
    return 60 * int(hours) + int(rest)


@contextmanager
def started(copy, output):
    """Snakemake in the background, when its job runs on the cluster; and the number of that job."""
    command = [sys.executable, "-m", "snakemake", "--configfile", str(copy.config), *options()]
    with open(output, "w") as stream:
        process = subprocess.Popen(
            [*command, "--nocolor", HARD], cwd=copy.folder, stdout=stream, stderr=stream
        )
    try:
        wait_for(lambda: (copy.folder / "waited").exists(), process)
        (job,) = ids(output.read_text())
        yield process, job
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait()


@pytest.mark.skipif(
    "sacct" in options(), reason="the plugin does not know what sacct calls a cancelled job"
)
@pytest.mark.slow
def test_a_cancelled_job_is_reported_and_run_again(hard, tmp_path):
    output = tmp_path / "output.txt"
    with started(hard("waiting"), output) as (process, job):
        subprocess.run(["scancel", job], check=True)
        assert process.wait() == 0, output.read_text()
    text = output.read_text()
    assert re.search(rf"JOB {job} ON \S+ CANCELLED", text)
    assert [about(i)["JobState"] for i in ids(text)] == ["CANCELLED", "COMPLETED"]


def test_a_job_of_a_killed_run_keeps_the_next_one_from_starting(hard, tmp_path):
    copy = hard("waiting")
    with started(copy, tmp_path / "output.txt") as (process, job):
        process.kill()
        process.wait()
    try:
        assert copy.run("--unlock").returncode == 0
        refused = copy.run("--nocolor", HARD)
        assert refused.returncode != 0
        assert f"still in the queue: cancel them (scancel {job}) or wait" in refused.stderr
        assert not (copy.folder / HARD).exists()
    finally:
        subprocess.run(["scancel", job], check=True)
    wait_for(lambda: not ask("squeue", "--noheader", "--jobs", job))
    done = copy.run("--nocolor", HARD)
    assert done.returncode == 0, done.stderr


def wait_for(found, process=None):
    """Wait until something is so, while a process runs."""
    while not found():
        assert process is None or process.poll() is None
        time.sleep(0.5)
