import io
import json
import runpy
import shutil
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import each_of

SCRIPT = Path(__file__).resolve().parents[1] / "compare_results.py"
RECORD = {"class": "noneuclid.classifiers.poincare_svm.PoincareSVC", "seed": 7, "digest": "0a"}
RECORD["folds"] = [{"fit_seconds": 0.5, "objective": 1 / 3, "gap": None}]
SCORES = np.array([[0.1, np.nan], [1.0, 1e300]])
ROWS = [["tree", "accuracy", 0.1], ["tree", "fit_seconds", 3.0], ["svm", "accuracy", 2 / 3]]


@pytest.fixture
def folders(tmp_path):
    """Two equal results folders."""
    a = tmp_path / "a"
    (a / "train").mkdir(parents=True)
    np.savez(a / "train/0.npz", scores=SCORES, values="[1]")
    (a / "train/0.json").write_text(json.dumps(RECORD))
    table = pd.DataFrame(ROWS, columns=["method", "metric", "value"])
    table.to_csv(a / "scores.tsv", sep="\t", index=False)
    table.to_parquet(a / "scores.parquet")
    return a, shutil.copytree(a, tmp_path / "b")


MAIN = runpy.run_path(SCRIPT)["main"]


def compare(a, b):
    text = io.StringIO()
    with redirect_stdout(text):
        status = MAIN([str(a), str(b)])
    return status, text.getvalue()


def record(folder, **changes):
    (folder / "train/0.json").write_text(json.dumps(RECORD | changes))


def test_equal_folders(folders):
    status, text = compare(*folders)
    assert status == 0
    assert "4 files compared, 0 differences" in text
    assert "excepted: " in text


def test_times_memory_and_digests_are_excepted(folders):
    a, b = folders
    record(b, digest="0b", folds=[RECORD["folds"][0] | {"fit_seconds": 9.0}], peak_memory_mb=1)
    rows = [row if row[1] == "accuracy" else [*row[:2], 4.0] for row in ROWS]
    table = pd.DataFrame(rows, columns=["method", "metric", "value"])
    table.to_csv(b / "scores.tsv", sep="\t", index=False)
    table.to_parquet(b / "scores.parquet")
    (b / "log.svg").touch()
    assert compare(a, b)[0] == 0


def test_a_changed_last_digit_is_found_everywhere(folders):
    a, b = folders
    scores = np.load(b / "train/0.npz")["scores"]
    scores[1, 0] = np.nextafter(1.0, 2.0)
    np.savez(b / "train/0.npz", scores=scores, values="[2]")
    record(b, folds=[RECORD["folds"][0] | {"objective": float(np.nextafter(1 / 3, 1))}])
    text = (b / "scores.tsv").read_text()
    assert "0.6666666666666666" in text
    (b / "scores.tsv").write_text(text.replace("0.6666666666666666", "0.6666666666666667"))
    table = pd.read_parquet(b / "scores.parquet")
    table.loc[0, "value"] = np.nextafter(0.1, 1)
    table.to_parquet(b / "scores.parquet")
    status, text = compare(a, b)
    assert status == 1
    for place in (
        "train/0.npz/scores[1, 0]: np.float64(1.0) and np.float64(1.0000000000000002), 1 of 4",
        "train/0.npz/values/0: 1 and 2",
        "train/0.json/folds/0/objective: 0.3333333333333333 and 0.33333333333333337",
        "scores.tsv/value/1: '0.6666666666666666' and '0.6666666666666667'",
        "scores.parquet/value/0: 0.1 and 0.10000000000000002",
        "4 files compared, 5 differences",
    ):
        assert place in text


@each_of(
    ("change", "line"),
    [
        (lambda b: (b / "train/0.json").unlink(), "train/0.json: only in "),
        (lambda b: (b / "new.json").write_text("{}"), "new.json: only in "),
        (lambda b: record(b, seed=8), "train/0.json/seed: 7 and 8"),
        (lambda b: record(b, folds=[]), "train/0.json/folds: 1 and 0 entries"),
        (lambda b: record(b, more=1), "train/0.json/more: only in the second folder"),
        (lambda b: record(b, seed=7.0), "train/0.json/seed: 7 and 7.0"),
        (lambda b: record(b, seed=True), "train/0.json/seed: 7 and True"),
        (lambda b: np.savez(b / "train/0.npz", scores=np.ones(2), values="[1]"), "float64(2,)"),
        (lambda b: np.savez(b / "train/0.npz", scores=SCORES, values="[1.0]"), "values/0: 1 and 1"),
        (lambda b: np.savez(b / "train/0.npz", scores=np.ones((2, 2), "f4")), "float32(2, 2)"),
    ],
)
def test_differences_are_named(folders, change, line):
    change(folders[1])
    status, text = compare(*folders)
    assert status == 1
    assert line in text


def test_the_sign_of_zero_is_compared(folders):
    for folder, zero in zip(folders, (0.0, -0.0), strict=True):
        np.savez(folder / "train/0.npz", scores=np.array([1.0, zero, np.nan]), values=f"[{zero}]")
        pd.DataFrame({"value": [zero]}).to_parquet(folder / "scores.parquet")
    status, text = compare(*folders)
    assert status == 1
    for place in (
        "0.npz/scores[1]: np.float64(0.0) and np.float64(-0.0), 1 of 3 values",
        "0.npz/values/0: 0.0 and -0.0",
        "scores.parquet/value/0: 0.0 and -0.0",
        "3 differences",
    ):
        assert place in text


def test_renamed_keys_are_reported_and_no_difference(folders):
    changed = {key: value for key, value in RECORD.items() if key not in ("class", "seed")}
    changed |= {"use": "noneuclid.PoincareSVC", "start": 7}
    (folders[1] / "train/0.json").write_text(json.dumps(changed))
    status, text = compare(*folders)
    assert status == 0
    assert "renamed: class -> use\nrenamed: seed -> start\n" in text


def test_a_renamed_key_with_another_value_is_a_difference(folders):
    changed = {key: value for key, value in RECORD.items() if key != "seed"}
    (folders[1] / "train/0.json").write_text(json.dumps(changed | {"start": 8}))
    status, text = compare(*folders)
    assert status == 1
    assert "train/0.json/seed: only in the first folder" in text


def test_empty_folders_are_not_equal(tmp_path):
    assert compare(tmp_path, tmp_path)[0] == 1
