"""The option `--error-rate` of the command that labels new samples: sets, labels, refusals."""

import json
import re
from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest
from predicted_points import refused
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold, cross_val_predict
from sklearn.svm import LinearSVC

from noneuclid.classifiers.conformal_classifier import threshold
from noneuclid.embeddings import maps
from noneuclid_compare import io
from noneuclid_compare.evaluation import cross_validation
from noneuclid_compare.models import error_rates
from noneuclid_compare.models.kept_model import load_model
from noneuclid_compare.models.new_samples import in_python
from noneuclid_compare.records import Embedded, Predictions, Split
from noneuclid_compare.stages import train

NAMES = np.array(["B cell", "NK cell", "T cell"])
DATA = Embedded(np.zeros((4, 2)), "tangent", np.array([0, 1, 0, 1]), ("a", "b"))
FOUND = Predictions(np.arange(4), np.arange(4) % 2, DATA.labels, DATA.labels)
FOUND = replace(FOUND, probabilities=np.array([[0.75, 0.25], [0.5, 0.5], [1, 0], [0, 1]]))
FOLDS = Split(np.arange(4) % 2)


def donors(count, size, rng, spread=1.0):
    """Points, class codes and donors; each donor has a shift of its own."""
    codes, groups = rng.integers(0, 3, count * size), np.repeat(np.arange(count), size)
    shifts = spread * rng.normal(size=(count, 2))[groups]
    centres = np.array([[0, 0], [4, 0], [0, 4]])[codes]
    return centres + shifts + rng.normal(size=(len(codes), 2)), codes, groups


