"""Memory that acquire is asked for, from the heads of files, and what it was measured against."""

import csv
import gzip
from pathlib import Path

import h5py
import numpy as np
import pandas
import pytest
from cases import each_of
from own_files import written

from noneuclid_compare.jobs import file_sizes, job_resources
from noneuclid_compare.jobs.file_sizes import DEFAULT_MB, MARGIN, PROCESS_MB, acquire_mb

MEASURED = Path(__file__).resolve().parents[2] / "benchmarks/acquire_memory.tsv"


def numbers(mb, constant):
    """Numbers in the heads of files for which this much is asked."""
    return (mb - PROCESS_MB) * 1e6 / MARGIN / constant


def test_every_measured_peak_is_below_what_is_asked_for():
    rows = list(csv.DictReader(MEASURED.open(), delimiter="\t"))
    assert {row["file"].partition(".")[2] for row in rows} >= {
        "csv",
        "csv.gz",
        "npz",
        "h5ad",
        "gml",
    }
    for row in rows:
        assert float(row["peak_mb"]) + job_resources.AROUND_MB < float(row["need_mb"]), row["file"]


@pytest.mark.parametrize("features", ["X", "layers/raw"])
def test_a_legal_h5ad_of_4_gb_asks_for_what_it_needs(tmp_path, features):
    path = tmp_path / "c.h5ad"
    with h5py.File(path, "w") as file:
        # No chunk is written: the file is small, whatever its shape.
        file.create_dataset(features, shape=(249_000, 2000), chunks=(1000, 100), dtype="f4")
    settings = {"label": "x", "features": features}
    assert acquire_mb([path], settings) > 9000
    assert job_resources.acquire([path], settings).memory > 9000
    # The loader refuses it at once.
    assert acquire_mb([path], settings | {"max_gb": 3.0}) == DEFAULT_MB


def test_a_sparse_h5ad_counts_its_dense_shape(tmp_path):
    path = tmp_path / "c.h5ad"
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs["shape"] = (200_000, 2000)
        group.create_dataset("data", shape=(10**7,), chunks=(1000,), dtype="f4")
    found = numbers(acquire_mb([path], {}), file_sizes.A_NUMBER)
    assert found == pytest.approx(4.1e8, rel=1e-3)


@pytest.mark.parametrize("kind", [np.uint8, np.float64])
def test_arrays_count_their_numbers_not_their_bytes(tmp_path, kind):
    shape = (60_000, 2000)
    values = np.lib.stride_tricks.as_strided(np.zeros(1, dtype=kind), shape, (0, 0))
    with open(tmp_path / "x.npy", "wb") as stream:
        form = {"descr": np.lib.format.dtype_to_descr(values.dtype), "fortran_order": False}
        np.lib.format.write_array_header_1_0(stream, form | {"shape": shape})
        stream.truncate(stream.tell() + values.size * values.itemsize)
    found = numbers(acquire_mb([tmp_path / "x.npy"], {}), file_sizes.A_NUMBER)
    assert found == pytest.approx(1.2e8, rel=1e-3)
    np.savez(tmp_path / "y.npz", X=np.zeros((1000, 3)), y=np.zeros(1000))
    assert file_sizes._numbers_of_npz(tmp_path / "y.npz") == 4000


@pytest.mark.parametrize("suffix", ["csv", "tsv", "txt", "csv.gz"])
def test_cells_of_a_text_table_are_counted_in_its_head(tmp_path, suffix):
    mark = "\t" if "tsv" in suffix else ","
    text = (mark.join("abcde") + "\n" + (mark.join(["0.125"] * 5) + "\n") * 60_000).encode()
    path = tmp_path / f"t.{suffix}"
    path.write_bytes(gzip.compress(text) if suffix.endswith("gz") else text)
    assert file_sizes._cells_of_text(path) == pytest.approx(300_005, rel=0.01)


def test_parquet_counts_rows_and_columns(tmp_path):
    frame = pandas.DataFrame(np.zeros((10_000, 40)))
    frame.columns = frame.columns.astype(str)
    frame.to_parquet(tmp_path / "t.parquet")
    found = file_sizes._bytes(tmp_path / "t.parquet", {})
    assert found >= 400_000 * file_sizes.A_CELL


def test_more_of_everything_asks_for_more(tmp_path):
    for name in ("g.gml", "t.csv"):
        small = written(tmp_path / name, "1,2\n" * 1000)
        big = written(tmp_path / f"big_{name}", "1,2\n" * 4_000_000)
        assert acquire_mb([small], {}) == DEFAULT_MB
        one, two = acquire_mb([big], {}), acquire_mb([big, big], {})
        assert DEFAULT_MB <= one < two


@each_of("name", ["none.csv", "none.h5ad", "d.mat", "d.h5ad", "d.npz", "d.parquet"])
def test_an_absent_broken_or_unknown_file_asks_for_the_default(tmp_path, name):
    if name.startswith("d"):
        written(tmp_path / name, "PK broken")
    assert acquire_mb([tmp_path / name], {}) == DEFAULT_MB
    assert acquire_mb([], {}) == DEFAULT_MB
    assert acquire_mb([tmp_path], {}) == DEFAULT_MB
