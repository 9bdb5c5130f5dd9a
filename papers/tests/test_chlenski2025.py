"""Points of chlenski2025: spaces, the order of labels, and the numbers of the letter."""

import numpy as np
import pytest
from cases import each_of
from findings_text import bench
from paper_mirror import MIRROR, needs_mirror
from scipy import stats
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from test_letter_numbers import check

from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace
from noneuclid_papers.data import chlenski2025_points as points


def network(folder):
    """Files of a network with an isolated pair; the edge list names node 5 first."""
    files = {"graph": folder / "edges", "labels": folder / "labels"}
    files["graph"].write_text("5,2,1\n2,9,1\n9,5,1\n7,9,1\n1,3,1\n7,4,1\n")
    files["labels"].write_text("1,0\n2,1\n3,0\n4,0\n5,2\n7,1\n9,0\n")
    return files


def test_the_component_is_in_the_order_of_the_edge_list(tmp_path):
    labels, ids, adjacency = points.component(network(tmp_path))
    assert ids.tolist() == [5, 2, 9, 7, 4]
    assert labels.tolist() == [2, 1, 0, 1, 0]
    links = {(ids[i], ids[j]) for i, j in zip(*adjacency.nonzero(), strict=True) if i < j}
    assert links == {(5, 2), (2, 9), (5, 9), (9, 7), (7, 4)}
    assert (adjacency != adjacency.T).nnz == 0


def test_labels_get_the_order_of_the_points(tmp_path):
    files = {"graph": tmp_path / "edges", "labels": tmp_path / "labels"}
    draw = np.random.default_rng(0)
    path = draw.permutation(60)
    np.savetxt(files["graph"], np.column_stack([path[:-1], path[1:]]), fmt="%d", delimiter=",")
    table = np.column_stack([np.arange(60), draw.integers(4, size=60)])
    np.savetxt(files["labels"], table, fmt="%d", delimiter=",")
    labels, by_id = table[path, 1], table[:, 1]
    train, test = train_test_split(np.arange(60), test_size=0.2, random_state=11)
    archive = {"y_train": by_id[train], "y_test": by_id[test], "test_idx": test}
    found = points.labels_of(archive, files)
    np.testing.assert_array_equal(found[0], labels[train])
    np.testing.assert_array_equal(found[1], labels[test])
    archive["y_train"], archive["y_test"] = found
    with pytest.raises(InputError, match="not those of the network sorted by id"):
        points.labels_of(archive, files)


def test_rows_that_no_seed_draws_are_refused():
    with pytest.raises(InputError, match="no seed below 5000"):
        points.rows_of(np.array([0, 0]), 3)


def test_rows_lie_on_their_space():
    X = np.array([[4e4, 3e4, 4e4, 0.0, 0.6, 0.9, 7.0]], dtype=np.float32)
    found = points.on_space(X, "H2 S2 E1")
    assert found[0, 0] ** 2 - (found[0, 1:3] ** 2).sum() == pytest.approx(1, abs=1e-6)
    assert np.linalg.norm(found[0, 3:6]) == pytest.approx(1)
    assert found[0, 6] == 7
    assert X[0, 0] == np.float32(4e4)
    with pytest.raises(InputError, match="H2 S2 has 6 columns, the rows 7"):
        points.on_space(X, "H2 S2")


def test_archives_of_another_space_or_other_labels_are_refused(tmp_path):
    X, y = ProductSpace("H2 S2").random_wrapped_normal(9, random_state=0), np.arange(9) % 3
    parts = {"X_train": X[:6], "X_test": X[6:], "y_train": y[:6], "y_test": y[6:]}
    np.savez(tmp_path / "p.npz", **parts)
    np.testing.assert_allclose(points.read_split(tmp_path / "p.npz", "H2 S2").X_test, X[6:])
    with pytest.raises(InputError, match="X_train are not points of S2 H2; give the signature"):
        points.read_split(tmp_path / "p.npz", "S2 H2")
    np.savez(tmp_path / "p.npz", **parts | {"y_train": y[:5]})
    with pytest.raises(InputError, match="6 train rows, 5 labels"):
        points.read_split(tmp_path / "p.npz", "H2 S2")


@needs_mirror
@each_of("name", ("cora", "citeseer"))
def test_repaired_labels_are_those_of_neighbours(name):
    graph, places = MIRROR / "manify/graphs" / name, MIRROR / "manify/product_graphs" / name
    if not places.exists():
        pytest.skip(f"{places} is not in the mirror")
    files = {"graph": graph / f"{name}.edges", "labels": graph / f"{name}.node_labels"}
    for short, signature in points.SIGNATURES.items():
        path = places / f"{short}_0.npz"
        scores = []
        for given in (None, files):
            split = points.read_split(path, signature, given)
            model = KNeighborsClassifier().fit(split.X_train, split.y_train)
            scores.append(model.score(split.X_test, split.y_test))
        assert scores[0] < 0.3
        assert scores[1] > 0.65


def percent(*values):
    """Percentages with one decimal."""
    return [f"{100 * value:.1f}" for value in values]


