import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC, LinearSVC

from noneuclid import HyperboloidSVC
from noneuclid.errors import InputError
from noneuclid_compare.evaluation import convergence, cross_validation, metric_table, metrics
from noneuclid_compare.evaluation.splits import make_split
from noneuclid_compare.records import Predictions, Split
from noneuclid_compare.stages.evaluate import fold_of

SEEN = []


class Spy(ClassifierMixin, BaseEstimator):
    """Predicts by the nearest class mean and notes which rows every fit has seen."""

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y):
        SEEN.append(set(X[:, -1].astype(int)))
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == k, :-1].mean(axis=0) for k in self.classes_])
        warnings.warn("a warning\nin two lines", UserWarning, stacklevel=1)
        return self

    def decision_function(self, X):
        distances = ((X[:, None, :-1] - self.means_) ** 2).sum(axis=-1)
        return distances[:, 0] - distances[:, 1] if len(self.classes_) == 2 else -distances

    def predict(self, X):
        decision = self.decision_function(X)
        codes = (decision > 0).astype(int) if decision.ndim == 1 else decision.argmax(axis=1)
        return self.classes_[codes]


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 12)
    X = np.column_stack([rng.normal(size=(36, 2)) + 3 * y[:, None], np.arange(36)])
    return X, y, make_split(y, ("a", "b", "c"), repeat=0, seed=0, folds=4)


def test_no_fit_sees_a_row_that_is_left_out(data):
    X, y, split = data
    SEEN.clear()
    search = cross_validation.Search({"C": [1.0, 2.0]}, folds=3, seed=0)
    cross_validation.cross_validate(Spy(), X, y, split, 3, search)
    per_fold = 2 * 3 + 1  # two values on three inner folds, then the fit itself
    assert len(SEEN) == 4 * per_fold
    for k in range(4):
        train, left_out = split.rows(k)
        fits = SEEN[k * per_fold : (k + 1) * per_fold]
        assert not set.union(*fits) & set(left_out)
        assert fits[-1] == set(train)


def test_every_row_is_predicted_once(data):
    X, y, split = data
    predictions, records = cross_validation.cross_validate(
        Spy(), X, y, split, 3, cross_validation.Search({})
    )
    assert sorted(predictions.rows) == list(range(36))
    np.testing.assert_array_equal(predictions.truth, y[predictions.rows])
    np.testing.assert_array_equal(predictions.scores.argmax(axis=1), predictions.predicted)
    assert predictions.probabilities is None
    assert [record["fold"] for record in records] == [0, 1, 2, 3]
    sizes = [tuple(map(len, split.rows(k))) for k in range(4)]
    assert [(record["train_rows"], record["test_rows"]) for record in records] == sizes


def test_warnings_become_single_lines(data):
    X, y, split = data
    _, records = cross_validation.cross_validate(Spy(), X, y, split, 3, cross_validation.Search({}))
    assert records[0]["warnings"] == ["UserWarning: a warning in two lines"]


def test_class_that_a_training_set_lacks_scores_minus_infinity(data):
    X, y, _ = data
    split = Split(np.where(y == 2, 0, Split.TRAIN_ONLY))
    predictions, _ = cross_validation.cross_validate(
        LogisticRegression(), X, y, split, 3, cross_validation.Search({})
    )
    assert (predictions.scores[:, 2] == -np.inf).all()
    assert (predictions.probabilities[:, 2] == 0).all()
    assert np.isfinite(predictions.scores[:, :2]).all()


def test_many_scores_are_kept_in_single_precision_or_not_at_all(data, monkeypatch):
    X, y, split = data
    search, model = cross_validation.Search({}), LogisticRegression()
    exact, _ = cross_validation.cross_validate(model, X, y, split, 3, search)
    without, _ = cross_validation.cross_validate(model, X, y, split, 3, search, keep_scores=False)
    monkeypatch.setattr(cross_validation, "MANY", len(y) * 3 - 1)
    short, _ = cross_validation.cross_validate(model, X, y, split, 3, search)
    for name in ("scores", "probabilities"):
        first, second = getattr(exact, name), getattr(short, name)
        assert (first.dtype, second.dtype) == (np.float64, np.float32)
        np.testing.assert_allclose(first, second, rtol=1e-6)
        assert getattr(without, name) is None
    np.testing.assert_array_equal(without.predicted, exact.predicted)
    for k in range(split.n_folds):
        found, other = (metrics.evaluate(fold_of(p, k), 3) for p in (exact, short))
        assert found.keys() == other.keys()
        np.testing.assert_allclose(list(found.values()), list(other.values()), rtol=1e-5)


