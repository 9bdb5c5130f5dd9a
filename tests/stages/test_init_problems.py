"""The command init names identifiers, copies of rows and copies of the label."""

import os
import re
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from init_command import init, table, written

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration_checks
from noneuclid_compare.data.files import arrays
from noneuclid_compare.data.own import feature_table, table_file
from noneuclid_compare.inspect_file import compositions, look


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
    assert written("w")["datasets"]["w"]["params"]["categories"] == ["hair"]


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
    # Folds leave out batches, the first of two of one rank.
    assert "groups      batch: folds leave out whole groups, 4 groups" in said
    assert "or by plateNr" in said
    assert "problem: plateNr: whole numbers, with the name of a batch or group: kept" in said
    entry = written("w")["datasets"]["w"]
    assert entry["params"] == {"label": "kind", "groups": "batch"}
    assert entry["split"]["folds"] == 4
    assert entry["split"]["scheme"] == "stratified_group_kfold"


@pytest.mark.parametrize(
    ("donor", "chosen"),
    [
        (np.arange(40) // 4, True),
        (np.arange(40), False),  # numbers the rows
        (np.arange(40) % 2, False),  # two values
        (np.where(np.arange(40) < 38, np.arange(40) // 4, np.nan), False),  # missing
        ([f"{k}" for k in np.arange(40) % 3], False),  # the class in other words
        (np.arange(40) // 4 + 0.5, False),  # a measurement
    ],
)
def test_a_column_is_groups_by_its_name_and_by_what_folds_can_leave_out(donor, chosen):
    frame = table(40, donor=donor, plate=np.arange(40) % 7)
    frame["kind"] = np.array(["red", "pink", "white"])[np.arange(40) % 3]
    frame.to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    found = written("w")["datasets"]["w"]["params"]["groups"]
    assert found == ("donor" if chosen else "plate")
    text = Path("w/config.yaml").read_text()
    assert ("groups; or by plate" in text) == chosen


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
    assert written("w")["datasets"]["w"]["params"]["drop"] == ["fahrenheit"]
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


def slow_run(values):
    """The run of `compositions.parts_among`, by a look at each."""
    found = {}
    for first in range(values.shape[1]):
        for last in range(first + 2, values.shape[1]):
            run = values[:, first : last + 1]
            for off in [np.abs(run.sum(axis=1) / total - 1).max() for total in (1, 100)]:
                some = ((run > 0).sum(axis=1) > 1).any()
                if off <= 0.01 and (run >= 0).all() and some:
                    found[first, last] = round(off, 6), first - last
    return min(found, key=found.get, default=None)


def test_the_run_of_parts_is_that_of_a_look_at_each():
    rng, seen = np.random.default_rng(0), 0
    for _ in range(150):
        n, first, p = rng.integers(2, 6), rng.integers(0, 3), rng.integers(3, 6)
        values = rng.normal(size=(n, 8)).round(2) + rng.integers(0, 3)
        off = 1 + rng.choice([0, 0.008, 0.02]) * rng.uniform(-1, 1, (n, 1))
        values[:, first : first + p] = rng.choice([1, 100]) * off * rng.dirichlet(np.ones(p), n)
        if rng.random() < 0.3:
            values[:, 5:] = np.eye(3)[rng.integers(3, size=n)]
        values[0, rng.integers(8)] = rng.choice([np.nan, 0.0])
        expected = slow_run(values)
        assert compositions.parts_among(values) == expected
        seen += expected is not None
    assert 20 < seen < 130


def test_a_wide_table_of_zeros_and_ones_is_read_quickly():
    """40 s for 800 columns if each run that fits the first row is summed."""
    rare = (np.random.default_rng(0).random((1000, 800)) < 0.005).astype(float)
    start = time.perf_counter()
    assert compositions.parts_among(rare) is None
    assert time.perf_counter() - start < 2


def parts_of(n, total, zeros=0, off=0.0):
    """Rows of three parts with this sum, the first with zeros; every second sum is off."""
    parts = np.random.default_rng(0).dirichlet([3, 3, 3], size=n)
    parts[:zeros, 0] = 0
    parts *= total / parts.sum(axis=1, keepdims=True)
    parts[::2] *= 1 + off
    table(n, **dict(zip(["acid", "iron", "salt"], parts.T, strict=True))).to_csv("w.csv")
    pd.read_csv("w.csv", index_col=0).to_csv("w.csv", index=False)


@pytest.mark.parametrize(
    ("total", "zeros", "off", "changes"),
    [
        (1, 0, 0, {}),
        (1, 3, 0, {"multiplicative_replacement": True}),
        (100, 3, 0, {"normalize": True, "multiplicative_replacement": True}),
        (100, 0, 0.008, {"normalize": True}),
    ],
)
def test_rows_that_sum_to_one_or_100_are_written_as_compositions(total, zeros, off, changes):
    parts_of(30, total, zeros, off)
    init("w.csv", "--label", "kind")
    text = Path("w/config.yaml").read_text()
    params = written("w")["datasets"]["w"]["params"]
    assert params == {"label": "kind", "kind": "composition"} | changes
    assert f"kind: composition # each row sums to {total}\n" in text
    assert ("replaces 3 zeros" in text) == bool(zeros)


@pytest.mark.parametrize(("off", "named"), [(0.03, True), (0.06, False)])
def test_rows_that_nearly_sum_to_one_are_only_named(off, named, capsys):
    parts_of(30, 1, 2, off)
    init("w.csv", "--label", "kind")
    assert written("w")["datasets"]["w"]["params"] == {"label": "kind"}
    said = "as proportions do: for compositions add kind: composition, normalize: true, multi"
    assert (said in capsys.readouterr().out) == named


@pytest.mark.parametrize(("total", "zeros"), [(1, 0), (100, 2)])
def test_parts_beside_an_age_have_their_settings_as_comments(total, zeros, capsys):
    parts_of(30, total, zeros)
    frame = pd.read_csv("w.csv")
    frame.insert(0, "age", np.arange(30) % 7 + 30.5)
    frame.assign(sex=["f", "m", "f"] * 10, hint="x").to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    params = {"label": "kind", "drop": ["hint"], "categories": ["sex"]}
    assert written("w")["datasets"]["w"]["params"] == params
    assert f"acid to salt sums to {total}: kept as" in capsys.readouterr().out
    lines = Path("w/config.yaml").read_text().splitlines()
    start = next(k for k, line in enumerate(lines) if "acid to salt sums" in line) + 1
    hints = yaml.safe_load(
        "\n".join(line.strip(" #") for line in lines[start : start + 3 + (zeros > 0)])
    )
    changes = {"multiplicative_replacement": True} if zeros else {}
    wanted = {"drop": ["hint", "age", "sex"], "kind": "composition", "normalize": True} | changes
    assert hints == wanted
    data = table_file.load({"data": Path("w.csv")}, 0, label="kind", **hints)
    assert (data.kind, data.features.shape) == ("composition", (30, 3))


def test_parts_that_sum_to_another_number_have_no_comment():
    parts_of(30, 7)
    table(30, **pd.read_csv("w.csv").drop(columns="kind")).assign(age=1.5).to_csv("w.csv")
    init("w.csv", "--label", "kind")
    assert "composition" not in Path("w/config.yaml").read_text()


@pytest.mark.parametrize("total", [1, 100])
def test_columns_of_one_category_are_no_parts(total, capsys):
    parts = total * np.eye(3, dtype=int)[np.random.default_rng(0).integers(0, 3, 30)]
    table(30, **dict(zip(["acid", "iron", "salt"], parts.T, strict=True))).to_csv(
        "w.csv", index=False
    )
    init("w.csv", "--label", "kind")
    assert "composition" not in capsys.readouterr().out


def test_two_columns_that_sum_to_one_are_no_composition(capsys):
    share = np.random.default_rng(0).uniform(size=30)
    table(30, acid=share, salt=1 - share).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    assert "composition" not in capsys.readouterr().out


def sorted_table(n=120):
    """Rows sorted by class."""
    frame = table(n)
    return frame.sort_values("kind", kind="stable").reset_index(drop=True)


GAPS = np.delete(np.arange(1, 150), np.arange(0, 145, 5))


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        # As of birthwt: numbers of rows in two sorted blocks, with gaps.
        ("rownames", np.r_[85:150, 151:227, 4:60][:120], "with the name of an identifier"),
        # As of glass: rising, with gaps.
        ("sample", GAPS, "with the name of an identifier"),
        ("sampleNo", GAPS * 1000, "with the name of an identifier"),
        ("index", GAPS[::-1], "with the name of an identifier"),
        ("caseid", np.random.default_rng(0).choice(10**6, 120, replace=False), "with the name of"),
        ("X", GAPS, "almost consecutive, in order"),
        ("X", GAPS[::-1], "almost consecutive, in order"),
        ("X", np.roll(GAPS, 40) * 1.0, "almost consecutive, in order"),
    ],
)
def test_numbers_of_rows_are_left_out(name, values, why, capsys):
    sorted_table().assign(**{name: values}).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert f"problem: {name}: whole numbers, different in almost every row, {why}" in said
    assert "left out (drop); to keep, delete from `drop`" in said
    assert "rise from row to row" not in said
    assert written("w")["datasets"]["w"]["params"] == {"label": "kind", "drop": [name]}
    # The remedy works.
    file = Path("w/config.yaml")
    file.write_text(re.sub(r" +drop: .*\n", "", file.read_text()))
    written("w")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("year", np.arange(1900, 2020)),
        ("dose_mg", np.arange(1, 121)),
        ("dose_mg", GAPS),
        ("drop_mm", np.arange(1, 121)),
        ("minutes", np.arange(1, 121)),
        ("income", np.arange(1, 121) ** 2),
        # Names that contain words of identifiers.
        ("NO2", np.random.default_rng(0).choice(10**6, 120, replace=False)),
        ("cases", np.random.default_rng(0).choice(10**6, 120, replace=False)),
        ("index", np.random.default_rng(0).choice(10**6, 120, replace=False)),
        ("amount", np.arange(0, 600, 5)),
        ("years", np.sort(np.arange(120) % 50 + 20)),
        ("count", np.sort(np.arange(120) % 50 + 20)),
        ("x", np.arange(120) / 10),
        # In order, with gaps.
        ("time_s", np.r_[0:60, 62:122]),
        ("weight_g", np.sort(np.random.default_rng(0).choice(200, 120, replace=False))),
        ("frequency_hz", np.sort(np.random.default_rng(0).choice(200, 120, replace=False))),
        ("plants", GAPS[::-1]),
        ("rank", np.random.default_rng(0).permutation(150)[:120]),
    ],
)
def test_measurements_in_order_stay(name, values, capsys):
    frame = table(120).assign(**{name: values})
    frame.to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    assert written("w")["datasets"]["w"]["params"] == {"label": "kind"}
    assert "left out" not in capsys.readouterr().out


