"""Snakemake in a fork of a process that has it loaded: loading it takes longer than a plan.

Nothing of noneuclid is loaded before the fork, so each copy of the repository runs its own code.
"""

import atexit
import functools
import gc
import json
import os
import subprocess
import sys
import threading
from importlib import import_module

# What Snakemake and the rules import.
LIBRARIES = (
    *("snakemake.cli", "snakemake.api", "snakemake.workflow", "snakemake.executors.local"),
    *("snakemake_executor_plugin_slurm", "snakemake_executor_plugin_cluster_generic"),
    *("jsonschema", "numpy", "pandas", "yaml", "sklearn.metrics"),
)


class Loaded:
    """The process; `run` takes the place of `subprocess.run` for ``python -m snakemake``."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": "", "OPENBLAS_NUM_THREADS": "1"},
        )
        atexit.register(self.process.stdin.close)

    def run(self, options, folder, environment):
        """Run Snakemake to its end; its exit status, what it printed, and its errors."""
        texts = [folder / ".printed", folder / ".errors"]
        request = {"options": options, "folder": str(folder), "environment": environment}
        print(json.dumps(request | {"texts": [*map(str, texts)]}), file=self.process.stdin)
        self.process.stdin.flush()
        status = int(self.process.stdout.readline())
        printed, errors = (path.read_text(errors="replace") for path in texts)
        return subprocess.CompletedProcess(options, status, printed, errors)


@functools.cache
def start():
    """The one such process of a worker that runs tests."""
    return Loaded()


def serve():
    """Fork for each line of standard input and answer with the exit status."""
    for name in LIBRARIES:
        import_module(name)
    assert "noneuclid" not in sys.modules
    # Forks are short, and collections take two fifths of the time of parsing the package.
    gc.disable()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            become_snakemake(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def become_snakemake(options, folder, environment, texts):
    """Run Snakemake in this process, which then ends."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["snakemake", *options]
    sys.path[0] = folder
    for number, path in enumerate(["/dev/null", *texts]):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
        os.dup2(os.open(path, flags), number)
    status = 1
    try:
        sys.modules["snakemake.cli"].main(options)
    except SystemExit as end:
        status = end.code or 0
    finally:
        # As the interpreter does at its end.
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    serve()
