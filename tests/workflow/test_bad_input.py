import json

import numpy as np
import pytest
from cases import each_of
from snakemake_copies import ROOT, Copy

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config.configuration import check
from noneuclid_compare.records import Dataset

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("bad input")]

POINTS = np.array([[0.08 * i, 0.05 * i] for i in range(1, 10)])
LABELS = np.array([0, 1, 0] * 3)

READER = '''"""Read a data set from an npz file."""
from pathlib import Path

import numpy as np
from noneuclid_compare.records import Dataset
from noneuclid_compare.data.checks import checked, encode


def load(files, seed):
    arrays = np.load(files["points"], allow_pickle=True)
    labels, names = encode(arrays["labels"])
    name = Path(files["points"]).stem
    return checked(Dataset(name, "points", labels, names, arrays["points"], chart="poincare"))
'''
FAILING = '''"""An embedding that fails."""
from noneuclid.errors import InputError


def embed(dataset, seed):
    raise InputError("the eigenvalues did not converge; use another dimension")
'''


DATASET = {
    "use": "mine.py:load",
    "files": {"points": "mine.npz"},
    "embeddings": ["given"],
}


def configuration(**changes):
    """A configuration of one data set of points and two methods, with some keys replaced."""
    config = {
        "seed": 0,
        "repeats": 1,
        "splits": {"scheme": "stratified_kfold", "folds": 3, "small_classes": "error"},
        "search": {"folds": 2, "scoring": "accuracy"},
        "datasets": {"mine": DATASET},
        "embeddings": {"given": {"use": "given"}},
        "methods": {"majority": {"use": "sklearn.dummy.DummyClassifier"}},
        "report": {"title": "Mine", "metric": "accuracy"},
    }
    return config | changes


def with_modules(copy):
    """A copy with a loader and an embedding of the user's own."""
    (copy.folder / "mine.py").write_text(READER)
    (copy.folder / "failing.py").write_text(FAILING)
    return copy


@pytest.fixture
def mine(fresh):
    """A copy with those, with points and with a configuration."""
    with_modules(fresh)

    def prepare(points=POINTS, labels=LABELS, **changes):
        np.savez(fresh.folder / "mine.npz", points=points, labels=labels)
        fresh.config.write_text(json.dumps(configuration(**changes)))
        return fresh

    return prepare


def fails(copy, *words):
    """Run; assert one line with all `words`, a failing status, no results."""
    done = copy.run()
    text = done.stdout + done.stderr
    assert done.returncode != 0, text
    lines = [line for line in text.splitlines() if all(word in line for word in words)]
    assert lines, text
    assert "Traceback" not in text
    assert not list(copy.folder.glob("results/**/*.npz"))
    return text


def method(name, **more):
    return {"methods": {"svm": {"use": f"noneuclid.{name}", **more}}}


# What `configuration.check` says; how Snakemake says it is tested below.
WRONG = {
    "key": ({"metods": {}}, ["top level: unknown key 'metods'; known:", "methods"]),
    "key of a method": (
        method("PoincareSVC", setings={}),
        ["methods/svm: unknown key 'setings'"],
    ),
    "method": (
        method("PoincareSVM"),
        ["svm/use: unknown method 'noneuclid.PoincareSVM'", "PoincareSVC"],
    ),
    "parameter": (
        method("PoincareSVC", params={"c": 1}),
        ["methods/svm/params: unknown parameter 'c'; known: C,"],
    ),
    "value": (
        method("PoincareSVC", params={"margin": "soft"}),
        ["svm/params/margin: 'soft'; give one of 'exact', 'paper'"],
    ),
    "embedding": (
        {"datasets": {"mine": DATASET | {"embeddings": ["hyrda"]}}},
        ["datasets/mine: unknown embedding 'hyrda'; known: given"],
    ),
    "parameter of a loader": (
        {
            "datasets": {
                "tree": {"use": "random_tree", "embeddings": ["given"], "params": {"node": 100}}
            }
        },
        ["datasets/tree/params: unknown parameter 'node'; known: high, low, n_nodes"],
    ),
    "class tree": (
        {"datasets": {"mine": DATASET | {"class_tree": {"a": "b", "b": "a"}}}},
        ["datasets/mine/class_tree: class tree: a -> b -> a is a cycle; delete one of these lines"],
    ),
    "file of a class tree": (
        {"datasets": {"mine": DATASET | {"class_tree": "none.csv"}}},
        ["datasets/mine/class_tree: none.csv: No such file or directory; check the path"],
    ),
    "no dimension of signatures": (
        {"datasets": {"mine": DATASET | {"signatures": {"n_components": 0}}}},
        ["datasets/mine/signatures/n_components: 0 is less than the minimum of 1"],
    ),
    "signatures of images": (
        {"datasets": {"mine": {"use": "digits", "embeddings": ["lifted_pca"], "signatures": True}}},
        ["datasets/mine/signatures: digits has kind 'images'; signatures are compared for tables"],
    ),
    "no class tree": (
        {"datasets": {"mine": DATASET | {"class_tree": False}}},
        ["datasets/mine/class_tree"],
    ),
    "isometries of compositions": (
        {
            "isometries": [3],
            "datasets": {"parts": {"use": "simplex_mixture", "embeddings": ["given"]}},
        },
        ["isometries: no data set is in hyperbolic space, only compositions: delete this key"],
    ),
    "distances with one name": (
        {"isometries": [1.0000001, 1.0000002]},
        ["isometries: two distances are 1 in six digits, which name their files; keep one"],
    ),
    "distance of an isometry": ({"isometries": [1.5, 0]}, ["isometries/1: 0"]),
    "parameter of an embedding": (
        {"embeddings": {"given": {"use": "given", "params": {"radius": 1}}}},
        ["embeddings/given/params: unknown parameter 'radius'"],
    ),
}


