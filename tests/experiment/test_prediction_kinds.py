"""Methods must predict what their data sets have: classes or numbers."""

import pytest

from noneuclid.errors import InputError
from noneuclid.experiment import prediction_kinds


@pytest.mark.parametrize(
    ("use", "params", "kind"),
    [
        ("karate", {}, "classes"),
        ("diabetes", {}, "numbers"),
        ("hyperbolic_position", {}, "numbers"),
        ("table_file", {"label": "y"}, "classes"),
        ("table_file", {"label": "y", "numeric": True}, "numbers"),
        ("array_sample", {"numeric": True}, "numbers"),
        ("graph_file", {}, "classes"),
        ("my_data.py:load", {}, None),
    ],
)
def test_what_a_data_set_asks_for(use, params, kind):
    assert prediction_kinds.kind_of_data({"use": use, "params": params}) == kind


def test_a_method_must_predict_what_its_data_sets_have():
    classes = {f"d{k}": {"use": "karate"} for k in range(5)}
    numbers = {"n": {"use": "diabetes"}}
    own = {"own": {"use": "my.loader"}}
    prediction_kinds.check_kinds("a.SVC", prediction_kinds.CLASSES, classes | own)
    prediction_kinds.check_kinds("a.Ridge", prediction_kinds.NUMBERS, numbers | own)
    with pytest.raises(
        InputError, match="d0, d1, d2 and 2 more has classes to predict: list only classi"
    ):
        prediction_kinds.check_kinds("a.Ridge", prediction_kinds.NUMBERS, numbers | classes)
    with pytest.raises(InputError, match=r"SVC predicts classes, but data set n has numbers"):
        prediction_kinds.check_kinds("a.SVC", prediction_kinds.CLASSES, numbers | classes)
