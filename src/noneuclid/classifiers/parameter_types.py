"""Types of constructor parameters, for type checkers and editors."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.geometry.product_space import ProductSpace

Chart = Literal["tangent", "poincare", "klein", "hyperboloid"]
Precision = Literal["float32", "float64"]
MultiClass = Literal["ovr", "ovo"]
Platt = Literal["platt", "platt_cv"]
Calibration = Literal["platt", "platt_cv", "distance", "distance_cv"]
ClassWeight = Mapping[Any, float] | Literal["balanced"]
Space = str | ProductSpace
Seed = int | np.random.RandomState
Rule = Literal["auto", "hulls", "hull vertices", "midpoint of means", "best plane", "origin"]
Hinge = Literal["hinge", "squared_hinge"]


class OnlineParameters(TypedDict, total=False):
    """Of every perceptron."""

    max_iter: int
    max_updates: int | Literal["bound", "weber"] | None
    n_iter_no_change: int | Literal["auto"] | None
    average: bool
    shuffle: bool
    class_weight: ClassWeight | None
    multi_class: MultiClass
    calibration: Calibration | None
    chart: Chart | None
    curvature: float
    random_state: Seed | None
    n_jobs: int | None
    verbose: int


class PoincareOnlineParameters(OnlineParameters, total=False):
    """Of the perceptrons with a reference point."""

    reference_point: Rule | ArrayLike


class SecondOrderParameters(PoincareOnlineParameters, total=False):
    """Of `PoincareSecondOrderPerceptron`."""

    alpha: float


class StrategicParameters(PoincareOnlineParameters, total=False):
    """Of `PoincareStrategicPerceptron`."""

    budget: float
    tol: float


class WeberParameters(OnlineParameters, total=False):
    """Of `WeberPerceptron`."""

    init: Literal["zero"] | ArrayLike


class HorosphereParameters(TypedDict, total=False):
    """Of `HorosphereDecisionTreeClassifier`."""

    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_fraction_leaf: float
    splitter: Literal["screened", "best"]
    n_candidates: int
    class_weight: ClassWeight | None
    random_state: Seed | None
    chart: Chart | None
    curvature: float
    ccp_alpha: float
    verbose: int


class HorosphereForestParameters(HorosphereParameters, total=False):
    """Of `HorosphereForestClassifier`."""

    n_estimators: int
    bootstrap: bool
    n_jobs: int | None


class PointParameters(TypedDict, total=False):
    """Of every hyperbolic tree method."""

    chart: Chart | None
    curvature: float
    max_depth: int | None
    min_samples_leaf: int | float
    max_leaf_nodes: int | None
    random_state: Seed | None


class GrownParameters(PointParameters, total=False):
    """Of trees and forests."""

    min_samples_split: int | float
    min_weight_fraction_leaf: float
    max_features: int | float | Literal["sqrt", "log2"] | None
    min_impurity_decrease: float
    ccp_alpha: float


class TreeParameters(GrownParameters, total=False):
    """Of single trees."""

    splitter: Literal["best", "random"]
    precision: Precision


class TreeClassifierParameters(TreeParameters, total=False):
    """Of `HyperbolicDecisionTreeClassifier`."""

    criterion: Literal["gini", "entropy", "log_loss"]
    class_weight: ClassWeight | None


class TreeRegressorParameters(TreeParameters, total=False):
    """Of `HyperbolicDecisionTreeRegressor`."""

    criterion: Literal["squared_error", "friedman_mse", "absolute_error", "poisson"]


class ExtraTreesParameters(GrownParameters, total=False):
    """Of extra trees."""

    n_estimators: int
    bootstrap: bool
    oob_score: bool | Callable[..., float]
    n_jobs: int | None
    verbose: int
    max_samples: int | float | None


class ExtraTreesClassifierParameters(ExtraTreesParameters, total=False):
    """Of `HyperbolicExtraTreesClassifier`."""

    criterion: Literal["gini", "entropy", "log_loss"]
    class_weight: ClassWeight | Literal["balanced_subsample"] | None


class ExtraTreesRegressorParameters(ExtraTreesParameters, total=False):
    """Of `HyperbolicExtraTreesRegressor`."""

    criterion: Literal["squared_error", "friedman_mse", "absolute_error", "poisson"]


class ForestClassifierParameters(ExtraTreesClassifierParameters, total=False):
    """Of `HyperbolicRandomForestClassifier`."""

    precision: Precision


class ForestRegressorParameters(ExtraTreesRegressorParameters, total=False):
    """Of `HyperbolicRandomForestRegressor`."""

    precision: Precision


class BoostingParameters(PointParameters, total=False):
    """Of the boosting methods."""

    learning_rate: float
    max_iter: int
    l2_regularization: float
    max_features: float
    max_bins: int
    early_stopping: bool | Literal["auto"]
    scoring: str | Callable[..., float] | None
    validation_fraction: int | float | None
    n_iter_no_change: int
    tol: float
    verbose: int


class BoostingClassifierParameters(BoostingParameters, total=False):
    """Of `HyperbolicHistGradientBoostingClassifier`."""

    loss: Literal["log_loss"]
    class_weight: ClassWeight | None


class BoostingRegressorParameters(BoostingParameters, total=False):
    """Of `HyperbolicHistGradientBoostingRegressor`."""

    loss: Literal["squared_error", "absolute_error", "gamma", "poisson", "quantile"]
    quantile: float | None


class ProductTreeParameters(TypedDict, total=False):
    """Of `ProductDecisionTreeRegressor`."""

    space: Space | None
    n_features: Literal["auto", "d", "d_choose_2"]
    criterion: str
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    min_weight_fraction_leaf: float
    max_features: int | float | Literal["sqrt", "log2"] | None
    min_impurity_decrease: float
    random_state: Seed | None


class ProductTreeClassifierParameters(ProductTreeParameters, total=False):
    """Of `ProductDecisionTreeClassifier`."""

    class_weight: ClassWeight | None


class ProductForestParameters(ProductTreeParameters, total=False):
    """Of the regression forests on product spaces."""

    n_estimators: int
    bootstrap: bool
    oob_score: bool
    n_jobs: int | None


class ProductForestClassifierParameters(ProductForestParameters, total=False):
    """Of the classification forests on product spaces."""

    class_weight: ClassWeight | None
