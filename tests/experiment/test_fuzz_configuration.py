"""Random configurations: each answers all that the rules ask, or is refused in a line."""

import copy
import datetime
import inspect
import os
import re
import sys
from io import StringIO
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
import snakemake.api
import snakemake.workflow
import yaml
from cases import each_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from snakemake.exceptions import WorkflowError
from snakemake.iocontainers import Namedlist, Wildcards
from snakemake.parser import parse
from snakemake.settings.types import DeploymentSettings
from snakemake.sourcecache import LocalSourceFile

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration_checks

ROOT = Path(__file__).resolve().parents[2]
TINY = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
MORE = {"mirror": None, "isometries": [1.5]}
MANY = {
    "use": "random_tree",
    "each": {"nodes": [20, 30], "copy": 2},
    "params": {"n_nodes": "{nodes}"},
    "embeddings": ["hydra"],
}
START = TINY | MORE | {"datasets": TINY["datasets"] | {"tree_{nodes}_{copy}": MANY}}
START["report"] = TINY["report"] | {"sweep": {"pattern": "^(?P<name>tree)_(?P<value>[0-9]+)"}}

RULES = ROOT / "workflow/rules"


def compiled(path):
    """The Python that Snakemake's own parser makes of a rule file."""
    cache = SimpleNamespace(open=lambda path: StringIO(Path(str(path)).read_text()))
    text, _ = parse(LocalSourceFile(str(path)), SimpleNamespace(sourcecache=cache), {})
    return compile(text, path, "exec")


