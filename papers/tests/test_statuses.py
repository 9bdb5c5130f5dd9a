"""A status that counts as solved, and a warning, exclude each other, whatever the solver."""

import warnings

import numpy as np
from cases import each_of
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import noneuclid
from noneuclid_compare.report.tables import provenance_rows
from noneuclid_papers.programs import yang2024

FULL = [
    noneuclid.HyperboloidSVC(),
    noneuclid.HyperboloidSVC(loss="arcsinh"),
    noneuclid.HyperboloidSVC(solver="pgd", max_iter=4000),
    noneuclid.HyperboloidSVC(solver="sdp"),
    noneuclid.HyperboloidSVC(solver="moment"),
    noneuclid.PoincareSVC(),
    noneuclid.PoincareSVC(margin="exact"),
    noneuclid.PoincareSVC(solver="liblinear"),
    noneuclid.EuclideanSVC(),
    noneuclid.HyperbolicLogisticRegression(),
    noneuclid.PoincarePerceptron(),
    noneuclid.PoincareSecondOrderPerceptron(),
    noneuclid.PoincareStrategicPerceptron(budget=0.1),
    noneuclid.HyperboloidPerceptron(),
    noneuclid.WeberPerceptron(),
    noneuclid.HilbertSVC(chart="tangent", tol=0.1),
    yang2024.PublishedPGD(),
]
SHORT = [
    noneuclid.HyperboloidSVC(solver="pgd", learning_rate=1e-3, max_iter=100),
    noneuclid.HyperboloidSVC(max_iter=1),
    noneuclid.PoincareSVC(solver="sgd", loss="hinge", max_iter=2),
    noneuclid.HyperbolicLogisticRegression(max_iter=2),
    noneuclid.PoincarePerceptron(max_iter=1),
    noneuclid.WeberPerceptron(max_iter=1),
]


def ended(estimator, overlap, classes):
    """Whether the status counts as solved, and whether there was a warning."""
    rng = np.random.default_rng(0)
    centres = 1.5 * np.array([[1.0, 0.0], [-1.0, 0.3], [0.0, -1.2]])[:classes]
    X = np.vstack([centre + overlap * rng.normal(size=(15, 2)) for centre in centres])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = clone(estimator).fit(X, np.repeat(np.arange(classes), 15))
    warned = any(issubclass(one.category, ConvergenceWarning) for one in caught)
    return provenance_rows.solved({"status": np.asarray(model.status_).tolist()}), warned


@each_of("classes", [2, 3])
@each_of("overlap", [0.1, 1.0], ids=["apart", "overlapping"])
@each_of("estimator", FULL + SHORT, ids=str)
def test_solved_or_warned(estimator, overlap, classes):
    solved, warned = ended(estimator, overlap, classes)
    assert solved != warned


@each_of("estimator", SHORT, ids=str)
def test_what_is_stopped_early_is_not_solved(estimator):
    assert ended(estimator, 1.0, 3) == (False, True)


@each_of("estimator", FULL[:10], ids=str)
def test_what_runs_to_its_end_on_easy_data_is_solved(estimator):
    assert ended(estimator, 0.3, 3) == (True, False)
