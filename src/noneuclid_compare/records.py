"""Data that one stage passes to the next; `noneuclid_compare.io` writes and reads it."""

import inspect
from dataclasses import dataclass, field

import numpy as np

from noneuclid.geometry import spaces

# Name of the embedding that hands the original features through, for the baselines.
ORIGINAL = "original"
# Schemes of splits that keep groups whole.
OF_GROUPS = ("stratified_group_kfold", "leave_one_group_out", "group_holdout")
KINDS = ("features", "expression", "graph", "images", "points", "composition")
# Kinds of which signatures are compared.
COMPARED = ("features", "expression", "graph")

# Status of a converged fit; any other status comes with a warning. Closed forms have none. A
# horospherical optimum lies on the light cone, "solved" is a relaxation, "stationary" a stationary
# point of a problem that is not convex.
SOLVED = (None, "optimal", "horospherical", "converged", "separated", "solved", "stationary")


@dataclass(frozen=True)
class Dataset:
    """A named data set with labels, as a loader returns it and stage acquire keeps it.

    Attributes
    ----------
    name, kind : str
        `kind` is one of `KINDS`.
    labels : ndarray of int, shape (n,)
        Codes into `class_names`.
    class_names : tuple of str
    features : ndarray of float, shape (n, p), or None
        Measurements of any kind, expression values, flattened pixels, or coordinates in `chart`.
    edges : ndarray of int, shape (m, 2), or None
        Undirected edges of a graph on the rows, each once, no self loops.
    weights : ndarray of float, shape (m,), or None
        Lengths of the edges; None means all 1.
    chart, curvature : str or None, float
        For kind `points`: as in `Embedded`.
    target : ndarray of float, shape (n,), or None
        Numbers to predict instead of classes; the labels are then their intervals, from
        `datasets.targets.intervals`, for folds and pictures.
    fixed_fold : ndarray of int, shape (n,), or None
        The authors' own split: 1 for their test rows, 0 for their training rows.
    groups : ndarray of int, shape (n,), or None
        Codes into `group_names`: donors, hospitals. Rows of one group are not independent.
    group_names : tuple of str
        Where there are groups; `about["grouped_by"]` says what they are.
    column_kinds : list or None
        Of a table with missing values or categories the kind of each column, as in
        `data.prepare.mixed_columns`; None where all features are finite numbers.
    preparation : dict or None
        Of cells whose features are components of counts: arrays and JSON values of
        `datasets.prepare.preparation.Preparation`, which places new cells, and `genes`, the names
        of its columns.
    about : dict
        `citation`, `licence`, `source` (str each), `oddities` (list of str); JSON values only.
        A loader may add `reference_points` in `chart`: one row, or one for each class.
    """

    name: str
    kind: str
    labels: np.ndarray
    class_names: tuple
    features: np.ndarray | None = None
    edges: np.ndarray | None = None
    weights: np.ndarray | None = None
    chart: str | None = None
    curvature: float = 1.0
    fixed_fold: np.ndarray | None = None
    target: np.ndarray | None = None
    groups: np.ndarray | None = None
    group_names: tuple = ()
    column_kinds: list | None = None
    preparation: dict | None = None
    about: dict = field(default_factory=dict)

    @property
    def n(self):
        """Number of rows."""
        return len(self.labels)


@dataclass(frozen=True)
class Embedded:
    """Points in hyperbolic space with their labels: the output of an embedding stage.

    Attributes
    ----------
    points : ndarray of float, shape (n, d) or, on the hyperboloid, (n, d + 1)
    chart, curvature : str, float
        The chart of `points`, the curvature being `-curvature`, or a signature such as "H2 S2".
    labels, class_names, fixed_fold, target : as in `Dataset`
    column_kinds : list or None
        As in `Dataset`, of original features that a baseline prepares in each fold.
    about : dict
        Facts for the report: `dataset` (the data set's own `about`, kind, n, classes, group_names),
        `embedding` (name, settings, distortion, transductive, seconds). JSON values only. With
        embedding `given` also the data set's `reference_points`, if it has them, for methods with
        `reference_point: dataset`.
    rule : embeddings.maps.Map, or None
        How new rows are placed; the stage embed keeps it in a file of its own.
    """

    points: np.ndarray
    chart: str
    labels: np.ndarray
    class_names: tuple
    curvature: float = 1.0
    fixed_fold: np.ndarray | None = None
    target: np.ndarray | None = None
    column_kinds: list | None = None
    about: dict = field(default_factory=dict)
    rule: object = None

    @property
    def dimension(self):
        """Dimension of the space (one less than the columns on hyperboloid and simplex)."""
        return spaces.dimension(self.points.shape[1], self.chart)


