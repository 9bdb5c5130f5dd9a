"""Your own compositions: sums, zeros, and what is refused."""

import re

import numpy as np
import pytest
from cases import each_of
from own_files import loaded

from noneuclid.errors import InputError
from noneuclid_compare.data.composition import close_composition, units_of
from noneuclid_compare.data.own import array_file

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
    with pytest.raises(
        InputError, match=r"sums to 20, not 1 \(the rows are counts\); set normalize"
    ):
        composition(tmp_path, 20 * PARTS)
    data = composition(tmp_path, 20 * PARTS, normalize=True)
    np.testing.assert_allclose(data.features, PARTS, rtol=1e-15)
    assert data.about["oddities"] == ["Each row was divided by its sum."]


def test_composition_sum_tolerance(tmp_path):
    composition(tmp_path, PARTS * (1 + 5e-7))
    with pytest.raises(InputError, match=r"row 0 sums to 1\.000002"):
        composition(tmp_path, PARTS * (1 + 2e-6))


def test_composition_zeros_need_a_pseudocount(tmp_path):
    counts = np.array([[3, 1, 0], [0, 0, 5], [1, 1, 1]])
    message = r"row 0, column 2: 0 is on the bound.*; set pseudocount: 0\.5 \(3 of 9 parts"
    with pytest.raises(InputError, match=message):
        composition(tmp_path, counts, normalize=True)
    data = composition(tmp_path, counts, normalize=True, pseudocount=0.5)
    np.testing.assert_allclose(data.features[0], [3.5 / 5.5, 1.5 / 5.5, 0.5 / 5.5])
    np.testing.assert_allclose(data.features.sum(axis=1), 1)
    assert data.about["oddities"] == [
        "0.5 was added to every part (3 of 9 were zero), then each row was divided by its sum."
    ]


@pytest.mark.parametrize("total", [1, 100])
def test_zeros_of_closed_rows_are_replaced_and_ratios_kept(tmp_path, total):
    parts = total * np.array([[0.25, 0.75, 0.0], [0.0, 0.0, 1.0], [0.2, 0.3, 0.5]])
    with pytest.raises(InputError, match=r"boundary.*; set multiplicative_replacement: true"):
        composition(tmp_path, parts, normalize=True)
    data = composition(tmp_path, parts, normalize=True, multiplicative_replacement=True)
    delta = 0.65 * 0.2
    expected = [[0.25 * (1 - delta), 0.75 * (1 - delta), delta],
                [delta, delta, 1 - 2 * delta], [0.2, 0.3, 0.5]]  # fmt: skip
    np.testing.assert_allclose(data.features, expected, rtol=1e-14)
    assert data.about["closed"]["multiplicative_replacement"] == pytest.approx(delta)
    assert [text.partition(",")[0] for text in data.about["oddities"]] == [
        "Each row was divided by its sum.",
        "Then 3 of 9 parts",
    ]
    half = composition(tmp_path, parts, normalize=True, multiplicative_replacement=0.5 * delta)
    assert half.features[0, 2] == pytest.approx(0.5 * delta)


@each_of(
    ("parts", "settings", "warned"),
    [
        (PARTS, {"pseudocount": 0.5}, "Warning: pseudocount 0.5 exceeds .* 0.1 .*proportions"),
        (100 * PARTS, {"pseudocount": 20}, "exceeds .* 10 .*percentages"),
        (
            [[3, 9, 1], [1, 0, 7], [2, 2, 2]],
            {"pseudocount": 2},
            "counts.*usual is pseudocount: 0.5",
        ),
        (PARTS * (1 - np.eye(3)), {"multiplicative_replacement": 0.4}, "replacement 0.4 exceeds"),
        (PARTS, {"pseudocount": 0.01}, ""),
        ([[3, 9, 1], [1, 0, 7], [2, 2, 2]], {"pseudocount": 0.5}, ""),
        (PARTS * (1 - np.eye(3)), {"multiplicative_replacement": True}, ""),
    ],
)
def test_an_amount_above_the_smallest_part_is_reported(tmp_path, parts, settings, warned):
    data = composition(tmp_path, parts, normalize=True, **settings)
    found = [text for text in data.about["oddities"] if "Warning" in text]
    assert len(found) == bool(warned)
    assert re.search(warned, " ".join(found))


@each_of(
    ("trained", "new", "pseudocount", "message"),
    [
        ("counts", "proportions", None, "the rows are proportions, and those of training were co"),
        ("proportions", "counts", None, "the rows are counts, and those of training were propor"),
        ("counts", "percentages", 0.5, "the rows are percentages, and those of training were cou"),
        ("counts", "amounts", 0.5, "the rows are amounts, and those of training were counts"),
        ("percentages", "proportions", 0.5, "are proportions, and .* were percentages; give perc"),
        ("percentages", "proportions", None, ""),
        ("percentages", "amounts", None, ""),
        ("amounts", "counts", 0.5, ""),
        ("counts", "counts", 0.5, ""),
    ],
)
def test_new_rows_have_the_units_of_training(trained, new, pseudocount, message):
    rows = {
        "counts": np.array([[3.0, 8.0, 1.0], [20.0, 7.0, 30.0]]),
        "percentages": 100 * PARTS + [0.1, -0.1, 0],
        "proportions": PARTS,
        "amounts": [7, 1, 3] * PARTS,
    }
    assert units_of(rows[trained])[0] == trained
    *_, rule = close_composition(rows[trained], True, pseudocount)
    if message:
        with pytest.raises(InputError, match=message):
            close_composition(rows[new], **rule)
    else:
        close_composition(rows[new], **rule)


def test_units_that_rows_may_have():
    assert units_of(np.array([[60, 40], [30, 70]])) == ["percentages", "counts"]
    assert units_of(np.array([[60, 40], [30, 71]])) == ["counts", "percentages"]
    assert units_of(np.array([[60, 40], [30, 90]])) == ["counts"]
    assert units_of(np.array([[0.6, 0.39], [0.3, 0.7]])) == ["proportions"]
    assert units_of(np.array([[0.6, 0.39], [0.3, 1.7]])) == ["amounts"]


@each_of(
    ("parts", "settings", "message"),
    [
        (-PARTS, {}, r"row 0, column 0: -0.2 is negative; correct it \(9 of 9"),
        (np.ones((3, 1)), {}, "two parts or more"),
        (PARTS, {"polytope": "box"}, "polytope = 'box'; choose one of simplex"),
        (PARTS, {"pseudocount": -1}, "pseudocount = -1"),
        (
            PARTS,
            {"multiplicative_replacement": "yes"},
            "multiplicative_replacement = 'yes'; give a",
        ),
        (PARTS, {"multiplicative_replacement": 0}, "multiplicative_replacement = 0; give a number"),
        (PARTS, {"multiplicative_replacement": True, "pseudocount": 1}, "both replace zeros; give"),
        (PARTS * [0, 0, 0], {"normalize": True}, "row 0 has zeros only; remove it"),
        (
            np.diag([1, 1, 1]),
            {"multiplicative_replacement": 0.5},
            "0.5 for each of 2 zeros of a row leaves nothing",
        ),
    ],
)
def test_composition_refuses(tmp_path, parts, settings, message):
    with pytest.raises(InputError, match=message):
        composition(tmp_path, parts, **settings)
