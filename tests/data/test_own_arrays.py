"""Your own arrays: npz and npy files, and every way in which they can be wrong."""

import numpy as np
import pytest
from cases import each_of
from own_files import CODES, NAMES, TYPES, X, cut, frame, loaded, refused, written

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid_compare.data.own import array_file, train_test_npz
from noneuclid_compare.embed import given


def test_npz(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(
        path, X=X.astype(np.float32), y=np.array(TYPES), points=lorentz.from_spatial(X), z=X[0]
    )
    data = loaded(array_file, path)
    np.testing.assert_array_equal(data.features, X.astype(np.float32))
    assert (data.labels.tolist(), data.class_names) == (CODES, NAMES)
    assert loaded(array_file, path, features="points", chart="hyperboloid").kind == "points"
    refused("no array 'data'; it has: X, y, points, z", array_file, path, features="data")
    refused(r"array 'z' has shape \(3,\); give a matrix", array_file, path, features="z")
    refused("holds <U2, not numbers", array_file, path, features="y")
    refused(r"labels have shape \(6, 3\)", array_file, path, label="X")
    refused("6 rows of features but 3 labels", array_file, path, label="z")
    refused("row 0 is off the hyperboloid|outside|time", array_file, path, chart="hyperboloid")
    refused("cannot be read as npz", array_file, cut(path))
    np.savez(path, X=X, y=np.array(TYPES, dtype="S"))
    assert loaded(array_file, path).class_names == NAMES
    np.savez(path, X=X, y=np.array(TYPES, dtype=object))
    refused("array 'y' holds Python objects; save it as numbers or as text", array_file, path)
    refused("give a .npz or a .npy file", array_file, written(tmp_path / "a.mat", "x"))


def test_missing_labels_of_an_array(tmp_path):
    path = tmp_path / "a.npz"
    for labels, found in (([0, 1, np.nan, 0, 1, 2], "nan"), (["a", "b", "", "a", "b", "a"], "''")):
        np.savez(path, X=X, y=labels)
        refused(rf"a.npz: row 2 has no label \({found}\), and 0 more", array_file, path)
        data = loaded(array_file, path, unlabeled="drop")
        np.testing.assert_array_equal(data.features, np.delete(X, 2, axis=0))
        assert data.about["oddities"] == ["1 rows without label were left out."]
    labels = written(tmp_path / "l.csv", "who,side\na,x\nb,y\n")
    np.save(tmp_path / "x.npy", X)
    message = "x.npy: 6 rows of features but 2 labels; give one label for each row"
    refused(message, array_file, tmp_path / "x.npy", labels, label="side")


def test_npy_with_labels_beside(tmp_path):
    frame().to_csv(tmp_path / "t.csv", index=False)
    path = tmp_path / "x.npy"
    np.save(path, X)
    np.save(tmp_path / "y.npy", np.array(TYPES))
    refused("holds one array; add the labels", array_file, path)
    for labels, settings in ((tmp_path / "y.npy", {}), (tmp_path / "t.csv", {"label": "type"})):
        data = loaded(array_file, path, labels, **settings)
        np.testing.assert_array_equal(data.features, X)
        assert data.labels.tolist() == CODES
    np.save(path, X[:0])
    refused("is empty, shape", array_file, path, tmp_path / "y.npy")
    np.save(path, np.where(np.isin(X, X[2, 1]), np.nan, X))
    refused("row 3 counted from 1, column 2 is empty or nan", array_file, path, tmp_path / "y.npy")


def test_labels_as_bytes_of_another_encoding_are_refused(tmp_path):
    path = tmp_path / "d.npz"
    np.savez(path, X=np.eye(2), y=np.array(["é".encode("latin-1"), b"a"]))
    refused("d.npz: label of row 0 is .*, bytes that are not UTF-8", array_file, path)


def at_the_rim():
    """Points of the ball in float32, of which rows 0 and 2 lie over its rim."""
    X = np.array([[0.6, -0.8], [0.1, 0.2], [-1.0, 0.0], [0.3, -0.4], [-0.2, 0.1]])
    return (X * [[1 + 3e-7], [1], [1 + 1e-7], [1], [1]]).astype(np.float32)


def test_points_at_the_rim_are_brought_inside_if_asked(tmp_path):
    path, X = tmp_path / "d.npz", at_the_rim()
    np.savez(path, X=X, y=[0, 1, 0, 1, 1])
    settings = {"chart": "poincare", "project_to_ball": True}
    refused(r"row 0 .* 1 \+ .*1 more of 5 rows: 2.*project_to_ball: true", array_file, path,
            chart="poincare")  # fmt: skip
    refused("project_to_ball needs chart", array_file, path, project_to_ball=True)
    data = loaded(array_file, path, **settings)
    assert "2 of 5, the first row 0" in data.about["oddities"][0]
    assert np.linalg.norm(data.features, axis=1).max() < 1
    np.testing.assert_array_equal(data.features[[1, 3, 4]], X[[1, 3, 4]])
    rule = given.embed(data, 0).rule
    assert (rule.kind, rule.project_to_ball) == ("given", True)
    np.savez(path, X=X / 2, y=[0, 1, 0, 1, 1])
    assert loaded(array_file, path, **settings).about["oddities"] == []
    path = halves(path, x_train=X[:3], x_test=X[3:])
    with pytest.raises(InputError, match=r"row 0 .*project_to_ball: true"):
        train_test_npz.load({"embedding": path}, 0)
    data = train_test_npz.load({"embedding": path}, 0, project_to_ball=True)
    assert "2 of 5, the first row 0" in data.about["oddities"][0]


def halves(path, **changed):
    points = 0.1 * np.arange(6.0).reshape(3, 2)
    arrays = {"x_train": points, "y_train": [0, 1, 1], "x_test": points[:2], "y_test": [1, 0]}
    np.savez(path, **(arrays | changed))
    return path


@each_of(
    ("changed", "settings", "message"),
    [
        ({"y_train": [0, 1], "y_test": [1, 0, 0]}, {}, "y_train has 2 labels"),
        ({"x_test": np.zeros((2, 3))}, {}, r"have \[2, 3\] columns"),
        ({"x_test": np.array([["a", "b"]] * 2)}, {}, "x_test is <U1"),
        ({"x_test": np.zeros((2, 2), complex)}, {}, "x_test is complex128"),
        ({}, {"class_names": "ab"}, "class_names is 'ab'"),
        ({}, {"class_names": ["a", "a"]}, "give a text for each, once"),
        ({}, {"class_names": [0, 1]}, "give a text for each, once"),
    ],
)
def test_halves_that_do_not_fit_are_refused(tmp_path, changed, settings, message):
    path = halves(tmp_path / "h.npz")
    assert train_test_npz.load({"embedding": path}, 0).labels.tolist() == [0, 1, 1, 1, 0]
    path = halves(path, **changed)
    with pytest.raises(InputError, match=message):
        train_test_npz.load({"embedding": path}, 0, **settings)
    with np.load(halves(path)) as arrays:
        np.savez(path, **{name.replace("x_", "X_"): found for name, found in arrays.items()})
    missing = "no array 'x_train', 'x_test'; it has: X_train, y_train, X_test, y_test"
    with pytest.raises(InputError, match=missing):
        train_test_npz.load({"embedding": path}, 0)
