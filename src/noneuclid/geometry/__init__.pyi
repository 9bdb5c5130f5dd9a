"""The public names, for type checkers and editors; `__init__.py` loads them lazily."""

from noneuclid.geometry.charts import check_points as check_points
from noneuclid.geometry.charts import convert as convert
from noneuclid.geometry.geodesics import exp_map as exp_map
from noneuclid.geometry.geodesics import geodesic as geodesic
from noneuclid.geometry.geodesics import log_map as log_map
from noneuclid.geometry.geodesics import parallel_transport as parallel_transport
from noneuclid.geometry.horospheres import busemann as busemann
from noneuclid.geometry.isometries import Isometry as Isometry
from noneuclid.geometry.isometries import random_isometry as random_isometry
from noneuclid.geometry.means import centroid as centroid
from noneuclid.geometry.means import frechet_mean as frechet_mean
from noneuclid.geometry.metric import distance as distance
from noneuclid.geometry.metric import hyperplane_distance as hyperplane_distance
from noneuclid.geometry.metric import pairwise_distances as pairwise_distances
from noneuclid.geometry.polytope_metrics import (
    pairwise_polytope_distances as pairwise_polytope_distances,
)
from noneuclid.geometry.polytope_metrics import polytope_distance as polytope_distance
from noneuclid.geometry.product_space import ProductSpace as ProductSpace
from noneuclid.geometry.sampling import random_uniform as random_uniform
from noneuclid.geometry.sampling import random_wrapped_normal as random_wrapped_normal
from noneuclid.geometry.transformers import ChartTransformer as ChartTransformer
from noneuclid.geometry.tree_likeness import delta_hyperbolicity as delta_hyperbolicity
from noneuclid.geometry.tree_likeness import sectional_curvature as sectional_curvature
