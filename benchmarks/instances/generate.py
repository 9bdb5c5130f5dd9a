"""Instances from seeds, equal to the last bit on all machines.

    python benchmarks/instances/generate.py              # checks all checksums
    python benchmarks/instances/generate.py INSTANCE     # prints the rows of one instance

Random numbers are the uniform ones of numpy's generator on PCG64. Everything else is arithmetic of
doubles without sums by a library, or is evaluated in 40 decimal digits and rounded once. The
checksums of instances.tsv refuse what differs. This module does not import noneuclid.
"""

import csv
import hashlib
import inspect
import itertools
import math
import sys
from dataclasses import dataclass
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent
_DIGITS = 40
_FINE, _COARSE = 2.0**-20, 2.0**-12  # grids of standardised columns and of principal components
_PARTS = 2**40  # compositions are multiples of its inverse, so that they sum to one exactly


@dataclass(frozen=True)
class Instance:
    """Rows with signs, and the problem that is posed on them."""

    name: str
    problem: str  # "hyperboloid", "hard" or "soft"
    metric: str  # "hilbert", "funk" or "reverse_funk"; "" on the hyperboloid
    C: float  # nan for hard margins
    points: np.ndarray  # (n, d), spatial parts x' on the hyperboloid, else points of the polytope
    signs: np.ndarray  # (n,), 1.0 or -1.0
    polytope: str = ""  # "simplex", "box" or "cross"
    low: tuple = ()  # corners of a box
    high: tuple = ()

    @property
    def checksum(self):
        """First 16 hexadecimal digits of the SHA-256 of all that defines the problem."""
        head = f"{self.problem} {self.metric} {self.C!r} {self.polytope} {self.points.shape}\n"
        numbers = [self.points, self.signs, np.array(self.low), np.array(self.high)]
        rest = b"".join(np.ascontiguousarray(part, dtype="<f8").tobytes() for part in numbers)
        return hashlib.sha256(head.encode() + rest).hexdigest()[:16]


