"""Held-out edges, the scores that predict them, and the stage and the section that show it."""

import json
from io import StringIO
from pathlib import Path

import jsonschema
import networkx
import numpy as np
import pandas as pd
import pytest
import yaml

from noneuclid import Hydra
from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import configuration_checks
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed import original_features
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.evaluation import inference, link_prediction
from noneuclid_compare.records import Dataset
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.run import Run
from noneuclid_compare.report.sections.link_prediction import SECTION
from noneuclid_compare.report.tables import link_rows
from noneuclid_compare.stages import link_prediction as stage

SCHEMA = Path(__file__).resolve().parents[2] / "workflow/schemas/link_prediction.schema.yaml"
KARATE = karate.load({}, 0)
HYDRA = {"use": "hydra", "params": {"n_components": 2}, "seed": 0}
SPECTRAL = {"use": "original_features", "params": {}, "seed": 0}


def data_of(graph):
    edges = np.array(sorted(tuple(sorted(edge)) for edge in graph.edges()))
    return Dataset("net", "graph", np.arange(len(graph)) % 2, ("a", "b"), edges=edges)


def parts(edges, n):
    graph = networkx.empty_graph(n)
    graph.add_edges_from(edges.tolist())
    return {frozenset(part) for part in networkx.connected_components(graph)}


@pytest.mark.parametrize("graph", [
    networkx.karate_club_graph(),
    networkx.disjoint_union(networkx.cycle_graph(5), networkx.cycle_graph(6)),
    networkx.disjoint_union(networkx.empty_graph(40), networkx.karate_club_graph()),
])  # fmt: skip
def test_other_edges_join_the_same_components(graph):
    edges, n = data_of(graph).edges, len(graph)
    all_pairs = {frozenset(edge) for edge in edges.tolist()}
    for seed in range(5):
        found = link_prediction.hold_out(edges, n, seed)
        held, others = np.split(found.pairs, 2)
        assert len(held) == round(len(edges) / 10) == (~found.training).sum()
        np.testing.assert_array_equal(held, edges[~found.training])
        assert parts(edges[found.training], n) == parts(edges, n)
        drawn = {frozenset(pair) for pair in others.tolist()}
        part_of = {node: part for part in parts(edges, n) for node in part}
        assert all(part_of[a] is part_of[b] for a, b in others.tolist())
        assert len(drawn) == len(others)
        assert drawn.isdisjoint(all_pairs)
        assert found.joined.tolist() == [True] * len(held) + [False] * len(held)


def test_pairs_without_an_edge_are_drawn_uniformly():
    edges, n = data_of(networkx.cycle_graph(6)).edges, 6
    seen = [tuple(link_prediction.hold_out(edges, n, seed).pairs[1]) for seed in range(900)]
    counts = np.unique(seen, axis=0, return_counts=True)[1]
    # Nine pairs, each 100 times with standard deviation 9.4.
    assert len(counts) == 9
    assert (abs(counts - 100) < 4.5 * 9.4).all()


def test_pairs_of_components_of_unlike_sizes_are_drawn_uniformly():
    graph = networkx.disjoint_union(networkx.empty_graph(3), networkx.cycle_graph(4))
    edges = data_of(networkx.disjoint_union(graph, networkx.cycle_graph(5))).edges
    seen = [tuple(link_prediction.hold_out(edges, 12, seed).pairs[1]) for seed in range(700)]
    counts = np.unique(seen, axis=0, return_counts=True)[1]
    # Two diagonals of the square and five of the pentagon, each 100 times with deviation 9.3.
    assert len(counts) == 7
    assert (abs(counts - 100) < 4.5 * 9.3).all()


def test_isolated_nodes_make_nothing_easier():
    """A score that knows only who has edges is one by chance."""
    graph = networkx.disjoint_union(networkx.empty_graph(60), networkx.cycle_graph(60))
    edges = data_of(graph).edges
    held = link_prediction.hold_out(edges, 120, 0)
    degrees = np.bincount(edges.ravel(), minlength=120)
    scores = degrees[held.pairs].min(axis=1)
    assert link_prediction.accuracy(scores, held.joined)["auc"] == 0.5


