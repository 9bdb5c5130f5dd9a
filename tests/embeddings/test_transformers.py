"""Embeddings as scikit-learn transformers: arrays, frames and graphs in, points in a chart out."""

import inspect
import pickle

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from cases import each_of
from fitted_attributes import undocumented
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import noneuclid
from noneuclid.embeddings.base import FEATURES, GRAPH, InductiveEmbedding
from noneuclid.embeddings.product_embedding import InProduct
from noneuclid.embeddings.short_names import TRANSFORMERS
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed import of_dataset
from noneuclid_compare.records import Dataset

CLASSES = [getattr(noneuclid, name) for name in TRANSFORMERS.values()]
IN_CHARTS = [cls for cls in CLASSES if not issubclass(cls, InProduct)]
OF_ROWS = [cls for cls in CLASSES if FEATURES in cls.reads]
INDUCTIVE = [cls for cls in OF_ROWS if issubclass(cls, InductiveEmbedding)]
OF_GRAPHS = [cls for cls in CLASSES if GRAPH in cls.reads]
QUICK = {
    noneuclid.DeepWalk: {"tol": 0.3, "num_walks": 2},
    noneuclid.HyperbolicUMAP: {"n_epochs": 20, "n_neighbors": 5},
    noneuclid.LaBNE: {"gamma": 2.5},
    noneuclid.PoincareEmbedding: {"tol": 0.1},
    noneuclid.PoincareMap: {"max_iter": 200, "n_neighbors": 5},
    noneuclid.ProductEmbedding: {"n_init": 2, "tol": 0.1},
    noneuclid.ProductUMAP: {"n_epochs": 20, "n_neighbors": 5},
    noneuclid.RandomWalkEmbedding: {"tol": 0.3, "num_walks": 2},
    noneuclid.RefinedHydra: {"max_iter": 100},
}
pytestmark = pytest.mark.filterwarnings("ignore:L-BFGS stopped")


def quick(cls, **params):
    if cls is noneuclid.UMAPEmbedding:
        pytest.skip("umap-learn compiles for half a minute; see test_umap.py")
    return cls(**(QUICK.get(cls, {}) | {"random_state": 0} | params))


def rows(n=40, seed=0):
    """Positive rows, for methods of compositions too."""
    return np.random.default_rng(seed).gamma(3.0, size=(n, 4)) * [1.0, 2.0, 3.0, 4.0]


def tree():
    """A tree whose nodes are not in the order of their names."""
    graph = nx.Graph()
    graph.add_nodes_from("fedcba")
    graph.add_edges_from(["ab", "bc", "bd", "ce", "cf"])
    return graph


# One dimension, because some checks have one column; a box, because checks have any numbers.
CHECKED = [
    noneuclid.Hydra(n_components=1, n_neighbors=3),
    noneuclid.HyperbolicUMAP(n_components=1, n_neighbors=3, n_epochs=5),
    noneuclid.LiftedPCA(n_components=1),
    noneuclid.LogRatio(low=-1000.0, high=1000.0),
    noneuclid.LogRatio(),
    noneuclid.PoincareMap(n_components=1, n_neighbors=3, max_iter=20),
    noneuclid.ProductEmbedding("H1", n_init=1, tol=0.1),
    noneuclid.ProductUMAP("H1", n_neighbors=3, n_epochs=5),
    noneuclid.RefinedHydra(n_components=1, n_neighbors=3, max_iter=20),
]


