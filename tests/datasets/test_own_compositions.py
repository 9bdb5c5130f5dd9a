"""Your own compositions: sums, zeros, and what is refused."""

import numpy as np
import pytest
from own_files import loaded

from noneuclid.datasets.own import array_file
from noneuclid.errors import InputError

PARTS = np.array([[0.2, 0.3, 0.5], [0.1, 0.6, 0.3], [0.25, 0.25, 0.5]])


def composition(tmp_path, parts, **settings):
    np.savez(tmp_path / "c.npz", X=parts, y=[0, 1, 1])
    return loaded(array_file, tmp_path / "c.npz", kind="composition", **settings)


def test_composition(tmp_path):
    data = composition(tmp_path, PARTS)
    assert data.kind == "composition"
    np.testing.assert_array_equal(data.features, PARTS)
    assert data.about["oddities"] == []


def test_composition_of_counts_is_normalised_on_request(tmp_path):
    with pytest.raises(InputError, match="row 0 sums to 20, not 1; set normalise: true"):
        composition(tmp_path, 20 * PARTS)
    data = composition(tmp_path, 20 * PARTS, normalise=True)
    np.testing.assert_allclose(data.features, PARTS, rtol=1e-15)
    assert data.about["oddities"] == ["Each row was divided by its sum."]


def test_composition_sum_tolerance(tmp_path):
    composition(tmp_path, PARTS * (1 + 5e-7))
    with pytest.raises(InputError, match=r"row 0 sums to 1\.000002"):
        composition(tmp_path, PARTS * (1 + 2e-6))


def test_composition_zeros_need_a_pseudocount(tmp_path):
    counts = np.array([[3, 1, 0], [0, 0, 5], [1, 1, 1]])
    with pytest.raises(InputError, match=r"row 0, column 2: 0 is on the bound.*\(3 of 9 parts"):
        composition(tmp_path, counts, normalise=True)
    data = composition(tmp_path, counts, normalise=True, pseudocount=0.5)
    np.testing.assert_allclose(data.features[0], [3.5 / 5.5, 1.5 / 5.5, 0.5 / 5.5])
    np.testing.assert_allclose(data.features.sum(axis=1), 1)
    assert "0.5 was added to every part (3 of 9 were zero)" in data.about["oddities"][1]


@pytest.mark.parametrize(
    ("parts", "settings", "message"),
    [
        (-PARTS, {}, r"row 0, column 0: -0.2 is negative; correct it \(9 of 9"),
        (np.ones((3, 1)), {}, "two parts or more"),
        (PARTS, {"polytope": "box"}, "polytope = 'box'; choose one of simplex"),
        (PARTS, {"pseudocount": -1}, "pseudocount = -1"),
    ],
)
def test_composition_refuses(tmp_path, parts, settings, message):
    with pytest.raises(InputError, match=message):
        composition(tmp_path, parts, **settings)
