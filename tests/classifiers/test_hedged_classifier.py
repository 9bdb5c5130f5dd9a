from itertools import product

import numpy as np
import pytest
from cases import each_of
from sklearn.base import is_classifier
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from noneuclid import HedgedClassifier
from noneuclid.classifiers.hedged_classifier import chosen, trade_off
from noneuclid.errors import InputError
from noneuclid.geometry.class_trees import class_tree

PARENTS = {"a": "ab", "b": "ab", "ab": "all", "c": "cd", "d": "cd", "cd": "all", "e": "all"}
TREE = class_tree(PARENTS, "abcde")
BITS = np.log2(5 / TREE.counts)


def problem(n, seed):
    rng = np.random.default_rng(seed)
    classes = rng.dirichlet(np.full(5, 0.5), size=n)
    truth = np.array([rng.choice(5, p=p) for p in classes])
    probabilities = classes @ TREE.ancestors
    probabilities[:, 0] = 1.0
    return probabilities, TREE.ancestors[truth]


def reached(probabilities, right, nodes):
    rows = np.arange(len(nodes))
    return right[rows, nodes].mean(), (right * BITS)[rows, nodes].mean()


@each_of("accuracy", [0.5, 0.8, 0.95, 1.0])
@each_of("seed", range(4))
def test_the_best_of_all_trade_offs_on_a_fine_grid(accuracy, seed):
    probabilities, right = problem(30, seed)
    found, share, bits = trade_off(probabilities, BITS, right, accuracy)
    assert share >= accuracy
    nodes = chosen(probabilities, BITS, found)
    assert reached(probabilities, right, nodes) == pytest.approx((share, bits))
    # Brute force: no other value does better.
    for other in [0, *np.logspace(-4, 7, 3000)]:
        other_share, other_bits = reached(probabilities, right, chosen(probabilities, BITS, other))
        assert other_share < accuracy or other_bits <= bits + 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_no_choice_of_nodes_has_more_information_at_the_same_accuracy(seed):
    """If probabilities are true, a multiplier gives an optimum of the constrained problem."""
    probabilities, _ = problem(3, seed)
    for multiplier in (0.0, 0.5, 2.0, 20.0):
        nodes, rows = chosen(probabilities, BITS, multiplier), np.arange(3)
        accuracy = probabilities[rows, nodes].mean()
        information = (probabilities * BITS)[rows, nodes].mean()
        for other in product(range(len(TREE.nodes)), repeat=3):
            if probabilities[rows, other].mean() >= accuracy:
                assert (probabilities * BITS)[rows, other].mean() <= information + 1e-12


def test_rows_climb_as_the_multiplier_grows():
    probabilities = np.array([[0.5, 0.4, 0.05, 0.03, 0.02]]) @ TREE.ancestors
    names = [TREE.nodes[chosen(probabilities, BITS, k)[0]] for k in (0, 3, 1000)]
    assert names == ["ab", "ab", "all"]
    sure = np.array([[0.9, 0.04, 0.02, 0.02, 0.02]]) @ TREE.ancestors
    assert TREE.nodes[chosen(sure, BITS, 1)[0]] == "a"


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X[:, :2], np.array(["setosa", "versicolor", "virginica"])[y]


FLOWERS = {"setosa": "iris", "blue": "iris", "versicolor": "blue", "virginica": "blue"}


def test_a_higher_accuracy_costs_information(iris):
    models = [
        HedgedClassifier(
            LogisticRegression(), class_tree=FLOWERS, accuracy=accuracy, random_state=0
        ).fit(*iris)
        for accuracy in (0.5, 0.85, 0.99)
    ]
    assert [model.accuracy_ >= model.accuracy for model in models] == [True] * 3
    bits = [model.information_ for model in models]
    assert bits == sorted(bits, reverse=True)
    assert bits[0] > bits[2]
    assert models[0].trade_off_ == 0
    assert set(models[2].predict(iris[0])) & {"blue"}
    truth, predicted = iris[1], models[2].predict(iris[0])
    path = {name: {name, parent, "iris"} for name, parent in FLOWERS.items()}
    right = [guess in path[label] for guess, label in zip(predicted, truth, strict=True)]
    assert models[2].score(*iris) == pytest.approx(np.mean(right))
    assert models[2].predict_proba(iris[0]).shape == (150, 3)


def test_without_a_tree_it_predicts_a_class_or_none(iris):
    model = HedgedClassifier(LogisticRegression(), accuracy=0.95, random_state=0).fit(*iris)
    assert set(model.predict(iris[0])) == {*iris[1], "any class"}