def read_table(path):
    """Rows of a file of tab-separated values, as dictionaries."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def entries(folder=FOLDER):
    """Rows of instances.tsv by name."""
    return {row["name"]: row for row in read_table(folder / "instances.tsv")}


def load(name, folder=FOLDER):
    """The instance of this name; refuses a wrong checksum."""
    known = entries(folder)
    if name not in known:
        raise ValueError(f"unknown instance {name!r}; known: {', '.join(known)}")
    row = known[name]
    instance = build(row)
    if instance.checksum != row["checksum"]:
        raise ValueError(
            f"instance {name}: checksum {instance.checksum}, not {row['checksum']}; the rows "
            "differ from those that the best known values belong to"
        )
    return instance


def build(row):
    """The instance of a row of instances.tsv, unchecked."""
    generator = GENERATORS[row["generator"]]
    kinds = inspect.get_annotations(generator)
    settings = dict(part.split("=") for part in row["arguments"].split())
    settings = {key: kinds[key](value) for key, value in settings.items()}
    rng = np.random.Generator(np.random.PCG64(int(row["seed"])))
    points, signs, *polytope = generator(rng, **settings)
    C = float(row["C"] or "nan")
    return Instance(row["name"], row["problem"], row["metric"], C, points, signs, *polytope)


def _normals(rng, *shape):
    """Nearly normal numbers: sums of twelve uniform ones."""
    return sum(rng.random((12, *shape))) - 6.0


def _place(directions, radii):
    """Spatial parts of the points at these distances from the origin, each rounded once."""
    points = np.empty(directions.shape)
    with localcontext() as context:
        context.prec = _DIGITS
        for i, (direction, radius) in enumerate(zip(directions, radii, strict=True)):
            numbers = [Decimal(x) for x in direction]
            grown = Decimal(radius).exp()
            length = sum(x * x for x in numbers).sqrt() or Decimal(1)
            points[i] = [float(x * (grown - 1 / grown) / (2 * length)) for x in numbers]
    return points


def centre(rng, n: int, d: int):
    """A small class at the centre of a large one."""
    small = np.arange(n) < n // 6
    u = rng.random(n)
    radii = np.where(small, 0.5 * u, 1.0 + u)
    return _place(_normals(rng, n, d), radii), np.where(small, 1.0, -1.0)


def random_labels(rng, n: int, d: int, reach: float, share: float):
    """Labels without information; a share of them is positive."""
    radii = reach * rng.random(n)
    signs = np.where(rng.random(n) < share, 1.0, -1.0)
    return _place(_normals(rng, n, d), radii), signs


def ball_labels(rng, n: int, d: int, reach: float, share: float):
    """Labels without information in a ball whose volume counts as a Euclidean one: most far out."""
    with localcontext() as context:
        context.prec = _DIGITS
        radii = [float(Decimal(reach) * (Decimal(u).ln() / d).exp()) for u in rng.random(n)]
    signs = np.where(rng.random(n) < share, 1.0, -1.0)
    return _place(_normals(rng, n, d), radii), signs


def halves(rng, n: int, d: int, reach: float, edge: float, flipped: float):
    """Two sides of a hyperplane through the origin, up to `reach`, at least `edge` of it."""
    radii = reach * (edge + (1.0 - edge) * rng.random(n))
    points = _place(_normals(rng, n, d), radii)
    signs = np.where(points[:, 0] > 0.0, 1.0, -1.0)
    return points, np.where(rng.random(n) < flipped, -signs, signs)


def breast_cancer(rng, columns: int):
    """The table of scikit-learn, standardised; all 30 columns, or principal components."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    Z = np.empty(X.shape)
    for column, values in zip(Z.T, X.T, strict=True):
        middle = math.fsum(values) / len(values)
        spread = math.sqrt(math.fsum((x - middle) ** 2 for x in values) / len(values))
        column[:] = np.round((values - middle) / spread / _FINE) * _FINE
    if columns < Z.shape[1]:
        axes = np.linalg.eigh(Z.T @ Z)[1][:, ::-1][:, :columns]
        axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(columns)])
        Z = np.round(Z @ axes / _COARSE) * _COARSE
    lengths = [math.sqrt(math.fsum(x * x for x in row)) for row in Z]
    return _place(Z, lengths), np.where(y > 0, 1.0, -1.0)


