"""Conversions between charts, and the check that points are legal.

With curvature -K: `hyperboloid` has d + 1 coordinates, time first; `poincare` and `klein` are balls
of radius 1/sqrt(K); `tangent` is log at the origin, any real vector. A conversion multiplies the
vector by a function of its norm; each of the twelve has its own formula, so that no digit is lost
on a detour. `half_space` is written from and to the hyperboloid.

Precision
---------
float64 resolves a ball coordinate at 1 - r (in units of the radius) to about 1e-16, which is a
hyperbolic distance of 1e-16/(1-r) in units of 1/sqrt(K). At distance R from the origin 1 - r is
about 2 exp(-R) in the Poincaré ball and 2 exp(-2R) in the Klein ball, which has half of the digits
and of the reach: see `REACH`. Tangent and hyperboloid coordinates resolve the radius and the angle
to 1e-16 each, so far points are uncertain sideways only, by as much as in the Poincaré ball. A
conversion moves a point by at most 1.1 eps/(1-r), eps = 2.2e-16, with r measured in the coarser
ball of the two: `benchmarks/boundary_precision.py` measures it against hundred-digit decimals.
"""

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.errors import InputError, require
from noneuclid.geometry import bounded, half_space, lorentz
from noneuclid.geometry.blocks import by_blocks

CHARTS = ("hyperboloid", "poincare", "klein", "tangent")

HYPERBOLIC = (*CHARTS, "half_space")
"""The same, and one for display and comparison, which classifiers do not read."""

COORDINATES = (*HYPERBOLIC, *bounded.BOUNDED)
"""The charts of hyperbolic space, and two polytopes that hold the tangent vectors (`bounded`)."""

TIME_TOLERANCE = 1e-5
"""Legal rows of the hyperboloid have |<x,x>_L + 1/K| <= TIME_TOLERANCE * x0^2.

float32 and six decimals pass; points are read from their spatial part.
"""

REACH = {"hyperboloid": 350.0, "poincare": 35.0, "klein": 17.5, "tangent": np.inf}
"""Distance from the origin, in units of 1/sqrt(K), up to which a chart is written."""

RIM = 1e-6
"""Greatest excess of sqrt(K)*|x| over 1 that float32 leaves by rounding: 8 times its precision."""

SPACE_ONLY = "lorentz_space"
"""What files hold that keep the hyperboloid without its time coordinate: MERU, HyCoCLIP."""

OTHER_NAMES = {
    "lorentz": "hyperboloid",
    "minkowski": "hyperboloid",
    "ball": "poincare",
    "disk": "poincare",
    "poincare_ball": "poincare",
    "poincare_disk": "poincare",
    "beltrami": "klein",
    "half_plane": "half_space",
    "upper_half_space": "half_space",
    "poincare_half_space": "half_space",
    "euclidean": "tangent",
}
"""Names of other libraries and papers for the charts."""

_NAMES = {"poincare": "Poincaré", "klein": "Klein"}
BALLS = tuple(_NAMES)
# Largest float32 below 1: where `project_to_ball` puts points.
_INSIDE = 1.0 - 2.0**-24
_LISTED = 10


def _ratio(function):
    """Function n -> function(n)/n, and 1 at zero."""
    return lambda n: np.where(n == 0, 1.0, function(n) / np.where(n == 0, 1.0, n))


_tanhc, _asinhc, _artanhc = _ratio(np.tanh), _ratio(np.arcsinh), _ratio(np.arctanh)