def test_consecutive_numbers_say_how_to_keep_them(capsys):
    sorted_table().assign(X=np.arange(120), Y=np.arange(120)[::-1]).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    said = capsys.readouterr().out
    keep = "to keep it as a feature, list all features under `features`"
    assert f"id          X: it numbers the rows; {keep}" in said
    assert f"no feature  Y: names or numbers of the rows; {keep}" in said
    file = Path("w/config.yaml")
    text = re.sub(r"drop: .*", "features: [X, Y, acid]", file.read_text())
    file.write_text(text)
    assert written("w")["datasets"]["w"]["params"]["features"] == ["X", "Y", "acid"]


def test_a_column_from_which_the_label_is_computed_is_named(capsys):
    rng = np.random.default_rng(0)
    frame = table(150).drop(columns="kind")
    frame["bwt"] = rng.normal(2945, 729, 150).round().astype(int)
    frame["low"] = (frame["bwt"] < 2500).astype(int)
    frame["stage"] = np.digitize(frame["iron"], [-60, 40])
    frame["detail"] = frame["stage"] * 10 + np.arange(150) % 3
    frame["is_two"] = (frame["stage"] == 2).astype(int)
    frame["tumour"] = frame["low"] + rng.normal(0, 0.1, 150)
    frame["noise"] = rng.integers(0, 4, 150)
    frame.to_csv("w.csv", index=False)
    if_so = "as if the label was written twice or computed from it: if so, add to `drop`, or all"
    for label, expected in (
        ("low", {"bwt: thresholds of it give the class"}),
        (
            "stage",
            {
                "iron: thresholds of it give the class",
                "detail: each value occurs in one class only",
                "is_two: the same value in all rows of a class",
            },
        ),
        ("bwt", {"low: thresholds of bwt give its values"}),
    ):
        init("w.csv", "--label", label, "--folder", label)
        said = [line for line in capsys.readouterr().out.splitlines() if if_so in line]
        assert {line.removeprefix("problem: ").partition(", as if")[0] for line in said} == expected


