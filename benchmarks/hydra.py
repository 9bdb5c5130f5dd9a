"""Seconds that Hydra takes on features, stage by stage, against the number of rows.

Usage: python benchmarks/hydra.py [output.tsv]; prints the table without an argument. The target is
less than 60 seconds for 5,000 rows on one core.
"""

import sys
import time

import numpy as np

from noneuclid.embeddings.distortion import distortion, sample_rows
from noneuclid.embeddings.strain import best_diameter, hydra
from noneuclid.embeddings.target_distances import feature_distances
from noneuclid.geometry import lorentz

SIZES = (500, 1000, 2000, 5000)


def clouds(n, seed=0):
    """Ten Gaussian clouds in 20 dimensions."""
    rng = np.random.default_rng(seed)
    centres = 2.0 * rng.normal(size=(10, 20))
    return centres[rng.integers(0, 10, n)] + rng.normal(size=(n, 20))


def seconds(function, *arguments):
    """Result and wall time of one call."""
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


def row(n):
    """Times of one size."""
    (distances, _), t_distances = seconds(feature_distances, clouds(n), 10)
    scaled = distances * 6.0 / distances.max()
    (points, _), t_hydra = seconds(hydra, scaled, 2)
    _, t_curvature = seconds(best_diameter, distances, 2, 0)
    rows = sample_rows(n, 0)
    embedded = lorentz.pairwise_distances(points[rows], points)
    measured, t_distortion = seconds(distortion, distances[rows], embedded, rows)
    times = (t_distances, t_hydra, t_curvature, t_distortion)
    return [n, *times, sum(times), measured["stress"], measured["spearman"]]


def main(output=None):
    columns = ["n", "distances", "hydra", "curvature", "distortion", "total", "stress", "spearman"]
    lines = ["\t".join(columns)]
    for n in SIZES:
        first, *rest = row(n)
        lines.append("\t".join([str(first), *(f"{value:.3f}" for value in rest)]))
    text = "\n".join(lines) + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        with open(output, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
