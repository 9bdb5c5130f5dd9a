"""Points of two clusters and a model of them, for tests of the command predict."""

from dataclasses import asdict

import numpy as np
import pytest

from noneuclid import PoincareSVC
from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare import io
from noneuclid_compare.evaluation import out_of_distribution

RNG = np.random.default_rng(1)
# Two clusters apart along the diagonal, in the Poincaré disk.
POINTS = np.concatenate([0.08 * RNG.normal(size=(30, 2)) + c for c in (0.3, -0.3)])
LABELS = np.repeat(["left", "right"], 30)
NEW = np.array([[0.32, 0.28], [-0.31, -0.3], [0.9, -0.4]])


def kept_model(path, X=POINTS, chart="poincare", curvature=1.0, estimator=None, **more):
    """Write a model as the stage train keeps it."""
    estimator = estimator or PoincareSVC(chart=chart, curvature=curvature, random_state=0)
    lifted = charts.convert(X, chart, "hyperboloid", curvature)
    model = {
        "estimator": estimator.fit(X, LABELS),
        "chart": chart,
        "curvature": curvature,
        "code": "",
        "class_names": ["left", "right"],
        "names": ["disk", "hydra", "poincare_svm"],
        "map": asdict(maps.Map()),
        "training": out_of_distribution.summary(lifted, curvature),
    }
    io.write_model(path, {k: v for k, v in (model | more).items() if v is not None})
    return path


def refused(message, predict, *options, **given):
    with pytest.raises(InputError, match=message) as caught:
        predict(*options, **given)
    assert "\n" not in str(caught.value)
