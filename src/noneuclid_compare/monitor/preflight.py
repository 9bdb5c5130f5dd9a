"""Checks of folders before a run, and advice after a failed one."""

import os
import shutil
from pathlib import Path

from noneuclid.errors import InputError

# A job whose log does not fit cannot say so itself.
ROOM = 2**20


def check_writable(paths):
    """Refuse files to be written that lie in a folder that is read-only."""
    folders = {nearest(path) for path in paths}
    for folder in sorted(folders):
        if not os.access(folder, os.W_OK | os.X_OK):
            raise InputError(
                f"the folder {folder.resolve()} is read-only: make it writable, or run in another "
                "folder (--directory FOLDER)"
            )


def nearest(path):
    """The folder of a file, or the nearest one above it that exists.

    Examples
    --------
    >>> nearest("/no/such/file").as_posix()
    '/'
    """
    return next(parent for parent in Path(path).parents if parent.is_dir())


def advice(logs, results):
    """One line for the end of a run that failed: what to do now."""
    disk = nearest(Path(results) / "any")
    if shutil.disk_usage(disk).free < ROOM:
        cure = f"make room on the disk of {disk.resolve()}, which is full"
    elif any("clock skew" in Path(log).read_text(errors="replace") for log in logs):
        cure = "`touch` the input named above, which is dated in the future"
    else:
        cure = "correct the first error above"
    return f"what is finished is kept: {cure}, and run the same command again (docs/trouble.md)"
