"""One difference, interval and p-value for the question which of two procedures scores higher.

A procedure takes the best of a group of pipelines, for example of all with an embedding. It chooses
for each fold by scores that do not contain the rows of this fold: the mean over the other folds of
the same repeat. The choice is inside the test, so nothing is corrected for it afterwards.

Scores of the inner search are not used for this where there are other folds. Each is the maximum
over a grid, which is higher for a larger grid; a pipeline without a grid has none; and its metric
may be another. A repeat of one fold has no other folds; there the inner scores choose.

1. The difference d of a fold is the score of the pipeline chosen of A less that of B.
2. The variance of the mean of d over the J folds (folds times repeats) of a data set is
   (1/J + n_test/n_train) s²(d) [1]_ [2]_, plus 1/(2 n_min²), n_min the rows of the smallest class:
   each side may have one more row right or wrong, which matters if d does not vary.
3. One data set: Student's t with J - 1 degrees of freedom, and at most G - 1 if the rows come in
   groups, of which folds hold out G: these are what is independent. Two to four: the mean of their
   mean d; variances add, degrees of freedom are Welch and Satterthwaite's. Five and more: Student's
   t over the data sets' mean d.

References
----------
.. [1] C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning
   52:239-281, 2003, section 5 (corrected resampled t-test).
.. [2] R. Bouckaert and E. Frank, Evaluating the replicability of significance tests for comparing
   learning algorithms, PAKDD 2004, section 3.4 (with repeats, J counts all folds).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from noneuclid.errors import require
from noneuclid_compare.evaluation.fold_scores import data_sets

LEVEL = 0.95
ENDS = ["difference", "low", "high"]
MANY = 5
ONE, THESE, LIKE_THESE = "on this data set", "on these data sets", "on data like these"


@dataclass(frozen=True)
class Comparison:
    """Procedure A against procedure B; see `compare`.

    Attributes
    ----------
    a, b : str
        Names of the procedures.
    best_a, best_b : str or None
        Pipelines with the best mean over folds, then data sets: recommended, not a second test.
        None if no pipeline has all folds of all compared data sets.
    difference, low, high : float
        A less B and its 95 % interval; positive where A is better, also for losses.
    p, half_width, df : float
        Two-sided p-value; degrees of freedom. Without an interval, where one of fewer than five
        data sets has one fold, nan and 0.
    folds, datasets : int
    claim : {"on this data set", "on these data sets", "on data like these"}
        One data set, two to four, five and more.
    left_out : tuple of (data set, pipeline, int)
        Pipelines not compared on a data set, with the number of folds without their score.
    skipped : int
        Data sets not compared, since all pipelines of a procedure are left out.
    """

    a: str
    b: str
    best_a: str | None
    best_b: str | None
    difference: float
    low: float
    high: float
    p: float
    half_width: float
    df: float
    folds: int
    datasets: int
    claim: str
    left_out: tuple
    skipped: int

    @property
    def better(self):
        """Name of the procedure that is better, None if the interval contains 0."""
        return self.a if self.low > 0 else self.b if self.high < 0 else None


def compare(table, procedures, larger=True, scale=1.0):
    """Compare two procedures by the rule of this module.

    Parameters
    ----------
    table, larger, scale
        See `noneuclid_compare.evaluation.fold_scores.data_sets`.
    procedures : dict
        Names of A and B, in this order, and their pipelines; of equal ones the first is taken.

    Returns
    -------
    Comparison
    """
    groups = [list(dict.fromkeys(group)) for group in procedures.values()]
    require(len(groups) == 2 and all(groups), "compare: give two procedures, each with pipelines")
    require(set.isdisjoint(*map(set, groups)), "compare: a pipeline is in both procedures")
    sets, left_out = data_sets(table, groups[0] + groups[1], larger, scale)
    used, gaps = [], []
    for one in sets.values():
        sides = [[name for name in group if name in one.values] for group in groups]
        if all(sides):
            used.append(one)
            gaps.append(np.subtract(*(_chosen(one, side) for side in sides)))
    require(used, "compare: no data set has all folds of a pipeline of both procedures")
    return Comparison(
        *procedures,
        *(_recommended(used, group) for group in groups),
        **interval(gaps, *_facts(used)),
        folds=sum(map(len, gaps)),
        datasets=len(used),
        claim=ONE if len(used) == 1 else THESE if len(used) < MANY else LIKE_THESE,
        left_out=left_out,
        skipped=len(sets) - len(used),
    )


def pipeline_intervals(table, larger=True, scale=1.0):
    """Mean score of each pipeline, over folds, then data sets, with its interval; best first.

    The variance is that of `compare`. Index `pipeline`; `score`, `low`, `high`; `folds` and
    `datasets` of the mean; `missing`: folds without a score. A data set where a pipeline lacks
    folds is not in its mean, which is nan without others.
    """
    names = sorted(set(table["pipeline"]))
    sets, left_out = data_sets(table, names, larger, scale)
    rows = []
    for name in names:
        used = [one for one in sets.values() if name in one.values]
        parts = [one.values[name].to_numpy() for one in used]
        found = interval(parts, *_facts(used)) if used else dict.fromkeys(ENDS, np.nan)
        missing = sum(count for _, pipeline, count in left_out if pipeline == name)
        rows.append([*(found[end] for end in ENDS), sum(map(len, parts)), len(used), missing])
    columns = ["score", "low", "high", "folds", "datasets", "missing"]
    frame = pd.DataFrame(
        rows, columns=columns, index=pd.Index(names, name="pipeline", tupleize_cols=False)
    )
    frame = frame.sort_values("score", ascending=False, kind="stable")
    return frame if larger else frame.assign(score=-frame.score, low=-frame.high, high=-frame.low)


def chosen(scores, repeat, inner=None):
    """Score in each fold, (J,), of the column chosen for it; scores (J, k), repeat codes (J,).

    It has the best mean over the other folds of the repeat; in a repeat of one fold, the best of
    `inner` (J, k).
    """
    others = (repeat[:, None] == repeat) & ~np.eye(len(repeat), dtype=bool)
    sums, alone = others @ scores, ~others.any(axis=1)
    if alone.any() and scores.shape[1] > 1:
        require(
            inner is not None and np.isfinite(inner[alone]).all(),
            "compare: a repeat of one fold has no other folds to choose a pipeline by; "
            "give the scores of the inner search of all pipelines, or more folds",
        )
        sums[alone] = inner[alone]
    # Rounded: sums in another order must not decide a tie.
    return np.take_along_axis(scores, sums.round(9).argmax(axis=1)[:, None], axis=1)[:, 0]


def interval(parts, ratios, floors, units=np.inf, level=LEVEL):
    """Mean over data sets of the mean of each part (J,), with its interval: points 2 and 3.

    `ratios`, `floors` of each data set: n_test/n_train and the variance of one row on either side;
    `units`, of each, independent groups of rows.
    """
    m, folds, floors = len(parts), np.array([len(part) for part in parts]), np.asarray(floors)
    means = np.array([part.mean() for part in parts])
    if m >= MANY:
        variance, df = (means.var(ddof=1) + floors.mean()) / m, m - 1.0
    elif folds.min() > 1:
        spread = np.array([part.var(ddof=1) for part in parts])
        each = ((1 / folds + np.asarray(ratios)) * spread + floors) / m**2
        variance, df = (
            each.sum(),
            float(each.sum() ** 2 / (each**2 / (np.minimum(folds, units) - 1)).sum()),
        )
    else:
        variance, df = np.nan, 0.0
    mean, error = float(means.mean()), float(np.sqrt(variance))
    half = float(student.ppf((1 + level) / 2, df) * error)
    p = float(2 * student.sf(abs(mean) / error, df))
    ends = {"low": mean - half, "high": mean + half}
    return {"difference": mean, **ends, "p": p, "half_width": half, "df": df}


def _facts(sets):
    """`ratios`, `floors` and `units` of some data sets, for `interval`."""
    return ([getattr(one, key) for one in sets] for key in ("ratio", "floor", "units"))


def _chosen(one, group):
    """Score in each fold, (J,), of the pipeline that a procedure chooses for it."""
    inner = None if one.inner is None else one.inner[group].to_numpy()
    return chosen(one.values[group].to_numpy(), one.repeat, inner)


def _recommended(sets, group):
    """Pipeline with the best mean over folds, then data sets, of those that all data sets have."""
    shared = [name for name in group if all(name in one.values for one in sets)]
    means = np.mean([one.values[shared].mean() for one in sets], axis=0).round(9)
    return shared[means.argmax()] if shared else None
