"""Numbers instead of classes: scores of a regressor."""

import numpy as np
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from noneuclid.errors import InputError


def scores(truth, predicted):
    """Score the predictions of one fold.

    Parameters
    ----------
    truth, predicted : ndarray of float, shape (m,)

    Returns
    -------
    dict of float
        `rmse` and `mae` in units of the target; `r2`: 1 - (squared error) / (squared error of the
        fold's mean), NaN with fewer than two different values, where the latter is zero.

    Raises
    ------
    InputError
        If a prediction is not finite.

    Examples
    --------
    >>> scores(np.array([0.0, 2.0]), np.array([0.0, 1.0]))["r2"]
    0.5
    """
    bad = np.flatnonzero(~np.isfinite(predicted))
    if bad.size:
        raise InputError(
            f"prediction at position {bad[0]} is {predicted[bad[0]]}; the method must give a number"
        )
    result = {
        "rmse": root_mean_squared_error(truth, predicted),
        "mae": mean_absolute_error(truth, predicted),
        "r2": r2_score(truth, predicted) if np.ptp(truth) > 0 else np.nan,
    }
    return {name: float(value) for name, value in result.items()}
