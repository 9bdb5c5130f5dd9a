"""Tables of parts by samples: BIOM (JSON 1.0, HDF5 2.1), and the text that QIIME writes.

Both have one row for each part, such as a species, and one column for each sample. They are read
into sparse matrices of samples by parts.
"""

import csv
import gzip
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array, csr_array

from noneuclid.errors import InputError, require, require_package
from noneuclid_compare.data.files.arrays import Rows, listing, reading, require_names, suffix_of
from noneuclid_compare.data.files.tables import NO_LABEL, TEXT, as_labels, columns_of, read_table

BIOM = ".biom"
_AXES = ("sample", "observation")
_HDF5 = b"\x89HDF"
_HEAD = ("#OTU ID", "#OTUID", "#Feature ID")


@dataclass(frozen=True)
class FeatureTable:
    """Values, names of the samples and parts, and what the file says of the samples.

    Attributes
    ----------
    values : csr_array of float, shape (n, p)
    samples, parts : list of str
    metadata : dict of str to list
        One value for each sample.
    """

    values: csr_array
    samples: list
    parts: list
    metadata: dict = field(default_factory=dict)


def is_feature_table(path):
    """Whether a file is BIOM, or text with the header of a table of QIIME."""
    if suffix_of(path) == BIOM:
        return True
    if suffix_of(path) not in TEXT:
        return False
    with reading(path, "a table"), _opened(path) as stream:
        return _header(stream)[0].strip() in _HEAD


def read(path):
    """The table of a file, after checks of its names."""
    with reading(path, "a table of parts by samples"):
        if suffix_of(path) != BIOM:
            found = _of_text(path)
        else:
            with _opened(path, "rb") as stream:
                head = stream.read(len(_HDF5))
            found = _of_hdf5(path) if head == _HDF5 else _of_json(path)
    n, p = found.values.shape
    require(
        (n, p) == (len(found.samples), len(found.parts)) and n * p > 0,
        f"{path}: {n} x {p} values for {len(found.samples)} samples and {len(found.parts)} parts",
    )
    _require_unique(path, found.samples, "samples")
    _require_unique(path, found.parts, "parts")
    return found


def rows_of(path, label=None, labels=None, id=None, missing=NO_LABEL, groups=None):
    """Samples of a table, with label and groups from its own metadata or the table `labels`.

    `id` is the column of `labels` that names the samples, by default the first. A sample without a
    row there has the label "". Features are sparse.
    """
    table, values, oddities = read(path), None, []
    if label is not None:
        values, oddities = values_of(table, path, label, labels, id, missing)
    if groups is not None:
        groups = groups, values_of(table, path, groups, labels, id, missing)[0]
    return Rows(table.values, values, table.samples, table.parts, oddities, groups=groups)


def values_of(table, path, label, labels=None, id=None, missing=NO_LABEL):
    """Metadata `label` of the samples (n,) of the table of a file, and sentences; see `rows_of`."""
    oddities = []
    if labels is None:
        require(
            label in table.metadata,
            f"{path} has no metadata {label!r} of samples; it has: {listing(table.metadata)}; give "
            "a table of labels as well (in a configuration files: {data: ..., labels: ...})",
        )
        values = np.array(["" if x is None else x for x in table.metadata[label]], dtype=object)
    else:
        known = _labels(labels, label, id, missing)
        values = np.array([*(known.get(name, "") for name in table.samples), None], object)[:-1]
        absent = [name for name in table.samples if name not in known]
        require(
            len(absent) < len(table.samples),
            f"{labels} names no sample of {path}: {next(iter(known), '')!r} and {absent[:1]} are "
            "the first; set id to the column of sample names",
        )
        more = len(known) + len(absent) - len(table.samples)
        if absent:
            oddities.append(
                f"{len(absent)} samples have no row in {Path(labels).name}: {listing(absent, 3)}."
            )
        if more:
            oddities.append(f"{more} rows of {Path(labels).name} are of no sample of the table.")
    return values, oddities


def with_parts(rows, parts, path):
    """Rows with these parts, found by name; a part that the file does not list is zero.

    Tables leave out parts that are zero in all samples.
    """
    place = {name: k for k, name in enumerate(rows.columns)}
    known = [k for k, name in enumerate(parts) if name in place]
    require(known, f"{path} has none of the {len(parts)} parts of training, such as {parts[0]!r}")
    features = np.zeros((rows.features.shape[0], len(parts)))
    features[:, known] = rows.features[:, [place[parts[k]] for k in known]].toarray()
    said = []
    if len(known) < len(parts):
        said = [f"{len(parts) - len(known)} of {len(parts)} parts are not in the file: zero."]
    if len(known) < len(place):
        said.append(f"{len(place) - len(known)} parts were not in training: left out.")
    return Rows(features, None, rows.names, list(parts), [*rows.oddities, *said])


