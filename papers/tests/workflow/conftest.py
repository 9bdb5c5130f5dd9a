import pytest
from snakemake_copies import ROOT, Copy


class PaperCopy(Copy):
    """A copy with the papers, whose workflow runs."""

    parts = (*Copy.parts, "papers")
    # Its package is known by what it was installed with.
    ignored = ("noneuclid.egg-info", "tests", "benchmarks", "__pycache__", "*.npz", "*.npy")
    tiny = ROOT / "papers/tests/config/tiny.yaml"
    snakefile = "papers/workflow/Snakefile"


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A copy with one finished tiny run. Tests that change it must put it back."""
    copy = PaperCopy(tmp_path_factory.mktemp("papers"))
    done = copy.run()
    assert done.returncode == 0, done.stdout + done.stderr
    return copy


@pytest.fixture
def fresh(tmp_path):
    """A copy in which nothing has run."""
    return PaperCopy(tmp_path)
