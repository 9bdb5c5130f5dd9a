"""Public classifiers and regressors in the settings in which scikit-learn's checks see them.

Beside each are the checks that it fails, with the reason. The other checks hold from scikit-learn
1.6 on.
"""

from noneuclid import (
    EuclideanSVC,
    GeodesicKNeighborsClassifier,
    GeodesicKNeighborsRegressor,
    HilbertNearestClassifier,
    HilbertSVC,
    HorosphereDecisionTreeClassifier,
    HorosphereForestClassifier,
    HorosphericalPCA,
    HyperbolicDecisionTreeClassifier,
    HyperbolicDecisionTreeRegressor,
    HyperbolicExtraTreesClassifier,
    HyperbolicExtraTreesRegressor,
    HyperbolicGaussianProcessClassifier,
    HyperbolicGaussianProcessRegressor,
    HyperbolicHistGradientBoostingClassifier,
    HyperbolicHistGradientBoostingRegressor,
    HyperbolicKernelRidge,
    HyperbolicKernelSVC,
    HyperbolicKMeans,
    HyperbolicKMedoids,
    HyperbolicLogisticRegression,
    HyperbolicNystroem,
    HyperbolicNystroemClassifier,
    HyperbolicRandomForestClassifier,
    HyperbolicRandomForestRegressor,
    HyperboloidPerceptron,
    HyperboloidSVC,
    NearestFrechetMeanClassifier,
    PoincarePerceptron,
    PoincareSecondOrderPerceptron,
    PoincareStrategicPerceptron,
    PoincareSVC,
    PrincipalGeodesicAnalysis,
    ProductCoordinates,
    ProductDecisionTreeClassifier,
    ProductDecisionTreeRegressor,
    ProductExtraTreesClassifier,
    ProductExtraTreesRegressor,
    ProductKernelSVC,
    ProductPerceptron,
    ProductRandomForestClassifier,
    ProductRandomForestRegressor,
    ProductSVC,
    ShuffledLabelsClassifier,
    WeberPerceptron,
    WrappedNormalClassifier,
    WrappedNormalMixture,
)

_WEIGHTS = "check_sample_weight_equivalence_on_dense_data"
_CLASSES = "check_class_weight_classifiers"

ORDER = {_WEIGHTS: "a weight is one long step; repeated rows are mistakes in turn, or none"}
PLACE = {_CLASSES: "the hyperplane passes through a point between the classes, whatever they weigh"}
MISTAKES = {_CLASSES: "mistakes decide, not a weighted loss"}
LOCAL = {_CLASSES: "a local optimum for extreme weights; the default solver passes"}
FOLDS = {_WEIGHTS: "equal rows fall into different folds, a weighted row into one"}
PASSES = {_WEIGHTS: "one row more is another order of all rows; both runs end within the gap"}
DRAWN = {_WEIGHTS: "rows are drawn with replacement; scikit-learn exempts its own forests"}
BINS = {_WEIGHTS: "bins depend on the rows; scikit-learn exempts its own boosting"}
OWN_CLASS = {_CLASSES: "a representative depends on its own class alone, whatever it weighs"}
STARTS = {_WEIGHTS: "rows in another order draw other first centers"}
HILBERT = {
    _WEIGHTS: "equal problems are solved to `tol`, not to 1e-7; test_hilbert_weights.py has bounds",
    _CLASSES: "a spread of 20 gives parts of 1e-20, for which the soft margin does not converge",
}

