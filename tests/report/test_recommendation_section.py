"""The section that recommends a model for each data set, and the code that it shows."""

import re
import shlex
from dataclasses import asdict, replace
from io import StringIO as io_text
from pathlib import Path

import anndata
import numpy as np
import pandas as pd
import pytest
from reporting_fixtures import report_input, run_of
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare import __main__, io
from noneuclid_compare.evaluation import out_of_distribution
from noneuclid_compare.models.kept_model import load_model
from noneuclid_compare.report import page
from noneuclid_compare.report.sections.recommendation import SECTION, source
from noneuclid_compare.report.tables import prediction_code, recommendation_rows

RNG = np.random.default_rng(0)
FEATURES = np.concatenate([RNG.normal(size=(30, 3)) + 3 * c for c in (1, -1)])
COLUMNS = ["acid", "sugar", "iron"]
PATH = "results/models/wine/lifted_pca/logistic.skops"


def kept_model(path, points, estimator, rule, **more):
    """Write a model as the stage train keeps it; points in the chart poincare."""
    lifted = charts.convert(points, "poincare", "hyperboloid", 1.0)
    labels = np.repeat(["left", "right"], 30)
    model = {
        "estimator": estimator.fit(points, labels),
        "names": ["wine", "lifted_pca", "logistic"],
        "class_names": ["left", "right"],
        "chart": "poincare",
        "curvature": 1.0,
        "map": asdict(rule),
        "training": out_of_distribution.summary(lifted, 1.0),
    }
    io.write_model(path, model | more)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Folder of a run with a kept model on features in three columns."""
    scores = PCA(2).fit_transform(FEATURES)
    rule = replace(maps.linear(FEATURES, scores), columns=COLUMNS)
    points = charts.convert(scores, "tangent", "poincare", 1.0)
    kept_model(tmp_path / PATH, points, LogisticRegression(), rule)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def dataset(use="table_file", file="wine.csv", **params):
    return source({"use": use, "files": {"data": file}, "params": params, "embeddings": []})


def write_new(path, rows):
    """New samples, the columns in another order where they have names."""
    table = pd.DataFrame(rows, columns=COLUMNS)[COLUMNS[::-1]]
    if path.suffix == ".csv":
        table.to_csv(path, index=False, sep=";", decimal=",")
    elif path.suffix == ".parquet":
        table.to_parquet(path)
    elif path.suffix == ".h5ad":
        cells = anndata.AnnData(np.zeros(table.shape), var=pd.DataFrame(index=table.columns))
        cells.layers["log"] = table.to_numpy()
        cells.write_h5ad(path)
    else:
        np.savez(path, F=rows)


@pytest.mark.parametrize(
    ("about", "features"),
    [
        (dataset(), None),
        (dataset(file="wine.parquet"), None),
        (dataset("anndata_file", "wine.h5ad"), "layers/log"),
        (dataset("array_file", "wine.npz"), "F"),
    ],
    ids=["csv", "parquet", "h5ad", "npz"],
)
def test_the_code_writes_the_same_file_as_the_command(folder, about, features, capsys):
    content = load_model(PATH).content
    io.write_model(folder / PATH, content | {"features": features, "decimal": ","})
    new = np.vstack([FEATURES[[0, 40]], [[9.0, -9.0, 9.0]]])
    write_new(folder / prediction_code.new_file(about), new)
    words = shlex.split(prediction_code.command(PATH, about, ""))
    __main__.run(words[1:])
    output = folder / "predicted.tsv"
    by_command = output.read_bytes()
    output.unlink()
    code = prediction_code.lines(PATH, about, "sklearn.linear_model.LogisticRegression")
    assert len(code.splitlines()) <= 10
    assert not any(line.startswith(" ") for line in code.splitlines())
    with pytest.warns(UserWarning, match="1 of 3 samples lie farther"):
        exec(compile(code, "shown", "exec"), {})
    assert output.read_bytes() == by_command
    answer = pd.read_csv(output, sep="\t")
    columns = ["sample", "predicted", "p_left", "p_right", "distance", "far"]
    assert list(answer.columns) == columns
    assert answer["predicted"].tolist()[:2] == ["left", "right"]
    assert answer["far"].tolist() == [False, False, True]


def test_the_mark_of_decimals_is_that_of_training_or_the_given_one(folder):
    content = load_model(PATH).content
    write_new(folder / "new.csv", FEATURES[:3])
    for kept in ({}, {"decimal": None}):  # of an earlier version, or not set
        io.write_model(folder / PATH, content | kept)
        assert len(load_model(PATH).predict_file("new.csv", decimal=",")) == 3
        with pytest.raises(InputError, match=r"with a comma .*; give decimal=',' unless"):
            load_model(PATH).predict_file("new.csv")
    io.write_model(folder / PATH, content | {"decimal": ","})
    assert len(load_model(PATH).predict_file("new.csv")) == 3
    pd.DataFrame(FEATURES[:3], columns=COLUMNS).to_csv("new.csv", index=False)
    with pytest.raises(InputError, match=r"with a point .*; give decimal='\.'"):
        load_model(PATH).predict_file("new.csv")
    assert len(load_model(PATH).predict_file("new.csv", decimal=".")) == 3


def test_a_model_without_a_rule_takes_points(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path, points = tmp_path / "model.skops", 0.1 * FEATURES[:, :2]
    kept_model(path, points, DecisionTreeClassifier(), maps.Map())
    np.savez("points.npz", X=points[[0, 40]])
    about = dataset() | {"chart": "poincare"}
    exec(compile(prediction_code.lines(str(path), about, ""), "shown", "exec"), {})
    assert pd.read_csv("predicted.tsv", sep="\t")["predicted"].tolist() == ["left", "right"]
    with pytest.raises(InputError, match="shape"):
        load_model(path).predict(points[0])


def test_a_model_says_its_probabilities_and_refuses_what_it_is_not(folder):
    model = load_model(PATH)
    assert model.columns == COLUMNS
    found = model.predict_proba(FEATURES)
    assert (model.classes_[found.argmax(axis=1)] == model.predict(FEATURES)).all()
    io.write_model(folder / "other.skops", {"estimator": LogisticRegression()})
    with pytest.raises(InputError, match="is not a model of noneuclid"):
        load_model(folder / "other.skops")


def test_own_classes_are_trusted_by_name():
    about = dataset()
    assert prediction_code.command(PATH, about, "mine.py:Tree").endswith("--trust mine.py")
    assert 'trust=["mine.py"]' in prediction_code.lines(PATH, about, "mine.py:Tree")
    assert "trust" not in prediction_code.lines(PATH, about, "noneuclid.PoincareSVC")


# the section


def config_of(data):
    datasets = {}
    for card in data["cards"]:
        name, embedding = card["dataset"]["name"], card["embedding"]["name"]
        datasets[name] = {"use": "karate", "embeddings": [embedding]}
    return {"datasets": datasets}


def section_run(folder, data, kind="given", **more):
    """A run whose embeddings place new rows, or none."""
    config = config_of(data) | more
    for name, entry in config["datasets"].items():
        for embedding in entry["embeddings"]:
            path = folder / f"map/{name}/{embedding}.npz"
            io.write_record(path, maps.Map(kind=kind, chart="poincare"))
    runs = [run | {"transductive": kind == "none"} for run in data["runs"]]
    return run_of(folder, data | {"runs": runs}, config)


@pytest.fixture(scope="module")
def data():
    return report_input(2, size=20)


def test_every_data_set_has_its_own_best_pipeline(data, tmp_path):
    run = section_run(tmp_path, data)
    rows = SECTION.values(run)["rows"]
    assert [row["dataset"] for row in rows] == ["karate", "olsson"]
    own = data["scores"].query("metric == 'balanced_accuracy' and dataset == 'karate'")
    means = own.groupby("method")["value"].mean().drop(["majority", "shuffled"])
    table = pd.read_csv(io_text(SECTION.tables(run)["recommendations.tsv"]), sep="\t")
    assert table["value"][0] == pytest.approx(means.max(), rel=1e-5)
    assert means[table["method"][0]] == means.max()
    name = run.names.in_text("methods", table["method"][0])
    assert rows[0]["sentences"][0].startswith(f"Use {name} on Lorentz MDS: balanced accuracy ")
    assert len(rows[0]["sentences"]) == 1
    html = page.render(run)
    assert "kept no models (" not in html
    assert html.count("data-copy>Copy</button>") == 4
    path = f"results/models/karate/lorentz_mds/{table['method'][0]}.skops"
    assert f"noneuclid predict {path} new.edges" in html


def test_without_kept_models_no_file_is_named(data, tmp_path):
    html = page.render(section_run(tmp_path, data, keep_models=False))
    assert html.count("The run kept no models (") == 2
    assert "results/models" not in html
    assert "noneuclid predict" not in html


def test_what_repeats_a_program_is_not_recommended(data, tmp_path):
    run = section_run(tmp_path, data)
    best = run.of_datasets["karate"].best["method"]
    for one in run.runs:
        if one["method"] == best:
            one["class"] = "yang2024_released_pgd"
    again = section_run(tmp_path, data | {"runs": run.runs})
    assert best not in set(again.of_datasets["karate"].table["method"])


def test_a_recommended_model_that_did_not_converge_is_said_not_to(data, tmp_path):
    run = section_run(tmp_path, data)
    best = run.of_datasets["karate"].best["method"]
    for one in run.runs:
        if (one["dataset"], one["method"]) == ("karate", best):
            folds = [fold | {"status": "not converged"} for fold in one["folds"]]
            one |= {"folds": folds, "model": folds[0] if one["repeat"] == 0 else None}
    _, said = SECTION.values(run)["rows"][0]["sentences"]
    late = "4 of 4 fits did not converge, the kept model among them"
    assert said == f"{late}: see Provenance before you use it."


def test_without_a_rule_for_new_rows_the_section_says_what_can_be_done(data, tmp_path):
    row = SECTION.values(section_run(tmp_path, data, "none"))["rows"][0]
    (model,) = row["models"]
    assert "has no rule for new rows" in model["remark"]
    assert "add an embedding that has a rule" in model["remark"]
    assert "points.npz" in model["command"]
    assert "chart poincare" in model["code"]
    assert row["sentences"][1] == recommendation_rows.SEEN


def raised(scores, embedding, method, mean):
    """Scores of one method on another embedding, with this mean."""
    one = scores[scores["method"] == method].assign(embedding=embedding)
    chosen = one["metric"] == "balanced_accuracy"
    return one.assign(value=one["value"].mask(chosen, mean))


def test_new_nodes_come_as_edges_and_their_features_in_a_table(data, tmp_path):
    karate = data["scores"][data["scores"]["dataset"] == "karate"]
    plain = raised(karate, "original", "logistic", 1.0)
    run = section_run(tmp_path, data | {"baselines": plain})
    entry = {"use": "graph_file", "files": {"data": "club.gml"}, "params": {"features": ["age"]}}
    given = source(entry)
    assert (given["suffix"], given["network"]) == ("gml", True)
    for features, file in ((["age"], "new.csv"), ("", "new.gml")):
        sources = dict.fromkeys(run.of_datasets, given | {"features": features})
        row = recommendation_rows.rows(run, {("karate", "original")}, sources)[0]
        assert file in row["models"][0]["command"]
    assert "edges that join new nodes" in row["models"][0]["code"]


def test_another_model_places_new_rows_if_the_recommended_one_does_not(data, tmp_path):
    karate = data["scores"][data["scores"]["dataset"] == "karate"]
    better = raised(karate, "hydra", "logistic", 1.0)
    run = section_run(tmp_path, data | {"scores": pd.concat([data["scores"], better])})
    row = SECTION.values(run)["rows"][0]
    assert row["sentences"][0].startswith("Use logistic regression on Hydra: balanced accuracy 100")
    first, other = row["models"]
    assert first["remark"].startswith("Hydra has no rule for new rows")
    rows = run.of_datasets["karate"].rows("pipeline")
    second = rows[rows["embedding"] == "lorentz_mds"].iloc[0]
    assert other["remark"] == f"For new rows, use {second['name']}: {second['shown']}."
    assert other["path"].endswith(f"karate/lorentz_mds/{second['method']}.skops")
    assert run.drawn == ("karate", "lorentz_mds", second["method"])


def test_a_study_recommends_nothing_and_the_rules_are_read():
    config = {"datasets": {"d": {"use": "karate", "embeddings": ["a", "b"]}}}
    assert SECTION.reads(SECTION.entry(config)) == ["map/d/a.npz", "map/d/b.npz"]
    assert SECTION.entry(config | {"routes": {}}) is None


def test_command_and_code_are_printed():
    css = (Path(page.__file__).parent / "templates/print.css").read_text()
    (hidden,) = re.findall(r"^  nav,(.*){ display: none !important", css, re.MULTILINE)
    assert ".model" not in hidden
    assert ".code" not in hidden
    assert "button" in hidden


def test_new_cells_are_projected_on_the_components_of_the_file(tmp_path):
    cells = anndata.AnnData(np.eye(4))
    cells.obsm["X_pca"] = np.eye(4)[:, :2]
    cells.write_h5ad(tmp_path / "c.h5ad")
    known = {"path": "c.h5ad", "suffix": "h5ad", "features": "obsm/X_pca"}
    assert prediction_code.with_reference(known, tmp_path) == known
    cells.varm["PCs"] = np.eye(4)[:, :2]
    cells.write_h5ad(tmp_path / "c.h5ad")
    found = prediction_code.with_reference(known, tmp_path)
    assert "--reference c.h5ad" in prediction_code.command(
        "m.skops", found, "noneuclid.PoincareSVC"
    )
    assert 'reference="c.h5ad"' in prediction_code.lines("m.skops", found, "noneuclid.PoincareSVC")
    assert prediction_code.with_reference(known | {"features": "X"}, tmp_path)["features"] == "X"
    assert prediction_code.with_reference(known, tmp_path / "gone") == known
