"""Benchmarks measure two checkouts side by side."""

import importlib
import shutil
import subprocess
import sys

import pytest
from paper_mirror import ROOT


@pytest.fixture
def checkout(monkeypatch):
    if not ((ROOT / ".git").exists() and shutil.which("git")):
        pytest.skip("needs a checkout of git")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    beside = importlib.import_module("beside")
    yield beside.Checkout("after", ROOT, "builtins")
    sys.modules.pop("beside")


def test_a_call_ends_at_its_limit_and_the_next_one_is_answered(checkout):
    assert checkout.call("sum", [1, 2]) == 3
    assert checkout.call("sum", range(10**12), limit=1) is None
    assert checkout.call("sum", [3, 4], limit=5) == 7


def test_errors_end_a_benchmark(checkout):
    with pytest.raises(subprocess.CalledProcessError):
        checkout.call("no_such_function")
