import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "constraints.txt", "environment.yml")
PARTS += ("config", "profiles", "resources", "src", "workflow")
IGNORED = shutil.ignore_patterns("*.egg-info", "*.npz", "*.npy")


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
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores)]
        return subprocess.run(
            [*command, "--configfile", str(self.config), *options],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": "", **(environment or {})},
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
