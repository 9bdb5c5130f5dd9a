"""Classes and functions in files of the user's own are checked, tracked and loaded again."""

import os
import subprocess
import sys

import numpy as np
import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid_compare import io, provenance
from noneuclid_compare.config import configuration_checks, load_by_name
from noneuclid_compare.stages import predict

METHOD = """from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import _param_validation as rules

from noneuclid.geometry import lorentz
from nearby import SIGN


class First(ClassifierMixin, BaseEstimator):
    _parameter_constraints = {"power": [rules.Interval(Real, 0, None, closed="left")]}

    def __init__(self, power=1):
        self.power = power

    def fit(self, X, y):
        self.classes_, self.n_features_in_ = np.unique(y), X.shape[1]
        return self

    def predict(self, X):
        return self.classes_[(SIGN * np.asarray(X)[:, 0] ** self.power > 0).astype(int)]


class ByPosition(First):
    def __init__(self, power=1, /, **options): ...


class Plain(BaseEstimator):
    def fit(self, X, y): ...
    def predict(self, X): ...


def function(X): ...
"""
KARATE = {"karate": {"use": "karate"}}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "my_method.py").write_text(METHOD)
    (tmp_path / "nearby.py").write_text("SIGN = 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("own_my_method", "own_my_data", "nearby"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def check(**method):
    configuration_checks.check_method({"use": "my_method.py:First"} | method, "methods/m", KARATE)


def test_a_class_in_a_file_is_checked(folder):
    check(params={"power": 2.0}, grid={"power": [0.5, 3.0]})


@each_of(
    ("method", "line"),
    [
        ({"params": {"pover": 1}}, "params: unknown parameter 'pover'; known: power"),
        ({"params": {"power": -1.0}}, "params/power: -1.0; give a number >= 0"),
        ({"grid": {"power": [1.0, "x"]}}, "grid/power: 'x'; give a number >= 0"),
        (
            {"use": "my_method.py:ByPosition", "grid": {"power": [1, 2]}},
            "grid: ByPosition has no parameter 'power' that can be given by name",
        ),
        (
            {"use": "my_method.py:ByPosition", "params": {"power": 1}},
            "use: my_method.py:ByPosition has no parameter 'power' that can be given by name",
        ),
        ({"use": "my_method.py:function"}, "use: my_method.py:function is no class"),
        ({"use": "my_method.py:SIGN"}, "use: my_method.py:SIGN is no class"),
        ({"use": "my_method.py:Plain"}, "use: my_method.py:Plain is neither a classifier nor a"),
        ({"use": "my_method.py:None_"}, "use: my_method.py:None_ cannot be imported (Attribute"),
        ({"use": "gone.py:First"}, "use: gone.py:First cannot be imported (FileNotFound"),
    ],
)
def test_mistakes_are_found_before_a_run(folder, method, line):
    with pytest.raises(InputError) as caught:
        check(**method)
    assert str(caught.value).startswith(f"methods/m/{line}")
    assert "\n" not in str(caught.value)


def test_a_classifier_on_numbers_is_refused(folder):
    with pytest.raises(InputError, match="First predicts classes, but data set d has numbers"):
        configuration_checks.check_method(
            {"use": "my_method.py:First"}, "m", {"d": {"use": "diabetes"}}
        )


@pytest.mark.parametrize("text", ["raise ValueError('odd\\nlines')", "import sys; sys.exit(3)"])
def test_whatever_a_file_raises_is_one_line(folder, text):
    (folder / "my_method.py").write_text(text)
    with pytest.raises(InputError, match=r"my_method\.py:First cannot be imported") as caught:
        check()
    assert "\n" not in str(caught.value)


def test_two_files_of_one_name_are_refused():
    uses = ["a/m.py:A", "a/m.py:B", "b/m.py:C"]
    entries = [(f"methods/{k}", {"use": use}) for k, use in enumerate(uses)]
    configuration_checks.check_own_files(entries[:2])
    with pytest.raises(InputError, match=r"methods/2/use: b/m\.py has the name of a/m\.py; rename"):
        configuration_checks.check_own_files(entries)


def test_one_file_may_be_named_in_two_ways(folder):
    uses = ["my_method.py:First", f"{folder}/my_method.py:First", "./my_method.py:function"]
    entries = [(f"methods/{k}", {"use": use}) for k, use in enumerate(uses)]
    configuration_checks.check_own_files(entries)
    assert load_by_name.load(uses[0]) is load_by_name.load(uses[1])
    other = [("methods/3", {"use": f"{folder}/more/my_method.py:First"})]
    with pytest.raises(
        InputError, match=r"methods/3/use: .*/more/my_method\.py has the name of my"
    ):
        configuration_checks.check_own_files(entries + other)


DATA = """from noneuclid_compare.data.shipped import karate


def load(files, seed, *, size=3):
    return karate.load({}, seed)
"""


def test_a_loader_in_a_file_is_checked_and_called(folder):
    (folder / "my_data.py").write_text(DATA)
    entry = {"use": "my_data.py:load", "params": {"size": 2}}
    configuration_checks.check_function(entry, "load", "datasets/d")
    assert load_by_name.call("my_data.py:load", {}, 0, size=2).name == "karate"
    for params, line in (
        ({"sise": 2}, "unknown parameter 'sise'; known: size"),
        ({"size": "1e3"}, r"size: '1e3' is not a number \(text in YAML: write 1000\)"),
    ):
        with pytest.raises(InputError, match=line):
            configuration_checks.check_function(entry | {"params": params}, "load", "datasets/d")


def digest():
    provenance.digest.cache_clear()
    return provenance.digest("my_method.py")


def test_the_digest_follows_the_code_of_a_file_and_what_it_imports(folder, monkeypatch):
    before = digest()
    file, beside = folder / "my_method.py", folder / "nearby.py"
    file.write_text(f"# A comment.\n{file.read_text()}")
    assert digest() == before
    file.write_text(file.read_text().replace("> 0", ">= 0"))
    changed = digest()
    assert changed != before
    beside.write_text("SIGN = -1\n")
    assert digest() not in (before, changed)
    seen = []
    closure = provenance.closure
    monkeypatch.setattr(provenance, "closure", lambda *m: seen.extend(m) or closure(*m))
    digest()
    assert seen == ["noneuclid.geometry.lorentz"]


def test_a_kept_model_is_loaded_by_whoever_vouches_for_its_file(folder):
    X = np.array([[-0.5, 0.1], [0.5, 0.2], [0.4, -0.2], [-0.1, 0.3]])
    estimator = load_by_name.build("my_method.py:First", {"power": 1}).fit(X, [0, 1, 1, 0])
    model = {
        "estimator": estimator,
        "chart": "tangent",
        "curvature": 1.0,
        "class_names": ["a", "b"],
        "names": ["d", "given", "m"],
        "map": {"kind": "none"},
    }
    io.write_model(folder / "m.skops", model)
    np.save(folder / "new.npy", X)
    with pytest.raises(InputError, match=r"own_my_method\.First, which is not trusted"):
        predict.read_model(folder / "m.skops")
    command = [sys.executable, "-m", "noneuclid_compare", "predict", "m.skops", "new.npy"]
    command += ["--chart", "tangent", "--trust", "my_method.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=os.environ)
    assert [line.split("\t")[1] for line in done.stdout.splitlines()[1:]] == ["0", "1", "1", "0"]
