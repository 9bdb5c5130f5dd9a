"""Boundaries of hyperboloid SVMs by several solvers on two classes, on the Poincaré disk."""

import numpy as np
import pandas as pd

from noneuclid.errors import require
from noneuclid.geometry import charts
from noneuclid.reporting.figures import hyperplanes
from noneuclid.solvers.hyperboloid.problem import objective

TITLE = "Boundaries of several solvers"
INTRO = (
    "Hyperplanes of models fitted to all rows, drawn as arcs. Left: original positions. Right: "
    "the disk centred where the classes meet. All objectives are those of problem (7) of "
    "yang2024, regardless of the loss that a solver minimises."
)
TEXT = "{count} solvers on {name}. Percentages: excess of the objective over the optimum."


def draw(points, models, scores):
    """Draw one figure for each data set.

    Parameters
    ----------
    points : dict of str to Embedded
        Two classes in the plane.
    models : dict of str to dict
        Kept `HyperboloidSVC` models of these data sets, one with `solver="optimal"` each.
    scores : None

    Returns
    -------
    dict of str to (Figure, str, DataFrame)

    Raises
    ------
    InputError
        If a data set has other dimensions or classes, or no model that is optimal.
    """
    return {name.replace("/", "_"): _one(name, data, models) for name, data in points.items()}


def _one(name, data, models):
    """Figure, caption and table of one data set."""
    place = f"{TITLE}: {name}"
    require(
        len(data.class_names) == 2 and data.points.shape[1] - (data.chart == "hyperboloid") == 2,
        f"{place}: give points of two classes in the plane",
    )
    lifted = charts.convert(data.points, data.chart, "hyperboloid", data.curvature)
    lifted = lifted * np.sqrt(data.curvature)
    signs = np.where(data.labels == 1, 1.0, -1.0)
    own = {key: model["estimator"] for key, model in models.items() if key.startswith(f"{name}/")}
    rows = [_row(key, model, lifted, signs, data) for key, model in own.items()]
    best = [row["objective"] for row in rows if row["kind"] == "optimal"]
    require(len(best) == 1, f"{place}: give one model with `solver: optimal` to compare with")
    table = pd.DataFrame(rows)
    table["above"] = table["objective"] / best[0] - 1.0
    figure = hyperplanes.draw_hyperplanes(table, lifted, signs > 0)
    return figure, TEXT.format(count=len(rows), name=name), table


def _row(key, model, points, signs, data):
    """What `hyperplanes.draw` shows of one model."""
    dataset, embedding, method = key.split("/")
    # Labels are names in a kept model, whose order may be another.
    w = model.coef_[0] * (1.0 if str(model.classes_[1]) == data.class_names[1] else -1.0)
    return {
        "dataset": dataset,
        "embedding": embedding,
        "problem": f"{data.class_names[1]} against {data.class_names[0]}",
        "C": model.C,
        "solver": method,
        "kind": model.solver,
        "status": str(model.status_),
        "certified": model.status_ in ("optimal", "horospherical"),
        "objective": objective(w, points, signs, model.C),
        "w": w.tolist(),
    }
