import os
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
search: {folds: 2, scoring: accuracy}
datasets:
  wines:
    use: table_file
    files: {data: wines.csv}
    params: {label: kind}
    embeddings: [lifted_pca]
embeddings:
  lifted_pca: {use: lifted_pca, params: {n_components: 2}}
methods:
  poincare_svm: {use: noneuclid.PoincareSVC}
report: {title: Wines, metric: accuracy}
"""


def test_a_table_goes_through_the_workflow_and_new_samples_are_labelled(fresh):
    rng = np.random.default_rng(0)
    kinds = np.repeat(["red", "white", "rosé"], 20)
    table = pd.DataFrame(rng.normal(size=(60, 4)), columns=["acid", "sugar", "salt", "iron"])
    table["acid"] += 5 * (kinds == "red")
    table["sugar"] += 5 * (kinds == "white")
    table["kind"] = kinds
    table.to_csv(fresh.folder / "wines.csv", index=False)
    fresh.config.write_text(CONFIG)
    done = fresh.run()
    assert done.returncode == 0, done.stdout + done.stderr

    # Two of four columns are noise: two principal components lose what the baselines use.
    path = fresh.folder / "results/report/tables/pipelines.tsv"
    found = pd.read_csv(path, sep="\t").set_index("name")
    against = found.loc["Embedding in 2 dimensions against none"]
    assert against["value"] < 0
    best = found[found["kind"] == "pipeline"].iloc[0]
    assert best["embedding"] == "original"
    assert best["value"] > 0.9
    page = (fresh.folder / "results/report/index.html").read_text()
    assert f": {against['shown']}." in page

    # Another table with an older date, as a copy from elsewhere has it.
    file = fresh.folder / "wines.csv"
    before = file.read_bytes()
    table.iloc[::-1].to_csv(file, index=False)
    os.utime(file, (1e9, 1e9))
    assert "results/acquire/wines.npz" in fresh.planned()
    file.write_bytes(before)
    assert fresh.planned() == []

    new = table.drop(columns="kind").iloc[[0, 25, 50]]
    new.iloc[2] = 60.0
    new.to_csv(fresh.folder / "new.csv", index=False)
    model = fresh.folder / "results/models/wines/lifted_pca/poincare_svm.skops"
    done = subprocess.run(
        [sys.executable, "-m", "noneuclid_compare.__main__", "predict", str(model), "new.csv"],
        cwd=fresh.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (fresh.folder / "out.tsv").write_text(done.stdout)
    answer = pd.read_csv(fresh.folder / "out.tsv", sep="\t")
    assert list(answer["predicted"][:2]) == ["red", "white"]
    assert list(answer["far"]) == [False, False, True]
    probabilities = answer.filter(like="p_")
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-5)