# Factor by which the vector of scaled norm n is multiplied.
FACTORS = {
    ("tangent", "hyperboloid"): lorentz.sinhc,
    ("tangent", "poincare"): lambda n: _tanhc(n / 2) / 2,
    ("tangent", "klein"): _tanhc,
    ("hyperboloid", "tangent"): _asinhc,
    ("hyperboloid", "poincare"): lambda n: 1 / (1 + np.hypot(1, n)),
    ("hyperboloid", "klein"): lambda n: 1 / np.hypot(1, n),
    ("poincare", "tangent"): lambda n: 2 * _artanhc(n),
    ("poincare", "hyperboloid"): lambda n: 2 / ((1 - n) * (1 + n)),
    ("poincare", "klein"): lambda n: 2 / (1 + n * n),
    ("klein", "tangent"): _artanhc,
    ("klein", "hyperboloid"): lambda n: 1 / np.sqrt((1 - n) * (1 + n)),
    ("klein", "poincare"): lambda n: 1 / (1 + np.sqrt((1 - n) * (1 + n))),
}


def convert(X: ArrayLike, chart_in: str, chart_out: str, curvature: float = 1.0) -> np.ndarray:
    """Write the same points in another chart.

    Points of the hyperboloid are read from their spatial part, even if they stay there: the time
    coordinate is recomputed. `simplex` and `box` hold the tangent vector as log-ratios and as
    logits.

    Parameters
    ----------
    X : array_like, shape (..., d), or (..., d + 1) on the hyperboloid and the simplex
    chart_in, chart_out : str
        "hyperboloid", "poincare", "klein", "tangent", "half_space", "simplex" or "box".
    curvature : float > 0, default=1.0
        K, the space having curvature -K.

    Returns
    -------
    ndarray, shape (..., d), or (..., d + 1) on the hyperboloid and the simplex

    Raises
    ------
    InputError
        If a name is no chart, a point lies outside its ball, or float64 cannot hold a point in the
        chart.

    See Also
    --------
    ChartTransformer : The same as a step of a pipeline.
    noneuclid.project_to_ball : Brings back points that float32 rounded onto the rim.

    Notes
    -----
    O(n d). The formulas are those of Ratcliffe, Foundations of Hyperbolic Manifolds, 2006, chapters
    3, 4 and 6. A point moves by at most 3 eps/(1-r), eps = 2.2e-16, where r is its radius in the
    coarser ball of the two charts (`benchmarks/boundary_precision.tsv`). Points may be 350 from the
    origin, in the Poincaré ball 35 and in the Klein ball 17.5, in units of 1/sqrt(K).

    Examples
    --------
    >>> convert([[0.5, 0.0]], "poincare", "klein")
    array([[0.8, 0. ]])
    >>> convert([[0.5]], "poincare", "hyperboloid")
    array([[1.66666667, 1.33333333]])
    >>> convert([[0.0, 0.6]], "poincare", "half_space")
    array([[0., 4.]])
    """
    _check_arguments(chart_in, curvature)
    _check_arguments(chart_out, curvature)
    X = np.asarray(X, dtype=float)
    require(X.ndim > 0, f"a point needs an array of coordinates, got the number {X}")
    if chart_in in bounded.BOUNDED:
        X = (bounded.from_simplex if chart_in == "simplex" else bounded.from_box)(X)
        chart_in = "tangent"
    elif chart_in == "half_space":
        X, chart_in = half_space.to_hyperboloid(X, curvature), "hyperboloid"
    if chart_out in bounded.BOUNDED:
        X = convert(X, chart_in, "tangent", curvature)
        return (bounded.to_simplex if chart_out == "simplex" else bounded.to_box)(X)
    if chart_out == "half_space":
        X = convert(X, chart_in, "hyperboloid", curvature)
        return half_space.from_hyperboloid(X, curvature)
    norms = scaled_norms(X, chart_in, curvature)
    _check_range(norms, chart_in)
    return _convert_in_range(X, norms, chart_in, chart_out, curvature)


def enter_hyperboloid(X, chart, curvature=1.0, norms=None):
    """`check_points`, then `convert` to the hyperboloid; `scaled_norms` are computed once.

    Examples
    --------
    >>> enter_hyperboloid(np.array([[0.5]]), "poincare")
    array([[1.66666667, 1.33333333]])
    """
    norms = _check_points(X, chart, curvature, norms)
    return _convert_in_range(X, norms, chart, "hyperboloid", curvature)


