"""Probabilities that one method is better than another, and what the data sets could show."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import norm

from noneuclid.errors import require
from noneuclid_compare import wording
from noneuclid_compare.report import style
from noneuclid_compare.report.tables import score_tables
from noneuclid_papers.statistics import bayesian_signed_ranks
from noneuclid_papers.statistics.verdicts import ALPHA, MANY

POWER = 0.8
DRAWS = 1_000
# Of Wilcoxon's test on normal differences, relative to Student's.
EFFICIENCY = 3 / np.pi
_HALVINGS = 16
ALL = "all"
COLUMNS = ["dimension", "first", "second", "data_sets", "difference", "better", "equal", "worse"]


def data_set_scores(scores, metric, classes):
    """Scores as data sets by methods without floors; larger is better.

    Embeddings of a data set are averaged first. Methods that were run on at most half of the
    embedded data sets, and embeddings without all others, are left out.
    """
    summary = score_tables.summarise(scores, metric)
    mean = summary.pivot(index="method", columns=score_tables.PAIR, values="mean")
    mean = mean.reindex(score_tables.league(scores, metric).index)
    real = [style.family(name, classes) != "floor" for name in mean.index]
    mean = mean[real] if any(real) else mean
    runs = mean.notna().sum(axis=1)
    table = mean[2 * runs > runs.max()].dropna(axis=1).T
    table = table if style.higher_is_better(metric) else -table
    # Rounded: sums in another order must not decide a tie.
    return table.groupby(level="dataset").mean().round(9)


def scopes(scores, runs):
    """The scores of all dimensions; then those of each dimension, if there are several."""
    dimension = {(run["dataset"], run["embedding"]): run.get("dimension") for run in runs}
    pairs = scores[score_tables.PAIR].itertuples(index=False, name=None)
    of_row = pd.Series([dimension.get(pair) for pair in pairs], index=scores.index)
    found = {ALL: scores}
    known = sorted(set(of_row.dropna()))
    if len(known) > 1:
        found |= {str(int(one)): scores[of_row == one] for one in known}
    return found


def pairs(scores, runs, metric, classes, equivalence):
    """Every pair of methods in every scope with `MANY` data sets or more; columns `COLUMNS`.

    `first` has the higher mean. `difference`: mean over data sets, first minus second; `better`,
    `equal`, `worse`: probabilities of the first method.
    """
    rows = []
    for scope, part in scopes(scores, runs).items():
        table = data_set_scores(part, metric, classes)
        if len(table) < MANY:
            continue
        order = table.mean().round(9).sort_values(ascending=False, kind="stable").index
        for first, second in combinations(order, 2):
            gaps = (table[first] - table[second]).to_numpy().round(9)
            found = bayesian_signed_ranks.probabilities(gaps, equivalence)
            rows.append([scope, first, second, len(gaps), gaps.mean(), *found])
    return pd.DataFrame(rows, columns=COLUMNS)


def detectable(scores, metric, classes):
    """What Wilcoxon's test could have shown between the leader and the others.

    None with too few data sets or without any spread. Else
    `data_sets`, `comparisons`, and medians over the comparisons in units of the metric: `single`
    at 5 %, `strict` at 5 % / comparisons (the first step of Holm's method), `formula` for normal
    differences at 5 %.
    """
    table = data_set_scores(scores, metric, classes)
    if len(table) < MANY or table.shape[1] < 2:
        return None
    leader = table.mean().round(9).idxmax()
    others = table.columns.drop(leader)
    found = {"single": [], "strict": [], "formula": []}
    for other in others:
        gaps = (table[leader] - table[other]).to_numpy().round(9)
        found["single"].append(minimal_difference(gaps, ALPHA))
        found["strict"].append(minimal_difference(gaps, ALPHA / len(others)))
        found["formula"].append(normal_difference(gaps.std(ddof=1), len(gaps), ALPHA))
    # Without spread, as against an equal method, a comparison says nothing.
    known = {name: [v for v in values if np.isfinite(v)] for name, values in found.items()}
    if not known["single"]:
        return None
    medians = {name: float(np.median(some or [np.nan])) for name, some in known.items()}
    return {"data_sets": len(table), "comparisons": len(others), **medians}


def sentence(found, metric):
    """`detectable` in one sentence."""
    unit = " points" if style.in_percent(metric) else ""
    single, strict = (style.score(found[name], metric) for name in ("single", "strict"))
    comparisons = wording.count(found["comparisons"], "comparison")
    holm = "is not possible" if strict == "–" else f"needs {strict}{unit}"
    return (
        f"With {wording.count(found['data_sets'], 'data set')}, Wilcoxon's signed-rank test (5 % "
        f"level, 80 % power) finds a difference of {single}{unit} between the leader and one other "
        f"method; after Holm's correction for {comparisons} the first finding {holm} (medians over "
        "the comparisons, simulated from the observed spread of differences)."
    )


def rows(found, metric, names):
    """Texts of the pairs."""
    return [
        [
            *(names.method(row[name]) for name in ("first", "second")),
            str(row["data_sets"]),
            style.signed(row["difference"], metric),
            *(percent(row[name]) for name in ("better", "equal", "worse")),
        ]
        for row in found.to_dict("records")
    ]


def percent(probability):
    """A probability in percent.

    Examples
    --------
    >>> percent(0.123), percent(0.0002), percent(0.99999), percent(1.0), percent(0.0)
    ('12 %', '< 1 %', '> 99 %', '> 99 %', '< 1 %')
    """
    if probability < 0.005:
        return "< 1 %"
    return "> 99 %" if probability > 0.995 else f"{100 * probability:.0f} %"


def minimal_difference(differences, alpha=0.05, power=POWER, draws=DRAWS, seed=0):
    """Smallest shift that Wilcoxon's two-sided signed-rank test finds with this power.

    Simulated: samples of the same size are drawn from the differences about their median, each
    with a random sign, and shifted. The critical value is exact for samples without ties.

    Parameters
    ----------
    differences : array_like of shape (n,)
        Observed, one for each data set.
    alpha, power : float
    draws, seed : int

    Returns
    -------
    float
        nan if n is so small that no sample is significant, or if all differences are equal: their
        spread is unknown then.

    Raises
    ------
    InputError
        If a difference is not finite, or there are fewer than two.

    Examples
    --------
    >>> gaps = norm.ppf((np.arange(40) + 0.5) / 40)
    >>> round(minimal_difference(gaps), 1), round(normal_difference(gaps.std(), 40), 1)
    (0.5, 0.4)
    """
    gaps = np.asarray(differences, dtype=float)
    require(
        gaps.ndim == 1 and len(gaps) > 1 and np.isfinite(gaps).all(),
        f"power: {gaps.size} differences, all of which must be finite; give two or more",
    )
    n = len(gaps)
    critical = critical_sum(n, alpha)
    if critical < 0 or np.ptp(gaps) == 0:
        return np.nan
    rng = np.random.default_rng(seed)
    noise = rng.choice(gaps - np.median(gaps), size=(draws, n)) * rng.choice([-1, 1], (draws, n))

    def found(shift):
        moved = noise + shift
        order = np.argsort(np.abs(moved), axis=1)
        up = np.take_along_axis(moved > 0, order, axis=1) @ np.arange(1, n + 1)
        return (np.minimum(up, n * (n + 1) / 2 - up) <= critical).mean()

    # Beyond the largest deviation all differences are positive.
    low, high = 0.0, np.abs(noise).max() + 1e-12
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) >= power else (middle, high)
    return float(high)


def critical_sum(n, alpha):
    """Largest sum of the ranks of one sign with a two-sided p-value below alpha; -1 if none has.

    Examples
    --------
    >>> critical_sum(10, 0.05), critical_sum(5, 0.05)
    (8, -1)
    """
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    return int(np.searchsorted(2 * np.cumsum(ways / ways.sum()), alpha, side="left")) - 1


def normal_difference(spread, n, alpha=0.05, power=POWER):
    """The same for normal differences with this standard deviation, by a formula.

    (z(1 - alpha / 2) + z(power)) spread / sqrt(n 3 / pi).

    Examples
    --------
    >>> round(normal_difference(0.03, 40), 4)
    0.0136
    """
    z = norm.ppf(1 - alpha / 2) + norm.ppf(power)
    return float(z * spread / np.sqrt(n * EFFICIENCY))
