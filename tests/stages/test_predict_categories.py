"""From a table with categories and missing values to labels of new rows, by all stages."""

import json
import warnings

import numpy as np
import pytest
from mixed_table import SETTINGS, mixed

from noneuclid.errors import InputError
from noneuclid_compare import io, load_model
from noneuclid_compare.records import ORIGINAL, Dataset, Embedded, Split
from noneuclid_compare.stages import acquire, embed, predict, train

SEARCH = {"grid": {}, "search": {"folds": 2, "scoring": "accuracy"}, "params": {}}
METHODS = {
    "pca": {"use": "noneuclid.PoincareSVC", "chart": "poincare"} | SEARCH,
    "raw": {"use": "sklearn.svm.SVC", "chart": "tangent"} | SEARCH,
    ORIGINAL: {"use": "baseline_logistic", "chart": "tangent"} | SEARCH,
}
USES = {"pca": "lifted_pca", "raw": "original_features", ORIGINAL: "original_features"}


def run(path, params=SETTINGS):
    """What the stages make of the table in a folder."""
    files = json.dumps({"data": str(path / "t.csv")})
    acquire.main(
        ["--name", "t", "--use", "table_file", "--params", json.dumps(params), "--seed", "0",
         "--files", files, "--output", str(path / "data.npz")]
    )  # fmt: skip
    n = io.read_record(path / "data.npz", Dataset).n
    io.write_record(path / "split.npz", Split(np.arange(n) % 3))
    for name, method in METHODS.items():
        own = path / name
        embed.main(
            ["--dataset", str(path / "data.npz"), "--name", name, "--use", USES[name], "--seed",
             "0", "--output", f"{own}.npz", "--card", f"{own}.json", "--map", f"{own}_map.npz"]
        )  # fmt: skip
        train.main(
            ["--points", f"{own}.npz", "--split", str(path / "split.npz"), "--map",
             f"{own}_map.npz", "--names", "t", name, "method", "--method", json.dumps(method),
             "--repeat", "0", "--seed", "0", "--predictions", f"{own}_predictions.npz",
             "--record", f"{own}_record.json", "--model", f"{own}.skops"]
        )  # fmt: skip
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("mixed")
    mixed().to_csv(path / "t.csv", index=False)
    return run(path)


def labelled(folder, name, table, capsys, *options):
    table.to_csv(folder / "new.csv", index=False)
    predict.main(
        [str(folder / f"{name}.skops"), str(folder / "new.csv"), "--output",
         str(folder / "out.tsv"), *options]
    )  # fmt: skip
    return io.read_table(folder / "out.tsv"), capsys.readouterr().err


@pytest.mark.parametrize("name", METHODS)
def test_training_rows_are_placed_where_they_were(folder, name, capsys):
    embedded = io.read_record(folder / f"{name}.npz", Embedded)
    table = mixed().drop(columns="species")
    found, said = labelled(folder, name, table[table.columns[::-1]].assign(note="x"), capsys)
    assert (found["distance"] < 1e-6).all()
    model = load_model(folder / f"{name}.skops")
    points = embedded.points
    if name == "pca":
        points = np.asarray(model._points(table))
    assert found["predicted"].tolist() == model.estimator.predict(points).tolist()
    assert found["predicted"].tolist() == model.predict(table).tolist()
    count = int(table[["bill", "mass", "size"]].isna().sum().sum())
    assert f"note: {count} missing values are replaced by the median of training." in said
    transductive = embedded.about["embedding"]["transductive"]
    assert transductive == (name != ORIGINAL)
    settings = embedded.about["embedding"]["settings"]
    assert settings.get("standardize", True) is True
    assert (embedded.column_kinds is None) == (name != ORIGINAL)
    assert np.isfinite(embedded.points).all() == (name != ORIGINAL)


@pytest.mark.parametrize("name", METHODS)
def test_new_values_are_reported_and_count_as_no_level(folder, name, capsys):
    table = mixed().drop(columns="species").dropna().iloc[:8]
    strange = table.assign(island="Ross", size=["XL", *table["size"].tolist()[1:]])
    found, said = labelled(folder, name, strange, capsys)
    assert "note: Column 'island' has values that training did not have, read as no level" in said
    assert "note: Column 'size' has values that training did not have, read as missing: XL" in said
    model = load_model(folder / f"{name}.skops")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert model.predict(strange).tolist() == found["predicted"].tolist()
        assert not model.far(strange).all()
    assert "read as no level: Ross" in str(caught[0].message)
    absent = table.assign(size=[None, *table["size"].tolist()[1:]])
    same, _ = labelled(folder, name, absent.assign(island="other"), capsys)
    np.testing.assert_array_equal(same["distance"], found["distance"])


@pytest.mark.parametrize("name", METHODS)
def test_other_columns_and_cells_are_refused(folder, name, capsys):
    table = mixed().drop(columns="species")
    with pytest.raises(InputError, match="no column 'sex'; it has: bill"):
        labelled(folder, name, table.drop(columns="sex"), capsys)
    with pytest.raises(InputError, match="no column 'mass'"):
        labelled(folder, name, table.drop(columns="mass"), capsys)
    heavy = table.assign(mass=["3 kg", *[1] * 119])
    with pytest.raises(InputError, match="'mass', row 0 is '3 kg', not a number but a number w"):
        labelled(folder, name, heavy, capsys)
    with pytest.raises(InputError, match="column 'mass' is inf"):
        labelled(folder, name, table.assign(mass=np.inf), capsys)
    np.save(folder / "new.npy", np.zeros((3, 6)))
    with pytest.raises(InputError, match="reads the names of categories; give a table"):
        predict.main([str(folder / f"{name}.skops"), str(folder / "new.npy")])
    model = load_model(folder / f"{name}.skops")
    with pytest.raises(InputError, match="reads the names of categories; give a DataFrame"):
        model.predict(np.zeros((3, 6)))
    with pytest.raises(InputError, match="no column mass"):
        model.predict(table.drop(columns="mass"))


def test_a_model_of_complete_rows_refuses_gaps(tmp_path, capsys):
    table = mixed().dropna()
    table.to_csv(tmp_path / "t.csv", index=False)
    run(tmp_path, {k: v for k, v in SETTINGS.items() if k != "missing_values"})
    new = table.drop(columns="species")
    for name in METHODS:
        found, said = labelled(tmp_path, name, new, capsys)
        assert (found["distance"] < 1e-6).all()
        assert "missing" not in said
        with pytest.raises(InputError, match="column 'bill' is nan; fill in"):
            labelled(tmp_path, name, new.assign(bill=np.nan), capsys)
        with pytest.raises(InputError, match="column 'sex' is nan; fill in"):
            labelled(tmp_path, name, new.assign(sex="NA"), capsys)


def test_an_embedding_without_a_rule_says_so(folder):
    model = dict(io.read_model(folder / "pca.skops"))
    rule = {k: v for k, v in model["map"].items() if k in ("columns", "column_kinds")}
    io.write_model(folder / "none.skops", model | {"map": rule | {"why": "tsne has no place"}})
    with pytest.raises(InputError, match=r"none\.skops: tsne has no place; give points, with --ch"):
        predict.main([str(folder / "none.skops"), str(folder / "t.csv")])
