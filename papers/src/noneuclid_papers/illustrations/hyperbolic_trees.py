"""Hyperbolic trees on the disk: their cells, and the tree beside them; disks side by side."""

import numpy as np

from noneuclid.classifiers.default_chart import chart_of
from noneuclid.classifiers.hyperbolic_trees import (
    HyperbolicDecisionTreeClassifier,
    HyperbolicExtraTreesClassifier,
    HyperbolicRandomForestClassifier,
)
from noneuclid.errors import InputError, require
from noneuclid.geometry import charts
from noneuclid.plots.tree_display import TreeDisplay
from noneuclid_compare.report.figures import theme

TITLE = "Hyperbolic trees"
INTRO = (
    "Each split of a hyperbolic tree is a segment of a geodesic that ends at the border of its "
    "cell. Cells have the colour of their class. Cells and geodesics are exact curves."
)
ROW = "As in chlenski2024, figure 2: {names}. Thinner arcs are deeper splits."
PICTURE = (
    "{name} as a tree. Grey: the cell divided by each split. Number above each disk: signed "
    "hyperbolic distance from the origin to the intersection of the geodesic with the axis."
)
ENSEMBLE = " Shown is the first of {count} trees."
KINDS = (
    HyperbolicDecisionTreeClassifier,
    HyperbolicExtraTreesClassifier,
    HyperbolicRandomForestClassifier,
)


def draw(points, models, scores, *, trees=None):
    """Decision regions of several trees side by side, and some of the trees as diagrams.

    Parameters
    ----------
    points : dict of str to Embedded
        The data sets of the models, in two dimensions.
    models : dict of str to dict
        Kept hyperbolic trees or forests.
    trees : list of str, optional
        Names of the models that are drawn as diagrams; all by default.
    scores : None

    Returns
    -------
    dict of str to (Figure, str)
        Figures and captions.

    Raises
    ------
    InputError
        If a model is no hyperbolic tree or forest, its points are not given, or a name is unknown.
    """
    chosen = list(models) if trees is None else trees
    require(models, f"{TITLE}: name at least one hyperbolic tree under models")
    for name in chosen:
        require(name in models, f"{TITLE}: no model {name!r}; known: {', '.join(models)}")
    shown = {name: _scene(name, points, kept["estimator"]) for name, kept in models.items()}
    trees, data = zip(*shown.values(), strict=True)
    titles = [f"{len(model.classes_)} classes" for model in trees]
    row = draw_trees(trees, data, titles)
    drawn = {"regions": (row, ROW.format(names=", ".join(models)))}
    for number, name in enumerate(chosen, 1):
        model, rows = shown[name]
        caption = PICTURE.format(name=name)
        if hasattr(model, "n_estimators"):
            caption += ENSEMBLE.format(count=model.n_estimators)
        drawn[f"tree_{number}"] = (draw_tree(model, *rows), caption)
    return drawn


def _scene(name, points, model):
    """A model, and its points in its chart with their classes."""
    if not isinstance(model, KINDS):
        raise InputError(f"{TITLE}: {name} is no hyperbolic tree or forest; name one that is")
    place = name.rpartition("/")[0]
    require(place in points, f"{TITLE}: put {place} under points: {name} was trained on it")
    data = points[place]
    X = charts.convert(data.points, data.chart, chart_of(model), data.curvature)
    return model, (X, np.array(data.class_names)[data.labels])


def draw_tree(model, X=None, y=None, index=0):
    """Cells of a hyperbolic classification tree, d = 2, on the disk, and the tree beside it.

    Points X with labels y, in the model's chart, are drawn if given; `index` is the tree of a
    forest.
    """
    display = TreeDisplay.of(model, X, y, index=index)
    width = 5.2 + max(3.0, 0.95 * display.n_leaves)
    figure = theme.new_figure(width, 5.4)
    panels = figure.subplots(1, 2, width_ratios=[5.2, width - 5.2])
    display.plot(panels, angles=False, samples=False, legend=X is not None)
    return figure


def draw_trees(models, data, titles):
    """Decision regions of several trees side by side, as in figure 2 of chlenski2024.

    `data` has a pair (X, y) for each model.
    """
    figure = theme.new_figure(3.4 * len(models), 3.7)
    panels = figure.subplots(1, len(models), squeeze=False)[0]
    for ax, model, (X, y), title in zip(panels, models, data, titles, strict=True):
        TreeDisplay.of(model, X, y).plot_cells(ax)
        ax.set_title(title, fontsize=10)
    return figure
