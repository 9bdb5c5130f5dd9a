"""Several jobs give the same model; progress is shown on demand."""

import joblib
import numpy as np
import pytest
from cases import each_of
from clouds import ring_clouds
from sklearn.base import clone

import noneuclid
from noneuclid.solvers import progress

# The processes of joblib are started once.
pytestmark = pytest.mark.xdist_group("parallel")
QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
SEVERAL = [
    noneuclid.HyperboloidSVC(calibration="distance_cv"),
    noneuclid.HyperboloidSVC(solver="sdp", multi_class="ovo"),
    noneuclid.PoincareSVC(multi_class="ovo"),
    noneuclid.PoincareSVC(solver="sgd", loss="hinge", max_iter=30, calibration="platt_cv"),
    noneuclid.EuclideanSVC(loss="hinge"),
    noneuclid.HilbertSVC(chart="tangent", tol=0.1),
    noneuclid.PoincarePerceptron(max_iter=10),
    noneuclid.PoincareSecondOrderPerceptron(max_iter=10),
    noneuclid.PoincareStrategicPerceptron(max_iter=10),
    noneuclid.HyperboloidPerceptron(max_iter=10, multi_class="ovo"),
    noneuclid.WeberPerceptron(max_iter=10),
    noneuclid.HorosphereForestClassifier(n_estimators=3, max_depth=3),
]
SINGLE = [
    noneuclid.HyperbolicLogisticRegression(),
    noneuclid.HilbertNearestClassifier(chart="tangent"),
    noneuclid.HorosphereDecisionTreeClassifier(max_depth=3),
]


def with_seed(model):
    return clone(model).set_params(random_state=0)


def arrays_of(model):
    found = {k: np.asarray(v) for k, v in vars(model).items() if k.endswith("_") and k != "trees_"}
    for i, tree in enumerate(getattr(model, "trees_", [])):
        found |= {f"{i} {name}": value for name, value in vars(tree).items()}
    return found


def names(estimators):
    return [f"{type(e).__name__} {getattr(e, 'multi_class', '')}" for e in estimators]


def fitted_arrays(model, X, y):
    return arrays_of(with_seed(model).fit(X, y))


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_the_hyperboloid_svm_has_the_same_digits_for_any_number_of_jobs(multi_class):
    X, y = ring_clouds(classes=5, spread=0.6)
    model = noneuclid.HyperboloidSVC(C=10.0, multi_class=multi_class)
    expected = fitted_arrays(model, X, y)
    for n_jobs in (1, 2, 3):
        found = fitted_arrays(clone(model).set_params(n_jobs=n_jobs), X, y)
        assert found.keys() == expected.keys()
        for name, value in expected.items():
            np.testing.assert_array_equal(found[name], value, err_msg=name)


@each_of("model", SEVERAL, ids=names(SEVERAL))
def test_one_parameter_sets_the_jobs_of_every_classifier_with_independent_parts(model):
    assert model.get_params()["n_jobs"] is None


@QUIET
@each_of("model", SEVERAL, ids=names(SEVERAL))
def test_jobs_do_not_change_the_model(model):
    X, y = ring_clouds(classes=4, spread=0.6)
    expected = fitted_arrays(model, X, y)
    with joblib.parallel_config(n_jobs=2):
        found = fitted_arrays(model, X, y)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_array_equal(found[name], value, err_msg=name)


@QUIET
def test_a_parameter_sets_the_number_of_jobs(monkeypatch):
    X, y = ring_clouds(classes=4)
    given = []
    real = noneuclid.classifiers.parallel.Parallel
    record = lambda **settings: given.append(settings.get("n_jobs")) or real(**settings)  # noqa: E731
    monkeypatch.setattr(noneuclid.classifiers.parallel, "Parallel", record)
    noneuclid.PoincareSVC(n_jobs=2, reference_point="origin").fit(X, y)
    count = len(given)
    noneuclid.HyperboloidSVC(n_jobs=3).fit(X, y)
    assert set(given[:count]) == {None, 2}  # None: the verbosity of the context is read
    assert set(given[count:]) == {None, 3}


def test_jobs_report_the_error_of_a_problem():
    X, y = ring_clouds(classes=3, spread=2.0)
    model = noneuclid.HilbertSVC(chart="tangent", margin="hard", n_jobs=2)
    with pytest.raises(noneuclid.errors.InputError, match="no hyperplane separates"):
        model.fit(X, y)


@QUIET
@each_of("model", [*SEVERAL, *SINGLE], ids=names([*SEVERAL, *SINGLE]))
def test_progress_is_shown_on_demand_only(model, capsys, monkeypatch):
    monkeypatch.setattr(progress, "_QUICK", 0)
    X, y = ring_clouds(classes=3)
    with_seed_or_not = with_seed(model) if "random_state" in model.get_params() else clone(model)
    with_seed_or_not.fit(X, y)
    assert capsys.readouterr() == ("", "")
    if isinstance(model, noneuclid.HyperboloidSVC):
        with joblib.parallel_config(verbose=1):
            with_seed_or_not.fit(X, y)
    else:
        with_seed_or_not.set_params(verbose=1).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    several = model not in SINGLE
    assert (type(model).__name__ in err) == (several or hasattr(model, "n_candidates"))
    assert err
