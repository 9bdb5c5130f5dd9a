import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def test_conda_and_pip_users_get_the_same_pins():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {*project["dependencies"], *project["optional-dependencies"]["dev"]}
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    pip = next(d["pip"] for d in environment["dependencies"] if isinstance(d, dict))
    assert {line for line in pip if not line.startswith("-")} == pinned


def test_every_pin_is_exact_and_agrees_with_the_constraints():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "constraints.txt").read_text().split()
    constraints = {line.split("==")[0].lower().replace("_", "-"): line for line in lines}
    groups = project["optional-dependencies"].values()
    for pin in [*project["dependencies"], *(pin for group in groups for pin in group)]:
        name, version = pin.split("==")
        assert constraints[name.lower()].split("==")[1] == version


def test_no_address_of_a_package_registry_is_committed():
    for name in ("constraints.txt", "pyproject.toml", "environment.yml", "Makefile"):
        assert not re.search(r"https?://|--index|--find-links", (ROOT / name).read_text())
