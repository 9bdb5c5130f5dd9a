"""Parameters of loaders, embeddings and illustrations."""

from noneuclid.experiment import module_settings, names


def known_parameters(use, kind):
    """Names of the parameters of a function; None where only the job can check them."""
    return module_settings.known_settings(names.origin_of(names.path_of(use, kind)))


def defaults(use, kind):
    """Parameters of a function that have a default."""
    return module_settings.defaults(names.origin_of(names.path_of(use, kind)))
