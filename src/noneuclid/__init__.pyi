"""The public names, for type checkers and editors; `__init__.py` loads them lazily."""

from noneuclid import cells as cells
from noneuclid import geometry as geometry
from noneuclid import networks as networks
from noneuclid.classifiers.base import BinaryFit as BinaryFit
from noneuclid.classifiers.base import MarginClassifier as MarginClassifier
from noneuclid.classifiers.conformal_classifier import ConformalClassifier as ConformalClassifier
from noneuclid.classifiers.euclidean_svm import EuclideanSVC as EuclideanSVC
from noneuclid.classifiers.geodesic_neighbours import (
    GeodesicKNeighborsClassifier as GeodesicKNeighborsClassifier,
)
from noneuclid.classifiers.geodesic_neighbours import (
    GeodesicKNeighborsRegressor as GeodesicKNeighborsRegressor,
)
from noneuclid.classifiers.hedged_classifier import HedgedClassifier as HedgedClassifier
from noneuclid.classifiers.hilbert_nearest import (
    HilbertNearestClassifier as HilbertNearestClassifier,
)
from noneuclid.classifiers.hilbert_svm import HilbertSVC as HilbertSVC
from noneuclid.classifiers.horosphere_trees import (
    HorosphereDecisionTreeClassifier as HorosphereDecisionTreeClassifier,
)
from noneuclid.classifiers.horosphere_trees import (
    HorosphereForestClassifier as HorosphereForestClassifier,
)
from noneuclid.classifiers.hyperbolic_boosting import (
    HyperbolicHistGradientBoostingClassifier as HyperbolicHistGradientBoostingClassifier,
)
from noneuclid.classifiers.hyperbolic_boosting import (
    HyperbolicHistGradientBoostingRegressor as HyperbolicHistGradientBoostingRegressor,
)
from noneuclid.classifiers.hyperbolic_gaussian_process import (
    HyperbolicGaussianProcessClassifier as HyperbolicGaussianProcessClassifier,
)
from noneuclid.classifiers.hyperbolic_gaussian_process_regressor import (
    HyperbolicGaussianProcessRegressor as HyperbolicGaussianProcessRegressor,
)
from noneuclid.classifiers.hyperbolic_kernel import HyperbolicKernel as HyperbolicKernel
from noneuclid.classifiers.hyperbolic_kernel_ridge import (
    HyperbolicKernelRidge as HyperbolicKernelRidge,
)
from noneuclid.classifiers.hyperbolic_kernel_svm import HyperbolicKernelSVC as HyperbolicKernelSVC
from noneuclid.classifiers.hyperbolic_logistic import (
    HyperbolicLogisticRegression as HyperbolicLogisticRegression,
)
from noneuclid.classifiers.hyperbolic_nystroem import HyperbolicNystroem as HyperbolicNystroem
from noneuclid.classifiers.hyperbolic_nystroem_classifier import (
    HyperbolicNystroemClassifier as HyperbolicNystroemClassifier,
)
from noneuclid.classifiers.hyperbolic_trees import (
    HyperbolicDecisionTreeClassifier as HyperbolicDecisionTreeClassifier,
)
from noneuclid.classifiers.hyperbolic_trees import (
    HyperbolicDecisionTreeRegressor as HyperbolicDecisionTreeRegressor,
)
from noneuclid.classifiers.hyperbolic_trees import (
    HyperbolicExtraTreesClassifier as HyperbolicExtraTreesClassifier,
)
from noneuclid.classifiers.hyperbolic_trees import (
    HyperbolicExtraTreesRegressor as HyperbolicExtraTreesRegressor,
)
from noneuclid.classifiers.hyperbolic_trees import (
    HyperbolicRandomForestClassifier as HyperbolicRandomForestClassifier,
)
from noneuclid.classifiers.hyperbolic_trees import (
    HyperbolicRandomForestRegressor as HyperbolicRandomForestRegressor,
)
from noneuclid.classifiers.hyperboloid_perceptron import (
    HyperboloidPerceptron as HyperboloidPerceptron,
)
from noneuclid.classifiers.hyperboloid_svm import HyperboloidSVC as HyperboloidSVC
from noneuclid.classifiers.nearest_frechet_mean import (
    NearestFrechetMeanClassifier as NearestFrechetMeanClassifier,
)
from noneuclid.classifiers.poincare_perceptron import PoincarePerceptron as PoincarePerceptron
from noneuclid.classifiers.poincare_second_order import (
    PoincareSecondOrderPerceptron as PoincareSecondOrderPerceptron,
)
from noneuclid.classifiers.poincare_strategic import (
    PoincareStrategicPerceptron as PoincareStrategicPerceptron,
)
from noneuclid.classifiers.poincare_svm import PoincareSVC as PoincareSVC
from noneuclid.classifiers.product_coordinates import ProductCoordinates as ProductCoordinates
from noneuclid.classifiers.product_kernel import ProductKernel as ProductKernel
from noneuclid.classifiers.product_kernel_svm import ProductKernelSVC as ProductKernelSVC
from noneuclid.classifiers.product_perceptron import ProductPerceptron as ProductPerceptron
from noneuclid.classifiers.product_svm import ProductSVC as ProductSVC
from noneuclid.classifiers.product_trees import (
    ProductDecisionTreeClassifier as ProductDecisionTreeClassifier,
)
from noneuclid.classifiers.product_trees import (
    ProductDecisionTreeRegressor as ProductDecisionTreeRegressor,
)
from noneuclid.classifiers.product_trees import (
    ProductExtraTreesClassifier as ProductExtraTreesClassifier,
)
from noneuclid.classifiers.product_trees import (
    ProductExtraTreesRegressor as ProductExtraTreesRegressor,
)
from noneuclid.classifiers.product_trees import (
    ProductRandomForestClassifier as ProductRandomForestClassifier,
)
from noneuclid.classifiers.product_trees import (
    ProductRandomForestRegressor as ProductRandomForestRegressor,
)
from noneuclid.classifiers.shuffled_labels import (
    ShuffledLabelsClassifier as ShuffledLabelsClassifier,
)
from noneuclid.classifiers.tree_text import export_text as export_text
from noneuclid.classifiers.weber_perceptron import WeberPerceptron as WeberPerceptron
from noneuclid.classifiers.wrapped_normal import (
    WrappedNormalClassifier as WrappedNormalClassifier,
)
from noneuclid.clustering.hyperbolic_k_means import HyperbolicKMeans as HyperbolicKMeans
from noneuclid.clustering.hyperbolic_k_medoids import HyperbolicKMedoids as HyperbolicKMedoids
from noneuclid.clustering.wrapped_normal_mixture import (
    WrappedNormalMixture as WrappedNormalMixture,
)
from noneuclid.decomposition.horospherical_pca import HorosphericalPCA as HorosphericalPCA
from noneuclid.decomposition.principal_geodesics import (
    PrincipalGeodesicAnalysis as PrincipalGeodesicAnalysis,
)
from noneuclid.embeddings.deepwalk import DeepWalk as DeepWalk
from noneuclid.embeddings.hydra import Hydra as Hydra
from noneuclid.embeddings.hyperbolic_umap import HyperbolicUMAP as HyperbolicUMAP
from noneuclid.embeddings.labne import LaBNE as LaBNE
from noneuclid.embeddings.lifted_pca import LiftedPCA as LiftedPCA
from noneuclid.embeddings.log_ratio import LogRatio as LogRatio
from noneuclid.embeddings.poincare_embedding import PoincareEmbedding as PoincareEmbedding
from noneuclid.embeddings.poincare_maps import PoincareMap as PoincareMap
from noneuclid.embeddings.product_embedding import ProductEmbedding as ProductEmbedding
from noneuclid.embeddings.product_umap import ProductUMAP as ProductUMAP
from noneuclid.embeddings.random_walk import RandomWalkEmbedding as RandomWalkEmbedding
from noneuclid.embeddings.refined_hydra import RefinedHydra as RefinedHydra
from noneuclid.embeddings.signature_search import SignatureSearch as SignatureSearch
from noneuclid.embeddings.tree_embedding import TreeEmbedding as TreeEmbedding
from noneuclid.embeddings.umap import UMAPEmbedding as UMAPEmbedding
from noneuclid.geometry.charts import project_to_ball as project_to_ball
from noneuclid.geometry.polytope import Polytope as Polytope
from noneuclid.interfaces.from_anndata import from_anndata as from_anndata
from noneuclid.interfaces.zero_replacement import ZeroReplacement as ZeroReplacement
from noneuclid.plots.disk_display import PoincareDiskDisplay as PoincareDiskDisplay
from noneuclid.plots.product_display import ProductSpaceDisplay as ProductSpaceDisplay
from noneuclid.plots.simplex_display import SimplexDisplay as SimplexDisplay
from noneuclid.plots.tree_display import TreeDisplay as TreeDisplay

__version__: str
