"""The command init on coordinates of hyperbolic space, word vectors and edges in arrays."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from init_command import init, written
from vector_files import Tensor, key_vectors, torch_file, word_vectors

from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare.config import defaults
from noneuclid_compare.data.files import edge_lists
from noneuclid_compare.data.own import array_file

READ = "note        rows are read as measurements; for points of an embedding, set chart "


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_coordinates_of_hyperbolic_space_are_recognised(capsys):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    radius = np.where(np.arange(60) < 5, 1 + 2e-7, 0.9)[:, None]
    ball = X / np.linalg.norm(X, axis=1, keepdims=True) * radius
    np.savez("ball.npz", X=ball.astype(np.float32), y=y)
    np.savez("sheet.npz", X=charts.convert(X, "tangent", "hyperboloid"), y=y)
    np.savez("parts.npz", X=np.abs(ball), y=y)
    advice = {
        "ball": "all 60 rows lie in the ball of radius 1, 5 at its rim (norms up to 1.000000",
        "sheet": "add under params chart: hyperboloid, and set embeddings: [given]",
        "parts": "",
    }
    for name, words in advice.items():
        init(f"{name}.npz", "--label", "y")
        said = capsys.readouterr().out
        assert words in said
        assert ("if they are points, add" in said) == (name != "parts")
        assert (READ in said) == (name == "parts")
        assert written(name)["datasets"][name]["params"] == {"features": "X", "label": "y"}
    text = (
        Path("ball/config.yaml")
        .read_text()
        .replace(
            "      label: y\n",
            "      label: y\n      chart: poincare\n      project_to_ball: true\n"
            "    embeddings: [given]\n",
        )
    )
    Path("ball/config.yaml").write_text(text)
    assert written("ball")["datasets"]["ball"]["embeddings"] == ["given"]
    parts = {"x_train": ball[:40], "y_train": y[:40], "x_test": ball[40:], "y_test": y[40:]}
    np.savez("split.npz", **parts)
    init("split.npz")
    assert "problem: 5 rows at the rim of the ball or over it" in capsys.readouterr().out
    assert written("split")["datasets"]["split"]["params"] == {"project_to_ball": True}


def test_comments_name_what_is_run_on_points_of_a_product():
    rng = np.random.default_rng(0)
    names = ("a", "b", "c", "d")
    frame = pd.DataFrame(rng.normal(size=(60, 4)), columns=names).assign(y=["u", "v"] * 30)
    frame.to_csv("t.csv", index=False)
    init("t.csv", "--label", "y")
    said = Path("t/config.yaml").read_text().splitlines()
    start = "#   # With a signature such as chart: H2 S2 under params, instead: "
    found = [line.removeprefix(start) for line in said if line.startswith(start)]
    entry = {"use": "table_file", "params": {"label": "y", "chart": "H2 S2"}}
    filled = defaults.with_defaults({"datasets": {"t": entry}})
    assert found == [", ".join(filled[key]) for key in ("embeddings", "methods")]
    assert found[1].split(", ") == list(defaults.ON_PRODUCTS)


def test_edges_in_arrays_are_named(capsys):
    rng = np.random.default_rng(0)
    edges, y = rng.integers(0, 30, size=(2, 50)), np.arange(30) % 2
    np.savez("a.npz", x=rng.normal(size=(30, 4)), edge_index=edges, y=y)
    init("a.npz", "--label", "y")
    assert "problem: edge_index holds the edges of a network: numpy.save" in capsys.readouterr().out
    np.savez("b.npz", edge_index=edges, y=y)
    for words in (["b.npz"], ["a.npz", "--features", "edge_index"]):
        with pytest.raises(InputError, match="edge_index holds the edges of a network"):
            init(*words, "--label", "y", "--force")


POINTS = np.random.default_rng(0).uniform(-0.6, 0.6, size=(40, 2))
NAMES = [f"w{k}" for k in range(40)]
ROWS = [f"{name},{k % 2}" for k, name in enumerate(NAMES)]


def labelled(head="word,kind", rows=ROWS):
    Path("labels.csv").write_text("\n".join([head, *reversed(rows), ""]))


FILES = {
    "v.txt": (lambda path: path.write_bytes(word_vectors(NAMES, POINTS)), {}),
    "v.bin": (lambda path: path.write_bytes(word_vectors(NAMES, POINTS, binary=True)), {}),
    "v.kv": (lambda path: key_vectors(path, NAMES, POINTS, beside=True), {"vectors"}),
    "v.pt": (lambda path: torch_file(path, {"X": Tensor(POINTS), "objects": NAMES}), {}),
}


@each_of("name", list(FILES))
def test_points_of_other_programs_need_a_table_of_labels_alone(capsys, name):
    write, more = FILES[name]
    write(Path(name))
    labelled()
    with pytest.raises(InputError, match="label"):
        init(name, "--folder", "none")
    assert not Path("none").exists()
    init(name, "--labels", "labels.csv", "--folder", name.replace(".", "_"))
    said = capsys.readouterr().out
    entry = written(name.replace(".", "_"))["datasets"]["v"]
    assert set(entry["files"]) == {"data", "labels", *more}
    assert entry["params"] == {"label": "kind", "id": "word", "chart": "poincare"}
    assert entry["embeddings"] == ["given"]
    assert ("PoincareKeyedVectors" in said) == (name == "v.kv")
    assert ("does not state its chart: poincare is likely; chart: klein" in said) != (
        name == "v.kv"
    )


def test_labels_and_vectors_that_lack_each_other_are_counted(capsys):
    Path("v.txt").write_bytes(word_vectors(NAMES, POINTS))
    labelled("kind2,kind,node", [f"x,{row[-1]},{row[:-2]}" for row in ROWS[3:]] + ["y,1,cat"])
    init("v.txt", "--labels", "labels.csv")
    assert "--label kind" in capsys.readouterr().out
    assert not Path("v").exists()
    init("v.txt", "--labels", "labels.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert "3 of 40 vectors without kind" in said
    assert "1 label of labels.csv without a vector, the first 'cat'" in said
    params = written("v")["datasets"]["v"]["params"]
    assert (params["unlabeled"], params["id"]) == ("drop", "node")


def test_vectors_have_groups():
    Path("v.txt").write_bytes(word_vectors(NAMES, POINTS))
    rows = [f"{row},b{k // 5}" for k, row in enumerate(ROWS)]
    labelled("word,kind,batch", rows)
    init("v.txt", "--labels", "labels.csv", "--label", "kind")
    params = written("v")["datasets"]["v"]["params"]
    assert params["groups"] == "batch"
    data = array_file.load({"data": Path("v.txt"), "labels": Path("labels.csv")}, 0, **params)
    assert [data.group_names[code] for code in data.groups] == [f"b{k // 5}" for k in range(40)]


def test_the_chart_of_vectors_is_the_likely_one(capsys):
    at_rim = POINTS / np.linalg.norm(POINTS, axis=1, keepdims=True)
    at_rim[3:] *= 0.7
    at_rim[0] *= 1 + 2e-7
    cases = {
        "sheet": (charts.convert(POINTS, "tangent", "hyperboloid"), "hyperboloid", False),
        "rim": (at_rim, "poincare", True),
        "words": (8 * POINTS, None, False),
    }
    labelled()
    for name, (points, chart, inside) in cases.items():
        Path(f"{name}.vec").write_bytes(word_vectors(NAMES, points))
        init(f"{name}.vec", "--labels", "labels.csv")
        said = capsys.readouterr().out
        params = written(name)["datasets"][name]["params"]
        assert (params.get("chart"), "project_to_ball" in params) == (chart, inside)
        assert (READ in said) == (chart is None)
        assert ("problem: " in said) == (chart is not None)
        assert ("Rows at the rim of the ball" in said) == inside


def test_vectors_without_names_are_joined_by_the_number_of_the_row():
    torch_file(Path("v.pt"), {"emb": Tensor(POINTS), "bias": Tensor(POINTS[:2])})
    labelled("row,kind", [f"{k},{k % 2}" for k in range(40)])
    words = ["v.pt", "--labels", "labels.csv", "--features", "emb"]
    init(*words)
    params = written("v")["datasets"]["v"]["params"]
    assert params == {"features": "emb", "label": "kind", "id": "row", "chart": "poincare"}
    labelled("kind", [f"{'ab'[k % 2]}" for k in range(40)])
    init(*words, "--force")
    params = written("v")["datasets"]["v"]["params"]
    assert params == {"features": "emb", "label": "kind", "chart": "poincare"}
    labelled("a", ["ab"[k % 2] for k in range(39)])
    with pytest.raises(InputError, match="39 labels for 40 rows; its first line is read as a head"):
        init(*words, "--folder", "none")


@pytest.mark.parametrize("d", [2, 5])
def test_word_vectors_are_no_edge_list(d):
    rows = [f"w{k} {' '.join(['0.25'] * d)}" for k in range(40)]
    Path("v.csv").write_text("\n".join([f"40 {d}", *rows]))
    message = r"v\.csv has the text format of word2vec and gensim.* use: array_file with a table"
    for words in ([], ["--label", "kind"]):
        with pytest.raises(InputError, match=message):
            init("v.csv", *words)
    edges = [f"{k} {k + 1}" for k in range(39)]
    Path("v.txt").write_text("\n".join(["39 1", *edges]))
    assert len(edge_lists.read_graph(Path("v.txt"))) == 40
    Path("v.txt").write_text("\n".join(["39 2", *(f"{edge} 0.5" for edge in edges[:-1])]))
    assert len(edge_lists.read_graph(Path("v.txt"))) == 40
