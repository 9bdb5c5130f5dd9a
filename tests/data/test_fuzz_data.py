"""Random small data sets through every stage: each ends in its results or in a clear line."""

import io
import json
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noneuclid.errors import InputError
from noneuclid_compare.data.own import array_file
from noneuclid_compare.records import Disk
from noneuclid_compare.report import section_list
from noneuclid_compare.report.figures import disk as disk_figure
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.stages import acquire, draw, embed, evaluate, report, split, train

ROOT = Path(__file__).resolve().parents[2]
METHODS = yaml.safe_load((ROOT / "config/config.yaml").read_text())["methods"]
NUMBERS = ["0", "1", "-1", "0.5", "0.25", "-0.3", "1e-9", "2", "3", "7", "0.1"]
ODD = ["", "NA", "nan", "inf", "-inf", "1e400", "1e300", "-1e300", "1e-320", "x", "1,5", " 1 ", "é"]
ODD += ["TRUE", '"', "0x1", "1_0", "١", "1e17", "None", "-0.0", "1" * 400]
CLASSES = ["a", "b", "c", "1", "2", "01", "1.0", "é", "$a", "$\\frac{1}$", "_x", "%", "{c}", "<b>&"]
CLASSES += ["a b", "None", "True", "x" * 300, "a,b", "a\nb", "\\", "'", "^", "#", "&amp;", "-1"]
MISSING = ["NA", "nan", "", " a", "e\u0301"]
EMBEDDINGS = [
    ("lifted_pca", {}),
    ("lifted_pca", {"n_components": 1}),
    ("lifted_pca", {"n_components": 3, "standardize": True}),
    ("hydra", {}),
    ("hydra", {"n_components": 3, "n_neighbors": 3}),
    ("refined_hydra", {}),
    ("poincare_maps", {"max_iter": 3}),
    ("log_ratio", {}),
    ("given", {}),
]
ON_GRAPHS = [
    "hydra",
    "refined_hydra",
    "poincare_embedding",
    "random_walk",
    "labne",
    "deepwalk",
    "tree_embedding",
]


def mostly(common, rare, times=30):
    """One of the first values, now and then one of the second."""
    # Hypothesis likes the ends of a range.
    middle = times // 2
    return st.integers(0, times).flatmap(lambda k: st.sampled_from(rare if k == middle else common))


def classes():
    """Names of one to four classes."""
    names = st.lists(mostly(CLASSES, MISSING, 60), min_size=2, max_size=4, unique=True)
    return st.one_of(names, names, names, names.map(lambda found: found[:1]))


@st.composite
def tables(draw):
    """Bytes of a table as somebody may write it, and settings to read it by."""
    n, p, times = (
        draw(st.integers(2, 14)),
        draw(st.integers(1, 4)),
        draw(st.sampled_from([99, 9999])),
    )
    few = draw(classes())
    separator = draw(mostly([","], [";", "\t"], 5))
    header = [*(f"x{k}" for k in range(p)), "label"]
    header = [draw(mostly([name], ["x0", "", "label", "NA", '"x"', " x "], 200)) for name in header]
    constant = draw(st.sampled_from([None, None, None, *range(p)]))
    rows = [
        [draw(mostly(NUMBERS, ODD, times)) if j != constant else "5" for j in range(p)]
        + [few[k % len(few)]]
        for k in range(n)
    ]
    if draw(st.booleans()):
        rows += rows[: draw(st.integers(1, n))]
    for row in rows:
        ragged = draw(st.integers(0, 2000))
        row += ["1"] * (ragged == 700)
        del row[len(row) - (ragged == 900) :]
    quote = draw(st.booleans())
    written = [
        [f'"{cell}"' if quote or separator in cell or "\n" in cell else cell for cell in row]
        for row in [header, *rows]
    ]
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n"]))
    text = end.join(separator.join(row) for row in written) + draw(st.sampled_from(["", end]))
    encoding = draw(mostly(["utf-8"], ["utf-8-sig", "latin-1", "utf-16"], 20))
    name = draw(mostly(["t.csv"], ["t.tsv", "t.txt", "t.csv.gz", "t.parquet", "t"], 40))
    read = {"label": draw(mostly(["label"], ["x0", "no such", ""], 40))}
    read |= draw(mostly([{}], [{"numeric": True}, {"unlabeled": "drop"}, {"decimal": ","}], 3))
    shape = [
        {"chart": "poincare"},
        {"chart": "hyperboloid"},
        {"chart": "tangent", "curvature": 4.0},
    ]
    shape += [{"kind": "composition", "normalize": True, "pseudocount": 0.5}]
    read |= draw(mostly([{}], shape, 2))
    content = text.encode(encoding, errors="replace")
    return "table_file", {"data": (name, content)}, read


