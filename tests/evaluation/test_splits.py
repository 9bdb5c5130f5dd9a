"""Folds: each row once, stratified, the same for the same seeds, and small classes by policy."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold

from noneuclid.errors import InputError
from noneuclid_compare.evaluation.splits import make_split
from noneuclid_compare.records import Split

NAMES = ("root", "stem", "leaf")


def labels_of(*sizes):
    """Shuffled labels with the given class sizes."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    return np.random.default_rng(0).permutation(labels)


def test_each_row_is_left_out_once():
    labels = labels_of(23, 40, 17)
    split = make_split(labels, NAMES, repeat=0, seed=1, folds=5)
    assert split.n_folds == 5
    seen = np.zeros(80, dtype=int)
    for k in range(5):
        train, test = split.rows(k)
        assert np.array_equal(np.sort(np.r_[train, test]), np.arange(80))
        seen[test] += 1
        for code, size in enumerate((23, 40, 17)):
            assert abs((labels[test] == code).sum() - size / 5) < 1
    assert (seen == 1).all()


def test_split_depends_on_seed_and_repeat_only():
    labels = labels_of(20, 20)

    def fold(repeat, seed):
        return make_split(labels, NAMES[:2], repeat=repeat, seed=seed).fold

    assert np.array_equal(fold(0, 1), fold(0, 1))
    distinct = {fold(repeat, seed).tobytes() for repeat in range(3) for seed in range(3)}
    assert len(distinct) == 9


@pytest.mark.parametrize("repeat", [0, 2])
def test_folds_of_a_known_program_are_repeated(repeat):
    labels = labels_of(23, 40)
    split = make_split(labels, NAMES[:2], repeat, seed=8, folds=5, random_state=3)
    splitter = StratifiedKFold(5, shuffle=True, random_state=3 + repeat)
    for k, (_, left_out) in enumerate(splitter.split(labels[:, None], labels)):
        assert (np.flatnonzero(split.fold == k) == left_out).all()


@pytest.mark.parametrize("state", [-1, 0.5, "a", True])
def test_an_illegal_state_is_refused(state):
    with pytest.raises(InputError, match="random_state"):
        make_split(labels_of(23, 40), NAMES[:2], 0, 0, random_state=state)


@pytest.mark.parametrize("scheme", ["stratified_kfold", "holdout"])
def test_split_does_not_touch_the_global_generator(scheme):
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    make_split(labels_of(20, 20), NAMES[:2], repeat=0, seed=0, scheme=scheme)
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def test_small_class_is_an_error_by_default():
    expected = (
        "class 'root' has 1 member, fewer than the 5 folds: "
        r"drop it \(small_classes: drop\) or keep it \(small_classes: keep\)"
    )
    with pytest.raises(InputError, match=expected):
        make_split(labels_of(1, 20, 20), NAMES, repeat=0, seed=0)


def test_small_class_dropped():
    labels = labels_of(3, 20, 20)
    split = make_split(labels, NAMES, repeat=0, seed=0, small_classes="drop")
    assert (split.fold[labels == 0] == Split.UNUSED).all()
    assert (split.fold[labels != 0] >= 0).all()
    assert split.about["decisions"] == [
        "class 'root' has 3 members, fewer than the 5 folds: its rows are not used."
    ]
    assert not np.isin(np.flatnonzero(labels == 0), np.concatenate(split.rows(0))).any()


@pytest.mark.parametrize("policy", ["error", "drop", "keep"])
def test_a_class_with_as_many_members_as_folds_is_not_small(policy):
    labels = labels_of(5, 20, 20)
    split = make_split(labels, NAMES, repeat=0, seed=0, small_classes=policy)
    assert split.about["decisions"] == []
    assert sorted(split.fold[labels == 0]) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(4))
def test_small_class_kept(seed):
    labels = labels_of(1, 3, 20)
    with np.errstate(all="raise"):
        split = make_split(labels, NAMES, repeat=0, seed=seed, small_classes="keep")
    assert split.fold[labels == 0].tolist() == [Split.TRAIN_ONLY]
    kept = split.fold[labels == 1]
    assert len(set(kept.tolist())) == 3
    assert (kept >= 0).all()
    assert [text.split(":")[1] for text in split.about["decisions"]] == [
        " its row is in every training set and never tested.",
        " it is tested in 3 folds, one row in each.",
    ]
    for k in range(5):
        train, _ = split.rows(k)
        assert set(labels[train]) == {0, 1, 2}


