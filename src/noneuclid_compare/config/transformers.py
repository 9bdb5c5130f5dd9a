"""Embeddings that a configuration names: functions, or transformer classes as such functions."""

import inspect

from noneuclid_compare.config import load_by_name, parameter_checks
from noneuclid_compare.embed import of_dataset


def function(path):
    """Import an embedding; anything else is refused, not called."""
    found = load_by_name.load(path)
    if not inspect.isclass(found):
        return load_by_name.function(path, *load_by_name.EMBED)
    parameter_checks.check_transformer(found, path)
    return of_dataset.as_function(found)


def embed(path, dataset, seed, **params):
    """Import an embedding and call it, after a check of the names of its parameters."""
    found = function(path)
    load_by_name.check_names(found, path, len(load_by_name.EMBED), params)
    return found(dataset, seed, **params)
