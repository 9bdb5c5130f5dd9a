"""The command init on a table, and the configuration that it writes."""

from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from noneuclid_compare import __main__ as command_line
from noneuclid_compare.config import configuration, configuration_checks, load_by_name, registry
from noneuclid_compare.jobs import locations

SCHEMA = locations.root() / "workflow/schemas/config.schema.yaml"


def table(n=30, **columns):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n, 3)), columns=["acid", "iron", "salt"]).round(3)
    frame["iron"] *= 100
    frame["kind"] = np.array(["red", "white", "pink"])[np.arange(n) % 3]
    return frame.assign(**columns)


def init(*words):
    command_line.run(["init", *words])


def written(folder):
    """Configuration in a folder, after the checks of the workflow and a load of each data set."""
    file = Path(folder) / "config.yaml"
    configuration_checks.check_keys(file)
    given = yaml.safe_load(file.read_text())
    configuration.check(given, SCHEMA)
    config = configuration.filled(given)
    configuration_checks.check_files(config["datasets"], {}, Path(folder))
    for entry in config["datasets"].values():
        files = {role: (Path(folder) / path).resolve() for role, path in entry["files"].items()}
        load_by_name.call(
            registry.path_of(entry["use"], "load"), files, 0, **entry.get("params", {})
        )
    return config
