import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from noneuclid import configuration, costs, io
from noneuclid.contracts import Embedded, InputError
from noneuclid.stages import estimate

ROOT = Path(__file__).resolve().parents[2]
LAWS = costs.read_laws(ROOT / "resources/costs.tsv")
CONFIG = {
    "repeats": 2,
    "splits": {"scheme": "stratified_kfold", "folds": 4},
    "search": {"folds": 3},
    "datasets": {"d": {"loader": "noneuclid.datasets.karate", "embeddings": ["given"]}},
    "embeddings": {"given": {"module": "noneuclid.embeddings.given"}},
    "methods": {"m": {"class": "a.B", "grid": {"C": [1, 2], "g": [1, 2, 3]}}},
}
PAIR = ("d", "given")


def law(**changes):
    values = {"start": 0.0, "seconds": 1.0, "n": 1.0, "d": 0.0, "problems": 0.0, "copies": 1.0}
    rest = {"error": 1.0, "largest_n": 1e6, "largest_d": 2.0, "source": ""}
    return costs.Law(**(values | rest | changes))


def test_fits_and_their_rows_are_counted_one_by_one():
    """A fit of n rows costs n seconds: the seconds are the rows that all fits read."""
    n, slow, count = 120, 0.0, 0
    for repeat in range(2):
        rounds = [n * 3 / 4] * 4 + ([n] if repeat == 0 else [])
        for rows in rounds:
            inner = [rows * 2 / 3] * 3 * 6
            slow += rows + sum(inner)
            count += 1 + len(inner)
    (row,) = costs.estimate(CONFIG, {PAIR: costs.Size(n, 2, 2)}, {("a.B", ""): law()})
    assert row.seconds == pytest.approx(slow)
    assert (row.fits, row.jobs) == (count, 2)


def test_a_stage_trains_as_often_as_the_estimate_says():
    from sklearn.dummy import DummyClassifier

    from noneuclid.evaluation import folds
    from noneuclid.evaluation.splits import make_split

    seen = []

    class Counting(DummyClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append(len(X))
            return super().fit(X, y, sample_weight)

    y = np.tile([0, 1], 30)
    split = make_split(y, ("a", "b"), {"scheme": "stratified_kfold", "folds": 5}, 0, 0, None)
    search = folds.Search({"constant": [0, 1]}, folds=2, scoring="accuracy")
    folds.cross_validate(Counting(strategy="constant"), y[:, None], y, split, 2, search)
    folds.fit(Counting(strategy="constant"), y[:, None], y, search)
    method = {"grid": search.grid}
    counted = costs.fits_of({"scheme": "stratified_kfold", "folds": 5}, 1, method, 2)
    expected = [round(60 * share) for share, times in counted for _ in range(times)]
    assert sorted(seen) == sorted(expected)


def test_trees_and_solvers_have_their_own_laws():
    laws = {("a.B", ""): law(), ("a.B", "pgd"): law(seconds=7.0)}
    config = {**CONFIG, "methods": {"m": {"class": "a.B"}}}
    sizes = {PAIR: costs.Size(10, 2, 2)}
    (plain,) = costs.estimate(config, sizes, laws)
    for settings, factor in (({"n_estimators": 5}, 5), ({"solver": "pgd"}, 7)):
        config = {**CONFIG, "methods": {"m": {"class": "a.B", "settings": settings}}}
        (row,) = costs.estimate(config, sizes, laws)
        assert row.seconds == pytest.approx(factor * plain.seconds)


def test_what_is_unknown_is_said_and_not_counted():
    text = costs.summary(CONFIG, {PAIR: None}, LAWS)
    assert "m\t2\t171\t?\t?\t2 jobs: size unknown" in text
    assert "not counted: 2 train jobs" in text
    text = costs.summary(CONFIG, {PAIR: costs.Size(10, 2, 2)}, LAWS)
    assert "2 jobs: method not measured" in text
    far = costs.summary(CONFIG, {PAIR: costs.Size(10, 9, 2)}, {("a.B", ""): law()})
    assert "2 jobs: measured up to n = 1000000, d = 2" in far


def test_a_sum_that_leaves_something_out_says_at_least():
    datasets = {name: CONFIG["datasets"]["d"] for name in ("d", "e")}
    config = {**CONFIG, "datasets": datasets}
    sizes = {PAIR: costs.Size(7200, 2, 2), ("e", "given"): costs.Size(7200, 2, 2)}
    laws = {("a.B", ""): law()}
    (whole,) = re.findall(r"^total: ([\d.]+) core-hours$", costs.summary(config, sizes, laws), re.M)
    text = costs.summary(config, sizes | {("e", "given"): None}, laws)
    (part,) = re.findall(r"^total: at least ([\d.]+) core-hours$", text, re.M)
    assert float(part) < float(whole)
    assert re.search(r"^m\t4\t\d+\tat least [\d.]+\tat least 331\t", text, re.M)
    assert "total: at least" in costs.summary({**config, "certificates": {}}, sizes, laws)


def test_memory_holds_the_data():
    (row,) = costs.estimate(CONFIG, {PAIR: costs.Size(10**7, 2, 2)}, {("a.B", ""): law()})
    assert row.memory_mb == pytest.approx(costs.PROCESS_MB + 3 * 240)


def test_sizes_come_from_results_then_from_settings(tmp_path):
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    generated = estimate.size_of(config, "gaussians", "given", tmp_path)
    assert generated == costs.Size(60, 2, 3)
    assert estimate.size_of(config, "karate", "hydra", tmp_path) is None
    points = np.zeros((7, 4))
    points[:, 0] = 1.0
    about = {"embedding": {"name": "hydra"}}
    record = Embedded(points, "hyperboloid", np.arange(7) % 2, ("a", "b"), about=about)
    io.write_record(tmp_path / "embed/karate/hydra.npz", record)
    assert estimate.size_of(config, "karate", "hydra", tmp_path) == costs.Size(7, 3, 2)


@pytest.mark.parametrize("path", sorted(ROOT.glob("config/**/*.yaml")), ids=lambda p: p.stem)
def test_every_configuration_has_an_estimate(path, tmp_path, capsys):
    config = configuration.expanded(yaml.safe_load(path.read_text()))
    estimate.main(["--configfile", str(path), "--results", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in lines[1 : 1 + len(config["methods"])]] == list(
        config["methods"]
    )
    assert any(line.startswith("total: ") for line in lines)


def test_every_method_of_the_default_configuration_has_a_law_with_a_source():
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    for name in config["methods"]:
        found, _ = costs.law_of(LAWS, configuration.method_of(config, name))
        assert found is not None, name
        assert 1 <= found.error < 4
    for found in LAWS.values():
        assert all((ROOT / source).is_file() for source in found.source.split())


def test_a_broken_configuration_is_one_line(tmp_path):
    (tmp_path / "c.yaml").write_text("a: [")
    with pytest.raises(InputError, match=r"c\.yaml cannot be read"):
        estimate.main(["--configfile", str(tmp_path / "c.yaml")])
