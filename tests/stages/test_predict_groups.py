"""From a table with groups to labels of new rows at a stated error rate, by all stages."""

import json

import numpy as np
import pandas as pd
import pytest

from noneuclid_compare import io
from noneuclid_compare.stages import acquire, embed, predict, split, train

METHOD = {"use": "sklearn.linear_model.LogisticRegression", "chart": "tangent", "grid": {}}
DONORS = [f"dönor {k}" for k in range(8)]


def call(module, **arguments):
    module.main([text for k, v in arguments.items() for text in (f"--{k}", str(v))])


def donors(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 160)
    return pd.DataFrame(
        {
            "a": y + 0.3 * rng.normal(size=160),
            "b": rng.normal(size=160),
            "donor": np.repeat(DONORS, 20),
            "class": np.array(["B", "T"])[y],
        }
    )


@pytest.mark.parametrize(
    ("scheme", "held"),
    [("stratified_group_kfold", 160), ("group_holdout", 40), ("stratified_kfold", 0)],
)
def test_a_model_knows_the_groups_of_its_rows(tmp_path, capsys, scheme, held):
    donors(0).to_csv(tmp_path / "t.csv", index=False)
    files = {key: tmp_path / f"{key}.npz" for key in ("data", "points", "split", "map")}
    common, at = {"name": "t", "seed": 0}, {"repeat": 0, "seed": 0}
    params = json.dumps({"label": "class", "groups": "donor"})
    call(acquire, **common, use="table_file", params=params, output=files["data"],
         files=json.dumps({"data": str(tmp_path / "t.csv")}))  # fmt: skip
    call(split, dataset=files["data"], settings=json.dumps({"scheme": scheme}), **at,
         output=files["split"])  # fmt: skip
    call(embed, dataset=files["data"], name="e", use="lifted_pca", seed=0, output=files["points"],
         card=tmp_path / "card.json", map=files["map"])  # fmt: skip
    made = {key: files[key] for key in ("points", "split", "map")}
    made |= {"predictions": tmp_path / "found.npz", "record": tmp_path / "found.json"}
    method = json.dumps(METHOD | {"params": {}, "search": {}})
    model = tmp_path / "model.skops"
    train.main(["--names", "t", "e", "m", "--method", method, "--model", str(model)]
               + [text for k, v in (made | at).items() for text in (f"--{k}", str(v))])  # fmt: skip
    content = io.read_model(model)
    assert content["group_names"] == DONORS
    assert len(content["calibration"].get("scores", ())) == held
    new = donors(1).replace({"donor": {"dönor 3": "dönor 2"}})
    new.loc[5, "donor"] = "new"
    new.to_csv(tmp_path / "new.csv", index=False)
    rate = ["--error-rate", "0.4"] if held else []
    predict.main([str(model), str(tmp_path / "new.csv"), "--output", str(tmp_path / "o.tsv"),
                  *rate])  # fmt: skip
    assert "Groups (donor) that training did not have: new (1 row)." in capsys.readouterr().err
