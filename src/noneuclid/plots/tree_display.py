"""A hyperbolic decision tree: its cells on the disk, and its splits as a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers import tree_text
from noneuclid.classifiers.default_chart import chart_of
from noneuclid.classifiers.float64_splits import trees_of
from noneuclid.errors import InputError, require, require_package
from noneuclid.plots import tree_regions
from noneuclid.plots.disk_models import read_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class TreeDisplay:
    """A hyperbolic decision tree as a diagram, and its cells on the Poincaré disk.

    Make one by `from_estimator`; the constructor takes what it computes. In the diagram a split of
    the plane is a small disk with the cell of its node in grey and the geodesic that divides it; in
    other dimensions it is its words alone, and there is no disk.

    Parameters
    ----------
    nodes : list of `noneuclid.classifiers.tree_text.Split`
        In scikit-learn's order.
    samples : sequence of int, shape (n_nodes,)
        Training rows in each node.
    class_names, axis_names : sequence of str
    cells, arcs : list
        Those of `noneuclid.plots.tree_regions`; empty if the space is not a plane.
    points, labels : array_like, shapes (n, 2), (n,), optional
        Points in the unit disk and their codes.

    Attributes
    ----------
    ax_ : matplotlib Axes, or ndarray of two
        The disk and the diagram; in other dimensions than two the diagram.
    figure_ : matplotlib Figure

    See Also
    --------
    PoincareDiskDisplay : The regions of any classifier, a forest for example.
    noneuclid.export_text : The splits as text.

    Notes
    -----
    The split "axis 1 at t" is the geodesic hyperplane at right angles to the first axis, at the
    signed distance t from the origin; θ is its angle in the hyperboloid model, equation 7 of [1]_.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree
       algorithms, ICLR 2024.

    Examples
    --------
    >>> from noneuclid import HyperbolicDecisionTreeClassifier, TreeDisplay
    >>> X = [[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]]
    >>> y = ["a", "a", "b", "b"]
    >>> tree = HyperbolicDecisionTreeClassifier(chart="poincare", random_state=0).fit(X, y)
    >>> display = TreeDisplay.from_estimator(tree, X, y)
    >>> len(display.nodes), display.samples.tolist()
    (3, [4, 2, 2])
    """

    ax_: Any
    figure_: Figure

    def __init__(
        self,
        *,
        nodes: list[tree_text.Split],
        samples: ArrayLike,
        class_names: Sequence[Any],
        axis_names: Sequence[str],
        cells: list[tree_regions.Cell] | None = None,
        arcs: list[tree_regions.Arc] | None = None,
        points: ArrayLike = (),
        labels: ArrayLike = (),
    ):
        self.nodes = nodes
        self.samples = np.asarray(samples, dtype=int)
        self.class_names = list(class_names)
        self.axis_names = list(axis_names)
        self.cells = cells or []
        self.arcs = arcs or []
        self.points = np.asarray(points, dtype=float).reshape(-1, 2)
        self.labels = np.asarray(labels, dtype=int)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        chart: str | None = None,
        index: int = 0,
        max_depth: int | None = None,
        feature_names: Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> TreeDisplay:
        """Draw a fitted tree, or one of a forest.

        Parameters
        ----------
        model : fitted HyperbolicDecisionTreeClassifier, forest or extra trees
            It is not fitted again. For a search, the best estimator is used.
        X, y : array_like, shapes (n, 2) or, on the hyperboloid, (n, 3); (n,); optional
            Points with labels on the disk.
        chart : {"hyperboloid", "poincare", "klein", "tangent"}, optional
            How the rows of X are written; by default as the model reads them.
        index : int, default=0
            Which tree of a forest.
        max_depth : int >= 1, optional
            Deeper nodes are left out; a node at this depth is drawn as a leaf.
        feature_names : sequence of str, shape (d,), optional
            As for `noneuclid.export_text`.
        ax : sequence of two matplotlib Axes, or one Axes, optional
            For the disk and the diagram; one for the diagram alone. By default those of a new
            figure, whose width grows with the number of leaves.
        **options
            Passed to `plot`.

        Returns
        -------
        TreeDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        noneuclid.errors.InputError
            If the model is no such classifier, has no tree of this index or one that divides known
            from missing values, or X is given for other dimensions than two.
        noneuclid.errors.MissingPackage
            If matplotlib is not installed.

        Examples
        --------
        >>> from noneuclid import HyperbolicRandomForestClassifier, TreeDisplay
        >>> X = [[0.5, 0.1, 0.0], [0.7, -0.2, 0.1], [-0.4, 0.3, 0.0], [-0.6, 0.0, 0.2]]
        >>> forest = HyperbolicRandomForestClassifier(
        ...     n_estimators=3, chart="poincare", random_state=0
        ... ).fit(X, [1, 1, 0, 0])
        >>> display = TreeDisplay.from_estimator(forest, index=2, max_depth=1)
        >>> len(display.figure_.axes)  # no disk in three dimensions
        1
        """
        require_package("matplotlib", "report", "plots")
        display = cls.of(
            model, X, y, chart=chart, index=index, max_depth=max_depth, feature_names=feature_names
        )
        return display.plot(ax, **options)

    @classmethod
    def of(
        cls,
        model: Any,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        chart: str | None = None,
        index: int = 0,
        max_depth: int | None = None,
        feature_names: Sequence[str] | None = None,
    ) -> TreeDisplay:
        """The display of `from_estimator`, not drawn yet; the same parameters and errors.

        Returns
        -------
        TreeDisplay
        """
        check_is_fitted(model)
        model = getattr(model, "best_estimator_", model)
        # Boosting keeps no positions of its splits.
        if not (is_classifier(model) and hasattr(model, "_bounds")):
            raise InputError(
                f"TreeDisplay draws hyperbolic decision trees and forests of classes, not "
                f"{type(model).__name__}; use PoincareDiskDisplay for its regions"
            )
        require(max_depth is None or max_depth >= 1, f"max_depth={max_depth}; give 1 or more")
        nodes = tree_text.splits(model, index)
        require(
            all(node.position != np.inf for node in nodes),
            "TreeDisplay draws hyperplanes, but a split of this tree divides known from missing "
            "values; use export_text",
        )
        planar = model.model_.n_features_in_ == 2
        names = np.asarray(model.classes_).tolist()
        points, labels = read_points(X, y, chart or chart_of(model), model.curvature, names)
        cells = tree_regions.cells(model, index) if planar else []
        arcs = tree_regions.arcs(model, index) if planar else []
        if max_depth is not None:
            nodes, cells, arcs = _prune(nodes, cells, arcs, max_depth)
        return cls(
            nodes=nodes,
            samples=trees_of(model.model_)[index].n_node_samples,
            class_names=names,
            axis_names=tree_text.axis_names(model, feature_names),
            cells=cells,
            arcs=arcs,
            points=points,
            labels=labels,
        )

    def plot(
        self, ax: Any = None, *, angles: bool = True, samples: bool = True, legend: bool = True
    ) -> TreeDisplay:
        """Draw the disk and the diagram.

        Parameters
        ----------
        ax : sequence of two matplotlib Axes, or one Axes, optional
            As in `from_estimator`.
        angles : bool, default=True
            Whether splits show their angle θ.
        samples : bool, default=True
            Whether nodes show the number of their training rows.
        legend : bool, default=True
            Whether the disk has a legend of the classes.

        Returns
        -------
        self
        """
        require_package("matplotlib", "report", "plots")
        from noneuclid.plots import drawing, tree_diagrams  # need matplotlib

        if ax is None:
            ax = self._new_axes(drawing)
        panels = np.atleast_1d(np.asarray(ax, dtype=object))
        require(len(panels) <= 2, f"{len(panels)} axes are given; give one, or two")
        require(
            len(panels) == 1 or self.cells,
            "a tree of other than two dimensions has no disk; give one axes for the diagram",
        )
        if len(panels) == 2:
            self.plot_cells(panels[0], legend=legend)
        tree_diagrams.draw_diagram(panels[-1], self, angles, samples)
        self.ax_ = panels if len(panels) == 2 else panels[0]
        self.figure_ = panels[0].figure
        return self

    def plot_cells(self, ax: Axes, *, legend: bool = True) -> TreeDisplay:
        """Draw the cells, splits and points on the disk alone.

        Parameters
        ----------
        ax : matplotlib Axes
        legend : bool, default=True

        Returns
        -------
        self
        """
        require_package("matplotlib", "report", "plots")
        from noneuclid.plots import drawing, tree_diagrams  # need matplotlib

        require(self.cells, "a tree of other than two dimensions has no disk")
        tree_diagrams.draw_cells(ax, self)
        tree_diagrams.draw_points(ax, self, legend)
        drawing.prepare_disk(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @property
    def n_leaves(self) -> int:
        """Number of leaves that are drawn."""
        return sum(self.nodes[k].left < 0 for k in tree_regions.depths(self.nodes))

    def _new_axes(self, drawing):
        width = max(3.0, 0.95 * self.n_leaves)
        if not self.cells:
            return drawing.new_axes(figsize=(width, 5.4))
        sizes = {"figsize": (5.2 + width, 5.4), "width_ratios": [5.2, width]}
        return drawing.new_axes(2, **sizes)


def _prune(nodes, cells, arcs, max_depth):
    """Nodes at `max_depth` become leaves; cells and arcs below them go."""
    depth = tree_regions.depths(nodes)
    shown = [
        replace(node, left=-1, right=-1) if depth[number] >= max_depth else node
        for number, node in enumerate(nodes)
    ]
    leaf = [node.left < 0 for node in shown]
    cells = [
        replace(cell, is_leaf=leaf[cell.node]) for cell in cells if depth[cell.node] <= max_depth
    ]
    return shown, cells, [arc for arc in arcs if depth[arc.node] < max_depth]