def expected_failures(estimator):
    """Checks that fail on purpose."""
    if isinstance(
        estimator, noneuclid.HyperbolicUMAP | noneuclid.PoincareMap | noneuclid.RefinedHydra
    ):
        # An old row, given again as a new one, joins the graph as a twin of itself, or goes on from
        # where the descent of all rows has stopped.
        reason = "a row given again lands beside its first place"
        return {
            "check_transformer_general": reason,
            "check_transformer_data_not_an_array": reason,
        }
    if isinstance(estimator, noneuclid.LogRatio) and estimator.low is None:
        # The same checks pass in a box.
        reason = "the rows of the check have negative parts, or zeros"
        return {
            "check_estimators_dtypes": reason,
            "check_estimators_fit_returns_self": reason,
            "check_estimators_overwrite_params": reason,
            "check_estimators_pickle": reason,
            "check_n_features_in_after_fitting": reason,
            "check_pipeline_consistency": reason,
            "check_positive_only_tag_during_fit": "zeros are refused, too",
            "check_readonly_memmap_input": reason,
            "check_transformer_data_not_an_array": reason,
            "check_transformer_general": reason,
            "check_transformer_preserve_dtypes": reason,
        }
    return {}


@each_of("estimator", CHECKED, ids=repr)
def test_scikit_learn_checks(estimator):
    results = check_estimator(
        estimator,
        expected_failed_checks=expected_failures(estimator),
        on_fail=None,
        on_skip=None,
    )
    assert {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"} == {}
    assert len(results) > 40


def test_every_transformer_of_rows_is_checked():
    # umap-learn compiles for half a minute: `slow` below.
    assert {type(model) for model in CHECKED} == {*OF_ROWS} - {noneuclid.UMAPEmbedding}


@pytest.mark.slow
@parametrize_with_checks(
    [noneuclid.UMAPEmbedding(n_components=1, n_neighbors=2, random_state=0)],
    expected_failed_checks=lambda estimator: {
        "check_transformer_general": "umap-learn places a row given again by its own descent",
        "check_transformer_data_not_an_array": "umap-learn places a row by its own descent",
        "check_fit_idempotent": "two neighbours: several components, whose start is random",
        "check_pipeline_consistency": "two neighbours: several components, whose start is random",
    },
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_checks_of_umap(estimator, check, request):
    pytest.importorskip("umap", reason="umap-learn is not installed")
    if request.node.get_closest_marker("xfail"):
        pytest.skip("is expected to fail")
    check(estimator)


@each_of("cls", CLASSES)
def test_the_stage_gives_the_points_of_the_transformer(cls):
    if GRAPH in cls.reads:
        data = karate.load({}, 0)
        X = nx.karate_club_graph()
        if cls is noneuclid.TreeEmbedding:
            X = nx.balanced_tree(2, 4)
            data = Dataset("t", "graph", np.arange(31) % 2, ("a", "b"), edges=np.array(X.edges))
    else:
        X, labels = rows(), np.arange(40) % 2
        kind = "composition" if cls is noneuclid.LogRatio else "expression"
        data = Dataset("d", kind, labels, ("a", "b"), features=X)
    model = quick(cls, **({"chart": cls.own_chart} if cls in IN_CHARTS else {}))
    embedded = of_dataset.embed(cls, data, 0, **QUICK.get(cls, {}))
    # Rounding: a product writes its points anew.
    accuracy = 0.0 if cls in IN_CHARTS else 1e-11
    np.testing.assert_allclose(model.fit_transform(X), embedded.points, rtol=0.0, atol=accuracy)
    assert undocumented(model) == set()
    facts = {k: v for k, v in model.report_.items() if k != "seconds"}
    about = embedded.about["embedding"]
    assert {key: about[key] for key in facts} == facts


@each_of("cls", IN_CHARTS)
@each_of("chart", ["hyperboloid", "poincare", "klein", "tangent"])
def test_points_are_written_in_the_chart_asked_for(cls, chart):
    X = tree() if GRAPH in cls.reads else rows()
    points = quick(cls, chart=chart).fit_transform(X)
    charts.check_points(points, chart)
    other = quick(cls).fit_transform(X)
    charts.check_points(other, "poincare")
    np.testing.assert_allclose(charts.convert(points, chart, "poincare"), other, atol=1e-9)


@each_of("cls", CLASSES)
def test_labels_change_nothing(cls):
    X = tree() if GRAPH in cls.reads else rows()
    labels = np.arange(6 if GRAPH in cls.reads else 40) % 2
    one, other = quick(cls).fit_transform(X), quick(cls).fit_transform(X, labels)
    np.testing.assert_array_equal(one, other)


@each_of("cls", CLASSES)
def test_parameters_are_in_the_constructor_and_documented(cls):
    model = cls()
    assert clone(model).get_params() == model.get_params()
    assert model.get_params().get("chart") == ("poincare" if cls in IN_CHARTS else None)
    assert {"fit", "fit_transform", "get_feature_names_out", "set_output"} <= {*dir(cls)}
    assert hasattr(cls, "transform") == issubclass(cls, InductiveEmbedding)
    text = inspect.getdoc(cls)
    for name in inspect.signature(cls).parameters:
        assert f" {name} :" in text or f"\n{name}" in text or f", {name}" in text


@each_of("cls", OF_GRAPHS)
def test_a_graph_is_read_alike_from_networkx_and_from_a_sparse_matrix(cls):
    model = quick(cls).fit(tree())
    assert model.nodes_ == list("fedcba")
    array = nx.to_scipy_sparse_array(tree())
    for matrix in (array, csr_matrix(array), array.tocsc()):
        np.testing.assert_array_equal(quick(cls).fit_transform(matrix), model.embedding_)


def test_nodes_of_an_earlier_fit_are_forgotten():
    model = noneuclid.Hydra(n_neighbors=5).fit(tree())
    assert not hasattr(model.fit(rows()), "nodes_")


@pytest.mark.parametrize("cls", [noneuclid.Hydra, noneuclid.TreeEmbedding])
def test_lengths_of_edges_are_read_when_asked_for(cls):
    graph = tree()
    for k, (u, v) in enumerate(graph.edges):
        graph.edges[u, v]["mm"] = 1.0 + k
    plain = quick(cls).fit_transform(graph)
    np.testing.assert_array_equal(plain, quick(cls).fit_transform(tree()))
    read = quick(cls, edge_lengths="mm").fit_transform(graph)
    assert not np.allclose(read, plain, atol=1e-3)
    matrix = nx.to_scipy_sparse_array(graph, weight="mm")
    np.testing.assert_array_equal(quick(cls, edge_lengths=True).fit_transform(matrix), read)
    np.testing.assert_array_equal(quick(cls).fit_transform(matrix), plain)


@each_of(
    ("graph", "message"),
    [
        (nx.DiGraph([(0, 1)]), r"undirected graphs; give graph.to_undirected\(\)"),
        (nx.MultiGraph([(0, 1), (0, 1)]), r"parallel; give networkx.Graph\(graph\)"),
        (nx.Graph([(0, 1), ("x", "x")]), "an edge joins node 'x' to itself"),
        (nx.empty_graph(3), "a graph of 3 nodes and 0 edges"),
        (csr_array(np.ones((2, 3))), r"shape \(2, 3\) is not a graph; give a square adjacency"),
        (csr_array([[0.0, 1.0], [0.0, 0.0]]), r"is not symmetric; give A.maximum\(A.T\)"),
        (csr_array([[0.0, 2.0], [1.0, 0.0]]), "is not symmetric"),
        (csr_array([[0.0, 1.0], [1.0, 3.0]]), "row 1 of the sparse matrix is joined to itself"),
        (csr_array([[0.0, -1.0], [-1.0, 0.0]]), "has -1.0 at row 0, column 1"),
        (csr_array([[0.0, np.nan], [np.nan, 0.0]]), "has nan at row 0, column 1"),
        (np.ones((3, 3)), "embeds graphs: give a networkx graph or a .* matrix, not ndarray"),
    ],
)
def test_what_is_no_graph_is_refused(graph, message):
    with pytest.raises(InputError, match=message):
        noneuclid.PoincareEmbedding().fit(graph)


@each_of("length", [None, -1.0, np.inf, "far"])
def test_an_edge_without_a_length_is_named(length):
    graph = nx.Graph()
    graph.add_edge("a", "b", mm=1.0)
    graph.add_edge("b", "c", **({} if length is None else {"mm": length}))
    with pytest.raises(InputError, match=r"the edge 'b' - 'c' has mm = .*; give positive"):
        noneuclid.Hydra(edge_lengths="mm").fit(graph)


def test_rows_are_no_graph_and_a_graph_is_no_rows():
    with pytest.raises(InputError, match="LiftedPCA reads rows of features, not a graph"):
        noneuclid.LiftedPCA().fit(tree())
    with pytest.raises(InputError, match="X at row 1, column 2 is NaN"):
        noneuclid.Hydra().fit(np.where(np.arange(12).reshape(3, 4) == 6, np.nan, 1.0))
    with pytest.raises(InputError, match="n_samples = 1; give two rows or more"):
        noneuclid.LiftedPCA().fit([[1.0, 2.0]])
    with pytest.raises(InputError, match="unknown chart 'disk'"):
        noneuclid.LiftedPCA(chart="disk").fit(rows())


@pytest.mark.parametrize("cls", [noneuclid.Hydra, noneuclid.LiftedPCA, noneuclid.LogRatio])
def test_old_rows_keep_their_places(cls):
    X = rows()
    model = quick(cls).fit(X)
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-12)
    np.testing.assert_allclose(model.transform(X[3:5]), model.embedding_[3:5], atol=1e-12)


@each_of("cls", [cls for cls in INDUCTIVE if cls is not noneuclid.UMAPEmbedding])
def test_a_fitted_transformer_survives_pickle(cls):
    model = quick(cls).fit(rows())
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform(rows(5, 1)), model.transform(rows(5, 1)))


