"""The only code that knows file formats.

Arrays travel as ``.npz`` with one JSON string, models as ``.skops``, tables as Parquet and TSV.
Every file is written under a temporary name and renamed, so a file that exists is whole.
"""

import errno
import json
import os
import re
import tempfile
import traceback
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import fields
from glob import escape
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path

import numpy as np

from noneuclid.errors import InputError, require_package
from noneuclid_compare import plugins

# Packages whose classes a model may hold, besides the types that skops knows.
TRUSTED = ("noneuclid", "noneuclid_compare", "sklearn")
# Number and length of the parts of an array that decide whether it is compressed.
BLOCKS, BLOCK = 16, 512
# Why a file cannot be written, and the remedy.
CURES = {
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room in your quota",
    errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
    errno.EROFS: "make the disk writable or choose another folder (--directory)",
    errno.EACCES: "make the folder writable or choose another (--directory)",
    errno.EISDIR: "give the name of a file",
    errno.ENAMETOOLONG: "give a shorter path",
    errno.ENOTDIR: "give a path through folders",
}
# Limits that any file can reach.
LIMITS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def replacing(path):
    """Yield a temporary path beside `path`; rename it to `path` if nothing was raised."""
    path = Path(path)
    prefix = f".{path.stem}.unfinished-"
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # Left by a job that was killed; `tempfile` puts eight characters into a name.
        for left in path.parent.glob(f"{escape(prefix)}????????{escape(path.suffix)}"):
            left.unlink(missing_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=path.suffix)
        os.close(handle)
        try:
            yield Path(temporary)
            _sync(temporary)
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        finally:
            Path(temporary).unlink(missing_ok=True)


@contextmanager
def writing(path, known=tuple(CURES)):
    """Report in one line why `path`, or if it is None what the error names, cannot be written."""
    try:
        yield
    except OSError as error:
        if error.errno not in known:
            raise
        why, cure = os.strerror(error.errno), CURES[error.errno]
        if path is None:
            source = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
            path = error.filename or f"what {source.parent.name}/{source.name} writes"
        raise InputError(f"{path} cannot be written ({why}): {cure} and run again") from error


def _sync(path):
    """Wait until a file is on the disk: a network disk reports only then that it is full."""
    # Windows waits only for what is open for writing.
    with open(path, "r+b") as stream:
        os.fsync(stream.fileno())


