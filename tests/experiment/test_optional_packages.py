"""The library works with the core packages alone; what needs others names their extra."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cases import each_of

from noneuclid import errors
from noneuclid_compare.__main__ import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
MODULES = PROJECT["tool"]["deptry"]["package_module_name_map"]


def names(requirements):
    found = (re.match(r"[\w-]+", requirement)[0] for requirement in requirements)
    return {name for name in found if name != "noneuclid"}


def modules(requirements):
    return {MODULES.get(name, name.replace("-", "_")) for name in names(requirements)}


OPTIONAL = set().union(*map(modules, EXTRAS.values())) - modules(PROJECT["project"]["dependencies"])
# Runs in a process of its own, in which no optional package can be imported.
BLOCKED = f"""
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {sorted(OPTIONAL)!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Block())
"""
FITS = """
import warnings
from inspect import signature
import numpy as np
import noneuclid
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
y = np.repeat([0, 1, 2], 20)
X = 0.3 * rng.normal(size=(60, 2)) + np.array([[0, 0], [1, 1], [-1, 1]])[y]
settings = {"HilbertSVC": {"chart": "tangent", "tol": 0.1},
            "HilbertNearestClassifier": {"chart": "tangent"}}
fitted = []
for name in noneuclid._MODULE_OF:
    found = getattr(noneuclid, name)
    if not noneuclid._MODULE_OF[name].startswith("classifiers.") or not hasattr(found, "predict"):
        continue
    if getattr(found, "__abstractmethods__", None) or "estimator" in signature(found).parameters:
        continue  # the latter wrap a classifier
    model = found(**settings.get(name, {}))
    if not hasattr(model, "fit") or name == "MarginClassifier":
        continue
    model.fit(X, y).predict(X)
    fitted.append(name)
print(*fitted)
"""
NEEDS = [
    ("noneuclid_compare.data.shipped.karate.load({}, 0)", "data set karate", "networkx", "data"),
    (
        "noneuclid_compare.data.shipped.krumsiek11.load({}, 0)",
        "data set krumsiek11",
        "scanpy",
        "cells",
    ),
    ("noneuclid_compare.data.files.tables.read_table(FILE)", "a table", "pandas", "data"),
    ("noneuclid_compare.data.files.arrays.rows_of_h5ad(FILE)", "an .h5ad file", "anndata", "data"),
    (
        "noneuclid.embeddings.umap.UMAPEmbedding().fit([[0.0, 1.0], [1.0, 0.0]] * 20)",
        "UMAPEmbedding",
        "umap-learn",
        "umap",
    ),
    (
        "noneuclid_compare.embed.hyperbolic_network.require_torch()",
        "embedding hyperbolic_images",
        "torch",
        "images",
    ),
]


def blocked(code):
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED + code], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_every_public_estimator_fits_with_the_core_packages():
    fitted = blocked(FITS).split()
    assert len(fitted) >= 21
    assert {"PoincareSVC", "HyperboloidSVC", "HilbertSVC", "WeberPerceptron"} <= set(fitted)


def test_every_public_name_is_imported_with_the_core_packages():
    assert blocked("import noneuclid\n[getattr(noneuclid, n) for n in noneuclid.__all__]") == ""


@each_of("name", COMMANDS)
def test_help_needs_no_package(name):
    said = blocked(f"from noneuclid_compare.__main__ import run\nrun([{name!r}, '--help'])")
    assert said.startswith(f"usage: noneuclid {name}")


def test_a_command_without_its_packages_names_the_extra():
    code = (
        "from noneuclid_compare.__main__ import run\nfrom noneuclid.errors import MissingPackage\n"
    )
    code += "try:\n    run(['predict', 'm', 'd'])\nexcept MissingPackage as e:\n    print(e)"
    assert blocked(code) == (
        "noneuclid predict needs the package pandas: pip install pandas (extra data of "
        "docs/install.md)\n"
    )


@each_of(("call", "purpose", "package", "extra"), NEEDS)
def test_a_missing_package_is_one_line_with_its_cure(call, purpose, package, extra):
    module = ".".join(part for part in call.partition("(")[0].split(".")[:-1])
    code = (
        f"import {module}\nfrom noneuclid.errors import MissingPackage\nFILE = __FILE__\n"
        f"try:\n    {call}\nexcept MissingPackage as error:\n    print(error)\n"
    ).replace("__FILE__", repr(str(ROOT / "pyproject.toml")))
    wanted = f"{purpose} needs the package {package}: pip install {package} (extra {extra} of "
    wanted += "docs/install.md)\n"
    assert blocked(code) == wanted
    assert package in names(EXTRAS[extra])


def test_a_missing_package_is_bad_input_and_an_import_error():
    with pytest.raises(
        ImportError, match=r"needs the package no_such: pip install no_such \(extra x"
    ):
        errors.require_package("no_such.part", "x", "this")
    assert issubclass(errors.MissingPackage, errors.InputError)


def test_a_broken_package_is_not_called_missing(tmp_path, monkeypatch):
    (tmp_path / "broken_package.py").write_text("import its_own_dependency")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    with pytest.raises(ModuleNotFoundError, match="its_own_dependency") as caught:
        errors.require_package("broken_package", "data", "this")
    assert not isinstance(caught.value, errors.MissingPackage)


def test_every_extra_that_the_code_names_exists():
    sources = [path.read_text() for path in (ROOT / "src").rglob("*.py")]
    asked = [
        found
        for text in sources
        for found in re.findall(r'require_package\(\s*"([\w.]+)", "(\w+)"', text)
    ]
    assert len(asked) >= 10
    for module, extra in asked:
        if module != "math":  # the example of a docstring
            assert module.partition(".")[0] in modules(EXTRAS[extra])
