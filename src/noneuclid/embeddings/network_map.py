"""New images in the features of a trained convolutional network, without PyTorch."""

from dataclasses import dataclass

import numpy as np

from noneuclid.embeddings.maps import Map

# Images that pass the network at once.
_ROWS = 500


@dataclass(frozen=True, kw_only=True)
class NetworkMap(Map):
    """Points are what the layers before the last one make of ``(features - mean) / deviation``.

    Convolutions of 3 by 3 with padding, each followed by the positive part and the maximum over 2
    by 2 pixels; then layers with the positive part; the last of `layers` gives the points, which
    are shortened to `radius`.

    Attributes
    ----------
    mean : ndarray of float, shape (p,)
    deviation, radius : float, float or None
        Without a radius no point is shortened.
    shape : list of int
        Rows, columns and channels of an image.
    layers : dict of str to ndarray
        ``weight_K`` and ``bias_K`` of layer K, of shape (out, in, 3, 3) or (out, in), and (out,).
    """

    kind: str = "network"
    chart: str | None = "tangent"
    mean: np.ndarray
    deviation: float
    shape: list | None = None
    layers: dict
    radius: float | None = None

    @property
    def width(self):
        """Number of features."""
        return len(self.mean)

    def place(self, features):
        """Points of the network."""
        self.require_rows(features)
        blocks = [features[k : k + _ROWS] for k in range(0, len(features), _ROWS)]
        points = np.concatenate([self._points(block) for block in blocks])
        if self.radius is None:
            return points
        length = np.linalg.norm(points, axis=1, keepdims=True)
        return points * np.minimum(1, self.radius / np.where(length > 0, length, 1))

    def _points(self, features):
        """Points before they are shortened."""
        values = (features - self.mean) / self.deviation
        count = len(self.layers) // 2
        for k in range(count):
            weight, bias = self.layers[f"weight_{k}"], self.layers[f"bias_{k}"]
            if weight.ndim == 4:
                if k == 0:
                    values = values.reshape(-1, *self.shape).transpose(0, 3, 1, 2)
                values = halved(np.maximum(convolved(values, weight, bias), 0))
                continue
            values = values.reshape(len(values), -1) @ weight.T + bias
            values = values if k == count - 1 else np.maximum(values, 0)
        return values


def convolved(values, weight, bias):
    """Cross-correlation with kernels of 3 by 3, zeros around the image.

    Shapes: `values` (n, c, h, w), `weight` (k, c, 3, 3), `bias` (k,); returns (n, k, h, w).
    """
    padded = np.pad(values, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    found = np.tensordot(windows, weight, axes=([1, 4, 5], [1, 2, 3])) + bias
    return found.transpose(0, 3, 1, 2)


def halved(values):
    """Maximum over 2 by 2 pixels; an odd last row or column is left out.

    Shapes: `values` (n, c, h, w); returns (n, c, h // 2, w // 2).
    """
    n, c, h, w = values.shape
    even = values[:, :, : h // 2 * 2, : w // 2 * 2]
    return even.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5))