def test_names_that_differ_little_and_codes_for_missing_values_are_named(capsys):
    frame = table(40)
    frame["kind"] = np.array(["Tumor", "tumor", "normal"])[np.arange(40) % 3]
    frame[" acid"] = np.arange(40) % 7 + 0.5
    frame["dose"] = np.where(np.arange(40) % 9 == 2, -999, np.arange(40) % 5)
    frame["depth"] = np.where(np.arange(40) % 9 == 2, -999.0, -25.0 * np.arange(40))
    frame.to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert "problem: 'Tumor' and 'tumor' are classes of their own, though they differ by" in said
    assert "problem: 'acid' and ' acid' are columns of their own, though they differ by" in said
    assert "problem: dose (-999 in 5 rows): far from all other values of the column, as a" in said
    assert "depth (" not in said


@pytest.mark.parametrize("name", ["bad\x1b[31m", "two\nlines", "tab\t"])
def test_characters_of_control_in_a_class_do_not_reach_the_terminal(name, capsys):
    rng = np.random.default_rng(0)
    np.savez("w.npz", X=rng.normal(size=(30, 3)), y=np.array([name, "other"])[np.arange(30) % 2])
    with pytest.raises(InputError, match=r"w\.npz: the class '.*' holds a character of control"):
        init("w.npz", "--label", "y")
    assert "\x1b" not in capsys.readouterr().out


