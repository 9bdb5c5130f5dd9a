"""A network beside its embedding in the disk."""

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection

from noneuclid.errors import InputError, require
from noneuclid.geometry import charts
from noneuclid.plots import drawing, palette
from noneuclid_compare import wording
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.names import Names

TITLE = "A network and its embedding"
INTRO = "The same nodes and edges in a layout of the plane and in the Poincaré disk."
TEXT = (
    "{name}: {nodes}, {edges}. Left: force-directed layout (spring_layout of networkx). Right: "
    "embedding {embedding}; edges are geodesics.{hidden} {colours}."
)
# More would fill the figure with their legend.
MOST_CLASSES = 24


def draw(points, models, scores, *, datasets):
    """Draw a network and its embedding.

    Parameters
    ----------
    points : dict of str to Embedded
        One embedding of the network, in two dimensions.
    models : dict
        None.
    scores : None
    datasets : dict of str to Dataset
        One data set with edges.

    Returns
    -------
    dict of str to (Figure, str, DataFrame)
        `network`, and its nodes and edges by `table`.

    Raises
    ------
    InputError
        If something else is given.
    """
    require(
        len(datasets) == len(points) == 1,
        f"{TITLE}: give one data set under datasets and one of its embeddings under points",
    )
    ((name, network),), ((path, embedded),) = datasets.items(), points.items()
    require(network.edges is not None, f"{TITLE}: {name} has no edges; name a network")
    if embedded.dimension != 2 or path.split("/")[0] != name:
        raise InputError(f"{TITLE}: {path} is no embedding of {name} in two dimensions")
    scaled = charts.convert(embedded.points, embedded.chart, "poincare", embedded.curvature)
    # The disk of curvature -K has radius 1 / sqrt(K).
    disk, plane = np.sqrt(embedded.curvature) * scaled, layout(network)
    few = len(network.class_names) <= MOST_CLASSES
    text = TEXT.format(
        name=Names().head("datasets", name),
        nodes=wording.count(network.n, "node"),
        edges=wording.count(len(network.edges), "edge"),
        embedding=Names().in_text("embeddings", path.split("/")[1]),
        hidden=hidden(disk),
        colours="Colours are classes" if few else f"Colours are {len(network.class_names)} classes",
    )
    figure = theme.new_figure(9.2, 5.2)
    left, right = figure.subplots(1, 2)
    left.set(title="network", aspect="equal")
    left.set_axis_off()
    drawing.prepare_disk(right, "embedding")
    draw_nodes(left, plane, plane[network.edges], network)
    draw_nodes(right, disk, geodesics(disk, network.edges), network)
    if few:
        handles = drawing.class_handles(network.class_names)
        figure.legend(handles=handles, loc="outside lower center", ncols=min(8, len(handles)))
    return {"network": (figure, text, table(network, plane, disk))}


def hidden(places):
    """A sentence on nodes at the place of another one, to a thousandth of the disk's radius.

    Examples
    --------
    >>> hidden(np.array([[0.1, 0.0], [0.1, 0.0], [0.2, 0.0]]))
    ' 3 nodes have 2 places: some markers hide others.'
    >>> hidden(np.array([[0.1, 0.0], [0.2, 0.0]]))
    ''
    """
    apart = len(np.unique(places.round(3), axis=0))
    if apart == len(places):
        return ""
    return f" {len(places)} nodes have {wording.count(apart, 'place')}: some markers hide others."


def geodesics(places, edges, size=40):
    """Points on the geodesic of each edge, (m, size, 2), of places in the unit Poincaré disk.

    Of the chord in the Klein disk, at distance c from 0 and with half length h, the points
    c + h sin φ are at even steps of φ, which divide the arc in the Poincaré disk smoothly.

    Examples
    --------
    >>> geodesics(np.array([[-0.5, 0.0], [0.5, 0.0]]), np.array([[0, 1]]), 3).round(3) + 0.0
    array([[[-0.5,  0. ],
            [ 0. ,  0. ],
            [ 0.5,  0. ]]])
    """
    chords = 2 * places / (1 + (places**2).sum(axis=1, keepdims=True))
    starts, ends = (chords[side] for side in edges.T)
    lengths = np.linalg.norm(ends - starts, axis=1, keepdims=True)
    along = np.divide(ends - starts, lengths, out=np.zeros_like(starts), where=lengths > 0)
    foot = starts - (starts * along).sum(axis=1, keepdims=True) * along
    # Two equal points of the rim have no chord.
    half = np.sqrt(np.maximum(1 - (foot**2).sum(axis=1), 1e-30))
    sines = [(end * along).sum(axis=1) / half for end in (starts, ends)]
    angles = np.linspace(*np.arcsin(np.clip(sines, -1, 1)), size, axis=1)[..., None]
    half = half[:, None, None]
    points = foot[:, None] + half * np.sin(angles) * along[:, None]
    return points / (1 + half * np.cos(angles))


def table(network, plane, disk):
    """Nodes, with class and both places, then edges, with both nodes, all counted from 0."""
    classes = np.array(network.class_names)[network.labels]
    nodes = {"kind": "node", "node": np.arange(network.n), "class": classes}
    names = ("x", "y", "x_disk", "y_disk")
    nodes |= dict(zip(names, np.hstack([plane, disk]).T, strict=True))
    ends = dict(zip(("node", "neighbour"), network.edges.T, strict=True))
    found = pd.concat([pd.DataFrame(nodes), pd.DataFrame({"kind": "edge"} | ends)])
    return found.astype({"neighbour": "Int64"}).reset_index(drop=True)


def layout(network):
    """Places of the nodes, (n, 2), by networkx; an edge pulls regardless of its length.

    Examples
    --------
    >>> from noneuclid_compare.records import Dataset
    >>> edges = np.array([[0, 1], [1, 2]])
    >>> path = Dataset("path", "graph", np.zeros(3, int), ("a",), edges=edges)
    >>> places = layout(path)
    >>> bool(np.linalg.norm(places[0] - places[2]) > np.linalg.norm(places[0] - places[1]))
    True
    """
    graph = nx.empty_graph(network.n)
    graph.add_edges_from(network.edges.tolist())
    places = nx.spring_layout(graph, seed=0)
    return np.array([places[node] for node in range(network.n)])


def draw_nodes(ax, places, lines, network):
    """Nodes at places, (n, 2), over edges, (m, points, 2)."""
    ax.add_collection(LineCollection(lines, colors=palette.MUTED, lw=0.5, alpha=0.7, zorder=1))
    n_classes = len(network.class_names)
    area = float(np.clip(4000 / network.n, 6, 40))
    drawing.draw_classes(ax, places, network.labels, n_classes, area)
