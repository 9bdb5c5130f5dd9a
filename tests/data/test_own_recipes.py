"""Your own data: the recipes of the documentation, and what their loaders import."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import yaml

from noneuclid_compare.config.signatures import parameters_of
from noneuclid_compare.data.files.arrays import listing

ROOT = Path(__file__).resolve().parents[2]


def recipes():
    text = (ROOT / "docs/own_data.md").read_text()
    return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.S)]


def test_every_recipe_names_a_loader_and_its_parameters():
    entries = [entry for block in recipes() for entry in block["datasets"].values()]
    assert len(entries) >= 6
    for entry in entries:
        assert set(entry["params"]) <= set(parameters_of(entry["use"], "load"))
        assert "data" in entry["files"]


def test_loaders_import_no_heavy_library_before_they_read():
    modules = "anndata_file, table_file, array_file, graph_file"
    code = f"from noneuclid_compare.data.own import {modules}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"anndata", "h5py", "pandas", "networkx"} & set(done.stdout.split())


def test_listing_is_short():
    assert listing(range(3)) == "0, 1, 2"
    assert listing(range(30), 2) == "0, 1 and 28 more"
    assert listing([]) == "none"


def test_the_classifier_of_the_recipes_works():
    text = (ROOT / "docs/add_method.md").read_text()
    known = {}
    exec(re.search(r"```python\n(.*?)```", text, flags=re.S)[1], known)
    rng = np.random.default_rng(0)
    X = np.concatenate([0.1 * rng.normal(size=(20, 2)) + c for c in (0.5, 0.0, -0.5)])
    y = np.repeat(["a", "b", "c"], 20)
    model = known["HalfwayClassifier"]
    assert model(multi_class="ovo").fit(X, y).score(X, y) > 0.95
    assert model().fit(X, y).predict_proba(X).shape == (60, 3)
