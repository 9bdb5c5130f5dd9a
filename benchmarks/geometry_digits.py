"""Digits of `noneuclid.geometry` by distance from the origin, against 110-digit decimals.

Twenty random points in three dimensions at a distance `radius` from the origin, others `gap` away
from them, and tangent vectors at the first (of length `gap` for `exp_map`). All inputs are float64
numbers of the chart and count as exact. `error` is the largest of

    distance: relative error;
    exp_map: hyperbolic distance of the result from the truth;
    log_map, parallel_transport: hyperbolic length of the difference, relative to the truth;
    hyperplane_distance, busemann: absolute error;

inf where a result is not finite or outside the chart. `law` is eps cosh(radius + gap), in the Klein
ball eps cosh(radius + gap)^2: what the coordinates resolve. Curvature -1.

Run: python benchmarks/geometry_digits.py [PYTHON]; writes geometry_digits.tsv beside it. With the
Python of an environment that has geomstats or geoopt, their functions get the same numbers.
"""

import subprocess
import sys
import tempfile
from decimal import Decimal, DecimalException, localcontext
from pathlib import Path

import numpy as np

from noneuclid import geometry
from noneuclid.errors import InputError
from noneuclid.geometry import charts, public_points

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/helpers"))
import exact_geometry as exact

EPS = np.finfo(float).eps
RADII = (0.0, 1e-6, 0.5, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 28.3, 33.0)
GAPS = (1e-6, 1e-2, 1.0)
IDEAL = np.array([1.0, 2.0, -2.0])
COLUMNS = ("library", "function", "chart", "radius", "gap", "points", "law", "error")


def cases():
    """Inputs by chart, radius and gap, where the chart holds them apart."""
    for chart in charts.HYPERBOLIC:
        for radius in RADII:
            for gap in GAPS:
                law = EPS * np.cosh(radius + gap) ** (2 if chart == "klein" else 1)
                if law > 1e-2 * gap or radius + gap > 0.95 * charts.REACH.get(chart, 350.0):
                    continue
                base, other, v = exact.pairs(radius, gap, n=20)
                x, y = (public_points.from_hyperboloid(p, chart, 1.0) for p in (base, other))
                starts = [exact.from_space(exact.decimals(p[1:])) for p in base]
                pulled = [exact.pulled(p, w, chart) for p, w in zip(starts, v, strict=True)]
                lengths = [float(exact.length(exact.decimals(w))) for w in v]
                vectors = np.array(pulled, dtype=float) / np.array(lengths)[:, None] * gap
                yield (chart, radius, gap), law, (x, y, vectors)


def truths(chart, x, y, v):
    """Exact results of each function, on the hyperboloid."""
    found = {name: [] for name in MEASURES}
    for p, q, w in zip(x, y, v, strict=True):
        a, b, c = exact.lifted(p, chart), exact.lifted(q, chart), exact.pushed(p, w, chart)
        found["distance"].append(exact.distance(a, b))
        found["exp_map"].append(exact.exp_map(a, c))
        found["log_map"].append(exact.log_map(a, b))
        found["parallel_transport"].append(exact.transported(a, b, c))
        found["hyperplane_distance"].append(exact.signed_distance(b, c))
        found["busemann"].append(exact.busemann(b, IDEAL))
    return found


def relative(value, truth, *_):
    return abs(Decimal(float(value)) - truth) / truth


def absolute(value, truth, *_):
    return abs(Decimal(float(value)) - truth)


def apart(value, truth, chart, *_):
    return exact.distance(exact.lifted(value, chart), truth)


def vector_at(place):
    def off(value, truth, chart, x, y):
        found = exact.pushed(x if place == "x" else y, value, chart)
        return exact.length(exact.combine(1, found, -1, truth)) / exact.length(truth)

    return off


MEASURES = {
    "distance": relative,
    "exp_map": apart,
    "log_map": vector_at("x"),
    "parallel_transport": vector_at("y"),
    "hyperplane_distance": absolute,
    "busemann": absolute,
}


def largest(name, values, truth, chart, x, y):
    """Largest error of a function on a case."""
    worst = 0.0
    for value, known, p, q in zip(values, truth, x, y, strict=True):
        try:
            inside = np.isfinite(value).all() and (
                name != "exp_map" or chart not in charts.BALLS or np.linalg.norm(value) < 1
            )
            error = float(MEASURES[name](value, known, chart, p, q)) if inside else np.inf
        except (DecimalException, ZeroDivisionError):
            error = np.inf
        worst = max(worst, error)
    return worst


def own(chart, x, y, v):
    """Results of this library."""
    calls = {
        "distance": (geometry.distance, x, y),
        "exp_map": (geometry.exp_map, x, v),
        "log_map": (geometry.log_map, x, y),
        "parallel_transport": (geometry.parallel_transport, x, y, v),
        "hyperplane_distance": (geometry.hyperplane_distance, y, x, v),
        "busemann": (geometry.busemann, y, IDEAL),
    }
    found = {}
    for name, (function, *arguments) in calls.items():
        try:
            found[name] = function(*arguments, chart=chart)
        except InputError as error:
            print(f"{name} {chart}: {error}")
    return found


def of_others(python, inputs):
    """Results of geomstats and geoopt."""
    if python is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        given, target = Path(folder) / "given.npz", Path(folder) / "found.npz"
        np.savez(given, **inputs)
        script = Path(__file__).with_name("geometry_others.py")
        subprocess.run([python, script, given, target], check=True)
        return dict(np.load(target))


def main():
    python = sys.argv[1] if len(sys.argv) > 1 else None
    lines = []
    with localcontext() as context:
        context.prec = 110
        every = list(cases())
        inputs = {
            f"{'/'.join(map(str, case))}/{part}": array
            for case, _, arrays in every
            for part, array in zip("xyv", arrays, strict=True)
        }
        others = of_others(python, inputs)
        for case, law, (x, y, v) in every:
            chart, known, key = case[0], truths(case[0], x, y, v), "/".join(map(str, case))
            results = {("noneuclid", name): value for name, value in own(chart, x, y, v).items()}
            for label, value in others.items():
                library, name, rest = label.split("/", 2)
                if rest == key:
                    results[library, name] = value
            for (library, name), values in results.items():
                error = largest(name, values, known[name], chart, x, y)
                lines.append((library, name, *case, len(x), law, error))
    lines.sort(key=lambda row: (row[0] != "noneuclid", row[:3], row[3:]))
    text = [[f"{c:.3g}" if isinstance(c, float) else str(c) for c in row] for row in lines]
    path = Path(__file__).with_suffix(".tsv")
    path.write_text("\n".join("\t".join(row) for row in [COLUMNS, *text]) + "\n", encoding="utf-8")
    print(f"{path}: {len(lines)} rows")


if __name__ == "__main__":
    main()
