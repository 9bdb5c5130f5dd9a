"""Random configurations: each answers all that the rules ask, or is refused in a line."""

import copy
import datetime
import inspect
import os
import re
import sys
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from snakemake.exceptions import WorkflowError
from snakemake.scheduling.job_scheduler import JobRateLimiter

from noneuclid.errors import InputError
from noneuclid.experiment import provenance, validation

ROOT = Path(__file__).resolve().parents[2]
TINY = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
MORE = {
    "study": {"first": "tree", "second": "majority", "metrics": ["accuracy"], "group": "^[a-z]+"},
    "paired_tests": {"group": "^([a-z]+)", "blocks": {"all": {"tree": "*", "majority": "†"}}},
    "mirror": None,
}
MANY = {
    "loader": "noneuclid.datasets.generators.random_tree",
    "each": {"nodes": [20, 30], "copy": 2},
    "settings": {"nodes": "{nodes}"},
    "embeddings": ["hydra"],
}
START = TINY | MORE | {"datasets": TINY["datasets"] | {"tree_{nodes}_{copy}": MANY}}
START["report"] = TINY["report"] | {"sweep": {"pattern": "^(?P<name>tree)_(?P<value>[0-9]+)"}}

# The functions that the rules call, without the line that only Snakemake's own parser reads.
COMMON = re.sub(
    r"^wildcard_constraints:\n(?:    .*\n)+",
    "",
    (ROOT / "workflow/rules/common.smk").read_text(),
    flags=re.M,
)
NASTY = ["", " ", "a b; rm x", "$(touch x)", "{x}", "{", "}", "{0}", "'", '"', "\n", "a\nb", "\0"]
NASTY += ["NA", "nan", "null", "../x", "/", "-x", "--help", "é", "数", "\ud800", "(", "(?P<name>x)"]
NASTY += [
    "karate",
    "tree",
    "given",
    "*",
    "noneuclid",
    "noneuclid.experiment.io.x",
    "noneuclid..x",
    "os.path.x",
]
NASTY += ["{nodes}", "{nodes.x}", "{nodes!r:>9}", "{copy:99999}", "x" * 5000, ".", "..", "a.b\n"]
NUMBERS = [
    0,
    1,
    2.0,
    -1,
    2,
    10**6,
    10**12,
    10**400,
    -0.0,
    0.5,
    1e308,
    float("inf"),
    float("nan"),
    True,
]
SCALARS = st.one_of(
    st.sampled_from([None, False, *NUMBERS, *NASTY, datetime.date(2024, 1, 1)]),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SCALARS, inner, max_size=3),
    max_leaves=4,
)


