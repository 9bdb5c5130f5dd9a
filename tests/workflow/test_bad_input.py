import json

import numpy as np
import pytest

from noneuclid.contracts import Dataset
from noneuclid.experiment import io

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("bad input")]

POINTS = np.array([[0.08 * i, 0.05 * i] for i in range(1, 10)])
LABELS = np.array([0, 1, 0] * 3)

READER = '''"""Read a data set from an npz file."""
import numpy as np
from noneuclid.contracts import Dataset
from noneuclid.datasets.checks import checked, encode


def load(files, seed):
    arrays = np.load(files["points"], allow_pickle=True)
    labels, names = encode(arrays["labels"])
    return checked(Dataset("mine", "points", labels, names, arrays["points"], chart="poincare"))
'''
FAILING = '''"""An embedding that fails."""
from noneuclid.errors import InputError


def embed(dataset, seed):
    raise InputError("the eigenvalues did not converge; use another dimension")
'''


def configuration(**changes):
    """A configuration of one data set of points and two methods, with some keys replaced."""
    config = {
        "seed": 0,
        "repeats": 1,
        "splits": {"scheme": "stratified_kfold", "folds": 3, "small_classes": "error"},
        "search": {"folds": 2, "scoring": "accuracy"},
        "datasets": {
            "mine": {
                "use": "mine.py:load",
                "files": {"points": "mine.npz"},
                "embeddings": ["given"],
            }
        },
        "embeddings": {"given": {"use": "given"}},
        "methods": {"majority": {"use": "sklearn.dummy.DummyClassifier"}},
        "report": {"title": "Mine", "metric": "accuracy"},
    }
    return config | changes


@pytest.fixture
def mine(fresh):
    """A copy with a loader, points and a configuration of the user's own."""
    (fresh.folder / "mine.py").write_text(READER)
    (fresh.folder / "failing.py").write_text(FAILING)

    def prepare(points=POINTS, labels=LABELS, **changes):
        np.savez(fresh.folder / "mine.npz", points=points, labels=labels)
        fresh.config.write_text(json.dumps(configuration(**changes)))
        return fresh

    return prepare


def fails(copy, *words, left=()):
    """Run; assert one line with all `words`, a failing status, no more results than `left`."""
    done = copy.run()
    text = done.stdout + done.stderr
    assert done.returncode != 0, text
    lines = [line for line in text.splitlines() if all(word in line for word in words)]
    assert lines, text
    assert "Traceback" not in text
    results = copy.folder / "results"
    found = {str(path.relative_to(results)) for path in results.rglob("*.npz")}
    found = {path for path in found if not path.startswith("map/")}
    assert found <= set(left)
    assert not list(results.rglob(".*.npz"))
    return text


def test_unknown_key(mine):
    fails(mine(metods={}), "configuration: top level: unknown key 'metods'; known:", "methods")


def test_unknown_key_of_a_method(mine):
    methods = {"majority": {"use": "sklearn.dummy.DummyClassifier", "setings": {}}}
    fails(mine(methods=methods), "methods/majority: unknown key 'setings'")


def test_unknown_method_class(mine):
    methods = {"svm": {"use": "noneuclid.PoincareSVM"}}
    fails(mine(methods=methods), "svm/use: unknown method 'noneuclid.PoincareSVM'", "PoincareSVC")


def test_unknown_parameter(mine):
    name = "noneuclid.PoincareSVC"
    methods = {"svm": {"use": name, "params": {"c": 1}}}
    fails(mine(methods=methods), "methods/svm/params: unknown parameter 'c'; known: C,")
    methods["svm"]["params"] = {"margin": "soft"}
    fails(mine(methods=methods), "svm/params/margin: 'soft'; give one of 'exact', 'paper'")


def test_unknown_embedding(mine):
    datasets = configuration()["datasets"]
    datasets["mine"]["embeddings"] = ["hyrda"]
    fails(mine(datasets=datasets), "datasets/mine: unknown embedding 'hyrda'; known: given")


def test_unknown_parameters_of_a_loader_and_of_an_embedding(mine):
    datasets = {"tree": {"use": "random_tree", "embeddings": ["given"]}}
    datasets["tree"]["params"] = {"node": 100}
    fails(
        mine(datasets=datasets),
        "datasets/tree/params: unknown parameter 'node'; known: high, low, nodes",
    )
    embeddings = {"given": {"use": "given", "params": {"radius": 1}}}
    fails(mine(embeddings=embeddings), "embeddings/given/params: unknown parameter 'radius'")


