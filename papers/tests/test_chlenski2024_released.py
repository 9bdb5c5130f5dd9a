"""Rules of the authors' programs that return printed numbers of chlenski2024."""

import zlib

import numpy as np
import pandas as pd
import pytest
import threadpoolctl
from paper_mirror import ROOT
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import resample

from noneuclid.errors import InputError
from noneuclid_compare.config import registry
from noneuclid_papers.data import hyperdt_mixtures
from noneuclid_papers.programs import chlenski2024_horospheres as horospheres
from noneuclid_papers.programs import chlenski2024_released as rules

KEPT = pd.read_csv(ROOT / "papers/benchmarks/chlenski2024_released.tsv", sep="\t", dtype=str)
HORO = ["HoroDT", "HoroRF"]
ESTIMATORS = {
    "HyperDT": rules.ReleasedTree(),
    "HyperRF": rules.ReleasedForest(),
    "sklearn DT": rules.GeneratorTree(),
    "HoroDT": horospheres.HorosphereTree(),
    "HoroRF": horospheres.HorosphereForest(),
}


def mixture(points, dimension, number):
    """Points, labels and folds of a mixture of the paper."""
    data = hyperdt_mixtures.load({}, 0, n_samples=points, n_features=dimension, number=number)
    folds = KFold(5, shuffle=True, random_state=number).split(data.features)
    return data.features, data.labels, list(folds)


def test_of_equal_splits_the_last_axis_and_angle_is_taken():
    angles = np.array([[1.0, 1.0], [1.1, 1.1], [1.2, 1.2], [1.3, 1.3]])
    assert rules.last_best_split(angles, np.array([0, 0, 1, 1])) == (1, 1.1, 1.2)
    assert rules.last_best_split(angles, np.array([0, 1, 1, 0])) == (1, 1.2, 1.3)
    assert rules.last_best_split(np.ones((3, 2)), np.array([0, 1, 1])) is None


@pytest.mark.parametrize(
    ("method", "dimension", "printed"),
    [
        ("HyperDT", 2, 0.891),
        ("HyperDT", 8, 0.997),
        ("HyperRF", 2, 0.907),
        ("HyperRF", 16, 0.998),
        ("sklearn DT", 2, 0.879),
    ],
)
def test_rules_without_a_choice_return_the_printed_score(method, dimension, printed):
    scores = []
    for number in range(10):
        X, y, folds = mixture(100, dimension, number)
        model = clone(ESTIMATORS[method]).set_params(random_state=number)
        scores += [model.fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds]
    assert np.mean(scores) == pytest.approx(printed, abs=1e-12)


@pytest.mark.parametrize("method", ESTIMATORS)
def test_estimators_have_names_keep_labels_and_are_the_same_again(method):
    X, y, folds = mixture(100, 2, 3)
    words, rows = np.array(["a", "b"])[y], folds[2][0]
    model = clone(ESTIMATORS[method]).set_params(random_state=3, max_depth=2)
    first = model.fit(X[rows], words[rows]).predict(X)
    assert (first == clone(model).fit(X[rows], words[rows]).predict(X)).all()
    assert set(first) == {"a", "b"}
    assert np.mean(first == words) > 0.8
    path = f"{type(model).__module__}.{type(model).__name__}"
    assert path in {registry.path_of(use, "method") for use in registry.shipped("method")}
    with pytest.raises(InputError, match="is for two classes; the number of classes in y is 3"):
        model.fit(X, np.arange(len(y)) % 3)
    with pytest.raises(ValueError, match="max_depth"):
        clone(model).set_params(max_depth=0).fit(X, y)


def test_whole_numbers_are_coordinates_too():
    X = np.array([[3, 2, 2], [3, -2, 2], [1, 0, 0], [3, 2, -2]])
    model = rules.ReleasedTree().fit(X, [0, 1, 0, 1])
    assert (model.predict(X) == rules.ReleasedTree().fit(X / 1.0, [0, 1, 0, 1]).predict(X)).all()


