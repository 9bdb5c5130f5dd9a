"""Jobs of a configuration, the memory that they ask for, and what finished ones took."""

from noneuclid_compare import wording
from noneuclid_compare.config import configuration
from noneuclid_compare.jobs import finished_jobs, job_resources


def summary(config, files):
    """Text of the estimate; `files` has the paths of each data set, by their roles."""
    pairs = configuration.pairs(config)
    runs = [(*pair, method) for *pair, methods in pairs for method in methods]
    lines = _aligned([("stage", "jobs", "MB of the largest job"), *_stages(config, files, runs)])
    unread = sorted({d for d, e, _ in pairs if job_resources.size_of(config, d, e) is None})
    if unread:
        lines.append(
            f"{wording.several(unread)}: not read yet, so their MB are defaults; "
            "`noneuclid run acquire_all` reads them, then estimate again"
        )
    return "\n".join(
        [*lines, "", *_aligned([("method", "jobs", "core time"), *_times(config, runs)])]
    )


def _stages(config, files, runs):
    """Name, number of jobs and memory of each stage."""
    datasets, embeddings, repeats = config["datasets"], config["embeddings"], config["repeats"]
    needs = {
        "acquire": [
            job_resources.acquire(files[name].values(), entry.get("params", {}), entry["use"])
            for name, entry in datasets.items()
        ],
        "embed": [job_resources.embed(d, embeddings[e]) for d, e, _ in configuration.pairs(config)],
        "split": [job_resources.SPLIT] * len(datasets) * repeats,
        "train": [job_resources.train(config, *run) for run in runs] * repeats,
        "isometries": [
            job_resources.train(config, *run) for *run, _ in configuration.isometry_runs(config)
        ]
        * repeats,
        "random_folds": [
            job_resources.train(config, *run) for run in configuration.group_runs(config)
        ],
        "link_prediction": [
            job_resources.link_prediction(config, name) for name in configuration.linked(config)
        ]
        * repeats,
        "signatures": [
            job_resources.signatures(name) for name in configuration.compared_signatures(config)
        ],
        "draw": [job_resources.DRAW] * len(configuration.drawn_pairs(config)),
        "page": [job_resources.PAGE] * 3,
    }
    return [
        (stage, str(len(some)), str(max(need.memory for need in some)))
        for stage, some in needs.items()
        if some
    ]


def _times(config, runs):
    """Name, number of jobs and core time of each method, from finished jobs on the same data."""
    for name in config["methods"]:
        took = [finished_jobs.seconds_of(*run) for run in runs if run[-1] == name]
        known, jobs = [one for one in took if one is not None], config["repeats"] * len(took)
        least = "at least " if len(known) < len(took) else ""
        text = f"{least}{wording.seconds(config['repeats'] * sum(known))}"
        yield name, str(jobs), text if known else "no finished job"


def _aligned(table):
    """Lines of a table of texts, numbers to the right.

    Examples
    --------
    >>> _aligned([("a", "b", "c"), ("x", "10", "y")])
    ['a   b  c', 'x  10  y']
    """
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [f"{a.ljust(wide[0])}  {b.rjust(wide[1])}  {c}" for a, b, c in table]
