"""Parameters of loaders, embeddings and illustrations, read from their signatures."""

from noneuclid.errors import InputError
from noneuclid.experiment import imports


def known_settings(module):
    """Names of the parameters of a module's function, None where only the job can check them.

    Examples
    --------
    >>> known_settings("noneuclid.datasets.generators.random_tree")
    ('nodes', 'low', 'high')
    """
    found = _parameters(module)
    return None if found is None else tuple(found)


def defaults(module):
    """Parameters of a module's function that have a default.

    Examples
    --------
    >>> defaults("noneuclid.datasets.generators.random_tree")
    {'nodes': 1000, 'low': 0.03, 'high': 0.1}
    """
    found = _parameters(module) or {}
    return {name: p.default for name, p in found.items() if p.default is not p.empty}


def _parameters(module):
    for name, arguments in imports.ARGUMENTS.items():
        try:
            function = imports.function(f"{module}.{name}", *arguments)
        except InputError:
            continue
        return imports.parameters_of(function, len(arguments))
    return None
