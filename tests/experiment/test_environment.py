import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines):
    return {normal(name): version for name, version in (line.split("==") for line in lines)}


def requirements(*groups):
    lists = [PROJECT["dependencies"], *(EXTRAS[group] for group in groups)]
    return [line for group in lists for line in group if not line.startswith("noneuclid[")]


CONSTRAINTS = pins((ROOT / "constraints.txt").read_text().split())
# Apart, because the digest of constraints.txt is part of the provenance of results.
DOCS = pins((ROOT / "docs/constraints.txt").read_text().split())


def numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


# Names of conda-forge and bioconda, where they differ from those of pip.
CONDA = {"matplotlib": "matplotlib-base", "seaborn": "seaborn-base", "cvxpy": "cvxpy-base"}
CONDA |= {"snakemake": "snakemake-minimal"}


def test_conda_has_the_packages_of_pip_by_its_own_names():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["channels"] == ["conda-forge", "bioconda", "nodefaults"]
    _, pip, *others = environment["dependencies"]
    wanted = requirements("data", "cells", "report", "workflow", "slurm", "cvxpy")
    bounds = [line.split(">=") for line in wanted]
    assert pip == "pip"
    assert sorted(others) == sorted({f"{CONDA.get(name, name)}>={low}" for name, low in bounds})


def test_the_workflow_asks_for_the_snakemake_of_the_requirements():
    text = (ROOT / "workflow/Snakefile").read_text()
    (low,) = re.findall(r'^min_version\("(.+)"\)$', text, flags=re.M)
    assert f"snakemake>={low}" in EXTRAS["workflow"]


def test_the_catalogue_of_workflows_finds_what_it_asks_for():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["software-stack-deployment"]["conda"]
    assert usage["report"]
    for name in ("README.md", "LICENSE", "config/README.md", "workflow/Snakefile"):
        assert (ROOT / name).is_file()


def test_requirements_are_lower_bounds_alone_which_the_pins_keep():
    assert not CONSTRAINTS.keys() & DOCS.keys()
    for group in EXTRAS:
        known = CONSTRAINTS | (DOCS if group == "docs" else {})
        for line in requirements(group):
            name, low = line.split(">=")
            assert re.fullmatch(r"[\d.]+", low), line
            assert numbers(known[normal(name)]) >= numbers(low), line


def test_a_package_has_one_lower_bound():
    bounds = dict(line.split(">=") for line in requirements(*EXTRAS))
    for line in requirements(*EXTRAS):
        name, low = line.split(">=")
        assert bounds[name] == low


def test_provenance_holds_the_digest_of_the_pins():
    rules = (ROOT / "workflow/rules/common.smk").read_text()
    assert re.search(r'^PINS = provenance.checksum\(.*"constraints.txt"\)', rules, flags=re.M)


def test_no_address_of_a_package_registry_is_committed():
    names = ["constraints.txt", "docs/constraints.txt", "environment.yml", "Makefile"]
    names += ROOT.glob(".github/**/*.yml")
    for name in names:
        assert not re.search(r"https?://|--index|--find-links", (ROOT / name).read_text())
    project = (ROOT / "pyproject.toml").read_text()
    assert set(re.findall(r"https?://([^/\"]+)", project)) == {"example.org"}
    assert not re.search(r"--index|--find-links", project)
