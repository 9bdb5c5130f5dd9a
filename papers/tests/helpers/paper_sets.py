"""The data sets of the papers as the configuration of all of them loads them."""

from functools import cache

import numpy as np
import yaml
from paper_mirror import MIRROR, ROOT

from noneuclid.geometry import charts
from noneuclid_compare.config import load_by_name
from noneuclid_compare.config.registry import path_of
from noneuclid_compare.data.downloads import read_sources
from noneuclid_compare.jobs import locations

CONFIG = yaml.safe_load((ROOT / "papers/config/data/paper_data.yaml").read_text())
ENTRIES = CONFIG["datasets"]
SOURCES = read_sources(*locations.tables("sources.tsv"))


@cache
def loaded(name):
    """Data set of an entry of the configuration."""
    entry = ENTRIES[name]
    files = {role: MIRROR / path for role, path in entry["files"].items()}
    return load_by_name.call(path_of(entry["use"], "load"), files, 7, **entry.get("params", {}))


def in_disk(data):
    return charts.convert(data.features, data.chart, "poincare")


def names_of(data):
    return np.array(data.class_names)[data.labels]


def told(data, text):
    """Whether one of the oddities has the text."""
    return any(text in fact for fact in data.about["oddities"])
