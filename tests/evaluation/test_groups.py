"""Folds of whole groups: disjoint, drawn anew, for all inner fits, too; and what they refuse."""

from functools import wraps

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LinearRegression, LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

import noneuclid
from noneuclid import (
    ConformalClassifier,
    HedgedClassifier,
    HyperbolicKernelSVC,
    HyperboloidSVC,
    PoincareSVC,
)
from noneuclid.classifiers.group_folds import GroupFolds, group_folds
from noneuclid.classifiers.tree_base import axis_coordinates
from noneuclid.classifiers.validation import to_hyperboloid
from noneuclid.errors import InputError
from noneuclid_compare.evaluation import cross_validation, random_folds
from noneuclid_compare.evaluation.splits import OF_GROUPS, Groups, make_split
from noneuclid_compare.records import Predictions, Split

NAMES, N = ("a", "b", "c"), 120
FITS = []


class Spy(ClassifierMixin, BaseEstimator):
    """Notes the rows of every fit and those that it predicts; the last column numbers them."""

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y):
        self.classes_, self.seen_ = np.unique(y), X[:, -1].astype(int)
        return self

    def predict_proba(self, X):
        FITS.append((self.seen_, X[:, -1].astype(int)))
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def labels_of(*sizes):
    """Shuffled labels with the given class sizes."""
    return np.random.default_rng(0).permutation(np.repeat(np.arange(len(sizes)), sizes))


@pytest.fixture
def data():
    """Rows of 15 donors of unequal size, their classes and their groups."""
    rng = np.random.default_rng(0)
    donors = np.sort(np.r_[np.arange(15), rng.integers(0, 15, N - 15)])
    y = labels_of(50, 40, 30)
    X = np.column_stack([rng.normal(size=(N, 2)) + y[:, None], np.arange(N)])
    return X, y, Groups(donors, tuple(f"d{k}" for k in range(15)), "donor")


def split_of(y, groups, scheme="stratified_group_kfold", repeat=0, seed=0, **settings):
    return make_split(y, NAMES, repeat, seed, groups=groups, scheme=scheme, **settings)


@pytest.mark.parametrize("scheme", OF_GROUPS)
@pytest.mark.parametrize("repeat", range(4))
def test_no_fold_has_rows_of_a_group_on_both_sides(data, scheme, repeat):
    _, y, groups = data
    split = split_of(y, groups, scheme, repeat, folds=4)
    tested = np.zeros(N, dtype=int)
    for k in range(split.n_folds):
        train, test = split.rows(k)
        assert not np.intersect1d(groups.codes[train], groups.codes[test]).size
        assert set(y[train]) == {0, 1, 2}
        assert len(train) + len(test) == N
        tested[test] += 1
    assert split.n_folds == {"leave_one_group_out": 15, "group_holdout": 1}.get(scheme, 4)
    assert scheme == "group_holdout" or (tested == 1).all()
    assert split.about["n_groups"] == 15
    assert split.about["mixed_groups"] == 0
    np.testing.assert_array_equal(split.groups, groups.codes)


def partition(fold, codes):
    """The groups of each fold, whatever the number of the fold."""
    of_group = [fold[codes == k][0] for k in range(codes.max() + 1)]
    return frozenset(frozenset(np.flatnonzero(of_group == k)) for k in set(of_group))


def test_repeats_are_other_draws_where_groups_differ_in_size():
    codes = np.repeat(np.arange(20), np.arange(20) * 17 + 50)
    y = np.arange(len(codes)) % 2
    found = {
        partition(group_folds(y, codes, 5, np.random.RandomState(seed)), codes)
        for seed in range(20)
    }
    assert len(found) == 20


def test_classes_and_rows_are_spread_as_evenly_as_groups_allow(data):
    _, y, groups = data
    worst = []
    for repeat in range(20):
        split = split_of(y, groups, repeat=repeat)
        counts = np.array([np.bincount(y[split.fold == k], minlength=3) for k in range(5)])
        worst.append(np.abs(counts / np.bincount(y) - 0.2).max())
    # A donor has a fifteenth of the rows.
    assert np.mean(worst) < 0.12


