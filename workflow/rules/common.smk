"""Configuration, names and helper functions. No rule."""

import json
import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path

from snakemake.exceptions import WorkflowError

ROOT = Path(workflow.basedir)

# This repository's own source, also where another copy of the package is installed.
sys.path.insert(0, str(ROOT / "src"))

from noneuclid.errors import InputError
from noneuclid.experiment import configuration, costs, dataset_sizes, earlier_runs, io
from noneuclid.experiment import (
    job_environment,
    job_resources,
    preflight,
    provenance,
    sources,
    validation,
)
from noneuclid.reporting.figures import figure_list

try:
    for path in workflow.configfiles:
        validation.check_keys(path)
    configuration.check(config, ROOT / "workflow/schemas/config.schema.yaml")
    config.update(configuration.expanded(config))
    SOURCES = sources.read_sources(ROOT / "resources/sources.tsv")
    LAWS = costs.read_laws(ROOT / "resources/costs.tsv")
    SIZES = dataset_sizes.read_sizes(ROOT / "resources/sizes.tsv")
    validation.check_files(config["datasets"], SOURCES)
except InputError as error:
    raise WorkflowError(*(f"configuration: {line}" for line in str(error).splitlines()))
PAIRS = configuration.pairs(config)
EXPECTED = {
    (data, name): dataset_sizes.expected(config, data, name, SIZES) for data, name, _ in PAIRS
}
for doubt in dataset_sizes.doubts(config, EXPECTED):
    print(f"note: {doubt}", file=sys.stderr)
if unknown := earlier_runs.without_records(Path.cwd()):
    print(unknown, file=sys.stderr)
job_environment.prepare_jobs(ROOT / "src", config.get("mirror"))

SEED = config["seed"]
DATASETS = config["datasets"]
EMBEDDINGS = config["embeddings"]
METHODS = config["methods"]
ILLUSTRATIONS = config.get("illustrations", {})
PINS = provenance.checksum(ROOT / "constraints.txt")


wildcard_constraints:
    dataset=configuration.alternatives(DATASETS),
    embedding=configuration.alternatives(EMBEDDINGS),
    method=configuration.alternatives(METHODS),
    illustration=configuration.alternatives(ILLUSTRATIONS) or "(?!)",
    repeat=r"\d+",


def as_json(value):
    """One sorted JSON string, so that the same settings are the same parameter."""
    return json.dumps(value, sort_keys=True)


def code(*modules):
    """Digest of everything the modules can import, and of the pinned versions."""
    return f"{provenance.digest(*modules)}-{PINS[:8]}"


# Memory doubles and time grows with each further attempt.


def memory(needed):
    """Memory of a job: megabytes, or a function of the wildcards that gives its need."""
    return lambda wildcards, attempt: first(needed, wildcards, 0) * 2 ** (attempt - 1)


def minutes(needed):
    """Time limit of a job: minutes, or a function of the wildcards that gives its need."""
    return lambda wildcards, attempt: first(needed, wildcards, 1) * attempt


def first(needed, wildcards, place):
    """What the first attempt asks for."""
    return needed(wildcards)[place] if callable(needed) else needed


def size_of(wildcards):
    """Size of the embedded data: as it is, else as it is expected to be, else None."""
    names = wildcards.dataset, wildcards.embedding
    found = job_resources.size_of("results/embed/{}/{}.npz".format(*names))
    return found or EXPECTED.get(names)


def train_need(wildcards):
    names = wildcards.method, wildcards.dataset
    return job_resources.train(config, LAWS, *names, size_of(wildcards))


def acquire_need(wildcards):
    settings = DATASETS[wildcards.dataset].get("settings", {})
    return job_resources.acquire(files_of(wildcards).values(), settings, loader(wildcards))


def embed_need(wildcards):
    path = f"results/acquire/{wildcards.dataset}.npz"
    return job_resources.embed(LAWS, embedding_module(wildcards), path)


def train_group(wildcards):
    """Small fits on one data set share a job where jobs are submitted; a long one stays alone."""
    names = wildcards.method, wildcards.dataset
    if job_resources.is_small(config, LAWS, *names, size_of(wildcards)):
        return f"fits_{wildcards.dataset}"
    return "_".join(["fit", wildcards.dataset, wildcards.embedding, wildcards.method])


