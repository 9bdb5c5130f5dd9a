"""Points that other programs wrote: word2vec, gensim, PyTorch; Lorentz coordinates without time."""

import gzip
import os
import pickle
from decimal import Decimal, localcontext

import numpy as np
import pytest
from cases import each_of
from own_files import cut, loaded, refused, written
from vector_files import Tensor, key_vectors, torch_file, word_vectors

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid_compare.data.files import pickled_arrays, vectors
from noneuclid_compare.data.own import array_file, table_file, train_test_npz
from noneuclid_compare.embed import given

RNG = np.random.default_rng(0)
NAMES = ["mammal.n.01", "dog", "été", "a\u2028b\u00a0c", "x", "y"]
POINTS = RNG.uniform(-0.6, 0.6, size=(6, 2))
LABELS = "id,kind\n" + "".join(f"{name},{'ab'[k % 2]}\n" for k, name in enumerate(NAMES))


def labels_in(folder, text=LABELS):
    return written(folder / "labels.csv", text)


def text_file(path):
    path.write_bytes(word_vectors(NAMES, POINTS))


def zipped(path):
    path.write_bytes(gzip.compress(word_vectors(NAMES, POINTS)))


def binary(path):
    path.write_bytes(word_vectors(NAMES, POINTS, binary=True))


def with_line_ends(path):
    head, _, rows = word_vectors(NAMES, POINTS, binary=True).partition(b"\n")
    each = zip(NAMES, POINTS, strict=True)
    parts = [word_vectors([n], [p], binary=True).partition(b"\n")[2] for n, p in each]
    assert b"".join(parts) == rows
    path.write_bytes(b"\n".join([head, *parts, b""]))


WRITERS = {
    "v.txt": text_file,
    "v.vec": text_file,
    "v.txt.gz": zipped,
    "v.bin": binary,
    "c.bin": with_line_ends,
    "v.kv": lambda path: key_vectors(path, NAMES, POINTS),
    "big.kv": lambda path: key_vectors(path, NAMES, POINTS, beside=True),
    "p0.kv": lambda path: key_vectors(path, NAMES, POINTS, protocol=0),
    "f5.kv": lambda path: key_vectors(path, NAMES, np.asfortranarray(POINTS), protocol=5),
    "f.kv": lambda path: key_vectors(path, NAMES, np.asfortranarray(POINTS)),
    "v.pt": lambda path: torch_file(path, {"lt.weight": Tensor(POINTS), "objects": NAMES}),
    "t.pth": lambda path: torch_file(
        path, {"model": {"emb": Tensor(POINTS)}, "objects": NAMES}, transposed=True
    ),
    "h.pt": lambda path: torch_file(path, {"emb": Tensor(POINTS)}, manifold=True),
}


