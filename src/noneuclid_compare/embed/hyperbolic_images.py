"""Image features of a small network that ends in hyperbolic or flat space. Uses labels.

Also how far distances are from those of a tree: Gromov's delta.
"""

import numpy as np

from noneuclid.embeddings.network_map import NetworkMap
from noneuclid.errors import require, require_number
from noneuclid.geometry import charts, lorentz
from noneuclid.geometry.tree_likeness import delta_hyperbolicity
from noneuclid_compare.data.hold_out import stratified_part
from noneuclid_compare.embed.hyperbolic_network import LAST_LAYERS, require_torch, train
from noneuclid_compare.records import Embedded

READS_LABELS = True
FITTED = ("training", "holdout", "all")
NAME = "hyperbolic_images"
# Of a sample for delta, which takes O(n^3).
MAX_ROWS = 500


def embed(
    dataset,
    random_state,
    /,
    *,
    n_components=2,
    fit_on="training",
    test_fraction=0.3,
    seed=0,
    validation_fraction=0.15,
    last_layer="hyperbolic",
    channels=(16, 32),
    hidden_layer_sizes=(64,),
    radius=7.6,
    learning_rate=1e-3,
    weight_decay=1e-4,
    batch_size=32,
    max_iter=300,
    n_iter_no_change=30,
):
    """Train a convolutional network to classify images by hyperplanes; keep its features.

    The last layer gives tangent vectors at the origin, whose length is clipped to `radius`; the
    exponential map carries them to the ball [1]_, where hyperbolic logistic regression classifies
    them. With a flat last layer the regression is the usual one, and nothing is clipped; all else
    is the same. The network uses the labels of the rows that it is fitted on, so only other rows
    can be tested.

    Parameters
    ----------
    dataset : Dataset
        Kind `images`.
    random_state : int
        For weights, order of the rows, and the validation part.
    fit_on : {"training", "holdout", "all"}
        "training" fits on the rows with `fixed_fold` 0; "holdout" draws that split, `test_fraction`
        of each class, by `seed`; "all" fits on every row, which makes any later test transductive
        and supervised.
    validation_fraction : float
        Part of the fitted rows that stops the training.
    last_layer : {"hyperbolic", "flat"}
        Geometry of the logistic regression; the chart is "tangent" for both.
    channels : sequence of int
        Of the convolutions, each followed by a halving of rows and columns; none for features of
        images that another network gave.
    hidden_layer_sizes : sequence of int
        Sizes of the layers after them.
    radius : float
        Of a hyperbolic last layer, in its units; 7.6 is 0.999 in the ball as in [1]_, 2 the
        clip of [2]_. Of a small one nearly all points lie on that sphere; see `clipped_rows`.
    learning_rate, weight_decay, batch_size : float, float, int
        Of Adam; `weight_decay` is on squared weights.
    n_iter_no_change : int
        Training stops when the validation loss has not fallen for so many epochs.

    Returns
    -------
    Embedded
        Chart `tangent`, curvature -1; `fixed_fold` is the data set's, or with "holdout" 1 on the
        rows that were held out.
        `about["embedding"]` keeps `reads_labels`, `fitted_rows`, `validation_accuracy` and
        `held_out_accuracy` of the network's own classifier, `clipped_rows`, and
        `relative_delta` of images and points. `rule` places new images by the network.

    Raises
    ------
    InputError
        If PyTorch is missing, the data set has no images or no split, or a setting is out of range.

    References
    ----------
    .. [1] V. Khrulkov, L. Mirvakhabova, E. Ustinova, I. Oseledets and V. Lempitsky, Hyperbolic
       image embeddings, CVPR 2020, arXiv:1904.02239.
    .. [2] Y. Guo, X. Wang, Y. Chen and S. X. Yu, Clipped hyperbolic classifiers are
       super-hyperbolic classifiers, CVPR 2022, arXiv:2107.11472.

    Examples
    --------
    >>> from noneuclid_compare.data.shipped import digits
    >>> embed(digits.load({}, 0), 0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    noneuclid.errors.InputError: hyperbolic_images uses labels and needs a fixed split, so that ...
    """
    settings = {
        "n_components": n_components,
        "fit_on": fit_on,
        "test_fraction": test_fraction,
        "seed": seed,
    }
    settings |= {
        "validation_fraction": validation_fraction,
        "last_layer": last_layer,
        "channels": channels,
        "hidden_layer_sizes": hidden_layer_sizes,
        "radius": radius,
    }
    settings |= {
        "learning_rate": learning_rate,
        "weight_decay": weight_decay,
        "batch_size": batch_size,
        "max_iter": max_iter,
    }
    settings |= {"n_iter_no_change": n_iter_no_change}
    check_settings(settings, dataset)
    settings |= {"channels": list(channels), "hidden_layer_sizes": list(hidden_layer_sizes)}
    shape = image_shape(dataset, settings["channels"])
    held_out = held_out_rows(dataset, settings)
    fitting, validation = _parts(dataset.labels, held_out, validation_fraction, random_state)
    require_torch()
    images, mean, deviation = standardised(dataset.features, np.flatnonzero(~held_out))
    vectors, predicted, record, layers = train(
        images, dataset.labels, fitting, validation, settings, random_state, shape
    )
    right = predicted == dataset.labels
    about = {
        "name": NAME,
        "settings": settings,
        "distortion": {},
        "transductive": fit_on == "all",
        "reads_labels": True,
        "fitted_rows": len(fitting) + len(validation),
        "validation_rows": len(validation),
        "validation_accuracy": float(right[validation].mean()),
        "held_out_accuracy": float(right[held_out].mean()) if held_out.any() else None,
        "clipped_rows": _clipped(vectors, radius) if last_layer == "hyperbolic" else 0,
        "relative_delta": _deltas(images, vectors, last_layer, random_state),
    }
    drawn = fit_on == "holdout"
    rule = NetworkMap(
        mean=mean,
        deviation=deviation,
        shape=shape,
        layers=layers,
        radius=float(radius) if last_layer == "hyperbolic" else None,
    )
    return Embedded(
        points=vectors,
        chart="tangent",
        labels=dataset.labels,
        class_names=dataset.class_names,
        fixed_fold=held_out.astype(np.int64) if drawn else dataset.fixed_fold,
        about={"embedding": about | record},
        rule=rule,
    )


