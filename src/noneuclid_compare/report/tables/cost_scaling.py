"""Time and memory of one fit against the size of the data, with fitted exponents."""

import numpy as np
import pandas as pd
from scipy.stats import t as student

from noneuclid.errors import require
from noneuclid_compare import wording
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import score_tables

COSTS = {"fit_seconds": "time of one fit", "peak_memory_mb": "peak memory of the job (MB)"}
SIZES = {"n": "rows", "d": "dimensions"}
_WORDS = {"fit_seconds": "time", "peak_memory_mb": "memory"}
LEAST = 4  # distinct sizes that an exponent needs


def costs(scores, facts):
    """Mean time and memory of each method on each pair of `facts`, with the size of the data.

    Columns `dataset`, `embedding`, `method`, `n`, `d`, then those of `COSTS`; NaN for an unknown
    cost.
    """
    sizes = pd.DataFrame(
        [
            (c["dataset"]["name"], c["embedding"]["name"], c["dataset"]["n"], c["dimension"])
            for c in facts
        ],
        columns=[*score_tables.PAIR, *SIZES],
    )
    named = scores.assign(method=score_tables.name_methods(scores))
    named = named[named["metric"].isin(list(COSTS))]
    wide = named.pivot_table("value", [*score_tables.PAIR, "method"], "metric").reset_index()
    found = sizes.merge(
        wide.reindex(columns=[*score_tables.PAIR, "method", *COSTS]), on=score_tables.PAIR
    )
    return found.sort_values(["method", "n", "d", *score_tables.PAIR]).reset_index(drop=True)


def exponents(table):
    """Exponents of time and memory in n and d, for each method, from the table of `costs`.

    A size is used if it takes at least `LEAST` values over the data of the method; other properties
    that vary with the data, such as the number of classes, are not corrected for. Columns `method`,
    `pairs`, `sizes` (distinct n), then for each cost and size the exponent, `fit_seconds_n`, and
    the half width of its 95 % interval, `fit_seconds_n_half`; NaN where there are too few sizes.
    """
    return pd.DataFrame([_row(method, part) for method, part in table.groupby("method")])


def _row(method, part):
    row = {"method": method, "pairs": len(part), "sizes": part["n"].nunique()}
    for cost in COSTS:
        known = part[part[cost] > 0]  # neither unknown nor below the clock's resolution
        varied = [size for size in SIZES if known[size].nunique() >= LEAST]
        law = power_law(known[varied], known[cost]) if varied else None
        for size in SIZES:
            at = varied.index(size) if law and size in varied else None
            row[f"{cost}_{size}"] = np.nan if at is None else law[0][at]
            row[f"{cost}_{size}_half"] = np.nan if at is None else law[1][at]
    return row


def section(scores, facts, names=None):
    """Costs at the smallest and the largest data, and exponents, as texts.

    `laws`: names of the exponents that any method has; `rows`, one per method.
    """
    table = costs(scores, facts)
    fitted = exponents(table).set_index("method")
    laws = {f"{c}_{s}": f"exponent of {_WORDS[c]} in {s}" for c in COSTS for s in SIZES}
    laws = {name: words for name, words in laws.items() if fitted[name].notna().any()}
    rows = [
        _texts(part, fitted.loc[method], laws, names or Names())
        for method, part in table.groupby("method")
    ]
    return {"laws": list(laws.values()), "rows": rows, "sizes": table["n"].nunique()}


def _texts(part, fitted, laws, names):
    seconds = part["fit_seconds"].iloc[[0, -1]]
    if part["n"].nunique() == 1:
        seconds = pd.Series([part["fit_seconds"].median()])
    memory = part["peak_memory_mb"].agg(["min", "max"])
    return {
        "method": names.method(fitted.name),
        "identifier": fitted.name,
        "times": " to ".join(dict.fromkeys(map(wording.seconds, seconds))),
        "time_sort": seconds.iloc[-1],
        "memory": " to ".join(dict.fromkeys(wording.number(round(end, 0)) for end in memory)),
        "memory_sort": memory["max"],
        "exponents": [_exponent(fitted, name) for name in laws],
    }


def _exponent(fitted, name):
    if np.isnan(fitted[name]):
        return "–"
    # A rounded zero has no sign.
    return f"{round(fitted[name], 2) + 0.0:.2f} ± {fitted[f'{name}_half']:.2f}".replace("-", "−")


def power_law(factors, cost, level=0.95):
    """Exponents b of cost = c Π factor**b by least squares on logarithms, and half widths, (k,).

    factors (m, k), cost (m,), all > 0. The intervals take deviations from the law as normal and
    independent. None if the factors do not determine b, or no measurement remains to judge it.
    """
    factors, cost = np.asarray(factors, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    require((factors > 0).all() and (cost > 0).all(), "power law: a size or a cost is not positive")
    design = np.column_stack([np.ones(len(cost)), np.log(factors)])
    spare = len(cost) - design.shape[1]
    if spare < 1 or np.linalg.matrix_rank(design) < design.shape[1]:
        return None
    found, *_ = np.linalg.lstsq(design, np.log(cost))
    rest = np.log(cost) - design @ found
    spread = np.linalg.inv(design.T @ design) * (rest @ rest / spare)
    half = student.ppf((1 + level) / 2, spare) * np.sqrt(np.diag(spread))
    return found[1:], half[1:]
