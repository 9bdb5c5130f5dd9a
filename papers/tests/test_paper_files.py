"""The files of the papers' data sets: their traps, and files that do not fit together."""

import json
from pathlib import Path

import numpy as np
import pytest
from cases import each_of
from paper_mirror import MIRROR, needs_mirror
from paper_sets import ENTRIES, SOURCES, loaded, names_of, told

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import load_by_name
from noneuclid_compare.config.registry import path_of
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.records import Dataset
from noneuclid_compare.stages import acquire
from noneuclid_papers.data import (
    cho2019_gaussians,
    cho2019_networks,
    cho2019_random_networks,
    network_repository,
    pan2023_embeddings,
    poincare_maps,
    yang2024_points,
)

FEATURES = {"Moignard2015": 42, "Olsson": 532, "Olsson_wo_HSPC2": 532, "ToggleSwitch": 2}


@needs_mirror
def test_reference_points_are_kept_beside_the_data():
    cifar = loaded("cifar_pan2023")
    points = np.array(cifar.about["reference_points"])
    assert points.shape == (10, 2)
    assert np.array_equal(points[3], points[5])
    assert told(cifar, "dog and cat share one reference point")
    assert not told(loaded("olsson_pan2023"), "share one reference point")
    stored = np.load(MIRROR / "PoincareLinearClassification/olsson_reference_points_gt.npy")
    assert np.array_equal(loaded("olsson_pan2023").about["reference_points"], stored)


@needs_mirror
def test_boundary_points_of_the_gaussians_are_counted():
    far = {n: loaded(n).about["oddities"][-1] for n in ENTRIES if n.startswith("gaussian_")}
    counted = {n: int(t.split(": ")[1][:-1]) for n, t in far.items() if "0.999 or more" in t}
    assert counted == {"gaussian_002": 2, "gaussian_024": 1, "gaussian_030": 22}


@needs_mirror
@pytest.mark.parametrize("run", [1, 2, 3])
def test_the_lonely_pair_of_polblogs(run):
    files = {"network": MIRROR / f"hyplinear/realnet/polblogs_data_{run}.mat"}
    whole = loaded(f"polblogs_{run}")
    largest = cho2019_networks.load(files, 0, name="polblogs", keep="largest")
    assert np.array_equal(np.delete(whole.features, [148, 518], axis=0), largest.features)
    assert np.array_equal(np.delete(whole.labels, [148, 518]), largest.labels)
    assert len(whole.edges) - len(largest.edges) == 1
    assert np.linalg.norm(whole.features[[148, 518]], axis=1).min() > 0.9999
    assert told(whole, "Rows 148, 518 (from 0)")
    assert told(whole, "are kept")
    assert told(largest, "are left out")


@needs_mirror
def test_karate_from_three_places_is_one_network():
    shipped = karate.load({}, 0)
    for name in ("karate_graph", "karate_gml", "karate_1"):
        data = loaded(name)
        assert {*map(tuple, data.edges)} == {*map(tuple, np.sort(shipped.edges, axis=1))}
        assert np.array_equal(names_of(data), names_of(shipped))


@needs_mirror
@pytest.mark.parametrize(("graph", "network"), [("polblogs", "polblogs_1"), ("polbooks", None)])
def test_graph_files_agree_with_the_adjacency_of_cho2019(graph, network):
    entry = ENTRIES[{"polblogs": "polblogs_mtx", "polbooks": "polbooks_gml"}[graph]]
    files = {role: MIRROR / path for role, path in entry["files"].items()}
    linked = network_repository.load(files, 0, name=graph, keep="linked")
    other = loaded(network or "polbooks_graph")
    assert np.array_equal(linked.edges, other.edges)
    assert np.array_equal(names_of(linked), names_of(other))


@needs_mirror
@pytest.mark.parametrize(
    ("keep", "nodes", "edges"),
    [("all", 1490, 16715), ("linked", 1224, 16715), ("largest", 1222, 16714)],
)
def test_polblogs_counts(keep, nodes, edges):
    folder = MIRROR / "manify/graphs/polblogs"
    files = {"graph": folder / "polblogs.mtx", "labels": folder / "polblogs_labels.tsv"}
    data = network_repository.load(files, 0, name="polblogs", keep=keep)
    assert (len(data.labels), len(data.edges)) == (nodes, edges)
    assert told(data, "1490 nodes, 266 of them without an edge, and 19025 entries, 3 of them self")
    if keep == "all":
        assert np.bincount(data.labels).tolist() == [758, 732]


@needs_mirror
def test_cora_counts():
    files = {role: MIRROR / path for role, path in ENTRIES["cora"]["files"].items()}
    data = network_repository.load(files, 0, name="cora", keep="all")
    assert np.bincount(data.labels).tolist() == [298, 418, 818, 426, 217, 180, 351]
    assert len(data.edges) == 5278
    assert len(loaded("cora").labels) == 2485


@needs_mirror
@each_of("name", poincare_maps.TABLES)
def test_expression_tables(name):
    cells = loaded(f"{name}_cells")
    has_root = name not in ("Moignard2015", "Olsson", "Olsson_wo_HSPC2")
    assert cells.features.shape[1] == FEATURES.get(name, 11)
    assert told(cells, "Class root (1 of its rows) is left out.") == has_root
    if has_root:
        files = {"expression": MIRROR / ENTRIES[f"{name}_cells"]["files"]["expression"]}
        whole = poincare_maps.load(files, 0, name=name, drop_classes=[])
        assert len(whole.labels) == len(cells.labels) + 1 == poincare_maps.TABLES[name][1]
        assert (names_of(whole) == "root").sum() == 1