def test_a_forest_and_a_complete_graph_are_refused():
    with pytest.raises(InputError, match=r"is a forest, so each edge .*; leave link_pred"):
        link_prediction.hold_out(data_of(networkx.path_graph(5)).edges, 5, 0)
    with pytest.raises(InputError, match="join 10 of the 10 pairs of nodes of one component"):
        link_prediction.hold_out(data_of(networkx.complete_graph(5)).edges, 5, 0)


def test_scores_of_edges_are_what_their_definitions_say():
    pairs = np.array([[0, 33], [5, 20], [2, 9], [16, 0]])
    A = networkx.to_numpy_array(networkx.karate_club_graph(), weight=None)
    degrees = A.sum(axis=0)
    beta = 0.1 / np.linalg.eigvalsh(A)[-1]
    expected = {
        "degree product": np.outer(degrees, degrees),
        "common neighbours": A @ A,
        "Adamic-Adar": A @ np.diag([1 / np.log(d) if d > 1 else 0 for d in degrees]) @ A,
        "Katz": np.linalg.inv(np.eye(34) - beta * A) - np.eye(34),
    }
    found = link_prediction.of_edges(KARATE.edges, 34, pairs)
    assert found.keys() == expected.keys()
    for name, matrix in expected.items():
        np.testing.assert_allclose(found[name], matrix[*pairs.T], rtol=1e-9, err_msg=name)


def test_other_numbers_of_the_nodes_change_nothing():
    held = link_prediction.hold_out(KARATE.edges, 34, 0)
    order = np.random.default_rng(1).permutation(34)
    moved = order[KARATE.edges[held.training]], order[held.pairs]
    plain = link_prediction.of_edges(KARATE.edges[held.training], 34, held.pairs)
    for name, scores in link_prediction.of_edges(moved[0], 34, moved[1]).items():
        np.testing.assert_allclose(scores, plain[name], rtol=1e-9)
    for edges, pairs in ((KARATE.edges[held.training], held.pairs), moved):
        data = Dataset("net", "graph", KARATE.labels, ("a", "b"), edges=edges)
        scores = link_prediction.of_points(embed(Hydra, data, 0, n_components=3), pairs)
        if edges is not moved[0]:
            first = scores
    np.testing.assert_allclose(scores, first, rtol=1e-6)


def test_katz_beyond_the_dense_matrices():
    graph = networkx.gnm_random_graph(600, 1500, seed=0)
    A, pairs = networkx.to_numpy_array(graph), np.array([[0, 1], [5, 599], [0, 44]])
    expected = np.linalg.inv(np.eye(600) - 0.1 / np.linalg.eigvalsh(A)[-1] * A)
    found = link_prediction.katz(data_of(graph).edges, 600, pairs)
    np.testing.assert_allclose(found, expected[*pairs.T], rtol=1e-6, atol=1e-15)


def test_accuracy_counts_pairs_in_order():
    rng = np.random.default_rng(0)
    scores, joined = rng.integers(6, size=40).astype(float), np.arange(40) < 20
    gaps = scores[:20, None] - scores[20:]
    found = link_prediction.accuracy(scores, joined)
    assert found["auc"] == pytest.approx(((gaps > 0) + 0.5 * (gaps == 0)).mean())


def scores_of(graph, seeds=3, **entry):
    """Mean AUC of an embedding and of each score of the edges."""
    runs = [stage.run(data_of(graph), {"one": entry}, seed) for seed in range(seeds)]
    found = [run["embeddings"] | run["edges"] for run in runs]
    return {name: np.mean([run[name]["auc"] for run in found]) for name in found[0]}


def test_known_answers():
    by_chance = scores_of(networkx.gnm_random_graph(150, 900, seed=0), **SPECTRAL)
    assert all(abs(value - 0.5) < 0.1 for value in by_chance.values())
    blocks = networkx.stochastic_block_model([40] * 3, 0.29 * np.eye(3) + 0.01, seed=0)
    found = scores_of(blocks, **SPECTRAL | {"params": {"n_components": 3}})
    assert found["one"] > 0.8
    assert found["Katz"] > 0.8
    assert abs(found["degree product"] - 0.5) < 0.15
    # A tree in which each node is also joined to its grandparent.
    tree = networkx.balanced_tree(3, 4)
    parent = dict(networkx.bfs_predecessors(tree, 0))
    tree.add_edges_from([(v, parent[p]) for v, p in parent.items() if p in parent])
    assert scores_of(tree, **HYDRA | {"use": "poincare_embedding"})["one"] > 0.9


