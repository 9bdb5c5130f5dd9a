"""Sizes that are told before a run are those of the data."""

from pathlib import Path

import pytest
import yaml
from paper_mirror import MIRROR, needs_mirror

from noneuclid_compare.config import configuration, dataset_sizes, load_by_name, registry

ROOT = Path(__file__).resolve().parents[2]
KNOWN = dataset_sizes.read_sizes(ROOT / "resources/sizes.tsv")
GENERATED = [
    {"use": name, "params": params}
    for name, params in (
        ("branching_features", {"points": 30, "classes": 3, "dimension": 25}),
        ("hyperbolic_gaussians", {}),
        ("hyperbolic_gaussians", {"classes": 3, "per_class": 7, "dimension": 4}),
        ("hyperdt_mixtures", {"points": 200, "dimension": 4, "number": 3}),
        ("lifted_gaussians", {"classes": 3, "per_class": 9}),
        ("nested_gaussians", {"depth": 2, "branches": 3, "per_class": 4, "dimension": 5}),
        ("popularity_similarity", {"network": 2, "low": 50, "high": 100}),
        ("random_tree", {"nodes": 90}),
        ("simplex_mixture", {"parts": 4, "per_class": 5, "places": [[0], [1, 2]]}),
        ("box_mixture", {"dimension": 3, "per_class": 5, "places": [[0, 0, 0], [1, 1, 1]]}),
        ("uniform_ball", {"points": 60, "dimension": 3, "margin": 0.1}),
        ("wrapped_normal_mixture", {"points": 70, "classes": 3}),
    )
]


def entries():
    """One data set of each loader that the table names, the first of each."""
    found = {}
    for path in sorted(ROOT.glob("config/**/*.yaml")):
        config = configuration.expanded(yaml.safe_load(path.read_text()))
        for entry in config["datasets"].values():
            if dataset_sizes.key_of(entry) in KNOWN:
                found.setdefault(entry["use"], entry)
    # This one embeds its graph.
    marks = {"chlenski2024_polblogs": [pytest.mark.slow]}
    return [pytest.param(entry, id=use, marks=marks.get(use, [])) for use, entry in found.items()]


def loaded(entry):
    files = {role: MIRROR / path for role, path in entry.get("files", {}).items()}
    load = registry.path_of(entry["use"], "load")
    return dataset_sizes.of_dataset(load_by_name.call(load, files, 0, **entry.get("params", {})))


@pytest.mark.parametrize("entry", GENERATED, ids=lambda e: e["use"])
def test_parameters_of_a_generator_give_its_size(entry):
    assert dataset_sizes.of_generator(entry) == loaded(entry)


@pytest.mark.parametrize("name", ["simplex_mixture", "karate", "table_file", "digits_compositions"])
def test_a_size_is_never_guessed(name):
    assert dataset_sizes.of_generator({"use": name}) is None


@needs_mirror
@pytest.mark.parametrize("entry", entries())
def test_the_table_holds_the_sizes_of_the_data(entry):
    assert KNOWN[dataset_sizes.key_of(entry)] == loaded(entry)


def test_other_parameters_are_not_in_the_table():
    entry = {"use": "digits_compositions", "params": {"over": "rows"}}
    config = {"datasets": {"d": entry}, "embeddings": {"e": {"use": "given"}}}
    assert dataset_sizes.expected(config, "d", "e", KNOWN) is None
    config["datasets"]["d"] = {"use": entry["use"]}
    assert dataset_sizes.expected(config, "d", "e", KNOWN) == dataset_sizes.Size(1797, 7, 10)
