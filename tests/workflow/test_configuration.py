import inspect
import re
from pathlib import Path

import pytest
import yaml

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration, configuration_checks, load_by_name, registry

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
SHOWN = ["illustrations", "reference_points"]
CONFIGS = sorted([*ROOT.glob("config/**/*.yaml"), *ROOT.glob("tests/config/*.yaml")])


@pytest.fixture(params=CONFIGS, ids=lambda path: path.stem)
def config(request):
    return yaml.safe_load(request.param.read_text())


def test_configuration_is_valid(config):
    configuration.check(config, SCHEMA)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_no_key_is_given_twice(path):
    configuration_checks.check_keys(path)


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


def test_every_entry_loads(config):
    config = configuration.expanded(config)
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


@pytest.mark.parametrize(
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
        ([*SHOWN, "points"], ["x"], "reference_points/points/0: 'x' is not data set/embedding"),
        ([*SHOWN, "points"], ["x/y"], "unknown data set 'x'; known: karate"),
        ([*SHOWN, "points"], ["gaussians/y"], "unknown embedding of gaussians 'y'"),
        ([*SHOWN, "models"], ["gaussians/given/z"], "unknown method of gaussians 'z'"),
        (["keep_models"], False, "reference_points: `models` need keep_models: true"),
        ([*SHOWN, "datasets"], ["karate"], "points: reference_points takes no `datasets`; leave"),
        ([*SHOWN, "fold"], 0, "points: reference_points draws no fold; leave the key `fold` out"),
        ([*SHOWN, "params"], {"datasets": []}, "params: move `datasets` out of `params`"),
        ([*SHOWN, "params"], {"folds": {}}, "params: move `folds` out of `params`: `fold`"),
        ([*SHOWN, "use"], "network", "points: the key `datasets` is missing; network needs it"),
        ([*SHOWN, "use"], "noneuclid.illustrations.x", "unknown illustration 'noneuclid.ill"),
        ([*SHOWN, "params"], {"class": 1}, "unknown parameter 'class'; known: classes"),
        (["illustrations", "disk"], {}, "illustrations: 'disk' should not be valid"),
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


@pytest.mark.parametrize(
    ("split", "fold", "known"),
    [({}, 5, "5 folds; give 0 to 4"), ({"scheme": "fixed"}, 1, "1 fold; give 0$"), ({}, 4, None)],
)
def test_a_fold_that_is_drawn_must_exist(split, fold, known):
    config = yaml.safe_load((ROOT / "papers/config/yang2024.yaml").read_text())
    config["illustrations"]["boundaries"]["fold"] = fold
    config["datasets"]["gaussian_1"]["split"] |= split
    if known is None:
        configuration.check(config, SCHEMA)
        return
    with pytest.raises(InputError, match=f"boundaries/fold: gaussian_1 has {known}"):
        configuration.check(config, SCHEMA)


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ("datasets/ball", "loader", "use"),
        ("datasets/ball", "settings", "params"),
        ("embeddings/hydra", "module", "use"),
        ("methods/tree", "class", "use"),
        ("illustrations/reference_points", "module", "use"),
        ("certificates/solvers/moment", "points", "max_points"),
    ],
)
def test_keys_by_their_old_names_are_refused_with_the_new_one(place, old, new):
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    entry = config
    for key in place.split("/"):
        entry = entry[key]
    entry[old] = entry.pop(new)
    with pytest.raises(InputError) as caught:
        configuration.check(config, SCHEMA)
    assert str(caught.value) == f"{place}: the key `{old}` is now `{new}` (config/README.md)"


def test_an_illustration_without_models_needs_none():
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text()) | {"keep_models": False}
    del config["illustrations"]["reference_points"]["models"]
    configuration.check(config, SCHEMA)


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