def _convert_in_range(X, norms, source, target, curvature):
    """X of legal `scaled_norms` in another chart."""
    vectors = X[..., 1:] if source == "hyperboloid" else X
    if source != target:
        _check_reach(norms, source, target, curvature)
    if target != "hyperboloid" or vectors.ndim != 2:
        return _write(vectors, norms, source, target, curvature)
    return by_blocks(
        lambda rows: _write(vectors[rows], norms[rows], source, target, curvature), vectors
    )


def _write(vectors, norms, source, target, curvature):
    """Vectors of these scaled norms in another chart."""
    if source != target:
        vectors = vectors * FACTORS[source, target](norms)[..., None]
    return lorentz.from_spatial(vectors, curvature) if target == "hyperboloid" else vectors


def distance_from_origin(X, chart, curvature=1.0):
    """Hyperbolic distance from the origin of each row: its level in a hierarchy.

    Examples
    --------
    >>> distance_from_origin(np.array([[np.tanh(1.0), 0.0]]), "poincare").round(6)
    array([2.])
    """
    return np.linalg.norm(convert(X, chart, "tangent", curvature), axis=1)


def check_points(X: ArrayLike, chart: str, curvature: float = 1.0) -> None:
    """Raise an error with row, value and remedy unless the rows are legal points of the chart.

    Parameters
    ----------
    X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid and the simplex
    chart : str
        One of `COORDINATES`.
    curvature : float > 0

    Raises
    ------
    InputError
        For an unknown chart, a curvature that is not positive, a wrong shape, a value that is not
        finite, a point on or outside the ball (K |x|^2 >= 1), the simplex, the unit box or the
        half-space, a time coordinate that is not positive or differs from the one of the spatial
        part (`TIME_TOLERANCE`).

    Examples
    --------
    >>> check_points(np.array([[0.5, 0.5]]), "poincare")
    >>> try:
    ...     check_points(np.array([[0.0], [1.2]]), "poincare")
    ... except InputError as error:
    ...     print(str(error).partition(";")[0])
    row 1 lies outside the Poincaré ball: K*|x|^2 = 1.44
    """
    _check_points(np.asarray(X, dtype=float), chart, curvature)


def _check_points(X, chart, curvature, norms=None):
    """`check_points`; returns the `scaled_norms`, None on simplex, box and half-space."""
    _check_arguments(chart, curvature)
    width = 2 if chart in ("hyperboloid", "simplex") else 1
    if X.ndim != 2 or X.shape[1] < width:
        raise InputError(
            f"chart '{chart}' needs a table with at least {width} column(s), got shape {X.shape}"
        )
    norms = scaled_norms(X, chart, curvature) if norms is None else norms
    if not (np.isfinite(norms).all() and np.isfinite(X[:, 0]).all()):
        for row, column in np.argwhere(~np.isfinite(X))[:1]:
            value = "NaN" if np.isnan(X[row, column]) else X[row, column]
            raise InputError(
                f"row {row}, column {column} is {value}; drop the row or fill in the value"
            )
    if chart in bounded.BOUNDED:
        bounded.check_bounded(X, chart)
        return None
    if chart == "half_space":
        half_space.check_positive(X)
        return None
    cure = ""
    if chart in _NAMES and (norms >= 1.0).any() and on_hyperboloid(X, curvature).all():
        cure = "all rows lie on the hyperboloid, so use chart='hyperboloid'"
    _check_range(norms, chart, cure)
    if chart == "hyperboloid":
        _check_hyperboloid(X, curvature)
    return norms