def test_groups_of_one_row_are_stratified_folds_of_rows():
    y = labels_of(23, 40, 17)
    groups = Groups(np.arange(80), tuple(map(str, range(80))), "row")
    seen = np.zeros((80, 5))
    for repeat in range(200):
        split = split_of(y, groups, repeat=repeat)
        for k in range(5):
            for code, size in enumerate((23, 40, 17)):
                assert abs((y[split.fold == k] == code).sum() - size / 5) < 1
            assert abs((split.fold == k).sum() - 16) <= 1
        seen[np.arange(80), split.fold] += 1
    # Each row is in each fold equally often, as in StratifiedKFold.
    assert chisquare(seen.ravel()).pvalue > 0.001


def test_order_of_rows_and_names_of_groups_do_not_matter(data):
    _, y, groups = data
    order = np.random.default_rng(1).permutation(N)
    first = split_of(y, groups).fold
    moved = split_of(y[order], groups._replace(codes=groups.codes[order])).fold
    np.testing.assert_array_equal(moved, first[order])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scheme": "group_holdout", "groups": None}, "needs groups; set groups under params"),
        ({"folds": 16}, r"15 of 15 groups \(donor\) can be held out, fewer than the 16"),
        ({"codes": np.zeros(N, int)}, r"class 'a' is in one donor only \('d0'\)"),
        ({"codes": labels_of(50, 40, 30)}, "class 'a' is in one donor only"),
        ({"scheme": "group_holdout", "test_fraction": 0.99}, "change test_fraction|lower test"),
    ],
)
def test_groups_that_cannot_be_held_out_are_refused(data, change, said):
    _, y, groups = data
    if "codes" in change:
        groups = groups._replace(codes=change.pop("codes"))
    with pytest.raises(InputError, match=said):
        split_of(y, change.pop("groups", groups), **change)


def test_one_group_is_refused_for_numbers(data):
    _, y, groups = data
    one = Groups(np.zeros(N, int), ("d0",), "donor", of_classes=False)
    with pytest.raises(InputError, match=r"0 of 1 groups .* leave `groups` out"):
        split_of(y, one)
    # An interval of a target may be in one group.
    lone = groups._replace(codes=np.where(y == 2, 14, groups.codes % 14), of_classes=False)
    assert (split_of(y, lone).fold >= 0).all()


@pytest.mark.parametrize("scheme", OF_GROUPS)
def test_a_class_of_one_group_by_the_policy(data, scheme):
    _, y, groups = data
    y = np.where(y == 2, 1, y)
    y[groups.codes == 3] = np.where(np.arange((groups.codes == 3).sum()) % 2, 1, 2)
    kept = split_of(y, groups, scheme, small_classes="keep", folds=3)
    assert (kept.fold[groups.codes == 3] == Split.TRAIN_ONLY).all()
    assert kept.about["decisions"] == [
        "class 'c' is in one donor only ('d3'): this donor is in every training set and never "
        "tested."
    ]
    dropped = split_of(y, groups, scheme, small_classes="drop", folds=3)
    assert ((dropped.fold == Split.UNUSED) == (y == 2)).all()
    assert dropped.about["mixed_groups"] == 0


@pytest.mark.parametrize("scheme", ["stratified_kfold", "kfold", "holdout"])
def test_folds_of_rows_are_allowed_and_said_to_mix(data, scheme):
    _, y, groups = data
    split = split_of(y, groups, scheme)
    assert split.about["mixed_groups"] > 10
    assert split.groups is None
    np.testing.assert_array_equal(split.fold, make_split(y, NAMES, 0, 0, scheme=scheme).fold)


