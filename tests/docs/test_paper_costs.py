"""The costs in docs/papers.md are those of `noneuclid estimate`."""

import re

import pytest
import yaml
from findings_text import stated
from paper_mirror import ROOT

from noneuclid_compare.config import configuration, dataset_sizes
from noneuclid_compare.jobs import costs
from noneuclid_compare.stages import estimate
from noneuclid_papers.stages import paper

STATED = dict(
    re.findall(r"^\| `(\w+)` \| ([\d.]+) \|$", (ROOT / "docs/papers.md").read_text(), re.M)
)


def test_each_configuration_has_a_cost_or_a_reason():
    assert set(paper.names()) - set(STATED) == {"chlenski2024_wordnet"}
    assert set(STATED) <= set(paper.names())


@pytest.mark.parametrize("name", STATED)
def test_stated_costs_are_the_estimates(name, capsys, tmp_path):
    file = ROOT / f"papers/config/{name}.yaml"
    estimate.main(["--configfile", str(file), "--results", str(tmp_path)])
    (hours,) = re.findall(r"^total: ([\d.]+) core-hours", capsys.readouterr().out, re.M)
    assert abs(float(hours) - float(STATED[name])) <= 0.0051


def test_the_moment_relaxation_as_published_takes_long():
    laws = costs.read_laws(ROOT / "resources/costs.tsv")
    sizes = dataset_sizes.read_sizes(ROOT / "resources/sizes.tsv")
    config = configuration.expanded(
        yaml.safe_load((ROOT / "papers/config/yang2024.yaml").read_text())
    )
    params = {"ball": False, "calibration": "platt", "C": 1}
    hours = {}
    for name in ("krumsiek", "moignard", "paul", "cifar", "fashion-mnist"):
        size = sizes[dataset_sizes.key_of(config["datasets"][name])]
        schemes = ("ovo",) if size.n > 50000 else ("ovr", "ovo")
        methods = [
            {"use": "yang2024_released_moment", "params": params | {"multi_class": scheme}}
            for scheme in schemes
        ]
        # Three values of C: five folds and the kept model.
        fits = [(0.8, 15), (1.0, 3)]
        seconds = [costs.cost(size, method, fits, laws)[0] for method in methods]
        hours[name] = sum(seconds) / 3600
    images = hours.pop("cifar") + hours.pop("fashion-mnist")
    text = stated(
        r"it takes (\d+) core-hours on [^.]*, (\d+) of them on paul, and over (\d+) on CIFAR10"
    )
    assert text[:2] == (f"{sum(hours.values()):.0f}", f"{hours['paul']:.0f}")
    assert 0.9 * images < int(text[2]) < images
