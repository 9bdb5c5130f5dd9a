"""What scikit-learn's trees, forests and boosting offer beyond fit and predict."""

import numpy as np
import pytest
from cases import each_of
from clouds import ring_clouds
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.tree import DecisionTreeClassifier

import noneuclid
from noneuclid.classifiers.tree_base import axis_coordinates
from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert
from noneuclid.solvers.horospheres.pruning import prune, pruning_path
from noneuclid.solvers.horospheres.tree import HorosphereTree

X, Y = ring_clouds(n=200, spread=0.8)
LABELS = np.array(["a", "b", "c"])[Y]
TREES = [
    noneuclid.HyperbolicDecisionTreeClassifier(random_state=0),
    noneuclid.HyperbolicDecisionTreeClassifier(random_state=0, precision="float64"),
    noneuclid.HorosphereDecisionTreeClassifier(random_state=0),
]
FORESTS = [
    noneuclid.HyperbolicRandomForestClassifier(n_estimators=5, random_state=0, max_depth=4),
    noneuclid.HyperbolicRandomForestClassifier(
        n_estimators=5, random_state=0, precision="float64", class_weight="balanced_subsample"
    ),
    noneuclid.HyperbolicExtraTreesClassifier(n_estimators=5, random_state=0, curvature=0.5),
    noneuclid.HyperbolicRandomForestRegressor(n_estimators=5, random_state=0),
    noneuclid.HyperbolicExtraTreesRegressor(n_estimators=5, random_state=0),
    noneuclid.HorosphereForestClassifier(n_estimators=3, max_depth=4, random_state=0),
]
BOOSTING = [
    noneuclid.HyperbolicHistGradientBoostingClassifier(max_iter=6, random_state=0),
    noneuclid.HyperbolicHistGradientBoostingRegressor(max_iter=6, random_state=0),
]


def fitted(model):
    return clone(model).fit(X, LABELS if is_classifier(model) else Y.astype(float))


def name_of(model):
    return type(model).__name__


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("weight", [None, np.linspace(0, 2, 200)])
def test_pruning_path_is_that_of_scikit_learn_on_axis_coordinates(precision, weight):
    model = noneuclid.HyperbolicDecisionTreeClassifier(random_state=0, precision=precision)
    coordinates = axis_coordinates(convert(X, "tangent", "hyperboloid"))
    theirs = DecisionTreeClassifier(random_state=0)
    expected = theirs.cost_complexity_pruning_path(coordinates, LABELS, weight)
    found = clone(model).set_params(ccp_alpha=0.5).cost_complexity_pruning_path(X, LABELS, weight)
    np.testing.assert_array_equal(found.ccp_alphas, expected.ccp_alphas)
    np.testing.assert_array_equal(found.impurities, expected.impurities)
    alpha = found.ccp_alphas[-3]
    pruned = clone(model).set_params(ccp_alpha=alpha).fit(X, LABELS, weight)
    theirs.set_params(ccp_alpha=alpha).fit(coordinates, LABELS, weight)
    assert pruned.get_n_leaves() == theirs.get_n_leaves() < model.fit(X, LABELS).get_n_leaves()
    np.testing.assert_array_equal(pruned.predict(X), theirs.predict(coordinates))


@pytest.mark.parametrize("seed", range(5))
def test_horosphere_trees_are_pruned_as_scikit_learn_prunes(seed):
    rng = np.random.default_rng(seed)
    points, codes = rng.normal(size=(150, 3)), rng.integers(3, size=150)
    weights = rng.uniform(0.5, 2.0, size=150)

    def as_horospheres(tree):
        return HorosphereTree(
            np.zeros((tree.node_count, 3)),
            tree.threshold,
            tree.children_left,
            tree.children_right,
            tree.value[:, 0],
            tree.weighted_n_node_samples,
        )

    model = DecisionTreeClassifier(random_state=0).fit(points, codes, weights)
    expected = model.cost_complexity_pruning_path(points, codes, weights)
    alphas, impurities = pruning_path(as_horospheres(model.tree_))
    # Equal links may be collapsed in another order, by rounding; the last are far apart.
    np.testing.assert_allclose(alphas[-8:], expected.ccp_alphas[-8:], rtol=1e-9)
    np.testing.assert_allclose(impurities[-8:], expected.impurities[-8:], rtol=1e-9)
    for alpha in [*(alphas[-7:-1] * 0.999), *(alphas[-7:] * 1.001)]:
        smaller = clone(model).set_params(ccp_alpha=alpha).fit(points, codes, weights)
        ours, theirs = prune(as_horospheres(model.tree_), alpha), as_horospheres(smaller.tree_)
        np.testing.assert_array_equal(ours.inside, theirs.inside)
        np.testing.assert_array_equal(ours.outside, theirs.outside)
        np.testing.assert_allclose(ours.values, theirs.values)


