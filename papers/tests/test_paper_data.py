"""Every data set of the papers: what it holds, and its copies."""

import numpy as np
import pytest
import yaml
from cases import each_of
from paper_mirror import MIRROR, ROOT, needs_mirror
from paper_sets import CONFIG, ENTRIES, SOURCES, in_disk, loaded, names_of, told
from scipy.spatial import cKDTree

from noneuclid.geometry import charts
from noneuclid_compare.config import configuration
from noneuclid_papers.data.formats import codes_for
from noneuclid_papers.data.licences import NON_COMMERCIAL

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


def test_configuration_is_legal_and_lists_every_file():
    configuration.check(CONFIG, ROOT / "workflow/schemas/config.schema.yaml")
    listed = {path for entry in ENTRIES.values() for path in entry["files"].values()}
    assert listed <= set(SOURCES)
    for name in ("cho2019", "cho2019_figure_3"):  # fits, mixtures and networks beyond the mirror's
        paper = yaml.safe_load((ROOT / f"papers/config/{name}.yaml").read_text())
        for entry in configuration.expanded(paper)["datasets"].values():
            listed |= set(entry.get("files", {}).values())
    # A copy of another file, and points without labels, which paul_yang2024 has.
    rest = {path for path in SOURCES if path not in listed}
    paul = next(path for path in SOURCES if path.startswith("PoincareMaps/results/Paul_"))
    # config/data/atlases.yaml and image_archives.yaml, papers/config/cells.yaml
    others = ("atlases/", "images/", "manify/")
    rest = {path for path in rest if not path.startswith(others)}
    assert rest == {"hyperdt/polblogs.mtx", paul}


@needs_mirror
@each_of("name", ENTRIES)
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
@each_of("name", ENTRIES)
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
@each_of("name", FOLDS)
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
@each_of(
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
