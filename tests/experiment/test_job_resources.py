import numpy as np
import pytest

from noneuclid_compare import io
from noneuclid_compare.jobs import costs, job_resources
from noneuclid_compare.records import Dataset, Embedded

LAW = costs.Law(0.0, 1e-3, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0, 1e6, 2, "")
LAWS = {("a.B", ""): LAW, ("c.D", ""): LAW}
CONFIG = {
    "splits": {"scheme": "stratified_kfold", "folds": 5},
    "search": {"folds": 3},
    "datasets": {"d": {}},
    "methods": {
        "plain": {"use": "a.B"},
        "searched": {"use": "a.B", "grid": {"C": [1, 10]}},
        "own": {"use": "x.Y"},
    },
}


def embedded(path, chart, points):
    n = len(points)
    about = {"embedding": {"name": "given"}}
    record = Embedded(points, chart, np.arange(n) % 3, ("a", "b", "c"), about=about)
    io.write_record(path, record)
    return record


@pytest.mark.parametrize("chart", ["hyperboloid", "poincare"])
def test_a_size_from_the_header_is_that_of_the_record(tmp_path, chart):
    record = embedded(tmp_path / "e.npz", chart, np.zeros((11, 4)))
    assert job_resources.size_of(tmp_path / "e.npz") == costs.Size(11, record.dimension, 3)


def test_a_file_that_is_made_again_is_read_again(tmp_path):
    path = tmp_path / "e.npz"
    assert job_resources.size_of(path) is None
    for n in (5, 12):
        embedded(path, "poincare", np.zeros((n, 2)))
        assert job_resources.size_of(path).n == n


def test_a_broken_file_stops_the_job_that_reads_it_and_not_the_plan(tmp_path):
    (tmp_path / "e.npz").write_bytes(b"PK broken")
    assert job_resources.size_of(tmp_path / "e.npz") is None


def test_what_a_fit_asks_for_covers_its_law():
    for n in (100, 10**5, 10**7):
        size = costs.Size(n, 2, 2)
        fits = costs.fits_of(CONFIG["splits"], 1, {"grid": {}}, 3)
        seconds, memory, _ = costs.cost(size, {"use": "a.B", "params": {}}, fits, LAWS)
        need = job_resources.train(CONFIG, LAWS, "plain", "d", size)
        assert need.memory >= 2 * memory + 190
        assert need.minutes * 60 >= 2 * seconds


def test_more_rows_a_grid_and_more_dimensions_ask_for_more():
    def need(method, n, d):
        return job_resources.train(CONFIG, LAWS, method, "d", costs.Size(n, d, 2))

    assert need("plain", 10**6, 2).memory > need("plain", 10**5, 2).memory
    assert need("plain", 10**6, 50).memory > need("plain", 10**6, 2).memory
    assert need("searched", 10**5, 2).minutes > need("plain", 10**5, 2).minutes
    assert need("own", 10**5, 2) == job_resources.UNKNOWN


def test_a_model_that_is_not_kept_asks_for_less():
    kept, without = (
        job_resources.train(CONFIG | more, LAWS, "plain", "d", costs.Size(10**7, 2, 2))
        for more in ({}, {"keep_models": False})
    )
    assert without.minutes < kept.minutes


def test_only_fits_that_are_known_to_be_small_share_a_job():
    for n, small in ((1000, True), (10**6, False)):
        assert job_resources.is_small(CONFIG, LAWS, "plain", "d", costs.Size(n, 2, 2)) is small
    assert job_resources.is_small(CONFIG, LAWS, "plain", "d", None)
    assert not job_resources.is_small(CONFIG, LAWS, "own", "d", costs.Size(10, 2, 2))


def test_an_embedding_with_distances_asks_for_their_square(tmp_path):
    def need(module, n, **params):
        path = tmp_path / f"{n}.npz"
        y = np.arange(n) % 2
        io.write_record(path, Dataset("d", "features", y, ("a", "b"), np.zeros((n, 3))))
        return job_resources.embed(LAWS, {"use": module, "params": params}, path).memory

    pairs = 8 * 20_000**2 / 1e6
    assert need("given", 20_000) < 1200
    assert need("hydra", 20_000) > pairs
    assert need("hydra", 20_000, landmarks=500) < 1300
    assert 6 * pairs / 16 < need("poincare_maps", 20_000) < pairs
    assert need("hyperbolic_umap", 100_000) - need("given", 100_000) == pytest.approx(800)
    none = {"use": "hydra"}, tmp_path / "none.npz"
    assert job_resources.embed(LAWS, *none) == job_resources.UNKNOWN
