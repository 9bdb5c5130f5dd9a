"""Tables of parts by samples: BIOM and text give the same rows; bad files are named."""

import json
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from cases import each_of
from scipy.sparse import csr_array

from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid_compare.data.files import feature_tables
from noneuclid_compare.data.own import feature_table, table_file
from noneuclid_compare.models import new_samples

COUNTS = np.array([[3, 0, 7, 0], [0, 2, 1, 0], [5, 5, 0, 1], [0, 0, 9, 0], [1, 1, 1, 0]])
SAMPLES, PARTS = ["a", "b", "c", "d", "e"], ["otu1", "otu2", "otu3", "otu4"]
DIETS = ["high", "low", "low", "high", "low"]
SETTINGS = {"label": "diet", "normalize": True, "pseudocount": 0.5}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_metadata()


def write_metadata(samples=SAMPLES, diets=DIETS, head="#SampleID", types=False):
    """Rows in another order, and a second column."""
    rows = [f"{s}\t{k}\t{d}" for k, (s, d) in enumerate(zip(samples, diets, strict=True))]
    lines = [f"{head}\tage\tdiet", *["#q2:types\tnumeric\tcategorical"] * types, *rows[::-1]]
    with open("meta.tsv", "w") as stream:
        stream.write("\n".join(lines) + "\n")


def write_text(counts=COUNTS, samples=SAMPLES, parts=PARTS, comment=True, taxonomy=True):
    frame = pd.DataFrame(np.transpose(counts), index=parts, columns=samples)
    frame.index.name = "#OTU ID"
    if taxonomy:
        frame["taxonomy"] = "k__Bacteria; p__Firmicutes"
    with open("table.tsv", "w") as stream:
        stream.write("# Constructed from biom file\n" * comment + frame.to_csv(sep="\t"))
    return "table.tsv"


def write_json(counts=COUNTS, samples=SAMPLES, parts=PARTS, dense=False, told=None):
    rows, columns = np.nonzero(np.transpose(counts))
    entries = [[int(i), int(j), int(counts[j][i])] for i, j in zip(rows, columns, strict=True)]
    content = {
        "format": "Biological Observation Matrix 1.0.0",
        "matrix_type": "dense" if dense else "sparse",
        "shape": [len(parts), len(samples)],
        "data": np.transpose(counts).tolist() if dense else entries,
        "rows": [{"id": part, "metadata": None} for part in parts],
        "columns": [
            {"id": sample, "metadata": told and {"diet": one}}
            for sample, one in zip(samples, told or samples, strict=True)
        ],
    }
    with open("table.biom", "w") as stream:
        json.dump(content, stream)
    return "table.biom"


def write_hdf5(counts=COUNTS, samples=SAMPLES, parts=PARTS, told=None):
    matrix = csr_array(np.asarray(counts))
    with h5py.File("table.biom", "w") as file:
        for axis, names in (("sample", samples), ("observation", parts)):
            file[f"{axis}/ids"] = np.array(names, dtype=object)
        for name in ("data", "indices", "indptr"):
            file[f"sample/matrix/{name}"] = getattr(matrix, name)
        if told:
            file["sample/metadata/diet"] = np.array(told, dtype=object)
    return "table.biom"


def loaded(path, labels="meta.tsv", **settings):
    files = {"data": Path(path)} | ({} if labels is None else {"labels": Path(labels)})
    return feature_table.load(files, 0, **SETTINGS | settings)


def check(data):
    parts = COUNTS + 0.5
    np.testing.assert_allclose(data.features, parts / parts.sum(axis=1, keepdims=True), rtol=1e-14)
    assert [data.class_names[k] for k in data.labels] == DIETS
    assert data.about["columns"] == PARTS
    assert data.kind == "composition"


@each_of(
    ("write", "settings"),
    [
        (write_text, {}),
        (write_text, {"comment": False, "taxonomy": False}),
        (write_json, {}),
        (write_json, {"dense": True}),
        (write_hdf5, {}),
    ],
)
def test_all_formats_give_the_same_rows(write, settings):
    path = write(**settings)
    assert feature_tables.is_feature_table(path)
    check(loaded(path))


@pytest.mark.parametrize("write", [write_json, write_hdf5])
def test_biom_may_hold_the_labels(write):
    check(loaded(write(told=DIETS), labels=None))
    with pytest.raises(InputError, match="has no metadata 'site' of samples; it has: diet; give"):
        loaded("table.biom", labels=None, label="site")


def test_two_entries_of_one_place_are_refused():
    content = json.loads(Path(write_json()).read_text())
    content["data"] += [[2, 0, 4], [3, 2, 1], [3, 2, 1]]
    Path("table.biom").write_text(json.dumps(content))
    with pytest.raises(InputError, match="3 entries of part 'otu4' in sample 'c', and 1 more"):
        loaded("table.biom")
    with h5py.File(write_hdf5(), "a") as file:
        file["sample/matrix/indices"][1] = 0
    with pytest.raises(InputError, match="2 entries of part 'otu1' in sample 'a', and 0 more"):
        loaded("table.biom")


def test_metadata_may_have_types_and_another_column_of_names():
    write_text()
    write_metadata(head="sample-id", types=True)
    check(loaded("table.tsv"))
    frame = pd.read_csv("meta.tsv", sep="\t")
    frame[["age", "sample-id", "diet"]].to_csv("meta.tsv", sep="\t", index=False)
    check(loaded("table.tsv", id="sample-id"))
    with pytest.raises(InputError, match=r"meta.tsv names no sample of table.tsv: .*set id to"):
        loaded("table.tsv")


