import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("own data")]

CONFIG = """
seed: 0
repeats: 1
splits: {scheme: stratified_kfold, folds: 3}
search: {folds: 2, scoring: r2}
datasets:
  fields:
    use: table_file
    files: {data: fields.csv}
    params: {label: harvest, numeric: true}
    embeddings: [lifted_pca]
embeddings:
  lifted_pca: {use: lifted_pca, params: {n_components: 2}}
methods:
  mean: {use: sklearn.dummy.DummyRegressor}
  hyperbolic_tree:
    use: noneuclid.HyperbolicDecisionTreeRegressor
    grid: {max_depth: [1, 4]}
report: {title: Harvests, metric: r2}
"""


def test_numbers_go_through_the_workflow_and_are_predicted(fresh):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(200, 2)) * [5, 1], columns=["rain", "sun"])
    table["harvest"] = 100 + 10 * table["rain"]
    table.to_csv(fresh.folder / "fields.csv", index=False)
    fresh.config.write_text(CONFIG)
    done = fresh.run()
    assert done.returncode == 0, done.stdout + done.stderr

    scores = pd.read_csv(fresh.folder / "results/evaluate/scores.tsv", sep="\t")
    r2 = scores[scores["metric"] == "r2"].groupby("method")["value"].mean()
    assert r2["mean"] < 0.05
    assert r2["hyperbolic_tree"] > 0.8
    assert {"original_ridge", "original_forest_regressor", "original_svr"} < set(r2.index)
    assert r2["original_ridge"] > 0.99
    assert "accuracy" not in set(scores["metric"])
    found = pd.read_csv(fresh.folder / "results/report/tables/pipelines.tsv", sep="\t")
    found = found[found["kind"] == "pipeline"]
    assert found["method"].iloc[0] == "original_ridge"
    assert found["method"].iloc[-1] == "hyperbolic_tree"
    assert "with a numeric target" in (fresh.folder / "results/report/index.html").read_text()

    table.drop(columns="harvest").iloc[:3].to_csv(fresh.folder / "new.csv", index=False)
    model = fresh.folder / "results/models/fields/lifted_pca/hyperbolic_tree.skops"
    command = [sys.executable, "-m", "noneuclid_compare.__main__", "predict", str(model), "new.csv"]
    done = subprocess.run(
        [*command, "--output", "out.tsv"], cwd=fresh.folder, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = pd.read_csv(fresh.folder / "out.tsv", sep="\t")
    assert list(answer.columns) == ["sample", "predicted", "distance", "far"]
    np.testing.assert_allclose(answer["predicted"], table["harvest"][:3], atol=15)