# The first setting of a class is checked by the usual tests, all by the slow ones.
TABLE = [
    (HyperboloidSVC(solver="local"), LOCAL),
    (HyperboloidSVC(max_iter=200, tol=1e-11), {}),
    (HyperboloidSVC(tol=1e-13, multi_class="ovo", max_iter=200), {}),
    (PoincareSVC(), {}),
    (PoincareSVC(margin="exact", multi_class="ovo", calibration=None), {}),
    (PoincareSVC(loss="hinge", reference_point="midpoint of means", tol=1e-12), {}),
    (PoincareSVC(reference_point="hull vertices", solver="liblinear", tol=1e-12), PLACE),
    (PoincareSVC(solver="sgd", loss="hinge", max_iter=30), PASSES),
    (PoincarePerceptron(), ORDER),
    (PoincarePerceptron(multi_class="ovo", average=False, max_iter=20), ORDER),
    (PoincareSecondOrderPerceptron(max_iter=20), ORDER),
    (PoincareSecondOrderPerceptron(alpha=1.0, multi_class="ovo", max_iter=20), ORDER),
    (PoincareStrategicPerceptron(budget=0.1, max_iter=20), ORDER),
    (HyperboloidPerceptron(max_iter=20), ORDER),
    (WeberPerceptron(max_iter=20), ORDER),
    (HilbertNearestClassifier(chart="tangent"), {}),
    (HilbertNearestClassifier(representative="mean", chart="tangent"), OWN_CLASS),
    (HilbertSVC(chart="tangent", tol=0.1), HILBERT),
    (EuclideanSVC(tol=1e-12), {}),
    (EuclideanSVC(multi_class="ovo", calibration="platt_cv"), FOLDS),
    (ShuffledLabelsClassifier(), {}),
    (HyperbolicLogisticRegression(), {}),
    (HyperbolicKernelSVC(tol=1e-12), {}),
    (HyperbolicKernelSVC(kernel="laplace", multi_class="ovo", tol=1e-12), {}),
    (ProductKernelSVC(tol=1e-12), {}),
    (ProductKernelSVC(kernel="cosh", multi_class="ovo", tol=1e-12), {}),
    (HyperbolicKernelRidge(), {}),
    (HyperbolicGaussianProcessClassifier(optimizer=None), {}),
    (HyperbolicGaussianProcessClassifier(), {}),
    (HyperbolicGaussianProcessRegressor(optimizer=None, noise_level=0.01), {}),
    (HyperbolicGaussianProcessRegressor(noise_level=0.01), {}),
    (HyperbolicNystroemClassifier(), {}),
    (HorosphereDecisionTreeClassifier(), {}),
    (HorosphereForestClassifier(n_estimators=3, max_depth=4), DRAWN),
    (HyperbolicDecisionTreeClassifier(), {}),
    (HyperbolicDecisionTreeClassifier(precision="float64"), {}),
    (HyperbolicDecisionTreeRegressor(), {}),
    (HyperbolicDecisionTreeRegressor(precision="float64"), {}),
    (HyperbolicRandomForestClassifier(n_estimators=5), DRAWN),
    (HyperbolicRandomForestClassifier(n_estimators=5, bootstrap=False), {}),
    (HyperbolicRandomForestClassifier(n_estimators=3, precision="float64"), DRAWN),
    (HyperbolicRandomForestRegressor(n_estimators=5), DRAWN),
    (HyperbolicRandomForestRegressor(n_estimators=3, bootstrap=False, precision="float64"), {}),
    (HyperbolicExtraTreesClassifier(n_estimators=5), {}),
    (HyperbolicExtraTreesRegressor(n_estimators=5), {}),
    (HyperbolicHistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5), BINS),
    (HyperbolicHistGradientBoostingRegressor(max_iter=5, min_samples_leaf=5), BINS),
    (ProductDecisionTreeClassifier(), {}),
    (ProductDecisionTreeClassifier(n_features="d_choose_2", criterion="entropy"), {}),
    (ProductDecisionTreeRegressor(), {}),
    (ProductRandomForestClassifier(n_estimators=5), DRAWN),
    (ProductRandomForestClassifier(n_estimators=5, bootstrap=False), {}),
    (ProductRandomForestRegressor(n_estimators=5), DRAWN),
    (ProductExtraTreesClassifier(n_estimators=5), {}),
    (ProductExtraTreesRegressor(n_estimators=5), {}),
    (WrappedNormalClassifier(), {}),
    (WrappedNormalClassifier(n_components=2, random_state=0), {}),
    (NearestFrechetMeanClassifier(), {}),
    (GeodesicKNeighborsClassifier(), {}),
    (GeodesicKNeighborsClassifier(algorithm="brute", weights="distance"), {}),
    (GeodesicKNeighborsRegressor(weights="distance"), {}),
    (ProductSVC(tol=1e-12), {}),
    (ProductSVC(tol=1e-12, multi_class="ovr"), {}),
    (ProductPerceptron(), ORDER),
]
# Without labels.
UNSUPERVISED_TABLE = [
    (HyperbolicNystroem(n_components=5), {}),
    (HyperbolicNystroem(kernel="laplace"), {}),
    (HyperbolicKMeans(n_clusters=2, random_state=0), STARTS),
    (HyperbolicKMedoids(n_clusters=2, random_state=0), {}),
    (WrappedNormalMixture(), {}),
    (WrappedNormalMixture(n_components=2, random_state=0), STARTS),
    (PrincipalGeodesicAnalysis(n_components=1), {}),
    (HorosphericalPCA(n_components=1), {}),
    (ProductCoordinates(), {}),
]
UNSUPERVISED = [estimator for estimator, _ in UNSUPERVISED_TABLE]
ESTIMATORS = [estimator for estimator, _ in TABLE]
EXPECTED_FAILED_CHECKS = {
    repr(estimator): failures for estimator, failures in TABLE + UNSUPERVISED_TABLE
}
# Passed on some processors, failed on others.
UNDECIDED_CHECKS = {
    HyperboloidPerceptron: MISTAKES,
    PoincareStrategicPerceptron: MISTAKES,
    ProductPerceptron: MISTAKES,
    PoincareSecondOrderPerceptron: {_CLASSES: "classes overlap, and rounding decides the mistakes"},
}