def test_missing_file(mine):
    copy = mine()
    (copy.folder / "mine.npz").unlink()
    fails(copy, "configuration: datasets/mine/files/points: there is no file mine.npz in", "--dir")


def test_all_mistakes_are_reported_at_once(mine):
    name = "noneuclid.PoincareSVC"
    methods = {"svm": {"use": name, "params": {"tol": "1e-3"}}}
    methods["tree"] = {"use": name.replace("SVC", "Tree")}
    text = fails(mine(methods=methods), "svm/params/tol: '1e-3' (text in YAML: write 1.0e-3)")
    assert "configuration: methods/tree/use: unknown method 'noneuclid.PoincareTree'" in text


def test_points_outside_the_ball(mine):
    points = POINTS.copy()
    points[6] = [2.0, 4.0]
    fails(mine(points), "error:", "mine", "row 6", "outside", "20")


def test_nan(mine):
    points = POINTS.copy()
    points[4, 1] = np.nan
    fails(mine(points), "error:", "mine", "row 4", "column 1", "nan")


def test_one_class_only(mine):
    fails(mine(labels=np.zeros(9, int)), "error:", "mine", "one class")


def test_missing_label(mine):
    labels = np.array(["a", "b", None] * 3, dtype=object)
    fails(mine(labels=labels), "error:", "mine", "row 2")


def test_continuous_labels(mine):
    fails(mine(labels=np.linspace(0, 1, 9) + 0.123), "error:", "mine", "0.123")


def test_class_with_one_member(mine):
    labels = np.array(["a", "b"] * 4 + ["root"])
    fails(
        mine(labels=labels),
        "error: split of mine: class 'root' has 1 member",
        "small_classes",
        left=["acquire/mine.npz", "embed/mine/given.npz"],
    )


def test_text_labels_are_fine(mine):
    copy = mine(labels=np.array(["yes", "no", "yes"] * 3))
    done = copy.run()
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_failing_embedding_keeps_finished_results(mine):
    datasets = configuration()["datasets"]
    datasets["mine"]["embeddings"] = ["failing", "given"]
    embeddings = configuration()["embeddings"]
    embeddings["failing"] = {"use": "failing.py:embed"}
    copy = mine(datasets=datasets, embeddings=embeddings)
    done = copy.run("--keep-going")
    assert done.returncode != 0
    line = "error: embedding failing of mine: the eigenvalues did not converge"
    assert line in done.stdout + done.stderr
    assert (copy.folder / "results/train/mine/given/majority/0.npz").exists()
    assert not (copy.folder / "results/embed/mine/failing.npz").exists()


def test_truncated_intermediate_file(mine):
    copy = mine()
    assert copy.run("--until", "embed").returncode == 0
    path = copy.folder / "results/embed/mine/given.npz"
    path.write_bytes(path.read_bytes()[:100])
    done = copy.run("--rerun-triggers", "params")
    assert done.returncode != 0
    assert "given.npz cannot be read" in done.stdout + done.stderr
    assert not list(copy.folder.glob("results/train/**/*.npz"))


def fetched():
    """Configuration of a data set whose file is in the table of sources."""
    return {
        "datasets": {
            "olsson": {
                "use": "train_test_npz",
                "files": {
                    "embedding": "PoincareLinearClassification/olsson_poincare_embedding.npz"
                },
                "split": {"scheme": "fixed"},
                "embeddings": ["given"],
            }
        }
    }


@pytest.mark.parametrize("content", [b"short", b"x" * 7382])
def test_wrong_file_in_the_mirror(mine, content):
    copy = mine(**fetched())
    place = copy.folder / "mirror/PoincareLinearClassification/olsson_poincare_embedding.npz"
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    done = copy.run("--config", "mirror=mirror")
    text = done.stdout + done.stderr
    assert done.returncode != 0
    expected = "is truncated: 5 of 7382 bytes" if len(content) == 5 else "has sha256"
    assert expected in text
    assert not list(copy.folder.glob("resources/data/**/*.npz"))


def test_file_that_the_mirror_lacks(mine):
    done = mine(**fetched()).run("--config", "mirror=.")
    assert done.returncode != 0
    assert "error: the mirror has no" in done.stdout + done.stderr


def test_loaded_points_reach_the_embedding_unchanged(mine):
    copy = mine()
    assert copy.run("--until", "acquire").returncode == 0
    kept = io.read_record(copy.folder / "results/acquire/mine.npz", Dataset)
    np.testing.assert_array_equal(kept.features, POINTS)