def on_hyperboloid(X, curvature=1.0):
    """Whether each row, of finite numbers, is a point of the hyperboloid; shape (n,).

    Examples
    --------
    >>> on_hyperboloid(np.array([[1.25, 0.75], [-1.25, 0.75], [0.5, 0.5]])).tolist()
    [True, False, False]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        excess = lorentz.product(X, X) + 1 / curvature
        close = np.abs(excess) <= TIME_TOLERANCE * X[:, 0] ** 2
    return close & np.isfinite(excess) & (X[:, 0] > 0) & (X.shape[1] > 1)


def check_reach(X, source, target, curvature=1.0):
    """Raise the error of `convert` for points that float64 cannot hold in the target chart.

    Examples
    --------
    >>> check_reach(np.array([[30.0]]), "tangent", "poincare")
    """
    if source != target:
        _check_reach(scaled_norms(X, source, curvature), source, target, curvature)


def scaled_norms(X, chart, curvature):
    """sqrt(K) * |x|, on the hyperboloid of the spatial part; inf where the square overflows."""
    return _scaled_norm(X[..., 1:] if chart == "hyperboloid" else X, curvature)


def _scaled_norm(vectors, curvature):
    """sqrt(K) * |x|; inf where the square overflows."""
    with np.errstate(over="ignore"):
        norms = np.asarray(np.einsum("...i,...i->...", vectors, vectors))
        np.sqrt(norms, out=norms)
        return np.multiply(norms, np.sqrt(curvature), out=norms)


def called(chart):
    """Name of a chart that another library calls differently; empty if there is none.

    Examples
    --------
    >>> called("Lorentz"), called("poincaré"), called("sphere")
    ('hyperboloid', 'poincare', '')
    """
    name = str(chart).lower().replace("é", "e").replace("-", "_").replace(" ", "_")
    return OTHER_NAMES.get(name, name if name in COORDINATES else "")


def _check_arguments(chart, curvature):
    """Refuse an unknown chart and a curvature that is not a positive number."""
    if chart not in COORDINATES:
        name = called(chart)
        cure = f"give {name!r}" if name else f"choose one of {', '.join(COORDINATES)}"
        raise InputError(f"unknown chart {chart!r}; {cure}")
    number = np.ndim(curvature) == 0 and np.asarray(curvature).dtype.kind in "fiu"
    if not (number and np.isfinite(curvature) and curvature > 0):
        negative = number and -np.inf < curvature < 0
        cure = f": curvature={-curvature}" if negative else ""
        raise InputError(
            f"curvature is {curvature}; give K > 0, the space having curvature -K{cure}"
        )


def _edge(chart):
    """Scaled norm that points stay below: 1 in a ball, elsewhere only finite."""
    return 1.0 if chart in _NAMES else np.inf


def _check_range(norms, chart, cure=""):
    """Refuse points on or outside the ball, and norms that overflow."""
    outside = np.flatnonzero(~(norms < _edge(chart)))
    if not outside.size:
        return
    row, found = outside[0], norms.flat[outside]
    require(not np.isnan(found[0]), f"row {row} has the value NaN; drop the row or fill it in")
    if chart not in _NAMES:
        raise InputError(
            f"row {row} lies out of float64's range: its square overflows; divide all coordinates"
        )
    others = ""
    if outside.size > 1:
        listed = ", ".join(map(str, outside[1 : _LISTED + 1]))
        listed += ", ..." if outside.size > _LISTED + 1 else ""
        others = f" (and {outside.size - 1} more of {norms.size} rows: {listed}; at most "
        others += f"{_square(found.max())})"
    raise InputError(
        f"row {row} lies outside the {_NAMES[chart]} ball: K*|x|^2 = {_square(found[0])}{others}; "
        f"{cure or _cure_outside(norms, chart)}"
    )


def _square(norm):
    """Square of a scaled norm of at least 1, with the digits of its excess over 1."""
    excess = (norm - 1.0) * (norm + 1.0)
    if excess == 0.0:
        return "1, on the rim"
    return f"1 + {excess:.3g}" if excess < 1e-3 else f"{norm**2:.6g}"


def _cure_outside(norms, chart):
    """What to do about scaled norms of which some are at least 1."""
    if norms.max() <= 1.0 + RIM:
        return (
            "float32 rounds points at the rim so: noneuclid.project_to_ball(X, "
            f"{chart!r}), or project_to_ball: true of a data file, brings them back inside"
        )
    if 2 * np.count_nonzero(norms >= 1.0) < norms.size:
        return "correct or remove these rows, or check curvature"
    return "use chart='tangent' or rescale"


def project_to_ball(
    X: ArrayLike, chart: str = "poincare", curvature: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Bring rows that float32 rounded onto or over the rim back inside the ball.

    Training in float32 leaves points whose norm is 1 or a few 1e-7 more, in units of the radius.
    They get the norm 1 - 2^-24, the largest float32 below 1, and keep their direction: in the
    Poincaré ball they are then 17.3/sqrt(K) from the origin, in the Klein ball 8.7/sqrt(K). All
    other rows are unchanged.

    Parameters
    ----------
    X : array_like, shape (n, d)
    chart : {"poincare", "klein"}, default="poincare"
    curvature : float > 0, default=1.0

    Returns
    -------
    X : ndarray of float64, shape (n, d)
    rows : ndarray of int, shape (m,)
        The rows that were brought inside, for your records.

    Raises
    ------
    InputError
        If a row lies farther out than rounding explains: K*|x|^2 > (1 + `RIM`)^2.

    Examples
    --------
    >>> X, rows = project_to_ball([[0.5, 0.0], [1.0000002, 0.0]])
    >>> rows, bool(X[1, 0] < 1)
    (array([1]), True)
    """
    _check_arguments(chart, curvature)
    if chart not in _NAMES:
        raise InputError(f"project_to_ball: chart {chart!r} is no ball; give 'poincare' or 'klein'")
    X = np.array(X, dtype=float, ndmin=2)
    norms = _scaled_norm(X, curvature)
    rows = np.flatnonzero(norms >= 1.0)
    far = np.where(norms > 1.0 + RIM, norms, 0.0)
    _check_range(far, chart, "farther out than float32 rounds: correct or remove these rows")
    X[rows] *= (_INSIDE / norms[rows])[:, None]
    return X, rows


