"""Hyperbolic image features: delta, refusals, the network's formulas, no leak, repeatability."""

import json
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from cases import each_of
from sklearn.exceptions import ConvergenceWarning

from noneuclid.errors import InputError
from noneuclid.geometry import charts, poincare
from noneuclid_compare.config.signatures import defaults
from noneuclid_compare.data.hold_out import stratified_part
from noneuclid_compare.data.shipped import digits, karate
from noneuclid_compare.embed import hyperbolic_images
from noneuclid_compare.embed.hyperbolic_images import (
    MAX_ROWS,
    embed,
    relative_delta,
    standardised,
)

DEFAULTS = defaults("hyperbolic_images", "embed")
QUICK = {
    "fit_on": "holdout",
    "hidden_layer_sizes": [32],
    "channels": [8],
    "learning_rate": 0.01,
    "n_iter_no_change": 4,
}


@cache
def images(per_class=24, classes=5):
    """A few digits of the first classes."""
    data = digits.load({}, 0)
    kept = np.concatenate([np.flatnonzero(data.labels == k)[:per_class] for k in range(classes)])
    names = data.class_names[:classes]
    return replace(data, features=data.features[kept], labels=data.labels[kept], class_names=names)


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch", reason="PyTorch, the extra 'images', is not installed")


@cache
def embedded(dimension=2, rows="holdout"):
    return embed(images(), 0, **(QUICK | {"n_components": dimension, "fit_on": rows}))


def facts(result):
    return result.about["embedding"]


# delta


def metric_of(n, seed):
    points = np.random.default_rng(seed).normal(size=(n, 3))
    return np.linalg.norm(points[:, None] - points, axis=2)


@pytest.mark.parametrize("size", [8, 40])
def test_relative_delta_of_a_circle_is_one(size):
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    distances = np.minimum(steps, size - steps).astype(float)
    found = relative_delta(lambda rows: distances[np.ix_(rows, rows)], size, 0)
    assert found == 1.0


def test_relative_delta_does_not_scale():
    distances = metric_of(20, 4)
    small, large = (
        relative_delta(lambda rows, s=s: s * distances[np.ix_(rows, rows)], 20, 0) for s in (1, 3)
    )
    assert small == pytest.approx(large)


def test_relative_delta_samples_different_rows_and_bears_equal_points():
    asked = []

    def zeros(rows):
        asked.extend(rows)
        return np.zeros((len(rows),) * 2)

    assert relative_delta(zeros, 5000, 0) is None
    assert len(set(asked)) == len(asked) == MAX_ROWS


# refusals, and which rows are read


def test_missing_torch_is_one_line_with_the_cure(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError) as caught:
        embed(images(), 0, **QUICK)
    assert str(caught.value) == (
        "embedding hyperbolic_images needs the package torch: pip install torch (extra images of "
        "docs/install.md)"
    )