def test_characters_of_control_in_a_column_do_not_reach_the_terminal(capsys):
    table(40).assign(**{"bad\x1b[31m": "word"}).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert r"problem: bad\x1b[31m: text with 1 value" in said


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "https://a.org/x.csv",
            "https://a.org/x.csv is an address, not the path of a file: download the file",
        ),
        ("~/none.csv", "~ is no folder here, write /"),
        ("pipe.csv", "is a pipe: save what it gives in a file"),
        ("/dev/null", "is a device: save what it gives in a file"),
        ("x" * 5000, "is not the path of a file .File name too long.: correct it"),
        ("/proc/self/mem", "is empty|no suffix"),
    ],
)
def test_what_is_no_file_ends_in_one_line(path, message):
    os.mkfifo("pipe.csv")
    with pytest.raises(InputError, match=message) as caught:
        init(path, "--label", "kind", "--folder", "out")
    assert len(str(caught.value)) < 400
    with pytest.raises(InputError, match=message):
        arrays.require_file(path)
    config = {"w": {"use": "table_file", "files": {"data": path}}}
    with pytest.raises(InputError, match="datasets/w/files/data: ") as caught:
        configuration_checks.check_files(config, {}, Path.cwd())
    assert len(str(caught.value)) < 400
    assert re.search(message, str(caught.value))


def test_a_folder_is_a_file_of_own_loaders_only():
    Path("cells").mkdir()
    config = {"w": {"use": "array_file", "files": {"data": "cells"}}}
    with pytest.raises(InputError, match="cells is a folder: give the path of a file in it"):
        configuration_checks.check_files(config, {}, Path.cwd())
    config["w"]["use"] = "mine.py:load"
    configuration_checks.check_files(config, {}, Path.cwd())


