"""A model of results/models in Python: what ``noneuclid predict`` does, on arrays."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.datasets import composition
from noneuclid.embeddings import maps
from noneuclid.errors import require
from noneuclid.evaluation import out_of_distribution
from noneuclid.experiment import imports, io
from noneuclid.geometry import charts

KEYS = ("estimator", "chart", "curvature", "map")


class KeptModel:
    """A model with the rule that places new rows; `load_model` reads one.

    Attributes
    ----------
    estimator : object
        The fitted classifier or regressor; it takes points in `chart`.
    chart : str
    curvature : float
        The curvature of the space is minus this.
    columns : list of str or None
        Features in the order of the columns of new rows; None if they have no names.
    classes_ : ndarray
        Of a classifier.
    """

    def __init__(self, content):
        self.content = content
        self.estimator, self.chart = content["estimator"], content["chart"]
        self.curvature = content["curvature"]
        self.rule = maps.restore(**content["map"])
        if self.rule.kind == "none":
            self.rule = maps.Given(chart=self.chart, curvature=self.curvature)
        self.columns = self.rule.columns

    @property
    def classes_(self):
        """Classes, in the order of the columns of `predict_proba`."""
        return self.estimator.classes_

    def predict(self, rows: ArrayLike) -> np.ndarray:
        """Classes or numbers of new rows, shape (n,).

        `rows`, shape (n, p), are features in the order of `columns`, or a DataFrame with these
        columns in any order. If the embedding has no rule for new rows they are points in `chart`.
        """
        return self.estimator.predict(self._points(rows, self.chart))

    def predict_proba(self, rows: ArrayLike) -> np.ndarray:
        """Probabilities of the classes, shape (n, n_classes), where the method has them."""
        return self.estimator.predict_proba(self._points(rows, self.chart))

    def far(self, rows: ArrayLike) -> np.ndarray:
        """Which new rows lie so far from all training rows that a prediction is a guess."""
        training = self.content.get("training")
        require(
            training is not None,
            "the model keeps no training points, so it is unknown whether rows are far",
        )
        points = self._points(rows, self.chart)
        points = out_of_distribution.placed(training, points, self.chart, self.curvature)
        return out_of_distribution.distances(training, points) > training["threshold"]

    def _points(self, rows, chart):
        names = getattr(rows, "columns", None)
        if names is not None and self.columns is not None:
            absent = [name for name in self.columns if name not in set(map(str, names))]
            require(not absent, f"new rows have no column {', '.join(absent[:5])}; add it")
            rows = rows.set_axis(list(map(str, names)), axis=1)[self.columns]
        rows = np.asarray(rows, dtype=np.float64)
        require(rows.ndim == 2, f"new rows have {rows.ndim} axes; give a table, shape (n, p)")
        if self.content.get("closed") and self.rule.kind != "given":
            rows = composition.close_composition(rows, **self.content["closed"])[0]
        points = self.rule.place(rows)
        return charts.convert(points, self.rule.chart, chart, self.curvature)


def load_model(path: str | Path, trust: Sequence[str] = ()) -> KeptModel:
    """Read a model file of results/models, with the rule that places new rows.

    Parameters
    ----------
    path : str or Path
    trust : sequence of str
        Modules, and files of Python code, whose classes the model may hold; those of this package
        and scikit-learn are trusted.

    Returns
    -------
    KeptModel

    Raises
    ------
    InputError
        If the file cannot be read, is not a model, or holds classes of other packages.

    See Also
    --------
    HyperboloidSVC : A classifier that needs no file.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.linear_model import LogisticRegression
    >>> from noneuclid import load_model
    >>> model = {"estimator": LogisticRegression().fit([[-0.5], [0.5]], ["a", "b"])}
    >>> model |= {"chart": "poincare", "curvature": 1.0, "map": {}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.skops")
    ...     io.write_model(Path(path), model)
    ...     load_model(path).predict([[0.3]])
    array(['b'], dtype='<U1')
    """
    content = io.read_model(Path(path), [imports.trusted_types(name) for name in trust])
    known = isinstance(content, dict) and all(key in content for key in KEYS)
    require(known, f"{path} is not a model of noneuclid: give a file of results/models")
    return KeptModel(content)