def _umask():
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_record(path, record):
    """Write one of the dataclasses of `noneuclid_compare.records` as ``.npz``."""
    arrays, values = {}, {}
    for item in fields(record):
        value = getattr(record, item.name)
        if isinstance(value, np.ndarray):
            arrays[item.name] = value
        elif isinstance(value, dict):
            # Arrays of a dictionary have the names of both.
            inner = {key: part for key, part in value.items() if isinstance(part, np.ndarray)}
            arrays |= {f"{item.name}.{key}": part for key, part in inner.items()}
            values[item.name] = {key: part for key, part in value.items() if key not in inner}
        elif value is not None:
            values[item.name] = value
    # A changed byte in a zip's table of contents can hide a member: the record says what it holds.
    text = np.array(json.dumps([sorted(arrays), values], sort_keys=True))
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in ({"values": text} | arrays).items():
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED if _shrinks(array) else zipfile.ZIP_STORED
            with archive.open(entry, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


def _shrinks(array):
    """Whether compression saves a tenth, by evenly spaced blocks; of random digits it does not."""
    starts = range(0, array.size, max(BLOCK, array.size // BLOCKS))
    # A slice of `flat` copies no more than itself, whatever the memory layout.
    sample = b"".join(array.flat[start : start + BLOCK].tobytes() for start in starts)
    return len(zlib.compress(sample)) < 0.9 * len(sample)


def read_record(path, kind):
    """Read the dataclass `kind` that `write_record` wrote."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            arrays = {name.removesuffix(".npy"): _array(archive, name) for name in names}
        names, values = json.loads(str(arrays.pop("values")))
        if sorted(arrays) != names:
            raise ValueError(f"it holds {sorted(arrays)} instead of {names}")
        for name in [name for name in arrays if "." in name]:
            of, _, key = name.partition(".")
            values[of][key] = arrays.pop(name)
        for key in {"class_names", "group_names"} & {*values}:
            values[key] = tuple(values[key])
        return kind(**arrays, **values)
    except Exception as error:
        raise _unreadable(path, error) from error


def _array(archive, name):
    """An array of an archive, read to its end, where the checksum is verified."""
    with archive.open(name) as member:
        array = np.lib.format.read_array(member, allow_pickle=False)
        if member.read(1):
            raise ValueError(f"{name} is longer than its header says")
    return array


def read_header(path):
    """Shapes of the arrays that `write_record` wrote, and its values; the arrays stay unread."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            shapes = {name: _shape(archive.zip, name) for name in archive.files}
            return shapes, json.loads(str(archive["values"]))[1]
    except Exception as error:
        raise _unreadable(path, error) from error


def _shape(archive, name):
    with archive.open(f"{name}.npy") as member:
        np.lib.format.read_magic(member)
        return np.lib.format.read_array_header_1_0(member)[0]


def write_json(path, value):
    """Write JSON with sorted keys."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n")


def read_json(path):
    """Read JSON; a missing or broken file is an `InputError`."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except Exception as error:
        raise _unreadable(path, error) from error


def write_text(path, text):
    """Write UTF-8 text."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_bytes(path, content):
    """Write bytes."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_table(path, table):
    """Write a data frame as Parquet or TSV, by the suffix of `path`."""
    with replacing(path) as temporary:
        if temporary.suffix == ".parquet":
            table.to_parquet(temporary, index=False, write_page_checksum=True)
        else:
            table.to_csv(temporary, sep="\t", index=False)


def read_table(path, **options):
    """Read a Parquet or TSV file that `write_table` wrote; `options` are for `pandas.read_csv`."""
    pd = require_package("pandas", "data", "a table")

    try:
        if Path(path).suffix == ".parquet":
            return pd.read_parquet(path, page_checksum_verification=True)
        text = Path(path).read_text(encoding="utf-8")
        if not text.endswith("\n"):
            raise ValueError("it is cut short")
        return pd.read_csv(StringIO(text), sep="\t", **options)
    except Exception as error:
        raise _unreadable(path, error) from error


def read_svg(path):
    """Read the bytes of an SVG picture; a missing one or one cut short is an `InputError`."""
    try:
        content = Path(path).read_bytes()
        if not content.rstrip().endswith(b"</svg>"):
            raise ValueError("it is cut short")
        return content
    except Exception as error:
        raise _unreadable(path, error) from error


def write_model(path, model):
    """Write a dictionary that holds a fitted estimator, in the skops format; equal models alike."""
    skops_io = require_package("skops.io", "data", "a kept model")

    write_bytes(path, _numbered(skops_io.dumps(model)))


def _numbered(content):
    """A skops archive without the time, its objects numbered in order instead of by address."""
    numbers, output = {}, BytesIO()

    def number(match):
        return match[1] + str(numbers.setdefault(match[2], len(numbers) + 1))

    with zipfile.ZipFile(BytesIO(content)) as old, zipfile.ZipFile(output, "w") as new:
        schema = old.read("schema.json").decode()
        schema = re.sub(r'("__id__": |"file": ")([0-9a-f-]+)', number, schema)
        files = {name: name.partition(".") for name in old.namelist() if name != "schema.json"}
        members = {f"{numbers[stem]}.{kind}": old.read(n) for n, (stem, _, kind) in files.items()}
        for name, member in sorted({"schema.json": schema, **members}.items()):
            # A ZipInfo without a date has the year 1980.
            new.writestr(zipfile.ZipInfo(name), member, zipfile.ZIP_DEFLATED)
    return output.getvalue()


def pack(estimator):
    """A fitted estimator as an array of bytes, for a record."""
    skops_io = require_package("skops.io", "data", "a kept preparation")

    return np.frombuffer(_numbered(skops_io.dumps(estimator)), dtype=np.uint8)


def unpack(content):
    """The estimator that `pack` wrote; a class of no trusted package is refused."""
    skops_io = require_package("skops.io", "data", "a kept preparation")

    content = np.asarray(content, dtype=np.uint8).tobytes()
    unknown = skops_io.get_untrusted_types(data=content)
    _require_trusted("the preparation", unknown, ())
    return skops_io.loads(content, trusted=unknown)


def _require_trusted(what, unknown, trusted):
    refused = [n for n in unknown if not n.startswith(tuple(trusted)) and not _is_class(n)]
    if refused:
        raise InputError(
            f"{what} holds the type {refused[0]}, which is not trusted: if you trust the "
            "model, name its module or file (--trust MODULE or FILE.py)"
        )


def read_model(path, trusted=()):
    """Read a model file; a class of no trusted package is refused and not run."""
    skops_io = require_package("skops.io", "data", "a kept model")

    try:
        unknown = skops_io.get_untrusted_types(file=path)
        _require_trusted(path, unknown, trusted)
        return skops_io.load(path, trusted=unknown)
    except InputError:
        raise
    except Exception as error:
        raise _unreadable(path, error) from error


def _is_class(name):
    """Whether a trusted package defines a class of this name: skops would call a function too."""
    if name == "numpy.dtype":  # of imputers and encoders
        return True
    module, _, attribute = name.rpartition(".")
    package = module.partition(".")[0]
    if package not in (*TRUSTED, *plugins.packages()) or module.endswith("__main__"):
        return False
    try:
        found = getattr(import_module(module), attribute, None)
    except ImportError:
        return False
    return isinstance(found, type) and found.__module__ == module


def _unreadable(path, error):
    """Report in one line what is wrong with a file and what to do."""
    if not Path(path).exists():
        return InputError(f"{path} does not exist: run the stage that makes it")
    reason = " ".join(str(error).split()) or type(error).__name__
    # zipfile quotes what it reads as a name, which may be most of a damaged file.
    reason = reason if len(reason) <= 300 else f"{reason[:300]}..."
    return InputError(f"{path} cannot be read ({reason}): delete it and run again")
