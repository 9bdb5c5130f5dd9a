"""What the files of a data set will need in memory, from their heads, before they are read.

Heavy libraries load only for the formats that need them.
"""

import gzip
import zipfile
from math import ceil
from pathlib import Path

import numpy as np

from noneuclid.errors import require_package
from noneuclid.interfaces.expression import COUNTS, appearance
from noneuclid_compare.data.files import cell_matrices, images
from noneuclid_compare.data.files.arrays import key_of, open_h5ad
from noneuclid_compare.data.files.edge_lists import GRAPHS
from noneuclid_compare.data.files.pickled_arrays import GENSIM, TORCH
from noneuclid_compare.data.files.word_vectors import BINARY
from noneuclid_compare.data.prepare import parts, preparation

# Where a file is absent or of another format, and the least that is asked for.
DEFAULT_MB = 1500
# Measured by benchmarks/acquire_memory.py: bytes at the peak for one number of a table and of an
# array, and for one byte of text of a graph.
A_CELL, A_NUMBER, A_BYTE = 60, 16, 100
# The process with its libraries, and Snakemake around it.
PROCESS_MB = 700
MARGIN = 1.5
_HEAD = 2**20
_TABLES = (".csv", ".tsv", ".txt", ".vec")


def acquire_mb(paths, params, use=""):
    """Memory that the stage acquire needs, in MB; at least `DEFAULT_MB`, also for a broken file.

    Examples
    --------
    >>> acquire_mb(["no such file.csv"], {}) == DEFAULT_MB
    True
    """
    total = 0.0
    for path in paths:
        # A broken file stops the job that reads it, not the plan.
        try:
            total += _bytes(Path(path), params, use)
        except Exception:
            return DEFAULT_MB
    return max(DEFAULT_MB, ceil(PROCESS_MB + MARGIN * total / 1e6))


def _bytes(path, params, use=""):
    """Bytes at the peak of reading one file."""
    if path.is_dir():
        return A_NUMBER / 8 * 1e9 * images.gigabytes_of_folder(path)
    suffix = Path(path.stem if path.suffix == ".gz" else path).suffix.lower()
    if suffix == ".h5ad":
        return A_NUMBER * _numbers_of_h5ad(path, params)
    if suffix == ".npz":
        return A_NUMBER * _numbers_of_npz(path)
    if suffix == ".npy":
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        return A_NUMBER * np.prod(array.shape, dtype=float)
    if suffix == ".parquet":
        parquet = require_package("pyarrow.parquet", "data", "a parquet table")

        found = parquet.read_metadata(path)
        text = sum(found.row_group(k).total_byte_size for k in range(found.num_row_groups))
        return A_CELL * found.num_rows * found.num_columns + text
    if use == "image_file":
        return A_NUMBER * _plain_bytes(path)
    if suffix in (*BINARY, *GENSIM, *TORCH):
        # Of four bytes each.
        return A_NUMBER / 4 * _plain_bytes(path)
    if suffix in GRAPHS or (use == "graph_file" and suffix in _TABLES):
        return A_BYTE * _plain_bytes(path)
    if suffix in _TABLES:
        return A_CELL * _cells_of_text(path)
    return 0.0


def _plain_bytes(path):
    """Size of a file without its compression."""
    size = path.stat().st_size
    if path.suffix != ".gz":
        return size
    with open(path, "rb") as stream:
        stream.seek(-4, 2)
        # The length modulo 2^32, as gzip writes it.
        length = int.from_bytes(stream.read(4), "little")
    while length < size:
        length += 2**32
    return length


def _cells_of_text(path):
    """Cells of a text table, as many to a byte as in its head; an edge list counts alike."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rb") as stream:
        head = stream.read(_HEAD)
    cells = max(head.count(mark) for mark in (b",", b";", b"\t", b" ")) + head.count(b"\n")
    return cells / max(len(head), 1) * _plain_bytes(path)


def _numbers_of_npz(path):
    """Numbers in all arrays of an npz."""
    return sum(np.prod(shape, dtype=float) for shape in shapes_of_npz(path).values())


def shapes_of_npz(path):
    """Shapes of the arrays of an npz by name, from their heads."""
    shapes = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            with archive.open(name) as member:
                version = min(np.lib.format.read_magic(member)[0], 2)
                read = getattr(np.lib.format, f"read_array_header_{version}_0")
                shapes[name.removesuffix(".npy")] = read(member)[0]
    return shapes


def _numbers_of_h5ad(path, params):
    """Numbers of the dense matrix, and those of the sparse one that it is made from.

    Of counts: of the components, of the parts that pass by, and of the covariance matrix.
    """
    features = params.get("features") or cell_matrices.choose(cell_matrices.matrices(path))
    with open_h5ad(path) as file:
        element = file[key_of(features)]
        shape = element.attrs.get("shape", getattr(element, "shape", (0, 0)))
        dense = np.prod(shape, dtype=float)
        sparse = "data" in getattr(element, "keys", tuple)()
        large = 8e-9 * dense > params.get("max_gb", 4.0)
        if large or params.get("counts", sparse and appearance(element) == COUNTS):
            width = params.get("n_comps") or preparation.COMPONENTS
            genes = params.get("n_top_genes") or shape[1]
            kind = str(element.attrs.get("encoding-type", ""))
            by_column = len(element["data"]) if sparse and "csc" in kind else 0
            return shape[0] * width + 4 * parts.VALUES + min(genes, 5000) ** 2 + 2 * by_column
        return dense + (len(element["data"]) if sparse else 0)
