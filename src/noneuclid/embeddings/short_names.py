"""Short names of the transformers, as configurations use them: those of their files."""

from noneuclid import _MODULE_OF

TRANSFORMERS = {
    module.rpartition(".")[2]: name
    for name, module in _MODULE_OF.items()
    if module.startswith("embeddings.") and name != "SignatureSearch"  # which has no points
}
"""Public names of the transformers by their short names."""
