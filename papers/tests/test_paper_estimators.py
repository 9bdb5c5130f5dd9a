"""The papers' programs are estimators of scikit-learn, with their own settings alone."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
import sklearn
from cases import each_of
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from noneuclid_compare.config import load_by_name, registry
from noneuclid_papers.programs import cho2019, yang2024

ESTIMATORS = [
    cho2019.ReleasedPGD(),
    yang2024.PublishedPGD(),
    yang2024.ReleasedPGD(),
    yang2024.ReleasedSDP(),
    yang2024.ReleasedMoment(ball=True),
]
NAMES = [f"{type(e).__module__.rpartition('.')[2]}.{type(e).__name__}" for e in ESTIMATORS]


def blobs(classes=2):
    rng = np.random.default_rng(0)
    y = np.arange(24) % classes
    angle = 2 * np.pi * y / classes
    return np.column_stack([np.cos(angle), np.sin(angle)]) + 0.3 * rng.normal(size=(24, 2)), y


def quiet(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*data)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)
def test_settings_are_those_of_the_constructor(estimator):
    changed = clone(estimator).set_params(C=0.25, chart="klein")
    again = clone(changed)
    assert again.get_params() == changed.get_params()
    assert again.C == 0.25
    assert set(changed.get_params()) == set(inspect.signature(type(changed)).parameters)
    for name in ("solver", "robust_radius", "start", "extraction", "variant", "labels"):
        assert name not in changed.get_params()
    (use,) = (
        use
        for use in registry.shipped("method")
        if registry.path_of(use, "method").endswith(type(estimator).__qualname__)
        and type(estimator).__module__ in registry.path_of(use, "method")
    )
    built = load_by_name.build(use, {"C": 2.0}, chart="poincare", random_state=3)
    assert (built.C, built.chart, built.random_state) == (2.0, "poincare", 3)


@each_of("classes", [2, 3])
@each_of("estimator", ESTIMATORS, ids=NAMES)
def test_fits_search_and_survive_pickling(estimator, classes):
    X, y = blobs(classes)
    model = quiet(clone(estimator).set_params(random_state=0), X, y)
    assert model.predict_proba(X).shape == (24, classes)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    with sklearn.config_context(skip_parameter_validation=False):
        for wrong in ({"C": -1.0}, {"chart": "flat"}, {"max_iter": 0}, {"byte_labels": "yes"}):
            if set(wrong) <= set(model.get_params()):
                with pytest.raises(ValueError, match=next(iter(wrong))):
                    clone(model).set_params(**wrong).fit(X, y)
    if classes == 2:
        search = GridSearchCV(clone(estimator), {"C": [0.5, 2.0]}, cv=2)
        assert quiet(search, X, y).best_params_["C"] in (0.5, 2.0)


def test_objective_has_the_loss_and_the_signs_of_the_program():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 2)) + 1.5 * y[:, None]
    for kind in (yang2024.ReleasedSDP, yang2024.ReleasedMoment, yang2024.ReleasedPGD):
        for byte_labels in (False, True):
            model = kind(C=2.0, byte_labels=byte_labels, chart="tangent", random_state=0)
            found = quiet(model, X, y).objective(X, y)
            np.testing.assert_allclose(found, [model.objective_], rtol=1e-9, atol=1e-12)
