"""Configurations whose files the user fetches: they plan once the files are where the heads say."""

import re
import textwrap

import anndata
import numpy as np
import pandas as pd
import pytest
import yaml

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("studies")]


def one_seed(fresh, name):
    """Take a configuration with one sample of each data set; the files that it wants."""
    fresh.config.write_text((fresh.folder / f"papers/config/data/{name}.yaml").read_text())
    text = fresh.config.read_text()
    fresh.config.write_text(text.replace("seed: 10}", "seed: 1}"))
    return yaml.safe_load(text)["datasets"]


def check_plan(fresh, datasets, methods=6):
    done = fresh.run("--dry-run", "--quiet", "rules")
    assert done.returncode == 0, done.stdout + done.stderr
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, flags=re.M))
    assert jobs["train_and_keep"] == str(datasets * methods)
    assert jobs["report"] == "1"


@pytest.mark.slow
def test_wordnet_plans_with_its_files_only(fresh):
    datasets = one_seed(fresh, "wordnet")
    done = fresh.run("--dry-run")
    text = done.stdout + done.stderr
    assert done.returncode != 0
    assert re.search(r"datasets/\w+/files/\w+: there is no file files/\w+\.npy", text)
    (fresh.folder / "files").mkdir()
    for entry in datasets.values():
        for path in entry["files"].values():
            for task in entry["each"].get("task", [""]):
                (fresh.folder / path.format(task=task)).write_text("not read by a plan")
    check_plan(fresh, 11)


@pytest.mark.slow
def test_neuroseed_plans_and_is_read_after_the_steps_of_its_head(fresh, monkeypatch):
    one_seed(fresh, "neuroseed")
    rng = np.random.default_rng(0)
    taxa = ["p__A"] * 1001 + ["p__B"] * 1002 + ["p__rare"] * 1000
    gut = anndata.AnnData(
        np.zeros((1, len(taxa)), np.float32),
        var=pd.DataFrame({"taxonomy_1": pd.Categorical(taxa)}, [f"taxon {i}" for i in range(3003)]),
        varm={
            f"component_embeddings_poincare_{d}": rng.uniform(-0.2, 0.2, size=(3003, d))
            for d in (2, 4, 8, 16)
        },
    )
    monkeypatch.chdir(fresh.folder)
    gut.write_h5ad("americangut.h5ad")
    head = re.findall(r"^#   (?!snakemake)(.*)$", fresh.config.read_text(), flags=re.M)
    exec(textwrap.dedent("\n".join(head)), {})
    check_plan(fresh, 16)
    done = fresh.run("--", "results/acquire/neuroseed_D16_n100_seed01.npz")
    assert done.returncode == 0, done.stdout + done.stderr
    with np.load("results/acquire/neuroseed_D16_n100_seed01.npz", allow_pickle=False) as found:
        assert any(found[name].shape == (100, 16) for name in found.files)
