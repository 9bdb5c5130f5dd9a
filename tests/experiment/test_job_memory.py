"""What jobs ask for covers every measured peak."""

import csv
from pathlib import Path

import pytest

from noneuclid_compare.jobs import job_resources
from noneuclid_compare.jobs.job_resources import AROUND_MB, MARGIN, PROCESS_MB, Size

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
LEAST = AROUND_MB + MARGIN * PROCESS_MB
PARAMS = {
    "box": {"polytope": "box"},
    "regular_polygon": {"polytope": {"regular_polygon": 24}},
    "sdp": {"solver": "sdp"},
}


def rows(name):
    with open(BENCHMARKS / name, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def method(use, algorithm="", **params):
    params |= next((found for word, found in PARAMS.items() if word in algorithm), {})
    return {"use": use, "params": params, "grid": {}}


def asked(use, n, d=2, classes=2, **params):
    return job_resources.of_fit(method(use, **params), Size(n, d, classes))


def test_every_measured_fit_is_below_what_is_asked_for():
    measured = [row for row in rows("costs.tsv") if row["copies"]]
    assert len(measured) > 450
    for row in measured:
        n, d, k = (int(row[name]) for name in ("n", "d", "classes"))
        # The data of the job, and predictions and probabilities of all rows, beside the fit.
        data = 8e-6 * n * (d + 1)
        peak = PROCESS_MB + (2 + float(row["copies"])) * data + 3 * 8e-6 * n * max(0, k - 2)
        found = job_resources.of_fit(method(row["use"], row["algorithm"]), Size(n, d, k))
        assert peak + AROUND_MB < found, row


def test_every_measured_process_on_an_atlas_is_below_what_is_asked_for():
    uses = {
        "logistic": "sklearn.linear_model.LogisticRegression",
        "poincare_svm": "noneuclid.PoincareSVC",
        "hyperboloid_svm": "noneuclid.HyperboloidSVC",
        "hyperbolic_nystroem": "noneuclid.HyperbolicNystroemClassifier",
        "wrapped_normal": "noneuclid.WrappedNormalClassifier",
        "geodesic_knn": "noneuclid.GeodesicKNeighborsClassifier",
        "hyperbolic_forest": "noneuclid.HyperbolicRandomForestClassifier",
    }
    for row in rows("atlas_classifiers.tsv"):
        found = asked(uses[row["method"]], int(row["rows"]), classes=60)
        assert float(row["megabytes"]) + AROUND_MB < found, row


def test_conic_solvers_need_what_their_process_grew_by():
    """Their memory is not numpy's: copies of the data with 1,000 and 30,000 points."""
    for solver, copies in (("sdp", 75), ("moment", 1500)):
        for n in (1000, 30_000):
            found = asked("noneuclid.HyperboloidSVC", n, solver=solver)
            assert found - LEAST >= MARGIN * copies * 8e-6 * n * 3


def test_memory_grows_with_rows_dimension_and_classes():
    use = "noneuclid.HyperboloidSVC"
    few = asked(use, 10**5)
    assert asked(use, 10**6) > few
    assert asked(use, 10**5, d=50) > few
    assert asked(use, 10**5, classes=60) > few
    assert asked("my.Class", 10) == pytest.approx(LEAST, abs=0.1)


def test_matrices_of_all_pairs_and_features_of_landmarks_need_memory():
    for use, count in job_resources.MATRICES.items():
        extra = asked(use, 10_000) - asked("a.B", 10_000)
        assert extra == pytest.approx(MARGIN * 800 * count)
    exact, approximated = (asked("baseline_svm", n, d=10) for n in (5000, 5001))
    assert approximated - exact == pytest.approx(MARGIN * 2 * 500 * 8e-6 * 5001, rel=0.01)


def test_an_embedding_with_distances_asks_for_their_square():
    def need(use, n, **params):
        return job_resources.of_embedding({"use": use, "params": params}, n, 4 * n)

    pairs = 8e-6 * 20_000**2
    assert need("given", 20_000) < 1200
    assert need("hydra", 20_000) > 6 * pairs
    assert need("hydra", 20_000, n_landmarks=500) < 1300
    assert 6 * pairs / 16 < need("poincare_maps", 20_000) < pairs
    more = need("hyperbolic_umap", 100_000) - need("given", 100_000)
    assert more == pytest.approx(800)
