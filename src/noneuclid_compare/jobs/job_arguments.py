"""Command-line options of the stages that sections of the configuration ask for."""

import json
import shlex


def study_options(study, metric):
    """Options of the study stage: its section of the configuration; the report's metric if none.

    Examples
    --------
    >>> study_options({"first": "tree", "second": "-x"}, "accuracy")
    '--first=tree --second=-x --metric accuracy'
    """
    options = {"metrics": [metric], **study}
    options["metric"] = options.pop("metrics")
    # With `=` a pattern may begin with a dash.
    words = []
    for key, value in options.items():
        words += [f"--{key}={value}"] if isinstance(value, str) else [f"--{key}", *value]
    return shlex.join(words)


def sweep_option(sweep):
    """Option of the report stage for a sweep: a pattern, or a mapping with one, or None.

    Examples
    --------
    >>> print(sweep_option("^(?P<name>a)"))
    --sweep '{"pattern": "^(?P<name>a)"}'
    """
    if sweep is None:
        return ""
    settings = {"pattern": sweep} if isinstance(sweep, str) else sweep
    return shlex.join(["--sweep", json.dumps(settings, sort_keys=True)])
