"""Your own data: the recipes of the documentation, and what their loaders import."""

import re
import subprocess
import sys
from pathlib import Path

import yaml

from noneuclid.readers import listing
from noneuclid.registry import load as load_object


def recipes():
    text = (Path(__file__).resolve().parents[2] / "docs/own_data.md").read_text()
    return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.S)]


def test_every_recipe_names_a_loader_and_its_settings():
    entries = [entry for block in recipes() for entry in block["datasets"].values()]
    assert len(entries) >= 6
    for entry in entries:
        module = entry["loader"]
        known = load_object(f"{module}.DEFAULTS")
        assert set(entry["settings"]) <= set(known)
        assert callable(load_object(f"{module}.load"))
        assert "data" in entry["files"]


def test_loaders_import_no_heavy_library_before_they_read():
    modules = "anndata_file, table_file, array_file, graph_file"
    code = f"from noneuclid.datasets import {modules}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert not {"anndata", "h5py", "pandas", "networkx"} & set(done.stdout.split())


def test_listing_is_short():
    assert listing(range(3)) == "0, 1, 2"
    assert listing(range(30), 2) == "0, 1 and 28 more"
    assert listing([]) == "none"
