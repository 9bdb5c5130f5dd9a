import shutil
import subprocess

import pytest
import yaml
from background import Run
from small_run import CONFIG, TARGETS
from snakemake_copies import Copy

# A new network namespace has no way out; a user who may not make one may in a new user namespace.
NAMESPACES = (["unshare", "--net"], ["unshare", "--map-root-user", "--net"])


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A copy with one finished tiny run. Tests that change it must put it back."""
    copy = Copy(tmp_path_factory.mktemp("finished"))
    done = copy.run()
    assert done.returncode == 0, done.stdout + done.stderr
    return copy


@pytest.fixture
def fresh(tmp_path):
    """A copy in which nothing has run."""
    return Copy(tmp_path)


@pytest.fixture(scope="session")
def code(tmp_path_factory):
    """A copy with the small configuration."""
    copy = Copy(tmp_path_factory.mktemp("code"))
    copy.config.write_text(yaml.safe_dump(CONFIG))
    return copy


@pytest.fixture(scope="session")
def no_network():
    """Command that runs another without a network; empty if the system forbids that."""
    for prefix in NAMESPACES:
        if (
            shutil.which(prefix[0])
            and not subprocess.run([*prefix, "true"], check=False).returncode
        ):
            return prefix
    return []


@pytest.fixture(scope="session")
def undisturbed(code, no_network, tmp_path_factory):
    """Folder of a run that was left alone, without a network if that can be had."""
    folder = tmp_path_factory.mktemp("undisturbed")
    run = Run(code, folder, *TARGETS, prefix=no_network).done()
    assert len(run.finished) == 5
    return folder


@pytest.fixture
def copied(undisturbed, tmp_path):
    """A copy of that folder."""
    return shutil.copytree(undisturbed, tmp_path / "finished")