def test_logits_of_a_box():
    X = np.random.default_rng(0).uniform(2.0, 3.0, size=(10, 2))
    model = noneuclid.LogRatio(low=2.0, high=[3.0, 4.0], chart="tangent").fit(X)
    expected = np.log((X - 2.0) / ([3.0, 4.0] - X))
    np.testing.assert_allclose(model.embedding_, expected, atol=1e-12)
    with pytest.raises(InputError, match="both or none"):
        noneuclid.LogRatio(low=0.0).fit(X)


def test_frames_come_in_and_go_out():
    frame = pd.DataFrame(rows(), columns=list("wxyz"), index=[f"cell {k}" for k in range(40)])
    model = noneuclid.LiftedPCA().set_output(transform="pandas")
    points = model.fit_transform(frame)
    assert points.columns.tolist() == ["liftedpca0", "liftedpca1"]
    assert points.index.equals(frame.index)
    assert model.feature_names_in_.tolist() == list("wxyz")
    np.testing.assert_array_equal(points, model.embedding_)
    assert model.transform(frame[:3]).index.tolist() == ["cell 0", "cell 1", "cell 2"]
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(frame.rename(columns={"w": "v"}))


def test_polars_frames_are_read():
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame(rows(), schema=list("wxyz"))
    np.testing.assert_array_equal(
        noneuclid.LiftedPCA().fit_transform(frame), noneuclid.LiftedPCA().fit_transform(rows())
    )


