"""The command that labels new samples, and its warning of far ones."""

import subprocess
import sys
from dataclasses import asdict

import anndata
import numpy as np
import pandas
import pytest
from cases import each_of
from predicted_points import LABELS, NEW, POINTS, kept_model, refused
from sklearn.dummy import DummyClassifier
from vector_files import word_vectors

from noneuclid import HyperbolicDecisionTreeClassifier, PoincareSVC
from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare import __main__, io
from noneuclid_compare.models.kept_model import load_model


def test_labels_probabilities_and_the_far_sample(predict):
    table, said = predict()
    columns = ["sample", "predicted", "p_left", "p_right", "distance", "far"]
    assert list(table.columns) == columns
    assert table["sample"].tolist() == [0, 1, 2]
    assert table["predicted"].tolist()[:2] == ["left", "right"]
    np.testing.assert_allclose(table["p_left"] + table["p_right"], 1)
    assert ((table["p_left"] > 0.5) == (table["predicted"] == "left")).all()
    assert table["far"].tolist() == [False, False, True]
    assert said.startswith("warning: 1 of 3 samples lie farther than ")
    assert said.endswith(": their predictions are guesses\npredicted: left (2), right (1)\n")


def test_a_sample_that_cannot_be_placed_is_named(predict):
    data = np.array([[0.1, 0.1], [900.0, 0.0], [0.2, 0.1]])
    message = "new.npz: sample 1 lies too far from the training data to be labelled; check"
    refused(message, predict, "--chart", "tangent", data=data)


def test_no_warning_where_nothing_is_far(predict):
    table, said = predict(data=POINTS)
    assert said == "predicted: left (30), right (30)\n"
    assert not table["far"].any()
    assert (table["predicted"] == LABELS).mean() > 0.95


@pytest.mark.parametrize(("rows", "noted"), [(20, True), (19, False)])
def test_many_samples_of_one_class_are_noted(predict, rows, noted):
    _, said = predict(data=np.repeat(NEW[:1], rows, axis=0))
    assert ("note: All 20 samples are predicted as 'left', one of 2 classes; if" in said) == noted
    assert said.endswith(f"predicted: left ({rows}); 1 of 2 classes has no sample\n")


@each_of("chart", [*charts.COORDINATES, charts.SPACE_ONLY])
@each_of("curvature", [1.0, 0.25])
def test_any_chart_gives_the_same_answer(predict, tmp_path, chart, curvature):
    path = kept_model(tmp_path / "m.skops", curvature=curvature)
    expected, _ = predict(model=path)
    whole = "hyperboloid" if chart == charts.SPACE_ONLY else chart
    points = charts.convert(NEW, "poincare", whole, curvature)
    points = points[:, 1:] if chart == charts.SPACE_ONLY else points
    found, _ = predict("--chart", chart, data=points, model=path)
    pandas.testing.assert_frame_equal(found, expected, rtol=1e-9)


def test_a_model_of_coordinates_without_time_reads_them_and_others(predict, tmp_path):
    known = asdict(maps.Given(chart="hyperboloid", written=charts.SPACE_ONLY))
    path = kept_model(tmp_path / "m.skops", map=known)
    expected, _ = predict()
    whole = charts.convert(NEW, "poincare", "hyperboloid")
    for options, points in (((), whole[:, 1:]), (("--chart", "hyperboloid"), whole)):
        found, _ = predict(*options, data=points, model=path)
        pandas.testing.assert_frame_equal(found, expected, rtol=1e-9)
    points = load_model(path).predict(whole[:, 1:])
    assert points.tolist() == expected["predicted"].tolist()
    message = "3 columns, but points of this model have 2 in chart 'lorentz_space'"
    refused(message, predict, data=whole, model=path)


@each_of("binary", [False, True])
def test_vectors_keep_their_names(predict, tmp_path, binary):
    path = tmp_path / ("new.bin" if binary else "new.txt")
    path.write_bytes(word_vectors(["dog", "cat", "été"], NEW, binary))
    expected, _ = predict()
    found, _ = predict(data=path)
    assert found["sample"].tolist() == ["dog", "cat", "été"]
    assert found["predicted"].tolist() == expected["predicted"].tolist()


