"""Columns of a table are standardised before distances are measured, unless told otherwise."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from cases import each_of
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler

from noneuclid import Hydra, LiftedPCA, PoincareMap, RefinedHydra, UMAPEmbedding
from noneuclid.embeddings import feature_scaling, maps
from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset
from noneuclid_compare.stages import embed as stage

# A few iterations of a descent tell what it was given.
pytestmark = pytest.mark.filterwarnings("ignore:L-BFGS stopped")
MODULES = {cls.name: cls for cls in (LiftedPCA, Hydra, RefinedHydra, PoincareMap)}
FAST = {"poincare_maps": {"max_iter": 5}, "refined_hydra": {"max_iter": 5}}
RNG = np.random.default_rng(3)
FEATURES = RNG.normal(size=(40, 4))
UNITS = np.array([1.0, 1e4, 1e-3, 10.0])
NARROW = FEATURES * [1, 3, 0.5, 2]


def data(features=FEATURES, kind="features"):
    return Dataset("t.csv", kind, np.arange(len(features)) % 2, ("a", "b"), features=features)


def embedded(name, dataset, **settings):
    return embed(MODULES[name], dataset, 0, **(FAST.get(name, {}) | settings))


@pytest.mark.parametrize("name", MODULES)
def test_a_table_is_embedded_alike_in_any_units(name):
    one = embedded(name, data())
    other = embedded(name, data(FEATURES * UNITS + 1 / UNITS))
    np.testing.assert_allclose(one.points, other.points, atol=1e-6)
    assert one.about["embedding"]["settings"]["standardize"] is True
    by_hand = data(StandardScaler().fit_transform(FEATURES))
    found = embedded(name, by_hand, standardize=False)
    np.testing.assert_allclose(one.points, found.points, atol=1e-6)


@each_of("name", MODULES)
@each_of("kind", ["expression", "images"])
def test_features_of_one_unit_stay_as_they_are(name, kind):
    found = embedded(name, data(NARROW, kind))
    assert found.about["embedding"]["settings"]["standardize"] is False
    plain = embedded(name, data(NARROW), standardize=False)
    np.testing.assert_array_equal(found.points, plain.points)
    asked = embedded(name, data(NARROW, kind), standardize=True)
    np.testing.assert_allclose(asked.points, embedded(name, data()).points, atol=1e-6)


def test_a_graph_has_nothing_to_standardise():
    graph = karate.load({}, 0)
    for given in ("auto", True):
        found = embed(Hydra, graph, 0, standardize=given)
        assert found.about["embedding"]["settings"]["standardize"] is False


@each_of("name", MODULES)
@each_of("given", ["yes", 1, None])
def test_another_choice_is_refused(name, given):
    with pytest.raises(InputError, match=f"standardize = {given!r}; give true, false or auto"):
        embedded(name, data(), standardize=given)


@pytest.mark.parametrize("size", [1e-200, 1e-300, 1e99])
def test_deviations_of_features_far_from_one(size):
    np.testing.assert_allclose(maps.deviations(size * FEATURES) / size, FEATURES.std(axis=0))
    points = embed(LiftedPCA, data(size * FEATURES), 0).points
    np.testing.assert_allclose(points, embed(LiftedPCA, data(), 0).points, atol=1e-9)


def test_constant_columns_stay():
    scale = feature_scaling.choose_scale(np.c_[FEATURES, np.full(40, 7.1)], True, "")
    assert np.abs(scale(np.c_[FEATURES, np.full(40, 7.1)])[:, 4]).max() < 1e-12


def test_new_rows_are_scaled_as_the_old_ones():
    dataset = data(FEATURES * UNITS)
    found = embed(LiftedPCA, dataset, 0)
    np.testing.assert_allclose(found.rule.place(dataset.features), found.points, atol=1e-9)
    placed = []
    for units in (1.0, UNITS):
        model = PoincareMap(max_iter=5, standardize=True, random_state=0)
        model.fit(FEATURES * units)
        placed.append(model.transform(FEATURES[:3] * units + 0.01 * units))
    np.testing.assert_allclose(*placed, atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "settings", "said"),
    [
        ("features", "{}", True),
        ("features", '{"standardize": false}', False),
        ("expression", "{}", False),
    ],
)
def test_the_log_says_when_columns_are_standardised(tmp_path, capsys, kind, settings, said):
    io.write_record(tmp_path / "d.npz", data(kind=kind))
    arguments = ["--dataset", tmp_path / "d.npz", "--name", "pca", "--seed", 0]
    arguments += ["--use", "lifted_pca", "--params", settings]
    arguments += ["--output", tmp_path / "e.npz", "--map", tmp_path / "m.npz"]
    arguments += ["--card", tmp_path / "e.json"]
    stage.main([str(word) for word in arguments])
    line = "note: features of t.csv are divided by their standard deviations"
    assert (line in capsys.readouterr().err) is said


def test_wine_by_default():
    wine = load_wine()
    dataset = replace(data(wine.data), labels=wine.target, class_names=tuple(wine.target_names))

    def accuracy(**settings):
        points = embed(LiftedPCA, dataset, 0, **settings).points
        return cross_val_score(LogisticRegression(), points, wine.target).mean()

    assert accuracy() > 0.95
    # Of 13 columns one, proline, is nearly all of the first component.
    assert accuracy(standardize=False) < 0.75


def test_umap_reads_standardised_columns(monkeypatch):
    class Flat:
        def __init__(self, **settings):
            pass

        def fit_transform(self, features):
            return features[:, :2]

    monkeypatch.setitem(sys.modules, "umap", SimpleNamespace(UMAP=Flat))
    one, other = (embed(UMAPEmbedding, data(FEATURES * units), 0) for units in (1.0, UNITS))
    np.testing.assert_allclose(one.points, other.points, atol=1e-9)
    assert one.about["embedding"]["distortion"] == pytest.approx(
        other.about["embedding"]["distortion"]
    )
    plain = embed(UMAPEmbedding, data(FEATURES * UNITS, "expression"), 0)
    assert plain.about["embedding"]["settings"]["standardize"] is False


def test_a_constant_column_of_any_size_moves_nobody():
    """Files write missing values as 1e30; a rounded mean would leave a rest of 1e14."""
    table = data(np.column_stack([FEATURES, np.full(len(FEATURES), 1e30 / 3)]))
    embedded = embed(LiftedPCA, table, 0)
    found = embedded.rule.place(table.features)
    np.testing.assert_allclose(found, embedded.points, atol=1e-9)
