"""Stages isometries and evaluate_isometries, as functions."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
import yaml

from noneuclid.embeddings.maps import Map
from noneuclid.geometry import charts
from noneuclid_compare import io
from noneuclid_compare.records import Embedded, Split
from noneuclid_compare.stages import evaluate_isometries, isometries, train

SCHEMAS = Path(__file__).resolve().parents[2] / "workflow/schemas"
FLAT = {"use": "sklearn.svm.SVC", "chart": "poincare", "grid": {"C": [0.1, 10]}}
FLOOR = {"use": "sklearn.dummy.DummyClassifier", "chart": "hyperboloid", "grid": {}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Points near the origin, and their folds."""
    folder = tmp_path_factory.mktemp("isometries")
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 30)
    vectors = 0.2 * rng.standard_normal((60, 2)) + np.where(labels, 0.2, -0.2)[:, None]
    points = charts.convert(vectors, "tangent", "poincare")
    about = {"embedding": {"name": "given"}, "dataset": {"kind": "points"}}
    embedded = Embedded(points, "poincare", labels, ("a", "b"), about=about)
    io.write_record(folder / "points.npz", embedded)
    io.write_record(folder / "split.npz", Split(np.arange(60) % 2))
    io.write_record(folder / "map.npz", Map())
    return folder


def run(folder, name, method, distances=("3",), seed=5):
    """Train a method and fit it to moved points; return the records of the stage isometries."""
    search = {"folds": 2, "scoring": "accuracy"} if method["grid"] else {}
    method = json.dumps({"params": {}, **method, "search": search})
    known = [*("--points", folder / "points.npz", "--split", folder / "split.npz"),
             *("--names", "d", "given", name, "--repeat", 0, "--method", method)]  # fmt: skip
    stem = folder / f"train/d/given/{name}/0"
    outputs = ["--predictions", stem.with_suffix(".npz"), "--record", stem.with_suffix(".json")]
    train.main([*map(str, [*known, "--seed", 1, *outputs])])
    trained = ["--trained", stem.with_suffix(".npz"), "--record", stem.with_suffix(".json")]
    found = []
    for distance in distances:
        output = folder / f"isometries/d/given/{name}/{distance}/0.json"
        more = ["--distance", distance, "--seed", seed, "--code", "c" * 16, "--output", output]
        isometries.main([*map(str, [*known, *trained, *more])])
        found.append(json.loads(output.read_text()))
    return found


def valid(content, name):
    schema = yaml.safe_load((SCHEMAS / f"{name}.schema.yaml").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    jsonschema.validate(content, schema)


def test_records_and_the_long_table(folder):
    flat = run(folder, "flat", FLAT, ("1.5", "3"))
    floor = run(folder, "floor", FLOOR, ("1.5", "3"))
    for record in [*flat, *floor]:
        valid(record, "isometries")
    near, far = (fold["farthest"] for fold in (flat[0]["folds"][0], flat[1]["folds"][0]))
    before = flat[0]["folds"][0]["farthest_before"]
    assert abs(near - 1.5) <= before + 1e-9
    assert abs(far - 3) <= before + 1e-9
    # Every method sees the same isometry, each fold another.
    assert floor[1]["folds"][0]["farthest"] == far != flat[1]["folds"][1]["farthest"]
    assert [fold["changed_rows"] for fold in floor[1]["folds"]] == [0, 0]
    assert sum(fold["changed_rows"] for fold in flat[1]["folds"]) > 0

    plan = {"pairs": [["d", "given", ["flat", "floor"]], ["d", "original", ["x"]]], "repeats": 1}
    io.write_json(folder / "plan.json", plan)
    outputs = [str(folder / f"moved.{ending}") for ending in ("parquet", "tsv", "json")]
    known = ["--plan", str(folder / "plan.json"), "--records", str(folder / "isometries")]
    evaluate_isometries.main([*known, "--distances", "1.5", "3", "--output", *outputs])
    table = pd.read_parquet(outputs[0])
    for row in table.to_dict("records"):
        valid(row, "evaluate_isometries")
    assert not table.duplicated([*evaluate_isometries.KEY, "fold", "metric"]).any()
    accuracy = table[(table["metric"] == "accuracy") & (table["method"] == "flat")]
    assert accuracy["distance"].tolist() == [1.5, 1.5, 3.0, 3.0]
    assert accuracy["value"].tolist() == [
        fold["scores"]["accuracy"] for record in flat for fold in record["folds"]
    ]
    assert json.loads(Path(outputs[2]).read_text()) == {"failed": [], "skipped": []}


def test_a_failure_is_a_result_with_its_message(folder, capsys):
    [record] = run(folder, "far", FLAT, ["60"])
    valid(record, "isometries")
    assert all("beyond the 35 that float64 holds" in fold["failure"] for fold in record["folds"])
    assert "Traceback" in capsys.readouterr().err
    [first, *_] = evaluate_isometries.failed([record])
    assert (first["method"], first["distance"], first["fold"]) == ("far", 60.0, 0)
    metrics = {row[-2] for row in evaluate_isometries.rows(record)}
    assert metrics == {"test_rows", "farthest", "farthest_before"}


def test_what_is_not_hyperbolic_is_left_with_the_reason():
    record = {"dataset": "d", "embedding": "e", "method": "m", "distance": 3.0, "repeat": 0}
    records = [{**record, "repeat": k, "skipped": "not hyperbolic", "folds": []} for k in (0, 1)]
    assert evaluate_isometries.skipped(records) == [
        {"dataset": "d", "embedding": "e", "method": "m", "why": "not hyperbolic"}
    ]
