"""Copies of the repository in which Snakemake runs."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import loaded_snakemake

ROOT = Path(__file__).resolve().parents[2]


class Copy:
    """A copy of the repository in which Snakemake runs."""

    parts = ("constraints.txt", "environment.yml", "config", "resources", "src", "workflow")
    ignored = ("*.egg-info", "*.npz", "*.npy")
    tiny = ROOT / "tests/config/tiny.yaml"
    snakefile = "workflow/Snakefile"

    def __init__(self, folder):
        self.folder = folder
        for part in self.parts:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns(*self.ignored))
            else:
                shutil.copy(source, folder / part)
        shutil.copy(self.tiny, self.config)

    @property
    def config(self):
        return self.folder / "tiny.yaml"

    def run(self, *options, cores=2, environment=None):
        given = ["--snakefile", self.snakefile, "--configfile", str(self.config)]
        options = ["--cores", str(cores), *given, *options]
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

    def add_source(self, path):
        """List a file of 7382 bytes that can be fetched."""
        with open(self.folder / "resources/sources.tsv", "a") as table:
            print(
                path,
                f"https://example.org/{path}",
                "0" * 64,
                7382,
                "MIT",
                "-",
                sep="\t",
                file=table,
            )

    def edit(self, file, old, new):
        path = self.folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    def edit_code(self, file):
        self.edit(file, "\n\n\n", "\n\n\nEDITED = True\n\n\n")

    @contextmanager
    def restored(self):
        """Put back the configuration and the code that change meanwhile, with new times."""
        files = [self.config, *(self.folder / "src").rglob("*.py")]
        files += (self.folder / "papers").rglob("*.py")
        before = {path: path.read_bytes() for path in files}
        yield
        for path, content in before.items():
            if path.read_bytes() != content:
                path.write_bytes(content)
