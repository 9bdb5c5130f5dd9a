"""Short names of the transformers, as configurations use them: those of their files."""

from noneuclid import _MODULE_OF

# Points of products have no chart, which those of a configuration have.
_OF_PRODUCTS = ("ProductEmbedding", "SignatureSearch")
TRANSFORMERS = {
    module.rpartition(".")[2]: name
    for name, module in _MODULE_OF.items()
    if module.startswith("embeddings.") and name not in _OF_PRODUCTS
}
"""Public names of the transformers by their short names."""