@needs_mirror
@pytest.mark.parametrize(("low", "high"), [(20, 50), (50, 100), (100, 200)])
def test_labels_of_random_networks(low, high):
    entry = ENTRIES["random_network_1"]
    files = {role: MIRROR / path for role, path in entry["files"].items()}
    draws = [
        cho2019_random_networks.load(files, seed, label=k, low=low, high=high)
        for k, seed in [(0, 3), (1, 3), (0, 4), (0, 3)]
    ]
    labels = [tuple(draw.labels) for draw in draws]
    assert labels[0] == labels[3]
    assert len(set(labels)) == 3
    for draw in draws:
        tagged = np.flatnonzero(draw.labels)
        assert low <= len(tagged) <= high
        # Each tagged node but the first has it from a tagged one with a smaller number.
        passed = draw.edges[np.isin(draw.edges, tagged).all(axis=1)]
        assert np.array_equal(np.unique(passed[:, 1]), tagged[1:])


@needs_mirror
@each_of(
    ("loader", "settings", "roles", "message"),
    [
        (
            yang2024_points,
            {"name": "nope"},
            "karate_yang2024",
            "name = 'nope'; give one of cifar, ",
        ),
        (yang2024_points, {"name": None}, "karate_yang2024", "name = None; give one of cifar, "),
        (
            yang2024_points,
            {"name": "paul"},
            "karate_yang2024",
            "have 2 classes, not 19; setting name",
        ),
        (cho2019_networks, {"name": "karate"}, "football_1", "have 12 classes, not 2; "),
        (cho2019_networks, {"name": "karate", "keep": "linked"}, "karate_1", "keep = 'linked'"),
        (cho2019_networks, {"name": "karate"}, "gaussian_001", "no file for 'network'"),
        (cho2019_gaussians, {}, "karate_1", "no file for 'points'"),
        (pan2023_embeddings, {"name": "olsson"}, "cifar_pan2023", "reference points have shape"),
        (network_repository, {"name": "polbooks"}, "cora", "a file for 'labels' is not read"),
        (poincare_maps, {"name": "Olsson"}, "ToggleSwitch_map", "Olsson has 382 cells, the files "),
        (
            poincare_maps,
            {"name": "Olsson", "drop_classes": ["root"]},
            "Olsson_map",
            "no class 'root' to drop; classes: Eryth, Gran",
        ),
        (cho2019_random_networks, {"low": 60}, "random_network_1", "high = 50; give an integer"),
    ],
)
def test_what_does_not_fit_together_is_refused(loader, settings, roles, message):
    files = {role: MIRROR / path for role, path in ENTRIES[roles]["files"].items()}
    with pytest.raises(InputError) as caught:
        loader.load(files, 0, **settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@needs_mirror
def test_a_split_of_another_set_is_refused():
    files = {role: MIRROR / path for role, path in ENTRIES["tree_1_yang2024"]["files"].items()}
    files["split"] = MIRROR / "hsvm-relax/karate/karate_poincare_embedding.npz"
    with pytest.raises(InputError, match="does not hold the rows of the points file"):
        yang2024_points.load(files, 0, name="tree_1")


@needs_mirror
@pytest.mark.parametrize(
    "name", ["olsson_yang2024", "karate_1", "Olsson_map", "cora", "karate_gml"]
)
def test_a_truncated_file_is_one_line(name, tmp_path):
    entry = ENTRIES[name]
    files = {role: MIRROR / path for role, path in entry["files"].items()}
    role = next(iter(files))
    broken = tmp_path / files[role].name
    broken.write_bytes(files[role].read_bytes()[: files[role].stat().st_size // 2] + b"\0,x[")
    with pytest.raises(InputError) as caught:
        load_by_name.call(
            path_of(entry["use"], "load"), files | {role: broken}, 0, **entry["params"]
        )
    assert broken.name in str(caught.value)
    assert "\n" not in str(caught.value)


@needs_mirror
def test_acquire_keeps_everything(tmp_path):
    entry = ENTRIES["olsson_pan2023"]
    files = json.dumps({r: str(MIRROR / p) for r, p in entry["files"].items()})
    output = tmp_path / "olsson.npz"
    arguments = [
        "--name",
        "olsson",
        "--use",
        entry["use"],
        "--params",
        '{"name": "olsson"}',
    ]
    acquire.main([*arguments, "--files", files, "--seed", "0", "--output", str(output)])
    kept, data = io.read_record(output, Dataset), loaded("olsson_pan2023")
    assert np.array_equal(kept.features, data.features)
    assert np.array_equal(kept.fixed_fold, data.fixed_fold)
    assert kept.about["reference_points"] == data.about["reference_points"]
    assert kept.about["checksums"]["embedding"] == SOURCES[entry["files"]["embedding"]].sha256


@needs_mirror
def test_acquire_refuses_an_altered_file(tmp_path):
    entry = ENTRIES["olsson_pan2023"]
    path = entry["files"]["embedding"]
    files = {role: str(MIRROR / p) for role, p in entry["files"].items()}
    altered = tmp_path / "altered.npz"
    altered.write_bytes(Path(files["embedding"]).read_bytes() + b"x")
    arguments = ["--name", "olsson", "--use", entry["use"], "--seed", "0"]
    arguments += ["--params", json.dumps({"name": "olsson"}), "--output", str(tmp_path / "o.npz")]
    arguments += ["--checksums", json.dumps({"embedding": SOURCES[path].sha256})]
    acquire.main([*arguments, "--files", json.dumps(files)])
    with pytest.raises(InputError, match="the file was altered; delete it if it was fetched"):
        acquire.main([*arguments, "--files", json.dumps(files | {"embedding": str(altered)})])
