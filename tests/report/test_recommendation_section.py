"""The section that recommends a model for each data set, and the code that it shows."""

import re
import shlex
from dataclasses import asdict, replace
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
from noneuclid_compare.evaluation import out_of_distribution, recommendations
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
        (dataset(decimal=","), None),
        (dataset(file="wine.parquet"), None),
        (dataset("anndata_file", "wine.h5ad"), "layers/log"),
        (dataset("array_file", "wine.npz"), "F"),
    ],
    ids=["csv", "parquet", "h5ad", "npz"],
)
def test_the_code_writes_the_same_file_as_the_command(folder, about, features, capsys):
    content = load_model(PATH).content
    io.write_model(folder / PATH, content | {"features": features})
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
    shipped = {
        "majority": "dummy.D",
        "shuffled": "dummy.S",
        "logistic": "linear_model.LogisticRegression",
    }
    runs = [
        run | {"transductive": False, "class": f"sklearn.{shipped.get(run['method'], 'tree.T')}"}
        for run in data["runs"]
    ]
    return run_of(folder, data | {"runs": runs}, config)


@pytest.fixture(scope="module")
def data():
    return report_input(2, size=20)


def test_every_data_set_has_a_recommendation_that_says_what_it_rests_on(data, tmp_path):
    run = section_run(tmp_path, data)
    rows = SECTION.values(run)["rows"]
    assert [row["dataset"] for row in rows] == ["karate", "olsson"]
    assert rows[0]["sentence"] == (
        "Use logistic regression on Lorentz MDS: on this one data set none of the 8 other "
        "candidates is significantly better, and this is the simplest."
    )
    for row in rows:
        assert "on this one data set" in row["sentence"]
        assert row["basis"].startswith("One data set, 3 test folds, 9 candidates.")
    html = page.render(run)
    assert "kept no models (" not in html
    assert html.count("data-copy>Copy</button>") == 4
    assert "noneuclid predict results/models/karate/lorentz_mds/logistic.skops new.npz" in html
    table = SECTION.tables(run)
    assert table["recommendations.tsv"].splitlines()[1].startswith("karate\tlorentz_mds\tlogistic")


def test_no_interval_leaves_the_range_of_the_metric(data, tmp_path):
    scores = data["scores"].query("repeat == 0").copy()
    plain = scores["metric"] == "balanced_accuracy"
    scores.loc[plain, "value"] = np.where(scores["fold"][plain] == 0, 0.1, 0.9)
    rows = SECTION.values(section_run(tmp_path, data | {"scores": scores}))["rows"]
    assert rows[0]["score"].endswith("(0.0 to 100.0)")


def test_without_kept_models_no_file_is_named(data, tmp_path):
    html = page.render(section_run(tmp_path, data, keep_models=False))
    assert html.count("The run kept no models (") == 2
    assert ">Evidence</a>" in html
    assert "results/models" not in html
    assert "noneuclid predict" not in html


@pytest.mark.parametrize("programs", [{"logistic"}, None])
def test_what_repeats_a_program_is_only_recommended_without_others(data, tmp_path, programs):
    run = section_run(tmp_path, data)
    for one in run.runs:
        if programs is None or one["method"] in programs:
            one["class"] = "yang2024_released_pgd"
    rows = SECTION.values(run)["rows"]
    assert len(rows) == 2
    assert programs is None or not any("ogistic" in row["sentence"] for row in rows)


def test_a_recommended_model_that_did_not_converge_is_said_not_to(data, tmp_path):
    run = section_run(tmp_path, data)
    assert "converge" not in SECTION.values(run)["rows"][0]["sentence"]
    for one in run.runs:
        if (one["dataset"], one["method"]) == ("karate", "logistic"):
            folds = [fold | {"status": "not converged"} for fold in one["folds"]]
            one |= {"folds": folds, "model": folds[0] if one["repeat"] == 0 else None}
    row = SECTION.values(run)["rows"][0]
    late = "4 of 4 fits did not converge, the kept model among them"
    assert row["sentence"].endswith(f"the simplest. {late}: see Provenance before you use it.")
    assert row["short"].endswith(f" ({late})")


def test_a_better_method_is_recommended_with_its_lead(data, tmp_path):
    scores = data["scores"].copy()
    chosen = (scores["method"] == "poincare_svm") & (scores["metric"] == "balanced_accuracy")
    plain = scores["metric"] == "balanced_accuracy"
    scores.loc[plain, "value"] = 0.5 + 0.001 * scores["fold"]
    scores.loc[chosen, "value"] = 0.9 + 0.002 * scores["fold"]
    rows = SECTION.values(section_run(tmp_path, data | {"scores": scores}))["rows"]
    assert rows[0]["sentence"] == (
        "Use Poincaré SVM on Lorentz MDS: on this one data set it is significantly better than "
        "logistic regression on Lorentz MDS, the simplest candidate, by 40.1 points (39.0 to 41.2)."
    )
    assert rows[0]["score"].startswith("Balanced accuracy 90.2\u00a0% (")
    assert rows[0]["baseline"].startswith(
        "Logistic regression on Lorentz MDS, 50.1\u00a0%: 40.1 points lower"
    )
    assert "slightly optimistic" in rows[0]["basis"]


def test_one_fold_recommends_the_best_score_and_says_that_it_is_not_tested(data, tmp_path):
    scores = data["scores"].query("fold == 0 and repeat == 0").copy()
    plain = scores["metric"] == "balanced_accuracy"
    scores.loc[plain, "value"] = np.where(scores["method"][plain] == "poincare_svm", 0.6, 0.5)
    rows = SECTION.values(section_run(tmp_path, data | {"scores": scores}))["rows"]
    assert rows[0]["sentence"] == (
        "Use Poincaré SVM on Lorentz MDS: on this one data set it has the best score. Each "
        "candidate has one value, so that differences cannot be tested: use several folds or "
        "repeats."
    )
    assert "slightly optimistic" in rows[0]["basis"]


