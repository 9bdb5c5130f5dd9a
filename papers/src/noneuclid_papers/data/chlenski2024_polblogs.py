"""Polblogs, embedded as the notebook of chlenski2024 embeds it."""

import numpy as np
from sklearn.model_selection import train_test_split

from noneuclid.errors import require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset
from noneuclid_papers.data import network_repository
from noneuclid_papers.data.cho2019_networks import NETWORKS
from noneuclid_papers.data.formats import check_roles, codes_for
from noneuclid_papers.data.licences import ADAMIC, MANIFY, NOT_STATED, about
from noneuclid_papers.programs.chlenski2024 import released_embedding

NAME = "chlenski2024_polblogs"
REMARK = (
    "The points are those of noneuclid_papers.programs.chlenski2024.released_embedding, from other "
    "random numbers than the authors'. They are in the ball of radius 0.873 and are read with "
    "curvature -1, as in the authors' program. A fifth of the nodes is set aside and never used, "
    "as there."
)


def load(files, seed, *, n_components=2, number=0, burn_in=10, max_iter=100, batch_size=8):
    """Embed the directed graph of the nodes with an edge.

    Parameters
    ----------
    files : dict
        `graph` and `labels`, as for `network_repository`.
    n_components : int
    number : int
        The authors' seed, 0 to 9 in the paper: of the embedding and of the nodes set aside.
    burn_in, max_iter, batch_size
        As for `released_embedding`.

    Returns
    -------
    Dataset
        Kind `points`, 979 in the Poincaré ball.

    Raises
    ------
    InputError
        If files are missing, or a setting is out of range.
    """
    settings = {"n_components": n_components, "number": number, "burn_in": burn_in}
    settings |= {"max_iter": max_iter, "batch_size": batch_size}
    lows = {"n_components": 2, "number": 0, "burn_in": 0, "max_iter": 1, "batch_size": 1}
    for key, low in lows.items():
        require_number(settings[key], key, NAME, low=low, high=2**32 - 1, integer=True)
    check_roles(files, NAME, ["graph", "labels"])
    pairs, labels = network_repository.READERS["polblogs"](files)
    labels = codes_for(labels, NETWORKS["polblogs"][0], NAME)
    nodes, edges = np.unique(np.unique(pairs, axis=0), return_inverse=True)
    points, _ = released_embedding(
        edges.reshape(-1, 2), len(nodes), n_components, number,
        burn_in=burn_in, max_iter=max_iter, batch_size=batch_size,
    )  # fmt: skip
    kept, _ = train_test_split(np.arange(len(nodes)), test_size=0.2, random_state=number)
    facts = about([ADAMIC], NOT_STATED, MANIFY, [REMARK])
    return checked(
        Dataset(
            NAME,
            "points",
            labels[nodes][kept],
            NETWORKS["polblogs"][0],
            features=points[kept],
            chart="poincare",
            about={**facts, "settings": settings, "seed": number},
        )
    )