def check(fits, groups, outer):
    """No fit has seen a row of a group that it predicts; there are inner fits and outer ones."""
    assert fits
    for seen, asked in fits:
        known = np.intersect1d(groups.codes[seen], groups.codes[asked])
        # Of a fit to all training rows, the rows themselves may be predicted.
        assert not known.size or set(asked) <= set(seen)
    assert len(fits) > outer


@pytest.mark.parametrize(
    ("model", "grid"),
    [
        (Spy(), {"C": [1.0, 2.0]}),
        (CalibratedClassifierCV(Spy(), cv=3), {}),
        (CalibratedClassifierCV(Spy()), {"estimator__C": [1.0, 2.0]}),
        (make_pipeline(StandardScaler(with_std=False, with_mean=False), Spy()), {"spy__C": [1, 2]}),
        (GridSearchCV(CalibratedClassifierCV(Spy(), cv=2), {"estimator__C": [1.0, 2.0]}, cv=3), {}),
        (HedgedClassifier(Spy(), accuracy=0.1, cv=3), {}),
    ],
)
def test_no_inner_fold_has_rows_of_a_group_on_both_sides(data, model, grid, monkeypatch):
    # It fits a few rows before the clock starts, and its result is not used.
    monkeypatch.setattr(cross_validation, "_warm_up", lambda *_: None)
    X, y, groups = data
    split = split_of(y, groups, folds=3)
    FITS.clear()
    search = cross_validation.Search(grid, folds=3, scoring="accuracy")
    cross_validation.cross_validate(model, X, y, split, 3, search)
    check(FITS, groups, 3 * 2)
    # The same program finds the leak of folds of rows.
    FITS.clear()
    cross_validation.cross_validate(model, X, y, Split(split.fold), 3, search)
    with pytest.raises(AssertionError):
        check(FITS, groups, 3 * 2)


@pytest.mark.parametrize(
    "model",
    [
        CalibratedClassifierCV(LogisticRegression(), ensemble=False),
        StackingClassifier([("spy", LogisticRegression())]),
    ],
)
def test_an_estimator_that_would_mix_groups_is_refused(data, model):
    X, y, groups = data
    with pytest.raises(InputError, match="does not pass them to its own folds"):
        cross_validation.fit(model, X, y, cross_validation.Search({}), None, groups.codes)


@pytest.mark.parametrize("kind", [HyperboloidSVC, HyperbolicKernelSVC])
@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_calibration_keeps_groups_whole(data, kind, multi_class, monkeypatch):
    X, y, groups = data
    found = []
    whole = GroupFolds.split

    def split(self, X, y, groups):
        for train, test in whole(self, X, y, groups):
            found.append((groups[train], groups[test]))
            yield train, test

    monkeypatch.setattr(GroupFolds, "split", split)
    model = kind(chart="tangent", calibration="platt_cv", multi_class=multi_class, random_state=0)
    fitted = model.fit(X[:, :2], y, groups=np.array(groups.names)[groups.codes])
    assert len(found) == 9
    assert not any(np.intersect1d(*sides).size for sides in found)
    rows = model.fit(X[:, :2], y).calibration_
    assert not np.allclose(fitted.calibration_, rows) or fitted is model
    zero = np.ones(N)
    zero[groups.codes == 0] = 0
    again = model.fit(X[:, :2], y, zero, groups.codes).calibration_
    left = groups.codes != 0
    np.testing.assert_allclose(
        again, model.fit(X[left, :2], y[left], groups=groups.codes[left]).calibration_, rtol=1e-3
    )


def test_a_calibrated_model_passes_groups_on_by_metadata_routing(data):
    X, y, groups = data
    model = HyperboloidSVC(chart="tangent", calibration="platt_cv", random_state=0)
    with config_context(enable_metadata_routing=True):
        search = GridSearchCV(model, {"C": [1.0]}, cv=GroupFolds(3, 0), error_score="raise")
        found = search.fit(X[:, :2], y, groups=groups.codes).best_estimator_
    alone = model.fit(X[:, :2], y, groups=groups.codes)
    np.testing.assert_array_equal(found.calibration_, alone.calibration_)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["Classifier", "Regressor"])