def test_columns_of_the_same_chart_are_found_by_name(predict, tmp_path):
    known = asdict(maps.Given(chart="poincare", columns=["x", "y"]))
    path = kept_model(tmp_path / "m.skops", map=known)
    expected, _ = predict()
    swapped = tmp_path / "new.csv"
    pandas.DataFrame(NEW[:, ::-1], columns=["y", "x"]).to_csv(swapped, index=False)
    for options in ([], ["--chart", "poincare"]):
        found, said = predict(*options, data=swapped, model=path)
        pandas.testing.assert_frame_equal(found, expected)
        assert "order of the file" not in said
    klein = tmp_path / "klein.csv"
    points = charts.convert(NEW, "poincare", "klein")
    pandas.DataFrame(points, columns=["u", "v"]).to_csv(klein, index=False)
    found, said = predict("--chart", "klein", data=klein, model=path)
    pandas.testing.assert_frame_equal(found, expected, rtol=1e-9)
    assert "note: Columns of chart 'klein' are taken in the order of the file." in said


@each_of("suffix", ["csv", "parquet", "h5ad"])
def test_groups_that_training_did_not_have_are_counted(predict, tmp_path, suffix):
    known = asdict(maps.Given(chart="poincare", columns=["x", "y"]))
    more = {"grouped_by": "hospital", "group_names": ["1", "h2"], "map": known}
    path = kept_model(tmp_path / "m.skops", **more)
    table, new = pandas.DataFrame(NEW, columns=["x", "y"]), tmp_path / f"new.{suffix}"
    for hospitals, said in (
        (["h7", "h2", "h7"], "note: Groups (hospital) that training did not have: h7 (2 rows).\n"),
        (["h9", "NA", "h7"], "did not have: h9 (1 row), h7 (1 row).\n"),
        (["1", "1", "h2"], ""),
    ):
        obs = pandas.DataFrame({"hospital": hospitals}, index=list("abc"))
        if suffix == "h5ad":
            anndata.AnnData(NEW, obs, pandas.DataFrame(index=["x", "y"])).write_h5ad(new)
        else:
            filled = table.assign(hospital=hospitals)
            filled.to_csv(new, index=False) if suffix == "csv" else filled.to_parquet(new)
        _, printed = predict(data=new, model=path)
        assert said in printed
        assert ("did not have" in printed) == bool(said)
    _, printed = predict(model=path)
    assert "did not have" not in printed


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_samples_keep_the_names_that_they_had_in_training(predict, tmp_path, suffix):
    known = asdict(maps.Given(chart="poincare", columns=["x", "y"]))
    path = kept_model(tmp_path / "m.skops", map=known, id="cell")
    names, table = ["007", "NA", "c"], pandas.DataFrame(NEW, columns=["x", "y"])
    if suffix == "csv":
        table.assign(cell=names, other="pqr").to_csv(tmp_path / "new.csv", index=False)
        table.to_csv(tmp_path / "bare.csv", index=False)
    else:
        table.assign(cell=names, other="pqr").to_parquet(tmp_path / "new.parquet")
        table.to_parquet(tmp_path / "bare.parquet")
    output = tmp_path / "out.tsv"

    def samples(name, *options):
        predict(*options, data=tmp_path / f"{name}.{suffix}", model=path)
        return pandas.read_csv(output, sep="\t", dtype=str, keep_default_na=False)["sample"]

    assert samples("new").tolist() == names
    assert samples("new", "--id", "other").tolist() == ["pqr"] * 3
    assert samples("bare").tolist() == ["0", "1", "2"]
    _, said = predict(data=tmp_path / f"bare.{suffix}", model=path)
    assert "note: No column 'cell', which named the samples in training; they are numbered" in said