@pytest.mark.filterwarnings("error")
def test_kept_classes_give_no_warning():
    make_split(labels_of(2, 3, 20), NAMES, repeat=0, seed=0, small_classes="keep")


def test_no_class_is_large_enough():
    with pytest.raises(InputError, match="no class has 5 members; lower folds"):
        make_split(labels_of(3, 4), NAMES[:2], repeat=0, seed=0, small_classes="keep")
    with pytest.raises(InputError, match="fewer than two classes"):
        make_split(labels_of(3, 10), NAMES[:2], repeat=0, seed=0, small_classes="drop")


def test_class_without_rows_is_ignored():
    split = make_split(labels_of(10, 0, 10), NAMES, repeat=0, seed=0)
    assert split.about["decisions"] == []


def test_holdout():
    labels = labels_of(50, 30, 20)
    settings = {"scheme": "holdout", "test_fraction": 0.3}
    split = make_split(labels, NAMES, repeat=2, seed=3, **settings)
    train, test = split.rows(0)
    assert split.n_folds == 1
    assert len(train) == 70
    assert np.bincount(labels[test]).tolist() == [15, 9, 6]
    assert set(split.fold[train]) == {Split.TRAIN_ONLY}


def test_holdout_of_tiny_data():
    settings = {"scheme": "holdout", "test_fraction": 0.1}
    with pytest.raises(InputError, match=r"holds out 1 of 6 rows, .* hold the 2 classes"):
        make_split(labels_of(3, 3), NAMES[:2], repeat=0, seed=0, **settings)
    settings["small_classes"] = "keep"
    split = make_split(labels_of(1, 20, 20), NAMES, repeat=0, seed=0, **settings)
    assert (split.fold == Split.TRAIN_ONLY).sum() == 37
    with pytest.raises(InputError, match="has 1 member, fewer than the 2 a split needs"):
        make_split(labels_of(1, 20, 20), NAMES, repeat=0, seed=0, scheme="holdout")


def test_fixed_follows_the_authors():
    labels = np.array([0, 1, 0, 1, 2, 0])
    theirs = np.array([0, 0, 1, 0, 1, 0])
    split = make_split(labels, NAMES, repeat=0, seed=0, fixed_fold=theirs, scheme="fixed")
    train, test = split.rows(0)
    assert train.tolist() == [0, 1, 3, 5]
    assert test.tolist() == [2, 4]
    assert split.about["decisions"] == [
        "class 'leaf' has no training row in the authors' split: its 1 test rows cannot be "
        "predicted correctly."
    ]


def test_fixed_needs_their_split():
    with pytest.raises(InputError, match="needs the authors' split, but the data set has none"):
        make_split(labels_of(5, 5), NAMES[:2], repeat=0, seed=0, scheme="fixed")
    with pytest.raises(InputError, match="no test rows"):
        make_split(labels_of(5, 5), NAMES[:2], 0, 0, fixed_fold=np.zeros(10, int), scheme="fixed")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"scheme": "loo"}, "scheme = 'loo'; give one of"),
        ({"small_classes": "merge"}, "small_classes = 'merge'; give one of"),
        ({"folds": 1}, "folds = 1; give an integer >= 2"),
        ({"test_fraction": 1.0}, "test_fraction = 1.0"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(InputError, match=message):
        make_split(labels_of(10, 10), NAMES[:2], repeat=0, seed=0, **settings)


def test_a_class_that_a_holdout_never_tests_is_an_error_or_is_told():
    labels = labels_of(60, 37, 3)
    settings = {"scheme": "holdout", "test_fraction": 0.1}
    with pytest.raises(InputError, match="none of the 3 rows of class 'leaf' is tested"):
        make_split(labels, NAMES, 0, 0, **settings)
    split = make_split(labels, NAMES, 0, 0, **(settings | {"small_classes": "keep"}))
    assert 2 not in labels[split.fold == 0]
    assert split.about["decisions"] == ["None of the 3 rows of class 'leaf' is tested."]


def test_kfold_has_the_folds_of_scikit_learn_and_ignores_classes():
    labels = np.repeat([0, 1], [28, 2])
    found = make_split(
        labels, ("a", "b"), repeat=1, seed=9, scheme="kfold", folds=3, random_state=4
    ).fold
    expected = KFold(3, shuffle=True, random_state=5).split(labels[:, None])
    for k, (_, left_out) in enumerate(expected):
        assert np.flatnonzero(found == k).tolist() == left_out.tolist()
