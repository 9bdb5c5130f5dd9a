import json
from pathlib import Path

import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]


def page_row(run, dataset, embedding):
    """The embedding against the baselines."""
    path = run.folder / "results/report/tables/without_embedding.tsv"
    return pd.read_csv(path, sep="\t").set_index(["dataset", "embedding"]).loc[dataset, embedding]


@pytest.mark.slow
@pytest.mark.workflow
def test_the_default_configuration_runs_to_its_report(fresh):
    text = (ROOT / "config/config.yaml").read_text()
    fresh.config.write_text(text)
    done = fresh.run()
    assert done.returncode == 0, done.stdout + done.stderr
    runs = json.loads((fresh.folder / "results/evaluate/runs.json").read_text())
    # Eight embedded data sets, and three baselines on each of four data sets with features.
    expected = 8 * len(yaml.safe_load(text)["methods"]) + 4 * 3
    assert len(runs) == expected
    assert page_row(fresh, "pbmc68k_reduced", "hydra")["difference"] < 0
    page = (fresh.folder / "results/report/index.html").read_text()
    assert "hyperbolic_forest" in page
    assert len(list(fresh.folder.glob("results/models/*/*/*.skops"))) == expected
