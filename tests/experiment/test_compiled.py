import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import noneuclid
from noneuclid import compiled

SOURCE = Path(noneuclid.__file__).parents[1]
INNER = """
from noneuclid.compiled import {compiler}
@{compiler}
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


@pytest.mark.parametrize("compiler", ["compile_cached", "compile_inner"])
def test_an_edited_callee_is_compiled_into_its_caller_again(compiler, tmp_path):
    (tmp_path / "outer.py").write_text(OUTER)
    for factor in (2, 3):
        path = tmp_path / "inner.py"
        path.write_text(INNER.format(factor=factor, compiler=compiler))
        os.utime(path, (factor, factor))
        assert outcome(tmp_path) == 10.0 * factor


def test_each_process_names_its_machine_code_differently(tmp_path):
    path = Path(tmp_path / "inner.py")
    path.write_text(INNER.format(factor=2, compiler="compile_cached"))
    names = set()
    for _ in range(2):
        spec = importlib.util.spec_from_file_location("inner", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        names.add(compiled.get_cache_index(module.inner)._data_name(1))
        assert module.inner(np.ones(2)).tolist() == [2.0, 2.0]
    assert len(names) == 2
    assert len(list(tmp_path.rglob("*.nbc"))) == 1  # the second loads what the first has made


@pytest.mark.parametrize(
    ("environment", "kept"),
    [
        ({}, None),
        ({"NUMBA_CACHE_DIR": "~/cache"}, None),
        ({"XDG_CACHE_HOME": "~"}, None),
        ({"NUMBA_CACHE_DIR": "mine"}, "mine"),
        ({"XDG_CACHE_HOME": "{0}/own"}, "own"),
    ],
)
def test_without_a_home_folder_none_is_made(environment, kept, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "inner.py").write_text(INNER.format(factor=2, compiler="compile_cached"))
    # Numba may not write beside the source.
    (source / "__pycache__").write_text("")
    work = tmp_path / "work"
    work.mkdir()
    code = "from inner import inner; print(inner(10.0))"
    # As for a user whom the system does not know.
    unknown = dict(os.environ, HOME="~", PYTHONPATH=f"{source}{os.pathsep}{SOURCE}")
    unknown = {key: value for key, value in unknown.items() if key != "XDG_CACHE_HOME"}
    unknown |= {key: value.format(work) for key, value in environment.items()}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=work, env=unknown, capture_output=True, text=True
    )
    assert done.stdout == "20.0\n", done.stderr
    assert [path.name for path in work.iterdir()] == ([] if kept is None else [kept])


def test_numba_still_has_the_private_names_that_the_guard_sets():
    cure = f"numba {numba.__version__} changed its cache: adapt src/noneuclid/compiled.py"
    index = compiled.get_cache_index(numba.njit(cache=True)(outcome))
    assert index is not None, f"{cure}, get_cache_index"
    assert isinstance(getattr(index, "_data_name_pattern", None), str), f"{cure}, the file names"
    assert index._data_name_pattern.count("{") == 1, f"{cure}, the file names"
    assert "{number:d}" in index._data_name_pattern, f"{cure}, the file names"
    assert index._data_name(7) == index._data_name_pattern.format(number=7), f"{cure}, the names"
    stamp = getattr(index, "_source_stamp", None)
    assert isinstance(stamp, (bytes, str, tuple)), f"{cure}, the stamp of the source"
    assert stamp, f"{cure}, the stamp of the source"
    # The index compares the stamp on disk with its own, and so with what the guard puts there.
    assert "_source_stamp" in index._load_index.__code__.co_names, f"{cure}, the stamp"
    assert "_data_name" in index.save.__code__.co_names, f"{cure}, the file names"


@pytest.fixture(scope="module")
def solve_of_numba():
    return numba.njit(lambda matrix, vector: np.linalg.solve(matrix, vector))


@pytest.mark.parametrize("n", [1, 2, 5, 40])
def test_solve_is_that_of_numba(n, solve_of_numba):
    rng = np.random.default_rng(n)
    matrix, vector = rng.normal(size=(n, n)), rng.normal(size=n)
    np.testing.assert_array_equal(compiled.solve(matrix, vector), solve_of_numba(matrix, vector))
    np.testing.assert_allclose(matrix @ compiled.solve(matrix, vector), vector, atol=1e-10)


@pytest.mark.parametrize(
    ("matrix", "text"), [(np.ones((2, 2)), "singular"), (np.diag([1.0, np.nan]), "infs or NaNs")]
)
def test_solve_refuses_what_numba_refuses(matrix, text):
    with pytest.raises(np.linalg.LinAlgError, match=text):
        compiled.solve(matrix, np.ones(2))
