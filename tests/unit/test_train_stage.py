import numpy as np
import pytest

from noneuclid.contracts import Embedded, InputError, Split
from noneuclid.stages.train import check_unseen


def embedded(**about):
    return Embedded(
        points=np.zeros((4, 2)),
        chart="tangent",
        labels=np.array([0, 1, 0, 1]),
        class_names=("a", "b"),
        fixed_fold=np.array([0, 0, 1, 1]),
        about={"embedding": {"name": "images", **about}},
    )


def test_rows_whose_labels_the_embedding_read_are_not_tested():
    with pytest.raises(InputError, match=r"images has read labels .*scheme: fixed"):
        check_unseen(embedded(reads_labels=True), Split(np.array([0, 1, 0, 1])))


@pytest.mark.parametrize(
    ("about", "fold"),
    [
        ({"reads_labels": True}, [-1, -1, 0, 0]),
        ({"reads_labels": True, "transductive": True}, [0, 1, 0, 1]),
        ({}, [0, 1, 0, 1]),
    ],
)
def test_other_folds_pass(about, fold):
    check_unseen(embedded(**about), Split(np.array(fold)))