def test_a_pruned_horosphere_tree_is_a_part_of_the_full_one():
    model = noneuclid.HorosphereDecisionTreeClassifier(random_state=0)
    path = model.cost_complexity_pruning_path(X, LABELS)
    leaves = [
        clone(model).set_params(ccp_alpha=alpha).fit(X, LABELS).get_n_leaves()
        for alpha in path.ccp_alphas * (1 + 1e-9)
    ]
    assert leaves[0] > leaves[-1] == 1
    assert leaves == sorted(leaves, reverse=True)
    assert (np.diff(path.impurities) > 0).all()


@pytest.mark.parametrize("model", TREES, ids=name_of)
def test_depth_and_leaves_are_those_of_the_paths(model):
    tree = fitted(model)
    assert tree.get_n_leaves() == len(np.unique(tree.apply(X)))
    if hasattr(tree, "decision_path"):
        assert tree.get_depth() == tree.decision_path(X).sum(axis=1).max() - 1
        return
    grown = tree.trees_[0]

    def depth(node):
        children = grown.inside[node], grown.outside[node]
        return 0 if children[0] < 0 else 1 + max(map(depth, children))

    assert tree.get_depth() == depth(0) > 1


@each_of("model", FORESTS, ids=name_of)
def test_a_forest_is_the_mean_of_its_estimators(model):
    forest = fitted(model)
    method = "predict_proba" if is_classifier(model) else "predict"
    parts = [getattr(tree, method)(X) for tree in forest.estimators_]
    assert len(parts) == model.n_estimators
    np.testing.assert_allclose(np.mean(parts, axis=0), getattr(forest, method)(X), atol=1e-12)
    first = forest.estimators_[0]
    assert "DecisionTree" in type(first).__name__
    assert first.get_depth() > 1
    assert (first.chart, first.curvature) == (model.chart, model.curvature)
    clone(first).fit(X, LABELS if is_classifier(model) else Y.astype(float))
    if is_classifier(model):
        assert set(first.predict(X)) <= {"a", "b", "c"}


def test_rows_outside_the_bag_give_a_score():
    model = noneuclid.HyperbolicRandomForestClassifier(oob_score=True, random_state=0)
    forest = model.fit(X, LABELS)
    assert 0.5 < forest.oob_score_ < 1
    assert len(forest.estimators_samples_) == 100
    assert not hasattr(fitted(FORESTS[0]), "oob_score_")


@each_of("model", [*TREES, FORESTS[0], FORESTS[-1], BOOSTING[0]], ids=name_of)
def test_logarithms_of_probabilities(model):
    model = fitted(model)
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(X), np.log(model.predict_proba(X)))


@pytest.mark.parametrize("model", BOOSTING, ids=name_of)
def test_a_stage_is_a_model_of_fewer_rounds(model):
    boosted = fitted(model)
    stages = list(boosted.staged_predict(X))
    assert len(stages) == boosted.n_iter_ == 6
    for rounds, stage in enumerate(stages, 1):
        fewer = fitted(clone(model).set_params(max_iter=rounds))
        np.testing.assert_array_equal(stage, fewer.predict(X))
    if is_classifier(model):
        *_, last = boosted.staged_predict_proba(X)
        np.testing.assert_array_equal(last, boosted.predict_proba(X))
    with pytest.raises(InputError, match="needs all of its coordinates"):
        boosted.staged_predict(np.full((1, 2), np.inf))


@each_of("model", [*TREES, *FORESTS, *BOOSTING], ids=name_of)
def test_what_is_no_table_of_points_is_refused_in_a_line(model):
    y = LABELS if is_classifier(model) else Y.astype(float)
    holes = X.copy()
    holes[3, 1] = np.inf
    with pytest.raises(InputError, match="row 3, column 1 is inf, but a point needs all of its co"):
        clone(model).fit(holes, y)
    with pytest.raises(TypeError, match="Sparse data was passed"):
        clone(model).fit(sparse.csr_matrix(X), y)
    if is_classifier(model):
        with pytest.raises(InputError, match="y has 2 columns, but a classifier needs one"):
            clone(model).fit(X, np.column_stack([y, y]))


def test_the_remedy_for_several_labels_works():
    model = MultiOutputClassifier(noneuclid.HyperbolicDecisionTreeClassifier(random_state=0))
    assert (model.fit(X, np.column_stack([Y, Y > 0])).predict(X)[:, 0] == Y).all()
