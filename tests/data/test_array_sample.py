"""Samples of npy and npz files, and the two configurations of chlenski2024 that need the user's."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from paper_mirror import ROOT

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration, load_by_name
from noneuclid_compare.config.registry import path_of
from noneuclid_compare.data.own import array_file, array_sample


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], [60, 39, 1])
    np.save(tmp_path / "x.npy", rng.uniform(-0.5, 0.5, size=(100, 2)))
    np.save(tmp_path / "y.npy", labels)
    return {"data": tmp_path / "x.npy", "labels": tmp_path / "y.npy"}


def test_a_sample_is_rows_of_the_file(files):
    whole = array_file.load(files, 0, chart="poincare")
    found = array_sample.load(files, 1, chart="poincare", n_samples=30)
    assert found.features.shape == (30, 2)
    rows = [np.flatnonzero((whole.features == row).all(axis=1)).item() for row in found.features]
    assert rows == sorted(set(rows))
    names = [whole.class_names[code] for code in whole.labels[rows]]
    assert [found.class_names[code] for code in found.labels] == names
    assert "30 of the 100 rows of the files were drawn." in found.about["oddities"]


def test_groups_are_those_of_the_drawn_rows(files):
    X, y, donor = np.load(files["data"]), np.load(files["labels"]), np.arange(100) // 5
    np.savez(files["data"].with_suffix(".npz"), X=X, y=y, donor=donor)
    found = array_sample.load({"data": files["data"].with_suffix(".npz")}, 1, n_samples=30,
                              groups="donor")  # fmt: skip
    names = [found.group_names[code] for code in found.groups]
    rows = [np.flatnonzero((row == X).all(axis=1)).item() for row in found.features]
    assert names == donor[rows].astype(str).tolist()
    assert found.about["n_groups"] == len({*names}) < 20


def test_seeds_draw_different_rows_and_all_rows_are_the_file(files):
    draws = [array_sample.load(files, seed, n_samples=30).features for seed in (0, 0, 1)]
    np.testing.assert_array_equal(draws[0], draws[1])
    assert not np.array_equal(draws[0], draws[2])
    whole = array_sample.load(files, 0, n_samples=100)
    np.testing.assert_array_equal(whole.features, array_file.load(files, 0).features)


def test_classes_that_were_not_drawn_are_left_out(files):
    sizes = {len(array_sample.load(files, seed, n_samples=30).class_names) for seed in range(20)}
    assert sizes == {2, 3}


def test_rows_are_drawn_again_until_each_class_has_so_many(files):
    for seed in range(20):
        found = array_sample.load(files, seed, n_samples=30, min_samples_per_class=1)
        assert np.bincount(found.labels).tolist()[2] == 1
        again = [text for text in found.about["oddities"] if "draws had fewer" in text]
        plain = array_sample.load(files, seed, n_samples=30)
        assert bool(again) == (len(plain.class_names) < 3)
        if not again:
            np.testing.assert_array_equal(found.features, plain.features)
    with pytest.raises(InputError, match=r"class '2' has fewer than 2 of 30 rows in each of"):
        array_sample.load(files, 0, n_samples=30, min_samples_per_class=2)


def test_too_many_rows(files):
    with pytest.raises(InputError, match="n_samples = 101, but the files have 100"):
        array_sample.load(files, 0, n_samples=101)


@pytest.mark.parametrize("name", ["wordnet", "neuroseed"])
def test_the_configurations_read_files_of_the_stated_form(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = ROOT / f"papers/config/data/{name}.yaml"
    config = configuration.expanded(yaml.safe_load(path.read_text()))
    rng, phyla = np.random.default_rng(0), np.array(["p__A", "p__B"])
    Path("files").mkdir()
    for entry in config["datasets"].values():
        points, codes = rng.uniform(-0.4, 0.4, size=(1200, 2)), rng.integers(2, size=1200)
        data, labels = entry["files"]["data"], entry["files"].get("labels")
        if labels:
            np.save(data, points)
            np.save(labels, codes)
        else:
            np.savez(data, X=points, y=phyla[codes])
        paths = {role: Path(path) for role, path in entry["files"].items()}
        found = load_by_name.call(path_of(entry["use"], "load"), paths, 0, **entry["params"])
        assert len(found.labels) == entry["params"]["n_samples"]
        assert (found.kind, found.chart, len(found.class_names)) == ("points", "poincare", 2)
