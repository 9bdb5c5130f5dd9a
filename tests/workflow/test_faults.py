"""Runs that are killed, starved or given broken files end like one that was left alone."""

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest
import yaml
from background import Run, mounted, read_only
from comparing import comparable
from conftest import Copy

from noneuclid import io
from noneuclid.contracts import InputError, Split

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("faults")]

CONFIG = {
    "seed": 3,
    "repeats": 1,
    "splits": {"scheme": "stratified_kfold", "folds": 2},
    "search": {"folds": 2, "scoring": "accuracy"},
    "datasets": {
        "gaussians": {
            "loader": "noneuclid.datasets.hyperbolic_gaussians",
            "settings": {"classes": 2, "per_class": 12, "dimension": 2},
            "embeddings": ["given"],
        }
    },
    "embeddings": {"given": {"module": "noneuclid.embeddings.given"}},
    "methods": {
        "tree": {"class": "sklearn.tree.DecisionTreeClassifier", "chart": "poincare"},
        "majority": {"class": "sklearn.dummy.DummyClassifier"},
    },
    "report": {"title": "Faults", "metric": "accuracy"},
}
ACQUIRE = "results/acquire/gaussians.npz"
EMBED = "results/embed/gaussians/given.npz"
SPLIT = "results/split/gaussians/0.npz"
TREE = "results/train/gaussians/given/tree/0.npz"
MAJORITY = "results/train/gaussians/given/majority/0.npz"
MODEL = "results/models/gaussians/given/tree.skops"
DRAW = "results/draw/gaussians/given.npz"
TARGETS = [TREE, MAJORITY]
# A new network namespace has no way out; a user who may not make one may in a new user namespace.
NAMESPACES = (["unshare", "--net"], ["unshare", "--map-root-user", "--net"])


def results(folder):
    return comparable(folder / "results")


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    copy = Copy(tmp_path_factory.mktemp("code"))
    copy.config.write_text(yaml.safe_dump(CONFIG))
    return copy


@pytest.fixture(scope="module")
def no_network():
    """Command that runs another without a network; empty if the system forbids that."""
    for prefix in NAMESPACES:
        if (
            shutil.which(prefix[0])
            and not subprocess.run([*prefix, "true"], check=False).returncode
        ):
            return prefix
    return []


@pytest.fixture(scope="module")
def undisturbed(code, no_network, tmp_path_factory):
    """Folder of a run that was left alone, without a network if that can be had."""
    folder = tmp_path_factory.mktemp("undisturbed")
    run = Run(code, folder, *TARGETS, prefix=no_network).done()
    assert len(run.finished) == 5
    return folder


@pytest.fixture
def finished(undisturbed, tmp_path):
    """A copy of that folder."""
    return shutil.copytree(undisturbed, tmp_path / "finished")


def test_jobs_need_no_network(undisturbed, no_network):
    if not no_network:
        pytest.skip("may not make a network namespace")
    call = "import socket; socket.create_connection(('1.1.1.1', 53), timeout=5)"
    tried = [*no_network, sys.executable, "-c", call]
    assert "unreachable" in subprocess.run(tried, capture_output=True, text=True).stderr
    assert len(results(undisturbed)) == 10


def kill(run, kind):
    """Kill -9: Snakemake alone, Snakemake with all its jobs, or one job."""
    if kind == "job":
        while not (jobs := run.jobs()) and run.process.poll() is None:
            time.sleep(0.01)
        victims = jobs[:1]
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
    if kind != "job":
        Run(code, folder, "--unlock").done()
    elif status:
        assert "what is finished is kept: mend the first error above" in run.text
    return run


def check_recovery(code, folder, undisturbed, killed):
    """Run to the end; return the run, in which no job that had finished was run again."""
    last = Run(code, folder, *TARGETS).done()
    for run in killed:
        assert not run.finished & set(last.started.values())
    assert results(folder) == results(undisturbed)
    return last


def test_killed_again_and_again(code, undisturbed, tmp_path):
    rng = np.random.default_rng(1)
    killed = [strike(code, tmp_path, kind, rng) for kind in ("snakemake", "all", "job")]
    check_recovery(code, tmp_path, undisturbed, killed)
    assert "Nothing to be done" in Run(code, tmp_path, *TARGETS).done().text


