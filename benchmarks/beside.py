"""Two checkouts of this repository, measured side by side on the same problems.

`checkouts(before, module)` gives this checkout as `after` and, if a folder is given, that one as
`before`. Each has a process of its own of this Python with one thread, which finds its package in
FOLDER/src and the function that measures in this folder's `module`. A benchmark calls one after the
other, case by case.
"""

import importlib
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

OWN = Path(__file__).resolve().parents[1]


def add_before(parser):
    parser.add_argument("--before", metavar="FOLDER", help="checkout to measure beside this one")


def checkouts(before, module):
    yield Checkout("after", OWN, module)
    if before:
        yield Checkout("before", Path(before).resolve(), module)


class Checkout:
    """A checkout with its process; `commit` changed its package last ("+" if edited since)."""

    def __init__(self, label, folder, module):
        self.label, self.module, self.child = label, module, None
        self.package = folder / "src/noneuclid"
        git = ["git", "-C", str(folder)]
        last = [*git, "log", "-1", "--format=%h", "--abbrev=7", "--", "src"]
        self.commit = subprocess.check_output(last, text=True)
        changed = subprocess.check_output([*git, "status", "--porcelain", "src"])
        self.commit = self.commit.strip() + ("+" if changed else "")

    def call(self, name, *arguments, limit=None):
        """What the module's function returns here; None after `limit` processor seconds."""
        if self.child is None:
            paths = {"PYTHONPATH": str(self.package.parent), "OMP_NUM_THREADS": "1"}
            self.child = subprocess.Popen(
                [sys.executable, __file__, self.module, str(self.package)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | paths,
            )
        pickle.dump((name, arguments, limit), self.child.stdin)
        self.child.stdin.flush()
        try:
            return pickle.load(self.child.stdout)
        except EOFError:
            code, self.child = self.child.wait(), None
            if code != -signal.SIGXCPU:
                raise subprocess.CalledProcessError(code, name) from None
            return None


def serve(module, package):
    """Answer calls until the input ends; what the functions print goes to the error stream."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    module = importlib.import_module(module)
    found = Path(importlib.import_module("noneuclid").__file__).parent
    assert found == Path(package), f"the package is {found}, not {package}"
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    while True:
        try:
            name, arguments, limit = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        end = int(time.process_time()) + 1 + limit if limit else hard
        resource.setrlimit(resource.RLIMIT_CPU, (end, hard))
        pickle.dump(getattr(module, name)(*arguments), answers)
        answers.flush()


if __name__ == "__main__":
    serve(*sys.argv[1:])