def test_a_generator_tree_is_that_of_its_fold():
    X, y, folds = mixture(100, 2, 5)
    draw, later = hyperdt_mixtures.generator_after(100, 2, 5), []
    for train, _ in folds:
        slow = DecisionTreeClassifier(max_depth=3, random_state=draw).fit(X[train], y[train])
        model = rules.GeneratorTree(random_state=5).fit(X[train], y[train])
        assert (model.trees_.tree_.threshold == slow.tree_.threshold).all()
        later.append(slow.tree_.threshold[0])
    assert len(set(later)) > 1
    last = DecisionTreeClassifier(max_depth=3, random_state=draw).fit(X, y)
    assert (rules.GeneratorTree(random_state=5).fit(X, y).predict(X) == last.predict(X)).all()
    for state, labels, message in ((4, y, "fits only mixtures"), (5, 1 - y, "other labels")):
        with pytest.raises(InputError, match=message):
            rules.GeneratorTree(random_state=state).fit(X, labels)


def test_leaves_and_votes_are_those_of_a_slow_forest():
    X, y, folds = mixture(100, 4, 1)
    rows = folds[0][0]
    model = rules.ReleasedForest(n_estimators=4, random_state=1).fit(X[rows], y[rows])
    draw, votes = np.random.RandomState(1), np.zeros(len(X))
    for _ in range(4):
        sample = rows[draw.choice(len(rows), len(rows))]
        votes += rules.ReleasedTree().fit(X[sample], y[sample]).predict(X)
    # Two votes of four are no majority.
    assert (model.predict(X) == (votes > 2)).all()


def test_a_split_without_a_gain_is_taken_and_equal_rows_are_not_split():
    angles, y = np.array([[1.0], [1.0], [2.0], [2.0]]), np.array([0, 1, 0, 1])
    assert rules.last_best_split(angles, y) == (0, 1.0, 2.0)
    assert rules.last_best_split(np.ones((4, 1)), y) is None


@pytest.mark.parametrize("method", ESTIMATORS)
def test_trees_are_no_deeper_than_allowed(method):
    def depth(tree):
        if not isinstance(tree, tuple) or len(tree) == 2:
            return 0
        return 1 + max(map(depth, tree[2:]))

    X, y, _ = mixture(100, 2, 0)
    for limit in (1, 2, 4):
        model = clone(ESTIMATORS[method]).set_params(max_depth=limit).fit(X, y)
        trees = model.trees_ if isinstance(model.trees_, list) else []
        depths = [*map(depth, trees)] or [model.trees_.get_depth()]
        assert max(depths) == limit
        assert len(depths) == (12 if method in ("HyperRF", "HoroRF") else 1)


@pytest.mark.parametrize("method", ESTIMATORS)
def test_bad_input_is_refused(method):
    X, y, _ = mixture(100, 2, 0)
    model = clone(ESTIMATORS[method])
    with pytest.raises(InputError, match="hyperboloid"):
        model.fit(X * [1, 3, 1], y)
    with pytest.raises(InputError, match="time coordinate"):
        model.fit(X, y).predict(-X)
    with pytest.raises(InputError, match="at least 2 column"):
        model.fit(X[:, :1], y)
    for wrong in ({"random_state": -1}, {"random_state": None}, {"n_estimators": 0}):
        if set(wrong) <= set(model.get_params()):
            with pytest.raises(ValueError, match=next(iter(wrong))):
                clone(model).set_params(**wrong).fit(X, y)
    X = np.vstack([X, [1.0, 0.0, 0.0]])
    if method.startswith("Horo"):
        with pytest.raises(InputError, match="origin"):
            model.fit(X, np.append(y, 1))


def test_a_horosphere_forest_has_the_samples_and_the_draw_of_its_state():
    X, y, _ = mixture(100, 3, 7)
    model = horospheres.HorosphereForest(n_estimators=3, random_state=7).fit(X, y)
    z, rng = horospheres.converted_twice(X), np.random.default_rng([7, zlib.crc32(X.tobytes())])
    total = 0
    for k in range(3):
        rows = resample(np.arange(len(y)), random_state=7 + k)
        total = total + horospheres.support(
            horospheres.grow_horospheres(z[rows], y[rows], 3, rng), z
        )
    assert (model.predict(X) == np.argmax(total, axis=1)).all()
    others = [
        horospheres.HorosphereForest(n_estimators=3, random_state=s).fit(X, y) for s in (7, 8)
    ]
    same = [str(other.trees_) == str(model.trees_) for other in others]
    assert same == [True, False]


