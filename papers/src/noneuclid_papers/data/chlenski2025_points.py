"""Points in product spaces of chlenski2025, with their split: four networks and three sets of rows.

The files of cora and citeseer pair points with labels of other nodes: the distances behind the
points follow the order in which the edge list names nodes, and the labels are sorted by id.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from noneuclid.errors import require, require_number
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.data.files.arrays import reading
from noneuclid_compare.records import Dataset
from noneuclid_papers.data.formats import AGAIN, check_roles, read_numbers
from noneuclid_papers.data.licences import CHLENSKI_2025, MANIFY, NOT_STATED, about

NAME = "chlenski2025_points"
SIGNATURES = {
    "E": "E4", "H": "H4", "S": "S4", "HH": "H2 H2", "HE": "H2 E2", "HS": "H2 S2",
    "SE": "S2 E2", "SS": "S2 S2",
}  # fmt: skip
VAE_SIGNATURES = {"lymphoma": "S2 S2", "mnist": "S2 E2 H2", "cifar_100": "S2 S2 S2 S2"}
SEEDS = 5000  # the 160 files were split with seeds 0 to 297


TRANSDUCTIVE = (
    "The points were embedded with the distances between training and test rows, so scores are "
    "transductive."
)
WRONG_ORDER = "Labels are those of the file, which belong to other nodes: give graph and labels."
REPAIRED = (
    "The labels of the file are sorted by node, the points follow the edge list: labels were put "
    "in the order of the points."
)


@dataclass
class Split:
    """Training and test rows of a task, points on their space."""

    X_train: np.ndarray
    X_test: np.ndarray
    y_train: np.ndarray
    y_test: np.ndarray


def on_space(X, signature):
    """Rows in float64, on the hyperboloid and the sphere.

    Float32 rows far out are off the hyperboloid, since x0^2 - |x|^2 cancels.

    Parameters
    ----------
    X : array-like, shape (n, n_features)
        Blocks of the factors side by side, time first.
    signature : str
        Such as "H2 S2 E1", with curvatures -1, 1 and 0.

    Returns
    -------
    ndarray, shape (n, n_features)

    Raises
    ------
    InputError
        If the blocks do not have as many columns as `X`.

    Examples
    --------
    >>> on_space([[5.0, 0.75, 3.0, 4.0]], "H1 S1")
    array([[1.25, 0.75, 0.6 , 0.8 ]])
    """
    X = np.array(X, dtype=np.float64)
    start = 0
    for factor in signature.split():
        kind, width = factor[0], int(factor[1:]) + (factor[0] != "E")
        block = X[:, start : start + width]
        if kind == "H":
            block[:, 0] = np.sqrt(1 + (block[:, 1:] ** 2).sum(axis=1))
        elif kind == "S":
            block /= np.linalg.norm(block, axis=1, keepdims=True)
        start += width
    require(start == X.shape[1], f"{NAME}: {signature} has {start} columns, the rows {X.shape[1]}")
    return X


def component(files):
    """Largest connected component of a network in the order of its edge list.

    Parameters
    ----------
    files : dict
        `graph`, rows u, v, weight; `labels`, rows id, label.

    Returns
    -------
    labels : ndarray, shape (n,)
        In the order in which the edge list first names the nodes.
    ids : ndarray, shape (n,)
        In the same order; labels sorted by id are ``labels[np.argsort(ids)]``.
    adjacency : sparse array, shape (n, n)
        Rows in the order of `labels`.
    """
    pairs = read_numbers(files["graph"], dtype=np.int64, delimiter=",")[:, :2]
    table = read_numbers(files["labels"], dtype=np.int64, delimiter=",")
    ids, first = np.unique(pairs, return_index=True)
    order = np.argsort(first)
    place = np.argsort(order)[np.searchsorted(ids, pairs)]
    ids = ids[order]
    adjacency = coo_matrix((np.ones(len(place)), place.T), shape=(len(ids), len(ids))).tocsr()
    adjacency = ((adjacency + adjacency.T) > 0).astype(np.float64)
    parts = connected_components(adjacency)[1]
    kept = np.flatnonzero(parts == np.bincount(parts).argmax())
    names = dict(table.tolist())
    ids = ids[kept]
    return np.array([names[i] for i in ids.tolist()]), ids, adjacency[kept][:, kept]


def rows_of(test_rows, n):
    """Nodes of the training and of the test rows, by the seed of the split.

    `train_test_split` shuffles the nodes; a file keeps only its first rows, those of the test set.

    Parameters
    ----------
    test_rows : ndarray of int, shape (n_test,)
    n : int
        Number of nodes.

    Returns
    -------
    train, test : ndarray of int

    Raises
    ------
    InputError
        If no seed below 5,000 draws these test rows.

    Examples
    --------
    >>> train, test = rows_of(np.array([2]), 3)
    >>> train, test
    (array([1, 0]), array([2]))
    """
    for seed in range(SEEDS):
        drawn = np.random.RandomState(seed).permutation(n)
        if np.array_equal(drawn[: len(test_rows)], test_rows):
            return drawn[len(test_rows) :], drawn[: len(test_rows)]
    require(False, f"{NAME}: no seed below {SEEDS} draws these test rows; {AGAIN}")


def labels_of(archive, files):
    """Labels of an archive of cora or citeseer in the order of its points.

    Parameters
    ----------
    archive : mapping of arrays
        `y_train`, `y_test`, and `test_idx`, the test nodes.
    files : dict
        As in `component`.

    Returns
    -------
    y_train, y_test : ndarray of int

    Raises
    ------
    InputError
        If the labels of the archive are not those of the network sorted by id: then it is another
        file, whose labels need no repair or another one.
    """
    labels, ids, _ = component(files)
    by_id = labels[np.argsort(ids)]
    train, test = rows_of(archive["test_idx"], len(labels))
    same = np.array_equal(by_id[train], archive["y_train"])
    require(
        same and np.array_equal(by_id[test], archive["y_test"]),
        f"{NAME}: the labels are not those of the network sorted by id, so they are not repaired",
    )
    return labels[train], labels[test]


def read_split(path, signature, files=None):
    """Training and test rows of an archive.

    Parameters
    ----------
    path : path
        An npz file with `X_train`, `X_test`, `y_train`, `y_test`, and `test_idx` of a network.
    signature : str
        Of its space.
    files : dict, default=None
        Network whose labels replace those of the archive, as in `component`. None: as shipped.

    Returns
    -------
    Split

    Raises
    ------
    InputError
        If the rows are not points of the space to float32, or are not as many as the labels.
    """
    with reading(path, "an archive of points", AGAIN):
        archive = dict(np.load(path))
    points = [on_space(archive[part], signature) for part in ("X_train", "X_test")]
    for part, found in zip(("train", "test"), points, strict=True):
        given, n_labels = archive[f"X_{part}"], len(archive[f"y_{part}"])
        require(
            np.allclose(found, given, rtol=1e-5, atol=1e-5),
            f"{path}: rows of X_{part} are not points of {signature}; give the signature of the "
            "archive",
        )
        require(
            len(given) == n_labels, f"{path}: {len(given)} {part} rows, {n_labels} labels; {AGAIN}"
        )
    labels = labels_of(archive, files) if files else (archive["y_train"], archive["y_test"])
    return Split(*points, *(np.asarray(part, dtype=np.int64) for part in labels))


def load(files, seed, *, signature, n_samples=None, number=0, sorted_labels=False):
    """Read an archive with its split.

    Parameters
    ----------
    files : dict
        `points`, an archive; `graph` and `labels` of cora or citeseer, as for `component`, whose
        labels replace those of the archive.
    signature : str
        Of the points, such as "H2 E2".
    n_samples : int, optional
        Training rows, and as many test rows, that are drawn; None takes all.
    number : int, default=0
        Seed of this draw.
    sorted_labels : bool, default=False
        Whether the archive has labels in another order than its points (cora, citeseer), which is
        then said in `about`.

    Returns
    -------
    Dataset
        Of kind `points`, training rows first.

    Raises
    ------
    InputError
        If the archive has other columns than the signature, or labels of another network.
    """
    given = ["graph", "labels"] if {"graph", "labels"} & set(files) else []
    check_roles(files, NAME, ["points", *given])
    if n_samples is not None:
        require_number(n_samples, "n_samples", NAME, low=2, integer=True)
    split = read_split(files["points"], signature, files if given else None)
    rng, rows = np.random.default_rng(number), []
    for y in (split.y_train, split.y_test):
        chosen = np.arange(len(y))
        if n_samples is not None:
            chosen = rng.choice(len(y), min(n_samples, len(y)), replace=False)
        rows.append(chosen)
    labels, names = encode(np.concatenate([split.y_train[rows[0]], split.y_test[rows[1]]]))
    said = [TRANSDUCTIVE] if "product_graphs" in str(files["points"]) else []
    said += [REPAIRED] if given else [WRONG_ORDER] if sorted_labels else []
    return checked(
        Dataset(
            NAME,
            "points",
            labels,
            names,
            features=np.concatenate([split.X_train[rows[0]], split.X_test[rows[1]]]),
            chart=signature,
            fixed_fold=np.repeat([0, 1], [len(part) for part in rows]),
            about=about([CHLENSKI_2025], NOT_STATED, MANIFY, said),
        )
    )
