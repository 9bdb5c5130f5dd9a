"""Missing values and categories against scikit-learn, on the same folds; nothing leaks."""

import numpy as np
import pytest
from mixed_table import CATEGORIES, NUMBERS, SETTINGS, SIZES, mixed
from own_files import loaded
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, SVR

from noneuclid_compare.data.own import table_file
from noneuclid_compare.data.prepare import mixed_columns
from noneuclid_compare.evaluation import baselines, cross_validation
from noneuclid_compare.records import Split

GRID = {"C": [0.1, 10]}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("mixed") / "t.csv"
    mixed().to_csv(path, index=False)
    return loaded(table_file, path, **SETTINGS)


@pytest.fixture(scope="module")
def split(data):
    fold = np.zeros(data.n, dtype=int)
    folds = StratifiedKFold(3, shuffle=True, random_state=3).split(fold, data.labels)
    for k, (_, left_out) in enumerate(folds):
        fold[left_out] = k
    return Split(fold)


def by_hand(model):
    """The pipeline that a user of scikit-learn writes for the data frame."""
    number = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    order = OrdinalEncoder(categories=[[*SIZES, np.nan]])
    order = make_pipeline(order, SimpleImputer(strategy="median"), StandardScaler())
    missing = MissingIndicator(error_on_new=False)
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = make_column_transformer(
        (number, NUMBERS),
        (order, ["size"]),
        (missing, [*NUMBERS, "size"]),
        (encoder, CATEGORIES),
    )
    return make_pipeline(columns, model)


@pytest.mark.parametrize(
    ("baseline", "model", "grid"),
    [
        (
            baselines.LogisticBaseline(),
            LogisticRegression(solver="newton-cg", max_iter=1000),
            GRID,
        ),
        (baselines.SVMBaseline(), SVC(), GRID),
        (
            baselines.ForestBaseline(n_estimators=10),
            RandomForestClassifier(10, random_state=0),
            {},
        ),
    ],
)
def test_a_pipeline_written_by_hand_gives_the_same_digits(data, split, baseline, model, grid):
    ours = clone(baseline).set_params(column_kinds=data.column_kinds, random_state=0)
    search = cross_validation.Search(grid, seed=5)
    found, records = cross_validation.cross_validate(
        ours, data.features, data.labels, split, 3, search
    )
    table = mixed().drop(columns="species")
    table = table.where(table.notna(), np.nan)
    inner = StratifiedKFold(3, shuffle=True, random_state=5)
    name = type(model).__name__.lower()
    for k in range(split.n_folds):
        train, left_out = split.rows(k)
        theirs = GridSearchCV(
            by_hand(clone(model)),
            {f"{name}__{key}": values for key, values in grid.items()},
            scoring="balanced_accuracy",
            cv=inner,
        ).fit(table.iloc[train], data.labels[train])
        rows = found.fold == k
        assert (found.predicted[rows] == theirs.predict(table.iloc[left_out])).all()
        if grid:
            assert records[k]["inner_score"] == theirs.best_score_
        if found.probabilities is None:
            expected, values = theirs.decision_function(table.iloc[left_out]), found.scores
        else:
            expected, values = theirs.predict_proba(table.iloc[left_out]), found.probabilities
        np.testing.assert_array_equal(values[rows], expected)


def test_statistics_come_from_training_rows_alone(data, split, monkeypatch):
    seen = []

    class Recording(SimpleImputer):
        def fit(self, X, y=None):
            seen.append({*X[:, 2].tolist()})
            return super().fit(X, y)

    monkeypatch.setattr(mixed_columns, "SimpleImputer", Recording)
    # The year names the row.
    X = data.features.copy()
    X[:, 2] = np.arange(len(X))
    model = baselines.LogisticBaseline(column_kinds=data.column_kinds)
    search = cross_validation.Search({"C": [0.1, 1]}, folds=3)
    cross_validation.cross_validate(model, X, data.labels, split, 3, search)
    per_fold = 2 * 3 + 1
    assert len(seen) == split.n_folds * per_fold
    for number, rows in enumerate(seen):
        train, _ = map(set, split.rows(number // per_fold))
        last = number % per_fold == per_fold - 1
        assert rows == train if last else rows < train


def prepared(table, tmp_path):
    """Rows of a table as the transformer gives them."""
    table.to_csv(tmp_path / "t.csv", index=False)
    found = loaded(table_file, tmp_path / "t.csv", **SETTINGS)
    return mixed_columns.transformer(found.column_kinds).fit_transform(found.features)


def test_the_order_of_columns_and_rows_does_not_matter(tmp_path):
    table = mixed()
    expected = prepared(table, tmp_path)
    order = np.random.default_rng(1).permutation(len(table))
    found = prepared(table.iloc[order], tmp_path)
    np.testing.assert_allclose(found, expected[order], atol=1e-12)
    found = prepared(table[table.columns[::-1]], tmp_path)
    by_sum = [np.lexsort(values) for values in (found, expected)]
    np.testing.assert_allclose(found[:, by_sum[0]], expected[:, by_sum[1]], atol=1e-12)


def test_a_level_or_a_gap_that_training_lacks_has_only_zeros():
    kinds = [{"levels": ["a", "b", "c"], "ordered": False}, None]
    fitted = mixed_columns.transformer(kinds, scale=False).fit([[0, 1.0], [1, 3.0], [1, 5.0]])
    found = fitted.transform([[2, np.nan], [-1, 0.0], [np.nan, 1.0], [1, 2.0]])
    assert found.tolist() == [[3, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 1]]


def test_a_column_that_is_empty_in_training_stays():
    fitted = mixed_columns.transformer([None, None]).fit([[np.nan, 1.0], [np.nan, 3.0]])
    assert fitted.transform([[5.0, 1.0]]).shape == (1, 3)


def test_categories_keep_their_unit_where_numbers_are_scaled(data):
    for asked, scaled in (("auto", True), (True, True), (False, False)):
        given = {} if asked == "auto" else {"standardize": asked}
        found, params, _, scale = mixed_columns.prepared(data, given, {"standardize"}, "hydra")
        assert (params, scale) == ({"standardize": False}, scaled)
        assert found.column_kinds is None
        assert np.isfinite(found.features).all()
        deviations = found.features.std(axis=0)
        assert np.allclose(deviations[:4], 1) == scaled
        assert np.isin(found.features[:, 4:], (0, 1)).all()
    found, params, _, scale = mixed_columns.prepared(data, {}, {}, "mine")
    assert (params, scale) == ({}, False)
    assert found.features[:, 0].max() > 30


@pytest.mark.parametrize(
    ("baseline", "model"),
    [(baselines.RidgeBaseline(), Ridge()), (baselines.SVRBaseline(), SVR())],
)
def test_numbers_are_predicted_from_mixed_columns(data, baseline, model):
    y = np.nan_to_num(data.features[:, 0], nan=40.0)
    fitted = clone(baseline).set_params(column_kinds=data.column_kinds).fit(data.features, y)
    if isinstance(model, SVR):
        model = TransformedTargetRegressor(model, transformer=StandardScaler())
    table = mixed().drop(columns="species")
    expected = by_hand(model).fit(table.where(table.notna(), np.nan), y)
    found = fitted.predict(data.features)
    np.testing.assert_array_equal(found, expected.predict(table.where(table.notna(), np.nan)))