def test_scores_of_training_rows_are_kept_on_request(data):
    X, y, split = data
    search = cross_validation.Search({})
    model = HyperboloidSVC(solver="local", chart="tangent")
    _, without = cross_validation.cross_validate(model, X, y, split, 3, search)
    _, records = cross_validation.cross_validate(
        model, X, y, split, 3, search, training_scores=True
    )
    for k, (record, plain) in enumerate(zip(records, without, strict=True)):
        assert set(record) - set(plain) == {"training_scores", "objective_elsewhere"}
        train, test = split.rows(k)
        fitted = clone(model).fit(X[train], y[train])
        hits = fitted.predict(X[train]) == y[train]
        assert record["training_scores"]["accuracy"] == pytest.approx(hits.mean())
        assert set(record["training_scores"]) < set(metric_table.NAMES)
        elsewhere = record["objective_elsewhere"]
        np.testing.assert_allclose(elsewhere["test"], fitted.objective(X[test], y[test]))
        np.testing.assert_allclose(elsewhere["all"], fitted.objective(X, y))
    _, records = cross_validation.cross_validate(
        GaussianNB(), X, y, split, 3, search, training_scores=True
    )
    assert "objective_elsewhere" not in records[0]


class WithLoss(GaussianNB):
    """Has a parameter of the same name as a method, as packages of boosted trees do."""

    def __init__(self, objective=len):
        super().__init__()
        self.objective = objective


def test_no_objective_of_a_class_that_training_lacks_or_of_a_parameter(data):
    X, y, _ = data
    split = Split(np.where(y == 2, 0, Split.TRAIN_ONLY))
    for model in (HyperboloidSVC(chart="tangent", tol=1e-3), WithLoss()):
        _, records = cross_validation.cross_validate(
            model, X, y, split, 3, cross_validation.Search({}), training_scores=True
        )
        assert records[0]["training_scores"]["accuracy"] > 0.5
        assert "objective_elsewhere" not in records[0]


def test_objective_without_a_class_that_no_fold_uses(data):
    X, y, split = data
    split = Split(np.where(y == 2, Split.UNUSED, split.fold))
    _, records = cross_validation.cross_validate(
        HyperboloidSVC(chart="tangent", tol=1e-3), X, y, split, 2, cross_validation.Search({}),
        training_scores=True,
    )  # fmt: skip
    assert all("objective_elsewhere" in record for record in records)


def test_probabilities_are_not_repeated_as_scores(data):
    X, y, split = data
    found, _ = cross_validation.cross_validate(
        GaussianNB(), X, y, split, 3, cross_validation.Search({})
    )
    assert found.scores is None
    assert metrics.evaluate(fold_of(found, 0), 3)["auroc_macro"] > 0.9


def test_a_class_without_probability_costs_the_same_in_single_precision():
    truth, rows = np.array([0, 1]), np.arange(2)
    for dtype in (np.float32, np.float64):
        certain = np.array([[1.0, 0.0], [1.0, 0.0]], dtype=dtype)
        part = Predictions(rows, 0 * rows, truth, 0 * truth, None, certain)
        assert np.isclose(metrics.evaluate(part, 2)["log_loss"], 36.04 / 2, atol=0.01)


def test_two_classes_have_two_columns(data):
    X, y, _ = data
    X, y = X[y < 2], y[y < 2]
    split = make_split(y, ("a", "b"), repeat=0, seed=0, folds=3)
    predictions, _ = cross_validation.cross_validate(
        LinearSVC(), X, y, split, 2, cross_validation.Search({})
    )
    np.testing.assert_array_equal(predictions.scores[:, 0], -predictions.scores[:, 1])


def test_unused_rows_take_no_part(data):
    X, y, split = data
    fold = split.fold.copy()
    fold[:5] = Split.UNUSED
    SEEN.clear()
    predictions, _ = cross_validation.cross_validate(
        Spy(), X, y, Split(fold), 3, cross_validation.Search({})
    )
    assert not set.union(*SEEN) & set(range(5))
    assert not set(predictions.rows) & set(range(5))


