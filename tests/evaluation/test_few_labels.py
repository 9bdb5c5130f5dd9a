"""Few rows of each class to train on, all others to test."""

from pathlib import Path

import numpy as np
import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration
from noneuclid_compare.evaluation.splits import make_split
from noneuclid_compare.records import Split

SCHEMA = Path(__file__).resolve().parents[2] / "workflow/schemas/config.schema.yaml"
NAMES = ("a", "b", "c")
LABELS = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [40, 30, 7]))


def split(number, repeat=0, **settings):
    few = {"scheme": "few_labels", "labels_per_class": number}
    return make_split(LABELS, NAMES, repeat, 0, **few, **settings)


def test_each_class_has_as_many_training_rows_and_all_others_are_tested():
    found = split(5)
    train, test = found.rows(0)
    assert np.bincount(LABELS[train]).tolist() == [5, 5, 5]
    assert np.bincount(LABELS[test]).tolist() == [35, 25, 2]
    assert np.array_equal(np.sort(np.r_[train, test]), np.arange(77))
    assert (found.n_folds, found.about["labels_per_class"]) == (1, 5)
    assert found.about["scheme"] == "few_labels"


def test_repeats_take_the_numbers_in_turn_and_draw_new_rows():
    values = [2, 5, "all"]
    sizes = [len(split(values, repeat).rows(0)[0]) for repeat in range(6)]
    assert sizes == [6, 15, 61] * 2
    assert [split(values, k).about["labels_per_class"] for k in range(3)] == values
    first, again, other = (split(values, repeat).fold for repeat in (0, 0, 3))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_all_is_a_holdout():
    expected = make_split(LABELS, NAMES, 2, 0, scheme="holdout", test_fraction=0.3)
    found = split([2, 5, "all"], 2, test_fraction=0.3)
    np.testing.assert_array_equal(found.fold, expected.fold)


def test_a_class_that_is_too_small():
    with pytest.raises(InputError, match="class 'c' has 7 members, 7 to train on and none to test"):
        split(7)
    assert split(6).fold[LABELS == 2].tolist().count(0) == 1
    kept = split(10, small_classes="keep")
    assert np.bincount(LABELS[kept.rows(0)[0]]).tolist() == [10, 10, 3]
    assert kept.about["decisions"] == [
        "class 'c' has 7 members, 10 to train on and none to test: it trains on 3."
    ]
    dropped = split(10, small_classes="drop")
    assert (dropped.fold[LABELS == 2] == Split.UNUSED).all()
    assert "its rows are not used" in dropped.about["decisions"][0]


def test_a_class_of_one_row_is_never_tested():
    labels = np.array([0] * 9 + [1] * 9 + [2])
    settings = {"scheme": "few_labels", "labels_per_class": 3, "small_classes": "keep"}
    found = make_split(labels, NAMES, 0, 0, **settings)
    assert found.fold[-1] == Split.TRAIN_ONLY
    assert "never tested" in found.about["decisions"][0]


@each_of(
    ("settings", "message"),
    [
        ({"scheme": "few_labels"}, "needs labels_per_class"),
        ({"scheme": "few_labels", "labels_per_class": []}, "needs labels_per_class"),
        ({"scheme": "few_labels", "labels_per_class": 0}, "labels_per_class = 0"),
        ({"scheme": "few_labels", "labels_per_class": ["most"]}, "labels_per_class = 'most'"),
        ({"labels_per_class": 5}, "labels_per_class needs scheme: few_labels"),
        (
            {"scheme": "few_labels", "labels_per_class": 50, "small_classes": "drop"},
            "fewer than two classes have more than 50 rows",
        ),
    ],
)
def test_wrong_settings(settings, message):
    with pytest.raises(InputError, match=message):
        make_split(LABELS, NAMES, 0, 0, **settings)


def configured(**keys):
    return {
        "datasets": {"ball": {"use": "uniform_ball"}},
        "splits": {"scheme": "few_labels", "labels_per_class": [5, 10, "all"]},
        **keys,
    }


def test_repeats_are_a_multiple_of_the_numbers():
    configuration.check(configured(repeats=6), SCHEMA)
    with pytest.raises(InputError, match=r"4 repeats take 3 values .* give repeats: 3 or a mult"):
        configuration.check(configured(repeats=4), SCHEMA)
