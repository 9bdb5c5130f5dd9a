"""New nodes of a network, which a file of edges joins to known ones."""

from dataclasses import asdict, replace

import networkx
import numpy as np
import pytest
from predicted_points import refused
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from noneuclid import Hydra, PoincareSVC
from noneuclid.embeddings import maps
from noneuclid.embeddings.neighbour_mean import NeighbourMean
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace, charts, lorentz
from noneuclid_compare import io
from noneuclid_compare.embed import original_features
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.models.kept_model import load_model
from noneuclid_compare.records import Dataset
from noneuclid_compare.stages.embed import rule_of

X = lorentz.from_spatial(np.random.default_rng(0).normal(size=(5, 2)))


@pytest.mark.parametrize("curvature", [1.0, 0.25])
def test_a_node_lies_at_the_weighted_mean_of_its_neighbours(curvature):
    points = lorentz.from_spatial(2 * X[:, 1:], curvature)
    rule = NeighbourMean(points=points, chart="hyperboloid", curvature=curvature)
    strengths = np.array([[0, 0, 7.0, 0, 0], [2, 1, 0, 0, 0], [0, 3, 3, 0, 0]])
    found = rule.place(strengths)
    expected = [
        points[2],
        lorentz.geodesic(points[0], points[1], 1 / 3, curvature),
        lorentz.geodesic(points[1], points[2], 1 / 2, curvature),
    ]
    np.testing.assert_allclose(found, expected, atol=1e-7)
    np.testing.assert_array_equal(rule.place(sparse.csr_array(strengths)), found)
    ball = replace(rule, points=charts.convert(points, "hyperboloid", "poincare", curvature))
    found = charts.convert(found, "hyperboloid", "poincare", curvature)
    np.testing.assert_allclose(replace(ball, chart="poincare").place(strengths), found, atol=1e-9)


def test_an_isometry_of_the_nodes_moves_new_nodes_along():
    isometry, strengths = lorentz.boost(X[3]), np.array([[1, 2, 0, 0, 1.0]])
    still = NeighbourMean(points=X, chart="hyperboloid").place(strengths)
    moved = NeighbourMean(points=X @ isometry.T, chart="hyperboloid").place(strengths)
    np.testing.assert_allclose(moved, still @ isometry.T, atol=1e-7)


def test_in_a_product_it_is_the_mean_of_each_factor():
    space = ProductSpace("H2(-0.5) S2 E1")
    points = space.random_wrapped_normal(5, covariances=0.1, random_state=0)
    strengths = np.array([[2, 1, 0, 0, 0], [0, 0, 7.0, 0, 0]])
    found = NeighbourMean(points=points, chart=str(space)).place(strengths)
    third = space.exp_map(points[0], space.log_map(points[0], points[1]) / 3)
    np.testing.assert_allclose(found, [third, points[2]], atol=1e-7)


def test_without_embedding_it_is_the_arithmetic_mean(tmp_path):
    rule = NeighbourMean(points=X, chart="tangent", flat=True, columns=list("abcde"))
    io.write_record(tmp_path / "map.npz", rule)
    rule = io.read_record(tmp_path / "map.npz", maps.restore)
    found = rule.place(np.array([[1, 3, 0, 0, 0.0]]))
    np.testing.assert_allclose(found, [(X[0] + 3 * X[1]) / 4])
    for row, message in [
        ([1.0, 0], "2 columns, but the network has 5 nodes"),
        ([1, -1.0, 0, 0, 0], "row 0, column 1 is -1.0; give a strength"),
        ([1, 0, np.nan, 0, 0], "row 0, column 2 is nan"),
        ([0.0] * 5, "row 0 has no edge to a node"),
    ]:
        with pytest.raises(InputError, match=message):
            rule.place(np.array([row]))


def blocks(seed=0):
    """Adjacency of a stochastic block model of 2 x 60 nodes, and the block of each."""
    graph = networkx.stochastic_block_model([60, 60], [[0.2, 0.02], [0.02, 0.2]], seed=seed)
    assert networkx.is_connected(graph)
    return networkx.to_numpy_array(graph), np.repeat([0, 1], 60)


def network(matrix, labels):
    edges = np.argwhere(np.triu(matrix))
    return Dataset("net", "graph", labels, ("left", "right"), edges=edges)