# As they are included.
INCLUDED = re.findall(r'^include: "rules/(.+)"$', (ROOT / "workflow/Snakefile").read_text(), re.M)
CODE = [compiled(RULES / name) for name in INCLUDED]
NASTY = ["", " ", "a b; rm x", "$(touch x)", "{x}", "{", "}", "{0}", "'", '"', "\n", "a\nb", "\0"]
NASTY += ["NA", "nan", "null", "../x", "/", "-x", "--help", "é", "数", "\ud800", "(", "(?P<name>x)"]
NASTY += [
    "karate",
    "tree",
    "given",
    "*",
    "noneuclid",
    "noneuclid_compare.io.x",
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


# Rules that answer only where the configuration has a section.
SECTIONS = {
    "illustrate": "illustrations",
    "evaluate_isometries": "isometries",
}


class Recorder:
    """Takes the place of Snakemake's workflow and keeps the functions that the rules give it."""

    def __init__(self):
        self.configfiles = []
        self.current_basedir = RULES
        self.deployment_settings = DeploymentSettings()
        unmoved = SimpleNamespace(modify=lambda path: path)
        self.modifier = SimpleNamespace(path_modifier=unmoved)
        self.given = {}
        self.functions = {}

    def rule(self, name, **_):
        self.given = self.functions.setdefault(name, {})
        return lambda function: None

    def userule(self, name_modifier, **_):
        return self.rule(name_modifier)

    def __getattr__(self, directive):
        def keep(*values, **named):
            if directive != "run":
                entries = [*enumerate(values), *named.items()]
                found = {(directive, key): v for key, v in entries if inspect.isfunction(v)}
                self.given |= found
            return lambda function: None

        return keep


# What a function may ask for beside the wildcards.
OTHERS = {
    "input": Namedlist(fromdict={"map": "map.npz"}),
    "output": Namedlist(fromdict={"model": "model.skops"}),
    "attempt": 2,
}


def included(config):
    """The rules with this configuration: their names in Python, and a recorder."""
    workflow = Recorder()
    space = vars(snakemake.workflow) | {"config": copy.deepcopy(config), "workflow": workflow}
    with patch.dict(os.environ), patch("sys.path", list(sys.path)):
        for code in CODE:
            exec(code, space)
    return space, workflow


def planned(config):
    """Ask every function of the rules, for all that is trained."""
    space, workflow = included(config)
    asked = [
        (function, set(inspect.signature(function).parameters) & {*OTHERS})
        for rule, functions in workflow.functions.items()
        if rule not in SECTIONS or space["config"].get(SECTIONS[rule])
        for function in functions.values()
    ]
    path = next(iter(space["SOURCES"]))
    shown = cycle(space["ILLUSTRATIONS"] or [None])
    for dataset, embedding, methods in space["PAIRS"]:
        for method, name in zip(methods, shown):  # noqa: B905 (the second has no end)
            names = {"dataset": dataset, "embedding": embedding, "method": method}
            names |= {"repeat": "0", "path": path, "illustration": name, "distance": "1.5"}
            wildcards = Wildcards(fromdict=names)
            for function, others in asked:
                function(wildcards, **{key: OTHERS[key] for key in others})


def test_every_rule_is_asked():
    _, workflow = included(START)
    known = {"fetch", "acquire", "embed", "split", "train", "plan", "evaluate", "draw", "report"}
    assert known | {*SECTIONS} <= set(workflow.functions)
    assert {("params", "seed"), ("resources", "mem_mb")} <= set(workflow.functions["train"])


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


SETTINGS = "methods/tree/params"
EACH = {"use": "random_tree", "embeddings": ["hydra"]}


# What the fuzzing above has found: a traceback, an error in the job, or a run without end.
@each_of(
    ("place", "value", "line"),
    [
        (SETTINGS, {1: 2}, f"{SETTINGS}: the key 1 is not printable text; write it in quotes"),
        (SETTINGS, {"a": 1, None: 2}, f"{SETTINGS}: the key None is not printable text"),
        ("methods/a\x1cb", {}, "methods: the key 'a\\x1cb' is not printable text"),
        (f"{SETTINGS}/max_depth", datetime.date(2024, 1, 1), "datetime.date(2024, 1, 1) cannot be"),
        (f"{SETTINGS}/max_depth", float("nan"), "max_depth: nan cannot be passed on"),
        (f"{SETTINGS}/max_depth", 10**30, "max_depth: 1000000000000000000000000000000 cannot be"),
        (f"{SETTINGS}/max_depth", 0, "max_depth: 0; give an integer >= 1 or null"),
        ("methods/poincare_svm/grid", {"c": [1]}, "grid: unknown parameter 'c'; known: C, "),
        ("methods/poincare_svm/grid/C", [1, -1], "grid/C: -1; give a number >= 1e-10"),
        ("methods/poincare_svm/params", {"chart": "klein"}, "params: chart is a property of the"),
        (
            "methods/tree/use",
            "subprocess.Popen",
            "tree/use: subprocess.Popen is part of Python itself",
        ),
        ("methods/tree/use", "sklearn.svn.SVC", "sklearn.svn.SVC cannot be imported"),
        ("methods/tree/use", "sklearn.cluster.KMeans", "tree/use: sklearn.cluster.KMeans is a"),
        ("methods/tree/use", "sklearn.svm.SVR", "predicts numbers, but data set "),
        ("methods/tree/grid", dict.fromkeys("abcde", [1] * 10), "tree/grid: 100000 points, each"),
        ("datasets/gaussians/use", "os.path", "gaussians/use: os.path is part of Python"),
        ("embeddings/hydra/use", "nowhere.at", "hydra/use: nowhere.at cannot be imported"),
        ("report/title", "a\0b", "report/title: 'a\\x00b' cannot be passed on"),
        ("report/title", "\ud800", "report/title: '\\ud800' cannot be passed on"),
        ("repeats", 2.0, "repeats: 2.0 is not of type 'integer'"),
        ("repeats", 10**9, "repeats: 1000000000 is greater than the maximum of 1000"),
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
    entry = EACH | {"each": {"k": 2}, "params": {"n_nodes": 20}}
    assert outcome(START | {"datasets": START["datasets"] | {"{k}": entry}}) is None


def test_a_file_that_is_no_python_is_named(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("def load(:\n")
    entry = {"use": f"{file}:load", "embeddings": ["hydra"]}
    with pytest.raises(InputError, match=r"there/use: .*broken\.py:load cannot be imported \(Syn"):
        configuration_checks.check_function(entry, "load", "there")
