"""Every data set of the papers: what it holds, and the traps of its files."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import yaml
from paper_mirror import MIRROR, ROOT, needs_mirror
from scipy.spatial import cKDTree

from noneuclid.contracts import Dataset
from noneuclid.datasets.papers import (
    cho2019_gaussians,
    cho2019_networks,
    cho2019_random_networks,
    network_repository,
    pan2023_embeddings,
    poincare_maps,
    yang2024_points,
)
from noneuclid.datasets.papers.formats import codes_for
from noneuclid.datasets.papers.licences import NON_COMMERCIAL
from noneuclid.datasets.shipped import karate
from noneuclid.errors import InputError
from noneuclid.experiment import configuration, imports, io
from noneuclid.experiment.downloads import read_sources
from noneuclid.experiment.public_names import path_of
from noneuclid.geometry import charts
from noneuclid.stages import acquire

CONFIG = yaml.safe_load((ROOT / "config/data/paper_data.yaml").read_text())
ENTRIES = CONFIG["datasets"]
SOURCES = read_sources(ROOT / "resources/sources.tsv")

IMAGES = [6000] * 10
OLSSON = [13, 59, 33, 95, 28, 59, 14, 18]
OLSSON_BY_NAME = [13, 59, 59, 63, 33, 18, 95, 28, 14]
MOIGNARD = [983, 770, 1005, 552, 624]
KRUMSIEK = [80, 80, 80, 80, 640, 80, 80, 79, 80]
MYELOID = [80, 80, 79, 80, 80, 80, 80, 80]
PAUL = [153, 30, 69, 300, 373, 186, 164, 22, 9, 31, 43, 329, 246, 124, 180, 173, 167, 68, 62]
FOOTBALL = [9, 8, 11, 12, 10, 5, 13, 8, 10, 12, 7, 10]
TOGGLE = [75, 55, 24, 45]
CORA = [285, 406, 726, 379, 214, 131, 344]
# Rows in each class, and the largest norm in the disk (None: not points).
EXPECTED = {
    "cifar_pan2023": (IMAGES, 0.955446),
    "fashion_mnist_pan2023": ([7000] * 10, 0.999),
    "olsson_pan2023": (OLSSON, 0.977108),
    "cifar_yang2024": (IMAGES, 0.955446),
    "fashion_mnist_yang2024": ([7000] * 10, 0.999),
    "olsson_yang2024": (OLSSON, 0.977108),
    "karate_yang2024": ([17, 17], 0.794117),
    "polbooks_yang2024": ([49, 43, 13], 0.975404),
    "football_yang2024": (FOOTBALL, 0.826331),
    "moignard_yang2024": (MOIGNARD, 0.976498),
    "krumsiek_yang2024": (KRUMSIEK, 0.952559),
    "myeloidprogenitors_yang2024": (MYELOID, 0.818752),
    "paul_yang2024": (PAUL, 0.953403),
    "tree_1_yang2024": ([794, 54], 0.997105),
    "tree_2_yang2024": ([1027, 40], 0.996148),
    "tree_3_yang2024": ([1426, 100], 0.995286),
    "karate_1": ([17, 17], 0.79411672),
    "karate_2": ([17, 17], 0.85405779),
    "karate_3": ([17, 17], 0.84633230),
    "karate_graph": ([17, 17], None),
    "polbooks_1": ([49, 43, 13], 0.97540396),
    "polbooks_2": ([49, 43, 13], 0.98726587),
    "polbooks_3": ([49, 43, 13], 0.97127966),
    "polbooks_graph": ([49, 43, 13], None),
    "football_1": (FOOTBALL, 0.82633145),
    "football_2": (FOOTBALL, 0.84065440),
    "football_3": (FOOTBALL, 0.75806958),
    "football_graph": (FOOTBALL, None),
    "polblogs_1": ([588, 636], 0.99998309),
    "polblogs_2": ([588, 636], 0.99995784),
    "polblogs_3": ([588, 636], 0.99998727),
    "polblogs_1_largest": ([586, 636], 0.999599),
    "polblogs_graph": ([586, 636], None),
    "Moignard2015_cells": (MOIGNARD, None),
    "Olsson_cells": (OLSSON_BY_NAME, None),
    "Olsson_wo_HSPC2_cells": ([c for c in OLSSON_BY_NAME if c != 63], None),
    "MyeloidProgenitors_cells": (MYELOID, None),
    "MyeloidProgenitorsInterv_cells": ([80, 80, 79, 32, 80, 80, 80, 80], None),
    "krumsiek11_blobs_cells": (KRUMSIEK, None),
    "ToggleSwitch_cells": (TOGGLE, None),
    "Moignard2015_map": (MOIGNARD, 0.976498),
    "Olsson_map": (OLSSON_BY_NAME, 0.973296),
    "MyeloidProgenitors_map": (MYELOID, 0.818752),
    "krumsiek11_blobs_map": (KRUMSIEK, 0.952559),
    "ToggleSwitch_map": (TOGGLE, 0.767038),
    "ToggleSwitch_2_map": (TOGGLE, 0.721024),
    "ToggleSwitch_3_map": (TOGGLE, 0.757713),
    "polblogs_mtx": ([586, 636], None),
    "polbooks_gml": ([49, 43, 13], None),
    "karate_gml": ([17, 17], None),
    "cora": (CORA, None),
}
FOLDS = {
    "cifar": (50000, 10000),
    "fashion_mnist": (60000, 10000),
    "olsson": (231, 88),
    "karate": (25, 9),
    "polbooks": (78, 27),
    "football": (86, 29),
    "moignard": (2950, 984),
    "krumsiek": (959, 320),
    "myeloidprogenitors": (479, 160),
    "paul": (2046, 683),
}
FEATURES = {"Moignard2015": 42, "Olsson": 532, "Olsson_wo_HSPC2": 532, "ToggleSwitch": 2}


@cache
def loaded(name):
    """Data set of an entry of the configuration."""
    entry = ENTRIES[name]
    files = {role: MIRROR / path for role, path in entry["files"].items()}
    return imports.call(path_of(entry["use"], "load"), files, 7, **entry.get("params", {}))


def in_disk(data):
    return charts.convert(data.features, data.chart, "poincare")


def names_of(data):
    return np.array(data.class_names)[data.labels]


def told(data, text):
    """Whether one of the oddities has the text."""
    return any(text in fact for fact in data.about["oddities"])


def test_configuration_is_legal_and_lists_every_file():
    configuration.check(CONFIG, ROOT / "workflow/schemas/config.schema.yaml")
    listed = {path for entry in ENTRIES.values() for path in entry["files"].values()}
    assert listed <= set(SOURCES)
    # A copy of another file, and points without labels, which paul_yang2024 has.
    rest = {path for path in SOURCES if path not in listed}
    paul = next(path for path in SOURCES if path.startswith("PoincareMaps/results/Paul_"))
    assert rest == {"hyperdt/polblogs.mtx", paul}


@needs_mirror
@pytest.mark.parametrize("name", ENTRIES)
def test_every_data_set_loads(name):
    data = loaded(name)
    counts = np.bincount(data.labels, minlength=len(data.class_names)).tolist()
    norm = np.linalg.norm(in_disk(data), axis=1).max() if data.kind == "points" else None
    assert data.labels.dtype == np.int64
    if name in EXPECTED:
        wanted, wanted_norm = EXPECTED[name]
        assert counts == wanted
        assert norm == (wanted_norm and pytest.approx(wanted_norm, abs=6e-7))
    elif name.startswith("gaussian_"):
        assert counts == [100] * 4
        assert norm < 1
    else:
        assert name.startswith("random_network_")
        assert 50 <= counts[1] <= 100
        assert norm == pytest.approx(0.8912, abs=0.0016)
    if data.kind == "points":
        assert data.features.dtype == np.float64
        points = charts.convert(data.features, data.chart, "hyperboloid")
        charts.check_points(points, "hyperboloid")
        assert points.shape[1] == 3
    if data.edges is not None:
        assert (data.edges[:, 0] < data.edges[:, 1]).all()
        assert len(np.unique(data.edges, axis=0)) == len(data.edges)
        assert data.edges.max() < len(data.labels)


@needs_mirror
@pytest.mark.parametrize("name", ENTRIES)
def test_about_agrees_with_the_table_of_sources(name):
    about = loaded(name).about
    files = [SOURCES[path] for path in ENTRIES[name]["files"].values()]
    for file in files:
        assert set(file.citation.split("; ")) <= set(about["citation"].split("; "))
    assert about["licence"] == files[0].licence
    assert about["source"].removeprefix("https://github.com/") in files[0].url
    assert all(isinstance(fact, str) for fact in about["oddities"])


@needs_mirror
def test_poincare_maps_are_marked_non_commercial():
    copies = {"krumsiek_yang2024", "moignard_yang2024", "myeloidprogenitors_yang2024"}
    maps = {n for n in ENTRIES if n.endswith(("_cells", "_map"))}
    marked = {n for n in ENTRIES if loaded(n).about["licence"] == NON_COMMERCIAL}
    assert marked == copies | maps | {"paul_yang2024"}


@needs_mirror
@pytest.mark.parametrize("name", FOLDS)
def test_the_authors_split(name):
    data = loaded(f"{name}_yang2024")
    assert tuple(np.bincount(data.fixed_fold)) == FOLDS[name]
    assert (np.diff(data.fixed_fold) >= 0).all()


@needs_mirror
def test_only_the_trees_have_no_split():
    without = {n for n in ENTRIES if n.endswith("yang2024") and loaded(n).fixed_fold is None}
    assert without == {"tree_1_yang2024", "tree_2_yang2024", "tree_3_yang2024"}


@needs_mirror
@pytest.mark.parametrize("name", ["cifar", "fashion_mnist", "olsson"])
def test_both_papers_have_the_same_rows(name):
    disk, sheet = loaded(f"{name}_pan2023"), loaded(f"{name}_yang2024")
    assert np.abs(disk.features - in_disk(sheet)).max() < 1e-13
    assert np.array_equal(names_of(disk), names_of(sheet))
    assert np.array_equal(disk.fixed_fold, sheet.fixed_fold)


@needs_mirror
@pytest.mark.parametrize(
    ("copy", "origin"),
    [
        ("karate_yang2024", "karate_1"),
        ("polbooks_yang2024", "polbooks_1"),
        ("football_yang2024", "football_1"),
        ("moignard_yang2024", "Moignard2015_map"),
        ("krumsiek_yang2024", "krumsiek11_blobs_map"),
        ("myeloidprogenitors_yang2024", "MyeloidProgenitors_map"),
    ],
)
def test_class_names_of_a_copy_are_those_of_its_origin(copy, origin):
    copy, origin = loaded(copy), loaded(origin)
    distance, row = cKDTree(origin.features).query(in_disk(copy))
    assert distance.max() < 1e-12
    assert len(np.unique(row)) == len(origin.labels) == len(copy.labels)
    assert np.array_equal(names_of(copy), names_of(origin)[row])
    assert told(copy, "never put one in training and the other in test")


@needs_mirror
def test_paul_is_the_published_map_without_its_root():
    path = next(MIRROR.glob("PoincareMaps/results/Paul_*"))
    published = np.loadtxt(path, delimiter=",")
    distance, row = cKDTree(published).query(in_disk(loaded("paul_yang2024")))
    assert distance.max() < 1e-12
    assert np.setdiff1d(np.arange(2730), row).tolist() == [497]


@needs_mirror
def test_olsson_names_have_the_sizes_of_the_expression_table():
    points, cells = loaded("olsson_pan2023"), loaded("Olsson_wo_HSPC2_cells")
    assert sorted(names_of(points)) == sorted(names_of(cells))
    assert list(points.class_names) != sorted(points.class_names)


@needs_mirror
def test_labels_of_small_unsigned_type_do_not_wrap():
    stored = np.load(MIRROR / "hsvm-relax/karate/y.npy")
    assert stored.dtype == np.uint8
    assert set((2 * stored - 1).tolist()) == {255, 1}
    for name in ("karate_yang2024", "karate_1", "karate_gml", "football_1", "gaussian_001"):
        labels = loaded(name).labels
        assert (2 * labels - 1).min() == -1
        assert labels.max() == len(loaded(name).class_names) - 1


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, np.float64, np.float32])
def test_label_codes_of_any_type(dtype):
    codes = codes_for(np.array([2, 1, 2, 3], dtype=dtype), ("a", "b", "c"), "toy")
    assert codes.dtype == np.int64
    assert codes.tolist() == [1, 0, 1, 2]


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
@pytest.mark.parametrize("name", poincare_maps.TABLES)
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
@pytest.mark.parametrize(
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
        (network_repository, {"name": "polbooks"}, "cora", "no file 'labels' is used"),
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
        imports.call(path_of(entry["use"], "load"), files | {role: broken}, 0, **entry["params"])
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
