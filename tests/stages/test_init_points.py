"""The command init on coordinates of hyperbolic space, word vectors and edges in arrays."""

from pathlib import Path

import numpy as np
import pytest
from init_command import init, written

from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare.data.files import edge_lists


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


@pytest.mark.parametrize("d", [2, 5])
def test_word_vectors_are_no_edge_list(d):
    rows = [f"w{k} {' '.join(['0.25'] * d)}" for k in range(40)]
    Path("v.txt").write_text("\n".join([f"40 {d}", *rows]))
    Path("labels.csv").write_text("node,kind\n" + "".join(f"w{k},{k % 2}\n" for k in range(40)))
    message = rf"v\.txt has the text format of word2vec and gensim, 40 lines of a name and {d} num"
    for words in ([], ["--label", "kind"], ["--label", "kind", "--labels", "labels.csv"]):
        with pytest.raises(InputError, match=message):
            init("v.txt", *words)
    edges = [f"{k} {k + 1}" for k in range(39)]
    Path("v.txt").write_text("\n".join(["39 1", *edges]))
    assert len(edge_lists.read_graph(Path("v.txt"))) == 40
    Path("v.txt").write_text("\n".join(["39 2", *(f"{edge} 0.5" for edge in edges[:-1])]))
    assert len(edge_lists.read_graph(Path("v.txt"))) == 40
