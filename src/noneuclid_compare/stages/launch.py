"""Start a stage; an expected failure prints one line, a bug a traceback."""

import os
import platform
import sys
import time
from contextlib import contextmanager
from threading import Thread

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.wording import printable


def launch(main):
    """Run `main`; an `InputError` ends in one line on standard error and exit status 2."""
    host, _, run = os.environ.get("NONEUCLID_RUN", "").rpartition(" ")
    if host == platform.node() and run:
        # The run may already have been killed.
        Thread(target=end_with, args=(int(run),), daemon=True).start()
    try:
        # Also what a library writes, such as machine code.
        with io.writing(None, io.LIMITS):
            main(sys.argv[1:])
    except InputError as error:
        print(f"error: {printable(' '.join(str(error).split()))}", file=sys.stderr)
        sys.exit(2)


@contextmanager
def reader_may_leave():
    """Print to standard output, which its reader may close early."""
    try:
        with io.writing("standard output"):
            yield
            sys.stdout.flush()
    except (BrokenPipeError, InputError) as error:
        # Python flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, InputError):
            raise


def is_alive(process):
    """Whether a process has this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def end_with(run, pause=0.5):
    """End this process when `run` has ended; the next run may write the same files."""
    while is_alive(run):
        time.sleep(pause)
    os._exit(1)
