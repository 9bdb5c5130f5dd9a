"""Check that a source distribution holds the tracked files: python tests/sdist_files.py FILE."""

import subprocess
import sys
import tarfile

# What serves the repository alone.
LEFT_OUT = (".ci/", ".github/", ".dockerignore", ".gitignore")


def missing(archive, tracked):
    """Tracked files that the archive lacks.

    Examples
    --------
    >>> missing(["p-1/a.py"], ["a.py", "b.py", ".gitignore"])
    ['b.py']
    """
    held = {name.partition("/")[2] for name in archive}
    return [name for name in tracked if name not in held and not name.startswith(LEFT_OUT)]


def main(path):
    """Print what is missing; exit status 1 if anything is."""
    with tarfile.open(path) as archive:
        names = archive.getnames()
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
    found = missing(names, listed.stdout.splitlines())
    print(f"{path}: {len(names)} entries; missing: {', '.join(found) or 'none'}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
