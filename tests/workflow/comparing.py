"""Results of two runs, compared byte for byte but for what was timed."""

import json

MEASURED = ("fit_seconds", "search_seconds", "predict_seconds", "peak_memory_mb")


def without_measured(value):
    """A JSON value without what a clock or the system's memory says."""
    if isinstance(value, list):
        return [without_measured(item) for item in value]
    if isinstance(value, dict):
        return {k: without_measured(v) for k, v in value.items() if k not in MEASURED}
    return value


def comparable(results):
    """Contents of all results by path, without logs, times, memory, and the order of methods."""
    found = {}
    for path in sorted(results.rglob("*")):
        name = str(path.relative_to(results))
        if (
            path.is_dir()
            or name.startswith(("logs/", "benchmarks/"))
            or path.name == "scores.parquet"
        ):
            continue
        found[name] = path.read_bytes()
        if path.suffix == ".json":
            value = without_measured(json.loads(found[name]))
            if name == "evaluate/runs.json":
                value = sorted(value, key=lambda run: run["method"])
            found[name] = json.dumps(value)
        elif name == "evaluate/scores.tsv":
            lines = found[name].decode().splitlines()
            found[name] = sorted(line for line in lines if not set(line.split("\t")) & {*MEASURED})
    found.pop("evaluate/plan.json", None)  # lists the methods as the configuration does
    return found
