import ast
import inspect
import json
import re
import zipfile
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import yaml
from cases import each_of
from sklearn.dummy import DummyClassifier
from sklearn.preprocessing import FunctionTransformer
from skops import io as skops_io

import noneuclid
from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import configuration, load_by_name
from noneuclid_compare.data import downloads
from noneuclid_compare.jobs import earlier_runs
from noneuclid_compare.stages import run as stages_run

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
# What unpacks archives, runs text or loads objects that bring code along.
UNSAFE = (
    r"(\w+\.)+(extract|extractall|unpack_archive)|(eval|exec|compile|__import__)|os\.(system|popen)"
    r"|(pickle|cloudpickle|joblib|dill|marshal|shelve|torch)\.(load|loads|open)"
    r"|yaml\.(load|load_all|unsafe_load|full_load)|(\w+\.)*read_pickle|tempfile\.mktemp"
)


@cache
def calls():
    """Name of each call in the source, and where it is with its arguments."""
    return [
        (ast.unparse(node.func), f"{path.name}:{node.lineno} {ast.unparse(node)}")
        for path in sorted((ROOT / "src").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call)
    ]


def names(pattern):
    """Where the source calls something whose dotted name matches."""
    return [place for name, place in calls() if re.fullmatch(pattern, name)]


def test_nothing_is_unpacked_run_or_unpickled():
    # Tensors without code.
    assert [call for call in names(UNSAFE) if "weights_only=True" not in call] == []
    assert re.fullmatch(UNSAFE, "archive.extractall")
    assert re.fullmatch(UNSAFE, "torch.load")


def test_no_program_is_run_but_a_browser_git_squeue_snakemake_and_python():
    run = r"(subprocess|os)\.(\w*exec\w*|spawn\w*|run|Popen|call|check_\w+|getoutput)"
    squeue, python, browser, git, snakemake = sorted(names(run))
    assert "subprocess.run(command, capture_output=True" in browser
    assert "subprocess.run(QUEUE," in squeue
    assert "[sys.executable, '-m', 'noneuclid_compare.stages.run_stage'," in python
    assert "os.execv(words[0], words)" in snakemake
    assert 'sys.executable, "-P", "-m",' in inspect.getsource(stages_run.line)
    assert "subprocess.run([*git, *words], capture_output=True" in git
    assert "shell" not in squeue + python + browser + git + snakemake
    assert earlier_runs.QUEUE[0] == "squeue"


def test_arrays_are_loaded_without_pickles():
    found = names(r"(np|numpy)\.load")
    assert len(found) >= 4
    assert [call for call in found if "allow_pickle=False" not in call] == []


def test_only_downloads_open_the_network():
    network = r"(urllib|http|socket|requests|ftplib|smtplib|xmlrpc|asyncio)"
    users = set()
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text()
        if re.search(rf"^\s*(import|from) {network}\b(?!\.parse)", text, flags=re.M):
            users.add(path.name)
    assert users == {"downloads.py", "run_stage.py", "job_environment.py"}
    # Between processes of one user: no address of a network.
    kinds = names(r"socket\.(socket|create_\w+|socketpair|fromfd)")
    assert len(kinds) == 3
    assert all("socket.AF_UNIX)" in call or "fileno=" in call for call in kinds)


@pytest.mark.parametrize("path", ["../x.npz", "/etc/x.npz", "a/../../x.npz", ""])
def test_sources_stay_in_their_folder(tmp_path, path):
    table = tmp_path / "sources.tsv"
    head = "path\turl\tsha256\tbytes\tlicence\tcitation\n"
    table.write_text(f"{head}{path}\thttps://example.org/x\t0\t1\tMIT\tnone\n")
    with pytest.raises(InputError, match=r"sources\.tsv: .* is not a path inside a folder"):
        downloads.read_sources(table)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/x"])
def test_sources_come_over_http(tmp_path, url):
    source = downloads.Source("x", url, "0", 1, "MIT", "none")
    with pytest.raises(InputError, match="is not on the network"):
        downloads.obtain(source, None, tmp_path / "x", attempts=1)


FITTED = [
    DummyClassifier(),
    noneuclid.PoincareSVC(),
    noneuclid.HyperbolicRandomForestClassifier(n_estimators=2),
    noneuclid.HorosphereDecisionTreeClassifier(),
    noneuclid.HilbertNearestClassifier(chart="tangent"),
    noneuclid.HyperbolicHistGradientBoostingClassifier(max_iter=2, min_samples_leaf=2),
]


def fitted(estimator):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2)) * 0.2
    if type(estimator).__name__.startswith("Hyperbolic"):
        X = np.column_stack([np.sqrt(1 + (X**2).sum(1)), X])
    return estimator.fit(X, np.array(["a", "b"])[(X[:, -1] > 0).astype(int)]), X


@each_of("estimator", FITTED, ids=lambda e: type(e).__name__)
def test_our_models_load(tmp_path, estimator):
    estimator, X = fitted(estimator)
    io.write_model(tmp_path / "m.skops", {"estimator": estimator})
    back = io.read_model(tmp_path / "m.skops")["estimator"]
    np.testing.assert_array_equal(back.predict(X), estimator.predict(X))


def test_equal_models_have_equal_bytes(tmp_path):
    for name in "ab":
        estimator, X = fitted(
            noneuclid.HyperbolicRandomForestClassifier(n_estimators=2, random_state=0)
        )
        model = {"estimator": estimator, "same": X, "again": X, "bytes": b"x", "n": 139}
        io.write_model(tmp_path / name, model)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    back = io.read_model(tmp_path / "a")
    np.testing.assert_array_equal(back["same"], X)
    assert back["again"] is back["same"]
    assert (back["bytes"], back["n"]) == (b"x", 139)


