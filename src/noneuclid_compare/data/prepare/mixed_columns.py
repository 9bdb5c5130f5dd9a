"""Preparation of a table with missing values and categories, by scikit-learn's own transformers.

The kinds of its columns are a list: None for a number, else `levels`, a list of names of which the
column holds codes, and `ordered`, whether they have an order. NaN is a missing value.
"""

from dataclasses import replace

from sklearn.compose import ColumnTransformer
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from noneuclid.embeddings.feature_scaling import standardises


def transformer(kinds, scale=True):
    """Transformer of the columns of these kinds, not fitted.

    Numbers and codes of ordered categories: a missing value becomes the median of the column, and
    with `scale` the column is standardised; a column with missing values gets another one of 0 and
    1 that marks them. Categories: a column of 0 and 1 for each level, missing values being one; a
    level that was not fitted has only zeros.

    Examples
    --------
    >>> import numpy as np
    >>> kinds = [None, {"levels": ["a", "b"], "ordered": False}]
    >>> transformer(kinds, scale=False).fit_transform(np.array([[1, 0], [3, 1], [np.nan, 0]]))
    array([[1., 0., 1., 0.],
           [3., 0., 0., 1.],
           [2., 1., 1., 0.]])
    """
    numbers = [k for k, kind in enumerate(kinds) if kind is None or kind["ordered"]]
    categories = [k for k in range(len(kinds)) if k not in numbers]
    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    return ColumnTransformer(
        [
            ("number", make_pipeline(imputer, StandardScaler()) if scale else imputer, numbers),
            ("missing", MissingIndicator(error_on_new=False), numbers),
            ("category", OneHotEncoder(handle_unknown="ignore", sparse_output=False), categories),
        ]
    )


def prepared(dataset, params, known, name):
    """Data set with complete numbers, parameters of an embedding, the fitted transformer, scale.

    Where the embedding has the parameter `standardize`, one of the `known`, the transformer scales
    the numbers in its place, if it is set: columns of 0 and 1 keep their unit.
    """
    asks = "standardize" in known
    scale = asks and standardises(params.get("standardize", "auto"), dataset, name)
    fitted = transformer(dataset.column_kinds, scale)
    features = fitted.fit_transform(dataset.features)
    params = params | ({"standardize": False} if asks else {})
    return replace(dataset, features=features, column_kinds=None), params, fitted, scale
