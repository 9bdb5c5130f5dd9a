"""Runs that are killed, doubled or cut off from the network end like one that was left alone."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
import yaml
from background import Run, ended
from small_run import ACQUIRE, CONFIG, SPLIT, TARGETS, TREE, forget_tree, results

KINDS = ("snakemake", "all", "job", "server")

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("faults")]


def test_jobs_need_no_network(undisturbed, no_network):
    if not no_network:
        pytest.skip("may not make a network namespace")
    call = "import socket; socket.create_connection(('1.1.1.1', 53), timeout=5)"
    tried = [*no_network, sys.executable, "-c", call]
    assert "unreachable" in subprocess.run(tried, capture_output=True, text=True).stderr
    assert len(results(undisturbed)) == 11


def kill(run, kind):
    """Kill -9: Snakemake alone, Snakemake with all its jobs, one job, or what the jobs fork."""
    if kind in ("job", "server"):
        listed = run.jobs if kind == "job" else run.server
        while not (found := listed()) and run.process.poll() is None:
            time.sleep(0.01)
        victims = found[:1]
    else:
        victims = [run.process, *(run.family() if kind == "all" else [])]
    for victim in victims:
        with suppress(psutil.NoSuchProcess):
            victim.kill()


def strike(code, folder, kind, rng, pause=2.0):
    """Start a run, kill in it at a random moment, and make the folder usable again."""
    run = Run(code, folder, *TARGETS)
    jobs = rng.integers(6)
    while len(run.started) < jobs and run.process.poll() is None:
        time.sleep(0.02)
    time.sleep(rng.uniform(0, pause))
    kill(run, kind)
    status = run.process.wait(600)
    if kind in ("snakemake", "all"):
        ended(code, folder, "--unlock")
    elif status:
        assert kind == "job"
        assert "what is finished is kept: correct the first error above" in run.text
    return run


def check_recovery(code, folder, undisturbed, killed):
    """Run to the end; return the run, in which no job that had finished was run again."""
    last = ended(code, folder, *TARGETS)
    for run in killed:
        assert not run.finished & set(last.started.values())
    assert results(folder) == results(undisturbed)
    return last


@pytest.mark.slow
def test_killed_again_and_again(code, undisturbed, tmp_path):
    rng = np.random.default_rng(1)
    killed = [strike(code, tmp_path, kind, rng) for kind in KINDS]
    check_recovery(code, tmp_path, undisturbed, killed)
    assert "Nothing to be done" in ended(code, tmp_path, *TARGETS).text


@pytest.mark.slow
def test_twenty_kills(code, undisturbed, tmp_path):
    for trial in range(20):
        folder = tmp_path / str(trial)
        folder.mkdir()
        kind = KINDS[trial % 4]
        start = time.monotonic()
        killed = strike(code, folder, kind, np.random.default_rng(trial))
        last = check_recovery(code, folder, undisturbed, [killed])
        counts = [len(killed.started), len(killed.finished), len(last.started)]
        print(trial, kind, "started, finished, run afterwards:", *counts, end="; ")
        print(f"{time.monotonic() - start:.0f} s", flush=True)


ENDLESS = """import time


def load(files, seed):
    while True:
        time.sleep(1)
"""


@pytest.fixture
def endless(code, tmp_path_factory):
    """The copy, with a configuration whose first job never ends."""
    (code.folder / "endless.py").write_text(ENDLESS)
    entry = {"use": f"{code.folder}/endless.py:load", "embeddings": ["given"]}
    config = tmp_path_factory.mktemp("endless") / "endless.yaml"
    config.write_text(yaml.safe_dump(CONFIG | {"datasets": {"gaussians": entry}}))
    return SimpleNamespace(folder=code.folder, config=config)


def test_jobs_end_with_their_run(endless, tmp_path):
    run = Run(endless, tmp_path, ACQUIRE)
    while not (jobs := run.jobs()):
        time.sleep(0.01)
    run.process.kill()
    run.process.wait()
    # They would not end by themselves; the limit only ends a test that fails.
    _, alive = psutil.wait_procs(jobs, timeout=600)
    for process in alive:
        process.kill()
    assert not alive
    locked = ended(endless, tmp_path, ACQUIRE, status=1)
    assert "Directory cannot be locked" in locked.text
    assert "It can be removed with the --unlock argument" in locked.text


@pytest.mark.slow
def test_two_runs_at_once(code, undisturbed, copied):
    forget_tree(copied)
    first = Run(code, copied, *TARGETS)
    # As soon as it has the lock: a job may take a tenth of a second.
    while not any((copied / ".snakemake/locks").glob("*.lock")):
        time.sleep(0.01)
    first.process.suspend()
    second = ended(code, copied, *TARGETS, status=1)
    assert "Directory cannot be locked" in second.text
    assert second.started == {}
    first.process.resume()
    assert set(first.done().started.values()) == {TREE}
    assert results(copied) == results(undisturbed)


def test_clocks_do_not_matter_to_what_is_finished(code, copied):
    rng = np.random.default_rng(0)
    now = time.time()
    for path in (copied / "results").rglob("*"):
        os.utime(path, (now, now + rng.uniform(-1, 1) * 1e9))
    assert "Nothing to be done" in ended(code, copied, *TARGETS).text


@pytest.mark.slow
def test_a_file_from_the_future_is_named(code, undisturbed, copied):
    forget_tree(copied)
    os.utime(copied / SPLIT, (time.time() + 1e9,) * 2)
    failed = ended(code, copied, *TARGETS, status=1)
    assert f"than input {SPLIT} (20" in failed.text
    assert "kept: `touch` the input named above, which is dated in the future" in failed.text
    os.utime(copied / SPLIT)
    assert set(ended(code, copied, *TARGETS).started.values()) == {TREE}
    assert results(copied) == results(undisturbed)


@pytest.mark.slow
def test_a_whole_run_needs_no_network(fresh, no_network, tmp_path):
    if not no_network:
        pytest.skip("may not make a network namespace")
    folder = tmp_path / "folder"
    folder.mkdir()
    Run(fresh, folder, "all", prefix=no_network).done()
    assert (folder / "results/report/index.html").exists()


def test_a_class_that_is_missing_in_the_class_tree_ends_the_run_before_any_fit(fresh):
    entry = CONFIG["datasets"]["gaussians"] | {"class_tree": {"a": "root"}}
    fresh.config.write_text(yaml.safe_dump(CONFIG | {"datasets": {"gaussians": entry}}))
    done = fresh.run()
    assert done.returncode != 0
    assert "class tree: class" in done.stdout + done.stderr
    assert not list((fresh.folder / "results").glob("train/**/*.npz"))
