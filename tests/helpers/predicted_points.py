"""Points of two clusters and a model of them, for tests of the command predict."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from noneuclid import PoincareSVC
from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare import io
from noneuclid_compare.evaluation import out_of_distribution
from noneuclid_compare.stages import acquire, embed, split, train

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


def model_of_stages(folder, source, embedding, method, scheme="stratified_kfold", **params):
    """A model that the stages made in a folder: of a loader, an embedding and a method."""
    method = {"params": {}, "grid": {}, "search": {"folds": 2, "scoring": "accuracy"}} | method
    call(acquire, seed=0, name="d", **source, output=folder / "data.npz")
    known = {"dataset": folder / "data.npz", "seed": 0}
    files = {"output": folder / "points.npz", "card": folder / "c.json", "map": folder / "map.npz"}
    call(embed, **known, name=embedding, use=embedding, params=params, **files)
    settings = {"scheme": scheme, "folds": 2}
    call(split, **known, repeat=0, settings=settings, output=folder / "split.npz")
    known = {"names": ["d", embedding, "m"], "method": method, "repeat": 0, "seed": 0}
    files = {key: folder / f"{key}.npz" for key in ("points", "split", "map", "predictions")}
    call(train, **known, **files, record=folder / "r.json", model=folder / "m.skops")
    return folder / "m.skops"


def call(module, /, **arguments):
    """Run a stage by its command line."""
    words = []
    for name, value in arguments.items():
        values = value if isinstance(value, list) else [value]
        words += [f"--{name}", *(json.dumps(v) if isinstance(v, dict) else str(v) for v in values)]
    module.main(words)
