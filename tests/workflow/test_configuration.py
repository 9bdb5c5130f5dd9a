import inspect
import re
from pathlib import Path

import pytest
import yaml
from cases import each_of

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration, configuration_checks, load_by_name, registry

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
CONFIGS = sorted([*ROOT.glob("config/**/*.yaml"), *ROOT.glob("tests/config/*.yaml")])


@each_of("path", CONFIGS, ids=lambda path: path.stem)
def test_configuration_is_valid(path):
    configuration_checks.check_keys(path)
    configuration.check(yaml.safe_load(path.read_text()), SCHEMA)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: a is already in line 1; rename one or delete it"),
        ("datasets:\n  - {x: 1, 'x': 2}\n", "line 2: datasets/0/x is already in line 2"),
        ('{"m": {"k": 1,\n "k": 2}}', "line 2: m/k is already in line 1"),
        ("? 1\n: a\n? 1\n: b\n", "line 3: 1 is already in line 1"),
        ("one: &e {x: 1}\ntwo: *e\nthree: [*e, {y: 1, y: 2}]\n", "line 3: three/1/y is already"),
    ],
)
def test_keys_given_twice_are_told(tmp_path, text, message):
    path = tmp_path / "twice.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        configuration_checks.check_keys(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


@each_of("path", CONFIGS, ids=lambda path: path.stem)
def test_every_entry_loads(path):
    config = configuration.expanded(yaml.safe_load(path.read_text()))
    for dataset in config["datasets"].values():
        assert callable(load_by_name.load(registry.path_of(dataset["use"], "load")))
    for embedding in config["embeddings"].values():
        assert callable(load_by_name.load(registry.path_of(embedding["use"], "embed")))
    for name in config["methods"]:
        method = configuration.method_of(config, name)
        estimator = load_by_name.build(method["use"], method["params"])
        assert set(method["grid"]) <= set(inspect.signature(type(estimator)).parameters)


def test_every_method_in_the_first_round_is_in_the_default_configuration():
    default = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    assert len(default["methods"]) >= 11
    assert len(default["datasets"]) >= 6


@each_of(
    ("keys", "value", "message"),
    [
        (["seed"], -1, "seed: -1 is less than the minimum"),
        (["repeats"], 0, "repeats: 0 is less"),
        (["splits", "scheme"], "loo", "splits/scheme: 'loo' is not one of"),
        (
            ["methods", "majority", "use"],
            "DummyClassifier",
            "use: unknown method 'DummyClassifier'",
        ),
        (["methods", "majority", "use"], "a b.C", "majority/use: .* is not a name such as"),
        (["methods", "majority", "chart"], "disk", "chart: 'disk' is not one of"),
        (["datasets", "a b; rm x"], {}, "datasets: 'a b; rm x' is not a name"),
        (["report", "metric"], "acc", "report/metric: 'acc' is not one of"),
        (["search", "scoring"], "f1_marco", "scoring: .* no scorer 'f1_marco'; near: f1_macro"),
        (["report", "sweep"], {"pattern": "n", "line": "sum"}, "sweep/line: 'sum' is not one of"),
        (
            ["report", "sweep"],
            {"pattern": "n", "also": ["acuracy"]},
            "sweep/also/0: 'acuracy' is not one of",
        ),
        (
            ["report", "sweep"],
            {"pattern": "n", "also": ["f1_macro", "train_f1_macro"]},
            "report/sweep/also: train_f1_macro needs training_scores: true",
        ),
        (
            ["report", "sweep"],
            {"pattern": "n", "also": ["train_log_loss"]},
            "sweep/also/0: 'train_log_loss' is not one of",
        ),
        (["report", "sweep"], "(n", r"report/sweep: '\(n' is not a pattern: missing \)"),
        (["report", "sweep"], {"pattern": "("}, r"report/sweep: '\(' is not a pattern"),
        (
            ["datasets", "gaussians", "params", "x"],
            ["y" * 30] * 4000,
            "params: 13[0-9]{4} c",
        ),
        (["report", "sweep"], {}, "report/sweep: 'pattern' is a required property"),
    ],
)
def test_wrong_values_are_named(keys, value, message):
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    place = config
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with pytest.raises(InputError, match=message) as caught:
        configuration.check(config, SCHEMA)
    assert any(re.search(message, line) for line in str(caught.value).splitlines())


def test_mistakes_are_reported_together_and_not_too_many():
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    for k in range(15):
        config["methods"][f"m{k}"] = {"use": f"noneuclid.classifiers.no_{k}.SVC"}
    config["embeddings"]["hydra"]["params"] = {"diameter": "1e-3"}
    with pytest.raises(InputError) as caught:
        configuration.check(config, SCHEMA)
    lines = str(caught.value).splitlines()
    assert lines[0].endswith("'1e-3' is not a number (text in YAML: write 1.0e-3)")
    assert lines[1].startswith("methods/m0/use: unknown method 'noneuclid.classifiers.no_0.SVC'")
    assert len(lines) == 10


@pytest.mark.workflow
def test_default_configuration_plans(fresh):
    fresh.config.write_text((ROOT / "config/config.yaml").read_text())
    outputs = fresh.planned()
    assert "results/report/index.html" in outputs
    assert len(outputs) > 120


@pytest.mark.workflow
def test_cluster_profile_plans(fresh):
    assert len(fresh.planned("--workflow-profile", "workflow/profiles/slurm")) > 30