def places(value, path=()):
    """Paths of all values inside a configuration."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


@st.composite
def configurations(draw):
    """The start with one to three values replaced, removed, renamed, doubled or added."""
    config = copy.deepcopy(START)
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        if not (paths := list(places(config))):
            break
        *way, last = draw(st.sampled_from(paths))
        parent = config
        for key in way:
            parent = parent[key]
        change = draw(st.sampled_from(["replace", "remove", "rename", "wrap", "add", "move"]))
        key = draw(SCALARS) if isinstance(parent, dict) else len(parent)
        value = copy.deepcopy(parent[last])
        if change == "replace":
            parent[last] = draw(VALUES)
        elif change == "wrap":
            parent[last] = [value, value]
        elif change == "move":
            *_, name = draw(st.sampled_from(paths))
            parent[last] = name
        else:
            if change in ("remove", "rename"):
                del parent[last]
            if change in ("rename", "add"):
                new = draw(VALUES) if change == "add" else value
                parent.append(new) if isinstance(parent, list) else parent.update({key: new})
    return config


# Functions that answer only where the configuration has a section.
SECTIONS = {
    "study_": "study",
    "paired_": "paired_tests",
    "certif": "certificates",
    "illustration_": "illustrations",
    "published_": "published",
}


class Wildcards(SimpleNamespace):
    def keys(self):
        return vars(self)


def planned(config):
    """What every function of the wildcards and nothing else says, for all that is trained."""
    workflow = SimpleNamespace(basedir=ROOT, configfiles=[])
    space = {"config": copy.deepcopy(config), "workflow": workflow}
    with patch.dict(os.environ), patch("sys.path", list(sys.path)):
        exec(COMMON, space)
    asked = [
        function
        for name, function in space.items()
        if inspect.isfunction(function)
        and function.__globals__ is space
        and list(inspect.signature(function).parameters) == ["wildcards"]
        and all(
            space["config"].get(key) for start, key in SECTIONS.items() if name.startswith(start)
        )
    ]
    path = next(iter(space["SOURCES"]))
    shown = cycle(space["ILLUSTRATIONS"] or [None])
    for dataset, embedding, methods in space["PAIRS"]:
        for method, name in zip(methods, shown):  # noqa: B905 (the second has no end)
            wildcards = {"dataset": dataset, "embedding": embedding, "method": method}
            wildcards |= {"repeat": "0", "path": path, "illustration": name}
            for function in asked:
                function(Wildcards(**wildcards))
    for name, function in space.items():
        listing = inspect.isfunction(function) and name.endswith(("_figures", "_models", "_files"))
        if listing and not inspect.signature(function).parameters:
            function()
    return space


def outcome(config):
    """None for a configuration that passes, else the lines that refuse it."""
    try:
        planned(config)
    except WorkflowError as error:
        lines = str(error).splitlines()
        assert 1 <= len(lines) <= 10
        assert all(line.startswith("configuration: ") for line in lines)
        str(error).encode()
        return str(error)


def test_the_start_passes():
    assert outcome(START) is None


@pytest.mark.parametrize(("most", "seconds", "stays"), [(100, 1, False), (200, 1, True)])
def test_only_the_default_limit_of_jobs_in_a_second_is_lifted(most, seconds, stays):
    space = planned(START)
    limiter = JobRateLimiter(SimpleNamespace(max_jobs=most, timespan=seconds))
    space["workflow"].scheduler = SimpleNamespace(job_rate_limiter=limiter)
    space["lift_rate_limit"]()
    assert space["workflow"].scheduler.job_rate_limiter is (limiter if stays else None)


def fuzz(examples, **options):
    options |= {"deadline": None, "suppress_health_check": list(HealthCheck)}
    return settings(max_examples=examples, **options)


@given(configurations())
@fuzz(100, derandomize=True)
def test_any_configuration_passes_or_is_refused_in_a_line(config):
    outcome(config)


@pytest.mark.slow
@given(configurations())
@fuzz(20_000)
def test_many_configurations_pass_or_are_refused_in_a_line(config):
    outcome(config)


LOOP = []
LOOP.append(LOOP)
SETTINGS = "methods/tree/settings"
EACH = {"loader": "noneuclid.datasets.generators.random_tree", "embeddings": ["hydra"]}


# What the fuzzing above has found: a traceback, an error in the job, or a run without end.
@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        (SETTINGS, {1: 2}, f"{SETTINGS}: the key 1 is no printable text; write it in quotes"),
        (SETTINGS, {"a": 1, None: 2}, f"{SETTINGS}: the key None is no printable text"),
        ("methods/a\x1cb", {}, "methods: the key 'a\\x1cb' is no printable text"),
        (f"{SETTINGS}/max_depth", datetime.date(2024, 1, 1), "datetime.date(2024, 1, 1) cannot be"),
        (f"{SETTINGS}/max_depth", float("nan"), "max_depth: nan cannot be passed on"),
        (
            f"{SETTINGS}/max_depth",
            10**400,
            "max_depth: an integer of 1329 bits cannot be passed on",
        ),
        (f"{SETTINGS}/max_depth", LOOP, "too deep, or a list or mapping that contains itself"),
        (f"{SETTINGS}/max_depth", 0, "max_depth: 0; give an integer >= 1 or null"),
        ("methods/poincare_svm/grid", {"c": [1]}, "grid: unknown setting 'c'; known: C, "),
        ("methods/poincare_svm/grid/C", [1, -1], "grid/C: -1; give a number >= 1e-10"),
        ("methods/poincare_svm/settings", {"chart": "klein"}, "settings: chart says how the data"),
        (
            "methods/tree/class",
            "subprocess.Popen",
            "tree/class: subprocess is part of Python itself",
        ),
        ("methods/tree/class", "sklearn.svn.SVC", "tree/class: there is no module sklearn.svn"),
        ("methods/tree/class", "sklearn.cluster.KMeans", "tree/class: sklearn.cluster.KMeans is a"),
        ("methods/tree/class", "sklearn.svm.SVR", "predicts numbers, but data set "),
        ("methods/tree/grid", dict.fromkeys("abcde", [1] * 10), "tree/grid: 100000 points, each"),
        ("datasets/gaussians/loader", "os.path", "gaussians/loader: os.path is part of Python"),
        ("embeddings/hydra/module", "nowhere.at", "hydra/module: there is no module nowhere.at"),
        ("embeddings/hydra/settings", {"dimension": 10**9}, "dimension: 1000000000 is more than"),
        ("embeddings/hydra/settings", {"dimension": 1e9}, "dimension: 1000000000.0 is more than"),
        (
            "datasets/t",
            EACH | {"settings": {"nodes": 10**12}},
            "1000000000000 rows in 0 dimensions",
        ),
        ("datasets/{k:>99999999}", EACH | {"each": {"k": 2}}, "'>99999999' is more than 10000"),
        ("report/title", "a\0b", "report/title: 'a\\x00b' cannot be passed on"),
        ("report/title", "\ud800", "report/title: '\\ud800' cannot be passed on"),
        ("repeats", 2.0, "repeats: 2.0 is not of type 'integer'"),
        ("repeats", 10**9, "repeats: 1000000000 is greater than the maximum of 1000"),
        ("certificates/C", [float("inf")], "certificates/C/0: inf is greater than the maximum of"),
        ("methods/" + "x" * 5000, {}, "is not a name"),
        ("seed", "x" * 5000, "xxx ... xxx"),
        ("datasets/t_{k}", EACH | {"each": {"k": 10**12}}, "makes 1000000000000 entries; give"),
        ("datasets/t", EACH | {"each": {"k": [[], "\x0b"]}}, "two entries have the name 't'"),
        ("datasets/{k}", EACH | {"each": {"k": ["\x0b", "\x0b"]}}, "have the name '\\x0b'"),
    ],
)
def test_what_was_found(place, value, line):
    config = copy.deepcopy(START)
    *way, last = place.split("/")
    parent = config
    for key in way:
        parent = parent[key]
    parent[last] = value
    found = outcome(config)
    assert line in found
    assert len(found) < 1000


def test_a_number_is_a_legal_name_where_it_is_filled_in():
    entry = EACH | {"each": {"k": 2}, "settings": {"nodes": 20}}
    assert outcome(START | {"datasets": START["datasets"] | {"{k}": entry}}) is None


def test_a_module_that_is_no_python_is_named(tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text("def load(:\n")
    monkeypatch.setattr(provenance, "SOURCE", tmp_path)
    with pytest.raises(InputError, match=r"there: noneuclid\.broken is no Python \(invalid syntax"):
        validation.check_target("noneuclid.broken.load", "there")
