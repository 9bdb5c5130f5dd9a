"""Points of a product space as columns for any tree method."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import TransformerMixin
from sklearn.utils.validation import _check_feature_names_in

from noneuclid.classifiers.product_estimator import ProductEstimator
from noneuclid.classifiers.product_features import evaluate, list_features
from noneuclid.classifiers.sklearn_private import StrOptions, check_parameters
from noneuclid.geometry.product_space import ProductSpace


class ProductCoordinates(TransformerMixin, ProductEstimator):
    """Positions along axes and around coordinate planes: a step before any tree method.

    The columns are the features of `ProductDecisionTreeClassifier`: the hyperbolic distance along
    each axis of an H factor, the coordinates of an E factor, and the angle atan2(x_j, x_i) in the
    plane of axes i, j, in (-pi/2, 3 pi/2]. A threshold on one is a totally geodesic hypersurface,
    or a half plane that begins at the angle -pi/2, two of which make a sector.

    Parameters
    ----------
    space : str, ProductSpace or None, default=None
        As for `ProductDecisionTreeClassifier`.
    n_features : {"auto", "d", "d_choose_2"}, default="auto"
        As for `ProductDecisionTreeClassifier`.

    Attributes
    ----------
    space_ : ProductSpace
    n_features_in_ : int

    Raises
    ------
    InputError
        If a row is not a point of `space`.

    See Also
    --------
    ProductRandomForestClassifier : Half circles instead of sectors.

    Notes
    -----
    O(n) for each column; nothing is learned. On the lymphoma cells of Chlenski et al. (2025),
    S2 x S2, boosting reaches an accuracy of 0.89 on these columns, and 0.85 on ambient coordinates.

    Examples
    --------
    >>> from sklearn.ensemble import HistGradientBoostingClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from noneuclid import ProductCoordinates
    >>> from noneuclid.geometry import ProductSpace
    >>> X = ProductSpace("H2 S2").random_wrapped_normal(200, random_state=0)
    >>> y = X[:, 1] * X[:, 4] > 0
    >>> model = make_pipeline(ProductCoordinates("H2 S2"), HistGradientBoostingClassifier())
    >>> model.fit(X, y).score(X, y)
    1.0
    >>> model[0].get_feature_names_out()[1:3].tolist()
    ['H2: axis 2', 'S2: axes 0, 1']
    """

    _parameter_constraints = {  # noqa: RUF012
        **ProductEstimator._parameter_constraints,
        "n_features": [StrOptions({"auto", "d", "d_choose_2"})],
    }

    def __init__(
        self,
        space: str | ProductSpace | None = None,
        n_features: Literal["auto", "d", "d_choose_2"] = "auto",
    ) -> None:
        self.space = space
        self.n_features = n_features

    @check_parameters
    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Check the points; nothing is learned.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)
        y : None
            Ignored.

        Returns
        -------
        self
        """
        self._read_training(X)
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Positions of points.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)

        Returns
        -------
        ndarray, shape (n, n_positions)
            In the order of `get_feature_names_out`.
        """
        blocks = self._read_new(X)
        values, turned = evaluate(self.space_, self._features(), blocks)
        values[turned] -= np.pi
        for value, feature in zip(values, self._features(), strict=True):
            if feature.shape == "plane":
                np.subtract(np.pi / 2, value, out=value)
        return values.T

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the columns, such as "H2: axis 1" and "S2: axes 0, 1", as in `export_text`.

        Parameters
        ----------
        input_features : None, or the names of the columns of `fit`

        Returns
        -------
        ndarray of str
        """
        _check_feature_names_in(self, input_features)
        return np.array([feature.name for feature in self._features()], dtype=object)

    def _features(self):
        columns = getattr(self, "feature_names_in_", None)
        return list_features(self.space_, self.n_features, columns)
