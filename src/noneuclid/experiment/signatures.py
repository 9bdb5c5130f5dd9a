"""Parameters of loaders, embeddings and illustrations, read from their signatures."""

from noneuclid.errors import InputError
from noneuclid.experiment import imports, public_names, transformers


def parameters_of(use, kind):
    """Parameters of a function by name; None if it takes any name."""
    path, arguments = public_names.path_of(use, kind), imports.ARGUMENTS[kind]
    if kind == "embed":
        function = transformers.function(path)
    else:
        function = imports.function(path, *arguments)
    return imports.parameters_of(function, len(arguments))


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
