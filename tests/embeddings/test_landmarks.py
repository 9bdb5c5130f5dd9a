"""Hydra and Poincaré maps with landmarks: what all rows give, rules for rows, refusals."""

import networkx as nx
import numpy as np
import pytest
from scipy.stats import spearmanr

from noneuclid import Hydra, PoincareMap, RefinedHydra
from noneuclid.embeddings import hydra
from noneuclid.embeddings.accessibility import attach_nodes
from noneuclid.embeddings.forest_map import LinearForestMap
from noneuclid.embeddings.neighbour_kernel import edge_weights, forest_of_features
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz

RNG = np.random.default_rng(2)
BRANCH = np.arange(150) % 3
X = np.eye(5)[BRANCH] * RNG.uniform(0, 10, size=(150, 1)) + 0.2 * RNG.normal(size=(150, 5))
LARGE = {"chart": "hyperboloid", "random_state": 0, "n_neighbors": 6}
LINEAR = LARGE | {"out_of_sample": "linear", "max_iter": 100}
pytestmark = pytest.mark.filterwarnings("ignore:L-BFGS stopped")


def test_all_rows_as_landmarks_are_the_embedding_without_them():
    plain = Hydra(**LARGE).fit_transform(X)
    found = Hydra(**LARGE, n_landmarks=150).fit_transform(X)
    assert lorentz.distance(plain, found).max() < 1e-6


@pytest.mark.parametrize("model", [Hydra(**LARGE), PoincareMap(**LINEAR)], ids=["hydra", "linear"])
def test_landmarks_keep_the_distances_of_all_rows(model):
    full = Hydra(**LARGE).fit_transform(X)
    model = model.set_params(n_landmarks=60).fit(X)
    upper = np.triu_indices(150, 1)
    one, other = (lorentz.pairwise_distances(p)[upper] for p in (full, model.embedding_))
    assert spearmanr(one, other).statistic > 0.85
    assert model.report_["n_landmarks"] == 60
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-9)
    alone = np.concatenate([model.transform(row[None]) for row in X[:5]])
    np.testing.assert_array_equal(alone, model.transform(X[:5]))


def test_similarities_of_a_row_are_those_of_the_larger_graph():
    matrix, _ = forest_of_features(X, 6, 1.0)
    inverse = np.linalg.inv(matrix.toarray())
    points = lorentz.from_spatial(RNG.normal(size=(150, 2)))
    options = {"n_neighbors": 6, "sigma": 1.0, "kernel": "exponential", "gamma": 2.0}
    rule = LinearForestMap(rows=X, inverse=inverse, points=points, **options)
    row, levels = X[3] + 0.1, RNG.normal(size=150)
    gaps = np.linalg.norm(X - row, axis=1)
    ends = np.argsort(gaps)[:6]
    weights = edge_weights(gaps[ends], 1.0, 5)
    wanted = attach_nodes(matrix, ends[None], weights[None])[0]
    level = weights @ levels[ends] / weights.sum()
    expected = np.maximum(-(np.log(wanted) + level) / 2.0, 0.0)
    np.testing.assert_allclose(rule._distances(row, levels), expected, atol=1e-6)


def test_rows_far_from_the_landmarks_keep_their_direction():
    model = PoincareMap(**LINEAR, n_landmarks=60).fit(X)
    middle = X.mean(axis=0)
    centres = np.array([X[k == BRANCH].mean(axis=0) for k in range(3)])
    far = model.transform(middle + 25 * (centres - middle))
    nearest = lorentz.pairwise_distances(far, model.embedding_).argmin(axis=1)
    np.testing.assert_array_equal(BRANCH[nearest], range(3))


def test_landmarks_that_are_equal_are_named():
    rows = np.r_[np.zeros((395, 5)), X[:5]]
    with pytest.raises(InputError, match=r"1 different rows .*; raise n_landmarks, or lower"):
        Hydra(**LARGE, n_landmarks=10).fit(rows)


def test_too_many_rows_are_sent_to_landmarks(monkeypatch):
    monkeypatch.setattr(hydra, "MAX_ROWS", 100)
    with pytest.raises(InputError, match=r"150 rows need .* use hydra with n_landmarks: 1000"):
        Hydra(**LARGE).fit(X)
    with pytest.raises(InputError, match="use hydra with n_landmarks"):
        RefinedHydra(random_state=0).fit(X)
    assert len(Hydra(**LARGE, n_landmarks=50).fit_transform(X)) == 150
    with pytest.raises(InputError, match=r"n_landmarks = 101; give an integer in \[3, 100\]"):
        Hydra(**LARGE, n_landmarks=101).fit(X)
    with pytest.raises(InputError, match="n_landmarks is for rows of features, not for a graph"):
        Hydra(n_landmarks=10).fit(nx.karate_club_graph())


def test_settings_of_linear_placing_are_checked(monkeypatch):
    with pytest.raises(InputError, match="a root is for out_of_sample: descent; leave it out"):
        PoincareMap(**LINEAR, root=3).fit(X)
    with pytest.raises(InputError, match="out_of_sample = 'near'; give one of descent, linear"):
        PoincareMap(out_of_sample="near").fit(X)
    monkeypatch.setattr("noneuclid.embeddings.poincare_maps._MAX_COLUMNS", 1000)
    with pytest.raises(InputError, match=r"similarities of 150 rows .* use out_of_sample: linear"):
        PoincareMap(**LARGE, n_landmarks=50).fit(X)