def test_names_in_the_index_of_a_parquet_file_stay(predict, tmp_path):
    table = pandas.DataFrame(
        NEW, columns=["x", "y"], index=pandas.Index(["p", "q", "r"], name="cell")
    )
    table.to_parquet(tmp_path / "new.parquet")
    known = asdict(maps.Given(chart="poincare", columns=["x", "y"]))
    for more in ({}, {"id": "cell"}):
        path = kept_model(tmp_path / "m.skops", map=known, **more)
        found, said = predict(data=tmp_path / "new.parquet", model=path)
        assert found["sample"].tolist() == ["p", "q", "r"]
        assert "numbered" not in said


def test_a_name_that_was_remembered_is_told_where_columns_go_by_place(predict, tmp_path):
    path = kept_model(tmp_path / "m.skops", id="cell")
    pandas.DataFrame(NEW, columns=["x", "y"]).assign(cell=list("pqr")).to_csv(
        tmp_path / "new.csv", index=False
    )
    found, said = predict(data=tmp_path / "new.csv", model=path)
    assert found["sample"].tolist() == ["p", "q", "r"]
    assert "note: Column 'cell' names the samples, as in training, and is no coordinate." in said


@pytest.mark.parametrize("name", ["new.csv", "new.tsv", "new.parquet", "new.npy"])
def test_kinds_of_files(predict, tmp_path, name):
    path = tmp_path / name
    table = pandas.DataFrame(NEW, columns=["x", "y"]).assign(id=["a", "b", "b"], day="today")
    if name == "new.npy":
        np.save(path, NEW)
    elif name == "new.parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, index=False, sep="\t" if name == "new.tsv" else ",")
    options = [] if name == "new.npy" else ["--id", "id", "--drop", "day"]
    found, said = predict(*options, data=path)
    expected, _ = predict()
    pandas.testing.assert_frame_equal(found.drop(columns="sample"), expected.drop(columns="sample"))
    if options:
        assert found["sample"].tolist() == ["a", "b", "b"]
        assert "note: 1 sample name occurs more than once: 'b'." in said


@each_of(
    ("data", "options", "message"),
    [
        (np.ones((2, 3)), (), "3 columns, but points of this model have 2 in chart 'poincare'; "
         "give points embedded as in 'hydra'"),
        (NEW, ("--chart", "hyperboloid"), "have 3 in chart 'hyperboloid'"),
        (np.array([[0.1, 0.1], [1.0, 0.4]]), (), "new.npz: row 1 lies outside the Poincar"),
        (np.array([[0.1, np.nan]]), (), "row 1 counted from 1, column 2 is nan"),
        (NEW, ("--features", "points"), "no array 'points'; it has: X"),
        (np.ones((0, 2)), (), "is empty"),
        (np.array([["a", "b"]]), (), "not numbers"),
    ],
)  # fmt: skip
def test_bad_points_are_refused(predict, data, options, message):
    refused(message, predict, *options, data=data)


def test_bad_files_are_refused(predict, tmp_path, model):
    refused("none.csv does not exist", predict, data=tmp_path / "none.csv")
    refused(r"none.skops does not exist", predict, model=tmp_path / "none.skops")
    io.write_model(tmp_path / "other.skops", {"estimator": PoincareSVC()})
    refused(
        "is not a model of noneuclid, it has no chart, ", predict, model=tmp_path / "other.skops"
    )
    io.write_model(tmp_path / "bare.skops", DummyClassifier())
    refused("is not a model", predict, model=tmp_path / "bare.skops")
    (tmp_path / "cut.skops").write_bytes(model.read_bytes()[:500])
    refused("cut.skops cannot be read", predict, model=tmp_path / "cut.skops")
    (tmp_path / "text.csv").write_text("x,y\n0.1,here\n")
    options = "exclude the column: --drop y, or --id y if it names the samples"
    refused(
        rf"column 'y', row 0 is 'here', not a number \(1 such rows\); correct it, or {options}",
        predict,
        data=tmp_path / "text.csv",
    )


def test_models_without_probabilities_or_training_points(predict, tmp_path):
    estimator = PoincareSVC(chart="poincare", calibration=None, random_state=0)
    path = kept_model(tmp_path / "m.skops", estimator=estimator, training=None, map=None)
    table, said = predict(model=path)
    assert list(table.columns) == ["sample", "predicted"]
    assert "keeps no training points" in said