def check_settings(settings, dataset):
    """Refuse another kind of data than images, and values out of range."""
    require(
        dataset.kind == "images",
        f"{NAME}: {dataset.name} has kind {dataset.kind!r}; give a data set of kind 'images'",
    )
    require(
        settings["fit_on"] in FITTED,
        f"{NAME}: fit_on = {settings['fit_on']!r}; give one of {FITTED}",
    )
    for key in ("n_components", "batch_size", "max_iter", "n_iter_no_change"):
        require_number(settings[key], key, NAME, low=1, integer=True)
    for key in ("test_fraction", "validation_fraction"):
        require_number(settings[key], key, NAME, low=0.01, high=0.9)
    require_number(settings["seed"], "seed", NAME, low=0, integer=True)
    # Beyond 15, cosh of a distance between points leaves too few digits for a descent.
    require_number(settings["radius"], "radius", NAME, low=1e-3, high=15.0)
    require_number(settings["learning_rate"], "learning_rate", NAME, low=1e-8, high=1.0)
    require_number(settings["weight_decay"], "weight_decay", NAME, low=0.0, high=1.0)
    require(
        settings["last_layer"] in LAST_LAYERS,
        f"{NAME}: last_layer = {settings['last_layer']!r}; give one of {', '.join(LAST_LAYERS)}",
    )
    for key in ("channels", "hidden_layer_sizes"):
        sizes = settings[key]
        require(
            isinstance(sizes, list | tuple),
            f"{NAME}: {key} = {sizes!r}; give a list of layer sizes",
        )
        for size in sizes:
            require_number(size, key, NAME, low=1, integer=True)


