import shutil

import pytest

from noneuclid.errors import InputError
from noneuclid_compare.monitor import preflight


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log"
    path.write_text("Error in rule train\n")
    return path


def test_the_first_error(log, tmp_path):
    line = preflight.advice([log], tmp_path / "results")
    assert line.startswith(
        "what is finished is kept: correct the first error above, and run the same"
    )
    assert "\n" not in line


def test_a_clock(log, tmp_path):
    log.write_text("This could indicate a clock skew problem in your network\n")
    assert "kept: `touch` the input named above" in preflight.advice([log], tmp_path / "results")


def test_a_full_disk(log, tmp_path, monkeypatch):
    usage = shutil._ntuple_diskusage(10**9, 10**9, 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    line = preflight.advice([log], tmp_path / "results")
    assert f"kept: make room on the disk of {tmp_path}, which is full, and run" in line


def test_a_folder_that_is_read_only(tmp_path, monkeypatch):
    preflight.check_writable([tmp_path / "results/any"])
    monkeypatch.setattr("os.access", lambda folder, mode: folder != tmp_path)
    preflight.check_writable([])
    with pytest.raises(InputError, match="is read-only: make it writable, or run in another"):
        preflight.check_writable([tmp_path / "results/any"])
