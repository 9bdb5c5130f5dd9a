import gc

import pytest
import sklearn.ensemble  # noqa: F401 (its OpenMP library must be loaded before the limit)
from paper_mirror import MIRROR
from threadpoolctl import threadpool_limits


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Modules and tests are no garbage: looking for some in them takes a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config, items):
    for item in items:
        # Tests of a module share fixtures and compile the same functions: one worker runs them.
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.split("::")[0]))
        for mark in item.iter_markers("needs_mirror"):
            absent = [n for n in ("hsvm-relax", *mark.args) if not (MIRROR / n).is_dir()]
            if absent:
                reason = f"no {absent} in {MIRROR}: set NONEUCLID_MIRROR to the papers' data files"
                item.add_marker(pytest.mark.skip(reason=reason))
        # pytest-xdist 3.8 writes a test's group where pytest 9.2 no longer reads it (its issue
        # 1386). It starts the groups with most tests first.
        if getattr(config.option, "loadgroup", False) and hasattr(item, "_id"):
            for mark in item.iter_markers("xdist_group"):
                item._id = type(item._id).parse(f"{item.nodeid}@{mark.args[0]}")


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Threads of pytest-xdist's processes would spin while they wait for each other."""
    with threadpool_limits(1):
        yield
