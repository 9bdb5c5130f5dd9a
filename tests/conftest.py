import pytest
import sklearn.ensemble  # noqa: F401 (its OpenMP library must be loaded before the limit)
from paper_mirror import MIRROR
from threadpoolctl import threadpool_limits


def pytest_collection_modifyitems(items):
    for item in items:
        for mark in item.iter_markers("needs_mirror"):
            absent = [n for n in ("hsvm-relax", *mark.args) if not (MIRROR / n).is_dir()]
            if absent:
                reason = f"no {absent} in {MIRROR}: set NONEUCLID_MIRROR to the papers' data files"
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Threads of pytest-xdist's processes would spin while they wait for each other."""
    with threadpool_limits(1):
        yield
