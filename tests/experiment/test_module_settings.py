"""Settings read from the source are those that the modules check when they run."""

from importlib import import_module
from pathlib import Path

import pytest

import noneuclid
from noneuclid.contracts import Dataset
from noneuclid.errors import InputError
from noneuclid.experiment.module_settings import known_settings

FOLDER = Path(noneuclid.__file__).parent
CALLS = {"datasets": "load", "embeddings": "embed"}
MODULES = [
    (f"noneuclid.{part}." + ".".join(path.relative_to(FOLDER / part).with_suffix("").parts), call)
    for part, call in CALLS.items()
    for path in sorted((FOLDER / part).rglob("*.py"))
    if f"\ndef {call}(" in path.read_text()
]
UNTOLD = {"refined_hydra"}


@pytest.mark.parametrize(("module", "call"), MODULES)
def test_the_source_tells_what_the_module_accepts(module, call):
    known = known_settings(module)
    if module in UNTOLD:
        assert known is None
        return
    assert known is not None
    kind = "images" if module.endswith("images") else "graph"
    data = Dataset("d", kind, [0, 1], ("a", "b"), edges=[[0, 1]])
    arguments = {"load": (Roles(), 0), "embed": (0,)}[call]
    before = (data,) if call == "embed" else ()
    with pytest.raises(InputError, match="unknown parameter 'no such'; legal settings: ") as caught:
        getattr(import_module(module), call)(*before, {"no such": 1}, *arguments)
    legal = str(caught.value).partition("legal settings: ")[2]
    assert legal == (", ".join(sorted(known)) or "none")


class Roles(dict):
    """Files of every role that a loader may ask for."""

    def __contains__(self, role):
        return True


def test_modules_from_elsewhere_are_left_to_the_job():
    assert known_settings("somebody.elses.loader") is None
    assert known_settings("noneuclid.no_such_module") is None