def _on_sides(points, scores, share):
    """Rows with scores that are larger than a share of their median size, and their sides."""
    sizes = np.abs(scores)
    kept = sizes > share * np.sort(sizes)[len(sizes) // 2]
    return points[kept], np.where(scores[kept] > 0.0, 1.0, -1.0)


def _weigh(points, u):
    """Points times u, summed from the left."""
    return sum(u[j] * points[:, j] for j in range(len(u)))


def _to_grid(parts):
    """Compositions whose parts are multiples of 2⁻⁴⁰ and sum to one."""
    parts = np.floor(parts * _PARTS) / _PARTS
    parts[:, -1] = 1.0 - sum(parts[:, j] for j in range(parts.shape[1] - 1))
    return parts


def near_facets(rng, polytope: str, n: int, d: int, nearest: float):
    """Rows of two sides of a hyperplane, down to 10^-nearest of a chord from a facet."""
    columns = d + (polytope == "simplex")
    directions, u = _normals(rng, n, columns), _normals(rng, columns)
    exponents = 0.1 + (nearest - 0.1) * rng.random(n)
    points = np.empty((n, columns))
    with localcontext() as context:
        context.prec = _DIGITS
        for i, direction in enumerate(directions):
            step = [Decimal(x) for x in direction]
            if polytope == "simplex":
                step = [x - sum(step) / columns for x in step]
                reach = 1 / (-min(step) * columns)
            elif polytope == "box":
                reach = 1 / (2 * max(abs(x) for x in step))
            else:
                reach = 1 / sum(abs(x) for x in step)
            share = 1 - 1 / (Decimal(exponents[i]) * Decimal(10).ln()).exp()
            middle = {"simplex": Decimal(1) / columns, "box": Decimal("0.5"), "cross": Decimal(0)}
            points[i] = [float(middle[polytope] + x * reach * share) for x in step]
    if polytope == "simplex":
        points, u = _to_grid(points), u - sum(u) / columns
    middle = {"simplex": 1.0 / columns, "box": 0.5, "cross": 0.0}[polytope]
    points, signs = _on_sides(points, _weigh(points - middle, u), 0.5)
    corners = ((0.0,) * d, (1.0,) * d) if polytope == "box" else ((), ())
    return points, signs, polytope, *corners


def wide_box(rng, n: int, d: int, decades: float, gap: float):
    """A box whose widths differ by decades; classes are sides with a gap, or overlap without."""
    widths = [float(f"1e{round(j * decades / (d - 1) - 0.5 * decades)}") for j in range(d)]
    low = tuple(widths[j] * (j % 3 - 1) for j in range(d))
    high = tuple(a + width for a, width in zip(low, widths, strict=True))
    inside, noise = 0.02 + 0.96 * rng.random((n, d)), rng.random(n)
    u = [1.0, -0.5, 0.7, 0.4, -0.6, 0.8][:d]
    points = np.array(low) + inside * widths
    scores = _weigh(inside - 0.5, u)
    if gap > 0.0:
        points, signs = _on_sides(points, scores, gap)
    else:
        signs = np.where(scores + 0.4 * (noise - 0.5) > 0.0, 1.0, -1.0)
    return points, signs, "box", low, high


def compositions(rng, n: int, parts: int, shift: float, spread: float):
    """Two overlapping classes of compositions, apart in the logarithms of two parts."""
    logs, signs = spread * _normals(rng, n, parts), np.where(np.arange(n) % 2, 1.0, -1.0)
    logs[:, 0] += shift * signs
    logs[:, 1] -= shift * signs
    points = np.empty(logs.shape)
    with localcontext() as context:
        context.prec = _DIGITS
        for i, row in enumerate(logs):
            grown = [Decimal(x).exp() for x in row]
            points[i] = [float(x / sum(grown)) for x in grown]
    return _to_grid(points), signs, "simplex"


def cross_halves(rng, n: int, d: int, flipped: float):
    """Two sides of a hyperplane in the cross-polytope, with wrong labels."""
    points = rng.random((n, d)) - 0.5
    sizes = sum(np.abs(points[:, j]) for j in range(d))
    points *= (rng.random(n) / sizes)[:, None]
    signs = np.where(_weigh(points, np.arange(1.0, d + 1.0)) > 0.0, 1.0, -1.0)
    return points, np.where(rng.random(n) < flipped, -signs, signs), "cross"


def facets_of(instance):
    """A, b, E, f of the polytope {x : A x + b >= 0, E x + f = 0}."""
    d = instance.points.shape[1]
    none = np.zeros((0, d)), np.zeros(0)
    if instance.polytope == "simplex":
        return np.eye(d), np.zeros(d), np.ones((1, d)), -np.ones(1)
    if instance.polytope == "box":
        ends = np.r_[np.negative(instance.low), instance.high]
        return np.vstack([np.eye(d), -np.eye(d)]), ends, *none
    A = np.array(list(itertools.product([1.0, -1.0], repeat=d)))
    return A, np.ones(len(A)), *none


GENERATORS = {
    f.__name__: f
    for f in (
        *(centre, random_labels, ball_labels, halves, breast_cancer),
        *(near_facets, wide_box, compositions, cross_halves),
    )
}


def main(names):
    for name in names:
        instance = load(name)
        for sign, row in zip(instance.signs, instance.points, strict=True):
            print(f"{sign:g}", *(repr(float(x)) for x in row), sep="\t")
    if not names:
        for name in entries():
            print(name, load(name).points.shape, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
