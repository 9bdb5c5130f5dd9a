"""Every public name has type hints; `make lint` checks a user's program against them."""

import re
from inspect import isclass, isfunction, ismodule, signature
from pathlib import Path
from typing import get_type_hints, is_typeddict

from cases import each_of
from sklearn.base import BaseEstimator

import noneuclid
from noneuclid.classifiers import parameter_types

PACKAGE = Path(noneuclid.__file__).parent
BUILT = [frozenset(get_type_hints(t)) for t in vars(parameter_types).values() if is_typeddict(t)]


def functions_of(found):
    """Public functions, methods and properties of a public object that this package defines."""
    if ismodule(found):
        for name in found.__all__:
            yield from functions_of(getattr(found, name))
        return
    if not isclass(found):
        yield found
        return
    for base in found.__mro__:
        if not base.__module__.startswith("noneuclid."):
            continue
        for name, value in vars(base).items():
            value = getattr(value, "__func__", getattr(value, "fget", value))
            value = getattr(value, "func", getattr(value, "fn", value))
            if isfunction(value) and not name.startswith("_"):
                yield value


@each_of("name", noneuclid.__all__)
def test_functions_and_methods_have_hints(name):
    for function in functions_of(getattr(noneuclid, name)):
        known = signature(function)
        assert known.return_annotation is not known.empty, function.__qualname__
        for parameter in known.parameters.values():
            if parameter.name not in ("self", "cls"):
                assert parameter.annotation is not parameter.empty, function.__qualname__


@each_of("name", noneuclid.__all__)
def test_constructors_have_hints(name):
    found = getattr(noneuclid, name)
    if not isclass(found) or not issubclass(found, BaseEstimator):
        return
    parameters = signature(found).parameters
    if not all(p.annotation is not p.empty for p in parameters.values()):
        assert frozenset(parameters) in BUILT


@each_of("package", [noneuclid, noneuclid.geometry])
def test_type_checkers_see_the_public_names(package):
    stub = Path(package.__file__).with_suffix(".pyi").read_text()
    found = re.findall(r"^from (\S+) import \(?\s*(\w+) as \2\b", stub, flags=re.MULTILINE)
    names = package._MODULE_OF.items()
    expected = [(f"{package.__name__}.{module}", name) for name, module in names]
    expected += [("noneuclid", name) for name in getattr(package, "_MODULES", ())]
    assert sorted(found) == sorted(expected)
    assert (PACKAGE / "py.typed").exists()
