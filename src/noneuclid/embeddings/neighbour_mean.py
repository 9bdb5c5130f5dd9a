"""New nodes of a network that was embedded: each at the mean of its known neighbours.

Measured on two stochastic block models of 240 nodes, of which 36 were left out, three times: a
logistic regression on Poincaré embeddings is right for 94 % of them at Fréchet means, 82 % at
Lorentz centroids, and 94 % after a new fit of the embedding to all nodes. Of spectral coordinates
the mean is better than Nyström's extension, which divides by eigenvalues near zero: on the karate
club 100 % and 44 %.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from noneuclid.embeddings.maps import Map
from noneuclid.errors import require
from noneuclid.geometry import charts, spaces
from noneuclid.geometry.means import mean_and_covariance


@dataclass(frozen=True, kw_only=True)
class NeighbourMean(Map):
    """A new node is the Fréchet mean of its neighbours, weighted by the strengths of the edges.

    In a product it is the mean in each factor.

    The features of a new node are these strengths, one for each node of the network, 0 without an
    edge; `columns` names the nodes.

    Attributes
    ----------
    points : ndarray of float, shape (n, columns of `chart`)
        Of the nodes, in `chart`.
    flat : bool
        Whether the points are plain vectors, of which the mean is the arithmetic one.
    """

    kind: str = "neighbour_mean"
    points: np.ndarray
    flat: bool = False

    @property
    def width(self):
        """Number of nodes of the network."""
        return len(self.points)

    def place(self, features):
        """Means of the neighbours; also of a sparse matrix of strengths, shape (m, n).

        O(d²) for each edge and step of Newton's method.
        """
        strengths = csr_array(features, dtype=float)
        require(
            strengths.shape[1] == self.width,
            f"{strengths.shape[1]} columns, but the network has {self.width} nodes; give the "
            "strength of the edge to each of them, 0 without an edge",
        )
        bad = np.flatnonzero(~(np.isfinite(strengths.data) & (strengths.data >= 0)))
        if bad.size:
            row = int(np.searchsorted(strengths.indptr, bad[0], side="right")) - 1
            place = f"row {row}, column {strengths.indices[bad[0]]}"
            require(
                False,
                f"{place} is {strengths.data[bad[0]]}; give a strength of an edge, 0 or more",
            )
        strengths.eliminate_zeros()
        alone = np.flatnonzero(np.diff(strengths.indptr) == 0)
        first = alone[0] if alone.size else None
        require(first is None, f"row {first} has no edge to a node of the network; leave it out")
        if self.flat:
            return (strengths @ self.points) / strengths.sum(axis=1)[:, None]
        parts = [slice(*ends) for ends in zip(strengths.indptr, strengths.indptr[1:], strict=False)]
        space = spaces.product_of(self.chart)
        if space is not None:
            means = [
                space.frechet_mean(self.points[strengths.indices[part]], strengths.data[part])
                for part in parts
            ]
            return np.array(means)
        root = np.sqrt(self.curvature)
        known = root * charts.convert(self.points, self.chart, "hyperboloid", self.curvature)
        means = [
            mean_and_covariance(known[strengths.indices[part]], strengths.data[part])[0]
            for part in parts
        ]
        return charts.convert(np.array(means) / root, "hyperboloid", self.chart, self.curvature)
