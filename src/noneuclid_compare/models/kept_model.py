"""A model of results/models in Python: what ``noneuclid predict`` does, on arrays."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, issparse

from noneuclid.embeddings import maps
from noneuclid.errors import InputError, require
from noneuclid_compare import io
from noneuclid_compare.config import load_by_name
from noneuclid_compare.data import composition
from noneuclid_compare.data.checks import bring_inside
from noneuclid_compare.data.files import categories
from noneuclid_compare.data.files.arrays import Rows, mode_of, require_file
from noneuclid_compare.data.own.texts import missing_of
from noneuclid_compare.data.prepare import preparation
from noneuclid_compare.evaluation import out_of_distribution
from noneuclid_compare.models import new_samples

if TYPE_CHECKING:
    from pandas import DataFrame

KEYS = ("estimator", "chart", "curvature")


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
        Features, or genes of raw counts, in the order of the columns of new rows; None if they
        have no names.
    converged : bool
        Whether the solver of the estimator converged.
    classes_ : ndarray
        Of a classifier.
    """

    def __init__(self, content, where="the model"):
        self.content, self.where = content, where
        self.estimator, self.chart = content["estimator"], content["chart"]
        self.curvature = content["curvature"]
        self.rule = new_samples.rule_of(content, where)
        if self.rule.kind == "none":
            self.rule = maps.Given(chart=self.chart, curvature=self.curvature)
        self.columns, self.converged = self.rule.columns, content.get("converged", True)
        self._warned = False

    @property
    def classes_(self):
        """Classes, in the order of the columns of `predict_proba`."""
        return self.estimator.classes_

    def predict(self, rows: ArrayLike) -> np.ndarray:
        """Classes or numbers of new rows, shape (n,).

        `rows`, shape (n, p), are features in the order of `columns`, or a DataFrame with these
        columns in any order. Raw counts may be sparse. A first array without names gives a warning,
        because only the number of its columns is checked. If the embedding has no rule for new
        rows they are points in `chart`.
        """
        return self.estimator.predict(self._points(rows))

    def predict_file(self, path: str | Path, **options: Any) -> "DataFrame":
        """Table of predictions of the samples in a file, as ``noneuclid predict`` writes it.

        `options` are those of the command: `chart`, `id`, `drop`, `decimal`, `features`,
        `reference`, `missing_genes`, `error_rate`. Columns are `sample`, `predicted`, with an error
        rate `label` and `prediction_set`, `p_CLASS` of each class if the method has probabilities,
        `distance` to the training data and `far`. Notes become warnings.
        """
        table, notes, far = new_samples.labelled(self.content, Path(path), self.where, **options)
        for text in [*notes, *([far] if far else [])]:
            warnings.warn(text, stacklevel=2)
        return table

    def predict_proba(self, rows: ArrayLike) -> np.ndarray:
        """Probabilities of the classes, shape (n, n_classes), where the method has them."""
        return self.estimator.predict_proba(self._points(rows))

    def far(self, rows: ArrayLike) -> np.ndarray:
        """Which new rows lie so far from all training rows that a prediction is a guess."""
        training = self.content.get("training")
        require(
            training is not None,
            "the model keeps no training points, so it is unknown whether rows are far",
        )
        points = self._points(rows)
        points = out_of_distribution.placed(training, points, self.chart, self.curvature)
        return out_of_distribution.distances(training, points) > training["threshold"]

    def _points(self, rows):
        """Points of new rows as the estimator reads them."""
        rows = self._matrix(rows)
        if self.rule.column_kinds is not None:
            impute = new_samples.imputes(self.content)
            new_samples.require_finite(Rows(rows), self.columns, impute)
        if self.content.get("closed") and self.rule.kind != "given":
            rows, changed = new_samples.as_composition(rows, self.content["closed"])
            for text in changed:
                if text.startswith(composition.WARNING):
                    warnings.warn(text.removeprefix(composition.WARNING), stacklevel=3)
        if self.rule.preparation is not None:
            fitted = preparation.Preparation(**self.rule.preparation)
            rows = csr_array(rows, copy=True)
            # Sums have the order of training.
            rows.sum_duplicates()
            if fitted.counted:
                preparation.require_counts(0, rows, "new rows", self.columns, fitted.whole)
            rows = fitted.place(rows)
        if self.rule.kind == "given" and self.rule.project_to_ball:
            rows, moved = bring_inside(rows, self.rule.chart, self.curvature)
            for text in moved:
                warnings.warn(text, stacklevel=3)
        points = new_samples.place(rows, self.rule, self.content)
        return new_samples.read_by(self.content, points, self.rule.chart)

    def _matrix(self, rows):
        """New rows as numbers, with the columns of training; sparse ones only of counts."""
        names, sparse = getattr(rows, "columns", None), issparse(rows)
        if names is not None and self.columns is not None:
            absent = [name for name in self.columns if name not in set(map(str, names))]
            require(not absent, f"new rows have no column {', '.join(absent[:5])}; add it")
            rows = self._coded(rows.set_axis(list(map(str, names)), axis=1)[self.columns])
        counts = self.rule.preparation is not None
        require(
            names is not None or not new_samples.categories_of(self.rule),
            "the model reads the names of categories; give a DataFrame",
        )
        require(counts or not sparse, "new rows are a sparse matrix; give rows.toarray()")
        if not sparse:
            try:
                rows = np.asarray(rows, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise InputError(
                    f"new rows are not a table of numbers ({type(rows).__name__}); give an array, "
                    "a DataFrame such as adata.to_df(), or a file to predict_file"
                ) from error
        require(rows.ndim == 2, f"new rows have {rows.ndim} axes; give a table, shape (n, p)")
        if self.columns is None:
            return rows
        what, wanted = "genes" if counts else "columns", len(self.columns)
        require(
            rows.shape[1] == wanted,
            f"new rows have shape {rows.shape}, but the model was trained on {wanted} {what}; give "
            f"these {what} in the order of `columns`, or a DataFrame with their names",
        )
        if names is None and not self._warned:
            self._warned = True
            warnings.warn(
                f"new rows have no names: only the number of {what}, {wanted}, was checked; a "
                "DataFrame is checked by name",
                stacklevel=4,
            )
        return rows

    def _coded(self, rows):
        """Data frame with codes in place of the names of categories."""
        missing = missing_of(self.content.get("missing"), self.where)
        for column, kind in new_samples.categories_of(self.rule).items():
            codes, unseen = categories.recognise(rows[column].to_numpy(object), kind, missing)
            rows = rows.assign(**{column: codes})
            if unseen:
                said = categories.about_unseen(column, unseen, kind["ordered"])
                warnings.warn(said, stacklevel=5)
        return rows


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
    >>> from noneuclid_compare import load_model
    >>> model = {"estimator": LogisticRegression().fit([[-0.5], [0.5]], ["a", "b"])}
    >>> model |= {"chart": "poincare", "curvature": 1.0, "map": {}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.skops")
    ...     io.write_model(Path(path), model)
    ...     load_model(path).predict([[0.3]])
    array(['b'], dtype='<U1')
    """
    return KeptModel(read_model(Path(path), trust), path)


def read_model(path, trusted=()):
    """Content of a model file; a skops file that is something else is refused."""
    mode = mode_of(path)
    near = sorted(other.name for other in path.parent.glob("*.skops"))
    there = f"there are {', '.join(near)}" if near else "a run keeps models, except with "
    there += "" if near else "keep_models: false"
    missing = mode is None and not str(path).startswith("~")
    require(not missing, f"{path} does not exist; {there}")
    require_file(path, "run again")
    model = io.read_model(path, [load_by_name.trusted_types(name) for name in trusted])
    missing = [key for key in KEYS if not isinstance(model, dict) or key not in model]
    require(
        not missing,
        f"{path} is not a model of noneuclid, it has no {', '.join(missing)}: give a file of "
        "results/models",
    )
    return model