def test_labels_of_the_letter():
    table = bench("chlenski2025_labels").set_index(["network", "signature"])
    assert (table["by_id"] == 1).all()
    assert (table.loc["polblogs", "in_place"] == 1).all()
    mixed = table.loc[["cora", "citeseer"]]
    low, high = (100 * mixed["in_place"].agg(["min", "max"])).round()
    near = mixed.xs("H", level="signature")
    shipped, right = (
        percent(*near.loc[["cora", "citeseer"], f"points_{name}"])
        for name in ("shipped", "repaired")
    )
    forests = bench("chlenski2025_summary").query("signature == 'H4' and method == 'forest'")
    forests = forests.set_index(["task", "labels"])["accuracy"]
    trees = [
        [f"{forests[name, kind]:.1f}" for name in ("cora", "citeseer")]
        for kind in ("repaired", "shipped")
    ]
    check(
        "chlenski2025",
        f"{low:.0f} to {high:.0f} % of the test rows have the label of their node",
        f"have {' and '.join(shipped)} %, as you print (20.8 and 25.1)",
        f"with those of the nodes {' and '.join(right)} %",
        f"has {' and '.join(trees[0])} % in H4 with the labels of the nodes "
        f"({' and '.join(trees[1])} with those of the files)",
    )


def test_adjacency_of_the_letter():
    table = bench("chlenski2025_labels").groupby("network")[["linked", "misplaced"]]
    low, high = table.min(), table.max()
    assert (low["misplaced"].round(2) == 0.99).all()
    assert (high["misplaced"].round(2) == 1.01).all()
    single = [f"{low.loc[name, 'linked']:.2f}" for name in ("cora", "citeseer")]
    assert single == [f"{high.loc[name, 'linked']:.2f}" for name in ("cora", "citeseer")]
    ends = f"{low.loc['polblogs', 'linked']:.2f} to {high.loc['polblogs', 'linked']:.2f} times"
    check("chlenski2025", f"are {ends} as far", f"Cora has {single[0]}, CiteSeer {single[1]}")


def test_marks_and_errors_of_the_letter():
    table = bench("chlenski2025_tables").fillna({"mark": "", "mark_all": "", "mark_shown": ""})
    half = np.where(table["table"] == "table_3", 5.1e-4, 0.051)
    gaps = [("printed", "mean"), ("printed_error", "standard_error")]
    assert all(((table[a] - table[b]).abs() <= half).all() for a, b in gaps)
    assert ((table["printed_error"] - table["sd"]).abs() > half).all()
    assert (table["mark"] == table["mark_all"]).all()
    other = table.loc[table["mark"] != table["mark_shown"], "dataset"].unique()
    left_out = table.groupby("dataset").apply(
        lambda part: not set(part["best"]) <= set(part["method"]), include_groups=False
    )
    assert set(left_out[left_out].index) == {"Neuron 33", "AdjNoun", "Dolphins", "Karate Club"}
    check(
        "chlenski2025",
        f"All {len(table)} printed means and standard errors",
        f"{', '.join(other[:-1])} and {other[-1]}",
    )
    assert len(other) == 8


def test_midpoints_of_the_letter():
    table = bench("chlenski2025_program").query("task == 'mnist'")
    gain = table["forest_right"] - table["forest_released"]
    half = stats.t.ppf(0.975, len(gain) - 1) * gain.sem()
    means = table.mean(numeric_only=True).map("{:.1f}".format)
    check(
        "chlenski2025",
        f"In {len(table)} draws",
        f"have {means['forest_released']} % so, and {means['forest_right']} %",
        f"{gain.mean():.1f} points more, 95 % interval {gain.mean() - half:.1f} to "
        f"{gain.mean() + half:.1f}",
        f"trees {means['tree_released']} and {means['tree_right']} %",
    )


@needs_mirror
def test_the_loader_keeps_the_split_and_says_which_labels_it_has():
    graph = MIRROR / "manify/graphs/cora"
    files = {"points": MIRROR / "manify/product_graphs/cora/HE_0.npz"}
    network = {"graph": graph / "cora.edges", "labels": graph / "cora.node_labels"}
    shipped = points.load(files, 0, signature="H2 E2", sorted_labels=True)
    repaired = points.load(files | network, 0, signature="H2 E2")
    assert repaired.chart == "H2 E2"
    assert (repaired.fixed_fold == 1).sum() == 497
    assert 0.1 < (shipped.labels == repaired.labels).mean() < 0.3
    assert points.WRONG_ORDER in shipped.about["oddities"]
    assert points.REPAIRED in repaired.about["oddities"]
    with pytest.raises(InputError, match="has 6 columns, the rows 5"):
        points.load(files, 0, signature="H2 S2")


@needs_mirror
def test_rows_are_drawn_from_each_part_of_the_split():
    files = {"points": MIRROR / "manify/product_vae/mnist/0.npz"}
    drawn = points.load(files, 0, signature="S2 E2 H2", n_samples=300, number=4)
    assert np.bincount(drawn.fixed_fold).tolist() == [300, 300]
    whole = points.load(files, 0, signature="S2 E2 H2")
    for part in (0, 1):
        known = {tuple(row) for row in whole.features[whole.fixed_fold == part]}
        assert {tuple(row) for row in drawn.features[drawn.fixed_fold == part]} <= known
