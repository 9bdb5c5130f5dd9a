"""A network whose last layer is hyperbolic or flat. PyTorch is used here only, inside functions.

Everything is a Euclidean parameter: points and hyperplanes are written in the tangent space at the
origin, so ordinary Adam trains them.
"""

import warnings
from contextlib import contextmanager

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from tqdm import tqdm

from noneuclid.errors import InputError, require_package

# Keeps |v| / |v| finite at the origin, far below what any distance resolves.
_TINY = 1e-12
# Rows that pass the network at once when nothing is fitted.
_ROWS = 1000


def require_torch():
    """Import PyTorch."""
    return require_package("torch", "images", "embedding hyperbolic_images")


@contextmanager
def reproducible(seed):
    """One thread and a fixed seed inside; PyTorch's own state is as before afterwards."""
    torch = require_torch()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield torch
    finally:
        torch.set_num_threads(threads)


def logits(vectors, places, normals):
    """Logits of hyperbolic multiclass logistic regression at curvature -1.

    Equation 25 of Ganea et al. 2018 [1]_: class k scores 2 |a_k| times the signed distance from x
    to the hyperplane through p_k with normal a_k, where a_k is carried over from the origin. The
    distance is asinh of a product of the normal with x as seen from p_k on the hyperboloid.

    `vectors` and `places` are in the tangent chart, `normals` in the tangent space at the origin.
    Shapes: `vectors` (n, d), `places, normals` (k, d); returns shape (n, k).

    References
    ----------
    .. [1] O.-E. Ganea, G. Bécigneul and T. Hofmann, Hyperbolic neural networks, NeurIPS 2018,
       arXiv:1805.09112.
    """
    torch = require_torch()
    time, spatial = _lifted(vectors)
    place_time, place = _lifted(places)
    size = torch.linalg.vector_norm(normals, dim=1).clamp_min(_TINY)
    unit = normals / size[:, None]
    shift = spatial @ place.T / (1 + place_time) - time[:, None]
    return 2 * size * torch.asinh(spatial @ unit.T + shift * (place * unit).sum(dim=1))


def flat_logits(vectors, places, normals):
    """Limit of `logits` at curvature 0: 2 |a_k| times the signed distance to a flat hyperplane.

    Shapes: as in `logits`.
    """
    return 2 * (vectors @ normals.T - (places * normals).sum(dim=1))


# Logits, and whether vectors are clipped before.
LAST_LAYERS = {"hyperbolic": (logits, True), "flat": (flat_logits, False)}


def _lifted(vectors):
    """Time and spatial coordinates on the hyperboloid."""
    torch = require_torch()
    length = torch.linalg.vector_norm(vectors, dim=1).clamp_min(_TINY)
    return torch.cosh(length), vectors * (torch.sinh(length) / length)[:, None]


def clip(vectors, radius):
    """Shorten vectors that are longer than the radius, keeping their direction."""
    torch = require_torch()
    return vectors * (radius / torch.linalg.vector_norm(vectors, dim=1, keepdim=True)).clamp_max(1)


def train(features, labels, fitting, validation, settings, seed, shape=None):
    """Fit the network on some rows, stop by others, and place every row.

    For each entry of `channels` a convolution of 3 by 3 with padding, rectified linear units and
    the maximum over 2 by 2 pixels; then layers of rectified linear units, one linear layer to the
    tangent space and one of `LAST_LAYERS`; cross-entropy by Adam in double precision. The weights
    kept are those with the least validation loss. `shape` is rows, columns and channels of an
    image, for convolutions.

    Features are read at `fitting` and `validation` only. Every class of `validation` is in
    `fitting`.
    Shapes: `features` (n, p), `labels` (n,); returns `vectors` (n, dimension), `predicted`
    (n,), the record of the descent, and `layers` of `network_map.NetworkMap`.

    Warns
    -----
    ConvergenceWarning
        If the validation loss still fell in the last `n_iter_no_change` epochs.
    """
    classes = np.unique(labels[fitting])
    with reproducible(seed) as torch:
        X = torch.from_numpy(np.ascontiguousarray(features, dtype=np.float64))
        y = torch.from_numpy(np.searchsorted(classes, labels))
        fitting, validation = torch.from_numpy(fitting), torch.from_numpy(validation)
        if settings["channels"]:
            X = X.reshape(-1, *shape).permute(0, 3, 1, 2)
        body, planes = _network(X.shape[1:], len(classes), settings)
        scores_of, clipped = LAST_LAYERS[settings["last_layer"]]
        model = torch.nn.ModuleList([body, planes])

        def forward(rows):
            vectors = body(X[rows])
            vectors = clip(vectors, settings["radius"]) if clipped else vectors
            return vectors, scores_of(vectors, planes["places"], planes["normals"])

        def loss(rows):
            total = torch.nn.functional.cross_entropy(forward(rows)[1], y[rows], reduction="sum")
            return total / len(rows)

        record = _descend(model, loss, fitting, validation, settings)
        with torch.no_grad():
            parts = [forward(rows) for rows in torch.arange(len(X)).split(_ROWS)]
            vectors, scores = map(torch.cat, zip(*parts, strict=True))
        predicted = classes[scores.argmax(dim=1).numpy()]
        return vectors.numpy(), predicted, record, _layers(body)


