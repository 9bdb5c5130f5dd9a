"""What the check of a configuration says of illustrations and certificates."""

import re

import pytest
import yaml
from cases import each_of
from paper_mirror import ROOT

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration

SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
SHOWN = ["illustrations", "reference_points"]


@each_of(
    ("keys", "value", "message"),
    [
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
        (["certificates", "C"], [float("inf")], "certificates/C/0: inf is greater than"),
        (["illustrations", "disk"], {}, "illustrations: 'disk' should not be valid"),
    ],
)
def test_wrong_values_are_named(keys, value, message):
    config = yaml.safe_load((ROOT / "papers/tests/config/tiny.yaml").read_text())
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


def test_an_illustration_without_models_needs_none():
    config = yaml.safe_load((ROOT / "papers/tests/config/tiny.yaml").read_text()) | {
        "keep_models": False
    }
    del config["illustrations"]["reference_points"]["models"]
    configuration.check(config, SCHEMA)
