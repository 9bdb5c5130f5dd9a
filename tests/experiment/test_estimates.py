"""What `noneuclid estimate` prints before and after a run."""

import json
import re
from pathlib import Path

import pytest
import yaml

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration
from noneuclid_compare.stages import acquire, estimate

ROOT = Path(__file__).resolve().parents[2]
# Their configurations are the papers' own.
SHIPPED = sorted({*ROOT.glob("config/*.yaml"), *ROOT.glob("config/data/*.yaml")})
OWN = """
datasets: {d: {use: table_file, files: {data: mine.csv}, params: {label: kind}, embeddings: [e]}}
embeddings: {e: {use: lifted_pca}}
methods: {tree: {use: sklearn.tree.DecisionTreeClassifier}}
repeats: 3
baselines: false
report: {title: Mine, metric: accuracy}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "config.yaml").write_text(OWN)
    (tmp_path / "mine.csv").write_text("a,b,kind\n" + "1,2,x\n3,4,y\n" * 10)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys, *words):
    """Stages and methods of the table, and the whole text."""
    estimate.main(list(words))
    text = capsys.readouterr().out
    return dict(re.findall(r"^(\w+) +(\d+ .*)$", text, re.M)), text


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_every_configuration_has_an_estimate(path, tmp_path, capsys):
    rows, _ = printed(capsys, str(path), "--directory", str(tmp_path))
    config = configuration.completed(yaml.safe_load(path.read_text()))
    assert set(config["methods"]) <= set(rows)
    runs = sum(len(methods) for *_, methods in configuration.pairs(config))
    assert rows["train"].split()[0] == str(config["repeats"] * runs)


def test_jobs_memory_and_times_of_a_folder(folder, capsys):
    rows, text = printed(capsys)
    assert rows["train"].split() == ["3", "2000"]
    assert rows["split"].split() == ["3", "500"]
    assert rows["tree"] == "3  no finished job"
    assert "data set d: not read yet, so their MB are defaults" in text
    files, params = json.dumps({"data": "mine.csv"}), json.dumps({"label": "kind"})
    acquire.main(["--name", "d", "--use", "table_file", "--seed", "0", "--files", files,
                  "--params", params, "--output", "results/acquire/d.npz"])  # fmt: skip
    fold = {"search_seconds": 1.0, "fit_seconds": 2.0, "predict_seconds": 1.0}
    record = folder / "results/train/d/e/tree/0.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"folds": [fold] * 5}))
    rows, text = printed(capsys)
    assert rows["train"].split() == ["3", "961"]
    assert rows["tree"] == "3  60 s"
    assert "not read yet" not in text
    # One of two data sets has finished jobs.
    config = yaml.safe_load(OWN)
    config["datasets"]["other"] = config["datasets"]["d"]
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    assert printed(capsys)[0]["tree"] == "6  at least 60 s"


def test_a_missing_file_is_a_note(folder, capsys):
    (folder / "mine.csv").unlink()
    estimate.main([])
    assert "note: datasets/d/files/data" in capsys.readouterr().err


def test_a_broken_configuration_is_one_line(tmp_path):
    (tmp_path / "c.yaml").write_text("a: [")
    with pytest.raises(InputError, match=r"c\.yaml cannot be read"):
        estimate.main([str(tmp_path / "c.yaml")])


def test_a_folder_that_the_run_will_make_has_an_estimate(tmp_path, capsys):
    file = ROOT / "config/data/simulated_cells.yaml"
    rows, _ = printed(capsys, str(file), "--directory", str(tmp_path / "new"))
    assert "logistic" in rows
    assert not (tmp_path / "new").exists()
