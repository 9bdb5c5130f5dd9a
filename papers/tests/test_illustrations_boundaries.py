"""Boundaries of several solvers on one data set."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from sklearn.base import clone

from noneuclid import HyperboloidSVC
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid.solvers.hyperboloid.problem import objective
from noneuclid_compare.data.generators import lifted_gaussians
from noneuclid_compare.records import Embedded
from noneuclid_papers.illustrations import boundaries
from noneuclid_papers.programs import yang2024


def kept(data, names, estimator=HyperboloidSVC, **settings):
    model = estimator(chart="hyperboloid", C=10, **settings)
    return {"estimator": model.fit(data.features, np.array(names)[data.labels])}


def mixture(classes=2):
    data = lifted_gaussians.load({}, 3, n_classes=classes, n_samples_per_class=30, scale=0.6)
    return data, Embedded(data.features, "hyperboloid", data.labels, data.class_names)


@pytest.mark.parametrize("names", [("0", "1"), ("b", "a")])
def test_objectives_and_normals_are_those_of_one_problem(names):
    data, points = mixture()
    points = Embedded(points.points, "hyperboloid", data.labels, names)
    models = {
        "d/e/optimal": kept(data, names),
        "d/e/pgd": kept(data, names, yang2024.ReleasedPGD, loss="hinge"),
        "other/e/pgd": {"estimator": None},
    }
    (figure, text, table) = boundaries.draw({"d/e": points}, models, None)["d_e"]
    FigureCanvasAgg(figure).draw()
    assert text.startswith("2 solvers on d/e.")
    best, other = table.to_dict("records")
    optimum = models["d/e/optimal"]["estimator"].objective_
    assert best["objective"] == pytest.approx(optimum)
    assert other["objective"] >= best["objective"]
    assert other["above"] == pytest.approx(other["objective"] / optimum - 1)
    signs = np.where(data.labels == 1, 1.0, -1.0)
    assert other["objective"] == objective(np.array(other["w"]), data.features, signs, 10)


@pytest.mark.parametrize("names", [("0", "1"), ("b", "a")])
def test_models_of_a_fold_see_its_training_rows_alone(names):
    data, _ = mixture()
    disk = charts.convert(data.features, "hyperboloid", "poincare")
    points = Embedded(disk, "poincare", data.labels, names)
    train, held_out = np.split(np.random.default_rng(0).permutation(60), [40])
    models = {
        "d/e/optimal": kept(data, names),
        "d/e/pgd": kept(data, names, yang2024.ReleasedPGD, max_iter=50),
    }
    folds = {"d/e": (train, held_out)}
    figure, text, table = boundaries.draw({"d/e": points}, models, None, folds)["d_e"]
    for row, entry in zip(table.to_dict("records"), models.values(), strict=True):
        fitted = clone(entry["estimator"]).fit(data.features[train], data.labels[train])
        np.testing.assert_allclose(row["w"], fitted.coef_[0], rtol=1e-4, atol=1e-6)
        signs = 2.0 * data.labels[train] - 1.0
        value = objective(fitted.coef_[0], data.features[train], signs, 10)
        assert row["objective"] == pytest.approx(value, rel=1e-4)
    assert "held-out rows are triangles" in text
    triangles = [line for line in figure.axes[0].lines if line.get_marker() == "^"]
    drawn = np.concatenate([line.get_xydata() for line in triangles])
    np.testing.assert_allclose(np.sort(drawn, axis=0), np.sort(disk[held_out], axis=0), atol=1e-12)


def test_curvature_and_chart_change_nothing():
    data, points = mixture()
    models = {"d/e/optimal": kept(data, ("0", "1"))}
    disk = charts.convert(data.features / 2, "hyperboloid", "poincare", 4.0)
    curved = Embedded(disk, "poincare", data.labels, data.class_names, curvature=4.0)
    (first,), (second,) = (
        boundaries.draw({"d/e": p}, models, None)["d_e"][2].to_dict("records")
        for p in (points, curved)
    )
    assert first["objective"] == pytest.approx(second["objective"])


def test_wrong_entries_are_named():
    data, points = mixture(3)
    with pytest.raises(InputError, match="give points of two classes in the plane"):
        boundaries.draw({"d/e": points}, {}, None)
    data, points = mixture()
    models = {"d/e/pgd": kept(data, ("0", "1"), solver="pgd")}
    with pytest.raises(InputError, match="give one model with `solver: optimal`"):
        boundaries.draw({"d/e": points}, models, None)