def saved(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


@st.composite
def arrays(draw):
    """An npz file, for the loader of arrays or that of points with the authors' split."""
    n, p = draw(st.integers(2, 16)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    scale = draw(st.sampled_from([0.1, 0.2, 0.2, 0.1, 1.0, 1e-8, 1e8, 1e-200, 1e200, 0.0]))
    X = rng.normal(size=(n, p)) * scale
    X[draw(st.integers(0, n - 1))] = draw(mostly([0.0], [np.nan, np.inf, 1e308, 0.999999], 9))
    with np.errstate(all="ignore"):
        X = X.astype(draw(mostly(["f8"], ["f4", "f2", "i8", "u1", "?", "c16", "U8", "O"], 9)))
    y = np.arange(n) % draw(mostly([2, 3, 4], [1], 9))
    y = y.astype(draw(mostly(["i8"], ["f8", "u1", "?", "U3", "S3", "O", "c16", "M8[s]"], 6)))
    X, y = draw(mostly([(X, y)], [(X[0], y), (X, y[1:]), (X, y[:, None]), (X[:0], y[:0])], 12))
    chart = draw(mostly([{}], [{"chart": "poincare"}, {"chart": "klein"}, {"chart": "tangent"}], 1))
    if draw(st.booleans()):
        return "array_file", {"data": ("d.npz", saved(X=X, y=y))}, chart
    half = len(y) // 2
    parts = {"x_train": X[half:], "y_train": y[half:], "x_test": X[:half], "y_test": y[:half]}
    return "train_test_npz", {"embedding": ("d.npz", saved(**parts))}, {}


@st.composite
def graphs(draw):
    """An edge list with a table of labels."""
    n = draw(st.integers(2, 12))
    names = [draw(mostly([f"n{k}"], ["NA", "1", "n0", "é", "#x", "a b", ""], 60)) for k in range(n)]
    lines = [f"{names[k]}\t{names[draw(st.integers(0, k - 1))]}" for k in range(1, n)]
    lines += draw(st.lists(st.sampled_from([*lines, "n0\tn1", "n1\tn2", "n0\tn0", "", "#"])))
    lines += draw(mostly([[]], [["n1\tn2\t0.5"], ["x"]], 9))
    kinds = draw(classes())
    labels = ["node\tclass", *(f"{name}\t{kinds[k % len(kinds)]}" for k, name in enumerate(names))]
    files = {"data": ("e.tsv", "\n".join(lines)), "labels": ("l.tsv", "\n".join(labels))}
    read = {"label": "class"}
    read |= draw(mostly([{"self_loops": "drop", "duplicates": "drop"}], [{}], 4))
    read |= draw(mostly([{"component": "largest"}], [{}, {"component": "keep"}], 2))
    return "graph_file", {k: (name, text.encode()) for k, (name, text) in files.items()}, read


@st.composite
def cases(draw):
    """Files, how they are read, embedded and split, and two methods."""
    loader, files, read = draw(st.one_of(tables(), arrays(), graphs()))
    if loader == "graph_file":
        module = draw(mostly(ON_GRAPHS, ["lifted_pca", "given"], 20)), {}
    elif "chart" in read or loader == "train_test_npz":
        module = draw(mostly([("given", {})], EMBEDDINGS, 9))
    else:
        module = draw(st.sampled_from(EMBEDDINGS))
    folds = {"scheme": draw(mostly(["stratified_kfold"], ["holdout", "fixed"], 4)), "folds": 2}
    folds["small_classes"] = draw(st.sampled_from(["error", "drop", "keep"]))
    if loader == "train_test_npz":
        folds["scheme"] = draw(mostly(["fixed"], ["holdout"], 4))
    methods = draw(st.lists(st.sampled_from(sorted(METHODS)), min_size=2, max_size=2, unique=True))
    return {
        "loader": loader,
        "files": files,
        "read": read,
        "embedding": module,
        "split": folds,
        "methods": methods,
        "drawn": draw(st.integers(0, 20)) == 7,
    }


def stage(module, outputs, /, **arguments):
    """Run a stage; whether it ended in all its outputs, for else it ended in a line and none."""
    words = []
    for name, value in arguments.items():
        values = value if isinstance(value, list) else [value]
        words += [f"--{name}", *(json.dumps(v) if isinstance(v, dict) else str(v) for v in values)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module.main(words)
        line = None
    except InputError as error:
        line = str(error)
    done = line is None
    assert done or (line.strip() and "\n" not in line and len(line) < 1500)
    assert {path.exists() for path in outputs} == {done}
    for folder in {path.parent for path in outputs}:
        assert not list(folder.glob(".*"))
    return done


def through(case, folder):
    """Take a case as far as it goes; the last stage that ended in its results."""
    files = {}
    for role, (name, content) in case["files"].items():
        (folder / name).write_bytes(content)
        files[role] = str(folder / name)
    results = folder / "results"
    data = results / "acquire/d.npz"
    known = {"name": "d", "use": case["loader"], "files": files}
    known |= {"params": case["read"], "seed": 0}
    if not stage(acquire, [data], **known, output=data):
        return "nothing"
    name, chosen = case["embedding"]
    points, how = results / f"embed/d/{name}.npz", results / "map.npz"
    known = {"name": name, "use": name, "params": chosen}
    card = points.with_suffix(".json")
    outputs = {"output": points, "card": card, "map": how}
    if not stage(embed, [*outputs.values()], dataset=data, **known, seed=0, **outputs):
        return "acquire"
    rows = results / "split/d/0.npz"
    known = {"settings": case["split"], "repeat": 0, "seed": 0}
    if not stage(split, [rows], dataset=data, **known, output=rows):
        return "embed"
    methods = [
        method
        for method in case["methods"]
        if trained(method, name, results, points=points, split=rows, map=how)
    ]
    if methods and case["drawn"]:
        finish(results, name, methods)
        return "report"
    return "train" if methods else "split"


def trained(method, embedding, results, **files):
    """Whether a method was trained on the points."""
    stem = results / f"train/d/{embedding}/{method}"
    paths = {"predictions": stem / "0.npz", "record": stem / "0.json"}
    paths["model"] = results / f"models/d/{embedding}/{method}.skops"
    entry = METHODS[method]
    how = {"params": {}, "grid": {}, "chart": "hyperboloid"} | entry
    how["grid"] = {key: values[:2] for key, values in how["grid"].items()}
    if "n_estimators" in how["params"]:
        how["params"] = {"n_estimators": 3}
    how["search"] = {"folds": 2, "scoring": "balanced_accuracy"} if how["grid"] else {}
    known = {"names": ["d", embedding, method], "method": how, "repeat": 0, "seed": 0}
    return stage(train, list(paths.values()), **known, **files, **paths)


def finish(results, embedding, methods):
    """Evaluate, draw and report, which must succeed on what was trained."""
    plan = results / "evaluate/plan.json"
    plan.parent.mkdir(parents=True)
    pairs = {"pairs": [["d", embedding, methods]], "drawn": [["d", embedding]], "repeats": 1}
    plan.write_text(json.dumps(pairs))
    scores = [results / "evaluate" / name for name in ("scores.parquet", "scores.tsv", "runs.json")]
    assert stage(evaluate, scores, plan=plan, train=results / "train", output=scores)
    picture = results / f"report/figures/disk/d/{embedding}"
    disk = [results / f"draw/d/{embedding}.npz", *(picture.with_suffix(f".{s}") for s in FORMATS)]
    classes = {method: METHODS[method]["use"] for method in methods}
    where = {
        "points": results / f"embed/d/{embedding}.npz",
        "train": results / f"train/d/{embedding}",
    }
    where["models"] = results / f"models/d/{embedding}"
    assert stage(draw, disk, methods=classes, output=disk, **where)
    page = results / "report/index.html"
    known = {"metric": "balanced_accuracy", "title": "t", "codes": dict.fromkeys(classes, "")}
    known["entries"] = section_list.entries({})
    assert stage(report, [page], plan=plan, **known, results=results)


FORMATS = ("tsv", "png", "svg", "pdf")


def run(case):
    with tempfile.TemporaryDirectory() as folder:
        return through(case, Path(folder))


def fuzz(examples, **options):
    options |= {"deadline": None, "suppress_health_check": list(HealthCheck)}
    return settings(max_examples=examples, **options)


@given(cases())
@fuzz(30, derandomize=True)
def test_any_data_end_in_results_or_in_a_line(case):
    run(case | {"drawn": False})  # the page takes seconds


@pytest.mark.slow
@given(cases())
@fuzz(400)
def test_many_data_end_in_results_or_in_a_line(case):
    run(case)


# What the fuzzing above has found.


def test_labels_without_an_order_are_refused(tmp_path):
    content = saved(X=np.ones((3, 1)), y=np.array([1, 2, 1j]))
    (tmp_path / "d.npz").write_bytes(content)
    with pytest.raises(InputError, match=r"labels are complex values .*; write them as text"):
        array_file.load({"data": tmp_path / "d.npz"}, 0)


def test_a_class_may_be_named_like_a_formula():
    names = "$\\frac{1}$", "$a", "a$b$c"
    points, rows = np.array([[0.1, 0.2], [0.3, 0.1], [0.0, 0.5]]), np.arange(3)
    disk = Disk("d", "e", ("m",), points, rows, names, 2, rows[None])
    picture = page_figures.to_bytes(disk_figure.draw_disk(disk), "svg").decode()
    assert all(f"<!-- {name} -->" in picture for name in names)
