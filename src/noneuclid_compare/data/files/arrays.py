"""Files that other programs wrote: arrays, AnnData. Heavy libraries load when needed."""

import gzip
import io
import os
import re
import stat
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from noneuclid.errors import InputError, require, require_package
from noneuclid.interfaces.numbers import as_numbers
from noneuclid.interfaces.sparse_matrices import dense_of_group


@dataclass(frozen=True)
class Rows:
    """Samples as a file gives them, before any check of their values.

    Attributes
    ----------
    features : ndarray of float, shape (n, p)
    labels : ndarray of object, shape (n,), or None
    names, columns : list of str, or None
        Names of the samples and of the features, if the file has them.
    oddities : list of str
        What was decided in reading; sentences for the report.
    fixed_fold : ndarray of int, shape (n,), or None
        The file's own split, as in `records.Dataset`.
    groups : (str, ndarray of object, shape (n,)), or None
        Name of a column, such as the donor of a cell, and its values.
    column_kinds : list or None
        As in `records.Dataset`, if there are categories.
    """

    features: np.ndarray
    labels: np.ndarray | None = None
    names: list | None = None
    columns: list | None = None
    oddities: list = field(default_factory=list)
    fixed_fold: np.ndarray | None = None
    groups: tuple | None = None
    column_kinds: list | None = None


def is_address(path):
    """Whether a path is an address, also after `pathlib` has taken one of its slashes.

    Examples
    --------
    >>> is_address("https:/a.org/x.csv"), is_address("C:/x.csv"), is_address("a:b/x.csv")
    (True, False, False)
    """
    return re.match(r"[a-z][a-z0-9+.-]+:/", str(path), re.IGNORECASE) is not None


def mode_of(path):
    """Mode of what lies at a path, None if nothing does; another error is one line.

    Examples
    --------
    >>> mode_of("no such file")
    """
    shown = str(path) if len(str(path)) <= 200 else f"{str(path)[:200]}..."
    if is_address(path):
        shown = re.sub(r"^([^/]+:)/(?!/)", r"\1//", shown)
    require(
        not is_address(path),
        f"{shown} is an address, not the path of a file: download the file and give its path",
    )
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{shown} is not the path of a file ({reason}): correct it") from error


def require_file(path, cure="make it again"):
    """Refuse what is not a file with content: one line with the remedy."""
    mode = mode_of(path)
    home = str(path).startswith("~")
    why = f"~ is no folder here, write {os.path.expanduser(path)}" if home else "correct the path"
    require(mode is not None, f"{path} does not exist: {why}")
    require(not stat.S_ISDIR(mode), f"{path} is a folder: give the path of a file in it")
    kind = _KINDS.get(stat.S_IFMT(mode), "device")
    require(
        stat.S_ISREG(mode),
        f"{path} is a {kind}: save what it gives in a file, and give the path of that",
    )
    require(os.stat(path).st_size > 0, f"{path} is empty: {cure}")


# What is neither a file nor a folder.
_KINDS = {stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}


@contextmanager
def reading(path, kind, cure="make it again"):
    """Refuse a folder, a missing or an empty file; turn what a library raises into one line.

    Examples
    --------
    >>> try:
    ...     with reading("x.npy", "an array"):
    ...         np.load("x.npy")
    ... except InputError as error:
    ...     print(error)
    x.npy does not exist: correct the path
    """
    require_file(path, cure)
    try:
        yield
    except InputError:
        raise
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}: line {line} holds the byte {error.object[error.start]:#x}, which is not "
            "UTF-8 (the file may be in latin-1); save it as UTF-8"
        ) from error
    # The libraries have no common error: a broken file raises whatever broke first.
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            f"{path} cannot be read as {kind} ({reason[:200]}): it may be cut short or of another "
            f"kind; {cure}"
        ) from error


def suffix_of(path):
    """Suffix of the format, in lower case, without that of a compression.

    Examples
    --------
    >>> suffix_of("cells.CSV.gz")
    '.csv'
    """
    path = Path(path)
    return Path(path.stem if path.suffix == ".gz" else path).suffix.lower()


def listing(names, limit=20):
    """Names for an error message, `limit` at most; in quotes if a character cannot be seen.

    Examples
    --------
    >>> listing("abc", limit=2)
    'a, b and 1 more'
    """
    names = [str(name) for name in names]
    plain = [name == name.strip() and name.isprintable() for name in names]
    names = [name if ok else repr(name) for name, ok in zip(names, plain, strict=True)]
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return (", ".join(names[:limit]) or "none") + more


def require_names(path, what, found, wanted):
    """Raise an `InputError` that lists what there is, unless every wanted name is among it."""
    absent = [repr(name) for name in wanted if name not in found]
    require(not absent, f"{path} has no {what} {listing(absent, 5)}; it has: {listing(found)}")


def read_array(path, name=None, others=()):
    """Array of a ``.npy`` file, or the one called `name` in a ``.npz`` file, which has the others.

    Python objects are refused: they may hide code.
    """
    with reading(path, f"{suffix_of(path)[1:]} arrays"):
        found = np.load(path, allow_pickle=False)
        if isinstance(found, np.ndarray):
            return found
        with found:
            require_names(path, "array", found.files, dict.fromkeys([name, *others]))
            count = found.files.count(name)
            require(count == 1, f"{path} holds {count} arrays named {name!r}; rename all but one")
            try:
                return found[name]
            except ValueError as error:
                if "allow_pickle" not in str(error):
                    raise
                raise InputError(
                    f"{path}: array {name!r} holds Python objects; save it as numbers or as text "
                    "with np.asarray(values, dtype=str)"
                ) from error


