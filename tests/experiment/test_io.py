import os
import re
import resource
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from sklearn.linear_model import LogisticRegression

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.records import Dataset, Split


@pytest.fixture
def dataset():
    return Dataset(
        name="d",
        kind="points",
        labels=np.array([0, 1, 1]),
        class_names=("a", "b"),
        features=np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]),
        chart="poincare",
        about={"licence": "MIT"},
    )


def test_record_round_trip(tmp_path, dataset):
    io.write_record(tmp_path / "d.npz", dataset)
    back = io.read_record(tmp_path / "d.npz", Dataset)
    np.testing.assert_array_equal(back.features, dataset.features)
    assert back.class_names == ("a", "b")
    assert back.about == dataset.about
    assert back.edges is None


def test_equal_records_have_equal_bytes(tmp_path, dataset):
    io.write_record(tmp_path / "1.npz", dataset)
    io.write_record(tmp_path / "2.npz", dataset)
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()


def compression(path, array):
    """How `write_record` stores the features `array`, and what it reads back."""
    data = Dataset("d", "features", np.arange(len(array)) % 2, ("a", "b"), array)
    io.write_record(path, data)
    with zipfile.ZipFile(path) as archive:
        kind = archive.getinfo("features.npy").compress_type
        assert archive.getinfo("labels.npy").compress_type == zipfile.ZIP_DEFLATED
    return kind, io.read_record(path, Dataset).features


@pytest.mark.parametrize("rows", [200, 3000, 40_000])
def test_arrays_that_shrink_are_compressed_and_others_stored(tmp_path, rows):
    rng = np.random.default_rng(0)
    points, counts = rng.normal(size=(rows, 3)), rng.poisson(0.1, (rows, 3)).astype(float)
    late = np.arange(rows)[:, None] > rows / 4
    shrinking = {
        "counts": counts,
        "one column of three": np.where([True, False, False], points, 0.0),
        "each row twice": points[np.arange(rows) // 2],
        "the end alone is zero": np.where(late, 0.0, points),
        "the start alone is zero": np.where(late, points, 0.0) * (np.arange(3) < 2),
        "both signs": np.column_stack([-points[:, 0], points[:, 0]]),
    }
    for features in (points, np.asfortranarray(points), points[::-1, ::2]):
        kind, found = compression(tmp_path / "d.npz", features)
        assert kind == zipfile.ZIP_STORED
        np.testing.assert_array_equal(found, features)
    for name, features in shrinking.items():
        kind, found = compression(tmp_path / "d.npz", features)
        assert kind == zipfile.ZIP_DEFLATED, name
        np.testing.assert_array_equal(found, features)


def test_arrays_of_objects_are_refused_and_nothing_is_left(tmp_path, dataset):
    wrong = replace(dataset, features=np.array([[None], [1], [2]], dtype=object))
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        io.write_record(tmp_path / "d.npz", wrong)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'<f8'", "'<f4'"),
        ("'<f8'", "'<f2'"),
        ("(9000, 3)", "(1000, 3)"),
        ("(9000, 3)", "(9000, 2)"),
    ],
)
def test_a_changed_header_of_an_array_is_noticed(tmp_path, old, new):
    path = tmp_path / "d.npz"
    assert compression(path, np.random.default_rng(0).normal(size=(9000, 3)))[0] == 0
    content = path.read_bytes()
    assert content.count(old.encode()) == 1
    path.write_bytes(content.replace(old.encode(), new.encode()))
    with pytest.raises(InputError, match=r"d\.npz cannot be read"):
        io.read_record(path, Dataset)


@pytest.mark.parametrize("features", [np.zeros((3, 0)), np.full((3, 1), 1e300), None])
def test_small_and_empty_arrays_come_back(tmp_path, dataset, features):
    io.write_record(tmp_path / "d.npz", replace(dataset, features=features))
    np.testing.assert_array_equal(io.read_record(tmp_path / "d.npz", Dataset).features, features)


@pytest.mark.parametrize("keep", [0, 10, 200])
def test_truncated_record_is_named(tmp_path, dataset, keep):
    path = tmp_path / "d.npz"
    io.write_record(path, dataset)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InputError, match=r"d\.npz cannot be read .*: delete it"):
        io.read_record(path, Dataset)


def test_record_of_another_kind_is_refused(tmp_path, dataset):
    io.write_record(tmp_path / "d.npz", dataset)
    with pytest.raises(InputError, match="cannot be read"):
        io.read_record(tmp_path / "d.npz", Split)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.npz does not exist"):
        io.read_record(tmp_path / "none.npz", Dataset)


def fail_halfway(path):
    with io.replacing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError


def test_nothing_is_left_when_writing_fails(tmp_path):
    with pytest.raises(RuntimeError):
        fail_halfway(tmp_path / "x.txt")
    assert list(tmp_path.iterdir()) == []


def test_what_waits_for_the_disk_is_open_for_writing_as_windows_demands(tmp_path, monkeypatch):
    waited = []
    monkeypatch.setattr(os, "fsync", lambda number: waited.append(os.write(number, b"")))
    io.write_text(tmp_path / "a.txt", "a")
    assert (waited, (tmp_path / "a.txt").read_text()) == ([0], "a")