def test_counts_of_many_parts_are_named(capsys):
    rng = np.random.default_rng(0)
    counts = rng.poisson(rng.gamma(0.5, 4, size=(40, 12)))
    frame = pd.DataFrame(counts, columns=[f"otu{k}" for k in range(12)])
    frame.assign(kind=["a", "b"] * 20).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    assert "kind: composition, normalize: true, pseudocount: 0.5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("divisor", "changes"),
    [
        (1, {"normalize": True, "pseudocount": 0.5}),
        (7, {"normalize": True, "multiplicative_replacement": True}),
    ],
)
def test_a_table_of_parts_by_samples_is_written_as_compositions(divisor, changes, capsys):
    counts = np.random.default_rng(0).poisson(1, size=(12, 40)) + np.eye(12, 40, dtype=int)
    counts[:, :12] += 1
    frame = pd.DataFrame(counts / divisor, columns=[f"s{k}" for k in range(40)])
    frame.index = pd.Index([f"otu{k}" for k in range(12)], name="#OTU ID")
    (frame if divisor > 1 else frame.astype(int)).to_csv("w.tsv", sep="\t")
    labels = pd.DataFrame({"#SampleID": frame.columns, "diet": ["low", "high"] * 20})
    labels[:38].to_csv("m.tsv", sep="\t", index=False)
    init("w.tsv", "--labels", "m.tsv")
    assert "diet (2 classes)" in capsys.readouterr().out
    init("w.tsv", "--labels", "m.tsv", "--label", "diet")
    entry = written("w")["datasets"]["w"]
    assert entry["use"] == "feature_table"
    assert entry["files"] == {"data": "../w.tsv", "labels": "../m.tsv"}
    expected = {"label": "diet", "unlabeled": "drop", "kind": "composition"} | changes
    assert entry["params"] == expected
    assert "2 of 40 samples without diet" in capsys.readouterr().out
    with pytest.raises(InputError, match="says nothing of its samples; add --labels FILE"):
        init("w.tsv")


def test_subjects_of_two_samples_are_groups_of_a_table_of_parts(capsys):
    counts = np.random.default_rng(0).poisson(3, size=(12, 40)) + 1
    frame = pd.DataFrame(counts, columns=[f"s{k}" for k in range(40)])
    frame.index = pd.Index([f"otu{k}" for k in range(12)], name="#OTU ID")
    frame.to_csv("w.tsv", sep="\t")
    subject = np.array([f"p{k // 2}" for k in range(40)])
    labels = pd.DataFrame({"#SampleID": frame.columns, "Subject": subject, "Visit": subject})
    labels["diet"] = np.repeat(["low", "high"], 20)
    labels.loc[3, "diet"] = ""  # a subject of one sample is left
    labels[::-1].to_csv("m.tsv", sep="\t", index=False)
    init("w.tsv", "--labels", "m.tsv", "--label", "diet")
    assert "Subject: folds leave out whole groups, 20 groups" in capsys.readouterr().out
    entry = written("w")["datasets"]["w"]
    assert (entry["params"]["groups"], entry["split"]["scheme"]) == (
        "Subject", "stratified_group_kfold"
    )  # fmt: skip
    files = {"data": Path("w.tsv"), "labels": Path("m.tsv")}
    data = feature_table.load(files, 0, **entry["params"])
    assert [data.group_names[k] for k in data.groups] == np.delete(subject, 3).tolist()
    with pytest.raises(InputError, match="'diet' is the label and the groups"):
        feature_table.load(files, 0, **entry["params"] | {"groups": "diet"})
    labels.assign(Subject=np.arange(40)).to_csv("m.tsv", sep="\t", index=False)
    init("w.tsv", "--labels", "m.tsv", "--label", "diet", "--folder", "own")
    assert "groups" not in written("own")["datasets"]["w"]["params"]


@pytest.mark.parametrize("most", [11, 12])
def test_many_parts_leave_out_the_hilbert_svm(most, monkeypatch, capsys):
    monkeypatch.setattr(look, "MOST_PARTS", most)
    parts = np.random.default_rng(0).dirichlet(np.ones(12), size=30)
    frame = pd.DataFrame(parts, columns=[f"p{k}" for k in range(12)])
    frame.assign(kind=table(30)["kind"]).to_csv("w.csv", index=False)
    init("w.csv", "--label", "kind")
    found = written("w")["datasets"]["w"].get("methods")
    usual = ["majority", "logistic", "forest", "hilbert_nearest"]
    assert found == (usual if most == 11 else None)
    assert ("takes hours for 12 parts" in capsys.readouterr().out) == (most == 11)
