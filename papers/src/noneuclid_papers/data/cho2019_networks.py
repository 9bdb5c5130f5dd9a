"""Four social networks of cho2019: adjacency, labels, and embeddings in the Poincaré disk."""

import numpy as np

from noneuclid.errors import require
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset
from noneuclid_papers.data.formats import check_roles, codes_for, read_matlab, require_choice
from noneuclid_papers.data.graph_formats import induced, kept_rows, simple_edges
from noneuclid_papers.data.licences import (
    ADAMIC,
    CHO,
    GIRVAN,
    HYPLINEAR,
    KREBS,
    MIT,
    ZACHARY,
    about,
)

NAME = "hyplinear_networks"
# In the order of the codes.
NETWORKS = {
    "karate": (("Mr. Hi", "Officer"), ZACHARY),
    "polbooks": (("conservative", "liberal", "neutral"), KREBS),
    "football": (
        (
            "Atlantic Coast", "Big East", "Big Ten", "Big Twelve", "Conference USA", "Independents",
            "Mid-American", "Mountain West", "Pacific Ten", "Southeastern", "Sun Belt",
            "Western Athletic",
        ),
        GIRVAN,
    ),
    "polblogs": (("liberal", "conservative"), ADAMIC),
}  # fmt: skip
FOOTBALL = (
    "The files have codes only. The names are inferred: the published network lists its "
    "conferences in this order with the same numbers of teams."
)
POLBLOGS = "The files have codes only: liberal comes first, as in the published graph."
REMARKS = {"football": [FOOTBALL], "polblogs": [POLBLOGS]}
POINTS = (
    "One of five fits of the same network: rows of different runs are not independent samples.",
    "Embedded strongly off-centre: coordinate means reach 0.5.",
)


def load(files, seed, *, name, kind="points", keep="all"):
    """Read one run of one network.

    Parameters
    ----------
    files : dict
        `network`: ``karate_data_1.mat`` and so on.
    name : {"karate", "polbooks", "football", "polblogs"}
    kind : {"points", "graph"}
        The authors' embedding, with the edges beside it; or the adjacency alone, which all runs
        share.
    keep : {"all", "largest"}
        "largest" leaves out nodes outside the largest component (polblogs: rows 148 and 518).

    Raises
    ------
    InputError
        If name and file do not belong together.
    """
    check_roles(files, NAME, ["network"])
    require_choice(name, "name", NETWORKS, NAME)
    require_choice(kind, "kind", ("points", "graph"), NAME)
    require_choice(keep, "keep", ("all", "largest"), NAME)
    class_names, origin = NETWORKS[name]
    points, adjacency, labels = read_matlab(files["network"], ["B", "A", "label"])
    require(
        adjacency.shape == (len(points),) * 2 and len(labels) == len(points),
        f"{files['network']}: A {adjacency.shape}, B {points.shape} and label {labels.shape} "
        "do not fit together; fetch the file again",
    )
    labels = codes_for(labels.ravel(), class_names, NAME)
    edges, n = simple_edges(np.argwhere(adjacency)), len(labels)
    rows = kept_rows(edges, n, keep)
    oddities = _oddities(name, kind, points, kept_rows(edges, n, "largest"), keep)
    return checked(
        Dataset(
            name,
            kind,
            labels[rows],
            class_names,
            features=points[rows] if kind == "points" else None,
            edges=induced(edges, rows, n),
            chart="poincare" if kind == "points" else None,
            about=about([origin, CHO], MIT, HYPLINEAR, oddities),
        )
    )


def _oddities(name, kind, points, largest, keep):
    """Facts of this network and this run."""
    facts = [*(POINTS if kind == "points" else ()), *REMARKS.get(name, [])]
    outside = np.setdiff1d(np.arange(len(points)), largest)
    if outside.size:
        place = f"Rows {', '.join(map(str, outside))} (from 0), outside the largest component"
        norm = np.linalg.norm(points[outside], axis=1).min()
        where = f" at norm {norm:.6f}, where they dominate averages" if kind == "points" else ""
        done = "left out" if keep == "largest" else "kept (keep: largest leaves them out)"
        facts.append(f"{place}{where}, are {done}.")
    return facts
