"""What the finished train jobs of a folder took; no other job says how long a fit takes."""

import json
from functools import cache
from pathlib import Path

# Records that are read for each method on each embedded data set.
SOME = 3
# Seconds of a job that fits nothing.
SHORT = 1.0
LONG = ("embed", "certify", "isometries", "random_folds", "link_prediction", "signatures")
PARTS = ("search_seconds", "fit_seconds", "predict_seconds")


def seconds_of(dataset, embedding, method):
    """Mean CPU seconds of finished jobs of one method on one embedded data set, or None."""
    found = []
    for path in sorted(Path("results/train", dataset, embedding, method).glob("*.json"))[:SOME]:
        folds = json.loads(path.read_text())["folds"]
        found.append(sum(fold[part] for fold in folds for part in PARTS))
    return sum(found) / len(found) if found else None


def before_the_run():
    """Seconds of a job by rule and wildcards, None if unknown; the answer stays during a run."""
    earlier = cache(seconds_of)

    def seconds(rule, wildcards):
        if rule.startswith("train"):
            return earlier(*(wildcards[key] for key in ("dataset", "embedding", "method")))
        return None if rule in LONG else SHORT

    return seconds
