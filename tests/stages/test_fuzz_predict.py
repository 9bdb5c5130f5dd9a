"""Random files and models for `noneuclid predict`: a table, or one line and no file."""

import io
import random
import tempfile
import warnings
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path

import anndata
import numpy as np
import pandas
import pytest
from cases import each_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from predicted_points import model_of_stages
from scipy import sparse

from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare import __main__
from noneuclid_compare import io as files

COLUMNS = ["x", "y", "z"]
# Loader settings, embedding and method of each kept model.
KINDS = {
    "pca": ({}, "lifted_pca", "noneuclid.PoincareSVC", "poincare"),
    "tree": ({}, "lifted_pca", "sklearn.tree.DecisionTreeClassifier", "tangent"),
    "hydra": ({}, "hydra", "noneuclid.WeberPerceptron", None),
    "ball": (
        {"chart": "poincare"},
        "given",
        "noneuclid.HyperbolicDecisionTreeClassifier",
        None,
    ),
    "parts": (
        {"kind": "composition", "normalize": True},
        "log_ratio",
        "noneuclid.HilbertNearestClassifier",
        "simplex",
    ),
    "numbers": ({"numeric": True}, "lifted_pca", "sklearn.linear_model.Ridge", "tangent"),
}


def written(folder, name, read):
    """A table of two groups that suits the settings it is read by."""
    rng = np.random.default_rng(0)
    groups = np.arange(20) % 2
    X = 0.1 * rng.normal(size=(20, 3)) + 0.3 * groups[:, None]
    if "kind" in read:
        X = rng.dirichlet([3, 3, 3], size=20)
    table = pandas.DataFrame(X, columns=COLUMNS)
    table["label"] = X[:, 0] + groups if "numeric" in read else np.where(groups, "a b", "_c")
    path = folder / f"{name}.csv"
    table.to_csv(path, index=False)
    return path


@cache
def kept(name):
    """Bytes of a model that the stages made, and the map that its embedding offers."""
    read, embedding, path, chart = KINDS[name]
    method = {"use": path, "chart": chart or "hyperboloid"}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = {"use": "table_file", "files": {"data": str(written(folder, name, read))}}
        source["params"] = {"label": "label"} | read
        return model_of_stages(folder, source, embedding, method).read_bytes()


ODD = [np.nan, np.inf, -1e308, 1e-320, 1.0, 0.0, 1e17, "x", "", "NA", "1,5", " 2", "é", True, "1_0"]
SUFFIXES = [".csv", ".tsv", ".txt", ".csv.gz", ".parquet", ".npz", ".npy", ".h5ad"]


def mostly(common, rare, times=20):
    """The first value, now and then one of the second."""
    middle = times // 2  # Hypothesis likes the ends of a range
    chosen = st.integers(0, times)
    return chosen.flatmap(lambda k: rare if k == middle else st.just(common))


def spoiled(content):
    """Bytes as they are, or cut, changed in some places, or others altogether."""
    place = st.integers(0, max(0, len(content) - 1))
    changes = st.lists(st.tuples(place, st.integers(0, 255)), min_size=1, max_size=4)

    def change(pairs):
        found = bytearray(content)
        for at, value in pairs:
            found[at : at + 1] = bytes([value])
        return bytes(found)

    others = st.one_of(place.map(lambda end: content[:end]), changes.map(change), st.binary())
    return mostly(content, others, 8)


@st.composite
def tables(draw):
    """A data frame of samples, some with odd columns and values."""
    n = draw(mostly(3, st.sampled_from([0, 1, 9])))
    numbers = st.sampled_from([0.1, 0.2, 0.3, -0.1, 0.0, 0.25])
    names = draw(mostly(COLUMNS, st.permutations(COLUMNS), 3))
    more = st.lists(st.sampled_from(["id", "x", "p_a", "sample", "", "a b", "_c"]), max_size=3)
    names = [*names[: draw(mostly(3, st.integers(0, 2), 8))], *draw(mostly([], more, 2))]
    odd = mostly(0.1, st.sampled_from(ODD), 40)
    columns = [[draw(numbers if draw(st.booleans()) else odd) for _ in range(n)] for _ in names]
    # Two columns may have one name.
    return pandas.DataFrame(dict(enumerate(columns))).set_axis(names, axis=1)