@each_of("case", WRONG)
def test_unknown_names_and_values_are_refused(case, tmp_path, monkeypatch):
    changes, words = WRONG[case]
    (tmp_path / "mine.py").write_text(READER)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        check(configuration(**changes), ROOT / "workflow/schemas/config.schema.yaml")
    lines = str(caught.value).splitlines()
    assert any(all(word in line for word in words) for line in lines), lines


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


OUTSIDE, MISSING = POINTS.copy(), POINTS.copy()
OUTSIDE[6] = [2.0, 4.0]
MISSING[4, 1] = np.nan
# Points, labels, words of the line that refuses them, and the results that there are all the same.
SPOILED = {
    "outside": (OUTSIDE, LABELS, ["row 6", "outside", "20"], []),
    "missing": (MISSING, LABELS, ["row 4", "column 1", "nan"], []),
    "one_class": (POINTS, np.zeros(9, int), ["one class"], []),
    "no_label": (POINTS, np.array(["a", "b", None] * 3, dtype=object), ["row 2"], []),
    "continuous": (POINTS, np.linspace(0, 1, 9) + 0.123, ["0.123"], []),
    "lonely": (
        POINTS,
        np.array(["a", "b"] * 4 + ["root"]),
        ["split of lonely: class 'root' has 1 member", "small_classes"],
        ["acquire/lonely.npz", "embed/lonely/given.npz"],
    ),
}


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory):
    """One run of all these, of text labels, and of an embedding that fails; what it printed."""
    copy = with_modules(Copy(tmp_path_factory.mktemp("spoiled")))
    cases = {name: case[:2] for name, case in SPOILED.items()}
    cases |= {"text": (POINTS, np.array(["yes", "no", "yes"] * 3)), "twice": (POINTS, LABELS)}
    datasets = {}
    for name, (points, labels) in cases.items():
        np.savez(copy.folder / f"{name}.npz", points=points, labels=labels)
        datasets[name] = DATASET | {"files": {"points": f"{name}.npz"}}
    datasets["twice"]["embeddings"] = ["failing", "given"]
    embeddings = {"failing": {"use": "failing.py:embed"}, "given": {"use": "given"}}
    copy.config.write_text(json.dumps(configuration(datasets=datasets, embeddings=embeddings)))
    done = copy.run("--keep-going")
    assert done.returncode != 0
    assert "Traceback" not in done.stdout + done.stderr
    assert not list((copy.folder / "results").rglob(".*.npz"))
    return copy, done.stdout + done.stderr


@each_of("name", SPOILED)
def test_data_are_refused_in_a_line(spoiled, name):
    folder, text = spoiled[0].folder, spoiled[1]
    _, _, words, left = SPOILED[name]
    lines = [line for line in text.splitlines() if line.startswith("error:") and name in line]
    assert any(all(word in line for word in words) for line in lines), text
    found = {str(path.relative_to(folder / "results")) for path in folder.rglob("results/**/*.npz")}
    assert {path for path in found if name in path and not path.startswith("map/")} == set(left)


def test_text_labels_are_fine(spoiled):
    folder = spoiled[0].folder
    assert (folder / "results/train/text/given/majority/0.npz").exists()


def test_a_failing_embedding_keeps_finished_results(spoiled):
    folder, text = spoiled[0].folder, spoiled[1]
    assert "error: embedding failing of twice: the eigenvalues did not converge" in text
    assert (folder / "results/train/twice/given/majority/0.npz").exists()
    assert not (folder / "results/embed/twice/failing.npz").exists()


def test_loaded_points_reach_the_embedding_unchanged(spoiled):
    kept = io.read_record(spoiled[0].folder / "results/acquire/text.npz", Dataset)
    np.testing.assert_array_equal(kept.features, POINTS)


def test_truncated_intermediate_file(spoiled):
    folder = spoiled[0].folder
    target = "results/train/text/given/majority/0.npz"
    (folder / target).unlink()
    path = folder / "results/embed/text/given.npz"
    path.write_bytes(path.read_bytes()[:100])
    done = spoiled[0].run("--rerun-triggers", "params", "--", target)
    assert done.returncode != 0
    assert "given.npz cannot be read" in done.stdout + done.stderr
    assert not (folder / target).exists()


FETCHED = {
    "short": ("elsewhere/short.npz", b"short"),
    "other": ("elsewhere/other.npz", b"x" * 7382),
    "lacking": ("elsewhere/lacking.npz", None),
}


def test_wrong_files_in_the_mirror_and_one_that_it_lacks(mine):
    datasets = {}
    for name, (path, _) in FETCHED.items():
        entry = {"use": "train_test_npz", "files": {"embedding": path}}
        datasets[name] = DATASET | entry | {"split": {"scheme": "fixed"}}
    copy = mine(datasets=datasets)
    for path, content in FETCHED.values():
        copy.add_source(path)
        place = copy.folder / "mirror" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if content:
            place.write_bytes(content)
    done = copy.run("--keep-going", "--config", "mirror=mirror")
    text = done.stdout + done.stderr
    assert done.returncode != 0
    assert "is truncated: 5 of 7382 bytes" in text
    assert "has sha256" in text
    assert "error: the mirror has no" in text
    assert not list(copy.folder.glob("resources/data/**/*.npz"))
