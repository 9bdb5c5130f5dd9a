"""Methods by name."""

import pytest
from cases import each_of
from sklearn.base import ClassifierMixin

import noneuclid
from noneuclid.embeddings.short_names import TRANSFORMERS
from noneuclid.errors import InputError
from noneuclid.interfaces.methods import build_classifier, build_embedding


@each_of("short", sorted({*TRANSFORMERS} - {"product_embedding", "product_umap"}))
def test_every_embedding_has_a_short_and_a_public_name(short):
    cls = getattr(noneuclid, TRANSFORMERS[short])
    for name in (short, TRANSFORMERS[short], cls):
        model = build_embedding(name, "here")
        assert (type(model), model.random_state, model.chart) == (cls, 0, "poincare")


def test_points_without_a_chart_are_refused():
    for method in ("product_embedding", noneuclid.ProductEmbedding, noneuclid.ProductEmbedding()):
        with pytest.raises(InputError, match="points of ProductEmbedding have no chart; call its"):
            build_embedding(method, "networks.embed")


def test_none_is_a_value():
    assert build_embedding("hydra", "here").n_pcs == 20
    assert build_embedding("hydra", "here", n_pcs=None).n_pcs is None
    assert build_embedding(noneuclid.Hydra(random_state=None), "here").random_state is None


def test_classifiers_are_found_and_others_refused():
    forest = build_classifier("HyperbolicRandomForestClassifier", "here", n_estimators=3)
    assert forest.n_estimators == 3
    for name in ("Hydra", "HyperbolicRandomForestRegressor"):
        with pytest.raises(InputError, match=f"here: unknown method '{name}'; known: EuclideanSVC"):
            build_classifier(name, "here")
    for method in (noneuclid.Hydra(), noneuclid.HyperbolicRandomForestRegressor, 3):
        with pytest.raises(InputError, match="give a name, or an object of a classifier"):
            build_classifier(method, "here")


def test_every_classifier_has_its_name():
    classes = [getattr(noneuclid, name) for name in noneuclid._MODULE_OF]
    found = [cls for cls in classes if isinstance(cls, type) and issubclass(cls, ClassifierMixin)]
    for cls in found:
        if cls is not noneuclid.MarginClassifier:  # a base class
            assert type(build_classifier(cls.__name__, "here")) is cls