def test_a_pipeline_ends_in_a_classifier():
    X, y = rows(60), np.arange(60) % 2
    X[y == 1] += 20.0
    model = make_pipeline(noneuclid.LiftedPCA(), noneuclid.PoincareSVC(chart="poincare"))
    assert model.fit(X, y).score(X, y) == 1.0


def test_a_generator_of_random_numbers_is_taken_and_moves_on():
    state = np.random.RandomState(3)
    model = quick(noneuclid.PoincareEmbedding, random_state=state)
    first, second = model.fit_transform(tree()), model.fit_transform(tree())
    assert not np.array_equal(first, second)


class Halved(noneuclid.LiftedPCA):
    """Somebody's own subclass."""


class Plain:
    """Somebody's own transformer: no more than scikit-learn asks for."""

    chart = "klein"

    def __init__(self, factor=0.1):
        self.factor = factor

    def get_params(self, deep=True):
        return {"factor": self.factor}

    def fit_transform(self, X, y=None):
        assert y is None
        return self.factor * np.tanh(np.asarray(X)[:, :2])


def test_any_transformer_embeds_a_data_set():
    data = Dataset("d", "expression", np.arange(40) % 2, ("a", "b"), features=rows())
    embedded = of_dataset.embed(Plain, data, 0, factor=0.2)
    assert (embedded.chart, embedded.labels is data.labels) == ("klein", True)
    assert embedded.about["embedding"]["settings"] == {"factor": 0.2}
    call = of_dataset.as_function(Plain)
    assert str(inspect.signature(call)) == "(dataset, seed, *, factor=0.1)"
    np.testing.assert_array_equal(call(data, 0, factor=0.2).points, embedded.points)
    own, ours = (of_dataset.embed(cls, data, 0) for cls in (Halved, noneuclid.LiftedPCA))
    np.testing.assert_array_equal(own.points, ours.points)


