"""Mistakes in the sections of a configuration that the papers add, each in one line."""

from functools import partial

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration, configuration_checks, prediction_kinds
from noneuclid_compare.config.configuration_checks import check_names
from noneuclid_papers import routes
from noneuclid_papers.printed import published, published_entries

_DESCENT = ("loss", "learning_rate", "max_iter", "tol")
# Parameters under `certificates: solvers:` besides `solver` and `max_points`.
SOLVERS = {
    "optimal": ("tol", "max_slices", "conic_solver"),
    "sdp": ("draws", "conic_solver"),
    "moment": ("ball", "conic_solver"),
    "pgd": _DESCENT,
    "published_pgd": _DESCENT,
    "released_pgd": _DESCENT,
}


def of(config):
    """Checks of a configuration; each raises for one mistake."""
    names, methods = partial(partial, check_names), config["methods"]
    study, paired = config.get("study", {}), config.get("paired_tests", {})
    patterns = {f"study/{key}": study.get(key) for key in ("group", "series")}
    patterns["paired_tests/group"] = paired.get("group")
    for place, pattern in patterns.items():
        yield partial(configuration_checks.check_pattern, pattern, place)
    yield names([study[k] for k in ("first", "second") if k in study], methods, "study", "method")
    for name, block in paired.get("blocks", {}).items():
        yield names(block, methods, f"paired_tests/blocks/{name}", "method")
    asked = {"study/metrics": study.get("metrics", [])}
    asked["paired_tests/metric"] = [paired["metric"]] if "metric" in paired else []
    pairs = configuration.pairs(config)
    yield partial(prediction_kinds.check_metrics, config, pairs, asked)
    if "routes" in config:
        yield partial(routes.check, config, pairs)
    printed = config.get("published", {})
    for place, ours in published_entries.methods(printed):
        yield names(ours, methods, place, "method")
    yield partial(published_entries.check, printed, config["datasets"])
    yield partial(published.check_comparisons, printed, pairs)
    if "certificates" in config:
        yield partial(check_certificates, config["certificates"], config["datasets"])


def check_certificates(certificates, datasets):
    """Refuse unknown data sets and parameters, and solvers without exactly one `optimal`."""
    place, solvers = "certificates/solvers", certificates["solvers"]
    check_names(certificates.get("datasets", []), datasets, "certificates/datasets", "data set")
    for name, entry in solvers.items():
        known = ("solver", "max_points", *SOLVERS[entry["solver"]])
        check_names(entry, known, f"{place}/{name}", f"parameter of solver {entry['solver']!r}:")
    exact = [name for name, entry in solvers.items() if entry["solver"] == "optimal"]
    if len(exact) != 1 or "max_points" in solvers[exact[0]]:
        raise InputError(
            f"{place}: give exactly one entry with `solver: optimal`, without `max_points`: the "
            "others are compared with its optimum"
        )
