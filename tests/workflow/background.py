"""Snakemake in the background, and file systems that are small or read-only."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager, suppress

import loaded_snakemake
import psutil
import pytest

ENVIRONMENT = {**os.environ, "PYTHONPATH": ""}


def arguments(code, folder, options):
    """Of Snakemake, to run in a folder of its own."""
    return [
        *("--cores", "2", "--nocolor", "--directory", str(folder)),
        *("--snakefile", str(code.folder / "workflow/Snakefile")),
        *("--configfile", str(code.config)),
        *("--workflow-profile", str(code.folder / "workflow/profiles/default")),
        *options,
    ]


class Printed:
    """What a run of Snakemake prints to a file, which no orphan can block."""

    def __init__(self, folder):
        self.folder = folder
        self.log = folder / f"printed{len(list(folder.glob('printed*')))}.txt"

    @property
    def text(self):
        return self.log.read_text()

    @property
    def started(self):
        """First output of each job that was started, by its number."""
        blocks = re.findall(r"^    output: ([^,\n]+)(?:.*\n)+?    jobid: (\d+)$", self.text, re.M)
        return {number: output for output, number in blocks}

    @property
    def finished(self):
        """First outputs of the jobs that Snakemake called finished."""
        numbers = re.findall(r"^Finished jobid: (\d+)", self.text, flags=re.M)
        return {self.started[number] for number in numbers}


class Run(Printed):
    """Snakemake in the background."""

    def __init__(self, code, folder, *options, prefix=()):
        super().__init__(folder)
        with open(self.log, "w") as stream:
            self.process = psutil.Popen(
                [*prefix, sys.executable, "-m", "snakemake", *arguments(code, folder, options)],
                cwd=code.folder,
                env=ENVIRONMENT,
                stdout=stream,
                stderr=stream,
            )

    def family(self):
        """Processes below Snakemake."""
        with suppress(psutil.NoSuchProcess):
            return self.process.children(recursive=True)
        return []

    def jobs(self):
        """Processes of stages that run now: forks of forks of the process with the libraries."""
        return self.forks(3)

    def server(self):
        """The process with the libraries, as a list, which is empty before it has started."""
        return self.forks(1)

    def forks(self, generation):
        """Processes that are so many forks, and one start, away from Snakemake."""
        found = []
        for process in self.family():
            with suppress(psutil.NoSuchProcess):
                line = [process, *process.parents()]
                if "--serve" in process.cmdline() and line[generation] == self.process:
                    found.append(process)
        return found

    def done(self, status=0):
        """Wait for the end and check how it ended."""
        try:
            found = self.process.wait(1800)
        except psutil.TimeoutExpired:
            self.process.kill()
            raise
        assert (found == 0) == (status == 0), self.text
        return self


def ended(code, folder, *options, status=0):
    """A run that was waited for and ended as it should: a fork, which starts faster."""
    printed = Printed(folder)
    words = arguments(code, folder, options)
    done = loaded_snakemake.start().run(words, code.folder, ENVIRONMENT)
    printed.log.write_text(done.stdout + done.stderr)
    assert (done.returncode == 0) == (status == 0), printed.text
    return printed


@contextmanager
def mounted(place, *options):
    """A file system mounted at `place`; skips where that is not allowed."""
    place.mkdir(parents=True, exist_ok=True)
    command = ["mount", *options, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"may not mount: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@contextmanager
def read_only(folder):
    """The folder, read-only for everybody, root included."""
    with mounted(folder, "--bind", str(folder)):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True)
        yield
