"""Embeddings that a configuration names: functions, or transformer classes as such functions."""

import inspect

from noneuclid.embeddings import of_dataset
from noneuclid.experiment import estimators, imports


def function(path):
    """Import an embedding; anything else is refused, not called."""
    found = imports.load(path)
    if not inspect.isclass(found):
        return imports.function(path, *imports.EMBED)
    estimators.check_transformer(found, path)
    return of_dataset.as_function(found)


def embed(path, dataset, seed, **params):
    """Import an embedding and call it, after a check of the names of its parameters."""
    found = function(path)
    imports.check_names(found, path, len(imports.EMBED), params)
    return found(dataset, seed, **params)