def test_ideal_points_are_five_unit_vectors_and_ties_are_drawn():
    z, y = np.array([[2.0, 0.0], [3.0, 1.0], [4.0, 0.0], [9.0, 2.0]]), np.array([0, 0, 1, 1])
    drawn = np.random.default_rng(3).standard_normal((5, 2))
    drawn /= np.linalg.norm(drawn, axis=1)[:, None]
    ideal, _ = horospheres.random_horosphere(z, y, np.random.default_rng(3))
    assert (abs(drawn - ideal) < 1e-12).all(axis=1).any()
    found = {horospheres.random_horosphere(z, y, np.random.default_rng(k))[1] for k in range(20)}
    assert len(found) > 10
    leaves = {
        horospheres.grow_horospheres(z[[0, 0]], np.array([0, 1]), 3, np.random.default_rng(k))
        for k in range(20)
    }
    assert leaves == {(0, 0.5), (1, 0.5)}
    assert horospheres.support((1, 0.75), z[:2]).tolist() == [[0.0, 0.75]] * 2


def test_points_that_are_converted_twice_lie_outside_the_ball():
    X = mixture(100, 4, 0)[0]
    z = horospheres.converted_twice(X)
    square = (X**2).sum(axis=1)
    np.testing.assert_allclose(z[:, 0], (1 + square) / (1 - square))
    np.testing.assert_allclose(z[:, 1:], 2 * X / (1 - square)[:, None])
    assert (np.linalg.norm(z, axis=1) > 1).all()


def test_random_horospheres_take_the_best_threshold():
    z, y = np.array([[2.0, 0.0], [3.0, 0.0], [4.0, 0.0], [9.0, 0.0]]), np.array([0, 0, 1, 1])
    ideal, threshold = horospheres.random_horosphere(z, y, np.random.default_rng(0))
    far = horospheres.is_far(z, ideal, threshold)
    assert far.tolist() == [False, False, True, True]
    tree = horospheres.grow_horospheres(z, y, 3, np.random.default_rng(0))
    assert np.argmax(horospheres.support(tree, z), axis=1).tolist() == y.tolist()


def test_each_score_of_trees_and_each_p_value_between_them_is_the_printed_one():
    fixed = KEPT[~KEPT["method"].isin(HORO)]
    assert len(fixed[fixed["table"] == "table_1"]) == 64
    scores = fixed[fixed["table"] == "table_1"]
    assert (scores["same"] == "yes").all()


def test_the_kept_imitations_have_the_numbers_of_the_rules():
    imitated = pd.read_csv(ROOT / "papers/kept/imitations.tsv", sep="\t")
    imitated = imitated.query("paper == 'chlenski2024' and dataset == 'Gaussian'")
    imitated = imitated[imitated["table"] == "table_1"]
    columns = ["table", "variant", "method"]
    kept = KEPT.set_index(columns)[["ours", "sd_states"]].astype(float)
    kept = kept.loc[pd.MultiIndex.from_frame(imitated[columns])]
    assert len(imitated) == 80
    off = (imitated["with_ours"].to_numpy() - kept["ours"]).to_numpy()
    drawn = imitated["method"].isin(HORO).to_numpy()
    assert off[~drawn] == pytest.approx(0, abs=1e-9)
    # One draw beside the mean of six.
    assert (abs(off[drawn]) < 5 * kept["sd_states"].to_numpy()[drawn] + 1e-9).all()


@pytest.mark.parametrize("method", HORO)
def test_the_kept_imitations_come_back(method):
    imitated = pd.read_csv(ROOT / "papers/kept/imitations.tsv", sep="\t")
    (kept,) = imitated.query("paper == 'chlenski2024' and variant == 'D2_n100'").query(
        "method == @method"
    )["with_ours"]
    scores = []
    for number in range(10):
        X, y, folds = mixture(100, 2, number)
        model = clone(ESTIMATORS[method]).set_params(random_state=number)
        scores += [model.fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds]
    # The draw depends on the BLAS: HoroDT has 0.844 with its kernels for Haswell or Zen and 0.850
    # with those for Sandy Bridge, where 0.832 is kept.
    blas = {info.get("architecture") for info in threadpoolctl.threadpool_info()}
    other = blas & {"Haswell", "Zen", "Sandybridge", "Prescott"}
    assert np.mean(scores) == pytest.approx(kept, abs=0.03 if other else 1e-12)
