"""Compositions and boxes made of data that ship with the dependencies."""

import numpy as np
import pytest
from cases import each_of
from sklearn.datasets import load_digits

from noneuclid.errors import InputError
from noneuclid_compare.data.shipped import (
    digits_compositions,
    krumsiek11_box,
    pbmc68k_compositions,
)


@pytest.mark.parametrize(("over", "axis"), [("rows", 2), ("columns", 1)])
def test_digits_are_shares_of_ink(over, axis):
    data = digits_compositions.load({}, 0, over=over, pseudocount=2)
    ink = load_digits().images.sum(axis=axis) + 2.0
    assert data.kind == "composition"
    assert data.about["domain"] == {"polytope": "simplex", "parts": 8}
    np.testing.assert_allclose(data.features, ink / ink.sum(axis=1, keepdims=True), rtol=1e-14)
    np.testing.assert_array_equal(data.labels, load_digits().target)
    assert any(
        sentence.startswith("2 was added to every part") for sentence in data.about["oddities"]
    )


def test_rows_of_digits_need_no_pseudocount():
    data = digits_compositions.load({}, 0)
    assert data.features.min() > 0
    np.testing.assert_allclose(data.features.sum(axis=1), 1, rtol=1e-14)


def test_counts_of_cells_are_whole_numbers():
    """The normalisation is undone: counts fit the totals that scanpy kept."""
    import scanpy

    cells = scanpy.datasets.pbmc68k_reduced()
    logs = cells.raw.X.toarray()
    counts = pbmc68k_compositions.molecules(logs)
    totals = cells.obs["n_counts"].to_numpy()
    np.testing.assert_allclose(np.log1p(counts * 1e4 / totals[:, None]), logs, atol=0.002)
    assert np.all(counts.sum(axis=1) <= totals)
    data = pbmc68k_compositions.load({}, 0, n_genes=765, pseudocount=0.5)
    order = np.argsort(-counts.sum(axis=0), kind="stable")
    parts = counts[:, order] + 0.5
    np.testing.assert_allclose(data.features, parts / parts.sum(axis=1, keepdims=True), rtol=1e-13)
    assert data.about["columns"] == cells.raw.var_names[order].tolist()
    fewer = pbmc68k_compositions.load({}, 0, n_genes=3, pseudocount=0.5)
    ratios = data.features[:, 0] / data.features[:, 2]
    np.testing.assert_allclose(fewer.features[:, 0] / fewer.features[:, 2], ratios, rtol=1e-12)


def test_krumsiek11_is_inside_its_box():
    data = krumsiek11_box.load({}, 0, high=1.25)
    assert data.about["domain"] == {"polytope": "box", "low": [-0.05] * 11, "high": [1.25] * 11}
    assert -0.05 < data.features.min() < 0 < 1 < data.features.max() < 1.25


@each_of(
    ("loader", "settings", "message"),
    [
        (digits_compositions, {"over": "columns"}, r"row 0, column 0: 0 is on the .* pseudocount"),
        (digits_compositions, {"over": "diagonals"}, "over = 'diagonals'; choose rows or columns"),
        (digits_compositions, {"pseudocount": 0}, "pseudocount = 0; give a number >= 1e-09"),
        (pbmc68k_compositions, {}, r"row 1, column 19: 0 is on the boundary.*\(2865 of 14000"),
        (pbmc68k_compositions, {"n_genes": 1}, r"genes = 1; give an integer in \[2, 765\]"),
        (pbmc68k_compositions, {"pseudocount": "a"}, "pseudocount = 'a'"),
        (krumsiek11_box, {"low": 0.0}, r"row 0, column 1 is -0.0005, not inside \(0.0, 1.05\)"),
        (krumsiek11_box, {"high": -0.05}, "low equals high"),
        (krumsiek11_box, {"high": -1}, "high = -1; give a number >= -0.05"),
    ],
)
def test_bad_settings(loader, settings, message):
    with pytest.raises(InputError, match=message):
        loader.load({}, 0, **settings)