def test_rare_parts_are_left_out_before_rows_are_closed():
    write_hdf5()
    data = loaded("table.biom", min_prevalence=0.6)
    kept = COUNTS[:, [0, 1, 2]] + 0.5  # of 5 samples 3, 3, 4 and 1
    np.testing.assert_allclose(data.features, kept / kept.sum(axis=1, keepdims=True))
    assert data.about["columns"] == PARTS[:3]
    assert data.about["oddities"][0].startswith("1 of 4 parts, positive in less than 0.6 of the r")
    with pytest.raises(InputError, match=r"0 parts are positive in 1 of the rows; set min_prev"):
        loaded("table.biom", min_prevalence=1)
    with pytest.raises(InputError, match="min_prevalence = 2; give a number in"):
        loaded("table.biom", min_prevalence=2)


def test_rare_parts_of_labelled_rows_and_of_tables_count():
    write_hdf5()
    write_metadata(SAMPLES[:2], DIETS[:2])
    data = loaded("table.biom", unlabeled="drop", min_prevalence=0.5)
    assert data.about["columns"] == PARTS[:3]
    assert data.n == 2
    assert "3 samples have no row in meta.tsv: c, d, e." in data.about["oddities"]
    pd.DataFrame(COUNTS, columns=PARTS).assign(diet=DIETS).to_csv("w.csv", index=False)
    data = table_file.load(
        {"data": Path("w.csv")}, 0, kind="composition", min_prevalence=0.6, **SETTINGS
    )
    assert data.about["columns"] == PARTS[:3]
    with pytest.raises(InputError, match="min_prevalence needs kind: composition"):
        table_file.load({"data": Path("w.csv")}, 0, label="diet", min_prevalence=0.6)


def test_new_samples_have_the_parts_of_training_in_its_order():
    write_json(counts=COUNTS[:2, [2, 3, 0]], samples=["x", "y"], parts=["otu3", "new", "otu1"])
    rows = new_samples.read_samples("table.biom", {}, maps.Map(columns=PARTS), "X", "the model")
    np.testing.assert_array_equal(rows.features, COUNTS[:2] * [1, 0, 1, 0])
    assert rows.names == ["x", "y"]
    assert rows.oddities == [
        "2 of 4 parts are not in the file: zero.",
        "1 parts were not in training: left out.",
    ]
    with pytest.raises(InputError, match="has none of the 1 parts of training, such as 'z'"):
        new_samples.read_samples("table.biom", {}, maps.Map(columns=["z"]), "X", "the model")


def test_quotes_and_odd_names_of_text_are_kept():
    with open("table.tsv", "w") as stream:
        lines = ["#OTU ID\ta\tb\ttaxonomy", 'A\t1\t2\t"k__x', "NA\t3\t4\tk__y", '\t5\t6\tk__z"']
        stream.write("\n".join([*lines, "D\t7\t8\tk__w"]) + "\n")
    table = feature_tables.read("table.tsv")
    assert table.parts == ["A", "NA", "", "D"]
    np.testing.assert_array_equal(table.values.toarray(), [[1, 3, 5, 7], [2, 4, 6, 8]])


def changed(place, value):
    counts = COUNTS.astype(float)
    counts[place] = value
    return counts


@each_of(
    ("write", "settings", "message"),
    [
        (write_text, {"counts": changed((1, 2), -4)}, "row 1, column 2: -4 is negative; correct"),
        (write_text, {"counts": changed((1, 2), np.nan)}, r"'b'\), column 'otu3' is empty or nan"),
        (write_text, {"counts": changed(3, 0)}, "row 3 has zeros only; remove it"),
        (write_hdf5, {"counts": changed((4, 0), np.inf)}, r"'e'\), column 'otu1' is inf"),
        (write_text, {"samples": ["a", "b", "a", "d", "e"]}, "2 samples are named 'a'; give each"),
        (write_hdf5, {"parts": ["p", "p", "q", "r"]}, "2 parts are named 'p'; give each its own"),
        (write_text, {"samples": ["a", "b", "c", "d", "f"]}, r"row 4 \(sample 'f'\) has no label"),
    ],
)
def test_bad_tables_are_named(write, settings, message):
    path = write(**settings)
    with pytest.raises(InputError, match=message) as caught:
        loaded(path)
    assert "\n" not in str(caught.value)


def test_bad_files_are_named():
    write_metadata([*SAMPLES, "a"], [*DIETS, "low"])
    with pytest.raises(InputError, match=r"meta.tsv: 2 rows are named 'a'; give each its own name"):
        loaded(write_text())
    write_metadata()
    for text, message in (
        ("{", "cannot be read as a table of parts by samples"),
        ("{}", "cannot be read as a table of parts by samples"),
        ("\x89HDF", "cannot be read as a table of parts by samples"),
    ):
        with open("table.biom", "wb") as stream:
            stream.write(text.encode("latin-1"))
        with pytest.raises(InputError, match=message):
            loaded("table.biom")
    with open("table.tsv", "w") as stream:
        stream.write("#OTU ID\ta\tb\notu1\t3\tmany\notu2\t1\t2\n")
    with pytest.raises(InputError, match="sample 'b', part 'otu1' is 'many', not a number"):
        loaded("table.tsv")
    with open("table.tsv", "w") as stream:
        stream.write("#OTU ID\ta\tb\notu1\t3\t4\t5\notu2\t1\t2\t5\n")
    with pytest.raises(InputError, match="rows have 4 values, the header has 3"):
        loaded("table.tsv")


def test_a_table_that_is_too_large_when_dense_is_refused(monkeypatch):
    monkeypatch.setattr("noneuclid_compare.data.composition.MAX_GB", 1.3e-7)
    with pytest.raises(
        InputError, match=r"5 samples x 4 parts take .* more than 1.3e-07: leave out"
    ):
        loaded(write_json())
    assert loaded(write_json(), min_prevalence=0.6).n == 5
