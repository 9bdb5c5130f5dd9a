"""The costs in docs/papers.md are those of `noneuclid estimate`."""

import re

import pytest
from findings_text import FINDINGS
from paper_mirror import ROOT

from noneuclid.stages import estimate, paper

STATED = dict(
    re.findall(r"^\| `(\w+)` \| ([\d.]+) \|$", (ROOT / "docs/papers.md").read_text(), re.M)
)


def test_each_configuration_has_a_cost_or_a_reason():
    assert set(paper.names()) - set(STATED) == {"chlenski2024_wordnet"}
    assert set(STATED) <= set(paper.names())


@pytest.mark.parametrize("name", STATED)
def test_stated_costs_are_the_estimates(name, capsys, tmp_path):
    file = ROOT / f"config/papers/{name}.yaml"
    estimate.main(["--configfile", str(file), "--results", str(tmp_path)])
    (hours,) = re.findall(r"^total: ([\d.]+) core-hours", capsys.readouterr().out, re.M)
    assert abs(float(hours) - float(STATED[name])) <= 0.0051


def test_missing_runs_have_the_same_cost():
    table = FINDINGS[FINDINGS.index("| run | gives | core-hours |") :].split("\n\n")[0]
    found = re.findall(r"^\| (`\w+`.*?) \| .* \| ([\d.]+) \|$", table, re.M)
    assert found
    for run, hours in found:
        names = re.findall(r"`(\w+)`", run)
        assert float(hours) == round(sum(float(STATED[name]) for name in names), 1)
