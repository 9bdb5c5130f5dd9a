"""Classifiers for data in hyperbolic, Hilbert and Funk geometry.

Public names load lazily (PEP 562): importing one classifier imports neither the
others nor scanpy nor plotting.
"""

from importlib import import_module

_MODULE_OF = {
    "BinaryFit": "classifiers.base",
    "ConformalClassifier": "classifiers.conformal_classifier",
    "EuclideanSVC": "classifiers.euclidean_svm",
    "GeodesicKNeighborsClassifier": "classifiers.geodesic_neighbours",
    "GeodesicKNeighborsRegressor": "classifiers.geodesic_neighbours",
    "HedgedClassifier": "classifiers.hedged_classifier",
    "HilbertNearestClassifier": "classifiers.hilbert_nearest",
    "HorosphereDecisionTreeClassifier": "classifiers.horosphere_trees",
    "HorosphereForestClassifier": "classifiers.horosphere_trees",
    "HilbertSVC": "classifiers.hilbert_svm",
    "HyperbolicDecisionTreeClassifier": "classifiers.hyperbolic_trees",
    "HyperbolicDecisionTreeRegressor": "classifiers.hyperbolic_trees",
    "HyperbolicExtraTreesClassifier": "classifiers.hyperbolic_trees",
    "HyperbolicExtraTreesRegressor": "classifiers.hyperbolic_trees",
    "HyperbolicGaussianProcessClassifier": "classifiers.hyperbolic_gaussian_process",
    "HyperbolicGaussianProcessRegressor": "classifiers.hyperbolic_gaussian_process_regressor",
    "HyperbolicHistGradientBoostingClassifier": "classifiers.hyperbolic_boosting",
    "HyperbolicHistGradientBoostingRegressor": "classifiers.hyperbolic_boosting",
    "HyperbolicKernel": "classifiers.hyperbolic_kernel",
    "HyperbolicKernelRidge": "classifiers.hyperbolic_kernel_ridge",
    "HyperbolicKernelSVC": "classifiers.hyperbolic_kernel_svm",
    "HyperbolicLogisticRegression": "classifiers.hyperbolic_logistic",
    "HyperbolicNystroem": "classifiers.hyperbolic_nystroem",
    "HyperbolicNystroemClassifier": "classifiers.hyperbolic_nystroem_classifier",
    "HyperbolicRandomForestClassifier": "classifiers.hyperbolic_trees",
    "HyperbolicRandomForestRegressor": "classifiers.hyperbolic_trees",
    "HyperboloidPerceptron": "classifiers.hyperboloid_perceptron",
    "HyperboloidSVC": "classifiers.hyperboloid_svm",
    "MarginClassifier": "classifiers.base",
    "NearestFrechetMeanClassifier": "classifiers.nearest_frechet_mean",
    "PoincarePerceptron": "classifiers.poincare_perceptron",
    "PoincareSVC": "classifiers.poincare_svm",
    "PoincareSecondOrderPerceptron": "classifiers.poincare_second_order",
    "PoincareStrategicPerceptron": "classifiers.poincare_strategic",
    "PoincareDiskDisplay": "plots.disk_display",
    "Polytope": "geometry.polytope",
    "ProductSpaceDisplay": "plots.product_display",
    "ProductCoordinates": "classifiers.product_coordinates",
    "ProductDecisionTreeClassifier": "classifiers.product_trees",
    "ProductDecisionTreeRegressor": "classifiers.product_trees",
    "ProductExtraTreesClassifier": "classifiers.product_trees",
    "ProductExtraTreesRegressor": "classifiers.product_trees",
    "ProductKernel": "classifiers.product_kernel",
    "ProductKernelSVC": "classifiers.product_kernel_svm",
    "ProductPerceptron": "classifiers.product_perceptron",
    "ProductRandomForestClassifier": "classifiers.product_trees",
    "ProductRandomForestRegressor": "classifiers.product_trees",
    "ProductSVC": "classifiers.product_svm",
    "from_anndata": "interfaces.from_anndata",
    "ShuffledLabelsClassifier": "classifiers.shuffled_labels",
    "SimplexDisplay": "plots.simplex_display",
    "TreeDisplay": "plots.tree_display",
    "WeberPerceptron": "classifiers.weber_perceptron",
    "WrappedNormalClassifier": "classifiers.wrapped_normal",
    "HyperbolicKMeans": "clustering.hyperbolic_k_means",
    "HyperbolicKMedoids": "clustering.hyperbolic_k_medoids",
    "WrappedNormalMixture": "clustering.wrapped_normal_mixture",
    "HorosphericalPCA": "decomposition.horospherical_pca",
    "PrincipalGeodesicAnalysis": "decomposition.principal_geodesics",
    "DeepWalk": "embeddings.deepwalk",
    "Hydra": "embeddings.hydra",
    "HyperbolicUMAP": "embeddings.hyperbolic_umap",
    "LaBNE": "embeddings.labne",
    "LiftedPCA": "embeddings.lifted_pca",
    "LogRatio": "embeddings.log_ratio",
    "PoincareEmbedding": "embeddings.poincare_embedding",
    "PoincareMap": "embeddings.poincare_maps",
    "ProductEmbedding": "embeddings.product_embedding",
    "ProductUMAP": "embeddings.product_umap",
    "SignatureSearch": "embeddings.signature_search",
    "RandomWalkEmbedding": "embeddings.random_walk",
    "RefinedHydra": "embeddings.refined_hydra",
    "TreeEmbedding": "embeddings.tree_embedding",
    "UMAPEmbedding": "embeddings.umap",
    "ZeroReplacement": "interfaces.zero_replacement",
    "export_text": "classifiers.tree_text",
    "project_to_ball": "geometry.charts",
}

# Modules that are public as a whole.
_MODULES = ("cells", "geometry", "networks")

__all__ = [*_MODULE_OF, *_MODULES]
__version__ = "0.1.0"


def __getattr__(name):
    if name in _MODULE_OF:
        return getattr(import_module(f"noneuclid.{_MODULE_OF[name]}"), name)
    if name in _MODULES:
        return import_module(f"noneuclid.{name}")
    raise AttributeError(f"module 'noneuclid' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *__all__])
