"""What the papers add to the comparison; the entry point of the package names this module."""

from noneuclid_compare.plugins import Command
from noneuclid_compare.report.figures.figure_list import Entry
from noneuclid_papers.folders import ROOT

_DATA, _PROGRAMS = "noneuclid_papers.data", "noneuclid_papers.programs"
_ILLUSTRATIONS, _FIGURES = "noneuclid_papers.illustrations", "noneuclid_papers.figures"

LOADERS = {
    name: f"{_DATA}.{name}"
    for name in (
        "chlenski2024_polblogs",
        "chlenski2025_points",
        "cho2019_gaussians",
        "cho2019_networks",
        "cho2019_random_networks",
        "hyperdt_mixtures",
        "network_repository",
        "pan2023_embeddings",
        "poincare_maps",
        "yang2024_points",
    )
}
METHODS = {
    "chlenski2024_generator_tree": f"{_PROGRAMS}.chlenski2024_released.GeneratorTree",
    "chlenski2024_horosphere_forest": f"{_PROGRAMS}.chlenski2024_horospheres.HorosphereForest",
    "chlenski2024_horosphere_tree": f"{_PROGRAMS}.chlenski2024_horospheres.HorosphereTree",
    "chlenski2024_loop_trees": f"{_PROGRAMS}.chlenski2024_loop.LoopTrees",
    "chlenski2024_released_forest": f"{_PROGRAMS}.chlenski2024_released.ReleasedForest",
    "chlenski2024_released_logistic": f"{_PROGRAMS}.chlenski2024_linear.ReleasedLogistic",
    "chlenski2024_released_svm": f"{_PROGRAMS}.chlenski2024_linear.ReleasedSVM",
    "chlenski2024_released_tree": f"{_PROGRAMS}.chlenski2024_released.ReleasedTree",
    "cho2019_released_pgd": f"{_PROGRAMS}.cho2019.ReleasedPGD",
    "yang2024_published_pgd": f"{_PROGRAMS}.yang2024.PublishedPGD",
    "yang2024_released_moment": f"{_PROGRAMS}.yang2024.ReleasedMoment",
    "yang2024_released_pgd": f"{_PROGRAMS}.yang2024.ReleasedPGD",
    "yang2024_released_sdp": f"{_PROGRAMS}.yang2024.ReleasedSDP",
}
ILLUSTRATIONS = {
    name: f"{_ILLUSTRATIONS}.{name}"
    for name in (
        "boundaries",
        "comparison",
        "hyperbolic_trees",
        "network",
        "polygon_balls",
        "polygon_limit",
        "polytopes",
        "reference_points",
        "relative_to",
    )
}
KINDS = {"hyperdt_mixtures": "points", "network_repository": "graph"}
SECTIONS = {
    # Name of a section, and the section of the page that it precedes.
    "noneuclid_papers.sections.paper_claims": "verdict",
    "noneuclid_papers.sections.routes": "moved_points",
    "noneuclid_papers.sections.study": "moved_points",
    "noneuclid_papers.sections.paired_tests": "moved_points",
    "noneuclid_papers.sections.probabilities": "moved_points",
    "noneuclid_papers.sections.certificates": "scale",
    "noneuclid_papers.sections.published": "scale",
}
FIGURES = (
    Entry(
        "differences",
        "noneuclid_papers.stages.study",
        "Study",
        "differences",
        "differences",
        package=_FIGURES,
    ),
    Entry(
        "scatter",
        "noneuclid_papers.stages.study",
        "Study",
        "one method against the other",
        "scatter",
        package=_FIGURES,
    ),
    Entry(
        "bounds",
        "noneuclid_papers.stages.gaps",
        "Certificates",
        "order of the bounds",
        "bounds",
        package=_FIGURES,
    ),
    Entry(
        "hyperplanes",
        "noneuclid_papers.stages.gaps",
        "Certificates",
        "hyperplanes",
        "hyperplanes",
        package=_FIGURES,
    ),
    Entry(
        "reproduced",
        "noneuclid_papers.stages.published",
        "Published results",
        "how many numbers are reproduced",
        "published",
        package=_FIGURES,
    ),
)
COMMANDS = {
    "paper": Command(
        "repeat a paper: from its data to its page",
        "workflow",
        ("snakemake", "jsonschema", "yaml"),
        module="noneuclid_papers.stages.paper",
        options=True,
    )
}
STUDIES = ("study", "routes")
SCORED = ("routes",)
PROGRAMS = tuple(METHODS)
SCHEMA = ROOT / "workflow/config.schema.yaml"
RESOURCES = ROOT / "resources"


def _checks(config):
    """Checks of a configuration; what they need is imported with the first."""
    from noneuclid_papers import checks

    return checks.of(config)


CHECKS = (_checks,)
