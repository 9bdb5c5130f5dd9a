import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from noneuclid import io
from noneuclid.contracts import Dataset, InputError, Split


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


def test_old_file_survives_a_failed_write(tmp_path):
    io.write_text(tmp_path / "x.txt", "old")
    with pytest.raises(RuntimeError):
        fail_halfway(tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_text() == "old"


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
