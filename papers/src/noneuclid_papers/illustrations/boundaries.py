"""Boundaries of hyperboloid SVMs by several solvers on two classes, on the Poincaré disk."""

import numpy as np
import pandas as pd
from sklearn.base import clone

from noneuclid.errors import require
from noneuclid.geometry import charts
from noneuclid.solvers.hyperboloid.problem import objective
from noneuclid_papers.figures import hyperplanes

TITLE = "Boundaries of several solvers"
INTRO = (
    "Hyperplanes drawn as arcs. Left: original positions. Right: the disk centred where the "
    "classes meet. All objectives are those of problem (7) of yang2024, regardless of the loss "
    "that a solver minimises."
)
TEXT = "{count} solvers on {name}{rows}. Percentages: excess of the objective over the optimum."
FOLD = ", fitted to the training rows of one fold (held-out rows are triangles)"


def draw(points, models, scores, folds=None):
    """Draw one figure for each data set.

    Parameters
    ----------
    points : dict of str to Embedded
        Two classes in the plane.
    models : dict of str to dict
        Kept `HyperboloidSVC` models of these data sets, one with `solver="optimal"` each.
    scores : None
    folds : dict of str to (ndarray, ndarray), optional
        Training rows and held-out rows of each data set: the models are fitted again to the
        training rows. None: kept models are drawn.

    Returns
    -------
    dict of str to (Figure, str, DataFrame)

    Raises
    ------
    InputError
        If a data set has other dimensions or classes, or no model that is optimal.
    """
    folds = folds or {}
    return {
        name.replace("/", "_"): _one(name, data, models, folds.get(name))
        for name, data in points.items()
    }


def _one(name, data, models, fold=None):
    """Figure, caption and table of one data set; `fold` has its training and held-out rows."""
    place = f"{TITLE}: {name}"
    require(
        len(data.class_names) == 2 and data.points.shape[1] - (data.chart == "hyperboloid") == 2,
        f"{place}: give points of two classes in the plane",
    )
    lifted = charts.convert(data.points, data.chart, "hyperboloid", data.curvature)
    lifted = lifted * np.sqrt(data.curvature)
    signs = np.where(data.labels == 1, 1.0, -1.0)
    own = {key: model["estimator"] for key, model in models.items() if key.startswith(f"{name}/")}
    train, held_out = fold or (np.arange(len(signs)), [])
    if fold:
        own = {key: _fit(model, data, train) for key, model in own.items()}
    rows = [_row(key, model, lifted[train], signs[train], data) for key, model in own.items()]
    best = [row["objective"] for row in rows if row["kind"] == "optimal"]
    require(len(best) == 1, f"{place}: give one model with `solver: optimal` to compare with")
    table = pd.DataFrame(rows)
    table["above"] = table["objective"] / best[0] - 1.0
    shown = np.r_[train, held_out].astype(int)
    figure = hyperplanes.draw_hyperplanes(
        table, lifted[shown], signs[shown] > 0, held_out=np.isin(shown, held_out)
    )
    return figure, TEXT.format(count=len(rows), name=name, rows=FOLD if fold else ""), table


def _fit(model, data, rows):
    """Fit a model again, in its own chart, to codes of classes as the scored models."""
    X = charts.convert(data.points[rows], data.chart, model.chart, data.curvature)
    fitted = clone(model).fit(X, data.labels[rows])
    fitted.classes_ = np.array(data.class_names)
    return fitted


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