def _labels(path, label, id, missing):
    """Label of each sample of a table of metadata."""
    columns = columns_of(path)
    require_names(path, "column", columns, [label, *([] if id is None else [id])])
    id = id or columns[0]
    table, names = read_table(path, [label, id] if id else [label])
    names = table[id].tolist() if id else names
    # The second line of metadata of QIIME 2 has types.
    rows = [k for k, name in enumerate(names) if not str(name).startswith("#q2:")]
    names = [str(names[k]).strip() for k in rows]
    _require_unique(path, names, "rows")
    return dict(zip(names, as_labels(table[label].iloc[rows], path, missing), strict=True))


def _require_unique(path, names, what):
    name, count = max(Counter(names).items(), key=lambda item: item[1], default=("", 0))
    require(count < 2, f"{path}: {count} {what} are named {name!r}; give each its own name")


def _opened(path, mode="rt"):
    opened = gzip.open if Path(path).suffix == ".gz" else open
    return opened(path, mode, **({"encoding": "utf-8-sig"} if "t" in mode else {}))


def _header(stream):
    """Names of the columns, after lines of comments."""
    line = stream.readline()
    while line.startswith("#") and "\t" not in line:
        line = stream.readline()
    return line.rstrip("\r\n").split("\t")


def _of_text(path):
    """Table of text, with a column of taxonomy or without."""
    pandas = require_package("pandas", "data", "a table")

    with _opened(path) as stream:
        header = _header(stream)
        samples = [name.strip() for name in header[1:]]
        if samples and samples[-1].lower() in ("taxonomy", "consensus lineage"):
            samples.pop()
        # QIIME does not quote, and a converter keeps the part "NA".
        rows = {"header": None, "quoting": csv.QUOTE_NONE, "converters": {0: str}}
        table = pandas.read_csv(stream, sep="\t", low_memory=False, **rows)
    require(
        table.shape[1] == len(header),
        f"{path}: rows have {table.shape[1]} values, the header has {len(header)}",
    )
    table = table.set_index(0).iloc[:, : len(samples)]
    for name, kind, column in zip(samples, table.dtypes, table, strict=True):
        if kind.kind not in "iuf":
            numbers = pandas.to_numeric(table[column], errors="coerce")
            bad = int(numbers.isna().argmax())
            raise InputError(
                f"{path}: sample {name!r}, part {table.index[bad]!r} is "
                f"{table[column].iloc[bad]!r}, not a number; correct it"
            )
    values = csr_array(table.to_numpy(np.float64).T)
    return FeatureTable(values, samples, [str(name).strip() for name in table.index])


def _of_json(path):
    with _opened(path) as stream:
        content = json.load(stream)
    parts, samples = ([str(one["id"]) for one in content[key]] for key in ("rows", "columns"))
    shape = tuple(content["shape"])
    if content["matrix_type"] == "dense":
        values = csr_array(np.array(content["data"], dtype=float).reshape(shape).T)
    else:
        entries = np.array(content["data"], dtype=float).reshape(-1, 3)
        places = entries[:, 1].astype(int), entries[:, 0].astype(int)
        values = coo_array((entries[:, 2], places), shape=shape[::-1])
        values = _once(path, values, samples, parts)
    told = [one.get("metadata") or {} for one in content["columns"]]
    names = {name: None for one in told for name in one}
    return FeatureTable(
        values, samples, parts, {name: [one.get(name) for one in told] for name in names}
    )


def _of_hdf5(path):
    h5py = require_package("h5py", "data", "a .biom file")

    require(Path(path).suffix != ".gz", f"{path} is HDF5 in gzip: decompress it")
    with h5py.File(path) as file:
        samples, parts = (file[f"{axis}/ids"].asstr()[:].tolist() for axis in _AXES)
        matrix = file["sample/matrix"]
        arrays = [matrix[name][:] for name in ("data", "indices", "indptr")]
        told = file.get("sample/metadata", {})
        metadata = {
            name: (one.asstr()[:] if h5py.check_string_dtype(one.dtype) else one[:]).tolist()
            for name, one in told.items()
            if one.shape == (len(samples),)
        }
    values = csr_array(tuple(arrays), shape=(len(samples), len(parts)), dtype=float)
    values.check_format()
    values = _once(path, values.tocoo(), samples, parts)
    return FeatureTable(values, samples, parts, metadata)


def _once(path, entries, samples, parts):
    """Entries of a `coo_array` as rows, unless two are of one place: the format names no rule."""
    values = csr_array(entries)
    if values.nnz < entries.nnz:
        places, counts = np.unique(np.stack(entries.coords), axis=1, return_counts=True)
        sample, part = places[:, counts.argmax()]
        raise InputError(
            f"{path}: {counts.max()} entries of part {parts[part]!r} in sample {samples[sample]!r},"
            f" and {(counts > 1).sum() - 1} more such places; write one entry for each"
        )
    return values
