import pytest

from noneuclid import registry
from noneuclid.contracts import InputError

SVC = "noneuclid.classifiers.poincare_svm.PoincareSVC"


@pytest.mark.parametrize("name", ["chart", "curvature"])
def test_how_the_data_are_written_is_no_setting(name):
    with pytest.raises(InputError, match=f"{name} says how the data are written"):
        registry.build(SVC, {name: "tangent"}, chart="hyperboloid", curvature=1.0)


def test_context_reaches_the_classes_that_know_it():
    assert registry.build(SVC, {}, chart="klein", curvature=2.0).chart == "klein"
    registry.build("sklearn.dummy.DummyClassifier", {}, chart="klein", curvature=2.0)


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match="cannot be imported"):
        registry.load("noneuclid.classifiers.poincare_svm.Nothing")
    with pytest.raises(InputError, match="has no setting 'c'"):
        registry.build(SVC, {"c": 1})
