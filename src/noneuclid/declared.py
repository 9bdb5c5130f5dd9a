"""Settings that a loader or an embedding reads, found in its source without importing it."""

import ast
from functools import cache

from noneuclid import provenance


@cache
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
    >>> known_settings("noneuclid.datasets.random_tree")
    ('nodes', 'low', 'high')
    >>> known_settings("noneuclid.embeddings.refined_hydra")
    """
    calls = [node for node in ast.walk(_tree(module)) if _is_check(node)]
    found = _keys(calls[0].args[1], module) if len(calls) == 1 else None
    return None if found is None else tuple(dict.fromkeys(found))


def _is_check(node):
    """Whether a node is ``settings_of(settings, defaults, name)``: all settings are checked."""
    return (
        isinstance(node, ast.Call)
        and _name(node.func) == "settings_of"
        and _name(node.args[0]) == "settings"
    )


def _keys(node, module):
    """Keys of an expression that is a dictionary, as far as names and imports lead to it."""
    if isinstance(node, ast.Dict):
        parts = [
            _keys(value, module) if key is None else (getattr(key, "value", None),)
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return None if None in parts else tuple(name for part in parts for name in part)
    if isinstance(node, ast.Attribute):
        origin = _imports(module).get(_name(node.value))
        return _keys(ast.Name(node.attr), ".".join(origin)) if origin else None
    name = _name(node)
    for step in _tree(module).body:
        if isinstance(step, ast.Assign) and _name(step.targets[0]) == name:
            return _keys(step.value, module)
    if name in _imports(module):
        origin, original = _imports(module)[name]
        return _keys(ast.Name(original), origin)
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
