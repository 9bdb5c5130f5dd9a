from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from noneuclid_compare.config import configuration, dataset_sizes
from noneuclid_compare.jobs import costs, estimates
from noneuclid_compare.jobs.job_times import JobTimes

ROOT = Path(__file__).resolve().parents[2]
LAWS = costs.read_laws(ROOT / "resources/costs.tsv")
CONFIG = configuration.expanded(yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text()))
SIZES = {
    (data, name): dataset_sizes.expected(
        CONFIG, data, name, dataset_sizes.read_sizes(ROOT / "resources/sizes.tsv")
    )
    for data, name, _ in configuration.pairs(CONFIG)
}


@pytest.fixture
def times(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return JobTimes(CONFIG, SIZES, LAWS)


def test_jobs_take_together_what_the_estimate_says(times):
    for row in estimates.estimate(CONFIG, SIZES, LAWS):
        names = {"dataset": row.dataset, "embedding": row.embedding, "method": row.method}
        # The tiny configuration has two repeats.
        jobs = [times("train_and_keep", names), times("train", {**names, "repeat": "1"})]
        if row.seconds is None:
            assert jobs == [None, None]
        else:
            extra = 2 * estimates.PROCESS_SECONDS["train"] + estimates.PROCESS_SECONDS["keep"]
            assert sum(jobs) == pytest.approx(row.seconds + extra)
            assert jobs[0] > jobs[1]


def test_without_a_kept_model_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few = {"scheme": "few_labels", "labels_per_class": [1, 8], "test_fraction": 0.2}
    config = CONFIG | {"keep_models": False, "splits": few}
    times = JobTimes(config, SIZES, LAWS)
    rows = [row for row in estimates.estimate(config, SIZES, LAWS) if row.seconds is not None]
    assert len(rows) > 5
    for row in rows:
        names = {"dataset": row.dataset, "embedding": row.embedding, "method": row.method}
        jobs = [times("train", {**names, "repeat": repeat}) for repeat in "01"]
        expected = row.seconds + 2 * estimates.PROCESS_SECONDS["train"]
        assert sum(jobs) == pytest.approx(expected)


def test_embeddings_and_certificates_as_the_estimate_says(times):
    rows = [("embed", estimates.embedding_seconds), ("certify", estimates.certificate_seconds)]
    for rule, summed in rows:
        jobs = [times(rule, {"dataset": a, "embedding": b}) for a, b in SIZES]
        expected, _ = summed(CONFIG, SIZES, LAWS)
        expected += len(SIZES) * estimates.PROCESS_SECONDS[rule]
        assert sum(jobs) == pytest.approx(expected)


def test_other_stages(times):
    assert times("split", {"dataset": "karate", "repeat": "0"}) == 0.2
    assert times("plan", {}) == 0.0
    assert times("report", {}) == times("theirs", {}) == estimates.END_SECONDS / 3


def test_an_unknown_size_counts_once_it_is_known(times, monkeypatch):
    pair = ("karate", "hydra")
    names = {"dataset": pair[0], "embedding": pair[1], "method": "tree"}
    known = times("train", names)
    unknown = JobTimes(CONFIG, SIZES | {pair: None}, LAWS)
    assert unknown("train", names) is None
    assert unknown("embed", names) is None
    asked = []

    def size_of(path):
        asked.append(path)
        return replace(SIZES[pair])

    monkeypatch.setattr("noneuclid_compare.jobs.job_resources.size_of", size_of)
    assert unknown("train", names) == known
    assert asked == ["results/embed/karate/hydra.npz"]


def test_data_that_were_acquired_say_the_sizes_of_their_embeddings(times, monkeypatch):
    pair = ("karate", "hydra")
    names = {"dataset": pair[0], "embedding": pair[1], "method": "tree"}
    header = {"labels": (34,)}, {"class_names": ["a", "b"]}
    known = [times(rule, names) for rule in ("train", "embed")]
    found = {"results/acquire/karate.npz": header}.get
    monkeypatch.setattr("noneuclid_compare.jobs.job_resources.header_of", found)
    unknown = JobTimes(CONFIG, SIZES | {pair: None}, LAWS)
    assert [unknown(rule, names) for rule in ("train", "embed")] == known
    assert None not in known


def test_moved_points_as_the_estimate_says(times):
    config = CONFIG | {"isometries": [1.5, 3]}
    summed, unknown = estimates.isometry_seconds(config, SIZES, LAWS)
    runs = [
        {"dataset": d, "embedding": e, "method": m, "distance": t, "repeat": k}
        for d, e, m, t in configuration.isometry_runs(config)
        for k in range(config["repeats"])
    ]
    jobs = [JobTimes(config, SIZES, LAWS)("isometries", names) for names in runs]
    known = [seconds for seconds in jobs if seconds is not None]
    assert len(jobs) - len(known) == unknown
    extra = len(known) * estimates.PROCESS_SECONDS["isometries"]
    assert sum(known) == pytest.approx(summed + extra)
    # No search and no kept model.
    names = {"dataset": "karate", "embedding": "hydra", "method": "poincare_svm"}
    assert times("isometries", names) < times("train", {**names, "repeat": "1"})
    text = estimates.summary(config, SIZES, LAWS)
    assert "isometries: " in text
    assert "isometries: " not in estimates.summary(CONFIG, SIZES, LAWS)
