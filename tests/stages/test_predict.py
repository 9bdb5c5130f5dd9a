"""The command that labels new samples, the maps it uses, and its warning of far ones."""

import json
import subprocess
import sys
from dataclasses import asdict, replace

import anndata
import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier

from noneuclid import (
    Hydra,
    HyperbolicDecisionTreeClassifier,
    LiftedPCA,
    LogRatio,
    PoincareMap,
    PoincareSVC,
    RefinedHydra,
    __main__,
)
from noneuclid.contracts import Dataset
from noneuclid.datasets.composition import close_composition
from noneuclid.datasets.shipped import karate
from noneuclid.embeddings import maps
from noneuclid.embeddings.of_dataset import embed
from noneuclid.errors import InputError
from noneuclid.evaluation import out_of_distribution
from noneuclid.experiment import io
from noneuclid.geometry import charts

RNG = np.random.default_rng(1)
# Two clusters apart along the diagonal, in the Poincaré disk.
POINTS = np.concatenate([0.08 * RNG.normal(size=(30, 2)) + c for c in (0.3, -0.3)])
LABELS = np.repeat(["left", "right"], 30)
NEW = np.array([[0.32, 0.28], [-0.31, -0.3], [0.9, -0.4]])


def kept_model(path, X=POINTS, chart="poincare", curvature=1.0, estimator=None, **more):
    """Write a model as the stage train keeps it."""
    estimator = estimator or PoincareSVC(chart=chart, curvature=curvature, random_state=0)
    lifted = charts.convert(X, chart, "hyperboloid", curvature)
    model = {
        "estimator": estimator.fit(X, LABELS),
        "chart": chart,
        "curvature": curvature,
        "code": "",
        "class_names": ["left", "right"],
        "names": ["disk", "hydra", "poincare_svm"],
        "map": asdict(maps.Map()),
        "training": out_of_distribution.summary(lifted, curvature),
    }
    io.write_model(path, {k: v for k, v in (model | more).items() if v is not None})
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return kept_model(tmp_path_factory.mktemp("model") / "model.skops")


@pytest.fixture
def predict(tmp_path, model, capsys):
    """Run the command on points saved as npz; return the table and the standard error."""

    def run(*options, data=NEW, model=model):
        if isinstance(data, np.ndarray):
            np.savez(tmp_path / "new.npz", X=data)
            data = tmp_path / "new.npz"
        output = tmp_path / "out.tsv"
        __main__.run(
            ["predict", str(model), str(data), "--output", str(output), *map(str, options)]
        )
        return pandas.read_csv(output, sep="\t"), capsys.readouterr().err

    return run


def refused(message, predict, *options, **given):
    with pytest.raises(InputError, match=message) as caught:
        predict(*options, **given)
    assert "\n" not in str(caught.value)


# the command


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
    assert said.count("\n") == 1


def test_a_sample_that_cannot_be_placed_is_named(predict):
    data = np.array([[0.1, 0.1], [900.0, 0.0], [0.2, 0.1]])
    message = "new.npz: sample 1 lies too far from the training data to be labelled; check"
    refused(message, predict, "--chart", "tangent", data=data)


def test_no_warning_where_nothing_is_far(predict):
    table, said = predict(data=POINTS)
    assert said == ""
    assert not table["far"].any()
    assert (table["predicted"] == LABELS).mean() > 0.95


@pytest.mark.parametrize("chart", charts.COORDINATES)
@pytest.mark.parametrize("curvature", [1.0, 0.25])
def test_any_chart_gives_the_same_answer(predict, tmp_path, chart, curvature):
    path = kept_model(tmp_path / "m.skops", curvature=curvature)
    expected, _ = predict(model=path)
    points = charts.convert(NEW, "poincare", chart, curvature)
    found, _ = predict("--chart", chart, data=points, model=path)
    pandas.testing.assert_frame_equal(found, expected, rtol=1e-9)


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
        assert "note: 1 sample names occur more than once, the first 'b'." in said


