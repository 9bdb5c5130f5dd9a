"""Hyperbolic multidimensional scaling: Hydra, then least stress by descent."""

from dataclasses import replace

from noneuclid.contracts import with_parameters_of
from noneuclid.embeddings import hydra
from noneuclid.embeddings.descent import descend, jitter
from noneuclid.embeddings.distortion import distortion, sample_rows
from noneuclid.embeddings.stress import relative_stress
from noneuclid.errors import require_number
from noneuclid.geometry import lorentz

_JITTER = 1e-3


def refine(points, wanted, *, power=0.0, tolerance=1e-4, max_iterations=1000, seed=0, **options):
    """Lower the stress of points against wanted distances.

    Minimises sum_ij w_ij (d_ij - wanted_ij)^2 over all places in hyperbolic space at once, as the
    stress version of Hydra does [1]_, from the given points moved apart by a thousandth of a unit
    (two points in one place would never part).

    The result's value is never more than the stress of `points`. Units are hyperbolic.
    Shapes: `points` (n, d + 1), `wanted` (n, n).

    References
    ----------
    .. [1] M. Keller-Ressel and S. Nargang, Hydra: a method for strain-minimizing hyperbolic
       embedding of network- and distance-based data, Journal of Complex Networks 8(1), 2020,
       cnaa002, arXiv:1903.08977, section on Hydra+.
    """
    objective = relative_stress(wanted, power)
    found = descend(
        objective,
        jitter(points, _JITTER, seed),
        tolerance=tolerance,
        max_iterations=max_iterations,
        **options,
    )
    before = float(objective(points)[0])
    return found if found.value <= before else replace(found, points=points, value=before)


@with_parameters_of(hydra.embed)
def embed(dataset, seed, *, power=0.0, tolerance=1e-4, max_iterations=1000, **options):
    """Embed a graph or a cloud of features by Hydra and lower the stress from there.

    Distances, unit of length and start are those of `hydra.embed`. Reads no labels, but sees all
    rows: transductive.

    Parameters
    ----------
    dataset : Dataset
        Kind `graph`, or any kind with features but `points`.
    power : float
        In [-2, 0], the exponent of the weights.
    tolerance : float
        The relative fall of the stress over 50 iterations at which to stop.
    **options
        Parameters of `hydra.embed`.

    Returns
    -------
    Embedded
        On the hyperboloid of curvature -1. `about["embedding"]` keeps what `hydra.embed` does, and
        `hydra_stress`, `refined_stress` (sum of w (d - wanted)^2 by that of w wanted^2, before and
        after), `iterations`, `status`, `last_fall`.

    Raises
    ------
    InputError
        As `hydra.embed`, and if a setting above is out of range.

    Examples
    --------
    >>> from noneuclid.datasets.shipped import karate
    >>> about = embed(karate.load({}, 0), 0).about["embedding"]
    >>> about["refined_stress"] < about["hydra_stress"]
    True
    """
    own = {"power": power, "tolerance": tolerance, "max_iterations": max_iterations}
    require_number(power, "power", "refined_hydra", low=-2.0, high=0.0)
    require_number(tolerance, "tolerance", "refined_hydra", low=0.0)
    require_number(max_iterations, "max_iterations", "refined_hydra", low=1, integer=True)
    start = hydra.embed(dataset, seed, **options)
    about = start.about["embedding"]
    distances, _ = hydra.source_distances(dataset, about["settings"], seed)
    wanted = distances * (about["diameter"] / distances.max())
    found = refine(start.points, wanted, seed=seed, progress="refined_hydra", **own)
    rows = sample_rows(len(wanted), seed)
    joined = hydra.adjacency(dataset)[rows] if dataset.kind == "graph" else None
    embedded = lorentz.pairwise_distances(found.points[rows], found.points)
    about = about | {
        "name": "refined_hydra",
        "settings": about["settings"] | own,
        "hydra_stress": float(relative_stress(wanted, power)(start.points)[0]),
        "refined_stress": found.value,
        "iterations": found.iterations,
        "status": found.status,
        "last_fall": found.fall,
        "distortion": distortion(wanted[rows], embedded, rows, joined),
    }
    return replace(start, points=found.points, about={"embedding": about})
