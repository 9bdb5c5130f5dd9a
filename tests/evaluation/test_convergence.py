"""Fits that did not converge are counted, also inside other estimators."""

import warnings

import numpy as np
import pytest
from cases import each_of
from sklearn.calibration import CalibratedClassifierCV
from sklearn.decomposition import NMF
from sklearn.ensemble import BaggingClassifier, HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

from noneuclid_compare.evaluation import baselines, convergence, cross_validation
from noneuclid_compare.evaluation.convergence import LATE

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)) * [1, 10, 100]
Y = (X @ [1, 0.1, 0.01] + RNG.normal(size=60) > 0).astype(int) + (X[:, 0] > 1)
FEW, MANY = LogisticRegression(max_iter=2), LogisticRegression(max_iter=10_000)
NO_SEARCH = cross_validation.Search({})


class Quiet(LogisticRegression):
    """Says nothing of its iterations."""

    def fit(self, X, y):
        super().fit(X, y)
        del self.n_iter_
        return self


class OfCodes(baselines.LogisticBaseline):
    def _model(self, X):
        return FEW


def status_of(estimator, search=NO_SEARCH):
    return cross_validation.fit(estimator, X, Y, search)[1]["status"]


@each_of(
    "inside",
    [
        lambda model: model,
        lambda model: make_pipeline(StandardScaler(), model),
        lambda model: OneVsRestClassifier(model),
        lambda model: BaggingClassifier(model, n_estimators=3, random_state=0),
        lambda model: CalibratedClassifierCV(model, cv=2),
        lambda model: GridSearchCV(make_pipeline(model), {}, cv=2),
    ],
)
def test_a_fit_that_stopped_early_is_found_inside_other_estimators(inside):
    assert status_of(inside(FEW)) == LATE
    assert status_of(inside(MANY)) is None


def test_one_late_problem_of_several_counts():
    model = LogisticRegression(max_iter=10)
    model.n_iter_ = np.array([3, 10])
    assert convergence.status_of(model) == LATE


def test_a_warning_counts_where_nothing_else_is_reported():
    assert status_of(Quiet(max_iter=2)) == LATE
    assert status_of(Quiet(max_iter=10_000)) is None


def test_baselines_are_looked_into():
    assert status_of(OfCodes()) == LATE
    assert status_of(baselines.LogisticBaseline()) is None


def test_only_the_settings_that_a_search_has_chosen_count():
    search = cross_validation.Search({"max_iter": [1, 10_000]}, scoring="accuracy")
    _, facts = cross_validation.fit(LogisticRegression(), X, Y, search)
    assert any(line.startswith("ConvergenceWarning") for line in facts["warnings"])
    assert facts["best"] == {"max_iter": 10_000}
    assert facts["status"] is None
    # The same within scikit-learn's own search.
    grid = GridSearchCV(LogisticRegression(), {"max_iter": [1, 10_000]}, cv=3)
    assert status_of(grid) is None


@pytest.mark.parametrize(
    "model",
    [
        HistGradientBoostingClassifier(max_iter=3),
        SVC(),
        SGDClassifier(max_iter=5, tol=None, random_state=0),
    ],
    ids=["rounds", "no limit", "no tolerance"],
)
def test_as_many_steps_as_wanted_are_no_failure(model):
    assert status_of(model) is None


def test_a_status_of_its_own_is_kept():
    class Own:
        status_ = np.array(["optimal", "max_iter"])

    assert convergence.status_of(Own()) == ["optimal", "max_iter"]
    assert not convergence.solved(["optimal", "max_iter"])
    assert convergence.solved(["optimal", "separated"])
    assert convergence.solved(None)


@pytest.mark.parametrize("C", [1, 100])
def test_the_logistic_baseline_converges_on_columns_of_unlike_scales(C):
    rows = np.random.default_rng(1).normal(size=(300, 8)) * np.logspace(-2, 2, 8)
    labels = np.digitize(rows[:, -1] / 100 + rows[:, 0] * 30, [-0.5, 0.5])
    for kind in ("composition", "expression", "features"):
        with warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            model = baselines.LogisticBaseline(C=C, data_kind=kind).fit(rows, labels)
        assert model.model_.n_iter_.max() < 100


def test_estimators_of_a_union_are_counted():
    parts = FeatureUnion([("n", NMF(2, max_iter=3))])
    with warnings.catch_warnings(action="ignore"):
        model = make_pipeline(MinMaxScaler(), parts, LogisticRegression()).fit(X, Y)
    assert convergence.status_of(model) == LATE
