"""Stage evaluate_tree, as a function, and its section of the page."""

import json
from io import StringIO
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
import yaml

from noneuclid.errors import InputError
from noneuclid.geometry.class_trees import class_tree
from noneuclid_compare import io
from noneuclid_compare.evaluation import tree_scores
from noneuclid_compare.records import Dataset, Predictions
from noneuclid_compare.report import page
from noneuclid_compare.report.run import Run
from noneuclid_compare.report.sections.class_tree import SECTION
from noneuclid_compare.stages import class_tree as stage
from noneuclid_compare.stages import evaluate_tree

SCHEMA = Path(__file__).resolve().parents[2] / "workflow/schemas/evaluate_tree.schema.yaml"
PARENTS = {"B": "lymphoid", "T": "lymphoid", "lymphoid": "blood", "mono": "blood"}
TRUTH = [0, 1, 2, 2]
NEAR, FAR = [1, 1, 2, 2], [2, 1, 2, 2]


@pytest.fixture
def results(tmp_path):
    """Two methods with one error each in both folds: in the same lineage, and in another."""
    for method, predicted in (("near", NEAR), ("far", FAR)):
        for embedding in ("hydra", "original"):
            stem = tmp_path / f"train/d/{embedding}/{method}/0"
            rows = np.arange(8)
            values = [np.array(2 * part) for part in (TRUTH, predicted)]
            io.write_record(stem.with_suffix(".npz"), Predictions(rows, rows // 4, *values))
            io.write_json(stem.with_suffix(".json"), {"class_names": ["B", "T", "mono"]})
    pairs = [["d", "hydra", ["near", "far"]], ["d", "original", ["near"]], ["e", "hydra", ["far"]]]
    io.write_json(tmp_path / "plan.json", {"pairs": pairs, "repeats": 1})
    return tmp_path


def run(results, setting, about=None):
    """Table of scores after the two stages."""
    if not (results / "acquire/d.npz").exists() or about is not None:
        data = Dataset("d", "graph", np.array([0, 1, 2]), ("B", "T", "mono"), about=about or {})
        io.write_record(results / "acquire/d.npz", data)
    prepare(results, setting)
    outputs = [str(results / f"evaluate/tree.{ending}") for ending in ("parquet", "tsv", "json")]
    evaluate_tree.main(
        [
            *("--plan", str(results / "plan.json"), "--results", str(results)),
            *("--trees", "d", "--output", *outputs),
        ]
    )
    return pd.read_parquet(outputs[0])


def prepare(results, setting):
    """Stage class_tree."""
    files = [f"--dataset={results / 'acquire/d.npz'}", f"--output={results / 'class_tree/d.json'}"]
    stage.main([*files, "--name=d", f"--setting={json.dumps(setting)}"])


def test_scores_of_every_fold(results):
    table = run(results, PARENTS)
    schema = yaml.safe_load(SCHEMA.read_text())
    assert schema["additionalProperties"] is False
    for row in table.to_dict("records"):
        jsonschema.validate(row, schema)
    here = table[(table["embedding"] == "hydra") & (table["fold"] == 1)]
    wide = here.pivot(index="method", columns="metric", values="value")
    # Both err once in four: by 2 edges or by 3.
    assert wide["tree_distance"].to_dict() == {"near": 0.5, "far": 0.75}
    assert wide["accuracy_level_1"].to_dict() == {"near": 1.0, "far": 0.75}
    assert wide["accuracy_level_2"].to_dict() == {"near": 0.75, "far": 0.75}
    assert io.read_json(results / "evaluate/tree.json") == {"d": {"nodes": [2, 3], "longest": 3}}


def test_a_tree_from_a_file_and_from_the_loader(results):
    expected = run(results, PARENTS)
    text = "".join(f"{child}\t{parent}\n" for child, parent in PARENTS.items())
    (results / "tree.tsv").write_text(text)
    pd.testing.assert_frame_equal(run(results, str(results / "tree.tsv")), expected)
    pd.testing.assert_frame_equal(run(results, True, {"class_tree": PARENTS}), expected)
    with pytest.raises(InputError, match="data set d: the loader gives no class tree; give"):
        run(results, True, {})


def test_a_class_that_the_tree_lacks_is_named_and_nothing_is_written(results):
    with pytest.raises(InputError, match="data set d: class tree: class 'mono' is not in"):
        run(results, {"B": "lymphoid", "T": "lymphoid"})
    assert not (results / "class_tree/d.json").exists()


def test_numbers_have_no_tree(results):
    numbers = Dataset(
        "d", "features", np.zeros(4, int), ("a",), np.zeros((4, 2)), target=np.ones(4)
    )
    io.write_record(results / "acquire/d.npz", numbers)
    with pytest.raises(InputError, match="class_tree is for classes, not for numbers"):
        prepare(results, PARENTS)


def test_at_the_last_level_it_is_the_accuracy():
    rng = np.random.default_rng(0)
    names = [f"n{k}" for k in range(2, 9)]
    parents = {f"n{k}": f"n{(k - 1) // 2}" for k in range(1, 9)}
    tree = class_tree(parents, names)
    truth, predicted = rng.integers(7, size=(2, 50))
    scores = tree_scores.evaluate(truth, predicted, tree)
    *_, last = scores
    assert last == f"accuracy_level_{tree.depths.max()}"
    assert scores[last] == (truth == predicted).mean()
    levels = list(scores.values())[1:]
    assert levels == sorted(levels, reverse=True)
    pairs = zip(truth, predicted, strict=True)
    assert scores["tree_distance"] == np.mean([tree.distances[pair] for pair in pairs])


def test_the_section_on_the_page(results):
    scores = run(results, PARENTS)
    assert SECTION.entry({"datasets": {"d": {}}}) is None
    assert SECTION.entry({"datasets": {"c": {}, "d": {"class_tree": True}}}) == {}
    shown = Run(scores.assign(setting=""), [], [], [], results)
    [part] = SECTION.parts(shown)
    [table] = part["tables"]
    # Baselines on the original features are not on the page.
    assert [row["identifier"] for row in table["rows"]] == ["near", "far"]
    assert [text for text, _ in table["rows"][1]["cells"]] == ["0.75", "75.0", "75.0"]
    assert table["heads"][1:] == [("level 1", "2 classes"), ("level 2", "3 classes")]
    assert "The longest path between two classes has 3 edges. Means over 1 emb" in table["text"]
    html = page._environment([part["package"]]).get_template(part["template"]).render(section=part)
    assert html.count("<tr>") == 3
    saved = pd.read_csv(StringIO(SECTION.tables(shown)["class_tree.tsv"]), sep="\t")
    assert saved["tree_distance"].tolist() == [0.75, 0.5]