# acquire


def source_checksum(wildcards):
    return SOURCES[wildcards.path].sha256


def files_of(wildcards):
    """Role to path: a file of the table of sources is fetched, any other is the user's own."""
    files = DATASETS[wildcards.dataset].get("files", {})
    return {
        role: f"resources/data/{path}" if path in SOURCES else path for role, path in files.items()
    }


def non_commercial():
    """Data sets with a file that is not licensed for commercial use."""
    return [
        name
        for name, dataset in DATASETS.items()
        for path in dataset.get("files", {}).values()
        if path in SOURCES and "non-commercial" in SOURCES[path].licence
    ]


def check_folders():
    """Refuse a run whose results cannot be written or are written to, or without its mirror."""
    paths = [path for dataset in DATASETS.values() for path in dataset.get("files", {}).values()]
    fetched = [Path("resources/data") / path for path in paths if path in SOURCES]
    try:
        preflight.check_writable(["results/any", *(path for path in fetched if not path.exists())])
        earlier_runs.check_queue(Path.cwd())
        sources.check_mirror(os.environ.get("NONEUCLID_MIRROR"))
    except InputError as error:
        raise WorkflowError(str(error))


def lift_rate_limit():
    """Drop the default limit of jobs that start in a second, unless the user has set another.

    With one Snakemake looks at all waiting jobs once a second for every job that has ended: after
    200 jobs this takes 40 % of a core. --jobs and --cores limit them anyway.
    """
    limit = workflow.scheduler.job_rate_limiter
    if limit is not None and (limit.max_jobs, limit.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


def load_libraries():
    """Load the libraries once for all jobs, if they run on this machine and by this Python."""
    global forking  # as long as its standard input is open
    if workflow.local_exec and not workflow.deployment_settings.deployment_method:
        with suppress(OSError):
            forking = job_environment.start_fork_server()


def files_argument(wildcards):
    return as_json(files_of(wildcards))


def checksums_argument(wildcards):
    """Role to sha256, for an older date hides other content from Snakemake."""
    files = DATASETS[wildcards.dataset].get("files", {})
    given = {role: path for role, path in files.items() if not path.startswith(mistakes.MADE)}
    return as_json(sources.checksums(given, SOURCES))


def loader(wildcards):
    return DATASETS[wildcards.dataset]["loader"]


def dataset_settings(wildcards):
    return as_json(DATASETS[wildcards.dataset].get("settings", {}))


def dataset_seed(wildcards):
    return provenance.seed_for(SEED, wildcards.dataset)


def acquire_code(wildcards):
    return code("noneuclid.stages.acquire", loader(wildcards))


# embed


def embedding_module(wildcards):
    return EMBEDDINGS[wildcards.embedding]["module"]


def embedding_settings(wildcards):
    return as_json(EMBEDDINGS[wildcards.embedding].get("settings", {}))


def embed_seed(wildcards):
    return provenance.seed_for(SEED, wildcards.dataset, wildcards.embedding)


def embed_code(wildcards):
    return code("noneuclid.stages.embed", embedding_module(wildcards))


# split


def split_settings(wildcards):
    return as_json(configuration.split_of(config, wildcards.dataset))


def split_code(wildcards):
    return code("noneuclid.stages.split")


# train


def method_settings(wildcards):
    return as_json(configuration.method_of(config, wildcards.method))


def repeat_of(wildcards):
    return getattr(wildcards, "repeat", "0")


def kept_arguments(wildcards):
    """Arguments for keeping a model; a job of a later repeat keeps none."""
    if "repeat" in wildcards.keys():
        return ""
    model = f"results/models/{wildcards.dataset}/{wildcards.embedding}/{wildcards.method}.skops"
    return f"--model {model} --map results/map/{wildcards.dataset}/{wildcards.embedding}.npz"


def train_seed(wildcards):
    names = wildcards.dataset, wildcards.embedding, wildcards.method
    return provenance.seed_for(SEED, *names, repeat_of(wildcards))


def train_code(wildcards):
    return method_code(wildcards.method)


def method_code(method):
    return code("noneuclid.stages.train", METHODS[method]["class"].rpartition(".")[0])


# evaluate, draw, report


def plan(wildcards):
    return as_json({"pairs": PAIRS, "repeats": config["repeats"], "drawn": DRAWN})


def run_files(suffix):
    """Every file of the train stage that ends in `suffix`."""
    return [
        f"results/train/{dataset}/{embedding}/{method}/{repeat}.{suffix}"
        for dataset, embedding, methods in PAIRS
        for method in methods
        for repeat in range(config["repeats"])
    ]


def evaluate_code(wildcards):
    return code("noneuclid.stages.evaluate")


def methods_of(wildcards):
    return configuration.methods_of(config, wildcards.dataset)


def model_files(wildcards):
    return [
        f"results/models/{wildcards.dataset}/{wildcards.embedding}/{method}.skops"
        for method in methods_of(wildcards)
    ]


def first_predictions(wildcards):
    return [
        f"results/train/{wildcards.dataset}/{wildcards.embedding}/{method}/0.npz"
        for method in methods_of(wildcards)
    ]


def draw_methods(wildcards):
    return as_json({method: METHODS[method]["class"] for method in methods_of(wildcards)})


def draw_code(wildcards):
    classes = [METHODS[method]["class"].rpartition(".")[0] for method in methods_of(wildcards)]
    return code("noneuclid.stages.draw", *classes)


def study_options(wildcards):
    """Command line of the study stage: what `study:` says, by the report's metric if by none."""
    if "study" not in config:
        raise WorkflowError("the configuration has no `study:` with two methods to compare")
    options = {"metrics": [config["report"]["metric"]], **config["study"]}
    options["metric"] = options.pop("metrics")
    # With `=` a pattern may begin with a dash.
    words = [
        [f"--{key}={v}"] if isinstance(v, str) else [f"--{key}", *v] for key, v in options.items()
    ]
    return shlex.join(sum(words, []))


def study_code(wildcards):
    return code("noneuclid.stages.study", *figure_list.modules("study"))


def paired_tests_settings(wildcards):
    if "paired_tests" not in config:
        raise WorkflowError("the configuration has no `paired_tests:`")
    # Not sorted: methods stand in the order of the configuration.
    return json.dumps({"metric": config["report"]["metric"], **config["paired_tests"]})


def paired_tests_code(wildcards):
    return code("noneuclid.stages.paired_tests")


def groups_of_data(wildcards):
    return as_json({name: data["group"] for name, data in DATASETS.items() if "group" in data})


def published_settings(wildcards):
    if "published" not in config:
        raise WorkflowError("the configuration has no `published:`")
    return as_json(config["published"])


def published_file(wildcards):
    """The paper's numbers, if the configuration repeats one."""
    paper = config.get("published", {}).get("paper")
    return str(ROOT / f"resources/published/{paper}.tsv") if paper else []


def kept_cells(wildcards):
    """Comparisons with other papers that are kept from their own runs."""
    papers = config.get("published", {}).get("kept", [])
    return [str(ROOT / f"resources/reproduced/{paper}.tsv") for paper in papers]


def kept_imitations(wildcards):
    """Faults of papers imitated in their own runs."""
    kept = "kept" in config.get("published", {})
    return str(ROOT / "resources/reproduced/imitations.tsv") if kept else []


def published_code(wildcards):
    return code("noneuclid.stages.published", *figure_list.modules("published"))


def published_files():
    """What the page shows of papers."""
    if "published" not in config:
        return []
    return ["results/published/section.json", *drawn_figures("published")]


def certify_settings(wildcards):
    return as_json(configuration.certify_settings(config))


def certify_seed(wildcards):
    return provenance.seed_for(SEED, wildcards.dataset, wildcards.embedding, "certify")


def certify_code(wildcards):
    return code("noneuclid.stages.certify")


def gaps_code(wildcards):
    return code("noneuclid.stages.gaps", *figure_list.modules("gaps"))


def report_code(wildcards):
    templates = provenance.digest_of_files(ROOT / "src/noneuclid/reporting/templates")
    return f"{code('noneuclid.stages.report', *figure_list.modules())}-{templates}"


def current_codes(wildcards):
    """Digest of the present code of each method, to mark results of older code."""
    return as_json({method: method_code(method) for method in METHODS})


DRAWN = configuration.drawn_pairs(config)
CERTIFIED = configuration.certified_pairs(config)
FORMATS = ("png", "svg", "pdf")


def pair_files(pattern):
    """`pattern` filled with the names of every drawn (data set, embedding)."""
    return [pattern.format(dataset, embedding) for dataset, embedding in DRAWN]


def disk_figures():
    return [
        f"results/report/figures/disk/{dataset}/{embedding}.{suffix}"
        for dataset, embedding in DRAWN
        for suffix in FORMATS
    ]


def kept_models():
    return [
        f"results/models/{dataset}/{embedding}/{method}.skops"
        for dataset, embedding, methods in PAIRS
        for method in methods
    ]


def drawn_predictions():
    """Predictions of the first repeat on the drawn pairs, whose calibration the page shows."""
    methods = {(dataset, embedding): names for dataset, embedding, names in PAIRS}
    return [
        f"results/train/{dataset}/{embedding}/{method}/0.npz"
        for dataset, embedding in DRAWN
        for method in methods[dataset, embedding]
    ]


def split_files():
    """Folds of the first repeat, which the cards describe."""
    return [f"results/split/{dataset}/0.npz" for dataset in dict(DRAWN)]


def page_figures(stage, folder):
    """Figures that a stage writes for the page."""
    found = []
    for entry in figure_list.entries(stage, config["report"]):
        files = [f"{folder}/{entry.name}.{suffix}" for suffix in FORMATS]
        labels, text = {"figure": entry.title}, f"../report/{figure_text(entry.name)}.rst"
        found += report(files, caption=text, category=entry.category, labels=labels)
    return found


def figure_text(figure):
    """Text of a figure in Snakemake's report."""
    return figure if (ROOT / f"workflow/report/{figure}.rst").is_file() else "figure"


def drawn_figures(stage):
    """Figures of another stage that the page shows."""
    return [f"results/{stage}/{entry.name}.svg" for entry in figure_list.entries(stage)]


# Functions of the wildcards, for Snakemake would fill in the braces of a text.
def report_title(wildcards):
    return config["report"]["title"]


def report_note(wildcards):
    return config["report"].get("note", "")


def sweep_argument(wildcards):
    """Command line of the report for a sweep."""
    sweep = config["report"].get("sweep")
    if sweep is None:
        return ""
    return shlex.join(["--sweep", as_json({"pattern": sweep} if isinstance(sweep, str) else sweep)])


def illustration_files(wildcards, kind, pattern):
    """Results that a section of figures reads, of one kind."""
    return [pattern.format(name) for name in ILLUSTRATIONS[wildcards.illustration].get(kind, [])]


def illustration_scores(wildcards):
    used = ILLUSTRATIONS[wildcards.illustration].get("scores", False)
    return ["results/evaluate/scores.parquet"] if used else []


def illustration_entry(wildcards):
    # Not sorted: panels and groups keep the order of the configuration.
    return json.dumps(ILLUSTRATIONS[wildcards.illustration])


def illustration_code(wildcards):
    entry = ILLUSTRATIONS[wildcards.illustration]
    methods = [Path(path).name for path in entry.get("models", [])]
    classes = [METHODS[method]["class"].rpartition(".")[0] for method in methods]
    return code("noneuclid.stages.illustrate", entry["module"], *classes)


def study_files():
    """What the page shows of a study."""
    if "study" not in config:
        return []
    return ["results/study/tests.tsv", *drawn_figures("study")]


def paired_tests_files():
    """What the page shows of methods compared in pairs."""
    return ["results/paired_tests/section.json"] if "paired_tests" in config else []


def certified_files(pattern):
    """`pattern` filled with the names of every certified (data set, embedding)."""
    if not CERTIFIED:
        raise WorkflowError("the configuration has no `certificates:`")
    return [pattern.format(dataset, embedding) for dataset, embedding in CERTIFIED]


def gaps_files():
    """What the page shows of certificates."""
    if not CERTIFIED:
        return []
    return ["results/gaps/certificates.tsv", *drawn_figures("gaps")]
