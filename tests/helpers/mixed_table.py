"""A simulated table with numbers, categories, an order, and missing values of each."""

import numpy as np
import pandas

NUMBERS, CATEGORIES, SIZES = ["bill", "mass", "year"], ["island", "sex"], ["S", "M", "L"]
SETTINGS = {
    "label": "species",
    "categories": CATEGORIES,
    "ordered": {"size": SIZES},
    "missing_values": "impute",
}


def mixed(n=120, seed=0):
    """Table of n rows; every column except `year` and `island` has missing values."""
    rng = np.random.default_rng(seed)
    code = rng.integers(3, size=n)
    table = pandas.DataFrame(
        {
            "bill": 40 + 4 * code + rng.normal(0, 3, n).round(2),
            "mass": 3000 + 500 * (code == 2) + rng.normal(0, 400, n).round(),
            "year": 2007 + rng.integers(3, size=n),
            "island": np.where(rng.random(n) < 0.6, code, rng.integers(3, size=n)),
            "sex": rng.choice(["female", "male"], n),
            "size": np.array(SIZES)[np.clip(code + rng.integers(-1, 2, n), 0, 2)],
            "species": np.array(["Adelie", "Chinstrap", "Gentoo"])[code],
        }
    )
    table["island"] = np.array(["Biscoe", "Dream", "Torgersen"])[table["island"]]
    for column, share in {"bill": 0.1, "mass": 0.03, "sex": 0.1, "size": 0.05}.items():
        table.loc[rng.random(n) < share, column] = None
    return table
