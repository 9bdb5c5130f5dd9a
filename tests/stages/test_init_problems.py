"""The command init names identifiers, copies of rows and copies of the label."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from init_command import init, table, written

from noneuclid.errors import InputError


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_identifiers_are_named(capsys):
    rng = np.random.default_rng(1)
    numbers = rng.choice(10**6, size=(2, 40), replace=False)
    word = [f"x{k}" for k in rng.permutation(40)]
    frame = table(40, patientID=numbers[0], income=numbers[1], age=rng.integers(20, 60, 40))
    frame = frame.assign(plate=word, well=[*word[:38], "x0", "x0"], name=word)
    frame.to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert written("w")["datasets"]["w"]["params"] == {
        "label": "kind",
        "id": "plate",
        "drop": ["name", "patientID", "well"],
    }
    text = Path("w/config.yaml").read_text()
    assert "# names or numbers of rows, text, identifiers" in text
    assert (
        "problem: patientID: whole numbers, different in almost every row, with the name of an "
        "identifier: left out (drop)" in said
    )
    assert "problem: income: whole numbers, different in almost every row: kept; if they" in said
    assert "problem: well: text, 38 different values in 40 rows, which identify rows" in said
    assert "age:" not in said


def test_texts_of_groups_are_named(capsys):
    words = [f"p{k % 3}" for k in range(40)]
    table(40, plate=words, hair=words).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert "plate: text with 3 values and the name of a batch or group: left out (drop). Fo" in said
    assert "hair: text with 3 values cannot be a feature: left out (drop); to use it, wri" in said


def test_a_group_that_is_almost_the_target_has_one_problem(capsys):
    frame = table(40)
    frame["y"] = np.arange(40) // 4 + 0.5
    frame["batch"] = np.arange(40) // 4 * 10 + np.arange(40) // 2 % 2 * 2
    frame.to_csv("w.csv", index=False)
    init("w.csv", "--label", "y")
    said = capsys.readouterr().out
    assert "problem: batch: almost y in another unit (a + b x): kept" in said
    assert said.count("problem: batch") == 1


def test_numbers_of_groups_are_named(capsys):
    rng = np.random.default_rng(1)
    codes = rng.integers(1, 5, 40)
    frame = table(40, batch=codes, plateNr=codes % 3, run=codes / 8, run_time=codes + 7)
    frame.to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert "problem: batch, plateNr: whole numbers, with the name of a batch or group: kept" in said
    assert "drop" not in written("w")["datasets"]["w"]["params"]


def test_copies_of_a_number_to_predict_are_left_out_and_near_ones_named(capsys):
    rng = np.random.default_rng(1)
    y = rng.normal(20, 5, 40).round(3)
    frame = table(40, fahrenheit=(32 + 1.8 * y).round(1), noisy=y + rng.normal(0, 0.1, 40))
    frame.assign(target=y, related=y + rng.normal(0, 2, 40)).to_csv("w.csv", index=False)
    init("w.csv", "--label", "target")
    said = capsys.readouterr().out
    assert "problem: fahrenheit: target in another unit (a + b x): left out (drop)" in said
    assert "problem: noisy: almost target in another unit (a + b x): kept" in said
    assert "related:" not in said
    assert written("w")["datasets"]["w"]["params"]["drop"] == ["fahrenheit", "kind"]
    assert "copies of the label" in Path("w/config.yaml").read_text()
    np.savez("a.npz", X=np.column_stack([2 * y, rng.normal(size=(40, 2))]), y=y)
    init("a.npz", "--label", "y")
    assert "problem: column 1: y in another unit (a + b x): kept; remove" in capsys.readouterr().out


def test_rows_that_occur_twice_are_counted(capsys):
    frame = table()
    other = frame.iloc[:1].assign(kind="pink")
    pd.concat([frame, frame.iloc[:4], other]).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert (
        "problem: 5 rows of 35 repeat the features of an earlier row (1 of them with another "
        "label): in cross-validation copies are in the training and in the test rows" in said
    )


def test_a_copy_of_two_classes_and_a_quantity_as_label_are_named(capsys):
    frame = table(40)
    frame["kind"] = np.where(np.arange(40) % 2, "red", "white")
    frame["code"] = np.arange(40) % 2
    frame["almost"] = frame["code"] + 0.01 * np.random.default_rng(0).normal(size=40)
    frame["useful"] = frame["code"] + 0.1 * np.random.default_rng(0).normal(size=40)
    frame.to_csv("wine.csv", index=False)
    init("wine.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert "problem: code: one value for each class" in said
    assert "problem: almost: almost one value for each class" in said
    assert "useful:" not in said
    table(600, age=20 + np.arange(600) % 60).drop(columns="kind").to_csv("age.csv", index=False)
    init("age.csv", "--label", "age")
    assert "60 different whole numbers, used as classes" in capsys.readouterr().out


@pytest.mark.parametrize("odd", ["inf", "high"])
def test_a_number_to_predict_with_one_other_label_names_it(odd):
    frame = table(40, y=[odd, *np.random.default_rng(0).normal(size=39).round(5)])
    frame.to_csv("w.csv", index=False)
    with pytest.raises(InputError, match=f"numbers, except '{odd}' in row 0; correct it"):
        init("w.csv", "--label", "y")


@pytest.mark.parametrize(
    ("total", "zeros", "said"),
    [
        (1, 0, "as proportions do: for compositions add kind: composition under params"),
        (
            1,
            3,
            "with 3 zeros: for compositions add kind: composition, multiplicative_replacement: t",
        ),
        (
            100,
            3,
            "kind: composition, normalise: true, multiplicative_replacement: true under params",
        ),
        (100, 0, "about 100, as percentages do: for compositions add kind: composition, normalise"),
    ],
)
def test_rows_of_parts_are_named_with_what_their_zeros_need(total, zeros, said, capsys):
    parts = np.random.default_rng(0).dirichlet([3, 3, 3], size=30)
    parts[:zeros, 0] = 0
    parts *= total / parts.sum(axis=1, keepdims=True)
    table(30, **dict(zip(["acid", "iron", "salt"], parts.T, strict=True))).to_csv("w.csv")
    pd.read_csv("w.csv", index_col=0).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    assert said in capsys.readouterr().out