def test_boosting_stops_early_by_whole_groups(data, monkeypatch, kind, weighted):
    X, y, groups = data
    model = getattr(noneuclid, f"HyperbolicHistGradientBoosting{kind}")(
        early_stopping=True, validation_fraction=0.25, max_iter=3, chart="poincare", random_state=0
    )
    if not has_fit_parameter(model._model(), "X_val"):
        pytest.skip("scikit-learn before 1.7")
    X, seen = 0.3 * np.tanh(X[:, :2]), {}
    # Rows of weight 0 are left out before the groups are drawn.
    weights = np.r_[0, 0, 0, np.full(N - 3, 2.0)] if weighted else None
    whole = model._model.fit

    @wraps(whole)
    def fit(self, X, y, **options):
        seen.update(options, X=X, y=y)
        return whole(self, X, y, **options)

    monkeypatch.setattr(model._model, "fit", fit)
    model.fit(X, y, weights, groups=groups.codes)
    axes = axis_coordinates(to_hyperboloid(X, "poincare", 1.0))
    number = {tuple(row): k for k, row in enumerate(axes.tolist())}
    rows = {key: [number[tuple(row)] for row in seen[key].tolist()] for key in ("X", "X_val")}
    assert not set(groups.codes[rows["X"]]) & set(groups.codes[rows["X_val"]])
    assert sorted(rows["X"] + rows["X_val"]) == list(range(3 if weighted else 0, N))
    np.testing.assert_array_equal(seen["y_val"], y[rows["X_val"]])
    assert 0.1 < len(rows["X_val"]) / N < 0.4
    # Without early stopping, groups change nothing.
    seen.clear()
    model.set_params(early_stopping="auto").fit(X, y, groups=groups.codes)
    assert "X_val" not in seen


def test_boosting_leaves_out_the_only_group_with_a_value(data):
    X, y, groups = data
    X = 0.3 * np.tanh(X[:, :2])
    X[groups.codes != 3, 1] = np.nan
    boosting = noneuclid.HyperbolicHistGradientBoostingClassifier
    model = boosting(early_stopping=True, max_iter=2, chart="klein", validation_fraction=0.5)
    if not has_fit_parameter(model._model(), "X_val"):
        pytest.skip("scikit-learn before 1.7")
    for seed in range(4):  # scikit-learn's binning fails where no training row has a value
        model.set_params(random_state=seed).fit(X, y, groups=groups.codes)


def test_a_group_that_alone_has_a_class_is_in_every_training_part():
    y, codes = np.array([0, 0, 1, 0, 1, 2]), np.array([0, 1, 1, 2, 2, 2])
    fold = group_folds(y, codes, 2, np.random.RandomState(0))
    assert sorted(fold[:3]) != [-1, -1, -1]
    assert (fold[codes == 2] == -1).all()
    with pytest.raises(InputError, match="2 can be held out, fewer than the 3 folds"):
        group_folds(y, codes, 3, np.random.RandomState(0))


MISSING = {
    "names": (["d", "d", np.nan, "e"], "nan"),
    "none": (["d", "d", None, "e"], "None"),
    "numbers": (np.array([1, 1, np.nan, 2]), "nan"),
    "series": (pd.Series(["d", "d", pd.NA, "e"], dtype="string"), "<NA>"),
    "categories": (pd.Series(["d", "d", None, "e"], dtype="category"), "nan"),
    "days": (np.array(["2020-01-01", "2020-01-01", "NaT", "2020-01-02"], "M8[ns]"), "NaT"),
}


