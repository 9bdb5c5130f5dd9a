"""Stage signatures, its section of the page and the command: one record for all."""

import json
from io import StringIO
from pathlib import Path

import jsonschema
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import yaml

from noneuclid import SignatureSearch
from noneuclid.embeddings.feature_scaling import Standardisation
from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import configuration, configuration_checks
from noneuclid_compare.data.shipped import sklearn_table
from noneuclid_compare.embed import compared_signatures
from noneuclid_compare.jobs import job_resources
from noneuclid_compare.records import Dataset
from noneuclid_compare.report.run import Run
from noneuclid_compare.report.sections.signatures import SECTION
from noneuclid_compare.stages import signatures as stage

SCHEMA = Path(__file__).resolve().parents[2] / "workflow/schemas/signatures.schema.yaml"
TREE = nx.balanced_tree(2, 3)
LENGTHS = 1.0 + np.arange(14) % 3 / 10
nx.set_edge_attributes(TREE, dict(zip(TREE.edges, LENGTHS, strict=True)), "mm")
EDGES = np.array(TREE.edges)
DATA = {
    "tree": Dataset("tree", "graph", np.arange(15) % 2, ("a", "b"), edges=EDGES, weights=LENGTHS),
    "iris": sklearn_table.load({}, 0, name="iris"),
}
ASKED = {"n_components": 2, "max_rows": 20}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    for name, data in DATA.items():
        path = folder / f"acquire/{name}.npz"
        io.write_record(path, data)
        output = folder / f"signatures/{name}.json"
        words = f"--dataset {path} --name {name} --params|--seed 3 --output {output}"
        before, after = words.split("|")
        stage.main([*before.split(), json.dumps(ASKED), *after.split()])
    return folder


def test_the_record_is_that_of_the_search(results):
    for name, X, lengths in (("tree", TREE, "mm"), ("iris", None, None)):
        record = io.read_json(results / f"signatures/{name}.json")
        jsonschema.validate(record, yaml.safe_load(SCHEMA.read_text()))
        if X is None:
            X = DATA["iris"].features
            X = Standardisation(X)(X)
        search = SignatureSearch(2, edge_lengths=lengths, max_rows=20, random_state=3).fit(X)
        assert (record["best"], record["flat"]) == (search.best_signature_, "E2")
        assert record["ties"] == search.ties_
        assert record["delta"] == pytest.approx(search.delta_)
        found = [(row["signature"], row["distortion"], row["high"]) for row in record["signatures"]]
        wanted = [(row["signature"], row["distortion"], row["high"]) for row in search.table_]
        assert [row[0] for row in found] == [row[0] for row in wanted]
        np.testing.assert_allclose(
            [row[1:] for row in found], [row[1:] for row in wanted], rtol=1e-5
        )
        mean = record["sectional_curvature"]
        assert (mean is None) == np.isnan(search.sectional_curvature_)
        assert name == "iris" or mean == pytest.approx(search.sectional_curvature_)


def test_the_section_has_a_table_and_a_sentence_for_each_data_set(results):
    assert SECTION.entry({"datasets": {"d": {}, "e": {"signatures": False}}}) is None
    config = {"datasets": {"tree": {"signatures": True}, "d": {}, "iris": {"signatures": ASKED}}}
    assert configuration.compared_signatures(config) == {"tree": {}, "iris": ASKED}
    entries = {"signatures": SECTION.entry(config), "verdict": {"labels": {}}}
    assert SECTION.reads(entries["signatures"]) == ["signatures/tree.json", "signatures/iris.json"]
    run = Run(pd.DataFrame(), [], [], [], results, entries=entries)
    tree, iris = SECTION.values(run)["tables"]
    assert (tree["title"], iris["title"]) == ("Tree", "Iris")
    assert tree["answer"].startswith("Your data want H2: held-out distortion 0.")
    assert "2 delta / diameter: 0.000 (0 in a tree)." in tree["text"]
    assert "ean sectional curvature of the graph: -" in tree["text"]
    assert iris["text"].startswith("Euclidean distances of standardised columns, 20 of 150 rows.")
    assert "sectional" not in iris["text"]
    assert len(tree["rows"]) == 5
    assert [row[3:] for row in tree["rows"] if row[0] == "E2"] == [("flat", "")]
    saved = pd.read_csv(StringIO(SECTION.tables(run)["signatures.tsv"]), sep="\t")
    assert saved["dataset"].tolist() == ["tree"] * 5 + ["iris"] * 5
    record = io.read_json(results / "signatures/iris.json")["signatures"]
    np.testing.assert_allclose(
        saved["difference"][5:], [row["difference"] for row in record], rtol=1e-5
    )


def test_other_data_are_refused_before_and_in_the_run(tmp_path):
    with pytest.raises(InputError, match="datasets/d/signatures: digits has kind 'images'; sig"):
        configuration_checks.check_compared({"use": "digits"}, "datasets/d")
    assert configuration_checks.check_compared({"use": "karate"}, "") is None
    points = Dataset("d", "points", np.arange(4) % 2, ("a", "b"), np.ones((4, 2)), chart="klein")
    io.write_record(tmp_path / "d.npz", points)
    words = f"--dataset {tmp_path / 'd.npz'} --name d --seed 0 --output {tmp_path / 'd.json'}"
    with pytest.raises(InputError, match="datasets/d/signatures: d has kind 'points'; signatures"):
        stage.main(words.split())
    mixed = Dataset("d", "features", np.arange(4) % 2, ("a", "b"), np.ones((4, 1)),
                    column_kinds=[None])  # fmt: skip
    with pytest.raises(InputError, match="with categories or missing values"):
        compared_signatures.compare(mixed, 0)


def test_a_job_asks_for_the_paths_of_a_graph(results, monkeypatch):
    monkeypatch.chdir(results.parent)
    results.rename(results.parent / "results")
    try:
        small = job_resources.signatures("tree")
        assert small.memory < job_resources.signatures("iris").memory + 2 < 1100
        assert job_resources.signatures("absent") == job_resources.UNKNOWN
    finally:
        (results.parent / "results").rename(results)
