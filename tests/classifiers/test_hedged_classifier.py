from itertools import product

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
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


@pytest.mark.parametrize("accuracy", [0.5, 0.8, 0.95, 1.0])
@pytest.mark.parametrize("seed", range(4))
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
