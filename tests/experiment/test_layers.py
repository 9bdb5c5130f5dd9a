"""The three parts, and the layers in them: lint checks the contracts, which name every folder."""

import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
PARTS, LIBRARY, COMPARISON = (
    {name for line in contract["layers"] for name in line.split(" | ")} for contract in CONTRACTS
)


def test_the_contracts_name_every_part_folder_and_module_beside_them():
    found = [*ROOT.glob("src/*/__init__.py"), *ROOT.glob("papers/src/*/__init__.py")]
    assert {path.parent.name for path in found} == PARTS
    for part, layers in (("noneuclid", LIBRARY), ("noneuclid_compare", COMPARISON)):
        assert layers == grimp.build_graph(part, cache_dir=None).find_children(part)


def test_lint_checks_the_contracts():
    assert "\t$(BIN)/lint-imports --no-cache\n" in (ROOT / "Makefile").read_text()