def test_a_fitted_estimator_is_kept(iris):
    fitted = LogisticRegression().fit(*iris)
    model = HedgedClassifier(fitted, class_tree=FLOWERS, cv="prefit").fit(*iris)
    assert model.estimator_ is fitted
    assert model.score(*iris) == pytest.approx(model.accuracy_)
    with pytest.raises(InputError, match="class other of the validation rows is unknown"):
        model.fit(iris[0][:2], np.array(["setosa", "other"]))


def test_an_accuracy_that_no_level_reaches(iris):
    with pytest.warns(UserWarning, match=r"below 1, at any level: the estimator gives wrong"):
        HedgedClassifier(
            DecisionTreeClassifier(random_state=0), class_tree=FLOWERS, accuracy=1, random_state=0
        ).fit(*iris)


def test_a_tree_without_a_class_is_refused(iris):
    model = HedgedClassifier(LogisticRegression(), class_tree={"setosa": "iris"})
    with pytest.raises(InputError, match="class 'versicolor' is not in the tree"):
        model.fit(*iris)


def test_equal_probabilities_on_300_random_problems():
    """Changes of several rows at one trade-off, which rounding puts an ulp apart."""
    rng = np.random.default_rng(0)
    for trial in range(300):
        n = rng.integers(1, 15)
        classes = rng.dirichlet(np.full(5, 0.5), size=n)
        if trial % 4:
            classes = classes.round(1)
            classes /= classes.sum(axis=1, keepdims=True)
        probabilities = np.minimum(classes @ TREE.ancestors, 1.0)
        probabilities[:, 0] = 1.0
        right, accuracy = TREE.ancestors[rng.integers(0, 5, n)], rng.choice([0.3, 0.6, 0.9, 1.0])
        found, share, bits = trade_off(probabilities, BITS, right, accuracy)
        assert reached(probabilities, right, chosen(probabilities, BITS, found)) == (share, bits)
        others = [
            reached(probabilities, right, chosen(probabilities, BITS, other))
            for other in [0, *np.logspace(-2, 3, 15), 1e9]
        ]
        reachable = [other for other in others if other[0] >= accuracy]
        assert share >= accuracy or not reachable
        assert all(other <= bits + 1e-9 for _, other in reachable)


def test_of_two_equal_nodes_the_search_takes_the_one_that_is_predicted():
    tree = class_tree(
        {"a": "ab", "b": "ab", "c": "cd", "d": "cd", "ab": "all", "cd": "all"}, "abcd"
    )
    bits = np.log2(4 / tree.counts)
    # ab and cd tie for every multiplier; cd, the last, is predicted and right: 1 bit.
    probabilities = np.full((1, 4), 0.25) @ tree.ancestors
    found, share, information = trade_off(probabilities, bits, tree.ancestors[[2]], 0.9)
    assert tree.nodes[chosen(probabilities, bits, found)[0]] == "cd"
    assert (share, information) == (1.0, 1.0)


@pytest.mark.parametrize("accuracy", [0.5, 0.9])
def test_the_accuracy_is_the_score_on_the_validation_rows_with_votes(accuracy):
    X, y = load_digits(return_X_y=True)
    X += np.random.default_rng(0).normal(size=X.shape) * 8
    broad = {str(k): "low" if k < 4 else ("middle" if k < 7 else "high") for k in range(10)}
    tree = broad | dict.fromkeys(("low", "middle", "high"), "digit")
    votes = KNeighborsClassifier(10).fit(X[:900], y[:900])
    model = HedgedClassifier(votes, class_tree=tree, accuracy=accuracy, cv="prefit")
    model.fit(X[900:], y[900:])
    assert model.score(X[900:], y[900:]) == model.accuracy_ >= accuracy


def test_unknown_labels_are_not_scored(iris):
    model = HedgedClassifier(LogisticRegression(), random_state=0).fit(*iris)
    for label in ("rose", 7, None):
        with pytest.raises(InputError, match=f"class {label} of the rows to score is unknown"):
            model.score(iris[0][:2], np.array(["setosa", label], dtype=object))
    numbers = HedgedClassifier(LogisticRegression(), random_state=0).fit(
        iris[0], np.unique(iris[1], return_inverse=True)[1]
    )
    with pytest.raises(InputError, match=r"class 0.5 of the rows to score is unknown"):
        numbers.score(iris[0][:1], [0.5])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.score(iris[0][:2], iris[1][:1])


def test_scikit_learn_sees_a_classifier(iris):
    model = HedgedClassifier(LogisticRegression(), cv=2, random_state=0)
    assert is_classifier(model)
    assert not is_classifier(HedgedClassifier(LinearRegression()))
    # Sorted rows: unstratified folds would miss a class.
    assert cross_val_score(model, *iris, cv=3).min() > 0.7
    assert model.fit(*iris).n_features_in_ == 2
