"""The product repeats no fault of a paper: those belong to noneuclid_papers.programs."""

import ast
import inspect

import pytest
from paper_mirror import ROOT

from noneuclid import HyperboloidSVC

SOURCE = ROOT / "src/noneuclid"
LIBRARY = ("geometry", "solvers", "classifiers", "embeddings", "datasets")
MODULES = [path for name in LIBRARY for path in (SOURCE / name).rglob("*.py")]
MODULES += SOURCE.glob("*.py")


def test_hyperboloid_svc_has_at_most_16_parameters():
    parameters = inspect.signature(HyperboloidSVC).parameters
    assert len(parameters) <= 16
    assert not {"start", "extraction", "labels", "variant", "ball"} & set(parameters)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_of_the_library_imports_the_papers(path):
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""]
        assert not [name for name in names if f"{name}.".startswith("noneuclid_papers.programs.")]
