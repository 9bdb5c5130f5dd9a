"""What float64 loses near the boundary, chart by chart: conversions there and distances.

Points are drawn at a coordinate 1 - gap of the source ball (of the Poincaré ball, if the source is
none). Results are compared with hundred-digit decimals: a conversion's error is the hyperbolic
distance to the exact image, a distance's error is relative, for points a hundredth apart. `law` is
eps/gap with the gap in the coarser ball of the two; `ratio` is the largest error divided by it.

Run: python benchmarks/boundary_precision.py (seconds); writes boundary_precision.tsv beside it.
"""

from decimal import Decimal, localcontext
from itertools import product
from pathlib import Path

import numpy as np

from noneuclid.geometry import charts, klein, lorentz, poincare

EPS = np.finfo(float).eps
GAPS = 10.0 ** -np.arange(0, 16)
POINTS = 50
MODULES = {"hyperboloid": lorentz, "poincare": poincare, "klein": klein}
COLUMNS = (
    "quantity",
    "source",
    "target",
    "gap",
    "radius",
    "points",
    "law",
    "median",
    "max",
    "ratio",
)


def spatial(x, chart):
    """Exact spatial part on the hyperboloid of a float64 point."""
    v = [Decimal(float(c)) for c in (x[1:] if chart == "hyperboloid" else x)]
    square = sum(c * c for c in v)
    n = square.sqrt()
    if chart == "tangent":
        factor = (n.exp() - (-n).exp()) / (2 * n)
    else:
        factor = {
            "hyperboloid": lambda: Decimal(1),
            "poincare": lambda: 2 / (1 - square),
            "klein": lambda: 1 / (1 - square).sqrt(),
        }[chart]()
    return [factor * c for c in v]


def distance(x, y):
    """Exact distance of two spatial parts."""
    time = ((1 + sum(c * c for c in x)) * (1 + sum(c * c for c in y))).sqrt()
    cosh = max(time - sum(a * b for a, b in zip(x, y, strict=True)), Decimal(1))
    return float((cosh + (cosh * cosh - 1).sqrt()).ln())


def draw(rng, chart, radius):
    """Points of the chart at a distance from the origin, in three dimensions."""
    v = rng.normal(size=(POINTS, 3))
    return charts.convert(v * radius / np.linalg.norm(v, axis=1, keepdims=True), "tangent", chart)


def conversion_errors(rng, source, target, radius):
    x = draw(rng, source, radius)
    y = charts.convert(x, source, target)
    pairs = zip(x, y, strict=True)
    return [distance(spatial(a, source), spatial(b, target)) for a, b in pairs]


def distance_errors(rng, chart, _, radius):
    """Relative errors of the formula, for the floats as given."""
    base = draw(rng, "hyperboloid", radius)
    step = np.einsum(
        "nij,nj->ni", lorentz.boost(base)[..., 1:], 0.01 * rng.normal(size=(POINTS, 3))
    )
    x, y = (charts.convert(p, "hyperboloid", chart) for p in (base, lorentz.exp(base, step)))
    got = MODULES[chart].distance(x, y)
    exact = [distance(spatial(a, chart), spatial(b, chart)) for a, b in zip(x, y, strict=True)]
    return np.abs(got / exact - 1)


def rows():
    """All rows of the table."""
    rng = np.random.default_rng(0)
    conversions = [
        (conversion_errors, *p) for p in product(charts.CHARTS, repeat=2) if p[0] != p[1]
    ]
    for measure, source, target in conversions + [(distance_errors, c, c) for c in MODULES]:
        for gap in GAPS:
            radius = np.arctanh(1 - gap) if source == "klein" else 2 * np.arctanh(1 - gap)
            if radius == 0 or radius > 0.95 * min(charts.REACH[source], charts.REACH[target]):
                continue
            law = EPS / (1 - np.tanh(radius / (1 if "klein" in (source, target) else 2)))
            if measure is distance_errors and law > 1e-3:
                continue  # the points would fall together
            errors = measure(rng, source, target, radius)
            yield (
                measure.__name__.split("_")[0], source, target, gap, radius, POINTS, law,
                np.median(errors), np.max(errors), np.max(errors) / law,
            )  # fmt: skip


def main():
    path = Path(__file__).with_suffix(".tsv")
    with localcontext() as context:
        context.prec = 100
        lines = [
            "\t".join(f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in row)
            for row in rows()
        ]
    path.write_text("\n".join(["\t".join(COLUMNS), *lines]) + "\n", encoding="utf-8")
    print(f"{path}: {len(lines)} rows")


if __name__ == "__main__":
    main()
