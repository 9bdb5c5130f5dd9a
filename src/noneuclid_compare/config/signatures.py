"""Parameters of loaders, embeddings and illustrations, read from their signatures."""

from noneuclid.errors import InputError
from noneuclid_compare.config import load_by_name, registry, transformers


def parameters_of(use, kind):
    """Parameters of a function by name; None if it takes any name."""
    path, arguments = registry.path_of(use, kind), load_by_name.ARGUMENTS[kind]
    if kind == "embed":
        function = transformers.function(path)
    else:
        function = load_by_name.function(path, *arguments)
    return load_by_name.parameters_of(function, len(arguments))


def takes(use, kind, name):
    """Whether a function has a parameter of this name; None if that is not known."""
    try:
        known = parameters_of(use, kind)
    except InputError:
        return None
    return None if known is None else name in known


def defaults(use, kind):
    """Defaults of the parameters of a function; none of one that cannot be imported."""
    try:
        found = parameters_of(use, kind) or {}
    except InputError:
        return {}
    return {name: p.default for name, p in found.items() if p.default is not p.empty}