@each_of("name", list(WRITERS))
def test_points_of_other_programs_join_their_labels_by_name(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    exact = name not in ("v.bin", "c.bin", "v.pt", "t.pth", "h.pt")
    wanted = POINTS if exact else POINTS.astype(np.float32)
    found = vectors.read_vectors(path)
    np.testing.assert_array_equal(found.values, wanted)
    assert found.names == (None if name == "h.pt" else NAMES)
    head, *lines = LABELS.strip().split("\n")
    text = "\n".join([head, *reversed(lines)])
    if name == "h.pt":
        text = "row,kind\n" + "".join(f"{k},{'ab'[k % 2]}\n" for k in reversed(range(6)))
    settings = {"label": "kind", "chart": "poincare"} | ({"id": "row"} if name == "h.pt" else {})
    data = loaded(array_file, path, labels_in(tmp_path, text), **settings)
    assert (data.kind, data.chart, data.class_names) == ("points", "poincare", ("a", "b"))
    assert data.labels.tolist() == [0, 1, 0, 1, 0, 1]
    np.testing.assert_array_equal(data.features, wanted)


@each_of(
    ("kind", "big", "digits"),
    [("DoubleStorage", False, 24), ("HalfStorage", False, 11), ("BFloat16Storage", False, 8),
     ("FloatStorage", True, 24)],
)  # fmt: skip
def test_numbers_of_pytorch_have_the_digits_of_their_kind(tmp_path, kind, big, digits):
    path = torch_file(tmp_path / "v.pt", {"X": Tensor(POINTS)}, kind=kind, big=big)
    found = vectors.read_vectors(path).values
    np.testing.assert_allclose(found, POINTS, rtol=2.0 ** (1 - digits))
    wanted = POINTS.astype(np.float32).astype(np.float64)
    assert (found == wanted).all() == (digits == 24)


def test_gensim_says_in_each_protocol_which_vectors_are_points_of_the_ball(tmp_path):
    for protocol in range(6):
        ball = key_vectors(tmp_path / "v.kv", NAMES, POINTS, protocol=protocol)
        other = {"origin": "keyedvectors.KeyedVectors", "protocol": protocol}
        words = key_vectors(tmp_path / "w.kv", NAMES, POINTS, **other)
        both = [pickled_arrays.read_gensim(path) for path in (ball, words)]
        assert [in_ball for *_, in_ball in both] == [True, False]
        for names, values, _ in both:
            assert names == NAMES
            np.testing.assert_array_equal(values, POINTS)


def test_a_row_without_label_and_a_label_without_row(tmp_path):
    path = tmp_path / "v.txt"
    text_file(path)
    fewer = labels_in(tmp_path, LABELS.replace("dog,b\n", "").replace("x,a", "x,"))
    read = {"label": "kind", "chart": "poincare"}
    refused(r"v.txt: row 1 .*'dog'\) has no label \(None\), and 1 more; .* unlabeled: drop",
            array_file, path, fewer, **read)  # fmt: skip
    data = loaded(array_file, path, fewer, unlabeled="drop", **read)
    np.testing.assert_array_equal(data.features, POINTS[[0, 2, 3, 5]])
    assert data.labels.tolist() == [0, 0, 1, 1]
    more = labels_in(tmp_path, LABELS + "cat,a\ncow,b\n")
    refused(r"labels 'cat', which is not in v.txt, and 1 more; .* unlabeled: drop",
            array_file, path, more, **read)  # fmt: skip
    data = loaded(array_file, path, more, unlabeled="drop", **read)
    assert data.about["oddities"] == ["2 labels of labels.csv have no row in v.txt."]
    refused(r"has no label of a row of v.txt: it names 'a', 'b'.*; set id to the column",
            array_file, path, labels_in(tmp_path, "id,kind\na,1\nb,2\n"), **read)  # fmt: skip
    refused("names row 'x' twice; keep one row", array_file, path,
            labels_in(tmp_path, LABELS + "x,b\n"), **read)  # fmt: skip
    refused("has no column 'type'", array_file, path, labels_in(tmp_path), label="type")
    refused("holds one array; add the labels", array_file, path, **read)


def lines_of(change):
    rows = word_vectors(NAMES[:3], POINTS[:3]).decode().splitlines()
    return "\n".join(change(rows)).encode()


DAMAGED = {
    "cut": (lambda rows: rows[:3], r"line 1 says 3 names, but 2 lines follow"),
    "cut line": (lambda rows: [*rows[:3], rows[3][:9]], r"line 4 has \d values after the name"),
    "more": (lambda rows: [*rows, rows[1]], r"line 1 says 3 names, but 4 lines follow"),
    "d": (lambda rows: ["3 5", *rows[1:]], r"line 2 has 2 values .* line 1 says 5"),
    "head": (lambda rows: rows[1:], r"line 1 is 'mammal.*begin with the numbers"),
    "negative": (lambda rows: ["3 -2", *rows[1:]], r"line 1 is '3 -2'"),
    "huge": (lambda rows: ["3 999999999", *rows[1:]], r"line 2 has 2 values"),
    "space": (lambda rows: [*rows[:2], f"New {rows[2]}", rows[3]], r"line 3 has 3 .*'New'.*spaces"),
    "text": (lambda rows: [*rows[:2], "dog 0.1 x1", rows[3]], r"line 3, name 'dog': 'x1' is not a"),
    "1_0": (lambda rows: [*rows[:2], "dog 0.1 1_0", rows[3]], r"'1_0' is not a number"),
    "two": (
        lambda rows: [*rows[:2], rows[1], rows[3]],
        r"row 1 has the name 'mammal.n.01' of anot",
    ),
    "nan": (lambda rows: [*rows[:2], "dog 0.1 nan", rows[3]], r"row 2 .*'dog'.* is empty or nan"),
    "rim": (lambda rows: [*rows[:2], "dog 0 1.0000001", rows[3]], r"row 1 .*project_to_ball: true"),
    "out": (lambda rows: [*rows[:2], "dog 0 1.5", rows[3]], r"row 1 lies outside the Poin.* 2\.25"),
    "latin": (lambda rows: rows, r"line 4 holds the byte 0xe9"),
}


@each_of("case", list(DAMAGED))
def test_damaged_word_vectors_are_one_line(tmp_path, case):
    change, message = DAMAGED[case]
    content = lines_of(change)
    path = tmp_path / "v.txt"
    path.write_bytes(content.decode().encode("latin-1") if case == "latin" else content)
    table = labels_in(tmp_path, "id,kind\nmammal.n.01,a\ndog,b\nété,b\n")
    said = refused(message, array_file, path, table, label="kind", chart="poincare",
                   unlabeled="drop")  # fmt: skip
    assert "v.txt" in said


@pytest.mark.parametrize("size", [*range(60, 78), 85, 86])
def test_a_binary_file_that_is_cut_short_is_refused(tmp_path, size):
    path = tmp_path / "v.bin"
    content = word_vectors(NAMES, POINTS, binary=True)
    assert len(content) > size
    path.write_bytes(content[:size])
    with pytest.raises(InputError, match=r"name \d of 6 is not complete: .* 2 numbers of float32"):
        vectors.read_vectors(path)


def test_binary_files_with_other_numbers_are_refused(tmp_path):
    path = tmp_path / "v.bin"
    wide = RNG.uniform(-1, 1, size=(6, 8))
    content = word_vectors(NAMES, wide, binary=True)
    for head in (b"6 7", b"6 9", b"5 8", b"7 8", b"6 16", b"6", b"six 8", b"6 999999999"):
        path.write_bytes(head + content[3:])
        with pytest.raises(InputError, match=r"v\.bin: (name|line 1|\d+ bytes follow)") as caught:
            vectors.read_vectors(path)
        assert "\n" not in str(caught.value)
    path.write_bytes(word_vectors(["New York", *NAMES[1:]], wide, binary=True))
    with pytest.raises(InputError, match="or a name has spaces"):
        vectors.read_vectors(path)
    # Names with a space that leave all sizes right: what follows the space is read as numbers.
    vector = np.frombuffer(b"\x00\x7f\x00\x3f\x00\x00AB", "<f4")
    path.write_bytes(word_vectors(["c d", "b"], [vector, [0.5, 0.5]], binary=True))
    with pytest.raises(InputError, match=r"name 1 of 2, 'c', has the number \[1\.7.*e\+38\]"):
        vectors.read_vectors(path)
    path.write_bytes(b"6 8\n" + wide.astype("<f8").tobytes())
    with pytest.raises(InputError, match=r"v\.bin: name 1 of 6"):
        vectors.read_vectors(path)


class Hostile:
    """A pickle that asks for a call."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


@each_of("suffix", [".kv", ".model", ".pt"])
@each_of("function", [os.mkdir, exec, eval])
def test_nothing_of_a_pickle_runs(tmp_path, suffix, function):
    target = tmp_path / f"made_{function.__name__}{suffix}"
    argument = str(target) if function is os.mkdir else f"__import__('os').mkdir({str(target)!r})"
    content = {"X": Hostile(function, argument), "vectors": Hostile(function, argument)}
    path = tmp_path / f"evil{suffix}"
    if suffix == ".pt":
        torch_file(path, content)
        with pytest.raises(InputError, match=r"holds 0 matrices"):
            vectors.read_vectors(path, "X")
    else:
        path.write_bytes(pickle.dumps(content))
        with pytest.raises(InputError, match=r"model\.kv\.save_word2vec_format\('points\.txt'\)"):
            vectors.read_vectors(path)
    assert not target.exists()
    # The same bytes do run in pickle itself.
    if function is os.mkdir:
        pickle.loads(pickle.dumps(content["X"]))
        assert target.exists()


@each_of("name", list(WRITERS))
def test_altered_bytes_are_points_or_one_line(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    content, rng = path.read_bytes(), np.random.default_rng(0)
    for _ in range(50):
        altered = bytearray(content)
        for place in rng.integers(0, len(content), size=rng.integers(1, 4)):
            altered[place] = rng.integers(0, 256)
        cut_at = rng.integers(1, len(content)) if rng.random() < 0.3 else len(content)
        path.write_bytes(altered[:cut_at])
        said, values = name, np.zeros((1, 1))
        try:
            values = vectors.read_vectors(path).values
        except InputError as error:
            said = str(error)
        assert name.split(".")[0] in said
        assert "\n" not in said
        assert (values.dtype, values.ndim) == (float, 2)


def test_damaged_files_of_gensim_are_one_line(tmp_path):
    save = r"save it by model\.kv\.save_word2vec_format\('points\.txt'\)"
    path = cut(key_vectors(tmp_path / "v.kv", NAMES, POINTS))
    refused(f"cannot be read as gensim's KeyedVectors .*{save}", array_file, path,
            labels_in(tmp_path), label="kind")  # fmt: skip
    key_vectors(path, NAMES[:4], POINTS)
    refused(rf"4 names, but vectors of shape \(6, 2\): {save}", array_file, path,
            labels_in(tmp_path), label="kind")  # fmt: skip
    key_vectors(path, NAMES, POINTS.astype(object))
    refused(f"the vectors are of type 'O8': {save}", array_file, path, labels_in(tmp_path),
            label="kind")  # fmt: skip
    key_vectors(path, NAMES, POINTS, beside=True)
    (tmp_path / "v.kv.vectors.npy").unlink()
    refused(r"v\.kv\.vectors\.npy does not exist", array_file, path, labels_in(tmp_path),
            label="kind")  # fmt: skip


def test_texts_of_python_2_are_one_line(tmp_path):
    path = tmp_path / "v.kv"
    path.write_bytes(b"\x80\x02}U\x07vectorsU\x02\xc3\xa9s.")
    with pytest.raises(InputError, match=r"without names of vectors: save .*save_word2vec_format"):
        vectors.read_vectors(path)


def test_files_of_pytorch_that_cannot_be_used_are_one_line(tmp_path):
    read = {"label": "kind", "chart": "poincare"}
    table = labels_in(tmp_path)
    two = {"emb": Tensor(POINTS), "net": {"weight": Tensor(POINTS[:2])}, "names": NAMES}
    path = torch_file(tmp_path / "v.pt", two)
    refused(r"holds 2 matrices \(emb, net.weight\): set features \(--features\) to one",
            array_file, path, table, **read)  # fmt: skip
    refused("has no tensor 'net'; it has: emb, net.weight, names", array_file, path, table,
            features="net", **read)  # fmt: skip
    assert loaded(array_file, path, table, features="emb", **read).labels.size == 6
    refused("'names' has shape .*6.* for 2 rows", array_file, path, table, features="net.weight",
            name="names", **read)  # fmt: skip
    torch_file(path, {"emb": Tensor(POINTS), "names": NAMES}, damaged=True)
    refused(r"tensor 'emb' has fewer numbers than its shape", array_file, path, table, **read)
    written(path, "\x80\x02.")
    refused(r"cannot be read as a file of torch.save .*numpy.savez\('points.npz', X=", array_file,
            path, table, **read)  # fmt: skip
    torch_file(path, {"emb": Tensor(POINTS)})
    refused("cannot be read as a file of torch.save", array_file, cut(path), table, **read)


def test_labels_within_a_file_of_pytorch(tmp_path):
    path = torch_file(tmp_path / "v.pt", {"X": Tensor(POINTS), "y": Tensor([0, 1, 0, 1, 0, 1])})
    assert loaded(array_file, path, chart="poincare").labels.tolist() == [0, 1, 0, 1, 0, 1]
    refused("has no tensor 'z'; it has: X, y", array_file, path, label="z")
    torch_file(path, {"X": Tensor(POINTS > 0), "y": Tensor([1, 0, 1, 0, 0, 1])}, kind="BoolStorage")
    data = loaded(array_file, path)
    np.testing.assert_array_equal(data.features, POINTS > 0)
    assert (data.labels.tolist(), data.class_names) == ([1, 0, 1, 0, 0, 1], ("False", "True"))


def test_arrays_with_names(tmp_path):
    path = tmp_path / "v.npz"
    np.savez(path, X=POINTS, who=np.array(NAMES))
    read = {"label": "kind", "name": "who", "chart": "klein"}
    data = loaded(array_file, path, labels_in(tmp_path), **read)
    assert data.labels.tolist() == [0, 1, 0, 1, 0, 1]
    np.savez(path, X=POINTS[:3], who=np.array(NAMES))
    refused(r"'who' has shape \(6,\) for 3 rows", array_file, path, labels_in(tmp_path), **read)


def meru_distance(x, y, K):
    """Distance of Desai et al. (2023), arXiv:2304.09172, section 3, in a hundred digits."""
    with localcontext() as context:
        context.prec = 100
        x, y = [[Decimal(float(v)) for v in p] for p in (x, y)]
        K = Decimal(K)
        times = [(1 / K + sum(v * v for v in p)).sqrt() for p in (x, y)]
        z = -K * (sum(a * b for a, b in zip(x, y, strict=True)) - times[0] * times[1])
        return float((z + (z * z - 1).sqrt()).ln() / K.sqrt()), [float(time) for time in times]


@each_of("size", [1e-3, 1.0, 30.0, 1e6, 1e12, 1e60])
@each_of("K", [0.1, 1.0, 7.5])
def test_coordinates_without_time_are_those_of_meru(tmp_path, size, K):
    X = RNG.normal(size=(4, 512)) * size
    path = tmp_path / "meru.npz"
    np.savez(path, X=X, y=[0, 1, 0, 1])
    data = loaded(array_file, path, chart="lorentz_space", curvature=K)
    assert (data.chart, data.curvature, data.features.shape) == ("hyperboloid", K, (4, 513))
    np.testing.assert_array_equal(data.features[:, 1:], X)
    distances = lorentz.pairwise_distances(data.features, data.features, K)
    for i, j in ((0, 1), (2, 3)):
        distance, times = meru_distance(X[i], X[j], K)
        np.testing.assert_allclose(data.features[[i, j], 0], times, rtol=4e-16)
        np.testing.assert_allclose(distances[i, j], distance, rtol=1e-13)


def test_all_loaders_read_coordinates_without_time(tmp_path):
    X, y = RNG.normal(size=(6, 3)), [0, 1, 0, 1, 0, 1]
    whole = lorentz.from_spatial(X, 2.0)
    rows = "".join(f"{a!r},{b!r},{c!r},{k}\n" for (a, b, c), k in zip(X.tolist(), y, strict=True))
    table = written(tmp_path / "t.csv", "a,b,c,kind\n" + rows)
    read = {"chart": "lorentz_space", "curvature": 2.0}
    data = loaded(table_file, table, label="kind", **read)
    np.testing.assert_array_equal(data.features, whole)
    assert data.about["oddities"] == [
        "The time coordinate of each row was computed, sqrt(1/K + |x|^2) (lorentz_space)."
    ]
    rule = given.embed(data, 0).rule
    assert (rule.chart, rule.written) == ("hyperboloid", "lorentz_space")
    np.testing.assert_array_equal(rule.place(X), whole)
    np.savez(tmp_path / "h.npz", x_train=X[:4], y_train=y[:4], x_test=X[4:], y_test=y[4:])
    data = train_test_npz.load({"embedding": tmp_path / "h.npz"}, 0, **read)
    np.testing.assert_array_equal(data.features, whole)
    assert data.about["written"] == "lorentz_space"
