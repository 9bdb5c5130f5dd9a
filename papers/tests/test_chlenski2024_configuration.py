"""The Gaussian tables of chlenski2024 as configurations."""

import re
from collections import Counter

import pandas as pd
import pytest
import yaml
from paper_mirror import ROOT

from noneuclid_compare.config import configuration, load_by_name


def read(name):
    path = ROOT / f"papers/config/chlenski2024{name}.yaml"
    return configuration.expanded(yaml.safe_load(path.read_text()))


def mixtures(config):
    return {name: entry for name, entry in config["datasets"].items() if "gaussian" in name}


def test_every_cell_of_table_1_has_ten_seeds():
    config = read("")
    cells = Counter()
    for name, entry in mixtures(config).items():
        settings = entry["params"]
        cells[settings["n_features"], settings["n_samples"]] += 1
        assert re.match(f"gaussian_D{settings['n_features']}_n{settings['n_samples']}_seed", name)
    assert cells == {(d, n): 10 for d in (2, 4, 8, 16) for n in (100, 200, 400, 800)}
    assert config["splits"]["folds"] == 5


def test_polblogs_has_ten_embeddings_in_each_dimension():
    config, names = read(""), Counter()
    for name, entry in config["datasets"].items():
        if name not in mixtures(config):
            (embedding,) = entry["embeddings"]
            dimension = config["embeddings"][embedding]["params"]["n_components"]
            assert name.startswith(f"polblogs_D{dimension}_n979_")
            names[dimension] += 1
    assert names == dict.fromkeys((2, 4, 8, 16), 10)


FILES = ["chlenski2024", "chlenski2024_quick", "data/neuroseed", "data/wordnet"]


@pytest.mark.parametrize("name", FILES)
def test_every_run_of_the_main_table_has_printed_scores(name):
    path = ROOT / f"papers/config/{name}.yaml"
    config = configuration.expanded(yaml.safe_load(path.read_text()))
    table = pd.read_csv(ROOT / "papers/printed/chlenski2024.tsv", sep="\t", dtype=str)
    places = set(zip(table["table"], table["dataset"], table["variant"], strict=True))
    found = {dataset: set() for dataset in config["datasets"]}
    for entry in config["published"]["tables"]:
        for dataset in config["datasets"]:
            if match := re.fullmatch(entry["datasets"], dataset):
                place = [entry[k].format(**match.groupdict()) for k in ("dataset", "variant")]
                assert (entry["table"], *place) in places
                found[dataset] |= set(entry["methods"])
    compared = {m for block in config["paired_tests"]["blocks"].values() for m in block}
    assert all(compared <= methods for methods in found.values())


@pytest.mark.parametrize("name", ["", "_quick"])
def test_every_mixture_is_one_of_the_paper(name):
    config = read(name)
    for dataset, entry in mixtures(config).items():
        assert entry["use"] == "hyperdt_mixtures"
        assert dataset.endswith(f"_seed{entry['params']['number']:02}")
        assert entry["params"]["number"] in range(10)


@pytest.mark.parametrize("name", ["", "_quick"])
def test_folds_and_fits_have_the_number_of_the_mixture_as_seed(name):
    for entry in mixtures(read(name)).values():
        number = entry["params"]["number"]
        assert (entry["split"]["random_state"], entry["fit_seed"]) == (number, number)


def test_trees_have_depth_three_and_forests_twelve_trees():
    config = read("")
    for name, method in config["methods"].items():
        settings = method.get("params", {})
        model = load_by_name.build(method["use"], settings, chart="hyperboloid", random_state=0)
        if "tree" in name or "forest" in name:
            assert model.max_depth == 3
        if "forest" in name:
            assert model.n_estimators == (100 if name.startswith("loop_") else 12)


def test_the_quick_one_is_the_same_but_smaller():
    full, quick = read(""), read("_quick")
    assert quick["methods"].items() <= full["methods"].items()
    faults = [
        {entry["fault"] for entry in config["published"]["imitations"]} for config in (full, quick)
    ]
    assert faults[1] < faults[0]
    assert set(quick["datasets"]) < set(full["datasets"])
    assert quick["report"]["title"].endswith("quick")


def test_each_size_of_the_quick_one_has_the_papers_ten_mixtures():
    numbers = {}
    for entry in mixtures(read("_quick")).values():
        size = entry["params"]["n_features"], entry["params"]["n_samples"]
        numbers.setdefault(size, []).append(entry["params"]["number"])
    assert numbers == {size: list(range(10)) for size in [(2, 100), (16, 100), (2, 800)]}
