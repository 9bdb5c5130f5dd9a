"""Folds that keep groups whole: cells of one donor, spectra of one sample.

scikit-learn's `StratifiedGroupKFold` assigns groups in order of size, so where sizes differ all its
draws are equal: 20 groups of 50 to 373 rows had 6 partitions in 50 draws, others one. Here the
order is random, too.
"""

import numpy as np
from sklearn import config_context
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.metadata_routing import get_routing_for_object

from noneuclid.errors import InputError, require

DRAWS = 100
_SPREAD = 0.5  # standard deviation of the logarithm by which sizes of groups are changed


class GroupFolds(StratifiedGroupKFold):
    """Splitter of scikit-learn that draws `group_folds`; `split` needs `groups`.

    Rows of groups that cannot be held out are in every training part and in no test part. There are
    fewer folds than `n_splits` if fewer groups can be held out.

    Parameters
    ----------
    n_splits : int
    random_state : int, RandomState or None

    Examples
    --------
    >>> groups = np.array(["a", "a", "b", "b"])
    >>> [test.tolist() for _, test in GroupFolds(2, 0).split(groups, [0, 1, 0, 1], groups)]
    [[2, 3], [0, 1]]
    """

    def __init__(self, n_splits=5, random_state=None):
        super().__init__(n_splits, shuffle=True, random_state=random_state)

    def get_n_splits(self, X=None, y=None, groups=None):
        """Number of folds of these rows; without `groups`, the largest."""
        if groups is None:
            return self.n_splits
        return min(self.n_splits, int(held_out(_codes(y), codes_of_groups(groups, y)).sum()))

    def _iter_test_indices(self, X, y, groups):
        require(
            groups is not None,
            "groups: this estimator does not pass them to its own folds, which would mix them; "
            "use an estimator that does, such as CalibratedClassifierCV(ensemble=True)",
        )
        folds, draws = self.get_n_splits(X, y, groups), check_random_state(self.random_state)
        fold = group_folds(_codes(y), codes_of_groups(groups, y), folds, draws)
        for k in range(folds):
            yield np.flatnonzero(fold == k)


def takes_groups(estimator):
    """Whether `fit` takes groups by the rules of scikit-learn's metadata routing.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegressionCV
    >>> takes_groups(LogisticRegressionCV(cv=GroupFolds(3))), takes_groups(LogisticRegressionCV())
    (True, False)
    """
    with config_context(enable_metadata_routing=True):
        return bool(get_routing_for_object(estimator).consumes("fit", {"groups"}))


def fit_in_groups(estimator, X, y, groups):
    """Fit, with groups (n,) for the folds of an estimator that takes some; None: without."""
    if groups is None or not takes_groups(estimator):
        return estimator.fit(X, y)
    with config_context(enable_metadata_routing=True):
        return estimator.fit(X, y, groups=groups)


def groups_of_rows(groups, X):
    """Group of each row of X, (n,), as a user gives them; a row without a group is refused.

    Examples
    --------
    >>> groups_of_rows(["b", None], np.zeros((2, 1)))
    Traceback (most recent call last):
    noneuclid.errors.InputError: groups: row 1 has None; give its group, or leave out the row
    """
    # A list of names and NaN would become names.
    given = groups if hasattr(groups, "dtype") else np.array(groups, dtype=object)
    column = column_or_1d(given)
    check_consistent_length(X, column)
    missing = next((row for row, name in enumerate(column) if _is_missing(name)), None)
    if missing is not None:
        raise InputError(
            f"groups: row {missing} has {column[missing]}; give its group, or leave out the row"
        )
    return np.array(column.tolist())


def _is_missing(name):
    """Whether a name is None, NaN, NaT or pandas.NA."""
    try:
        return name is None or bool(name != name)
    except TypeError:
        return True


def codes_of_groups(groups, X):
    """Codes of the groups of the rows of X, (n,), as a user gives them.

    Examples
    --------
    >>> codes_of_groups(["b", "a", "b"], np.zeros((3, 2))).tolist()
    [1, 0, 1]
    """
    return _codes(groups_of_rows(groups, X))


def _codes(values):
    return np.unique(values, return_inverse=True)[1]


def held_out(labels, groups):
    """Whether each group can be held out: it has no class that all other groups lack.

    Shapes: codes `labels`, `groups` (n,); returns (n_groups,).

    Examples
    --------
    >>> held_out(np.array([0, 0, 1, 0]), np.array([0, 1, 1, 2])).tolist()
    [True, False, True]
    """
    counts = count(labels, groups)
    alone = (counts > 0).sum(axis=0) == 1
    return ~(counts[:, alone] > 0).any(axis=1)


def count(labels, groups):
    """Rows of each group and class, shape (n_groups, n_classes), of codes (n,)."""
    shape = groups.max() + 1, labels.max() + 1
    return np.bincount(groups * shape[1] + labels, minlength=shape[0] * shape[1]).reshape(shape)


def group_folds(labels, groups, folds, random_state):
    r"""Fold of each row, (n,); -1 for the rows of groups that `held_out` keeps in training.

    Groups go one after the other, about the largest first, to the fold where they add least to
    :math:`\sum_f \sum_c (n_{fc} / n_c)^2` for :math:`n_{fc}` rows of class c in fold f: each
    class is spread as evenly as whole groups allow. Of equal folds the one with the fewest rows is
    taken, then any. Every training part has all classes.

    Parameters
    ----------
    labels, groups : ndarray of int, shape (n,)
        Codes from 0.
    folds : int
    random_state : RandomState

    Raises
    ------
    InputError
        If there are fewer groups than folds, or a class is never in all training parts.
    """
    counts, free = count(labels, groups), np.flatnonzero(held_out(labels, groups))
    require(
        len(free) >= max(folds, 2),
        f"groups: {len(free)} can be held out, fewer than the {max(folds, 2)} folds; lower their "
        "number, or drop classes of one group",
    )
    for _ in range(DRAWS):
        fold_of_group = np.full(len(counts), -1)
        fold_of_group[free] = _assign(counts[free], folds, random_state)
        trained = [(counts[fold_of_group != k] > 0).any(axis=0) for k in range(folds)]
        if np.all(trained) and len(np.unique(fold_of_group[free])) == folds:
            return fold_of_group[groups]
    raise InputError(
        f"groups: each of {DRAWS} draws of {folds} folds has a training part without a class; "
        "lower the number of folds or drop the rarest class"
    )


def _assign(counts, folds, random_state):
    """Fold of each group, of its rows in each class (n_groups, n_classes)."""
    shares = counts / np.maximum(counts.sum(axis=0), 1)
    size = np.linalg.norm(shares, axis=1)
    order = np.argsort(-size * np.exp(_SPREAD * random_state.standard_normal(len(size))))
    sums, rows = np.zeros((folds, counts.shape[1])), np.zeros(folds)
    found = np.empty(len(counts), dtype=np.intp)
    for group in order:
        # Rounded: sums in another order must not decide a tie.
        grows = (sums @ shares[group]).round(12)
        found[group] = k = np.lexsort([random_state.random(folds), rows, grows])[0]
        sums[k] += shares[group]
        rows[k] += counts[group].sum()
    return found
