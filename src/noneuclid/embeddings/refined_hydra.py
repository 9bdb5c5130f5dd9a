"""Hyperbolic multidimensional scaling: Hydra, then least stress by descent."""

from dataclasses import replace
from functools import partial

import numpy as np

from noneuclid.embeddings.base import Placed, RandomState
from noneuclid.embeddings.descent import descend, jitter
from noneuclid.embeddings.geodesic_maps import RefinedHydraMap
from noneuclid.embeddings.hydra import Hydra, measure
from noneuclid.embeddings.stress import relative_stress
from noneuclid.errors import require_number

_JITTER = 1e-3


def refine(points, wanted, *, power=0.0, tol=1e-4, max_iter=1000, seed=0, **options):
    """Lower the stress of points against target distances.

    Minimises sum_ij w_ij (d_ij - wanted_ij)^2 over all places in hyperbolic space at once, as the
    stress version of Hydra does [1]_, from the given points moved apart by a thousandth of a unit
    (two points in one place would never part).

    The result's value is never more than the stress of `points`. Units are hyperbolic.
    Shapes: `points` (n, d + 1), `wanted` (n, n).

    References
    ----------
    .. [1] M. Keller-Ressel and S. Nargang, Hydra: a method for strain-minimizing hyperbolic
       embedding of network- and distance-based data, Journal of Complex Networks 8(1), 2020,
       cnaa002, arXiv:1903.08977, section on Hydra+.
    """
    objective = relative_stress(wanted, power)
    found = descend(
        objective,
        jitter(points, _JITTER, seed),
        tol=tol,
        max_iter=max_iter,
        **options,
    )
    before = float(objective(points)[0])
    return found if found.value <= before else replace(found, points=points, value=before)


class RefinedHydra(Hydra):
    r"""Hyperbolic multidimensional scaling: Hydra, then the least stress by descent.

    Minimises

    .. math::

        \sum_{ij} w_{ij} (d_{ij} - \text{wanted}_{ij})^2,
        \qquad w_{ij} = \text{wanted}_{ij}^{\text{power}},

    from the points of `Hydra`, over all places in hyperbolic space at once, as the stress version
    of Hydra does [1]_. The distances are those of `Hydra`, in hyperbolic units.

    Reads arrays, data frames, networkx graphs and sparse adjacency matrices (`fit`).

    `transform` places each new row alone where the terms of the stress that have it are least, the
    old points fixed: :math:`\sum_j w_j (d_j - \text{wanted}_j)^2`, wanted as in `Hydra`. The
    descent begins at the old point that should be nearest, and at the centroid of the nearest
    three. A row of `fit`, given again, lands beside its first place, as `fit` stops before the
    least stress. There is no rule for a new node of a graph.

    Parameters
    ----------
    n_components : int, default=2
    power : float, default=0.0
        In [-2, 0], the exponent of the weights; -2 counts relative errors.
    tol : float, default=1e-4
        The relative fall of the stress over 50 iterations at which to stop.
    max_iter : int, default=1000
    diameter, curvature, isotropic, equiangular, n_neighbors, n_pcs, standardize
        As in `Hydra`.
    edge_lengths, chart
        As in `Hydra`.
    random_state : int, RandomState or None, default=None
        For the start, whose points are moved apart by a thousandth of a unit.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1.
    report_ : dict
        That of `Hydra`, and `hydra_stress`, `refined_stress` (sum of w (d - wanted)^2 by that of
        w wanted^2, before and after), `n_iter`, `status`, `last_fall`.
    n_iter_ : int
        Iterations of the descent.
    nodes_ : list
        Nodes of a networkx graph, in the order of the rows.
    n_features_in_ : int
        Number of features, for rows of features.
    feature_names_in_ : ndarray of str
        Names of the features of a data frame.

    Raises
    ------
    InputError
        As `Hydra`, and if a parameter above is out of range.

    See Also
    --------
    Hydra : The start.
    ProductEmbedding : Products of hyperbolic, spherical and flat factors.

    Notes
    -----
    Time O(n^2 d) an iteration, memory O(n^2).

    References
    ----------
    .. [1] M. Keller-Ressel and S. Nargang, Hydra: a method for strain-minimizing hyperbolic
       embedding of network- and distance-based data, Journal of Complex Networks 8(1), 2020,
       cnaa002, arXiv:1903.08977, section on Hydra+.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import RefinedHydra
    >>> report = RefinedHydra(random_state=0).fit(nx.karate_club_graph()).report_
    >>> report["refined_stress"] < report["hydra_stress"]
    True
    """

    name = "refined_hydra"

    def __init__(
        self,
        n_components: int = 2,
        *,
        power: float = 0.0,
        tol: float = 1e-4,
        max_iter: int = 1000,
        diameter: float | None = None,
        curvature: float | str | None = None,
        isotropic: bool = False,
        equiangular: float = 0.0,
        n_neighbors: int = 10,
        n_pcs: int | None = 20,
        standardize: bool = False,
        edge_lengths: str | bool | None = None,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        super().__init__(
            n_components,
            diameter=diameter,
            curvature=curvature,
            isotropic=isotropic,
            equiangular=equiangular,
            n_neighbors=n_neighbors,
            n_pcs=n_pcs,
            standardize=standardize,
            edge_lengths=edge_lengths,
            chart=chart,
            random_state=random_state,
        )
        self.power = power
        self.tol = tol
        self.max_iter = max_iter

    def _place(self, source, settings, seed):
        own = {key: settings[key] for key in ("power", "tol", "max_iter")}
        require_number(own["power"], "power", self.name, low=-2.0, high=0.0)
        require_number(own["tol"], "tol", self.name, low=0.0)
        require_number(own["max_iter"], "max_iter", self.name, low=1, integer=True)
        start, targets = self._hydra(source, settings, seed)
        factor = start.facts["diameter"] / targets.distances.max()
        wanted = targets.distances * factor
        found = refine(start.points, wanted, seed=seed, progress=self.name, **own)
        facts = start.facts | {
            "hydra_stress": float(relative_stress(wanted, own["power"])(start.points)[0]),
            "refined_stress": found.value,
            "n_iter": found.iterations,
            "status": found.status,
            "last_fall": found.fall,
        }
        rule = targets.rows and RefinedHydraMap(
            **targets.rows,
            factor=float(factor),
            points=found.points,
            node=targets.node,
            power=float(own["power"]),
            least=float(wanted.min(initial=np.inf, where=wanted > 0)),
        )
        report = partial(measure, source, wanted, found.points, seed)
        return Placed(found.points, facts, report, rule)
