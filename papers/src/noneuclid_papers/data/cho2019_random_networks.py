"""Random networks of cho2019: popularity-similarity graphs, embedded, with labels that spread."""

import numpy as np

from noneuclid.errors import require, require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.generators.popularity_similarity import spread_labels
from noneuclid_compare.records import Dataset
from noneuclid_papers.data.formats import check_roles, read_numbers, require_choice
from noneuclid_papers.data.graph_formats import simple_edges
from noneuclid_papers.data.licences import CHO, HYPLINEAR, MIT, PAPADOPOULOS, about

NAME = "hyplinear_random_networks"
ODDITIES = (
    "The authors store no labels; these are drawn here, from the seed and the number of the label.",
    "A label passes from the smaller to the larger node number only, as in the authors' runs.",
    "The distance from the origin is almost a function of the degree: correlation -0.98 of norm "
    "and log degree.",
)


def load(files, seed, *, kind="points", label=0, low=20, high=50, probability=0.8):
    """Read one network and draw one label.

    Parameters
    ----------
    files : dict
        `graph`: pairs of node numbers from 1; for kind points, `points`: coordinates in the disk.
    kind : {"points", "graph"}
        The authors' embedding, with the edges beside it; or the network alone.
    label : int
        Which one of those that can be drawn with the same seed.
    low, high : int
        Bounds of its size (cho2019 has 20-50, 50-100 and 100-200).
    probability : float
        That an edge passes it on.

    Returns
    -------
    Dataset
        Classes `without` and `with` the label.

    Raises
    ------
    InputError
        If a setting is out of range, or no draw has a size within the bounds.
    """
    require_choice(kind, "kind", ("points", "graph"), NAME)
    require_number(label, "label", NAME, low=0, integer=True)
    require_number(low, "low", NAME, low=1, integer=True)
    require_number(high, "high", NAME, low=low, integer=True)
    require_number(probability, "probability", NAME, low=0.0, high=1.0)
    is_points = kind == "points"
    check_roles(files, NAME, ["graph", "points"] if is_points else ["graph"])
    edges = simple_edges(read_numbers(files["graph"], dtype=np.int64) - 1)
    points = read_numbers(files["points"]) if is_points else None
    n = len(points) if is_points else int(edges.max()) + 1
    require(edges.max() < n, f"{NAME}: graph and points belong to different networks")
    rng = np.random.default_rng(seed)
    tagged = spread_labels(edges, n, label + 1, low, high, probability, rng)[:, label]
    return checked(
        Dataset(
            NAME,
            kind,
            tagged.astype(np.int64),
            ("without", "with"),
            features=points,
            edges=edges,
            chart="poincare" if is_points else None,
            about=about([PAPADOPOULOS, CHO], MIT, HYPLINEAR, ODDITIES),
        )
    )
