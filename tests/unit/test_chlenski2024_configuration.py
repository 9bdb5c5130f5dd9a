"""The Gaussian tables of chlenski2024 as configurations."""

import re
from collections import Counter

import pytest
import yaml
from paper_mirror import ROOT

from noneuclid import configuration, provenance, registry
from noneuclid.contracts import InputError
from noneuclid.datasets import wrapped_normal_mixture


def read(name):
    path = ROOT / f"config/papers/chlenski2024{name}.yaml"
    return configuration.expanded(yaml.safe_load(path.read_text()))


def test_every_cell_of_table_1_has_ten_seeds():
    config = read("")
    cells = Counter()
    for name, entry in config["datasets"].items():
        settings = entry["settings"]
        cells[settings["dimension"], settings["points"]] += 1
        assert re.match(f"gaussian_D{settings['dimension']}_n{settings['points']}_seed", name)
    assert cells == {(d, n): 10 for d in (2, 4, 8, 16) for n in (100, 200, 400, 800)}
    assert config["splits"]["folds"] == 5


@pytest.mark.parametrize("name", ["", "_quick"])
def test_every_mixture_has_two_classes(name):
    config = read(name)
    for dataset, entry in config["datasets"].items():
        seed = provenance.seed_for(config["seed"], dataset)
        try:
            wrapped_normal_mixture.load(entry["settings"], {}, seed)
        except InputError as error:
            pytest.fail(f"{dataset}: {error}")


def test_trees_have_depth_three_and_forests_twelve_trees():
    config = read("")
    for name, method in config["methods"].items():
        settings = method.get("settings", {})
        model = registry.build(method["class"], settings, chart="hyperboloid", random_state=0)
        if "tree" in name or "forest" in name:
            assert model.max_depth == 3
        if "forest" in name:
            assert model.n_estimators == 12


def test_the_quick_one_is_the_same_but_smaller():
    full, quick = read(""), read("_quick")
    assert quick["methods"] == full["methods"]
    assert set(quick["datasets"]) < set(full["datasets"])
    assert quick["report"]["title"].endswith("quick")
