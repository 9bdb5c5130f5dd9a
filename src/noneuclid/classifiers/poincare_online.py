"""Perceptrons among the hyperbolic hyperplanes through a reference point."""

from typing import TYPE_CHECKING, Unpack

import numpy as np

from noneuclid.classifiers import reference_choice, reference_rules
from noneuclid.classifiers.parameter_types import PoincareOnlineParameters
from noneuclid.classifiers.perceptron_base import OnlineClassifier
from noneuclid.classifiers.poincare_svm import PoincareSVC
from noneuclid.classifiers.sklearn_private import StrOptions
from noneuclid.errors import InputError

_SHARED = ("multi_class", "calibration", "chart", "curvature", "n_jobs")


class PoincareOnlineClassifier(
    OnlineClassifier, own={"reference_point": "auto", "n_iter_no_change": 5}
):
    """Base of the perceptrons with vectors z_i = η_i log_p(x_i)."""

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[PoincareOnlineParameters]) -> None: ...

    _parameter_constraints = {  # noqa: RUF012
        **OnlineClassifier._parameter_constraints,
        "reference_point": [StrOptions({"auto", *reference_rules.RULES}), "array-like"],
    }

    def _check_labels(self, points, codes, weights, numbers):
        rule = self.reference_point
        lacking = np.bincount(codes, minlength=len(self._left)) == 0
        if lacking.any() and isinstance(rule, str) and rule != "origin":
            label = self.classes_[self._left[lacking]].tolist()[0]
            raise InputError(
                f"the first rows have no row of class {label!r}, but reference_point={rule!r} "
                "needs all classes; give coordinates or 'origin', or rows of every class"
            )
        if isinstance(rule, str) and rule == "auto":
            like = {name: getattr(self, name) for name in _SHARED}
            machine = PoincareSVC(margin="exact", **like)  # the vectors are z_i here, too
            machine.n_features_in_ = self.n_features_in_
            self._chosen = reference_choice.choose(machine, points, codes, weights)

    def _place(self, index, X, signs, weights):
        point, rule = reference_choice.find_reference(self, index, X, signs, weights)
        return point, _keep(point, rule)

    def _kept_place(self, index):
        point, rule = self.reference_points_[index], self.reference_rules_[index]
        return point, _keep(point, rule)

    def _vectors(self, points, place):
        return reference_rules.seen_from(points, place)

    def _normal(self, w, place):
        return reference_rules.to_normal(w, place)


def _keep(point, rule):
    return {"reference_points": point, "reference_rules": np.str_(rule)}