def _check_reach(norms, source, target, curvature):
    """Refuse points so far out that float64 would round them onto the target's edge."""
    radius = norms * FACTORS.get((source, "tangent"), np.ones_like)(norms)
    lost = np.flatnonzero(radius > REACH[target])
    if lost.size:
        # A classifier computes on the hyperboloid whatever its chart: only nearer points help.
        cure = f"keep chart='{source}'"
        if target == "hyperboloid":
            factor = np.ceil(10 * radius.max() / REACH[target]) / 10
            cure = f"divide all coordinates by {factor:g} or more, or standardise the columns"
        raise InputError(
            f"row {lost[0]} is {radius.flat[lost[0]] / np.sqrt(curvature):.6g} from the origin, "
            f"beyond the {REACH[target] / np.sqrt(curvature):.6g} that float64 holds in chart "
            f"'{target}'; {cure}"
        )


def _check_hyperboloid(X, curvature):
    """Refuse time coordinates that are not positive or do not fit the spatial part."""
    wrong = np.flatnonzero(~on_hyperboloid(X, curvature))
    if not wrong.size:
        return
    row = wrong[0]
    found = f"is off the hyperboloid: <x,x>_L = {lorentz.product(X[row], X[row]):.6g}, not -1/K = "
    found += f"{-1 / curvature:.6g}"
    if not X[row, 0] > 0:
        found = f"has time coordinate {X[row, 0]:.6g}, which must be positive"
    cure = "put time first, recompute x0 = sqrt(1/K + |x|^2), check curvature, or use "
    cure += "chart='tangent' for measurements"
    if (_scaled_norm(X, curvature) < 1.0).all():
        # Points of the hyperboloid have x0 >= 1/sqrt(K).
        cure = "all rows lie in the ball, so use chart='poincare' or 'klein'"
    raise InputError(f"row {row} {found}; {cure}")