def test_old_file_survives_a_failed_write(tmp_path):
    io.write_text(tmp_path / "x.txt", "old")
    with pytest.raises(RuntimeError):
        fail_halfway(tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_text() == "old"


def test_what_a_killed_job_left_is_removed(tmp_path):
    others = [".x.y.unfinished-abcdefgh.txt", ".xy.unfinished-abcdefgh.txt", ".x.20240101.txt"]
    others += [".x.unfinished-abcdefgh.npz", ".x.unfinished-abcdefg.txt"]
    for name in [".x.unfinished-abcd_fg1.txt", *others]:
        (tmp_path / name).touch()
    io.write_text(tmp_path / "x.txt", "new")
    assert {path.name for path in tmp_path.iterdir()} == {"x.txt", *others}


@pytest.fixture
def table():
    return pd.DataFrame({"metric": ["a", "b"] * 50, "value": np.linspace(0, 1, 100)})


def test_table_round_trip(tmp_path, table):
    for name in ("t.parquet", "t.tsv"):
        io.write_table(tmp_path / name, table)
        pd.testing.assert_frame_equal(io.read_table(tmp_path / name), table)


@each_of("keep", [0, 10, 600])
@each_of("name", ["t.parquet", "t.tsv"])
def test_truncated_table_is_named(tmp_path, table, name, keep):
    path = tmp_path / name
    io.write_table(path, table)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InputError, match=rf"{name} cannot be read .*: delete it"):
        io.read_table(path)


def test_truncated_picture_is_named(tmp_path):
    path = tmp_path / "p.svg"
    path.write_bytes(b"<svg></svg>\n")
    assert io.read_svg(path) == b"<svg></svg>\n"
    path.write_bytes(b"<svg></sv")
    with pytest.raises(InputError, match=r"p\.svg cannot be read \(it is cut short\): delete it"):
        io.read_svg(path)


def changed(content, rng):
    """The bytes with one replaced, some lost at the end, or a block of zeros."""
    content, place = bytearray(content), rng.integers(len(content))
    kind = rng.integers(3)
    if kind == 0:
        content[place] = rng.integers(256)
    elif kind == 1:
        del content[place:]
    else:
        content[place : place + 64] = bytes(len(content[place : place + 64]))
    return bytes(content)


@pytest.mark.parametrize("kind", ["record", "model", "table"])
def test_changed_bytes_change_no_value(tmp_path, dataset, table, kind):
    model = {"estimator": LogisticRegression().fit([[0.0], [1.0]], [0, 1])}
    write, read, value, name = {
        "record": (io.write_record, lambda p: io.read_record(p, Dataset), dataset, "d.npz"),
        "model": (io.write_model, io.read_model, model, "m.skops"),
        "table": (io.write_table, io.read_table, table, "t.parquet"),
    }[kind]
    path, again, rng = tmp_path / name, tmp_path / f"again_{name}", np.random.default_rng(0)
    write(path, value)
    content, said = path.read_bytes(), []
    for _ in range(80):
        path.write_bytes(changed(content, rng))
        try:
            back = read(path)
        except InputError as error:
            said.append(str(error))
        else:
            write(again, back)
            assert again.read_bytes() == content
    assert len(said) > 50
    assert all(re.fullmatch(rf"{path} cannot be read .*: delete it and run again", s) for s in said)


def test_a_hidden_member_is_missed(tmp_path, dataset):
    path = tmp_path / "d.npz"
    io.write_record(path, dataset)
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 1)
    content[entry + 32] = 200  # length of the comment, which now covers the next entry
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"d\.npz cannot be read \(it holds \["):
        io.read_record(path, Dataset)


def test_model_round_trip(tmp_path):
    X, y = np.array([[0.0], [1.0]]), np.array(["a", "b"])
    model = {"estimator": LogisticRegression().fit(X, y), "class_names": ["a", "b"]}
    io.write_model(tmp_path / "m.skops", model)
    back = io.read_model(tmp_path / "m.skops")
    np.testing.assert_array_equal(back["estimator"].predict(X), y)


def test_model_with_foreign_types_is_refused(tmp_path):
    io.write_model(tmp_path / "m.skops", {"estimator": Foreign()})
    with pytest.raises(InputError, match=r"m\.skops holds the type .*Foreign"):
        io.read_model(tmp_path / "m.skops")


class Foreign:
    """A type that no trusted library defines."""

    def __init__(self):
        self.x = 1


def test_broken_model_is_named(tmp_path):
    (tmp_path / "m.skops").write_bytes(b"not a zip")
    with pytest.raises(InputError, match=r"m\.skops cannot be read"):
        io.read_model(tmp_path / "m.skops")


def test_a_long_reason_is_cut(tmp_path):
    path = tmp_path / "d.npz"
    path.touch()
    message = str(io._unreadable(path, ValueError("x" * 5000)))
    assert message.startswith(f"{path} cannot be read (xxx")
    assert message.endswith("...): delete it and run again")
    assert len(message) < 400 + len(str(path))


def test_a_file_beyond_the_limit_of_file_sizes(tmp_path, dataset):
    """The old file stays, and nothing half-written is left."""
    path = tmp_path / "d.npz"
    io.write_record(path, dataset)
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    large = replace(dataset, features=np.random.default_rng(0).normal(size=(3, 200_000)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, limits[1]))
    try:
        with pytest.raises(InputError, match=r"d.npz cannot be written .*raise the limit of file"):
            io.write_record(path, large)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["d.npz"]