def image_shape(dataset, channels):
    """Rows, columns and channels of the images, large enough for the convolutions."""
    shape = dataset.about.get("image_shape")
    require(
        shape is not None or not channels,
        f"{NAME}: {dataset.name} has no rows and columns of pixels; load images by image_file, or "
        "set channels: []",
    )
    side = 2 ** len(channels)
    require(
        not channels or min(shape[:2]) >= side,
        f"{NAME}: images of {dataset.name} have shape {shape}, but {len(channels)} convolutions "
        f"need {side} rows and columns; shorten channels",
    )
    return shape


def held_out_rows(dataset, settings):
    """Which rows are not read, by the setting `fit_on`.

    Returns shape (n,).
    """
    fold, chosen = dataset.fixed_fold, settings["fit_on"]
    if chosen == "all":
        return np.zeros(len(dataset.labels), dtype=bool)
    if chosen == "training":
        require(
            fold is not None,
            f"{NAME} uses labels and needs a fixed split, so that test rows stay unseen, but "
            f"{dataset.name} has none; set fit_on: holdout to draw one",
        )
        return fold == 1
    require(
        fold is None,
        f"{NAME}: {dataset.name} has its authors' split; set fit_on: training to keep it",
    )
    held_out = stratified_part(dataset.labels, settings["test_fraction"], settings["seed"])
    require(held_out.any(), f"{NAME}: no class has two rows, so none can be held out; add rows")
    return held_out


def _parts(labels, held_out, fraction, seed):
    """Rows to fit weights on and rows to stop by: together all that are not held out."""
    rows = np.flatnonzero(~held_out)
    require(
        np.unique(labels[rows]).size > 1,
        f"{NAME}: the {len(rows)} rows to fit on have fewer than two classes; change the split",
    )
    stop = stratified_part(labels[rows], fraction, seed)
    require(stop.any(), f"{NAME}: no class has two rows to fit on; add rows")
    return rows[~stop], rows[stop]


def standardised(features, rows):
    """Features less their mean on `rows`, over one deviation for all of them; mean, deviation."""
    mean = features[rows].mean(axis=0)
    centred = features - mean
    deviation = float(np.sqrt(np.mean(centred[rows] ** 2)))
    require(deviation > 0, f"{NAME}: all training images are equal")
    return centred / deviation, mean, deviation


def _clipped(vectors, radius):
    """How many vectors were shortened."""
    return int((np.linalg.norm(vectors, axis=1) > radius * (1 - 1e-9)).sum())


def _deltas(images, vectors, last_layer, seed):
    """Relative delta of Euclidean distances of images, and of distances of points."""

    def flat(rows):
        square = np.square(rows).sum(axis=1)
        return np.sqrt(np.maximum(square[:, None] + square - 2 * rows @ rows.T, 0.0))

    def hyperbolic(rows):
        return lorentz.pairwise_distances(charts.convert(rows, "tangent", "hyperboloid"))

    between = hyperbolic if last_layer == "hyperbolic" else flat
    n = len(images)
    return {
        "images": relative_delta(lambda rows: flat(images[rows]), n, seed),
        "points": relative_delta(lambda rows: between(vectors[rows]), n, seed),
    }


def relative_delta(distances_of, n, seed):
    """Twice delta over the diameter: 0 for a tree, 1 for a circle.

    This is the measure of Khrulkov et al. 2020 [1]_, section 3. Beyond 500 rows, a sample of 500
    represents all rows; the base is its first row.

    References
    ----------
    .. [1] V. Khrulkov, L. Mirvakhabova, E. Ustinova, I. Oseledets and V. Lempitsky, Hyperbolic
       image embeddings, CVPR 2020, arXiv:1904.02239.
    """
    rows = np.random.default_rng(seed).permutation(n)[:MAX_ROWS]
    distances = distances_of(rows)
    diameter = distances.max()
    return None if diameter == 0 else float(2 * delta_hyperbolicity(distances, 0) / diameter)