@pytest.mark.parametrize("kind", MISSING)
def test_a_row_without_a_group_is_refused_wherever_groups_are_given(kind):
    groups, shown = MISSING[kind]
    X, y = np.array([[0.1], [-0.1], [0.2], [-0.2]]), [0, 1, 0, 1]
    said = f"groups: row 2 has {shown}; give its group, or leave out the row"
    platt = PoincareSVC(chart="poincare", calibration="platt_cv", random_state=0)
    fitted = LogisticRegression().fit(X, y)
    for fit in (
        lambda: list(GroupFolds(2, 0).split(X, y, groups)),
        lambda: platt.fit(X, y, groups=groups),
        *(
            lambda given=given, cv=cv: given(fitted, cv=cv).fit(X, y, groups)
            for given in (HedgedClassifier, ConformalClassifier)
            for cv in (2, "prefit")
        ),
    ):
        with pytest.raises(InputError, match=said):
            fit()


def test_groups_may_be_numbers_names_or_both():
    X, y = np.arange(8)[:, None], [0, 1] * 4
    for groups in ([1, 1, 2, 2, 3, 3, 4, 4], list("aabbccdd"), ["a", "a", 1, 1, 2, 2, "b", "b"]):
        codes = np.unique(np.array(groups), return_inverse=True)[1]
        for given in (groups, pd.Series(groups, dtype=object)):
            for _, test in GroupFolds(2, 0).split(X, y, given):
                assert np.isin(codes, codes[test]).sum() == len(test)


def test_without_two_groups_to_hold_out_there_is_no_search(data):
    X, y, _ = data
    search = cross_validation.Search({"C": [3.0, 4.0]}, scoring="accuracy")
    with pytest.warns(UserWarning, match="fewer than two groups can be held out: no search"):
        assert search.best(Spy(), X, y, y) == ({"C": 3.0}, None)


def test_a_regressor_searches_in_groups(data):
    X, y, groups = data
    seen = []

    class Line(LinearRegression):
        def fit(self, X, y):
            seen.append(set(X[:, -1].astype(int)))
            return super().fit(X, y)

    search = cross_validation.Search({"fit_intercept": [True]}, scoring="r2")
    search.best(Line(), X, y.astype(float), groups.codes)
    assert len(seen) == 3
    for rows in seen:
        others = set(range(N)) - rows
        assert not set(groups.codes[[*rows]]) & set(groups.codes[[*others]])


def test_own_folds_of_predictors_only_are_replaced():
    model = make_pipeline(StandardScaler(), LogisticRegressionCV(cv=4))
    changed = cross_validation.in_groups(model, 7)
    assert repr(changed[-1].cv) == "GroupFolds(n_splits=4, random_state=7)"
    assert model[-1].cv == 4
    selector = cross_validation.in_groups(RFECV(LogisticRegression(), cv=3), 7)
    assert repr(selector.cv) == "GroupFolds(n_splits=3, random_state=7)"
    given = LogisticRegressionCV(cv=StratifiedKFold(2))
    assert cross_validation.in_groups(given, 0) is given
    hedged = HedgedClassifier(LogisticRegression())
    assert cross_validation.in_groups(hedged, 0) is hedged


@pytest.mark.parametrize("scheme", OF_GROUPS)
def test_random_folds_hold_out_as_many_rows_in_as_many_folds(data, scheme):
    _, y, groups = data
    split = split_of(y, groups, scheme)
    drawn = random_folds.random_split(split, y, 0)
    assert drawn.n_folds == split.n_folds
    assert (drawn.fold >= 0).sum() == (split.fold >= 0).sum()
    if scheme != "group_holdout":
        np.testing.assert_array_equal(drawn.fold >= 0, split.fold >= 0)


def predictions(truth, predicted):
    rows = np.arange(len(truth))
    return Predictions(rows, rows % 5, truth, predicted)


