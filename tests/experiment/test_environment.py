import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
# Not part of `make test` and `make run`.
UNPINNED = {"docs"}


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines):
    return {normal(name): version for name, version in (line.split("==") for line in lines)}


def requirements(*groups):
    lists = [PROJECT["dependencies"], *(EXTRAS[group] for group in groups)]
    return [line for group in lists for line in group if not line.startswith("noneuclid[")]


CONSTRAINTS = pins((ROOT / "constraints.txt").read_text().split())


def numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def test_conda_and_pip_users_get_the_same_pins():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    pip = next(d["pip"] for d in environment["dependencies"] if isinstance(d, dict))
    named = pins(line for line in pip if not line.startswith("-"))
    assert named == {name: CONSTRAINTS[name] for name in named}
    wanted = requirements("data", "cells", "report", "workflow", "slurm", "cvxpy", "test")
    assert {normal(line.split(">=")[0]) for line in wanted} <= set(named)


def test_requirements_are_lower_bounds_alone_which_the_pins_keep():
    for line in requirements(*EXTRAS.keys() - UNPINNED):
        name, low = line.split(">=")
        assert re.fullmatch(r"[\d.]+", low), line
        assert numbers(CONSTRAINTS[normal(name)]) >= numbers(low), line


def test_a_package_has_one_lower_bound():
    bounds = dict(line.split(">=") for line in requirements(*EXTRAS))
    for line in requirements(*EXTRAS):
        name, low = line.split(">=")
        assert bounds[name] == low


def test_provenance_holds_the_digest_of_the_pins():
    rules = (ROOT / "workflow/rules/common.smk").read_text()
    assert re.search(r'^PINS = provenance.checksum\(.*"constraints.txt"\)', rules, flags=re.M)


def test_no_address_of_a_package_registry_is_committed():
    names = ["constraints.txt", "environment.yml", "Makefile", *ROOT.glob(".github/**/*.yml")]
    for name in names:
        assert not re.search(r"https?://|--index|--find-links", (ROOT / name).read_text())
    project = (ROOT / "pyproject.toml").read_text()
    assert set(re.findall(r"https?://([^/\"]+)", project)) == {"example.org"}
    assert not re.search(r"--index|--find-links", project)
