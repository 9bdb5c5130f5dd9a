import json
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
import yaml
from cases import each_of

from noneuclid_compare.evaluation import metric_table

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow")]

STAGES = ["config", "acquire", "embed", "map", "split", "train", "draw", "link_prediction"]
STAGES += ["signatures"]
SCHEMAS = Path(__file__).resolve().parents[2] / "workflow/schemas"


def schema(stage):
    return yaml.safe_load((SCHEMAS / f"{stage}.schema.yaml").read_text())


def described(path):
    """Contents of an npz file as the schemas put them."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    names, values = json.loads(str(arrays.pop("values")))
    assert names == sorted(arrays)
    return {"arrays": {k: f"{v.dtype.kind}{v.ndim}" for k, v in arrays.items()}, "values": values}


@each_of("stage", ["acquire", "embed", "map", "split", "draw", "train"])
def test_files_follow_the_schema_of_their_stage(finished, stage):
    files = sorted(finished.folder.glob(f"results/{stage}/**/*.npz"))
    assert files
    for path in files:
        content = described(path)
        if stage == "train":
            content["record"] = json.loads(path.with_suffix(".json").read_text())
        jsonschema.validate(content, schema(stage))


def test_the_long_table_follows_its_schema(finished):
    table = pd.read_parquet(finished.folder / "results/evaluate/scores.parquet")
    validator = jsonschema.Draft202012Validator(schema("evaluate"))
    assert set(table["metric"]) <= {*metric_table.NAMES, *metric_table.COSTS}
    rows = table.to_dict("records")
    assert len(rows) > 500
    for row in rows:
        validator.validate(row)
    assert not table.duplicated(
        ["dataset", "embedding", "method", "repeat", "fold", "metric"]
    ).any()


def test_parquet_and_tsv_hold_the_same_table(finished):
    folder = finished.folder / "results/evaluate"
    tsv = pd.read_csv(folder / "scores.tsv", sep="\t", keep_default_na=False, na_values=[""])
    tsv["setting"] = tsv["setting"].fillna("")
    pd.testing.assert_frame_equal(pd.read_parquet(folder / "scores.parquet"), tsv, rtol=1e-12)


@each_of("stage", STAGES)
def test_schemas_are_closed_and_valid(stage):
    jsonschema.Draft202012Validator.check_schema(schema(stage))
    assert schema(stage)["additionalProperties"] is False