def test_a_transformer_of_scikit_learn_gives_tangent_vectors():
    from sklearn.decomposition import PCA

    data = Dataset("d", "expression", np.arange(40) % 2, ("a", "b"), features=rows())
    embedded = of_dataset.embed(PCA, data, 0, n_components=2)
    assert embedded.chart == "tangent"
    np.testing.assert_allclose(embedded.points, PCA(2).fit_transform(rows()), atol=1e-12)
    with pytest.raises(InputError, match="PCA cannot embed d"):
        of_dataset.embed(PCA, data, 0, n_components=50)


@each_of(
    ("use", "params", "norms"),
    [
        ("hydra", {}, 135.3543372284663),
        ("hydra", {"n_components": 3, "curvature": 0.5}, 51.65531646803113),
        ("hydra", {"curvature": "auto"}, 114.67662338466893),
        ("labne", {"gamma": 2.5}, 72.82919319713778),
        (
            "poincare_embedding",
            {"n_components": 3, "negative_sample_rate": 4, "max_iter": 40},
            33.153319269644385,
        ),
        ("random_walk", {"num_walks": 3, "window": 2, "max_iter": 20}, 75.41601587982882),
        ("deepwalk", {"row_order": "visits", "max_iter": 20}, 49.76932199761551),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_points_are_those_of_the_first_version(use, params, norms):
    """Sums of norms from version 0.1.0, in the own chart."""
    cls = getattr(noneuclid, TRANSFORMERS[use])
    points = cls(**params, chart=cls.own_chart, random_state=0).fit_transform(
        nx.karate_club_graph()
    )
    vectors = points[:, 1:] if cls.own_chart == "hyperboloid" else points
    # Where other processors round otherwise, a descent of random steps drifts.
    accuracy = 1e-9 if use in ("hydra", "labne") else 1e-4
    assert np.linalg.norm(vectors, axis=1).sum() == pytest.approx(norms, rel=accuracy)


def test_a_dense_matrix_of_distances_is_not_taken_for_features_in_silence():
    points = np.random.default_rng(0).normal(size=(12, 2))
    D = np.linalg.norm(points[:, None] - points, axis=2)
    with pytest.warns(UserWarning, match="looks like a matrix of distances"):
        noneuclid.Hydra(n_neighbors=3).fit(D)
    with pytest.raises(noneuclid.errors.InputError, match="edge_lengths is for graphs"):
        noneuclid.Hydra(edge_lengths=True).fit(D)


@each_of("cls", INDUCTIVE)
def test_values_whose_squares_overflow_are_named(cls):
    X = rows()
    far = X.copy()
    far[3, 1] = -1e200
    message = "row 3, column 1 has -1e.200; distances overflow beyond 1e.150"
    with pytest.raises(InputError, match=message):
        quick(cls).fit(far)
    with pytest.raises(InputError, match=message):
        quick(cls).fit(X).transform(far)
