import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import loaded_snakemake
import pytest
import yaml
from background import Run
from small_run import CONFIG, TARGETS

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("constraints.txt", "environment.yml", "config", "resources", "src", "workflow")
IGNORED = shutil.ignore_patterns("*.egg-info", "*.npz", "*.npy")
# A new network namespace has no way out; a user who may not make one may in a new user namespace.
NAMESPACES = (["unshare", "--net"], ["unshare", "--map-root-user", "--net"])


class Copy:
    """A copy of the repository in which Snakemake runs."""

    def __init__(self, folder):
        self.folder = folder
        for part in PARTS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, folder / part, ignore=IGNORED)
            else:
                shutil.copy(source, folder / part)
        shutil.copy(ROOT / "tests/config/tiny.yaml", self.config)

    @property
    def config(self):
        return self.folder / "tiny.yaml"

    def run(self, *options, cores=2, environment=None):
        options = ["--cores", str(cores), "--configfile", str(self.config), *options]
        environment = {**os.environ, "PYTHONPATH": "", **(environment or {})}
        if not environment["PYTHONPATH"]:
            return loaded_snakemake.start().run(options, self.folder, environment)
        # What Python reads when it starts is not the same in a fork.
        return subprocess.run(
            [sys.executable, "-m", "snakemake", *options],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=3600,
            check=False,
        )

    def planned(self, *options):
        """Sorted outputs (the first of each job) that a dry run would make."""
        done = self.run("--dry-run", *options)
        assert done.returncode == 0, done.stdout + done.stderr
        text = done.stdout + done.stderr
        return sorted(re.findall(r"^ +output: ([^,\n]+)", text, flags=re.M))

    def edit(self, file, old, new):
        path = self.folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))


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