def test_points_without_embedding_have_euclidean_distances():
    embedded = original_features.embed(KARATE, 0)
    (found,) = link_prediction.of_points(embedded, np.array([[0, 5]]))
    assert found == pytest.approx(-np.sqrt(((embedded.points[0] - embedded.points[5]) ** 2).sum()))


OWN = """
import numpy as np
from noneuclid_compare.records import Embedded
def embed(dataset, seed):
    np.save("seen.npy", dataset.edges)
    points = np.random.default_rng(seed).normal(size=(dataset.n, 2))
    return Embedded(points, "tangent", dataset.labels, dataset.class_names, about={"embedding": {}})
"""


def written(tmp_path, repeat, **embeddings):
    """Record of the stage."""
    io.write_record(tmp_path / "d.npz", KARATE)
    output = tmp_path / f"link_prediction/karate/{repeat}.json"
    stage.main(
        [
            *("--dataset", str(tmp_path / "d.npz"), "--name", "karate", "--repeat", str(repeat)),
            *("--embeddings", json.dumps(embeddings), "--seed", str(7 + repeat)),
            *("--output", str(output)),
        ]
    )
    return io.read_json(output)


def test_the_embedding_sees_no_held_out_edge(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    record = written(tmp_path, 0, own={"use": "own.py:embed", "params": {}, "seed": 3})
    jsonschema.validate(record, yaml.safe_load(SCHEMA.read_text()))
    held = link_prediction.hold_out(KARATE.edges, 34, 7)
    np.testing.assert_array_equal(np.load("seen.npy"), KARATE.edges[held.training])
    assert (record["training_edges"], record["held_out_edges"]) == (70, 8)
    assert written(tmp_path, 0, own={"use": "own.py:embed", "params": {}, "seed": 3}) == record


def test_rows_have_no_links():
    rows = Dataset("d", "features", np.arange(4) % 2, ("a", "b"), np.ones((4, 2)))
    with pytest.raises(InputError, match="is for networks, and this has kind 'features'; leave"):
        stage.run(rows, {}, 0)
    with pytest.raises(InputError, match="datasets/d/link_prediction: digits has kind 'images'"):
        configuration_checks.check_linked({"use": "digits"}, "datasets/d")
    assert configuration_checks.check_linked({"use": "karate"}, "") is None


def test_the_section_shows_means_and_intervals_over_repeats(tmp_path):
    assert SECTION.entry({"datasets": {"d": {}, "e": {"link_prediction": False}}}) is None
    config = {"datasets": {"karate": {"link_prediction": True}}, "repeats": 2}
    entries = {"link_prediction": SECTION.entry(config)}
    assert SECTION.reads(entries["link_prediction"]) == [
        "link_prediction/karate/0.json", "link_prediction/karate/1.json"
    ]  # fmt: skip
    records = [written(tmp_path, repeat, hydra=HYDRA) for repeat in (0, 1)]
    run = Run(pd.DataFrame(), [], [], [], tmp_path, entries=entries)
    saved = pd.read_csv(StringIO(SECTION.tables(run)["link_prediction.tsv"]), sep="\t")
    assert saved["auc"].is_monotonic_decreasing
    assert len(saved) == 5
    values = np.array([record["embeddings"]["hydra"]["auc"] for record in records])
    row = saved.set_index("score").loc["hydra"]
    assert row["auc"] == pytest.approx(values.mean())
    expected = inference.interval([values], [8 / 70], [1 / 128])
    assert row["high"] == pytest.approx(min(1, expected["high"]))
    single = link_rows.rows(link_rows.table(records[:1]), Names())
    assert {cells[3] for cells in single} == {"–"}
    assert {cells[5] for cells in single} == {"8 of 78"}
    assert {cells[1] for cells in single} >= {"Hydra", "Katz", "Adamic-Adar", "Degree product"}