@pytest.mark.slow
def test_twenty_kills(code, undisturbed, tmp_path):
    for trial in range(20):
        folder = tmp_path / str(trial)
        folder.mkdir()
        kind = ("snakemake", "all", "job")[trial % 3]
        start = time.monotonic()
        killed = strike(code, folder, kind, np.random.default_rng(trial))
        last = check_recovery(code, folder, undisturbed, [killed])
        counts = [len(killed.started), len(killed.finished), len(last.started)]
        print(trial, kind, "started, finished, run afterwards:", *counts, end="; ")
        print(f"{time.monotonic() - start:.0f} s", flush=True)


def test_jobs_end_with_their_run(code, tmp_path):
    run = Run(code, tmp_path, *TARGETS)
    while not (jobs := run.jobs()):
        time.sleep(0.01)
    run.process.kill()
    run.process.wait()
    _, alive = psutil.wait_procs(jobs, timeout=20)
    assert not alive
    locked = Run(code, tmp_path, *TARGETS).done(status=1)
    assert "Directory cannot be locked" in locked.text
    assert "It can be removed with the --unlock argument" in locked.text


def test_two_runs_at_once(code, undisturbed, finished):
    forget_tree(finished)
    first = Run(code, finished, *TARGETS)
    while not first.started:
        time.sleep(0.01)
    first.process.suspend()
    second = Run(code, finished, *TARGETS).done(status=1)
    assert "Directory cannot be locked" in second.text
    assert second.started == {}
    first.process.resume()
    assert set(first.done().started.values()) == {TREE}
    assert results(finished) == results(undisturbed)


def forget_tree(folder):
    """Remove what one train job made."""
    for path in [*(folder / TREE).parent.iterdir(), folder / MODEL]:
        path.unlink()


def test_full_disk(code, undisturbed, tmp_path):
    with mounted(tmp_path / "results", "-t", "tmpfs", "-o", "size=4m", "tmpfs"):
        shutil.copytree(undisturbed, tmp_path, dirs_exist_ok=True)
        forget_tree(tmp_path)
        (tmp_path / "results/logs/train/gaussians/given/tree/0.log").unlink()
        filler = tmp_path / "results/filler"
        with suppress(OSError), open(filler, "wb", 0) as stream:
            while True:
                stream.write(bytes(4096))
        failed = Run(code, tmp_path, *TARGETS).done(status=1)
        line = f"kept: make room on the disk of {tmp_path / 'results'}, which is full, and run"
        assert line in failed.text
        assert "Traceback" not in failed.text
        filler.unlink()
        assert set(Run(code, tmp_path, *TARGETS).done().started.values()) == {TREE}
        assert results(tmp_path) == results(undisturbed)


def filled(size):
    """Data that no compression makes small, by what it is written as."""
    noise = np.random.default_rng(0).normal(size=size)
    return {
        "r.npz": (io.write_record, Split(noise)),
        "m.skops": (io.write_model, {"noise": noise}),
        "t.parquet": (io.write_table, pd.DataFrame({"noise": noise})),
        "t.tsv": (io.write_table, pd.DataFrame({"noise": noise})),
        "j.json": (io.write_json, noise.tolist()),
    }


@pytest.mark.parametrize("name", filled(1))
def test_a_file_that_does_not_fit(tmp_path, name):
    with mounted(tmp_path / "small", "-t", "tmpfs", "-o", "size=64k", "tmpfs") as small:
        write, value = filled(100)[name]
        write(small / name, value)
        before = (small / name).read_bytes()
        cure = r"cannot be written \(No space left on device\): make room on the disk and run again"
        with pytest.raises(InputError, match=f"{name} {cure}"):
            write(small / name, filled(100_000)[name][1])
        assert [path.name for path in small.iterdir()] == [name]
        assert (small / name).read_bytes() == before
        with (
            read_only(small),
            pytest.raises(InputError, match=f"{name} .*: make the disk writable"),
        ):
            write(small / name, value)


