"""Full and read-only disks, and files that are cut or changed: what a run says and keeps."""

import os
import re
import shutil
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
import yaml
from background import ended, mounted, read_only
from small_run import (
    ACQUIRE,
    CONFIG,
    DRAW,
    EMBED,
    MODEL,
    SPLIT,
    TARGETS,
    TREE,
    forget_tree,
    results,
)

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.records import Split

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("faults")]


@pytest.mark.slow
def test_full_disk(code, undisturbed, tmp_path):
    with mounted(tmp_path / "results", "-t", "tmpfs", "-o", "size=4m", "tmpfs"):
        shutil.copytree(undisturbed, tmp_path, dirs_exist_ok=True)
        forget_tree(tmp_path)
        (tmp_path / "results/logs/train/gaussians/given/tree/0.log").unlink()
        filler = tmp_path / "results/filler"
        with suppress(OSError), open(filler, "wb", 0) as stream:
            while True:
                stream.write(bytes(4096))
        failed = ended(code, tmp_path, *TARGETS, status=1)
        line = f"kept: make room on the disk of {tmp_path / 'results'}, which is full, and run"
        assert line in failed.text
        assert "Traceback" not in failed.text
        filler.unlink()
        assert set(ended(code, tmp_path, *TARGETS).started.values()) == {TREE}
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
def test_read_only_results(code, copied):
    forget_tree(copied)
    with read_only(copied / "results"):
        failed = ended(code, copied, *TARGETS, status=1)
        assert f"{copied / 'results'} is read-only: make it writable, or run in" in failed.text
        assert failed.started == {}
    assert set(ended(code, copied, *TARGETS).started.values()) == {TREE}


@pytest.mark.slow
def test_read_only_resources(code, undisturbed, tmp_path):
    (tmp_path / "resources/data").mkdir(parents=True)
    with read_only(tmp_path / "resources"):
        ended(code, tmp_path, *TARGETS)
        assert results(tmp_path) == results(undisturbed)
        path = "elsewhere/points.npz"
        code.add_source(path)
        fetched = CONFIG["datasets"]["gaussians"] | {
            "use": "train_test_npz",
            "files": {"embedding": path},
            "params": {},
        }
        text = code.config.read_text()
        code.config.write_text(yaml.safe_dump(CONFIG | {"datasets": {"olsson": fetched}}))
        try:
            failed = ended(code, tmp_path, "results/acquire/olsson.npz", status=1)
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
def test_a_broken_file_is_named_and_made_again(code, undisturbed, copied, broken, spoil, reader):
    spoil(copied / broken)
    (copied / reader).unlink(missing_ok=True)
    failed = ended(code, copied, *TARGETS, reader, status=1)
    (line,) = {part.strip() for part in failed.text.splitlines() if "error: " in part}
    assert re.fullmatch(rf"error: {broken} cannot be read \(.*\): delete it and run again", line)
    assert not (copied / reader).exists()
    (copied / broken).unlink()
    ended(code, copied, *TARGETS, reader)
    found = results(copied)
    assert {name: found[name] for name in results(undisturbed)} == results(undisturbed)
