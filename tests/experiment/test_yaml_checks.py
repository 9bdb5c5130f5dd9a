"""What is no configuration file is refused in a line."""

import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid_compare.config import yaml_checks


def test_a_legal_file_is_read(tmp_path):
    path = tmp_path / "legal.yaml"
    path.write_text("a: &a {x: [1, two]}\nb: *a\nc: {<<: *a, y: &t text}\nd: [*t, *t]\n")
    inner = {"x": [1, "two"]}
    read = {"a": inner, "b": inner, "c": inner | {"y": "text"}, "d": ["text", "text"]}
    assert yaml_checks.read(path) == read


@each_of(
    ("text", "message"),
    [
        ("a: *b", "cannot be read: found undefined alias"),
        ("a: [", "cannot be read: while parsing"),
        ("a: !!python/object/apply:os.mkdir [x]", "cannot be read: could not determine a con"),
        ("seed: 2020-13-01", "cannot be read: month must be in 1..12"),
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
    with pytest.raises(InputError, match=r"none\.yaml does not exist: correct the path"):
        yaml_checks.read(tmp_path / "none.yaml")
