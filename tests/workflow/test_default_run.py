import json
from pathlib import Path

import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]


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
    means = pd.read_csv(fresh.folder / "results/report/tables/scores_by_dataset.tsv", sep="\t")
    means = means[means["dataset"] == "pbmc68k_reduced"].groupby("embedding")["mean"].max()
    assert means["hydra"] < means["original"]
    page = (fresh.folder / "results/report/index.html").read_text()
    assert "hyperbolic_forest" in page
    assert len(list(fresh.folder.glob("results/models/*/*/*.skops"))) == expected
