"""Files that are copied from a mirror or downloaded, always verified."""

import csv
import hashlib
import shutil
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from noneuclid.errors import InputError
from noneuclid_compare import io, provenance
from noneuclid_compare.data.files import images

CHUNK = 1 << 20
# Where fetched files are put.
DATA = "resources/data"
# A checksum that is not known.
MISSING = "missing"
# What the workflow makes itself.
MADE = ("results/", f"{DATA}/")


@dataclass(frozen=True)
class Source:
    """A file that can be obtained: one row of ``resources/sources.tsv``.

    `sha256` is `MISSING` and `bytes` 0 where they are not verified yet.
    """

    path: str
    url: str
    sha256: str
    bytes: int
    licence: str
    citation: str


def read_sources(*tables):
    """Read tables ``sources.tsv``: a dictionary from path under the mirror to `Source`."""
    found = {}
    for table in tables:
        with open(table, newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t"))
        for row in rows:
            parts = PurePosixPath(row["path"]).parts
            if not parts or ".." in parts or parts[0] == "/":
                raise InputError(
                    f"{table}: {row['path']!r} is not a path inside a folder; correct it"
                )
            found[row["path"]] = Source(**(row | {"bytes": int(row["bytes"])}))
    return found


def local_paths(files, sources):
    """Role to path, under `DATA` for a file that is fetched; any other is the user's own."""
    return {role: f"{DATA}/{path}" if path in sources else path for role, path in files.items()}


def listed(datasets, sources):
    """Paths, as listed in the table of sources, of all files that the data sets need."""
    paths = [path for dataset in datasets.values() for path in dataset.get("files", {}).values()]
    return [path for path in paths if path in sources]


def non_commercial(datasets, sources):
    """Sorted names of the data sets with a file that is not licensed for commercial use."""
    found = {
        name
        for name in datasets
        for path in listed({name: datasets[name]}, sources)
        if "non-commercial" in sources[path].licence
    }
    return sorted(found)


def checksums(files, sources):
    """Role to sha256: as listed, or of the user's own file as it is now.

    Files that the workflow makes are left out.
    """
    return {
        role: _checksum(path, sources.get(path))
        for role, path in files.items()
        if not path.startswith(MADE)
    }


def _checksum(path, source):
    """Checksum of one file; of one that was fetched unverified, as it is now."""
    if source is None:
        return checksum_of_own(Path(path))
    return source.sha256 if source.sha256 != MISSING else checksum_of_own(Path(DATA) / path)


def checksum_of_own(path):
    """Checksum of a file, or of names and contents of the images of a folder; else empty."""
    if path.is_file():
        return provenance.checksum(path)
    if not images.is_folder(path):
        return ""
    total = hashlib.sha256()
    for file in images.files_of(path):
        total.update(f"{file.relative_to(path).as_posix()}\0{provenance.checksum(file)}\0".encode())
    return total.hexdigest()


def check_mirror(mirror):
    """Refuse a mirror that is not a folder, before anything runs."""
    if mirror and not Path(mirror).is_dir():
        raise InputError(
            f"mirror: there is no folder {Path(mirror).resolve()}; a relative path counts from the "
            "folder of the run (--directory)"
        )


def obtain(source, mirror, target, attempts=4, pause=2.0, option="--config mirror=FOLDER"):
    """Put a verified copy of `source` at `target`; `option` of the caller names a mirror."""
    with io.replacing(target) as temporary:
        if mirror is not None:
            place = Path(mirror) / source.path
            if not place.is_file():
                raise InputError(f"the mirror has no {place}: copy it there or run without mirror")
            shutil.copyfile(place, temporary)
        else:
            place = source.url
            _download(source, temporary, attempts, pause, option)
        verify(temporary, source, place)


def verify(path, source, place):
    """Raise an `InputError` unless the file at `path` has the size and checksum of `source`.

    Without a checksum the one of the file is reported, to be compared and written down.
    """
    size = path.stat().st_size
    if source.sha256 == MISSING:
        print(
            f"warning: {place} is not verified: resources/sources.tsv has no checksum of "
            f"{source.path}. It has {size} bytes and sha256 {provenance.checksum(path)}: compare "
            "them with the publisher's, and write them into the table",
            file=sys.stderr,
        )
        return
    if size < source.bytes:
        raise InputError(
            f"{place} is truncated: {size} of {source.bytes} bytes; copy or download it again"
        )
    found = provenance.checksum(path)
    if found != source.sha256:
        raise InputError(
            f"{place} has sha256 {found[:12]}..., expected {source.sha256[:12]}...: the file was "
            "altered; restore it, or correct resources/sources.tsv if the change is meant"
        )


def _download(source, target, attempts, pause, option):
    """Download with retries; a broken transfer resumes at the byte where it stopped."""
    url = quote(source.url, safe=":/%")
    if not url.startswith(("https://", "http://")):
        raise InputError(
            f"{source.path} is not on the network ({source.url}): give a folder that holds it with "
            f"{option}"
        )
    for attempt in range(attempts):
        done = target.stat().st_size
        request = urllib.request.Request(url, headers={"Range": f"bytes={done}-"} if done else {})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                mode = "ab" if done and answer.status == 206 else "wb"
                with open(target, mode) as stream:
                    shutil.copyfileobj(answer, stream, CHUNK)
            wanted = source.bytes or done + int(answer.headers.get("Content-Length") or 0)
            if target.stat().st_size >= wanted:
                return
            error = "the connection closed early"
        except (urllib.error.URLError, OSError) as caught:
            error = caught
        if attempt + 1 < attempts:
            time.sleep(pause * 2**attempt)
    raise InputError(
        f"{source.url} could not be downloaded in {attempts} attempts ({error}): try again, or "
        f"give a folder that holds {source.path} with {option}"
    )