def test_the_interval_is_the_t_interval_over_groups_of_equal_size():
    """Accuracy is a mean over groups, for which the jackknife is the usual variance."""
    rng = np.random.default_rng(3)
    groups, truth = np.repeat(np.arange(12), 10), np.zeros(120, dtype=int)
    right = [rng.random(120) < p for p in (0.6, 0.8)]
    both = [predictions(truth, np.where(some, 0, 1)) for some in right]
    split = Split(np.arange(120) % 5, groups=groups)
    found = random_folds.flattery(*both, split, 2, 0)["accuracy"]
    gaps = (right[1].astype(float) - right[0]).reshape(12, 10).mean(axis=1)
    # Five folds: 1 + 5 * 24 / 96 times the variance of given fits.
    half = 2.200985 * gaps.std(ddof=1) / np.sqrt(12) * np.sqrt(2.25)
    assert found["difference"] == pytest.approx(gaps.mean())
    assert found["high"] - found["difference"] == pytest.approx(half)
    assert found["difference"] - found["low"] == pytest.approx(half)
    assert found["grouped"] == pytest.approx(right[0].mean())


def test_random_rows_of_groups_that_are_not_held_out_count():
    """One fold of two groups, random rows of all six: the variance is that of two means."""
    rng, groups = np.random.default_rng(4), np.repeat(np.arange(6), 10)
    truth, right = np.zeros(60, dtype=int), rng.random((2, 60)) < 0.7
    fold = np.where(groups < 2, 0, Split.TRAIN_ONLY)
    rows = np.flatnonzero(fold == 0), np.arange(0, 60, 3)
    both = [
        Predictions(at, np.zeros(20, dtype=int), truth[at], np.where(some[at], 0, 1))
        for at, some in zip(rows, right, strict=True)
    ]
    found = random_folds.flattery(*both, Split(fold, groups=groups), 2, 0)["accuracy"]
    left = [
        [some[at[groups[at] != k]].mean() for at, some in zip(rows, right, strict=True)]
        for k in range(6)
    ]
    left = np.subtract(*np.transpose(left))
    # 20 test rows, 40 training rows, and Student's t with five degrees of freedom.
    half = 2.570582 * np.sqrt(1.5 * 5 / 6 * ((left - left.mean()) ** 2).sum())
    assert found["high"] - found["difference"] == pytest.approx(half)


def test_equal_predictions_are_not_flattered_and_many_groups_make_twenty_blocks():
    truth = np.arange(300) % 3
    one = predictions(truth, np.roll(truth, 1) * (np.arange(300) % 2))
    split = Split(np.arange(300) % 5, groups=np.arange(300) // 2)
    found = random_folds.flattery(one, one, split, 3, 0)
    assert found["balanced_accuracy"]["low"] == found["balanced_accuracy"]["high"] == 0


@pytest.mark.parametrize(("y", "tested"), [([0] * 11 + [1], 3), ([0, 1, 2, 3] * 3, 2)])
def test_one_random_fold_is_drawn_where_classes_cannot_be_even(y, tested):
    y, fold = np.array(y), np.where(np.arange(12) < tested, 0, Split.TRAIN_ONLY)
    split = Split(fold, groups=np.arange(12))
    assert (random_folds.random_split(split, y, 0).fold == 0).sum() == tested


@pytest.mark.parametrize(
    ("fold", "drawn", "y", "said"),
    [
        ([0, 0, -1, -1], [0, -1, 0, -1], [0, 0, 0, 1], "one group is held out"),
        ([0, -1, 0, -1], [0, 0, -1, -1], [0, 1, 0, 1], "held out at random are of one group"),
        ([0, -1, 0, -1], [0, -1, -1, 0], [0, 0, 0, 1], "of a random fold are of one class"),
        ([0, -1, 0, -1], [0, -1, -1, 0], [0, 1, 0, 1], None),
    ],
)
def test_what_prevents_an_interval(fold, drawn, y, said):
    split = Split(np.array(fold), groups=np.array([0, 0, 1, 1]))
    found = random_folds.obstacle(split, Split(np.array(drawn)), np.array(y))
    assert found is said or said in found
