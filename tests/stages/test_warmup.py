"""The command that compiles ahead of the first fits."""

import os
import subprocess
import sys

import pytest

import noneuclid
from noneuclid import compiled
from noneuclid.errors import InputError
from noneuclid_compare import __main__
from noneuclid_compare.stages import warmup

# Fits to other rows than those of the command; prints what numba compiles nevertheless.
FITS = """
from numba.core import event
import noneuclid
from noneuclid_compare.stages import warmup

class Compilations(event.Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__qualname__, event.data["args"])
    def on_end(self, event):
        pass

event.register("numba:compile", Compilations())
for name in warmup.list_estimators():
    warmup.fit_by_default(getattr(noneuclid, name)(), n=120, seed=1)
print("end")
"""


@pytest.mark.slow
def test_fits_after_the_command_compile_nothing(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}

    def run(*command):
        command = [sys.executable, *command]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    lines = run("-m", "noneuclid_compare", "warmup")
    assert [line.split("\t")[0] for line in lines] == warmup.list_estimators()
    assert run("-c", FITS) == ["end"]


def test_every_public_estimator_is_compiled():
    names = warmup.list_estimators()
    assert {"HyperboloidSVC", "HilbertSVC", "HyperbolicRandomForestRegressor"} <= set(names)
    assert {"PoincareMap", "PoincareEmbedding", "LogRatio"} <= set(names)
    assert not {"MarginClassifier", "UMAPEmbedding"} & set(names)


def test_a_classifier_that_transforms_has_labels():
    model = noneuclid.NearestFrechetMeanClassifier()
    warmup.fit_by_default(model, n=7)
    assert model.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", ["LiftedPCA", "LogRatio", "TreeEmbedding"])
def test_rows_graphs_and_compositions_are_embedded(name):
    model = getattr(noneuclid, name)()
    warmup.fit_by_default(model, n=7)
    assert len(model.embedding_) == 7


def test_parts_without_a_logarithm_are_replaced():
    model = noneuclid.ZeroReplacement()
    warmup.fit_by_default(model, n=7)
    assert model.n_features_in_ == 11


def test_without_a_place_for_machine_code_there_is_one_line(monkeypatch):
    monkeypatch.setattr(compiled, "get_cache_index", lambda function: None)
    with pytest.raises(InputError, match="NUMBA_CACHE_DIR"):
        __main__.run(["warmup"])
