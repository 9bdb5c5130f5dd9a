"""karate: friendships in a karate club that split in two (ships inside networkx)."""

import numpy as np

from noneuclid.errors import require_package
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Zachary, An information flow model for conflict and fission in small groups, "
    "Journal of Anthropological Research 33(4):452-473, 1977, doi:10.1086/jar.33.4.3629752",
    "licence": "BSD-3-Clause (networkx)",
    "source": "networkx.karate_club_graph",
    "oddities": "The 78 edges carry counts of shared activities; a larger count means closer "
    "friends, the opposite of a length, so every edge has length 1 here. Member 8 joined the "
    "officers' club against the flow model. With 34 members one error is 3 % of accuracy.",
}


def load(files, seed):
    """Load 34 members, 78 friendships, and the club each member joined after the split.

    Returns
    -------
    Dataset
        Kind `graph`, without features.

    Examples
    --------
    >>> data = load({}, 0)
    >>> data.edges.shape, data.class_names
    ((78, 2), ('Mr. Hi', 'Officer'))
    """
    networkx = require_package("networkx", "data", "data set karate")

    graph = networkx.karate_club_graph()
    labels, class_names = encode([graph.nodes[node]["club"] for node in range(len(graph))])
    edges = np.array(sorted(graph.edges()))
    return checked(Dataset("karate", "graph", labels, class_names, edges=edges, about=ABOUT))