def trained(folder, X, y, split):
    """Model file of the stage train, of a logistic regression."""
    about = {"embedding": {"name": "e"}, "dataset": {"name": "d", "kind": "features"}}
    about["dataset"]["group_names"] = [f"donor {number}" for number in range(100)]
    data = Embedded(X, "tangent", y, tuple(NAMES), about=about)
    io.write_record(folder / "points.npz", data)
    io.write_record(folder / "split.npz", split)
    io.write_record(folder / "map.npz", maps.Given(chart="tangent"))
    method = {"use": "sklearn.linear_model.LogisticRegression", "chart": "tangent", "grid": {}}
    words = {"points": "points.npz", "split": "split.npz", "map": "map.npz"}
    words |= {"predictions": "out.npz", "record": "out.json", "model": "model.skops"}
    argv = ["--names", "d", "e", "m", "--method", json.dumps(method | {"params": {}, "search": {}})]
    argv += ["--repeat", "0", "--seed", "0"]
    for name, path in words.items():
        argv += [f"--{name}", str(folder / path)]
    train.main(argv)
    return folder / "model.skops"


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Model of twelve donors, each held out once, and its rows."""
    X, y, groups = donors(12, 30, np.random.default_rng(0), 1.5)
    return trained(tmp_path_factory.mktemp("kept"), X, y, Split(groups, {}, groups)), X, y, groups


def test_new_donors_are_labelled_at_the_stated_rate(kept, predict):
    model, X, y, groups = kept
    new, codes, others = donors(40, 20, np.random.default_rng(1), 1.5)
    table, said = predict("--error-rate", 0.2, model=model, data=new)
    known = cross_val_predict(
        LogisticRegression(), X, y, groups=groups, cv=LeaveOneGroupOut(), method="predict_proba"
    )
    largest = threshold(1 - known[np.arange(len(y)), y], groups, 0.2)
    fitted = LogisticRegression().fit(X, y)
    inside = 1 - fitted.predict_proba(new) <= largest + 1e-6
    sets = [" | ".join(NAMES[row]) for row in inside]
    assert table["prediction_set"].fillna("").tolist() == sets
    sure = (inside.sum(axis=1) == 1) & ~table["far"]
    labels = np.where(sure, NAMES[inside.argmax(axis=1)], "unknown")
    assert table["label"].tolist() == labels.tolist()
    assert f"note: A label for {sure.sum()} of 800 samples; unknown: " in said
    # What is promised.
    right = pd.Series(inside[np.arange(len(codes)), codes]).groupby(others).mean()
    assert right.mean() > 0.8
    wrong = (table["label"] != "unknown") & (table["label"] != NAMES[codes])
    assert wrong.mean() < 0.2
    assert 0.3 < sure.mean() < 0.99


def test_python_gives_the_table_of_the_command(kept, predict, tmp_path):
    model, X, *_ = kept
    table, _ = predict("--error-rate", 0.2, model=model, data=X)
    with pytest.warns(UserWarning, match="A label for"):
        found = load_model(model).predict_file(tmp_path / "new.npz", error_rate=0.2)
    pd.testing.assert_frame_equal(found.replace("", None), table.replace(np.nan, None))


def test_rows_without_groups_are_exchangeable_alone(tmp_path, predict):
    X, y, _ = donors(1, 200, np.random.default_rng(2))
    folds = list(StratifiedKFold(4).split(X, y))
    fold = np.empty(200, dtype=int)
    for k, (_, test) in enumerate(folds):
        fold[test] = k
    model = trained(tmp_path, X, y, Split(fold))
    known = cross_val_predict(LogisticRegression(), X, y, cv=folds, method="predict_proba")
    scores = np.sort(1 - known[np.arange(200), y])
    table, _ = predict("--error-rate", 0.1, model=model, data=X)
    # The 181st of 200: ceil(201 * 0.9).
    inside = 1 - LogisticRegression().fit(X, y).predict_proba(X) <= scores[180] + 1e-6
    expected = [" | ".join(NAMES[row]) for row in inside]
    assert table["prediction_set"].fillna("").tolist() == expected


def test_the_label_is_the_only_class_of_a_set_of_a_near_sample():
    table = pd.DataFrame({"sample": range(5), "predicted": list("aabaa")})
    table = table.assign(
        p_a=[0.75, 0.5, 0.2, 0.9, 0.5], p_b=[0.1, 0.5, 0.2, 0.1, 0.5], far=[False] * 3 + [True] * 2
    )
    found, said = error_rates.with_labels(table, ["a", "b"], 0.5)
    assert list(found.columns[:4]) == ["sample", "predicted", "label", "prediction_set"]
    assert found["label"].tolist() == ["a", *["unknown"] * 4]
    assert found["prediction_set"].tolist() == ["a", "a | b", "", "a", "a | b"]
    assert said == (
        "A label for 1 of 5 samples; unknown: 2 far from the training data; of the others, 1 with "
        "several possible classes, 1 with none."
    )


def test_the_smallest_rate_is_named(kept, predict):
    model, X, *_ = kept
    refused(
        "--error-rate 0.05: .*model.skops has 12 held-out groups, too few; give "
        "--error-rate 0.077 or more",
        *(predict, "--error-rate", 0.05),
        model=model,
    )
    table, _ = predict("--error-rate", 0.077, model=model, data=X)
    assert table["label"].notna().all()


@pytest.mark.parametrize("rate", ["0", "1", "-1", "nan", "20"])
def test_rates_out_of_range_are_refused(kept, predict, rate):
    refused("--error-rate .* is not between 0 and 1; give", predict, "--error-rate", rate,
            model=kept[0])  # fmt: skip


def test_models_without_scores_of_held_out_rows_say_why(model, predict):
    refused(
        "keeps no scores of held-out rows: an earlier version made it; run it again",
        *(predict, "--error-rate", 0.1),
    )
    path = model.parent / "other.skops"
    io.write_model(path, io.read_model(model) | {"calibration": {"why": "it predicts numbers"}})
    refused("rows: it predicts numbers", predict, "--error-rate", 0.1, model=path)
    io.write_model(path, io.read_model(model) | {"calibration": {"scores": "none"}})
    refused(r"other\.skops does not work", predict, "--error-rate", 0.1, model=path)


@pytest.mark.parametrize(
    ("name", "why"),
    [("unknown", "would be confused"), ("Unknown", "would be confused"), ("B | T", "contains")],
)
def test_a_class_with_a_name_of_the_answer_is_refused(model, predict, name, why):
    content, path = io.read_model(model), model.parent / "named.skops"
    content["estimator"].classes_ = np.array(["left", name])
    kept = {"scores": np.linspace(0, 1, 60), "groups": None}
    io.write_model(path, content | {"calibration": kept})
    refused(f"class '{re.escape(name)}' of .* {why}", predict, "--error-rate", 0.1, model=path)


@pytest.mark.parametrize(
    ("data", "about", "found", "why"),
    [
        ({"target": np.arange(4.0)}, {}, {}, "it predicts numbers"),
        ({}, {}, {"probabilities": None}, "the run had keep_scores: false; remove it and run"),
        ({}, {"mixed_groups": 2}, {}, "its folds mix rows of one group; set scheme"),
        ({}, {"labels_per_class": 5}, {}, "its folds train on few labels"),
        ({"about": {"dataset": {"kind": "graph"}}}, {}, {}, "it is of a network, whose new nodes"),
        (
            {"about": {"embedding": {"reads_labels": True, "transductive": True}}},
            *({}, {}, "its embedding has read the labels of the held-out rows"),
        ),
    ],
)
def test_folds_that_do_not_calibrate(data, about, found, why):
    kept = error_rates.calibration(
        *(replace(FOUND, **found), replace(DATA, **data), replace(FOLDS, about=about)),
        LogisticRegression(),
    )
    assert list(kept) == ["why"]
    assert kept["why"].startswith(why)


def test_a_method_without_probabilities_is_named():
    found = replace(FOUND, probabilities=None)
    kept = error_rates.calibration(found, DATA, FOLDS, LinearSVC())
    assert kept == {
        "why": "its method has no probabilities; use a model that has the columns p_CLASS"
    }


def test_scores_and_groups_of_held_out_rows_are_kept():
    """Predictions come in the order of folds, not of rows."""
    order = np.array([0, 2, 1, 3])
    parts = {k: v[order] for k, v in asdict(FOUND).items() if v is not None}
    split = replace(FOLDS, groups=np.array([5, 6, 7, 8]), about={"labels_per_class": "all"})
    kept = error_rates.calibration(Predictions(**parts), DATA, split, LogisticRegression())
    np.testing.assert_allclose(kept["scores"], [0.25, 0, 0.5, 0])
    assert kept["groups"].tolist() == [5, 7, 6, 8]
    kept = error_rates.calibration(FOUND, DATA, FOLDS, LogisticRegression())
    assert kept["groups"] is None


@pytest.mark.slow
def test_the_rate_holds_on_average_over_training_data():
    """Of donors at 0.2: the true class is in the set often enough, and rows alone are too few."""
    shares, search = {"donors": [], "rows": []}, cross_validation.Search({})
    for seed in range(150):
        X, y, groups = donors(8, 15, np.random.default_rng(seed), 1.5)
        new, codes, _ = donors(30, 5, np.random.default_rng(1000 + seed), 1.5)
        data = Embedded(X, "tangent", y, tuple(NAMES))
        for name, given in (("donors", groups), ("rows", None)):
            fold = groups % 4 if given is not None else np.arange(len(y)) % 4
            split = Split(fold, {}, given)
            found, _ = cross_validation.cross_validate(LogisticRegression(), X, y, split, 3, search)
            fitted = LogisticRegression().fit(X, y)
            content = {"estimator": fitted}
            content["calibration"] = error_rates.calibration(found, data, split, fitted)
            largest = error_rates.threshold_of(content, 0.2, "m", in_python)
            scores = error_rates.scores_of(fitted.predict_proba(new))
            shares[name].append((scores[np.arange(len(codes)), codes] <= largest).mean())
    error = np.std(shares["donors"]) / np.sqrt(len(shares["donors"]))
    assert np.mean(shares["donors"]) >= 0.8 - 2 * error
    assert np.mean(shares["rows"]) < 0.8 - 2 * error
