"""Displays in the manner of scikit-learn's: the disk, products, compositions, trees."""

from importlib import import_module

_MODULE_OF = {
    "PoincareDiskDisplay": "disk_display",
    "ProductSpaceDisplay": "product_display",
    "SimplexDisplay": "simplex_display",
    "TreeDisplay": "tree_display",
}

__all__ = [*_MODULE_OF]


def __getattr__(name):
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute {name!r}")
