"""A program of a user, for the type checker: it is never run."""

from typing import assert_type

import numpy as np

import noneuclid
from noneuclid import HilbertSVC, HyperboloidSVC, PoincarePerceptron, Polytope

X = np.zeros((4, 2))
y = ["a", "b", "a", "b"]


def fit_and_predict() -> np.ndarray:
    model = HyperboloidSVC(C=10.0, chart="poincare", class_weight={"a": 2.0}).fit(X, y)
    assert_type(model, HyperboloidSVC)
    assert_type(model.predict(X), np.ndarray)
    assert_type(model.predict_proba(X), np.ndarray)
    return model.decision_function([[0.1, 0.2]])


def parameters_have_types() -> None:
    HyperboloidSVC(C="1")  # type: ignore[arg-type]
    HyperboloidSVC(chart="disk")  # type: ignore[arg-type]
    HyperboloidSVC(c=1.0)  # type: ignore[call-arg]
    HilbertSVC(Polytope.box([0, 0], [1, 1]), n_jobs=2)
    HilbertSVC("cube")  # type: ignore[arg-type]


def built_constructors_have_types() -> None:
    PoincarePerceptron(reference_point=[0.0, 0.0], n_jobs=-1)
    PoincarePerceptron(max_updates="few")  # type: ignore[arg-type]
    noneuclid.PoincareStrategicPerceptron(budget=0.5, verbose=1)
    noneuclid.WeberPerceptron(start=1)  # type: ignore[call-arg]
    noneuclid.HorosphereForestClassifier(n_estimators=10, ccp_alpha=0.1)
    noneuclid.HyperbolicRandomForestClassifier(n_estimators="many")  # type: ignore[arg-type]
    noneuclid.HyperbolicDecisionTreeRegressor(criterion="gini")  # type: ignore[arg-type]
    noneuclid.ProductDecisionTreeClassifier("H2 S2", max_depth=3)
    noneuclid.ProductRandomForestRegressor(3)  # type: ignore[arg-type]


def trees_and_functions() -> str:
    tree = noneuclid.HyperbolicDecisionTreeClassifier(max_depth=2).fit(X, y)
    assert_type(tree, noneuclid.HyperbolicDecisionTreeClassifier)
    assert_type(tree.get_depth(), int)
    for stage in noneuclid.HyperbolicHistGradientBoostingClassifier().fit(X, y).staged_predict(X):
        assert_type(stage, np.ndarray)
    noneuclid.export_text(tree, index="first")  # type: ignore[arg-type]
    return noneuclid.export_text(tree, ["east", "north"])


def clusters_have_types() -> None:
    assert_type(noneuclid.HyperbolicKMeans(3).fit(X), noneuclid.HyperbolicKMeans)
    assert_type(noneuclid.WrappedNormalMixture(2).fit(X).bic(X), float)
    noneuclid.HyperbolicKMedoids(method="pam")  # type: ignore[arg-type]


def geometry_has_types() -> None:
    assert_type(noneuclid.geometry.distance(X, X, chart="half_space"), np.ndarray)
    assert_type(noneuclid.geometry.random_isometry(2, 1.0), noneuclid.geometry.Isometry)
    noneuclid.geometry.frechet_mean(X, chart="disk")  # type: ignore[arg-type]


def unknown_names_are_errors() -> None:
    noneuclid.PoincareSVM()  # type: ignore[attr-defined]
