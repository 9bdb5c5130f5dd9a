"""Compositions as points: log-ratio coordinates, written in the tangent chart.

The usual Euclidean treatment of compositional data, and therefore the baseline for polytope
methods: isometric log-ratios on the simplex (Egozcue et al. 2003), logits of each coordinate in a
box.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.embeddings.base import InductiveEmbedding, Placed, RandomState
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.embeddings.maps import Map
from noneuclid.errors import InputError, require, require_number
from noneuclid.geometry import bounded

SIMPLEX = {"polytope": "simplex"}


class LogRatio(InductiveEmbedding):
    """Log-ratios of compositions: tangent vectors with the distances of the log-ratios.

    Rows of positive parts that sum to one have isometric log-ratios [1]_, one fewer than parts;
    a common factor of a row changes nothing. Rows of a box have the logits of their coordinates.
    Rows are embedded one by one, so the same rule applies to new rows.

    Parameters
    ----------
    scale : float, default=1.0
        Multiplies the coordinates before they are lifted.
    low, high : float or array_like of shape (p,), optional
        Both ends of the box; without them rows are compositions.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`. The chart "tangent" has the
        log-ratios themselves; any other has them lifted by exp at the origin.
    random_state : int, RandomState or None, default=None
        Unused: no step is random.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1; d is p - 1 on the simplex and p in a box.
    report_ : dict
        Empty.
    n_features_in_ : int
        Number of parts.
    feature_names_in_ : ndarray of str
        Names of the parts of a data frame.

    Raises
    ------
    InputError
        If a row lies on the boundary or outside.

    See Also
    --------
    HilbertSVC : Reads compositions in their own metric.
    ZeroReplacement : Positive parts from parts with zeros.

    Notes
    -----
    Time and memory O(n p). With ``chart="tangent"`` Euclidean distances are those of centred
    log-ratios. The Hilbert distance of two rows is half the range of the differences of their
    logarithms, a norm of the same coordinates.

    References
    ----------
    .. [1] J. J. Egozcue, V. Pawlowsky-Glahn, G. Mateu-Figueras and C. Barceló-Vidal, Isometric
       logratio transformations for compositional data analysis, Mathematical Geology 35, 2003,
       doi:10.1023/A:1023818214614.

    Examples
    --------
    >>> from noneuclid import LogRatio
    >>> LogRatio(chart="tangent").fit_transform([[0.5, 0.5], [0.2, 0.8]]).round(3)
    array([[ 0.  ],
           [-0.98]])
    """

    name = "log_ratio"
    own_chart = "tangent"
    transductive = False
    from_data = ("low", "high", "chart", "random_state")

    def __init__(
        self,
        scale: float = 1.0,
        *,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.scale = scale
        self.low = low
        self.high = high
        self.chart = chart
        self.random_state = random_state

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """Rows with these log-ratios.

        Parameters
        ----------
        X : array_like of shape (m, d), or (m, d + 1) with ``chart="hyperboloid"``
            Points in the chart of `transform`.

        Returns
        -------
        ndarray of float64, shape (m, p)
            Positive rows that sum to one, or rows of the box.

        Raises
        ------
        InputError
            If a row is not a point of the chart, has another dimension, or float64 does not hold it
            inside.
        """
        ratios = self._read_points(X) / self._rule.scale
        if self._rule.domain == SIMPLEX:
            return bounded.to_simplex(ratios)
        return bounded.to_box(ratios, self._rule.domain["low"], self._rule.domain["high"])

    def _read(self, X):
        require(
            (self.low is None) == (self.high is None),
            "log_ratio: low and high are the ends of a box; give both or none",
        )
        box = {"polytope": "box", "low": self.low, "high": self.high}
        domain = SIMPLEX if self.low is None else box
        return replace(super()._read(X), kind="composition", domain=domain)

    def _place(self, source, settings, seed):
        require_number(self.scale, "scale", self.name, low=1e-6)
        require(
            source.kind == "composition",
            f"log_ratio: {source.name} has kind {source.kind!r}; use hydra or lifted_pca",
        )
        domain = source.domain or SIMPLEX
        ratios = _ratios(source.features, domain, source.name)
        points = self.scale * ratios
        rule = LogRatioMap(scale=self.scale, domain=domain, parts=source.features.shape[1])
        return Placed(points, {}, partial(distortion_of_features, ratios, points, seed), rule)


@dataclass(frozen=True, kw_only=True)
class LogRatioMap(Map):
    """The same formula for new rows.

    Attributes
    ----------
    scale : float
    domain : dict
        As in `base.Source`.
    parts : int
    """

    kind: str = "log_ratio"
    chart: str | None = "tangent"
    scale: float
    domain: dict
    parts: int

    @property
    def width(self):
        """Number of parts."""
        return self.parts

    def place(self, features):
        """Log-ratios of the rows."""
        self.require_rows(features)
        return self.scale * _ratios(features, self.domain, "new rows")


def _ratios(features, domain, name):
    """Log-ratio coordinates of the rows."""
    try:
        if domain["polytope"] == "box":
            return bounded.from_box(features, domain["low"], domain["high"])
        return bounded.from_simplex(features)
    except InputError as error:
        raise InputError(f"log_ratio of {name}: {error}") from None
