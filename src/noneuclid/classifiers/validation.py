"""Checks of rows, and rows of any chart as points on one hyperboloid."""

import numpy as np
from sklearn.base import is_regressor
from sklearn.utils import assert_all_finite, get_tags
from sklearn.utils.validation import validate_data

from noneuclid.errors import InputError
from noneuclid.estimator import without_gradient
from noneuclid.geometry.charts import check_points, check_reach, convert, enter_hyperboloid

_BLOCK = 2**16  # numbers: 512 kB
_COPIED = 2**20  # numbers: 8 MB


def read(estimator, X, y="no_validation", reset=True):
    """Validate by scikit-learn's `validate_data`; the error names the place of a non-finite number.

    `reset` is true for the X of `fit`, which sets the number of columns. A regressor with the tag
    reads several numbers for each row.
    """
    require_no_data_object(X, type(estimator).__name__)
    X, y = without_gradient(X), without_gradient(y)
    tags = get_tags(estimator)
    several = tags.target_tags.multi_output
    if not several:
        require_one_label(estimator, y)
    require_known(y)
    reading = {"dtype": np.float64, "ensure_all_finite": False, "reset": reset}
    if is_regressor(estimator) and not isinstance(y, str):
        require_numbers(estimator, y)
        reading |= {"multi_output": several, "y_numeric": True}
    found = validate_data(estimator, X, y, **reading)
    X, *labels = found if isinstance(found, tuple) else (found,)
    require_finite(X, allow_nan=tags.input_tags.allow_nan)
    # Columns side by side, as in a table of pandas, would compile everything a second time.
    X = np.ascontiguousarray(X) if X.size <= _COPIED else X
    return (X, *labels) if labels else X


def require_no_data_object(X, name):
    """Refuse the objects in which PyTorch Geometric holds features and edges."""
    if hasattr(X, "edge_index"):
        raise InputError(
            f"{name} does not read PyTorch Geometric's {type(X).__name__}; give its network, "
            "torch_geometric.utils.to_networkx(data, to_undirected=True), to an embedding of "
            "graphs, or its features, data.x.numpy()"
        )


def require_one_label(estimator, y):
    """Refuse a table of several labels, or numbers, for each row."""
    shape = getattr(y, "shape", ())
    if len(shape) == 2 and shape[1] > 1:
        kind, what = ("Regressor", "number") if is_regressor(estimator) else ("Classifier", "label")
        raise InputError(
            f"y has {shape[1]} columns, but a {kind.lower()} needs one {what} for each row; fit "
            f"sklearn.multioutput.MultiOutput{kind}(model)"
        )


def require_known(y):
    """Refuse a missing label; the error names its row."""
    values = np.asarray(y)
    if values.ndim == 0 or values.dtype.kind not in "Of":
        return
    flat = values.ravel()
    for place in np.flatnonzero(flat != flat) if flat.dtype.kind == "f" else range(flat.size):
        # None, nan, and NA and NaT of pandas, of which only nan differs from itself.
        value = flat[place]
        known = value is not None and type(value).__name__ not in ("NAType", "NaTType")
        if not known or value != value:
            raise InputError(
                f"y at row {place // (flat.size // len(values))} is {value}, but each row needs a "
                "label or a number; drop the row"
            )


def require_numbers(estimator, y):
    """Refuse labels that are text: a regressor predicts numbers."""
    values = np.asarray(y)
    if values.ndim == 0 or values.dtype.kind not in "OU":
        return
    # scikit-learn reads text that writes numbers, but not in arrays of text.
    legal = _is_number if values.dtype.kind == "O" else lambda text: False
    wrong = [value for value in values.flat if isinstance(value, str) and not legal(value)][:1]
    if wrong:
        raise InputError(
            f"y holds the text {str(wrong[0])!r}, but {type(estimator).__name__} is a regressor "
            "and predicts numbers; for classes use a classifier, such as HyperbolicKernelSVC"
        )


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def require_finite(X, allow_nan=False):
    """Refuse a matrix with a number that is not finite; the error names its row and column."""
    try:
        assert_all_finite(X, allow_nan=allow_nan)
    except ValueError:
        row, column = np.argwhere(np.isinf(X) if allow_nan else ~np.isfinite(X))[0]
        value = "NaN" if np.isnan(X[row, column]) else X[row, column]
        raise InputError(
            f"X at row {row}, column {column} is {value}, but a point needs all of its "
            "coordinates; drop the row or fill in the value"
        ) from None


def check_rows(X, chart, curvature):
    """Refuse rows that are not points of the chart, or too far out for `hyperboloid_blocks`."""
    check_points(X, chart, curvature)
    check_reach(X, chart, "hyperboloid", curvature)


def to_hyperboloid(X, chart, curvature, norms=None):
    """Points of a chart, checked, on the hyperboloid of curvature -1, shape (n, d + 1).

    `norms` are `charts.scaled_norms`, if known.
    """
    points = enter_hyperboloid(X, chart, curvature, norms)
    points *= np.sqrt(curvature)
    return points


def hyperboloid_blocks(X, chart, curvature):
    """The points of `to_hyperboloid`, unchecked, as blocks (slice of rows, points): no copy of all.

    Examples
    --------
    >>> import numpy as np
    >>> [(rows, len(x)) for rows, x in hyperboloid_blocks(np.zeros((50_000, 2)), "tangent", 1.0)]
    [(slice(0, 32768, None), 32768), (slice(32768, 50000, None), 17232)]
    """
    size = max(1, _BLOCK // X.shape[1])
    for start in range(0, len(X), size):
        rows = slice(start, min(start + size, len(X)))
        try:
            points = _lift(X[rows], chart, curvature)
        except InputError:
            _lift(X, chart, curvature)  # names the row of X, not of the block
            raise
        yield rows, points


def _lift(X, chart, curvature):
    points = convert(X, chart, "hyperboloid", curvature)
    points *= np.sqrt(curvature)
    return points
