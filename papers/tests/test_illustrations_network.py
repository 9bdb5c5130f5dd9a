import networkx as nx
import numpy as np
import pytest
from matplotlib.collections import LineCollection

from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz
from noneuclid_compare.records import Dataset, Embedded
from noneuclid_papers.illustrations import network

EDGES = np.array(list(nx.balanced_tree(2, 3).edges))
N = int(EDGES.max()) + 1
LABELS = (np.arange(N) % 2).astype(int)
TREE = Dataset("tree", "graph", LABELS, ("even", "odd"), edges=EDGES)


def embedded(points, chart="poincare", curvature=1.0):
    return Embedded(points, chart, LABELS, TREE.class_names, curvature=curvature)


@pytest.fixture
def places():
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, N)
    return 0.9 * np.column_stack([np.cos(angle), np.sin(angle)])


def test_edges_are_geodesics(places):
    drawn = network.draw({"tree/mine": embedded(places)}, {}, None, datasets={"tree": TREE})
    figure, _, rows = drawn["network"]
    (lines,) = (c for c in figure.axes[1].collections if isinstance(c, LineCollection))
    for (first, second), path in zip(EDGES, lines.get_segments(), strict=True):
        assert path[[0, -1]] == pytest.approx(places[[first, second]])
        sheet = charts.convert(path, "poincare", "hyperboloid")
        steps = lorentz.distance(sheet[:-1], sheet[1:])
        # Lengths add up on a geodesic only.
        assert steps.sum() == pytest.approx(lorentz.distance(sheet[0], sheet[-1]))
    nodes = rows[rows["kind"] == "node"]
    assert nodes[["x_disk", "y_disk"]].to_numpy() == pytest.approx(places)
    assert nodes["class"].tolist() == [TREE.class_names[code] for code in LABELS]


@pytest.mark.parametrize("reach", [1e-3, 1.0, 10.0, 25.0])
def test_lines_are_smooth_up_to_the_rim(reach):
    angle = np.random.default_rng(1).uniform(0, 2 * np.pi, 40)
    ends = np.tanh(reach / 2) * np.column_stack([np.cos(angle), np.sin(angle)])
    ends = np.vstack([ends, [[0.0, 0.0]], -ends[:1], ends[:1]])
    edges = np.array([(0, k) for k in range(1, len(ends))])
    lines = network.geodesics(ends, edges)
    assert lines[:, 0] == pytest.approx(ends[edges[:, 0]], abs=1e-6)
    assert lines[:, -1] == pytest.approx(ends[edges[:, 1]], abs=1e-6)
    # On a circle that meets the rim at right angles: |p|² + 1 = 2 p·q, with the same q for all.
    middle, steps = lines[:, 20], np.diff(lines, axis=1)
    for line, step, far in zip(lines, steps, middle, strict=True):
        turn = np.abs(np.diff(np.unwrap(np.arctan2(*step.T[::-1]))))
        if np.linalg.norm(line[0] - line[-1]) > 1e-9:
            assert turn.max() < 0.15
            assert np.linalg.norm(far) < 1


def test_table_has_the_edges_and_the_layout(places):
    drawn = network.draw({"tree/mine": embedded(places)}, {}, None, datasets={"tree": TREE})
    _, text, rows = drawn["network"]
    edges = rows.loc[rows["kind"] == "edge", ["node", "neighbour"]].astype(int)
    assert edges.to_numpy().tolist() == EDGES.tolist()
    nodes = rows.loc[rows["kind"] == "node", ["x", "y"]]
    assert nodes.to_numpy() == pytest.approx(network.layout(TREE))
    assert text.startswith("Tree: 15 nodes, 14 edges.")
    assert "hide" not in text


def test_hidden_nodes_are_counted(places):
    places[1:4] = places[0]
    drawn = network.draw({"tree/mine": embedded(places)}, {}, None, datasets={"tree": TREE})
    assert "15 nodes have 12 places: some markers hide others." in drawn["network"][1]


@pytest.mark.parametrize("chart", ["hyperboloid", "klein"])
def test_the_same_places_in_another_chart_and_curvature(places, chart):
    moved = embedded(charts.convert(places / np.sqrt(2), "poincare", chart, 2.0), chart, 2.0)
    rows = network.draw({"tree/mine": moved}, {}, None, datasets={"tree": TREE})["network"][2]
    assert rows[["x_disk", "y_disk"]].dropna().to_numpy() == pytest.approx(places)


def test_layout_joins_neighbours():
    places = network.layout(TREE)
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    assert apart[tuple(EDGES.T)].mean() < 0.6 * apart[np.triu_indices(N, 1)].mean()
    assert (network.layout(TREE) == places).all()


@pytest.mark.parametrize(
    ("name", "dimension", "message"),
    [
        ("other/mine", 2, "other/mine is no embedding of tree"),
        ("tree/mine", 3, "tree/mine is no embedding of tree in two dimensions"),
    ],
)
def test_other_points_are_refused(name, dimension, message):
    points = {name: embedded(np.zeros((N, dimension)))}
    with pytest.raises(InputError, match=message):
        network.draw(points, {}, None, datasets={"tree": TREE})
    with pytest.raises(InputError, match="give one data set under datasets"):
        network.draw({}, {}, None, datasets={"tree": TREE})


def test_data_without_edges_is_refused(places):
    plain = Dataset("tree", "features", LABELS, ("even", "odd"), features=places)
    with pytest.raises(InputError, match="tree has no edges; name a network"):
        network.draw({"tree/mine": embedded(places)}, {}, None, datasets={"tree": plain})