def test_solver_facts_are_json_values():
    class Fitted:
        status_ = np.array(["optimal", "max_iter"])
        n_iter_ = np.int64(7)
        gap_ = None
        conic_solver_ = "clarabel 0.11.1"

    facts = cross_validation.solver_facts(Fitted())
    assert convergence.status_of(Fitted()) == ["optimal", "max_iter"]
    assert facts["n_iter"] == 7
    assert facts["gap"] is None
    assert facts["conic_solver"] == "clarabel 0.11.1"
    assert facts["objective"] is None


def test_the_search_sees_codes_and_the_fit_names(data):
    X, y, _ = data
    y = (y > 0).astype(int)
    names = np.array(["without", "with"])
    search = cross_validation.Search({"C": [1e-4, 1.0]}, scoring="average_precision")
    coded, expected = cross_validation.fit(LogisticRegression(), X, y, search)
    named, facts = cross_validation.fit(LogisticRegression(), X, y, search, names)
    assert facts["best"] == expected["best"]
    assert named.classes_.tolist() == ["with", "without"]
    np.testing.assert_array_equal(named.predict(X), names[coded.predict(X)])


def test_a_forest_with_class_weights_takes_names_that_look_like_integers(data):
    X, y, _ = data
    names = np.array(["2", "10", "1"])
    search = cross_validation.Search({})
    forest = RandomForestClassifier(5, class_weight="balanced", random_state=0)
    coded, _ = cross_validation.fit(forest, X, y, search)
    named, _ = cross_validation.fit(forest, X, y, search, names)
    np.testing.assert_array_equal(named.predict(X), names[coded.predict(X)])


def test_pairwise_decision_values_are_refused(data):
    X, y, split = data
    machine = SVC(decision_function_shape="ovo")
    with pytest.raises(InputError, match="pairs of classes; set decision_function_shape: ovr"):
        cross_validation.cross_validate(machine, X, y, split, 3, cross_validation.Search({}))


def test_inner_folds_are_no_more_than_the_rows_of_the_smallest_class():
    X, y = np.arange(20.0)[:, None], np.array([0] * 18 + [1] * 2)
    search = cross_validation.Search({"C": [0.1, 1.0]}, folds=5)
    best, score = search.best(LinearSVC(), X, y)
    assert best["C"] in (0.1, 1.0)
    assert 0 <= score <= 1


def test_a_class_of_one_row_means_no_search():
    X, y = np.arange(20.0)[:, None], np.array([0] * 19 + [1])
    with pytest.warns(UserWarning, match="one row: no search"):
        assert cross_validation.Search({"C": [0.1, 1.0]}).best(LinearSVC(), X, y) == (
            {"C": 0.1},
            None,
        )


def test_unknown_scorer_is_named(data):
    X, y, _ = data
    with pytest.raises(InputError, match="no scorer 'nonsense'"):
        cross_validation.Search({"C": [1.0]}, scoring="nonsense").best(LinearSVC(), X, y)


def test_a_fit_on_ten_rows_a_class_goes_before_those_that_are_timed(data):
    X, y, split = data
    X, y = np.vstack([X, X + 36]), np.tile(y, 2)
    split = Split(np.tile(split.fold, 2))
    SEEN.clear()
    _, records = cross_validation.cross_validate(Spy(), X, y, split, 3, cross_validation.Search({}))
    assert len(SEEN) == len(records) + 1
    assert len(SEEN[0]) == 30
    assert SEEN[0] <= set(split.rows(0)[0])


@pytest.mark.parametrize(
    ("scoring", "remedy"),
    [
        ("f1", "'f1' is for two classes, and there are 3; give balanced_accuracy"),
        ("roc_auc", "give roc_auc_ovr"),
        ("recall_samples", "is for rows with several labels; give recall_macro"),
    ],
)
def test_scorers_of_other_targets_are_refused_in_one_line(scoring, remedy):
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 3
    with pytest.raises(InputError, match=remedy):
        cross_validation.Search({"C": [1.0, 2.0]}, scoring=scoring).best(LinearSVC(), X, y)
