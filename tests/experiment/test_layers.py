import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
GRAPH = grimp.build_graph("noneuclid", cache_dir=None)
LIBRARY, EXPERIMENT = (
    [name for line in contract["layers"] for name in line.split(" | ")]
    for contract in CONTRACTS[:2]
)


def test_few_modules_are_beside_the_folders():
    files = {path.stem for path in (ROOT / "src/noneuclid").glob("*.py")}
    assert files == {"__init__", "errors", "__main__", "compiled", "contracts"}


def test_the_contracts_name_every_folder_and_every_module_beside_them():
    assert {*LIBRARY, *EXPERIMENT} == GRAPH.find_children("noneuclid")
    forbidden = CONTRACTS[2]
    assert set(forbidden["source_modules"]) == set(LIBRARY)
    assert {*forbidden["forbidden_modules"], "noneuclid_compare.__main__"} == set(EXPERIMENT)


def test_the_library_imports_nothing_of_the_experiment():
    for name in LIBRARY:
        found = GRAPH.find_upstream_modules(name, as_package=True)
        assert not {module for module in found if module.startswith(tuple(EXPERIMENT))}


def test_lint_checks_the_contracts():
    assert "\t$(BIN)/lint-imports --no-cache\n" in (ROOT / "Makefile").read_text()