@pytest.mark.parametrize(("embedding", "loss"), [(Hydra, 0.1), (None, 0.05)])
def test_held_out_nodes_are_labelled_nearly_as_after_a_new_fit(embedding, loss):
    matrix, labels = blocks()
    known = np.arange(120) % 6 > 0

    def points(dataset):
        found = original_features if embedding is None else None
        found = found.embed(dataset, 0) if found else embed(embedding, dataset, 0)
        return found, charts.convert(found.points, found.chart, "tangent")

    def score(X, new):
        scale = X.std(axis=0)
        return LogisticRegression().fit(X / scale, labels[known]).score(new / scale, labels[~known])

    embedded, X = points(network(matrix[np.ix_(known, known)], labels[known]))
    rule = rule_of(Dataset("net", "graph", labels, ()), embedded, "any")
    assert rule.flat == (embedding is None)
    new = rule.place(matrix[np.ix_(~known, known)])
    placed = score(X, charts.convert(new, rule.chart, "tangent"))
    _, refit = points(network(matrix, labels))
    assert score(refit[known], refit[~known]) >= 0.85
    assert placed >= score(refit[known], refit[~known]) - loss


NAMES = [f"n{k}" for k in range(120)]


@pytest.fixture(scope="module")
def model_of(tmp_path_factory):
    """Write a model of the block network; the settings are those of its edges."""
    matrix, labels = blocks()
    embedded = embed(Hydra, network(matrix, labels), 0)
    rule = replace(rule_of(network(matrix, labels), embedded, "hydra"), columns=NAMES)
    estimator = PoincareSVC(chart="hyperboloid", random_state=0)
    content = {
        "estimator": estimator.fit(embedded.points, np.array(["left", "right"])[labels]),
        "chart": "hyperboloid",
        "curvature": 1.0,
        "map": asdict(rule),
    }

    def write(name="m", **settings):
        path = tmp_path_factory.getbasetemp() / f"{name}.skops"
        io.write_model(path, content | {"network": settings})
        return path

    return write


def test_the_command_labels_nodes_of_an_edge_list(predict, model_of, tmp_path):
    path = tmp_path / "new.edges"
    path.write_text("a n1\nn2 a\nb n100\nn1 n2\na b\nb n100\nz y\n")
    found, said = predict(data=path, model=model_of())
    assert found[["sample", "predicted"]].values.tolist() == [["a", "left"], ["b", "right"]]
    for text in (
        "1 edge between known nodes: not used.",
        "2 edges between new nodes: not used.",
        "1 repeated edge: the strongest counts.",
        "No prediction for 2 nodes without an edge to the training network: z, y.",
    ):
        assert text in said
    rows = np.zeros((1, 120))
    rows[0, [1, 2]] = 1
    with pytest.warns(UserWarning, match="have no names"):
        assert load_model(model_of()).predict(rows) == ["left"]
    points = np.array([[0.0, 0.0]])
    assert len(predict("--chart", "poincare", data=points, model=model_of())[0]) == 1


def test_strengths_are_read_as_in_training(predict, model_of, tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("from,to,w\na,n1,9\na,n100,1\n")
    named = {"header": True, "source": "from", "target": "to"}
    strong = predict(data=path, model=model_of("s", similarity="w", **named))[0]
    far = predict(data=path, model=model_of("l", length="w", **named))[0]
    assert (strong["predicted"][0], far["predicted"][0]) == ("left", "right")
    path.write_text("from,to,w\na,n1,0\n")
    refused("edge 'a'-'n1' has w 0; give a positive number", predict, data=path,
            model=model_of("l", length="w", **named))  # fmt: skip
    refused("no edge attribute 'u'; it has: w", predict, data=path,
            model=model_of("l", length="u", **named))  # fmt: skip


def test_a_file_without_new_nodes_or_without_known_ones_is_refused(predict, model_of, tmp_path):
    path = tmp_path / "new.edges"
    path.write_text("n1 n2\n")
    refused("all 2 nodes are of the training network; give new ones", predict, data=path,
            model=model_of())  # fmt: skip
    path.write_text("1 2\n")
    refused(r"none of the new nodes \(1, 2\) has an edge .*such as 'n0'; give", predict, data=path,
            model=model_of())  # fmt: skip
    refused("new.npz holds no edges: .* points of the embedding with --chart NAME", predict,
            data=np.ones((2, 2)), model=model_of())  # fmt: skip
    path.write_text("1\n")
    refused("an edge needs two node names", predict, data=path, model=model_of())