@dataclass(frozen=True)
class Split:
    """The folds of one repeat, the same for every method.

    Attributes
    ----------
    fold : ndarray of int, shape (n,)
        k >= 0: the row is left out in fold k; `TRAIN_ONLY`: it is in every training set;
        `UNUSED`: it is in none.
    about : dict
        `scheme`, `seed`, `decisions` (sentences for the report on classes that are too small);
        of grouped rows `grouped_by` and `n_groups`.
    groups : ndarray of int, shape (n,), or None
        Codes of the groups that the folds keep whole, which inner folds then keep whole, too.
    """

    fold: np.ndarray
    about: dict = field(default_factory=dict)
    groups: np.ndarray | None = None

    TRAIN_ONLY = -1
    UNUSED = -2

    def groups_of(self, rows):
        """Groups of some rows, or None."""
        return None if self.groups is None else self.groups[rows]

    @property
    def n_folds(self):
        """Number of folds."""
        return int(self.fold.max()) + 1

    def rows(self, k):
        """Training rows and held-out rows of fold `k`."""
        used = self.fold != self.UNUSED
        left_out = self.fold == k
        return np.flatnonzero(used & ~left_out), np.flatnonzero(left_out)


@dataclass(frozen=True)
class Predictions:
    """Output of one train job: predictions of every held-out row of every fold, in fold order.

    Attributes
    ----------
    rows, fold, truth, predicted : ndarray of int, shape (m,)
        Row of the data set, fold, true and predicted class code; of a regressor, true and
        predicted number (float).
    scores : ndarray of float, shape (m, n_classes), or None
        Decision values, larger means more likely; a class absent from a training set has -inf.
        With two classes the columns are minus and plus the binary decision value. None where the
        method has none.
    probabilities : ndarray of float, shape (m, n_classes), or None
        These and the scores are float32 if there are many, and None if the configuration does not
        keep them.
    """

    rows: np.ndarray
    fold: np.ndarray
    truth: np.ndarray
    predicted: np.ndarray
    scores: np.ndarray | None = None
    probabilities: np.ndarray | None = None


@dataclass(frozen=True)
class Disk:
    """One picture of an embedded data set with all its methods.

    Attributes
    ----------
    dataset, embedding : str
    methods : tuple of str
    points : ndarray of float, shape (n, 2)
        In the unit disk; a projection if `dimension` is not 2.
    labels, class_names : as in `Dataset`
    held_out : ndarray of int, shape (n_methods, n)
        Code predicted for each row when it was left out in the first repeat, or -1.
    edges : ndarray of float, shape (n_classes - 1,), or None
        Limits between the classes, if they are the intervals of a target: a predicted number
        then counts as the code of its interval.
    regions : ndarray of int, shape (n_methods, size, size), or None
        Code predicted on a raster over [-1, 1]^2 by the model fitted on all rows, -1 outside
        the disk; row 0 is the lowest. None if `dimension` is not 2 or no models were kept.
    references : ndarray of float, shape (p, 3), or None
        Points in the unit disk that hyperplanes of these models pass through: position of the
        method, x, y. None where `regions` is None.
    scale : float
        Points, regions and references are drawn at so many times their distance from the centre,
        and at other angles if it is not 1; see `noneuclid.plots.disk_views`.
    space, coordinates : str, ndarray of float, shape (n, n_features), or None
        Signature of a product space, of which `points` are a projection, and its points.
    """

    dataset: str
    embedding: str
    methods: tuple
    points: np.ndarray
    labels: np.ndarray
    class_names: tuple
    dimension: int
    held_out: np.ndarray
    regions: np.ndarray | None = None
    edges: np.ndarray | None = None
    references: np.ndarray | None = None
    scale: float = 1.0
    space: str = ""
    coordinates: np.ndarray | None = None


def kind_of(about):
    """Kind of a data set, as its baselines and names have it: a box is no composition.

    Examples
    --------
    >>> kind_of({"kind": "composition"})
    'composition'
    >>> kind_of({"kind": "composition", "domain": {"polytope": "box"}})
    'box'
    """
    boxed = (about.get("domain") or {}).get("polytope") == "box"
    return "box" if boxed else about.get("kind")


def with_parameters_of(*others):
    """Decorator: the ``**options`` of a function are the keyword parameters of other functions.

    They appear in its signature, so `inspect` reads all of them; its own ones come first and
    overrule theirs.

    Examples
    --------
    >>> def scale(x, *, factor=2.0): ...
    >>> @with_parameters_of(scale)
    ... def shift(x, *, by=1.0, **options): ...
    >>> str(inspect.signature(shift))
    '(x, *, by=1.0, factor=2.0)'
    """

    def decorate(function):
        found = {
            p.name: p
            for p in inspect.signature(function).parameters.values()
            if p.kind is not p.VAR_KEYWORD
        }
        for other in others:
            for p in inspect.signature(other).parameters.values():
                if p.kind is p.KEYWORD_ONLY:
                    found.setdefault(p.name, p)
        function.__signature__ = inspect.Signature(list(found.values()))
        return function

    return decorate