@pytest.mark.parametrize(
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
    refused("column 'y', row 0 is 'here', not a number", predict, data=tmp_path / "text.csv")


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
    command = [sys.executable, "-m", "noneuclid.__main__", "predict", model, tmp_path / "new.npy"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("line", [[], ["predict"], ["forecast", "a", "b"]])
def test_wrong_command_lines_end_in_status_2(line):
    with pytest.raises(SystemExit) as caught:
        __main__.run(line)
    assert caught.value.code == 2


# maps


def features_and_labels(n=60, p=7):
    """Features with a mean, unequal scales and a constant column."""
    scale = np.array([5.0, 3, 2, 1, 1, 0.5, 0])
    return 4 + RNG.normal(size=(n, p)) * scale, np.arange(n) % 2


def embedded_by_pca(**settings):
    features, labels = features_and_labels()
    about = {"columns": [f"g{k}" for k in range(7)]}
    data = Dataset("d", "expression", labels, ("left", "right"), features=features, about=about)
    return data, embed(LiftedPCA, data, 0, **({"dimension": 3} | settings))


@pytest.mark.parametrize("standardise", [False, True])
def test_linear_map_agrees_with_the_embedding_and_with_pca(standardise):
    data, embedded = embedded_by_pca(standardise=standardise)
    fitted = maps.linear(data.features, embedded.points, standardise)
    np.testing.assert_allclose(fitted.place(data.features), embedded.points, atol=1e-12)
    deviation = np.where(data.features.std(axis=0) > 0, data.features.std(axis=0), 1)
    if not standardise:
        deviation = 1.0
    new, _ = features_and_labels(5)
    pca = PCA(3, svd_solver="full").fit(data.features / deviation)
    scores = pca.transform(new / deviation)
    found = fitted.place(new)
    scale = np.abs(embedded.points[0] / pca.transform(data.features[:1] / deviation)[0])
    np.testing.assert_allclose(np.abs(found), np.abs(scores) * scale, rtol=1e-9)


def test_linear_map_of_a_component_without_variance_is_zero():
    features = np.outer(np.arange(6.0), [1.0, 2.0])
    points = np.column_stack([np.arange(6) - 2.5, np.zeros(6)])
    fitted = maps.linear(features, points)
    np.testing.assert_allclose(fitted.place(features), points, atol=1e-12)


def with_columns(data, embedded):
    """The rule of an embedding, as the stage embed keeps it."""
    return replace(embedded.rule, columns=data.about["columns"])


def test_a_rule_is_kept_as_a_record(tmp_path):
    data, embedded = embedded_by_pca()
    fitted = with_columns(data, embedded)
    io.write_record(tmp_path / "map.npz", fitted)
    again = io.read_record(tmp_path / "map.npz", maps.restore)
    assert (type(again), again.columns) == (maps.Linear, fitted.columns)
    np.testing.assert_array_equal(again.axes, fitted.axes)
    io.write_record(tmp_path / "map.npz", maps.Map(why="no"))
    assert io.read_record(tmp_path / "map.npz", maps.restore) == maps.Map(why="no")
    json.dumps(asdict(maps.Map()))
    assert maps.restore() == maps.Map(why=maps.EARLIER)


def test_maps_of_earlier_versions_are_read():
    old = {"chart": "tangent", "curvature": 1.0, "columns": None, "mean": None, "axes": None}
    assert maps.restore(kind="none", **old).why == maps.EARLIER
    assert maps.restore(kind="given", **old) == maps.Given(chart="tangent")
    old |= {"mean": np.zeros(2), "axes": np.eye(2)}
    np.testing.assert_array_equal(maps.restore(kind="linear", **old).place(NEW), NEW)
    with pytest.raises(InputError, match="unknown kind of map 'spline'; known: none, given"):
        maps.restore(kind="spline")


@pytest.fixture(params=["hydra", "refined_hydra", "poincare_maps"])
def row_model(request, tmp_path):
    """A model on an embedding of 60 rows of a table, the rule with it."""
    cls = {"hydra": Hydra, "refined_hydra": RefinedHydra, "poincare_maps": PoincareMap}
    X = np.random.default_rng(2).normal(size=(60, 4)) * [1, 10, 1, 1]
    X[:30, 0] += 8
    about = {"columns": list("wxyz")}
    data = Dataset("d", "features", LABELS == "right", ("left", "right"), X, about=about)
    embedded = embed(cls[request.param], data, 0, neighbours=5)
    more = {"map": asdict(with_columns(data, embedded)), "names": ["d", request.param, "svm"]}
    estimator = PoincareSVC(chart="hyperboloid", random_state=0)
    path = kept_model(
        tmp_path / "m.skops", embedded.points, "hyperboloid", estimator=estimator, **more
    )
    return path, X, embedded


def test_features_of_a_table_are_labelled_on_embeddings_with_a_rule(predict, row_model, tmp_path):
    path, X, embedded = row_model
    fitted = io.read_model(path)["estimator"].predict(embedded.points)
    table = pandas.DataFrame(X, columns=list("wxyz"))[list("zyxw")]
    table.to_csv(tmp_path / "new.csv", index=False)
    found, said = predict(data=tmp_path / "new.csv", model=path)
    assert np.mean(found["predicted"] == fitted) > 0.9
    if embedded.about["embedding"]["name"] == "hydra":
        assert found["predicted"].tolist() == fitted.tolist()
        np.testing.assert_allclose(found["distance"], 0, atol=1e-6)
        assert said == ""
    # Order and company of the rows change nothing.
    table[::-3].to_csv(tmp_path / "some.csv", index=False)
    some, _ = predict(data=tmp_path / "some.csv", model=path)
    expected = found[::-3].drop(columns="sample").reset_index(drop=True)
    pandas.testing.assert_frame_equal(some.drop(columns="sample"), expected, rtol=1e-9)
    table.drop(columns="w").to_csv(tmp_path / "less.csv", index=False)
    refused("no column 'w'", predict, data=tmp_path / "less.csv", model=path)


def test_a_model_without_a_rule_says_why(predict, tmp_path):
    features = np.ones((3, 4))
    earlier = r"4 columns, but points .* \(the model keeps no rule .* run it again\)"
    refused(earlier, predict, data=features)
    graph = embed(Hydra, karate.load({}, 0), 0).rule
    path = kept_model(tmp_path / "m.skops", map=asdict(graph))
    refused(
        r"\(a new node has no place without its edges; embed", predict, data=features, model=path
    )


def test_parts_are_closed_as_in_training(predict, tmp_path):
    counts = np.random.default_rng(0).poisson(3, size=(60, 3)).astype(float)
    counts[:30, 0] += 9
    parts, _ = close_composition(counts, True, 0.5)
    data = Dataset("d", "composition", LABELS == "right", ("left", "right"), parts)
    embedded = embed(LogRatio, data, 0)
    more = {"map": asdict(embedded.rule), "closed": {"normalise": True, "pseudocount": 0.5}}
    path = kept_model(tmp_path / "m.skops", embedded.points, "tangent", **more)
    found, _ = predict(data=counts, model=path)
    np.testing.assert_allclose(found["distance"], 0, atol=1e-9)
    wrong = np.array([[1.0, -1.0, 2.0]])
    refused("row 0, column 1: -1 is negative; give parts of", predict, data=wrong, model=path)


@pytest.fixture(scope="module")
def pca_model(tmp_path_factory):
    data, embedded = embedded_by_pca()
    path = tmp_path_factory.mktemp("pca") / "model.skops"
    estimator = PoincareSVC(chart="tangent", random_state=0)
    more = {"map": asdict(with_columns(data, embedded)), "names": ["d", "lifted_pca", "svm"]}
    kept_model(path, embedded.points, "tangent", estimator=estimator, **more)
    X = charts.convert(embedded.points, "tangent", "poincare")
    return path, data, estimator.predict(charts.convert(X, "poincare", "tangent"))


def test_raw_features_go_through_the_map(predict, pca_model):
    path, data, expected = pca_model
    table, said = predict(data=data.features, model=path)
    assert table["predicted"].tolist() == expected.tolist()
    assert not table["far"].any()
    np.testing.assert_allclose(table["distance"], 0, atol=1e-9)
    assert said == ""
    refused("6 features, but the embedding was made from 7", predict, data=data.features[:, 1:],
            model=path)  # fmt: skip
    endless = np.where(np.arange(7) == 2, np.inf, data.features)
    refused("row 1 counted from 1, column 'g2' is inf", predict, data=endless, model=path)
    table, _ = predict("--chart", "tangent", data=np.zeros((2, 3)), model=path)
    assert len(table) == 2


def test_named_features_are_found_by_name(predict, pca_model, tmp_path):
    path, data, expected = pca_model
    order = [3, 0, 6, 5, 1, 2, 4]
    table = pandas.DataFrame(data.features, columns=data.about["columns"]).iloc[:, order]
    table.assign(type="unknown").to_csv(tmp_path / "new.csv")
    found, said = predict(data=tmp_path / "new.csv", model=path)
    assert found["predicted"].tolist() == expected.tolist()
    assert "note: The first column has no name" in said
    table.drop(columns="g5").to_csv(tmp_path / "new.csv")
    refused("no column 'g5'; it has: g3", predict, data=tmp_path / "new.csv", model=path)

    cells = anndata.AnnData(
        sparse.csr_matrix(table.to_numpy()), var=pandas.DataFrame(index=table.columns)
    )
    cells.obs_names = [f"cell{k}" for k in range(60)]
    cells.write_h5ad(tmp_path / "new.h5ad")
    found, _ = predict(data=tmp_path / "new.h5ad", model=path)
    assert found["predicted"].tolist() == expected.tolist()
    assert found["sample"][59] == "cell59"
    cells[:, :6].copy().write_h5ad(tmp_path / "new.h5ad")
    refused("no feature 'g4'", predict, data=tmp_path / "new.h5ad", model=path)


def test_the_layer_that_the_model_was_trained_on_is_read(predict, pca_model, tmp_path):
    path, data, expected = pca_model
    new, layered = tmp_path / "new.h5ad", tmp_path / "layered.skops"
    io.write_model(layered, io.read_model(path) | {"features": "layers/log1p"})
    columns = pandas.DataFrame(index=data.about["columns"])
    cells = anndata.AnnData(np.zeros_like(data.features), var=columns)
    cells.layers["log1p"] = data.features
    cells.write_h5ad(new)
    found, _ = predict(data=new, model=layered)
    assert found["predicted"].tolist() == expected.tolist()
    zeros, _ = predict("--features", "X", data=new, model=layered)
    assert zeros["predicted"].nunique() == 1
    del cells.layers["log1p"]
    cells.write_h5ad(new)
    refused("new.h5ad has no layers 'log1p'", predict, data=new, model=layered)
    # Points of the embedding are no layer.
    table, _ = predict("--chart", "tangent", data=np.zeros((2, 3)), model=layered)
    assert len(table) == 2


@pytest.mark.filterwarnings("ignore:Variable names are not unique")
def test_features_of_one_name(predict, pca_model, tmp_path):
    path, data, expected = pca_model
    names, new = list(data.about["columns"]), tmp_path / "new.h5ad"

    def save(features, names):
        anndata.AnnData(features, var=pandas.DataFrame(index=names)).write_h5ad(new)

    save(np.column_stack([data.features, data.features[:, 0]]), [*names, "g0"])
    message = "new.h5ad: 2 features are named 'g0'; give each its own name"
    refused(message, predict, data=new, model=path)

    model = io.read_model(path)
    names[1] = model["map"]["columns"][1] = "g0"
    io.write_model(tmp_path / "twice.skops", model)
    save(data.features, names)
    found, _ = predict(data=new, model=tmp_path / "twice.skops")  # the same columns in order
    assert found["predicted"].tolist() == expected.tolist()
    save(data.features, data.about["columns"])
    message = "twice.skops: 2 features are named 'g0'"
    refused(message, predict, data=new, model=tmp_path / "twice.skops")
    pandas.DataFrame(data.features, columns=data.about["columns"]).to_csv(tmp_path / "new.csv")
    refused(message, predict, data=tmp_path / "new.csv", model=tmp_path / "twice.skops")


def test_given_points_come_in_the_chart_of_their_file(predict, tmp_path):
    X = charts.convert(POINTS, "poincare", "hyperboloid")
    fitted = maps.Given(chart="poincare", columns=["x", "y"])
    estimator = PoincareSVC(chart="hyperboloid", random_state=0)
    path = kept_model(
        tmp_path / "m.skops", X, "hyperboloid", estimator=estimator, map=asdict(fitted)
    )
    found, _ = predict(model=path)
    lifted, _ = predict("--chart", "hyperboloid", model=path,
                        data=charts.convert(NEW, "poincare", "hyperboloid"))  # fmt: skip
    pandas.testing.assert_frame_equal(found, lifted)


# novelty


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


def test_a_missing_value_is_named_by_its_sample_and_column(predict, pca_model, tmp_path):
    path, data, _ = pca_model
    table = pandas.DataFrame(data.features, columns=data.about["columns"])
    table.index = [f"s{k}" for k in range(len(table))]
    table.iloc[3, 1] = np.nan
    table.to_csv(tmp_path / "gaps.csv")
    message = r"gaps.csv: row 4 counted from 1 \(sample 's3'\), column 'g1' is nan; fill in the"
    refused(message, predict, data=tmp_path / "gaps.csv", model=path)
    refused(
        "new.npz: row 4 counted from 1, column 'g1' is nan",
        predict,
        data=table.to_numpy(),
        model=path,
    )


def scanpy_cells(path, features, rows=slice(None), **columns):
    """Cells with their principal components as scanpy keeps them; the last gene has no loading."""
    mean = features.mean(axis=0)
    used = features[:, :-1] - mean[:-1]
    axes = np.linalg.svd(used, full_matrices=False)[2][:3].T
    cells = anndata.AnnData(features, var=pandas.DataFrame(index=list("abcdef")))
    cells.obs_names = [f"c{k}" for k in range(len(features))]
    cells.obsm["X_pca"] = used @ axes
    cells.varm["PCs"] = np.vstack([axes, np.zeros((1, 3))])
    cells[rows].copy().write_h5ad(path)
    return cells


def test_new_cells_are_projected_on_the_components_of_the_training_cells(predict, tmp_path):
    features = np.random.default_rng(3).normal(size=(60, 6)) + np.repeat([[2.0], [-2.0]], 30, 0)
    reference, new = tmp_path / "training.h5ad", tmp_path / "new.h5ad"
    cells = scanpy_cells(reference, features)
    scores = cells.obsm["X_pca"]
    points = charts.convert(scores, "tangent", "poincare")
    rule = asdict(maps.Linear(mean=np.zeros(3), axes=np.eye(3)))
    more = {"map": rule, "features": "obsm/X_pca"}
    path = kept_model(tmp_path / "cells.skops", points, **more)
    expected, said = predict(data=reference, model=path)
    assert "components computed from these cells alone give wrong labels" in said
    # Other components and another order of genes, as in a file of new cells alone.
    other = cells[:10, list("fbdaec")].copy()
    other.obsm["X_pca"] = np.zeros((10, 3))
    other.write_h5ad(new)
    found, said = predict("--reference", reference, data=new, model=path)
    assert "wrong labels" not in said
    pandas.testing.assert_frame_equal(found, expected[:10])

    def refused_with(message, data=new, model=path):
        refused(message, predict, "--reference", reference, data=data, model=model)

    other.X = np.ones((10, 6))
    other.write_h5ad(new)
    refused_with("new.h5ad: X holds counts, and X of ")
    other[:, :5].copy().write_h5ad(new)
    refused_with("new.h5ad has no gene 'c'")
    refused_with(
        "--reference is for models of obsm/X_pca; this one takes layers/log",
        model=kept_model(tmp_path / "layer.skops", points, **more | {"features": "layers/log"}),
    )
    cells.X = 2 * cells.X
    cells.write_h5ad(reference)
    refused_with("training.h5ad: obsm/X_pca is not the projection of X on varm/PCs")
    del cells.varm["PCs"]
    cells.write_h5ad(reference)
    refused_with("training.h5ad has no varm/PCs")