@each_of(
    ("settings", "message"),
    [
        ({}, "needs a fixed split, so that test rows stay unseen"),
        ({"fit_on": "some"}, "fit_on = 'some'; give one of"),
        ({"n_components": 0}, "n_components = 0; give an integer >= 1"),
        ({"radius": 40}, "radius = 40; give a number in"),
        ({"test_fraction": 1.0}, "test_fraction = 1.0; give a number in"),
        ({"last_layer": "round"}, "last_layer = 'round'; give one of hyperbolic, flat"),
        ({"channels": [0]}, "channels = 0; give an integer >= 1"),
        ({"channels": [4] * 4, "fit_on": "all"}, "but 4 convolutions need 16 rows and columns"),
        ({"hidden_layer_sizes": 5}, "hidden_layer_sizes = 5; give a list"),
        ({"hidden_layer_sizes": [8, 0]}, "hidden_layer_sizes = 0; give an integer >= 1"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        embed(images(), 0, **settings)


def test_data_that_are_no_images_are_refused():
    with pytest.raises(InputError, match="kind 'graph'; give a data set of kind 'images'"):
        embed(karate.load({}, 0), 0, fit_on="all")


def test_authors_split_is_not_overruled():
    data = replace(images(), fixed_fold=np.arange(len(images().labels)) % 2)
    with pytest.raises(InputError, match="has its authors' split; set fit_on: training"):
        embed(data, 0, fit_on="holdout")


def test_training_rows_of_one_class_are_refused():
    data = replace(images(), fixed_fold=(images().labels > 0).astype(int))
    with pytest.raises(InputError, match="24 rows to fit on have fewer than two classes"):
        embed(data, 0)


def test_equal_images_are_refused():
    with pytest.raises(InputError, match="all training images are equal"):
        standardised(np.ones((5, 3)), np.arange(4))


def test_stratified_part_takes_its_share_of_each_class_and_never_all():
    labels = np.repeat([0, 1, 2, 3], [50, 10, 2, 1])
    part = stratified_part(labels, 0.3, 7)
    assert np.bincount(labels[part], minlength=4).tolist() == [15, 3, 1, 0]
    assert (part == stratified_part(labels, 0.3, 7)).all()
    assert (part != stratified_part(labels, 0.3, 8)).any()
    assert np.bincount(labels[stratified_part(labels, 0.9, 0)], minlength=4).max() < 50


def test_labels_are_declared_to_be_read():
    assert hyperbolic_images.READS_LABELS is True


# the network


def test_logits_are_scaled_distances_to_hyperplanes(torch):
    from noneuclid_compare.embed.hyperbolic_network import logits

    rng = np.random.default_rng(0)
    x, places, normals = (rng.normal(size=(n, 3)) for n in (30, 4, 4))
    found = logits(*map(torch.from_numpy, (x, places, normals))).numpy()
    inside, through = (charts.convert(v, "tangent", "poincare") for v in (x, places))
    distances = poincare.hyperplane_distance(inside[:, None], through, normals)
    np.testing.assert_allclose(
        found, 2 * np.linalg.norm(normals, axis=1) * distances, rtol=1e-10, atol=1e-12
    )


def test_logits_have_their_gradient_also_at_the_origin(torch):
    from noneuclid_compare.embed.hyperbolic_network import logits

    rng = np.random.default_rng(1)
    x, places, normals = (torch.from_numpy(rng.normal(size=(3, 2))) for _ in range(3))
    arguments = [v.requires_grad_() for v in (x, places, normals)]
    assert torch.autograd.gradcheck(logits, arguments)
    origin = torch.zeros(2, 2, dtype=torch.float64, requires_grad=True)
    logits(origin, places, normals).sum().backward()
    step = 1e-6 * torch.eye(2, dtype=torch.float64)
    slope = (logits(step, places, normals) - logits(-step, places, normals)).sum(dim=1) / 2e-6
    torch.testing.assert_close(origin.grad[0], slope, rtol=1e-6, atol=1e-8)


def test_flat_logits_are_those_of_hyperbolic_space_near_the_origin(torch):
    from noneuclid_compare.embed.hyperbolic_network import flat_logits, logits

    rng = np.random.default_rng(2)
    x, places, normals = (torch.from_numpy(rng.normal(size=(n, 3))) for n in (9, 4, 4))
    near = logits(1e-6 * x, 1e-6 * places, normals) / 1e-6
    torch.testing.assert_close(near, flat_logits(x, places, normals), rtol=1e-9, atol=1e-9)


def test_networks_differ_in_the_last_layer_alone(torch):
    """Stopped after one step of Adam of length 0: both have the same features, other scores."""
    still = QUICK | {"learning_rate": 1e-8, "max_iter": 1}
    with pytest.warns(ConvergenceWarning):
        flat, curved = (
            embed(images(), 0, **(still | {"last_layer": name})) for name in ("flat", "hyperbolic")
        )
    np.testing.assert_allclose(flat.points, curved.points, atol=1e-5)
    assert facts(flat)["validation_loss"] != facts(curved)["validation_loss"]
    assert facts(flat)["relative_delta"]["images"] == facts(curved)["relative_delta"]["images"]
    assert facts(flat)["relative_delta"]["points"] != facts(curved)["relative_delta"]["points"]


def test_a_flat_last_layer_learns_digits(torch):
    settings = QUICK | {"n_components": 8, "last_layer": "flat"}
    flat = embed(images(), 0, **settings)
    assert facts(flat)["held_out_accuracy"] > 0.85
    assert facts(flat)["clipped_rows"] == 0
    # The radius belongs to hyperbolic space.
    same = embed(images(), 0, **(settings | {"radius": 0.01}))
    np.testing.assert_array_equal(same.points, flat.points)


def test_convolutions_see_which_pixels_are_neighbours(torch):
    """Padding aside, a shift of all images changes nothing: the maximum runs over all of them."""
    from noneuclid_compare.embed.hyperbolic_network import _network, reproducible

    settings = DEFAULTS | {"channels": [3], "hidden_layer_sizes": []}
    with reproducible(0):
        convolution = _network((2, 8, 8), 3, settings)[0][0]
        image = torch.zeros(1, 2, 8, 8, dtype=torch.float64)
        image[0, :, 2:5, 2:5] = torch.randn(2, 3, 3, dtype=torch.float64)
        moved = image.roll((1, 2), dims=(2, 3))
        found, other = convolution(image), convolution(moved)
    torch.testing.assert_close(found.roll((1, 2), dims=(2, 3)), other)


def test_pixels_reach_the_network_as_rows_columns_and_channels(torch):
    """Trained on images whose class is a channel, of which the mean is the same."""
    rng = np.random.default_rng(3)
    labels = np.arange(60) % 2
    pixels = np.zeros((60, 4, 4, 2))
    pixels[np.arange(60), rng.integers(4, size=60), rng.integers(4, size=60), labels] = 1
    about = {"image_shape": [4, 4, 2]}
    data = replace(images(), features=pixels.reshape(60, -1), labels=labels, about=about)
    data = replace(data, class_names=("a", "b"))
    assert facts(embed(data, 0, **QUICK))["held_out_accuracy"] > 0.9


def test_images_without_a_shape_need_no_convolutions(torch):
    data = replace(images(), about={})
    with pytest.raises(InputError, match="no rows and columns of pixels; load images by image_f"):
        embed(data, 0, **QUICK)
    assert facts(embed(data, 0, **(QUICK | {"channels": []})))["held_out_accuracy"] > 0.5


def test_clip_shortens_only_what_is_too_long(torch):
    from noneuclid_compare.embed.hyperbolic_network import clip

    vectors = torch.tensor([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]], dtype=torch.float64)
    assert clip(vectors, 1.0).tolist() == [[0.6000000000000001, 0.8], [0.3, 0.4], [0.0, 0.0]]


@pytest.mark.parametrize("dimension", [2, 512])
def test_contract(torch, dimension):
    result = embedded(dimension)
    charts.check_points(result.points, result.chart)
    assert result.points.shape == (120, dimension)
    assert result.labels is images().labels
    length = np.linalg.norm(result.points, axis=1)
    assert length.max() <= 7.6 * (1 + 1e-12)
    about = facts(result)
    assert json.loads(json.dumps(about, allow_nan=False)) == about
    assert about["settings"] == DEFAULTS | QUICK | {"n_components": dimension}
    assert (about["reads_labels"], about["transductive"]) == (True, False)
    assert about["fitted_rows"] == int((result.fixed_fold == 0).sum()) == 85
    assert about["status"] == "converged"
    assert about["n_iter"] - about["best_epoch"] == QUICK["n_iter_no_change"]
    assert 0 < about["relative_delta"]["points"] < 1
    assert 0 < about["relative_delta"]["images"] < 1


def test_it_learns_digits_and_cannot_learn_shuffled_ones(torch):
    about = facts(embedded(512))
    assert about["validation_accuracy"] > 0.85
    assert about["held_out_accuracy"] > 0.85
    shuffled = replace(images(), labels=np.random.default_rng(0).permutation(images().labels))
    # Chance is 0.2, with a standard deviation of 0.07 on the 35 rows.
    assert facts(embed(shuffled, 0, **QUICK))["held_out_accuracy"] < 0.5


def test_held_out_rows_change_nothing_else(torch):
    result = embedded(2)
    held_out = result.fixed_fold == 1
    data = replace(images(), fixed_fold=result.fixed_fold)
    settings = QUICK | {"fit_on": "training"}
    same = embed(data, 0, **settings)
    np.testing.assert_array_equal(same.points, result.points)
    np.testing.assert_array_equal(same.fixed_fold, result.fixed_fold)
    labels = np.where(held_out, (data.labels + 1) % 5, data.labels)
    features = np.where(held_out[:, None], 16 - data.features, data.features)
    other = embed(replace(data, labels=labels, features=features), 0, **settings)
    np.testing.assert_array_equal(other.points[~held_out], result.points[~held_out])
    assert (other.points[held_out] != result.points[held_out]).any()
    assert facts(other)["validation_loss"] == facts(result)["validation_loss"]


def test_all_rows_are_marked_transductive(torch):
    result = embedded(2, "all")
    about = facts(result)
    assert (about["reads_labels"], about["transductive"]) == (True, True)
    assert (about["fitted_rows"], about["held_out_accuracy"]) == (120, None)
    assert result.fixed_fold is None


def test_same_seed_same_points_and_torch_is_left_as_it_was(torch):
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        again = embed(images(), 0, **QUICK)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(threads)
    assert (torch.get_rng_state() == state).all()
    np.testing.assert_array_equal(again.points, embedded(2).points)
    other = embed(images(), 1, **QUICK)
    assert (other.points != again.points).any()
    np.testing.assert_array_equal(other.fixed_fold, again.fixed_fold)


def test_the_best_weights_are_kept_and_a_short_run_warns(torch):
    best = facts(embedded(2))["best_epoch"]
    with pytest.warns(ConvergenceWarning, match=f"max_iter = {best} with validation loss"):
        short = embed(images(), 0, **(QUICK | {"max_iter": best}))
    assert facts(short)["status"] == "max_iter"
    np.testing.assert_array_equal(short.points, embedded(2).points)


def test_a_class_without_training_rows_is_never_predicted(torch):
    labels = images().labels
    fold = np.where(labels == 2, 1, np.arange(len(labels)) % 2)
    settings = QUICK | {"fit_on": "training", "max_iter": 10}
    with pytest.warns(ConvergenceWarning):
        about = facts(embed(replace(images(), fixed_fold=fold), 0, **settings))
    unseen = (labels == 2).sum() / (fold == 1).sum()
    assert 0.4 < about["held_out_accuracy"] <= 1 - unseen


def test_a_loss_that_is_not_finite_is_refused(torch):
    from noneuclid_compare.embed.hyperbolic_network import train

    features = np.full((8, 3), np.nan)
    with pytest.raises(InputError, match=r"loss nan in epoch 1; lower learning_rate"):
        train(
            *(features, np.arange(8) % 2, np.arange(4), np.arange(4, 8)),
            *(DEFAULTS | {"channels": []}, 0),
        )
