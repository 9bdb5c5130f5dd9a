import numpy as np
import pytest

from noneuclid_compare import io
from noneuclid_compare.jobs import finished_jobs, job_resources
from noneuclid_compare.jobs.job_resources import Size
from noneuclid_compare.records import Dataset, Embedded

CONFIG = {
    "search": {"folds": 3},
    "datasets": {"d": {}},
    "embeddings": {"e": {"use": "hydra"}},
    "methods": {"plain": {"use": "a.B"}, "kernel": {"use": "noneuclid.HyperbolicKernelSVC"}},
}
RUN = CONFIG, "d", "e", "plain"
ACQUIRED, EMBEDDED = "results/acquire/d.npz", "results/embed/d/e.npz"
RECORD = "results/train/d/e/plain/{}.json"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def acquired(n, columns=3):
    X = np.zeros((n, columns)) if columns else None
    kind = "features" if columns else "graph"
    graph = None if columns else np.array([[0, 1]])
    io.write_record(ACQUIRED, Dataset("d", kind, np.arange(n) % 2, ("a", "b"), X, graph))


def embedded(chart, points):
    labels, about = np.arange(len(points)) % 3, {"embedding": {"name": "given"}}
    record = Embedded(points, chart, labels, ("a", "b", "c"), about=about)
    io.write_record(EMBEDDED, record)
    return record


def finished(repeat, *seconds):
    parts = ("search_seconds", "fit_seconds", "predict_seconds")
    folds = [dict.fromkeys(parts, each / 3) for each in seconds]
    io.write_json(RECORD.format(repeat), {"folds": folds})


def size(**embedding):
    return job_resources.of_pair("d", "e", CONFIG["embeddings"]["e"] | embedding)


@pytest.mark.parametrize("chart", ["hyperboloid", "poincare"])
def test_a_size_from_the_header_is_that_of_the_record(chart):
    record = embedded(chart, np.zeros((11, 4)))
    assert size() == Size(11, record.dimension, 3)


def test_a_size_before_the_embedding_is_that_of_the_data():
    assert size() is None
    acquired(30)
    assert size() == Size(30, 2, 2)
    assert size(params={"n_components": 5}) == Size(30, 5, 2)
    assert size(use="given") == Size(30, 3, 2)
    embedded("poincare", np.zeros((12, 4)))
    assert size() == Size(12, 4, 3)


def test_a_graph_without_embedding_has_its_eigenvectors():
    acquired(30, 0)
    assert size(use="original_features") == Size(30, 16, 2)


def test_a_file_that_is_made_again_is_read_again():
    for n in (5, 12):
        embedded("poincare", np.zeros((n, 2)))
        assert size().n == n


def test_a_broken_file_stops_the_job_that_reads_it_and_not_the_plan(tmp_path):
    (tmp_path / "results/embed/d").mkdir(parents=True)
    (tmp_path / EMBEDDED).write_bytes(b"PK broken")
    assert size() is None
    assert job_resources.train(*RUN) == job_resources.UNKNOWN


def test_only_short_fits_share_a_job():
    groups = [job_resources.train_group(*RUN)]
    for n in (1000, 100_000):
        acquired(n)
        groups.append(job_resources.train_group(*RUN))
    assert groups == ["fits_d", "fits_d", "fit_d_e_plain"]
    # A matrix of all pairs takes time as well.
    acquired(3000)
    assert job_resources.train_group(*RUN) == "fits_d"
    assert job_resources.train_group(*RUN[:-1], "kernel") == "fit_d_e_kernel"


def test_minutes_are_a_default_and_what_finished_jobs_took():
    acquired(1000)
    assert job_resources.train(*RUN).minutes == job_resources.SHORT
    finished(0, 60.0, 120.0)
    assert job_resources.train(*RUN).minutes == job_resources.SHORT + 6
    acquired(10**6)
    assert job_resources.train(*RUN).minutes == job_resources.LONG + 6


def test_an_embedding_asks_by_its_data():
    assert job_resources.embed("d", {"use": "hydra"}) == job_resources.UNKNOWN
    acquired(1000)
    quick, slow = (job_resources.embed("d", {"use": use}) for use in ("given", "hydra"))
    assert slow.memory > quick.memory
    assert slow.minutes > quick.minutes == job_resources.START


def test_a_few_finished_jobs_say_what_one_takes():
    assert finished_jobs.seconds_of("d", "e", "plain") is None
    for repeat, seconds in enumerate((10.0, 20.0, 30.0, 900.0)):
        finished(repeat, seconds, seconds)
    assert finished_jobs.seconds_of("d", "e", "plain") == pytest.approx(40.0)


def test_what_is_expected_of_a_job_stays_during_a_run():
    names = {"dataset": "d", "embedding": "e", "method": "plain"}
    seconds = finished_jobs.before_the_run()
    assert seconds("train", names | {"repeat": "1"}) is None
    assert seconds("embed", names) is None
    assert seconds("report", {}) == finished_jobs.SHORT
    finished(0, 10.0)
    assert seconds("train_and_keep", names) is None
    assert finished_jobs.before_the_run()("train_and_keep", names) == pytest.approx(10.0)