@pytest.mark.parametrize("estimator", [
    HyperbolicDecisionTreeClassifier(chart="hyperboloid"), DummyClassifier(),
])  # fmt: skip
def test_other_classifiers_on_the_hyperboloid(predict, tmp_path, estimator):
    X = charts.convert(POINTS, "poincare", "hyperboloid")
    path = kept_model(tmp_path / "m.skops", X, "hyperboloid", estimator=estimator)
    table, _ = predict("--chart", "poincare", model=path)
    expected = estimator.predict(charts.convert(NEW, "poincare", "hyperboloid"))
    assert table["predicted"].tolist() == expected.tolist()
    refused("have 3 in chart 'hyperboloid'", predict, model=path)


def test_table_goes_to_standard_output(model, tmp_path, capsys):
    np.save(tmp_path / "new.npy", NEW)
    __main__.run(["predict", str(model), str(tmp_path / "new.npy")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "sample\tpredicted\tp_left\tp_right\tdistance\tfar"
    assert len(lines) == 4


def test_bad_input_ends_in_one_line_and_status_2(model, tmp_path):
    np.save(tmp_path / "new.npy", 9 * NEW)
    command = [
        sys.executable,
        "-m",
        "noneuclid_compare.__main__",
        "predict",
        model,
        tmp_path / "new.npy",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("line", [[], ["predict"], ["forecast", "a", "b"]])
def test_wrong_command_lines_end_in_status_2(line):
    with pytest.raises(SystemExit) as caught:
        __main__.run(line)
    assert caught.value.code == 2


def test_label_in_several_classes(predict, tmp_path):
    X = np.concatenate([POINTS, POINTS[:30] * [1, -1]])
    estimator = PoincareSVC(chart="poincare", random_state=0).fit(
        X, np.repeat(["a", "b b", "c"], 30)
    )
    model = io.read_model(kept_model(tmp_path / "m.skops"))
    io.write_model(tmp_path / "m.skops", model | {"estimator": estimator})
    table, _ = predict(model=tmp_path / "m.skops")
    assert list(table.columns)[2:5] == ["p_a", "p_b b", "p_c"]
    np.testing.assert_allclose(table[["p_a", "p_b b", "p_c"]].sum(axis=1), 1)


@each_of(
    "other",
    [
        {"estimator": [1]},
        {"estimator": PoincareSVC()},
        {"chart": 3},
        {"curvature": "one"},
        {"map": ["linear"]},
        {"map": {"kind": "linear"}},
        {"map": {"kind": "linear", "chart": "tangent", "curvature": 1.0, "mean": 1, "axes": "x"}},
        {"training": "points"},
        {"training": {"points": None}},
    ],
)
def test_models_with_other_contents_end_in_one_line(predict, model, tmp_path, other):
    path = tmp_path / "changed.skops"
    io.write_model(path, io.read_model(model) | {"map": {}} | other)
    refused(r"changed\.skops does not work|not fitted", predict, model=path)


def test_an_estimator_with_other_parameters_is_of_another_version(model, tmp_path):
    content = io.read_model(model)
    vars(content["estimator"])["iterations"] = vars(content["estimator"]).pop("max_iter")
    io.write_model(tmp_path / "old.skops", content)
    with pytest.raises(InputError, match=r"old\.skops does not work .*'max_iter'.* version; make"):
        load_model(tmp_path / "old.skops")


@pytest.mark.parametrize("limited", ["table.tsv", None])
def test_a_limit_of_file_sizes_names_the_file(model, tmp_path, limited):
    data = tmp_path / "many.csv"
    data.write_text("x,y\n" + "0.1,0.2\n" * 4000)
    words = [sys.executable, "-m", "noneuclid_compare", "predict", str(model), str(data)]
    words += [] if limited is None else ["--output", str(tmp_path / limited)]
    with open(tmp_path / "out.txt", "w") as stream:
        done = subprocess.run(
            ["bash", "-c", 'ulimit -f 8; exec "$0" "$@"', *words],
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert f"{limited or 'standard output'} cannot be written (File too large): raise the" in (
        done.stderr
    )
