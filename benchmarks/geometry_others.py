"""The functions of `geometry_digits` in geomstats and geoopt, on given points; no noneuclid here.

Run by geometry_digits.py with the Python of an environment that has one of them.
"""

import sys

import numpy as np

WIDTHS = {"hyperboloid": 1}


def geomstats_functions(chart, d):
    """Functions by name."""
    from geomstats.geometry.hyperboloid import Hyperboloid
    from geomstats.geometry.poincare_ball import PoincareBall
    from geomstats.geometry.poincare_half_space import PoincareHalfSpace

    spaces = {
        "poincare": PoincareBall,
        "hyperboloid": Hyperboloid,
        "half_space": PoincareHalfSpace,
    }
    metric = spaces[chart](d).metric
    return {
        "distance": metric.dist,
        "exp_map": lambda x, v: metric.exp(v, base_point=x),
        "log_map": lambda x, y: metric.log(y, base_point=x),
        "parallel_transport": lambda x, y, v: metric.parallel_transport(v, x, end_point=y),
    }


def geoopt_functions(chart, d):
    """Functions by name."""
    import geoopt
    import torch

    spaces = {"poincare": lambda: geoopt.PoincareBall(c=1.0), "hyperboloid": geoopt.Lorentz}
    space = spaces[chart]()

    def on_arrays(function):
        return lambda *arrays: function(*map(torch.as_tensor, arrays)).numpy()

    found = {
        "distance": on_arrays(space.dist),
        "exp_map": on_arrays(space.expmap),
        "log_map": on_arrays(space.logmap),
        "parallel_transport": on_arrays(space.transp),
    }
    if chart == "poincare":
        found["hyperplane_distance"] = on_arrays(
            lambda x, p, w: space.dist2plane(x, p, w, signed=True)
        )
    return found


LIBRARIES = {"geomstats": geomstats_functions, "geoopt": geoopt_functions}


def main():
    points, target = sys.argv[1:]
    given, results = dict(np.load(points)), {}
    for library, functions in LIBRARIES.items():
        try:
            __import__(library)
        except ModuleNotFoundError:
            continue
        for key in [key for key in given if key.endswith("/x")]:
            case = key.removesuffix("/x")
            chart = case.split("/")[0]
            x, y, v = (given[f"{case}/{part}"] for part in "xyv")
            inputs = {
                "distance": (x, y), "exp_map": (x, v), "log_map": (x, y),
                "parallel_transport": (x, y, v), "hyperplane_distance": (y, x, v),
            }  # fmt: skip
            try:
                known = functions(chart, x.shape[1] - WIDTHS.get(chart, 0))
            except KeyError:
                continue
            for name, function in known.items():
                try:
                    results[f"{library}/{name}/{case}"] = np.asarray(function(*inputs[name]))
                except (NotImplementedError, AttributeError, ValueError) as error:
                    print(f"{library} {name} {case}: {type(error).__name__}: {error}"[:200])
    np.savez(target, **results)


if __name__ == "__main__":
    main()
