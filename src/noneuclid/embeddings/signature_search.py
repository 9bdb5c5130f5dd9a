"""Which product of hyperbolic, spherical and flat factors given distances want."""

from collections import Counter
from typing import Any, Self

import numpy as np
from scipy.stats import t as student

from noneuclid.embeddings.base import RandomState
from noneuclid.embeddings.given_distances import OfDistances, check_descent
from noneuclid.embeddings.product_embedding import embed, pairs_of
from noneuclid.embeddings.product_loss import Pairs
from noneuclid.errors import require, require_number
from noneuclid.estimator import Estimator
from noneuclid.geometry.product_space import ProductSpace
from noneuclid.geometry.tree_likeness import delta_hyperbolicity, sectional_curvature

NONE = "none"
_GROUPS = 10  # of rows, each left out once
_AGAIN = 100  # iterations without them
_ONE_ERROR = 0.6827  # confidence of an interval of one standard error


class SignatureSearch(OfDistances, Estimator):
    r"""Choice of the signature of a product space by the distortion of held-out pairs.

    The pairs of rows are split at random into parts. Each candidate is fitted to all parts except
    one, as by `ProductEmbedding`, and predicts the distances of that part, which enter neither loss
    nor start: the start has in their place the middle of the bounds by the triangle inequality.
    The distortion of a pair is :math:`|d(x_i, x_j) / d_{ij} - 1|`. All candidates have the same
    dimension; one of them is flat.

    Only a candidate whose interval of the difference to the flat one lies below zero is chosen; if
    there is none, the answer is "none". Of these it is the one of least mean distortion, or the
    flattest of those that make some of its curved factors flat and are not worse by more than one
    standard error. An interval is for the mean over draws of as many rows of the same kind, and
    over parts and starts. Its variance is that of the jackknife over rows [1]_, as two pairs of one
    row are not independent: the larger of that of the held-out pairs and that of fits without a
    tenth of the rows; and the variance between the means of the parts, which have starts of their
    own, divided by their number. The intervals of all differences hold together (Bonferroni).

    Parameters
    ----------
    n_components : int, default=4
        Dimension of all candidates.
    candidates : sequence of str, default=None
        Signatures, one of them flat. None is H, S and E of this dimension, and all products of two
        of them with halves of it.
    metric, edge_lengths, n_init, max_iter, tol
        As in `ProductEmbedding`.
    n_splits : int, default=5
        Parts of the pairs; a variance between two or three of them is a rough one.
    confidence_level : float, default=0.95
        Of all intervals together.
    max_rows : int, default=200
        Beyond, so many rows are sampled.
    random_state : int, RandomState or None, default=None
        For the parts, the starts and the sample.

    Attributes
    ----------
    best_signature_ : str
        The candidate chosen, or "none" if no one is better than the flat one beyond chance.
    table_ : list of dict
        A row for each candidate, the best first: `signature`; `distortion` with `low` and `high`,
        the mean over held-out pairs and its interval; `difference`, `difference_low` and
        `difference_high`, that to the flat candidate, paired; `curvatures`, the median over the
        fits.
    ties_ : list of str
        Candidates that are not worse than the first of the table beyond the interval of the
        difference.
    flat_ : str
        The flat candidate.
    delta_ : float
        Gromov's delta, twice it divided by the largest distance: 0 in a tree, at most 1.
    sectional_curvature_ : float
        Mean of `noneuclid.geometry.sectional_curvature` over the nodes of a graph of up to 2000;
        nan for other data.
    rows_ : ndarray of int
        The rows compared.

    Raises
    ------
    InputError
        As `ProductEmbedding`, and if the candidates differ in dimension or none is flat.

    See Also
    --------
    ProductEmbedding : Embeds in the product chosen.
    noneuclid.geometry.delta_hyperbolicity : A single number, without a model.

    Notes
    -----
    Time is that of `n_splits` fits for each candidate, and a third of it again for the intervals:
    15 s of a core for 100 rows and dimension 4. Of 20 draws of 60 rows from each of eight products,
    all are found from exact distances (`benchmarks/signature_recovery.tsv`). With 10 % noise 138 of
    140 are, and of H2 E2 6 of 20, with the answer "none" for the others; 95 % intervals of a
    difference hold its mean in 85 % (H2 S2) to all (H2 H2) of the draws. Noise hides small
    curvature, and then the answer is "none". The choice of products by distortion follows Gu, Sala,
    Gunel and Ré, Learning mixed-curvature representations in product spaces, ICLR 2019, section 4,
    who measure it on the pairs of the fit.

    References
    ----------
    .. [1] Arvesen, Jackknifing U-statistics, Annals of Mathematical Statistics 40(6), 1969.

    Examples
    --------
    >>> from noneuclid import SignatureSearch
    >>> from noneuclid.geometry import ProductSpace
    >>> X = ProductSpace("S2").random_wrapped_normal(40, random_state=0)
    >>> distances = ProductSpace("S2").pairwise_distances(X)
    >>> search = SignatureSearch(2, metric="precomputed", n_init=2, random_state=0)
    >>> search.fit(distances).best_signature_
    'S2'
    """

    def __init__(
        self,
        n_components: int = 4,
        *,
        candidates: list[str] | tuple[str, ...] | None = None,
        metric: str = "euclidean",
        edge_lengths: str | bool | None = None,
        n_splits: int = 5,
        confidence_level: float = 0.95,
        n_init: int = 12,
        max_iter: int = 300,
        tol: float = 1e-2,
        max_rows: int = 200,
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.candidates = candidates
        self.metric = metric
        self.edge_lengths = edge_lengths
        self.n_splits = n_splits
        self.confidence_level = confidence_level
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.max_rows = max_rows
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Compare the candidates.

        Parameters
        ----------
        X : array_like of shape (n, n) or (n, p), networkx.Graph, or sparse matrix of shape (n, n)
            Distances, rows or a graph, as `metric` says.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        name, seed = type(self).__name__, self._seed()
        spaces, self.flat_ = self._spaces(name)
        check_descent(name, self)
        require_number(self.n_splits, "n_splits", name, low=2, integer=True)
        require_number(self.confidence_level, "confidence_level", name, low=0.5, high=0.9999)
        require_number(self.max_rows, "max_rows", name, low=10, integer=True)
        given = self._distances(self._read(X), self.max_rows, seed)
        n, self.rows_ = len(given.rows), given.rows
        require(
            n >= max(10, 2 * self.n_components + 2),
            f"{name}: {n} rows are too few for dimension {self.n_components}; give 10 or more, and "
            "more than twice the dimension",
        )
        self.delta_ = 2 * delta_hyperbolicity(given.values) / given.values.max()
        self.sectional_curvature_ = np.nan
        if given.paths is not None:
            self.sectional_curvature_ = float(
                np.nanmean(sectional_curvature(given.paths, given.adjacency))
            )
        found = self._held_out(given.values, spaces, seed, name)
        self._compare([s.signature for s in spaces], *found)
        return self

    def _spaces(self, name):
        """Candidates, and which is flat."""
        require_number(self.n_components, "n_components", name, low=1, integer=True)
        given = self.candidates
        given = default_candidates(self.n_components) if given is None else given
        spaces = [ProductSpace(signature) for signature in given]
        flat = [s.signature for s in spaces if set(s.curvatures) == {0.0}]
        require(
            len(flat) == 1 and len(spaces) > 1,
            f"{name}: candidates {', '.join(given)} have {len(flat)} flat ones; give one, and one "
            "or more others",
        )
        for space in spaces:
            require(
                space.dimension == self.n_components,
                f"{name}: the candidate {space} has dimension {space.dimension}, n_components = "
                f"{self.n_components}; give signatures of one dimension",
            )
        return spaces, flat[0]

    def _held_out(self, distances, spaces, seed, name):
        """Distortions of all pairs, each by the fit without it, and median curvatures.

        Each part has starts of its own, so that parts differ as fits do. Returns (candidates, n, n)
        and the part of each pair, (n, n), symmetric and nan where the distance is 0; the means of
        `without_groups`, (candidates, groups); and a list.
        """
        pairs = pairs_of(distances, np.inf, seed, name)
        part = np.random.default_rng(seed).permutation(len(pairs.wanted)) % self.n_splits
        errors = np.full((len(spaces) + 1, *distances.shape), np.nan)
        errors[-1, pairs.left, pairs.right] = part
        curvatures, without = [[] for _ in spaces], []
        options = {key: getattr(self, key) for key in ("n_init", "max_iter", "tol")}
        for fold in range(self.n_splits):
            known, held = (
                Pairs(*(p[kept] for p in pairs)) for kept in (part != fold, part == fold)
            )
            filled = fill_in(distances, held)
            for k, space in enumerate(spaces):
                found = embed(filled, known, space, seed=seed + fold, **options)
                errors[k, held.left, held.right] = found.errors(held)
                curvatures[k].append(found.space.curvatures)
                if fold == 0:
                    without.append(without_groups(filled, pairs, found, seed, self.tol))
        lower = np.tril_indices(len(distances))
        for table in errors:
            table[lower] = table.T[lower]
        return (
            errors[:-1],
            errors[-1],
            np.array(without),
            [tuple(np.median(c, axis=0)) for c in curvatures],
        )

    def _compare(self, names, errors, folds, without, curvatures):
        """Set the table and the choice."""
        flat = names.index(self.flat_)
        level = 1 - (1 - self.confidence_level) / (len(names) - 1)

        def less(k, other, level):
            """Difference in distortion, and its interval."""
            return interval(errors[k] - errors[other], level, folds, without[k] - without[other])

        self.table_ = []
        for k, (name, curvature) in enumerate(zip(names, curvatures, strict=True)):
            mean, low, high = interval(errors[k], self.confidence_level, folds, without[k])
            difference = less(k, flat, level)
            row = {"signature": name, "distortion": mean, "low": low, "high": high}
            row |= dict(
                zip(("difference", "difference_low", "difference_high"), difference, strict=True)
            )
            self.table_.append(row | {"curvatures": tuple(map(float, curvature))})
        self.table_.sort(key=lambda row: row["distortion"])
        first = names.index(self.table_[0]["signature"])
        self.ties_ = [
            name for k, name in enumerate(names) if k != first and less(k, first, level)[1] <= 0
        ]
        # The least distorted comes first, and is found if others have as few curved factors.
        better = [row["signature"] for row in self.table_ if row["difference_high"] < 0]
        near = better[:1]
        for name in better[1:]:
            more = less(names.index(name), names.index(better[0]), _ONE_ERROR)
            if flatter(name, better[0]) and more[1] <= 0:
                near.append(name)
        self.best_signature_ = min(near, key=lambda s: len(curved(s)), default=NONE)


def curved(signature):
    """Curved factors, in their order.

    Examples
    --------
    >>> curved("H2 E2"), curved("E4")
    (['H2'], [])
    """
    return [factor for factor in signature.split() if factor[0] != "E"]


def flatter(signature, other):
    """If `other` with some curved factors made flat is this signature of the same dimension.

    Examples
    --------
    >>> flatter("S2 E2", "H2 S2"), flatter("S4", "S2 S2"), flatter("S2 E2", "H2 H2")
    (True, False, False)
    """
    return not Counter(curved(signature)) - Counter(curved(other))


def default_candidates(dimension):
    """Signatures of H, S and E, and of two halves; a line of hyperbolic space is a flat one.

    Examples
    --------
    >>> default_candidates(4)
    ['H4', 'S4', 'E4', 'H2 H2', 'H2 S2', 'H2 E2', 'S2 S2', 'S2 E2']
    >>> default_candidates(3)
    ['H3', 'S3', 'E3', 'H2 S1', 'H2 E1', 'S2 S1', 'S2 E1', 'E2 S1']
    >>> default_candidates(2), default_candidates(1)
    (['H2', 'S2', 'E2', 'S1 S1', 'S1 E1'], ['S1', 'E1'])
    """
    more, less = (dimension + 1) // 2, dimension // 2
    single = [f"{kind}{dimension}" for kind in "HSE"]
    pairs = []
    for a, first in enumerate("HSE"):
        for b, second in enumerate("HSE"):
            same = more == less and b < a
            if less and not same and first + second != "EE":
                pairs.append(f"{first}{more} {second}{less}")
    return [s for s in single + pairs if "H1" not in s.split()]


def fill_in(distances, held):
    """Distances whose held-out ones are the middle of their bounds by the known ones.

    The bounds of d_ij are the largest |d_ik - d_jk| and the least d_ik + d_jk over rows k both of
    whose distances are known. O(m n) time.
    Shapes: `distances` (n, n).

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    >>> fill_in(line, Pairs(np.array([0]), np.array([3]), np.array([3.0])))[0].tolist()
    [0.0, 1.0, 2.0, 2.0]
    """
    known = distances.copy()
    known[held.left, held.right] = known[held.right, held.left] = np.nan
    np.fill_diagonal(known, np.nan)
    filled, middle = known.copy(), np.nanmean(known)
    for i, j in zip(held.left, held.right, strict=True):
        both = known[i], known[j]
        if np.isfinite(both[0] + both[1]).any():
            low, high = np.nanmax(np.abs(both[0] - both[1])), np.nanmin(both[0] + both[1])
            filled[i, j] = filled[j, i] = (low + high) / 2
        else:
            filled[i, j] = filled[j, i] = middle
    np.fill_diagonal(filled, 0.0)
    return filled


def without_groups(distances, pairs, found, seed, tol):
    """Mean distortion of the fitted pairs without each group of rows, by a fit that goes on.

    Shapes: `distances` (n, n); returns (groups,).
    """
    group = np.random.default_rng(seed).permutation(len(distances)) % _GROUPS
    means = []
    for out in range(_GROUPS):
        kept = (group[pairs.left] != out) & (group[pairs.right] != out)
        left = Pairs(*(p[kept] for p in pairs))
        options = {"start": found.descent, "tol": tol, "max_iter": _AGAIN}
        means.append(embed(distances, left, found.space, **options).errors(left).mean())
    return np.array(means)


def interval(table, level, folds=None, without=None):
    """Mean over pairs of rows, and its t interval by the jackknife over rows.

    With parts, the variance between their means, by their number, is added: that of starts and of
    the partition, which the jackknife does not see. With means `without` groups of rows, after
    fits without them, the variance over rows is that of this jackknife, if larger.
    Shapes: `table` and `folds` (n, n), symmetric; nan pairs are left out; `without` (groups,).

    Examples
    --------
    >>> interval(np.ones((5, 5)), 0.95)
    (1.0, 1.0, 1.0)
    """
    n, values = len(table), np.array(table)
    np.fill_diagonal(values, np.nan)
    sums, counts = np.nansum(values, axis=1), np.isfinite(values).sum(axis=1)
    mean = sums.sum() / counts.sum()
    each = (sums.sum() - 2 * sums) / (counts.sum() - 2 * counts)
    variance = jackknife(each)
    if without is not None:
        variance = max(variance, jackknife(without))
    if folds is not None:
        means = [np.nanmean(values[folds == fold]) for fold in range(int(np.nanmax(folds)) + 1)]
        variance += np.var(means, ddof=1) / len(means)
    half = student.ppf((1 + level) / 2, n - 1) * np.sqrt(variance)
    return float(mean), float(mean - half), float(mean + half)


def jackknife(without):
    """Variance of a statistic, from its values without each of as many groups."""
    return (len(without) - 1) * np.var(without)
