"""Decision regions on a grid: filled to the rim, smoothed, coloured."""

import numpy as np
from scipy import ndimage

from noneuclid.errors import InputError


def check(raster, n_classes):
    """Refuse a raster that is not square, or has codes outside -1 ... n_classes - 1."""
    if raster.ndim != 2 or raster.shape[0] != raster.shape[1]:
        raise InputError(f"a raster of regions has shape {raster.shape}: it must be square")
    low, high = int(raster.min()), int(raster.max())
    if low < -1 or high >= n_classes:
        raise InputError(
            f"a raster of regions holds codes {low} to {high}: expected -1 to {n_classes - 1}"
        )
    if high < 0:
        raise InputError("a raster of regions is -1 everywhere: no cell lies inside the disk")


def fill(raster):
    """Give every cell outside the disk the class of the nearest cell inside.

    The raster, shape (G, G), has class codes at the centres of G² cells that tile [-1, 1]²: row 0
    is the lowest, column 0 the leftmost; -1 outside the disk.
    """
    outside = raster < 0
    if not outside.any():
        return raster
    nearest = ndimage.distance_transform_edt(outside, return_distances=False, return_indices=True)
    return raster[tuple(nearest)]


def refine(raster, size, smoothing=0.7):
    """Redraw filled regions on a finer grid, shape (size, size), with smooth boundaries.

    Each class is a 0/1 image, blurred by `smoothing` cells and interpolated linearly; the
    largest wins. Time and memory O(classes * size²).
    """
    cells = raster.shape[0]
    at = np.clip((np.arange(size) + 0.5) * cells / size - 0.5, 0, cells - 1)
    low = np.minimum(at.astype(int), cells - 2)
    weight = (at - low).astype(np.float32)
    best = np.full((size, size), -1, dtype=np.float32)
    codes = np.zeros((size, size), dtype=np.int16)
    for code in np.unique(raster):
        member = ndimage.gaussian_filter((raster == code).astype(np.float32), smoothing)
        rows = member[low] * (1 - weight)[:, None] + member[low + 1] * weight[:, None]
        fine = rows[:, low] * (1 - weight) + rows[:, low + 1] * weight
        codes[fine > best] = code
        np.maximum(best, fine, out=best)
    return codes


def paint(raster, colours, size=420):
    """An antialiased image of the regions, shape (size, size, 3), with white lines between them.

    `colours` has shape (n_classes, 3); row 0 of the image is y = -1.
    """
    fine = refine(fill(raster), 2 * size)
    image = np.asarray(colours, dtype=np.float32)[fine]
    edge = np.zeros(fine.shape, dtype=bool)
    edge[1:] |= fine[1:] != fine[:-1]
    edge[:, 1:] |= fine[:, 1:] != fine[:, :-1]
    image[ndimage.binary_dilation(edge)] = 1.0
    return image.reshape(size, 2, size, 2, 3).mean(axis=(1, 3))


def shade(raster, colours, strengths, size=420):
    """An antialiased image of the regions, each colour mixed with white by a strength in [0, 1].

    `strengths` has the shape of the raster; it is interpolated linearly, and shape and order of the
    image are those of `paint`.
    """
    outside = raster < 0
    nearest = ndimage.distance_transform_edt(outside, return_distances=False, return_indices=True)
    whole = np.asarray(strengths, dtype=np.float32)[tuple(nearest)]
    fine = refine(fill(raster), 2 * size)
    zoom = 2 * size / len(raster)
    strength = ndimage.zoom(whole, zoom, order=1, mode="nearest", grid_mode=True)[..., None]
    image = 1 - strength * (1 - np.asarray(colours, dtype=np.float32)[fine])
    return image.reshape(size, 2, size, 2, 3).mean(axis=(1, 3))
