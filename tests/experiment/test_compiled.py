import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from noneuclid import compiled

INNER = """
from noneuclid.compiled import compile_cached
@compile_cached
def inner(x):
    return {factor} * x
"""
OUTER = """
from inner import inner
from noneuclid.compiled import compile_cached
@compile_cached
def outer(x):
    return inner(x)
"""


def outcome(folder):
    code = "from outer import outer; print(outer(10.0))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def test_an_edited_callee_is_compiled_into_its_caller_anew(tmp_path):
    (tmp_path / "outer.py").write_text(OUTER)
    for factor in (2, 3):
        path = tmp_path / "inner.py"
        path.write_text(INNER.format(factor=factor))
        os.utime(path, (factor, factor))
        assert outcome(tmp_path) == 10.0 * factor


def test_each_process_names_its_machine_code_differently(tmp_path):
    path = Path(tmp_path / "inner.py")
    path.write_text(INNER.format(factor=2))
    names = set()
    for _ in range(2):
        spec = importlib.util.spec_from_file_location("inner", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        names.add(compiled._cache_file(module.inner)._data_name(1))
        assert module.inner(np.ones(2)).tolist() == [2.0, 2.0]
    assert len(names) == 2
    assert len(list(tmp_path.rglob("*.nbc"))) == 1  # the second loads what the first has made
