from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid_compare.data import targets
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.generators import hyperbolic_position
from noneuclid_compare.data.own import table_file
from noneuclid_compare.data.shipped import diabetes


@each_of("seed", range(30))
def test_intervals_are_ordered_full_and_found_again(seed):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 1 + seed, size=40) if seed else np.r_[np.zeros(39), 1]
    codes, names = targets.intervals(target)
    assert set(codes) == set(range(len(names)))
    assert 2 <= len(names) <= 4
    ends = [target[codes == k].max() for k in range(len(names))]
    starts = [target[codes == k].min() for k in range(len(names))]
    edges = targets.edges(target, codes)
    for end, edge, start in zip(ends[:-1], edges, starts[1:], strict=True):
        assert end < edge < start
    np.testing.assert_array_equal(targets.codes_of(target, edges), codes)


def test_numbers_without_ties_are_cut_into_quarters():
    codes, _ = targets.intervals(np.random.default_rng(0).normal(size=80))
    assert np.bincount(codes).tolist() == [20, 20, 20, 20]


def test_many_equal_values_leave_two_intervals():
    assert targets.intervals([5] * 9 + [7])[1] == ("up to 5", "over 5")
    assert targets.intervals([5] + [7] * 9)[1] == ("up to 5", "over 5")


def test_names_tell_close_ends_apart():
    _, names = targets.intervals(1 + 1e-9 * np.arange(8))
    assert len(set(names)) == 4
    assert names[0] == "up to 1.000000001"


@pytest.mark.parametrize(
    ("values", "message"),
    [([1, np.nan, 2], "row 1 has target nan"), ([0, 1, np.inf], "row 2"), ([3, 3], "all targets")],
)
def test_targets_that_nothing_could_learn(values, message):
    with pytest.raises(InputError, match=message):
        targets.intervals(values)


def test_a_data_set_keeps_target_and_labels_together():
    data = diabetes.load({}, 0)
    assert data.target.shape == (442,)
    assert len(data.class_names) == 4
    with pytest.raises(InputError, match="shape"):
        checked(replace(data, target=data.target[1:]))
    with pytest.raises(InputError, match="labels are not the intervals"):
        checked(replace(data, target=-data.target))


@pytest.mark.parametrize("curvature", [1.0, 2.5])
def test_position_is_the_signed_distance_to_a_hyperplane_amid_the_points(curvature):
    settings = {"n_samples": 200, "n_features": 3, "curvature": curvature, "noise": 0.0}
    data = hyperbolic_position.load({}, 3, **settings)
    normal = np.array(data.about["normal"])
    assert lorentz.product(normal, normal) == pytest.approx(1)
    centre = lorentz.midpoint(data.features, curvature=curvature)
    assert lorentz.product(centre, normal) == pytest.approx(0, abs=1e-9)
    # The foot of a point on the hyperplane is as far away as the target says.
    sides = lorentz.product(data.features, normal)
    feet = data.features - sides[:, None] * normal
    feet /= np.sqrt(-curvature * lorentz.product(feet, feet))[:, None]
    far = lorentz.distance(data.features, feet, curvature)
    np.testing.assert_allclose(np.abs(data.target), far, atol=1e-6)
    np.testing.assert_array_equal(np.sign(data.target), np.sign(sides))


def test_depth_is_the_distance_from_the_origin_and_noise_is_added():
    settings = {"n_samples": 2000, "target": "depth", "curvature": 2.0}
    exact = hyperbolic_position.load({}, 0, **(settings | {"noise": 0.0}))
    far = lorentz.distance(exact.features, lorentz.origin(2, 2.0), 2.0)
    np.testing.assert_allclose(exact.target, far, rtol=1e-9)
    noisy = hyperbolic_position.load({}, 0, **(settings | {"noise": 0.5}))
    np.testing.assert_array_equal(noisy.features, exact.features)
    assert (noisy.target - exact.target).std() == pytest.approx(0.5, rel=0.1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"target": "height"}, "position, depth"),
        ({"noise": -1}, "noise"),
        ({"n_samples": 1}, "n_samples"),
    ],
)
def test_settings_of_positions(settings, message):
    with pytest.raises(InputError, match=f"hyperbolic_position: .*{message}"):
        hyperbolic_position.load({}, 0, **settings)


def table(folder, labels, **settings):
    pd.DataFrame({"a": np.arange(4), "yield": labels}).to_csv(folder / "t.csv", index=False)
    settings = {"label": "yield", "numeric": True, **settings}
    return table_file.load({"data": Path(folder / "t.csv")}, 0, **settings)


@pytest.mark.parametrize("labels", [["1.5", "2", "-1e1", "7"], ["1", "2", "3", "4"]])
def test_a_column_of_numbers_becomes_the_target(tmp_path, labels):
    data = table(tmp_path, labels)
    assert data.target.tolist() == [float(label) for label in labels]
    assert data.features.ravel().tolist() == [0, 1, 2, 3]
    assert data.about["columns"] == ["a"]


def test_decimal_commas_and_rows_without_a_number(tmp_path):
    data = table(tmp_path, ["1,5", "", "2,5", "3"], decimal=",", unlabeled="drop")
    assert data.target.tolist() == [1.5, 2.5, 3.0]
    with pytest.raises(InputError, match="label of row 2 is 'high', not a number"):
        table(tmp_path, ["1.5", "2", "high", "3"])
    with pytest.raises(InputError, match="a continuous value"):
        table(tmp_path, ["1.5", "2", "2.5", "3"], numeric=False)
