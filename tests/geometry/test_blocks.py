"""Large tables are converted block by block, with the digits of the whole."""

import numpy as np
import pytest
from cases import each_of

from noneuclid.geometry import blocks, charts, lorentz

LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "reversed": lambda X: np.ascontiguousarray(X[::-1])[::-1],
    "every second": lambda X: np.repeat(X, 2, axis=0)[::2],
    "part of the columns": lambda X: np.hstack([X, X])[:, : X.shape[1]],
}


def results(X):
    """Results of all functions that work in blocks, and whether they are stored by rows."""
    points = charts.convert(X, "poincare", "hyperboloid")
    found = [points, lorentz.from_spatial(X), lorentz.product(X, X)]
    found += [lorentz.product(points, points), lorentz.product(X, np.asfortranarray(X))]
    found.append(charts.convert(points, "hyperboloid", "hyperboloid"))
    return found


@each_of("layout", LAYOUTS)
@each_of(("n", "d"), [(65, 1), (33, 2), (9, 33), (8, 200), (1, 70)])
def test_blocks_change_no_digit(n, d, layout, monkeypatch):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d))
    X = LAYOUTS[layout](X * 0.9 * rng.random((n, 1)) / np.linalg.norm(X, axis=1, keepdims=True))
    whole = results(X)
    monkeypatch.setattr(blocks, "_LARGE", 64)
    monkeypatch.setattr(blocks, "_BLOCK", 32)
    assert (len(blocks.row_blocks(X)) > 1) == (n > 1 and (d == 1 or layout != "columns"))
    for one, other in zip(whole, results(X), strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.flags.f_contiguous == other.flags.f_contiguous


def test_rows_of_errors_are_those_of_the_table(monkeypatch):
    X = np.full((100, 2), 0.1)
    X[77] = 2.0
    monkeypatch.setattr(blocks, "_LARGE", 64)
    with pytest.raises(charts.InputError, match="row 77 lies outside"):
        charts.convert(X, "poincare", "hyperboloid")


def test_a_curvature_for_each_row_and_masks_are_kept(monkeypatch):
    monkeypatch.setattr(blocks, "_LARGE", 8)
    X, curvature = np.ones((10, 2)), np.arange(1.0, 11.0)[:, None]
    time = lorentz.from_spatial(X, curvature)[:, 0]
    np.testing.assert_allclose(time, np.sqrt(1 / curvature[:, 0] + 2))
    masked = np.ma.masked_greater(np.arange(20.0).reshape(10, 2), 17)
    assert isinstance(lorentz.product(masked, masked), np.ma.MaskedArray)
