"""Settings that a loader or an embedding reads, found in its source without importing it."""

import ast
from functools import cache

from noneuclid.experiment import provenance


def known_settings(module):
    """Settings that a module of this package accepts.

    Parameters
    ----------
    module : str
        Dotted name.

    Returns
    -------
    tuple of str, or None
        The keys of the defaults that its one call of ``settings_of`` names; None where they cannot
        be told, and only the job will check.

    Examples
    --------
    >>> known_settings("noneuclid.datasets.generators.random_tree")
    ('nodes', 'low', 'high')
    >>> known_settings("noneuclid.embeddings.refined_hydra")
    """
    found = _checked(module)
    return None if found is None else tuple(found)


@cache
def defaults(module):
    """Settings of a module with their defaults, as far as the source writes them out.

    Examples
    --------
    >>> defaults("noneuclid.datasets.generators.random_tree")
    {'nodes': 1000, 'low': 0.03, 'high': 0.1}
    >>> defaults("noneuclid.datasets.shipped.karate")
    {}
    """
    found = _checked(module) or {}
    return {key: ast.literal_eval(node) for key, node in found.items() if _is_written_out(node)}


@cache
def _checked(module):
    """Settings and nodes of their defaults, by the one call that checks them; None if unclear."""
    calls = [node for node in ast.walk(_tree(module)) if _is_check(node)]
    return _entries(calls[0].args[1], module) if len(calls) == 1 else None


def _is_written_out(node):
    """Whether an expression says its value without a name in it."""
    return not any(isinstance(part, (ast.Name, ast.Call)) for part in ast.walk(node))


def _is_check(node):
    """Whether a node is ``settings_of(settings, defaults, name)``: all settings are checked."""
    return (
        isinstance(node, ast.Call)
        and _name(node.func) == "settings_of"
        and _name(node.args[0]) == "settings"
    )


def _entries(node, module):
    """Keys and values of an expression that is a dictionary, as names and imports lead to it."""
    if isinstance(node, ast.Dict):
        parts = [
            _entries(value, module) if key is None else {getattr(key, "value", None): value}
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return None if None in parts else {k: v for part in parts for k, v in part.items()}
    if isinstance(node, ast.Attribute):
        origin = _imports(module).get(_name(node.value))
        return _entries(ast.Name(node.attr), ".".join(origin)) if origin else None
    name = _name(node)
    for step in _tree(module).body:
        if isinstance(step, ast.Assign) and _name(step.targets[0]) == name:
            return _entries(step.value, module)
    if name in _imports(module):
        origin, original = _imports(module)[name]
        return _entries(ast.Name(original), origin)
    return None


def _name(node):
    """The name that a node is, or None."""
    return getattr(node, "id", None)


@cache
def _tree(module):
    """Parsed source of a module; nothing for one that is not of this package."""
    file = provenance.module_file(module)
    return ast.parse(b"" if file is None else file.read_bytes())


@cache
def _imports(module):
    """Names that a module takes from others: (module, name there) of each."""
    return {
        alias.asname or alias.name: (step.module, alias.name)
        for step in _tree(module).body
        if isinstance(step, ast.ImportFrom)
        for alias in step.names
    }
