"""Signatures of product spaces as text, and the factors that they name."""

import math
import re
from collections import Counter
from numbers import Real

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid.geometry.factors import KINDS

SIGNS = {"H": -1, "S": 1, "E": 0}
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_PART = re.compile(
    r"(?P<kind>[HSE])(?P<dimension>[1-9][0-9]{0,7})"
    rf"(?:\((?P<curvature>{_NUMBER})\))?(?:\^(?P<power>[1-9][0-9]{{0,3}}))?"
)
_MEANINGS = "below 0 for H, above 0 for S, 0 for E"


def parse(signature):
    """Kinds with dimensions, and curvatures, such as [("H", 2), ("S", 1)] and [-0.5, 1]."""
    require(
        isinstance(signature, str),
        f"a signature is a text such as 'H2 S2 E1', not {signature!r}",
    )
    parts, curvatures = [], []
    for part in re.split(r"[\s,x×]+", signature.strip()):
        match = _PART.fullmatch(part)
        if not match:
            raise InputError(
                f"{part!r} in the signature {signature!r} is not a factor; give H, S or E and the "
                "dimension, as in 'H2 S2 E1', and a curvature as in 'H2(-0.5)'"
            )
        kind, power = match["kind"], int(match["power"] or 1)
        parts += [(kind, int(match["dimension"]))] * power
        curvatures += [float(match["curvature"] or SIGNS[kind])] * power
    return parts, curvatures


def factors(parts, curvatures, charts):
    """Factors with their columns."""
    curvatures = np.atleast_1d(np.asarray(curvatures, dtype=object))
    legal = "; ".join(f"of {k}{d} {', '.join(KINDS[k].charts)}" for k, d in dict.fromkeys(parts))
    require(
        not isinstance(charts, str),
        f"charts is the text {charts!r}; give a list with one chart for each factor ({legal})",
    )
    charts = [None] * len(parts) if charts is None else list(charts)
    for key, given in (("curvatures", curvatures), ("charts", charts)):
        require(
            len(given) == len(parts),
            f"{len(given)} {key} are given for {len(parts)} factors; give one each",
        )
    counts, used, first, found = Counter(parts), Counter(), 0, []
    for (kind, dimension), curvature, chart in zip(parts, curvatures, charts, strict=True):
        cls, name = KINDS[kind], f"{kind}{dimension}"
        used[name] += 1
        if counts[kind, dimension] > 1:
            name += f"_{used[name]}"
        legal = isinstance(curvature, Real) and math.isfinite(curvature)
        require(
            legal and np.sign(float(curvature)) == SIGNS[kind],
            f"factor {name} has curvature {curvature!r}; give a number {_MEANINGS}",
        )
        chart = cls.default_chart if chart is None else chart
        require(
            chart in cls.charts,
            f"factor {name}: unknown chart {chart!r}; choose one of {', '.join(cls.charts)}",
        )
        found.append(cls(name, dimension, float(curvature), chart, first))
        first += found[-1].width
    return tuple(found)
