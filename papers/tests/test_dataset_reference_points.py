"""`reference_point: dataset`: from the data set's record to the fitted classifier."""

import json
from dataclasses import replace

import numpy as np
import pytest

from noneuclid.classifiers.poincare_svm import PoincareSVC
from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert
from noneuclid_compare import io
from noneuclid_compare.records import Dataset, Predictions
from noneuclid_compare.stages import embed, split, train

NAMES = ("rose", "ash", "oak")  # not in alphabetical order
POINTS = [[0.3, 0.0], [0.0, -0.4], [-0.2, 0.2]]
SVM = "noneuclid.PoincareSVC"


def stand_in(points=POINTS, names=NAMES):
    rng = np.random.default_rng(5)
    labels = np.arange(90) % len(names)
    turns = 2 * np.pi * labels / len(names) + 0.7 * rng.standard_normal(90)
    rows = 0.8 * rng.random((90, 1)) * np.column_stack([np.cos(turns), np.sin(turns)])
    about = {} if points is None else {"reference_points": points}
    fixed = (np.arange(90) >= 60).astype(int)
    return Dataset(
        "toy", "points", labels, names, rows, chart="poincare", fixed_fold=fixed, about=about
    )


def flags(paths, *names, **options):
    """Command line; names of paths stand for them."""
    options = {name: name for name in names} | options | {"seed": 0}
    return [f"--{name}={paths.get(value, value)}" for name, value in options.items()]


def trained(folder, data, *, module="given", chart="hyperboloid", **settings):
    """Run embed, split and train; what train has kept."""
    paths = {name: folder / f"{name}.npz" for name in ("data", "points", "map", "split", "out")}
    paths["card"] = folder / "card.json"
    io.write_record(paths["data"], data)
    embed.main(flags(paths, "map", "card", dataset="data", output="points", name="e", use=module))
    split.main(
        flags(paths, dataset="data", output="split", repeat=0, settings='{"scheme":"fixed"}')
    )
    method = {"use": SVM, "chart": chart, "grid": {}, "search": {}}
    method["params"] = {"C": 5, "reference_point": "dataset"} | settings
    results = {"predictions": "out", "record": folder / "out.json", "model": folder / "m.skops"}
    where = flags(paths, "map", "points", "split", repeat=0, method=json.dumps(method), **results)
    train.main([*where, "--names", "toy", "e", "m"])
    kept = io.read_model(folder / "m.skops", trusted=["noneuclid."])["estimator"]
    return io.read_record(paths["out"], Predictions), kept, io.read_json(folder / "out.json")


@pytest.mark.parametrize("chart", ["hyperboloid", "klein"])
def test_each_class_gets_its_own_point(tmp_path, chart):
    data = stand_in()
    predictions, kept, record = trained(tmp_path, data, chart=chart)
    alone = PoincareSVC(C=5, reference_point=POINTS, chart="poincare")
    alone.fit(data.features[:60], data.labels[:60])
    assert np.array_equal(predictions.predicted, alone.predict(data.features[60:]))
    np.testing.assert_allclose(
        predictions.scores, alone.decision_function(data.features[60:]), rtol=1e-6
    )
    assert record["settings"] == {"C": 5, "reference_point": "dataset"}
    # The kept model knows names, which sort otherwise than codes.
    for name, point in zip(kept.classes_, kept.reference_points_, strict=True):
        expected = convert(np.array(POINTS[NAMES.index(name)]), "poincare", "hyperboloid")
        np.testing.assert_allclose(point, expected, rtol=1e-12)


def test_one_point_serves_all_problems(tmp_path):
    _, kept, _ = trained(tmp_path, stand_in(POINTS[:1]), multi_class="ovo")
    expected = convert(np.array(POINTS[0]), "poincare", "hyperboloid")
    np.testing.assert_allclose(kept.reference_points_, [expected] * 3, rtol=1e-12)


def test_points_of_another_space_are_not_taken(tmp_path):
    data = replace(stand_in(), kind="features", chart=None)
    with pytest.raises(InputError, match="the embedding `given`, which keeps them"):
        trained(tmp_path, data, module="lifted_pca")


@pytest.mark.parametrize(
    ("points", "settings", "said"),
    [
        (None, {}, r"needs a data set with reference points.*reference_point: hulls"),
        (POINTS, {"multi_class": "ovo"}, "belong to classes, not to pairs"),
        (POINTS[:2], {}, r"reference_point has shape \(2, 3\)"),
        ([[0.9, 0.9]], {}, "outside the Poincaré ball"),
    ],
)
def test_points_that_cannot_be_used_are_refused(tmp_path, points, settings, said):
    with pytest.raises(InputError, match=said) as caught:
        trained(tmp_path, stand_in(points), **settings)
    assert "\n" not in str(caught.value)