FUNCTIONS = [np.load, np.testing.rundocs, io.write_bytes, load_by_name.build]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_functions_in_a_model_are_refused(tmp_path, function):
    path = tmp_path / "m.skops"
    path.write_bytes(skops_io.dumps({"estimator": FunctionTransformer(function)}))
    with pytest.raises(InputError, match=rf"m\.skops holds the type \S*{function.__name__}, ") as e:
        io.read_model(path)
    assert "\n" not in str(e.value)


def crafted(path, module, name, arguments):
    """A model file that asks skops to call `module.name` with `arguments` when it is loaded."""
    with zipfile.ZipFile(BytesIO(skops_io.dumps([arguments, {}]))) as archive:
        schema = json.loads(archive.read("schema.json"))
    given, nothing = schema["content"]
    call = {"__class__": name, "__module__": module, "__loader__": "LossNode"}
    call |= {"__reduce__": {"args": given}, "content": nothing, "protocol": schema["protocol"]}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", json.dumps(call))


@each_of(
    ("module", "name", "arguments"),
    [
        (
            "noneuclid_compare.config.load_by_name",
            "build",
            ("subprocess.Popen", {"args": ["touch", "FILE"]}),
        ),
        ("noneuclid_compare.io", "write_text", ("FILE", "x")),
        ("noneuclid_compare.data.downloads", "Path", ("FILE",)),
        ("numpy", "memmap", ("FILE", "uint8", "w+", 0, (4,))),
        ("numpy.f2py.__main__", "main", ()),
        ("noneuclid.nowhere", "Thing", ()),
        ("os", "mkdir", ("FILE",)),
    ],
)
def test_a_model_that_calls_is_refused_and_calls_nothing(tmp_path, module, name, arguments):
    path, target = tmp_path / "m.skops", tmp_path / "made"
    text = json.dumps(arguments).replace("FILE", str(target))
    crafted(path, module, name, tuple(json.loads(text)))
    with pytest.raises(InputError, match=rf"m\.skops holds the type {re.escape(module)}\.{name}, "):
        io.read_model(path)
    assert not target.exists()


def test_a_named_module_is_trusted_and_no_longer_one(tmp_path):
    path = tmp_path / "m.skops"
    path.write_bytes(skops_io.dumps({"estimator": FunctionTransformer(maps.means)}))
    assert io.read_model(path, ["noneuclid.embeddings.maps."])["estimator"].func is maps.means
    with pytest.raises(InputError, match=r"type noneuclid\.embeddings\.maps\.means, "):
        io.read_model(path, ["noneuclid.embeddings.map."])


EVIL = [
    "a b; rm x",
    "$(rm x)",
    "a\n",
    "a\nb",
    "'a'",
    '"a"',
    "-a",
    "../a",
    ".",
    "a/b",
    "a{b}",
    "`a`",
]


@each_of("name", EVIL)
@each_of("section", ["datasets", "embeddings", "methods"])
def test_names_that_a_shell_would_read_are_refused(section, name):
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    config[section][name] = next(iter(config[section].values()))
    words = r"is (not a name \(it starts with|not printable text)"
    with pytest.raises(InputError, match=rf"{section}: .* {words}") as e:
        configuration.check(config, SCHEMA)
    assert "\n" not in str(e.value)


@each_of("name", ["CON", "nul", "Aux.v2", "com1", "a.", "a ", "A"])
@each_of("section", ["datasets", "embeddings", "methods"])
def test_names_that_are_no_files_of_their_own_elsewhere_are_refused(section, name):
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    entries = config[section]
    entries[name] = entries["a"] = next(iter(entries.values()))
    reason = {"a ": "is not a name", "A": "A and a are one file on macOS"}
    words = reason.get(name, f"{name}: Windows keeps no file of this name; rename the entry")
    with pytest.raises(InputError, match=rf"^{section}.*{re.escape(words)}.*$"):
        configuration.check(config, SCHEMA)


@pytest.mark.parametrize("path", ["a.b; rm x", "a.b\n", "a.$(b)", "os"])
def test_uses_that_a_shell_would_read_are_refused(path):
    for section in ("datasets", "embeddings", "methods"):
        config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
        next(iter(config[section].values()))["use"] = path
        with pytest.raises(InputError, match=r"is not a name such as|os is part of Python itself"):
            configuration.check(config, SCHEMA)


@pytest.mark.parametrize("path", ["{x}.csv", "a\n", "a\nb", "\0", ""])
def test_paths_that_snakemake_would_fill_in_are_refused(path):
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    config["datasets"]["karate"]["files"] = {"data": path}
    with pytest.raises(
        InputError, match=r"karate/files/data: .* (is not a path of a file \(|cannot be passed on)"
    ):
        configuration.check(config, SCHEMA)


def test_every_value_in_a_shell_command_is_quoted():
    # Numbers, and texts that `job_arguments` has quoted with shlex, or made of names.
    plain = {"params.seed", "wildcards.repeat", "params.repeat", "wildcards.distance"}
    plain |= {"params.kept", "params.options", "params.sweep"}
    for path in sorted((ROOT / "workflow/rules").glob("*.smk")):
        for block in re.findall(r"shell:\n((?: +\".*\"\n)+)", path.read_text()):
            for value in re.findall(r"\{([^}]*)\}", block):
                assert value.endswith(":q") or value in plain, f"{path.name}: {{{value}}}"