@pytest.mark.slow
def test_read_only_results(code, finished):
    forget_tree(finished)
    with read_only(finished / "results"):
        failed = Run(code, finished, *TARGETS).done(status=1)
        assert f"{finished / 'results'} is read-only: make it writable, or run in" in failed.text
        assert failed.started == {}
    assert set(Run(code, finished, *TARGETS).done().started.values()) == {TREE}


@pytest.mark.slow
def test_read_only_resources(code, undisturbed, tmp_path):
    (tmp_path / "resources/data").mkdir(parents=True)
    with read_only(tmp_path / "resources"):
        Run(code, tmp_path, *TARGETS).done()
        assert results(tmp_path) == results(undisturbed)
        path = "PoincareLinearClassification/olsson_poincare_embedding.npz"
        fetched = CONFIG["datasets"]["gaussians"] | {
            "loader": "noneuclid.datasets.train_test_npz",
            "files": {"embedding": path},
            "settings": {},
        }
        text = code.config.read_text()
        code.config.write_text(yaml.safe_dump(CONFIG | {"datasets": {"olsson": fetched}}))
        try:
            failed = Run(code, tmp_path, "results/acquire/olsson.npz").done(status=1)
        finally:
            code.config.write_text(text)
        assert f"{tmp_path / 'resources/data'} is read-only: make it writable" in failed.text


def cut(path):
    """Cut a file in half; its time stays."""
    times = path.stat().st_atime, path.stat().st_mtime
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    os.utime(path, times)


def flip(path):
    """Change one bit in the middle of a file; its time stays."""
    times, content = (path.stat().st_atime, path.stat().st_mtime), bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    os.utime(path, times)


BROKEN = [
    pytest.param(SPLIT, cut, TREE, id="cut folds"),
    pytest.param(EMBED, flip, TREE, id="changed points", marks=pytest.mark.slow),
    pytest.param(ACQUIRE, cut, SPLIT, id="cut data", marks=pytest.mark.slow),
    pytest.param(MODEL, flip, DRAW, id="changed model", marks=pytest.mark.slow),
    pytest.param(MODEL, cut, DRAW, id="cut model", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("broken", "spoil", "reader"), BROKEN)
def test_a_broken_file_is_named_and_made_again(code, undisturbed, finished, broken, spoil, reader):
    spoil(finished / broken)
    (finished / reader).unlink(missing_ok=True)
    failed = Run(code, finished, *TARGETS, reader).done(status=1)
    (line,) = {part.strip() for part in failed.text.splitlines() if "error: " in part}
    assert re.fullmatch(rf"error: {broken} cannot be read \(.*\): delete it and run again", line)
    assert not (finished / reader).exists()
    (finished / broken).unlink()
    Run(code, finished, *TARGETS, reader).done()
    found = results(finished)
    assert {name: found[name] for name in results(undisturbed)} == results(undisturbed)


def test_clocks_do_not_matter_to_what_is_finished(code, finished):
    rng = np.random.default_rng(0)
    now = time.time()
    for path in Path(finished / "results").rglob("*"):
        os.utime(path, (now, now + rng.uniform(-1, 1) * 1e9))
    assert "Nothing to be done" in Run(code, finished, *TARGETS).done().text


@pytest.mark.slow
def test_a_file_from_the_future_is_named(code, undisturbed, finished):
    forget_tree(finished)
    os.utime(finished / SPLIT, (time.time() + 1e9,) * 2)
    failed = Run(code, finished, *TARGETS).done(status=1)
    assert f"than input {SPLIT} (20" in failed.text
    assert "kept: `touch` the input named above, which is dated in the future" in failed.text
    os.utime(finished / SPLIT)
    assert set(Run(code, finished, *TARGETS).done().started.values()) == {TREE}
    assert results(finished) == results(undisturbed)


@pytest.mark.slow
def test_a_whole_run_needs_no_network(fresh, no_network, tmp_path):
    if not no_network:
        pytest.skip("may not make a network namespace")
    folder = tmp_path / "folder"
    folder.mkdir()
    Run(fresh, folder, "all", prefix=no_network).done()
    assert (folder / "results/report/index.html").exists()
