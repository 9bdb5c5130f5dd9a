"""Many small fits: nothing is compiled again, and no memory is kept."""

import resource
import sys

import numpy as np
import pytest
from cases import each_of
from numba.extending import is_jitted
from sklearn.base import clone

import noneuclid
from noneuclid import HyperbolicLogisticRegression

MODELS = [
    noneuclid.PoincareSVC(),
    noneuclid.HyperboloidSVC(),
    noneuclid.EuclideanSVC(),
    noneuclid.PoincarePerceptron(max_iter=3),
    noneuclid.PoincareSecondOrderPerceptron(max_iter=3),
    noneuclid.HyperboloidPerceptron(max_iter=3),
    HyperbolicLogisticRegression(),
    noneuclid.HorosphereDecisionTreeClassifier(max_depth=2),
    noneuclid.HyperbolicKernelSVC(),
    noneuclid.WrappedNormalClassifier(),
    noneuclid.GeodesicKNeighborsClassifier(),
]
QUIET = pytest.mark.filterwarnings("ignore")


def cloud(seed, n=40):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return 1.5 * rng.normal(size=(3, 2))[y] + rng.normal(size=(n, 2)), y


def compiled():
    """Signatures of all compiled functions of the package."""
    modules = [module for name, module in sys.modules.items() if name.startswith("noneuclid.")]
    functions = {one for module in modules for one in vars(module).values() if is_jitted(one)}
    return {(one.__module__, one.__name__, s) for one in functions for s in one.signatures}


@QUIET
@each_of("model", MODELS, ids=lambda model: type(model).__name__)
def test_other_layouts_and_types_compile_nothing_again(model):
    X, y = cloud(0)
    weights = np.ones(len(y))
    for settings in ((X, y), (X, y, weights)):
        if len(settings) == 3 and "KNeighbors" in type(model).__name__:
            continue
        clone(model).fit(*settings).predict(X)
    before = compiled()
    names = np.array(["a", "b", "c"])
    for data, labels in (
        (np.asfortranarray(X), y),
        (X.astype(np.float32), y.astype(np.int8)),
        (X[::-1], names[y]),
        (X.tolist(), y.tolist()),
    ):
        clone(model).fit(data, labels).predict(data)
    assert compiled() == before


@QUIET
@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_ten_thousand_fits_keep_no_memory(model):
    data = [cloud(seed) for seed in range(10)]
    for k in range(1000):
        model.fit(*data[k % 10]).predict(data[k % 10][0])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for k in range(9000):
        model.fit(*data[k % 10])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3000  # kB


def test_a_warm_start_goes_on_from_the_last_fit():
    X, y = cloud(1, 300)
    cold = HyperbolicLogisticRegression(C=2.0).fit(X, y)
    warm = HyperbolicLogisticRegression(C=1.9, warm_start=True).fit(X, y)
    warm.set_params(C=2.0).fit(X, y)
    assert warm.objective_ == pytest.approx(cold.objective_, rel=1e-6)
    assert warm.n_iter_ < cold.n_iter_
    np.testing.assert_allclose(warm.predict_proba(X), cold.predict_proba(X), atol=1e-3)
    # Other rows have another mean, and two classes another number of hyperplanes.
    for rows in (slice(0, 200), y < 2):
        alone = HyperbolicLogisticRegression(C=2.0).fit(X[rows], y[rows])
        again = warm.fit(X[rows], y[rows])
        assert again.n_iter_ == alone.n_iter_
        assert again.objective_ == alone.objective_