def test_the_baseline_is_named_only_where_it_is_another_candidate(data, tmp_path):
    rows = SECTION.values(section_run(tmp_path, data))["rows"]
    assert rows[0]["baseline"] == ""
    assert rows[0]["short"].startswith("logistic regression on Lorentz MDS: balanced accuracy ")


def drawn_case(**means):
    """Candidates EMBEDDING_METHOD on a data set, whose folds differ by little."""
    places = {name: tuple(name.split("_")) for name in means}
    noise = np.array([0.0, 0.001, -0.001, 0.002])
    values = pd.DataFrame(
        {places[n]: m + noise * (k + 1) for k, (n, m) in enumerate(means.items())}
    )
    found = recommendations.recommend(values, 1 / 3, list(values.columns))
    return recommendation_rows.Case("d", found, [], set(), None)


def test_the_page_opens_with_the_recommended_method_or_the_leader_with_embedding():
    pairs = {("d", "hydra"), ("d", "pca")}
    better = drawn_case(original_svm=0.5, hydra_svm=0.9, pca_svm=0.6)
    assert recommendation_rows.drawn([better], pairs) == recommendation_rows.Drawn(
        "d", "hydra", "svm", True
    )
    worse = drawn_case(original_svm=0.9, hydra_tree=0.7, pca_svm=0.6, hydra_svm=0.5)
    found = recommendation_rows.drawn([worse], pairs, "svm")
    assert found == recommendation_rows.Drawn("d", "pca", "svm", False)
    assert recommendation_rows.drawn([worse], pairs).method == "tree"
    assert recommendation_rows.drawn([worse], set()) is None


def test_an_error_is_better_when_it_is_lower(data, tmp_path):
    run = section_run(tmp_path, data)
    run.metric = "log_loss"
    row = SECTION.values(run)["rows"][0]
    values = run.scores[(run.scores["metric"] == "log_loss") & (run.scores["dataset"] == "karate")]
    means = (
        values[~values["method"].isin(["majority", "shuffled"])].groupby("method")["value"].mean()
    )
    best = means.drop("logistic").min()
    assert f"on Lorentz MDS, {best:.3f}: " in row["runner_up"]
    assert round(best - means["logistic"], 9) == 0
    assert ": no difference (" in row["runner_up"]
    higher = run.scores["value"] + 0.2 * (run.scores["method"] != "logistic")
    run = replace(run, scores=run.scores.assign(value=higher))
    assert "0.200 higher" in SECTION.values(run)["rows"][0]["runner_up"]


def test_without_a_rule_for_new_rows_the_section_says_what_can_be_done(data, tmp_path):
    model = SECTION.values(section_run(tmp_path, data, "none"))["rows"][0]["models"][0]
    assert "has no rule for new rows" in model["remark"]
    assert "add an embedding that has a rule" in model["remark"]
    assert "points.npz" in model["command"]
    assert "chart poincare" in model["code"]


def test_a_network_without_embedding_has_a_model_but_no_command(data, tmp_path):
    rename = {"karate": "original", "olsson": "lorentz_mds"}
    scores = data["scores"].assign(embedding=data["scores"]["dataset"].map(rename))
    run = section_run(tmp_path, data, "none")
    case = recommendation_rows.cases(scores, run.metric, run.classes, set())[0]
    assert case.found.chosen == ("original", "logistic")
    (row,) = recommendation_rows.rows([case], run, {"karate": dataset()})
    (model,) = row["models"]
    assert model["path"] == "results/models/karate/original/logistic.skops"
    assert model["command"] == model["code"] == ""
    assert model["remark"].endswith("this model labels no new samples.")


def test_another_model_places_new_rows_if_the_recommended_one_does_not(data, tmp_path):
    scores = data["scores"][data["scores"]["dataset"] == "karate"]
    better = scores.assign(embedding="hydra")
    better.loc[better["metric"] == "balanced_accuracy", "value"] = 0.95 + 0.001 * better["fold"]
    worse = scores.copy()
    worse.loc[worse["metric"] == "balanced_accuracy", "value"] = 0.6 + 0.002 * worse["fold"]
    both = pd.concat([better, worse])
    found = recommendation_rows.cases(both, "balanced_accuracy", {}, {("karate", "lorentz_mds")})[0]
    assert found.found.chosen == ("hydra", "logistic")
    assert found.instead.chosen == ("lorentz_mds", "logistic")
    run = section_run(tmp_path, data)
    (row,) = recommendation_rows.rows([found], run, {"karate": dataset()})
    assert row["models"][1]["remark"].startswith("For new rows, use logistic regression on Lorentz")
    assert row["models"][1]["remark"].endswith(", 34.9 points lower than above.")


def test_candidates_without_embedding_are_the_simplest():
    pairs = [
        ("hydra", "svm"),
        ("hydra", "logistic"),
        ("original", "forest"),
        ("original", "logistic"),
    ]
    scores = pd.DataFrame(pairs, columns=["embedding", "method"])
    classes = {"svm": "noneuclid.PoincareSVC", "forest": "sklearn.ensemble.RandomForestClassifier"}
    classes["logistic"] = "sklearn.linear_model.LogisticRegression"
    assert recommendation_rows.simplest_first(scores, classes, set()) == [
        pairs[3], pairs[2], pairs[1], pairs[0],
    ]  # fmt: skip


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
