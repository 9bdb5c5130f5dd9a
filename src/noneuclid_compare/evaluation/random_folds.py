r"""What random folds would have shown of rows in groups, and how sure this is.

The rows of a group resemble each other, so a method that has seen some of them predicts the others
well. Folds that keep groups whole show what to expect for a new group; the difference of both is
by how much random folds flatter.

Both scores are of all held-out rows together: a fold of whole groups may lack a class, so means
over folds would differ by this, too. Groups are independent and their rows are not. The interval of
the difference is therefore a jackknife over groups [1]_: if block b of B is left out of both
scores, the difference is :math:`\theta_{(b)}`, and its variance is
:math:`(B-1)/B \sum_b (\theta_{(b)} - \bar\theta)^2`, with B - 1 degrees of freedom. A group is
a block; more than 20 groups are dealt to 20 blocks. The random rows of one fold are of all groups,
also of those that a holdout of groups does not test, so these are blocks, too.

Nothing is fitted again, so this variance is that of the groups held out, of fits that are given.
Folds share training rows; with J folds the variance of a mean is not :math:`s^2/J` but
:math:`(1/J + n_{test}/n_{train}) s^2` [2]_. The jackknife estimates the first part, so it is
multiplied by :math:`1 + J n_{test}/n_{train}`: this is 2.25 with five folds. In
simulations intervals of five folds then cover 97 %, without the factor 89 to 92 %. Those of one
fold with a fifth of 12 to 80 groups cover 95 to 99 %, 89 to 94 % if only these groups are blocks.

References
----------
.. [1] B. Efron and C. Stein, The jackknife estimate of variance, Annals of Statistics 9:586-596,
   1981.
.. [2] C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning
   52:239-281, 2003, section 5.
"""

from dataclasses import fields, replace

import numpy as np
from scipy.stats import t as student
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, StratifiedShuffleSplit

from noneuclid_compare.evaluation import metrics
from noneuclid_compare.evaluation.inference import LEVEL
from noneuclid_compare.records import Split

BLOCKS = 20


def random_split(split, labels, seed):
    """`Split` with as many folds and held-out rows, drawn by rows; classes as even as they can be.

    Rows that no fold of `split` holds out are not held out, unless it has one fold.
    """
    fold = np.where(split.fold == Split.UNUSED, Split.UNUSED, Split.TRAIN_ONLY)
    if split.n_folds == 1:
        pool, size = np.flatnonzero(split.fold != Split.UNUSED), int((split.fold == 0).sum())
        counts = np.unique(labels[pool], return_counts=True)[1]
        few = counts.min() < 2 or len(counts) > min(size, len(pool) - size)
        kind = ShuffleSplit if few else StratifiedShuffleSplit
        splitter = kind(1, test_size=size, random_state=seed)
    else:
        pool = np.flatnonzero(split.fold >= 0)
        few = np.unique(labels[pool], return_counts=True)[1].min() < split.n_folds
        kind = KFold if few else StratifiedKFold
        splitter = kind(split.n_folds, shuffle=True, random_state=seed)
    for k, (_, left_out) in enumerate(splitter.split(labels[pool, None], labels[pool])):
        fold[pool[left_out]] = k
    return Split(fold, {"seed": seed})


def obstacle(split, drawn, y):
    """Why there is no `flattery` of groups and random folds, in one line; None if there is."""
    if len(np.unique(split.groups[split.fold >= 0])) < 2:
        return "one group is held out, and an interval needs two"
    if len(np.unique(split.groups[drawn.fold >= 0])) < 2:
        return "the rows held out at random are of one group, and an interval needs two"
    if any(len(np.unique(y[drawn.rows(k)[0]])) < 2 for k in range(drawn.n_folds)):
        return "all training rows of a random fold are of one class"
    return None


def flattery(grouped, at_random, split, n_classes, seed):
    """Scores of both, their difference (random less grouped) and its interval, by metric.

    Parameters
    ----------
    grouped, at_random : Predictions
        Of all folds.
    split : Split
        Of `grouped`, with its groups.
    n_classes, seed : int

    Returns
    -------
    dict of dict
        `grouped`, `random`, `difference`, `low`, `high` by name of the metric; those that are not
        defined for some block are left out.
    """
    tested, others = (np.unique(split.groups[one.rows]) for one in (grouped, at_random))
    blocks = _blocks(split.groups, tested, np.setdiff1d(others, tested), seed)
    sizes = [[len(rows) for rows in split.rows(k)] for k in range(split.n_folds)]
    inflation = 1 + sum(tested / trained for trained, tested in sizes)
    both = [_scores(one, np.ones(len(one.rows), bool), n_classes) for one in (grouped, at_random)]
    left = [
        [_scores(one, blocks[one.rows] != b, n_classes) for one in (grouped, at_random)]
        for b in range(blocks.max() + 1)
    ]
    found = {}
    for name in both[0].keys() & both[1].keys():
        parts = np.array([random[name] - whole[name] for whole, random in left])
        difference = both[1][name] - both[0][name]
        if not np.isfinite([*parts, difference]).all():
            continue
        size = len(parts)
        error = np.sqrt(inflation * (size - 1) / size * ((parts - parts.mean()) ** 2).sum())
        half = student.ppf((1 + LEVEL) / 2, size - 1) * error
        ends = {"low": difference - half, "high": difference + half}
        values = {"grouped": both[0][name], "random": both[1][name], "difference": difference}
        found[name] = {key: float(value) for key, value in (values | ends).items()}
    return found


def _blocks(groups, tested, others, seed):
    """Block of each row, (n,), by its group: of `tested`, then of `others`; -1 for the rest."""
    order = np.random.default_rng(seed).permutation(len(tested))
    block_of = np.full(groups.max() + 1, -1)
    block_of[tested] = order % BLOCKS
    block_of[others] = (len(tested) + np.arange(len(others))) % BLOCKS
    return block_of[groups]


def _scores(predictions, rows, n_classes):
    """Metrics of some rows, as of one fold."""
    values = {item.name: getattr(predictions, item.name) for item in fields(predictions)}
    part = {name: value[rows] for name, value in values.items() if value is not None}
    part["fold"] = np.zeros(rows.sum(), dtype=int)
    return metrics.evaluate(replace(predictions, **part), n_classes)