def save(table, path):
    """Write a table in the format that the suffix says, whatever it holds."""
    suffix = "".join(path.suffixes)
    numbers = table.apply(pandas.to_numeric, errors="coerce").to_numpy(float)
    if suffix == ".parquet":
        # Which takes no name twice, and one type in a column.
        table = table.loc[:, ~table.columns.duplicated()]
        mixed = [name for name in table if table[name].map(type).nunique() > 1]
        table.astype(dict.fromkeys(mixed, str)).to_parquet(path)
    elif suffix == ".npz":
        np.savez(path, X=numbers)
    elif suffix == ".npy":
        np.save(path, numbers)
    elif suffix == ".h5ad":
        names = pandas.DataFrame(index=table.columns.astype(str))
        X = sparse.csr_matrix(numbers) if len(table) % 2 else numbers
        cells = anndata.AnnData(X, var=names, obsm={"X_pca": numbers})
        cells.write_h5ad(path)
    else:
        table.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")


@st.composite
def commands(draw):
    """A model, a file of samples, and options."""
    suffix = draw(st.sampled_from(SUFFIXES))
    options = {
        "chart": st.sampled_from(charts.CHARTS),
        "id": st.sampled_from(["id", "x", "none", ""]),
        "drop": st.sampled_from(["id", "x", "none"]),
        "decimal": st.just(","),
        "features": st.sampled_from(["obsm/X_pca", "layers/none", "Y", "obsm/", ""]),
        "trust": st.just("os"),
        "output": st.sampled_from(["out.parquet", "out.txt", "new/out.tsv"]),
    }
    chosen = {name: draw(mostly(None, values, 12)) for name, values in options.items()}
    return {
        "model": draw(st.sampled_from(sorted(KINDS)).map(kept).flatmap(spoiled)),
        "table": draw(tables()),
        "suffix": suffix,
        "named": draw(mostly(suffix, st.sampled_from([*SUFFIXES, "", ".xlsx"]))),
        "spoil": draw(st.randoms(use_true_random=False)),
        "options": {"output": "out.tsv"} | {k: v for k, v in chosen.items() if v is not None},
    }


def outcome(command, folder):
    """The table that the command wrote, or the one line that it ended in."""
    (folder / "model.skops").write_bytes(command["model"])
    path = folder / f"made{command['suffix']}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        save(command["table"], path)
    data = path.rename(folder / f"new{command['named']}")
    content, rng = bytearray(data.read_bytes()), command["spoil"]
    if rng.random() < 0.1:
        for _ in range(rng.randint(1, 4)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        data.write_bytes(content[: rng.choice([len(content), rng.randrange(len(content))])])
    output = folder / command["options"]["output"]
    words = [f"--{name}={value}" for name, value in command["options"].items() if name != "output"]
    before = set(folder.rglob("*"))
    words += ["--output", str(output)]
    try:
        with redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            __main__.run(["predict", str(folder / "model.skops"), str(data), *words])
    except InputError as error:
        assert set(folder.rglob("*")) == before
        line = str(error)
        assert line.strip()
        assert "\n" not in line
        assert len(line) < 1500
        return line
    table = pandas.read_parquet(output) if output.suffix == ".parquet" else files.read_table(output)
    assert list(table.columns[:2]) == ["sample", "predicted"]
    assert not table["predicted"].isna().any()
    return table


def run(command):
    with tempfile.TemporaryDirectory() as folder:
        return outcome(command, Path(folder))


def fuzz(examples, **options):
    options |= {"deadline": None, "suppress_health_check": list(HealthCheck)}
    return settings(max_examples=examples, **options)


@each_of("name", [name for name in KINDS if name != "hydra"])
@each_of("suffix", SUFFIXES)
def test_every_kind_of_model_reads_every_kind_of_file(tmp_path, name, suffix):
    table = pandas.DataFrame([[0.2, 0.3, 0.5], [0.1, 0.2, 0.7]], columns=COLUMNS)
    command = {"model": kept(name), "table": table, "suffix": suffix, "named": suffix}
    command |= {"spoil": random.Random(0), "options": {"output": "out.tsv"}}
    assert len(outcome(command, tmp_path)) == 2


@given(commands())
@fuzz(60, derandomize=True)
def test_any_command_ends_in_a_table_or_in_a_line(command):
    run(command)


@pytest.mark.slow
@given(commands())
@fuzz(3000)
def test_many_commands_end_in_a_table_or_in_a_line(command):
    run(command)
