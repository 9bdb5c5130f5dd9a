"""Epochs of stochastic gradient descent, with a rate that falls until the loss no longer does."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from tqdm import tqdm

from noneuclid.errors import require_number

WINDOW = 5
CUTS = 3


def check_epochs(name, *, learning_rate=0.3, burn_in=10, max_iter=500, tol=0.003):
    """Raise `InputError` if a parameter of `run_epochs` is out of range; `name` opens the message.

    Examples
    --------
    >>> check_epochs("example", learning_rate=0.1)
    """
    require_number(learning_rate, "learning_rate", name, low=1e-6, high=10.0)
    require_number(burn_in, "burn_in", name, low=0, integer=True)
    require_number(max_iter, "max_iter", name, low=WINDOW, integer=True)
    require_number(tol, "tol", name, low=0.0, high=1.0)


def run_epochs(epoch, name, *, learning_rate=0.3, burn_in=10, max_iter=500, tol=0.003):
    """Run epochs until the mean loss of five no longer falls at the lowest rate.

    The first `burn_in` epochs run at a tenth of `learning_rate`, which lets nodes find their
    direction before they leave the origin (Nickel and Kiela 2017, section 3). Whenever the mean
    loss of five epochs is not lower than the best before by the part `tol`, the rate is divided by
    4; at the fourth time the descent ends.

    `epoch` makes one pass at a given rate and returns the mean loss. Returns `n_iter` (burn-in
    included), `loss` (mean of the last five) and `converged`.

    Warns
    -----
    ConvergenceWarning
        If `max_iter` pass before the end; it names the last relative fall of the loss.
    """
    for _ in range(burn_in):
        epoch(learning_rate / 10)
    best, cuts, losses = np.inf, 0, []
    for count in tqdm(range(1, max_iter + 1), desc=name, mininterval=5):
        losses.append(epoch(learning_rate))
        if count % WINDOW:
            continue
        mean = float(np.mean(losses[-WINDOW:]))
        # The first window has nothing before it; a loss of zero cannot fall.
        fall = (best - mean) / best if 0 < best < np.inf else float(best == np.inf and mean > 0)
        best = min(best, mean)
        if fall <= tol:
            if cuts == CUTS:
                return {"n_iter": count + burn_in, "loss": mean, "converged": True}
            learning_rate, cuts = learning_rate / 4, cuts + 1
    warnings.warn(
        f"{name}: the rate was lowered {cuts} times of {CUTS + 1}, and the last relative fall of "
        f"the loss was {fall:.2g} (tol {tol:g}) after {count} epochs; raise "
        "max_iter or tol",
        ConvergenceWarning,
        stacklevel=2,
    )
    return {"n_iter": count + burn_in, "loss": mean, "converged": False}
