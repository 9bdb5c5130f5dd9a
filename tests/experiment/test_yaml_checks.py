"""Files that YAML would build for minutes are refused by what they would hold."""

import string
from itertools import pairwise

import pytest
import yaml

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration_checks, yaml_checks
from noneuclid_compare.config.expand_entries import DEEPEST, check_plain
from noneuclid_compare.stages import estimate

NAMES = string.ascii_lowercase[:10]
START = "a: &a [x, x, x, x, x, x, x, x, x]\n"
LISTS = START + "".join(f"{k}: &{k} [{', '.join([f'*{j}'] * 9)}]\n" for j, k in pairwise(NAMES))
MAPPINGS = START + "".join(
    f"{k}: &{k} {{{', '.join(f'{i}: *{j}' for i in range(9))}}}\n" for j, k in pairwise(NAMES)
)
MERGED = "a: &a {x: 1}\n" + "".join(
    f"{k}: &{k} {{<<: [{', '.join([f'*{j}'] * 9)}]}}\n" for j, k in pairwise(NAMES)
)
WRITTEN_OUT = "more than 1000000 characters with every alias"
BOMBS = {
    "lists": (LISTS, f"line 6: {WRITTEN_OUT}"),
    "mappings": (MAPPINGS, f"line 6: {WRITTEN_OUT}"),
    "merged mappings": (MERGED, f"line 7: {WRITTEN_OUT}"),
    "a long text often": (f"a: &a {'x' * 9999}\nb: [{'*a, ' * 200}]", f"line 2: {WRITTEN_OUT}"),
    "brackets": (f"a: {'[' * 500}{']' * 500}", "line 1: more than 20 levels deep"),
    "braces": ("{a: " * 500 + "1" + "}" * 500, "line 1: more than 20 levels deep"),
    "dashes": ("- " * 500 + "1", "line 1: more than 20 levels deep"),
    "a list in itself": ("a: &a\n  - 1\n  - *a\n", "line 3: *a contains itself"),
    "a mapping in itself": ("a: &a {b: {c: *a}}\n", "line 1: *a contains itself"),
    "size": (
        f"a: {'x' * 1_000_000}",
        "the file has 1000003 bytes, but a configuration has at most",
    ),
}


@pytest.fixture
def built(monkeypatch):
    """What YAML is asked to build: nothing of a file that is refused."""
    calls = []
    for name in ("safe_load", "compose"):
        monkeypatch.setattr(yaml, name, lambda *_: calls.append(1) or {})
    return calls


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("ask", [yaml_checks.read, configuration_checks.check_keys])
def test_what_would_take_long_is_refused_before_it_is_built(tmp_path, built, name, ask):
    text, message = BOMBS[name]
    path = tmp_path / "bomb.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        ask(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert len(str(caught.value)) < 300
    assert built == []


def test_the_command_says_it_in_a_line(tmp_path, built):
    path = tmp_path / "bomb.yaml"
    path.write_text(LISTS)
    with pytest.raises(InputError, match="every alias"):
        estimate.main(["--configfile", str(path)])
    assert built == []


@pytest.mark.parametrize("name", ["lists", "mappings"])
def test_a_configuration_given_otherwise_is_walked_through_no_further(name):
    class Counted(dict):
        seen = 0

        def items(self):
            Counted.seen += 1
            return super().items()

    bomb = Counted(x=1)
    for _ in range(8):
        bomb = Counted({str(i): bomb for i in range(9)}) if name == "mappings" else [bomb] * 9
    with pytest.raises(InputError, match="more than 1000000 values"):
        check_plain(bomb)
    assert Counted.seen < 1_000_001


def test_a_legal_file_is_read(tmp_path):
    path = tmp_path / "legal.yaml"
    path.write_text("a: &a {x: [1, two]}\nb: *a\nc: {<<: *a, y: &t text}\nd: [*t, *t]\n")
    inner = {"x": [1, "two"]}
    read = {"a": inner, "b": inner, "c": inner | {"y": "text"}, "d": ["text", "text"]}
    assert yaml_checks.read(path) == read


def test_the_deepest_legal_file(tmp_path):
    path = tmp_path / "deep.yaml"
    for depth, legal in ((DEEPEST, True), (DEEPEST + 2, False)):
        path.write_text("[" * depth + "]" * depth)
        try:
            yaml_checks.check(path)
        except InputError:
            assert not legal
        else:
            assert legal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: *b", "cannot be read: found undefined alias"),
        ("a: [", "cannot be read: while parsing"),
        ("a: !!python/object/apply:os.mkdir [x]", "cannot be read: could not determine a con"),
        ("[1]", "has no keys: give a configuration"),
    ],
)
def test_what_is_no_configuration_is_refused(tmp_path, text, message):
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        yaml_checks.read(path)
    assert str(caught.value).startswith(f"{path} {message}")


def test_no_file(tmp_path):
    with pytest.raises(InputError, match=r"none\.yaml cannot be read: .*No such file"):
        yaml_checks.read(tmp_path / "none.yaml")


@pytest.mark.parametrize("value", ["2020-13-01", "9" * 5000])
def test_what_yaml_cannot_build_is_one_line(tmp_path, value):
    path = tmp_path / "c.yaml"
    path.write_text(f"seed: {value}\n")
    with pytest.raises(InputError, match="cannot be read"):
        yaml_checks.read(path)


def test_an_integer_too_long_to_write_is_refused(tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text("seed: " + ":".join(["59"] * 3000))
    with pytest.raises(InputError, match=r"seed: an integer of \d+ bits cannot be passed on"):
        check_plain(yaml_checks.read(path))