def _layers(body):
    """Weights up to the tangent space, as `network_map.NetworkMap` keeps them."""
    weighted = [layer for layer in body if hasattr(layer, "weight")]
    parts = ("weight", "bias")
    return {
        f"{part}_{k}": getattr(layer, part).detach().numpy().copy()
        for k, layer in enumerate(weighted)
        for part in parts
    }


def _network(shape, classes, settings):
    """Layers up to the tangent space, and the hyperplanes behind them.

    `shape` is channels, rows and columns, or with no convolution the number of features.
    """
    torch = require_torch()
    layers, dimension = [], settings["n_components"]
    width, sides = shape[0], shape[1:]
    for channels in settings["channels"]:
        layers += [torch.nn.Conv2d(width, channels, 3, padding=1), torch.nn.ReLU()]
        layers.append(torch.nn.MaxPool2d(2))
        width, sides = channels, [side // 2 for side in sides]
    if sides:
        layers.append(torch.nn.Flatten())
        width *= sides[0] * sides[1]
    for units in settings["hidden_layer_sizes"]:
        layers += [torch.nn.Linear(width, units), torch.nn.ReLU()]
        width = units
    body = torch.nn.Sequential(*layers, torch.nn.Linear(width, dimension)).double()
    planes = torch.nn.ParameterDict(
        {
            "places": 0.01 * torch.randn(classes, dimension, dtype=torch.float64),
            "normals": torch.randn(classes, dimension, dtype=torch.float64) / dimension**0.5,
        }
    )
    return body, planes


def _descend(model, loss, fitting, validation, settings):
    """Adam until the loss has not fallen for `n_iter_no_change` epochs; best weights stay."""
    torch = require_torch()
    adam = torch.optim.Adam(
        model.parameters(), lr=settings["learning_rate"], weight_decay=settings["weight_decay"]
    )
    best, best_epoch, kept = np.inf, 0, None
    for epoch in tqdm(range(1, settings["max_iter"] + 1), desc="hyperbolic_images", mininterval=5):
        for rows in fitting[torch.randperm(len(fitting))].split(settings["batch_size"]):
            adam.zero_grad()
            loss(rows).backward()
            adam.step()
        with torch.no_grad():
            parts = validation.split(_ROWS)
            value = sum(loss(rows).item() * len(rows) for rows in parts) / len(validation)
        if not np.isfinite(value):
            raise InputError(
                f"hyperbolic_images: loss {value} in epoch {epoch}; lower learning_rate"
            )
        if value < best:
            best, best_epoch = value, epoch
            kept = {name: weight.clone() for name, weight in model.state_dict().items()}
        if epoch - best_epoch >= settings["n_iter_no_change"]:
            break
    model.load_state_dict(kept)
    converged = epoch - best_epoch >= settings["n_iter_no_change"]
    if not converged:
        warnings.warn(
            f"hyperbolic_images: Adam stopped after max_iter = {epoch} with validation loss "
            f"{best:.4g}, last lowered in epoch {best_epoch}; raise max_iter",
            ConvergenceWarning,
            stacklevel=2,
        )
    status = "converged" if converged else "max_iter"
    return {"status": status, "n_iter": epoch, "best_epoch": best_epoch, "validation_loss": best}
