"""docs/inference.md has the rates of benchmarks/inference.tsv, and its sentences are theirs."""

import importlib
import sys
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bench():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    yield importlib.import_module("inference")
    sys.path.remove(str(ROOT / "benchmarks"))


def test_page_has_the_rates(bench):
    text = bench.PAGE.read_text()
    assert bench.filled(text, pd.read_csv(bench.TABLE, sep="\t")) == text
    assert len(text.replace("|", " ").split()) <= 500


def test_sentences(bench):
    table = pd.read_csv(bench.TABLE, sep="\t")
    null = table[~table["setting"].str.contains("better") & (table["kind"] == "model")]
    claims = (null["a"] + null["b"]).where(null["sets"] < 20)
    one = null["sets"] == 1
    single = null["setting"].str.contains("1 repeat,|1 repeat$")
    assert claims[one & ~single].max() <= 3
    assert claims[one & single].max() == pytest.approx(5.6)
    width = null[one].set_index("setting")["half"]
    assert width["n = 500, 3 repeats"] / width["n = 2000, 3 repeats"] == pytest.approx(2, abs=0.05)
    assert width["n = 500, 3 repeats"] / width["n = 500, 1 repeat"] == pytest.approx(0.7, abs=0.03)
    leader = null[one].set_index("setting")["leader"]
    assert round(leader["n = 500, 3 repeats"]) == 90
    assert round(leader["n = 500, 3 repeats, 60 pipelines"]) == 78


def test_a_row_of_each_kind(bench):
    """The programs run, and truth and scores agree."""
    first = next(bench.of_model(0.02))
    assert first[:4] == ["model", "n = 500, 3 repeats", 1, 20]
    scores, truth, floor = bench.learned(bench.np.random.default_rng(0), bench.LEARN | {"n": 60})
    assert scores.shape == (5, 9)
    assert abs(scores.mean(axis=0) - truth).max() < 0.2
    assert floor == 1 / (2 * 30**2)