def text_of(path):
    """Text of a file in UTF-8, compressed or not; call it inside `reading`."""
    content = Path(path).read_bytes()
    content = gzip.decompress(content) if Path(path).suffix == ".gz" else content
    return content.decode("utf-8-sig")


@contextmanager
def part_of_h5ad(path, features="X", label=None):
    """Yield the table obs, names of genes, HDF5 element and its name: a part of an AnnData file.

    Parts are ``X``, ``raw``, ``layers/NAME`` and ``obsm/NAME``, which has no genes.
    """
    read_elem = require_package("anndata.io", "data", "an .h5ad file").read_elem

    group, _, name = features.partition("/")
    require(
        features in ("X", "raw") or (group in ("layers", "obsm") and name),
        f"features is {features!r}; give X, raw, layers/NAME or obsm/NAME",
    )
    with reading(path, "h5ad"), open_h5ad(path) as file:
        obs = read_elem(file["obs"])
        if name:
            require_names(path, group, list(file.get(group, ())), [name])
        there = f"give as features one of: {listing(matrix_names(file))}"
        require(key_of(features) in file, f"{path} has no {features}; {there}")
        columns = None
        if group != "obsm":
            var = read_elem(file["raw/var" if features == "raw" else "var"])
            columns = [str(gene) for gene in var.index]
        if label is not None:
            require_names(path, "obs column", list(obs.columns), [label])
        yield obs, columns, file[key_of(features)], f"{path}: {features}"


def obs_of(path):
    """The table obs of an ``.h5ad`` file."""
    read_elem = require_package("anndata.io", "data", "an .h5ad file").read_elem

    with reading(path, "h5ad"), open_h5ad(path) as file:
        return read_elem(file["obs"])


def open_h5ad(path):
    """The HDF5 file of an ``.h5ad``; one that is compressed by gzip is held in memory."""
    h5py = require_package("h5py", "data", "an .h5ad file")
    if Path(path).suffix == ".gz":
        return h5py.File(io.BytesIO(gzip.decompress(Path(path).read_bytes())), "r")
    return h5py.File(path)


def key_of(features):
    """Where a matrix lies in an ``.h5ad`` file.

    Examples
    --------
    >>> key_of("raw"), key_of("layers/counts")
    ('raw/X', 'layers/counts')
    """
    return "raw/X" if features == "raw" else features


def matrix_names(file):
    """Names of the matrices of an open ``.h5ad`` file, as `features` takes them."""
    names = [name for name in ("X", "raw") if key_of(name) in file]
    return names + [f"{part}/{name}" for part in ("layers", "obsm") for name in file.get(part, ())]


def shape_of(element):
    """Shape of a matrix in an AnnData file, dense or sparse."""
    shape = element.attrs.get("shape", getattr(element, "shape", (0, 0)))
    return tuple(int(size) for size in shape)


def require_shape(shape, obs, columns, where):
    """Refuse a matrix that does not have a row for each cell and a column for each gene."""
    require(
        columns is None or shape == (len(obs), len(columns)),
        f"{where} has shape {shape}, but there are {len(obs)} cells and {len(columns or [])} "
        "features; save it again",
    )
    require(shape[0] == len(obs), f"{where} has {shape[0]} rows for {len(obs)} cells")


def fold_of(obs, column, path):
    """Fixed split by a column of obs that is true for test cells; None without a column."""
    if column is None:
        return None
    require_names(path, "obs column", list(obs.columns), [column])
    values = np.asarray(obs[column])
    require(
        values.dtype.kind in "biu" and np.isin(values, (0, 1)).all() and values.any(),
        f"{path}: obs column {column!r} must be true for test cells and false for the others, and "
        "true for some",
    )
    return values.astype(np.int64)


def groups_of(obs, column, path):
    """Name and values of a column of obs; None without a column."""
    if column is None:
        return None
    require_names(path, "obs column", list(obs.columns), [column])
    return column, obs[column].to_numpy(dtype=object)


def rows_of_h5ad(path, label=None, features="X", max_gb=4.0, test=None, groups=None):
    """Samples of an AnnData file; only what is asked for is read."""
    read_elem = require_package("anndata.io", "data", "an .h5ad file").read_elem

    with part_of_h5ad(path, features, label) as (obs, columns, element, where):
        size = 8e-9 * float(np.prod(shape_of(element), dtype=float))
        require(
            size <= max_gb,
            f"{where} of shape {shape_of(element)} takes {size:.1f} GB, more "
            f"than max_gb = {max_gb}; choose fewer features (obsm/X_pca) or raise max_gb",
        )
        # Other groups are tables in obsm.
        if not hasattr(element, "dtype") and "indptr" in element:
            values = dense_of_group(element, where)
        else:
            values = read_elem(element)
    values = as_numbers(values, where)
    require_shape(values.shape, obs, columns, where)
    return Rows(
        values,
        None if label is None else obs[label].to_numpy(dtype=object),
        [str(sample) for sample in obs.index],
        columns,
        fixed_fold=fold_of(obs, test, path),
        groups=groups_of(obs, groups, path),
    )
