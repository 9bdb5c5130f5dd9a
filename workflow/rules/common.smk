"""The checked configuration, and functions that several rule files use. No rule."""

import json
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

# A checkout's own source, also where another copy of the package is installed.
CHECKOUT = Path(str(workflow.current_basedir)).parents[1]
if (CHECKOUT / "src").is_dir():
    sys.path.insert(0, str(CHECKOUT / "src"))

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration, configuration_checks
from noneuclid_compare.jobs import earlier_runs, job_environment
from noneuclid_compare.data import downloads
from noneuclid_compare.jobs import job_resources, locations
from noneuclid_compare import provenance
from noneuclid_compare.monitor import preflight
from noneuclid_compare.config.registry import origin_of, path_of
from noneuclid_compare.report import names
from noneuclid_compare.report.figures import figure_list

ROOT = locations.root()

# Commands name files in results/, which no module and no storage may move.
if workflow.modifier.path_modifier.modify("results") != "results":
    raise WorkflowError(
        "results/ cannot be moved: leave out `prefix:` and --default-storage-provider, "
        "and choose the folder with --directory"
    )

try:
    for path in workflow.configfiles:
        configuration_checks.check_keys(path)
    configuration.check(config, ROOT / "workflow/schemas/config.schema.yaml")
    config.update(configuration.completed(config))
    SOURCES = downloads.read_sources(*locations.tables("sources.tsv"))
    configuration_checks.check_files(config["datasets"], SOURCES)
except InputError as error:
    raise WorkflowError(*(f"configuration: {line}" for line in str(error).splitlines()))

SEED = config["seed"]
DATASETS = config["datasets"]
EMBEDDINGS = config["embeddings"]
METHODS = config["methods"]
ILLUSTRATIONS = config.get("illustrations", {})
# Everything that is trained: (data set, embedding, methods), and the same for each method.
PAIRS = configuration.pairs(config)
TRAINED = [(data, name, method) for data, name, methods in PAIRS for method in methods]
KEEP_MODELS = configuration.keep_models(config)
DRAWN = configuration.drawn_pairs(config)
PINS = provenance.checksum(ROOT / "constraints.txt")

if unknown := earlier_runs.without_records(Path.cwd()):
    print(unknown, file=sys.stderr)
job_environment.prepare_jobs(
    locations.search_path(workflow.deployment_settings.deployment_method), config.get("mirror")
)


wildcard_constraints:
    dataset=configuration.alternatives(DATASETS),
    embedding=configuration.alternatives(EMBEDDINGS),
    method=configuration.alternatives(METHODS),
    illustration=configuration.alternatives(ILLUSTRATIONS) or "(?!)",
    repeat=r"\d+",
    distance=r"[0-9.e+-]+",


def as_json(value):
    """One sorted JSON string, so that equal values give equal parameters."""
    return json.dumps(value, sort_keys=True)


def code(stage, modules=(), **entries):
    """Digest of all that a stage, modules, figures and used entries import, and of the pins."""
    used = [
        origin_of(path_of(entry["use"], kind)) for kind, some in entries.items() for entry in some
    ]
    path = stage if "." in stage else f"noneuclid_compare.stages.{stage}"
    digest = provenance.digest(path, *modules, *figure_list.modules(stage), *used)
    return f"{digest}-{PINS[:8]}"


def embeddings_of(dataset):
    """Entries of the embeddings of a data set, with the seeds of the rule embed."""
    return {
        name: {
            "use": EMBEDDINGS[name]["use"],
            "params": EMBEDDINGS[name].get("params", {}),
            "seed": provenance.seed_for(SEED, dataset, name),
        }
        for name in DATASETS[dataset]["embeddings"]
    }


def page_figures(stage, folder):
    """Figures that a stage writes for the page, as entries of Snakemake's report."""
    found = []
    for entry in figure_list.entries(stage, config["report"]):
        about = {"category": entry.category, "labels": {"figure": entry.title}}
        path, caption = f"{folder}/{entry.name}", f"../report/{entry.caption}.rst"
        # Snakemake's report shows one file of those with the same labels.
        found += [report(f"{path}.svg", caption=caption, **about), f"{path}.png", f"{path}.pdf"]
        if entry.narrow:
            found.append(f"{folder}/{entry.narrow_name}.svg")
    return found


def section(name):
    """An optional section of the configuration; an error names a missing one."""
    if name not in config:
        raise WorkflowError(f"the configuration has no `{name}:`, on which this result depends")
    return config[name]


def points(path):
    """`path` of points; with `keep_points: false` it is deleted after the last job that reads it."""
    return path if config.get("keep_points", True) else temp(path)


def fill(pattern, names):
    """`pattern` filled with each of several tuples of names."""
    return [pattern.format(*each) for each in names]


def run_files(suffix):
    """Every file of the train stage that ends in `suffix`."""
    repeats = range(config["repeats"])
    return [f"results/train/{'/'.join(run)}/{k}.{suffix}" for run in TRAINED for k in repeats]


def resources_for(need):
    """Memory and time limit of a job from a `Need` or a function; they grow with each attempt."""
    first = need if callable(need) else lambda wildcards: need
    return {
        "mem_mb": lambda wildcards, attempt: first(wildcards).memory * 2 ** (attempt - 1),
        "runtime": lambda wildcards, attempt: first(wildcards).minutes * attempt,
    }
