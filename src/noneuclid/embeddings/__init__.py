"""Embeddings of data sets in hyperbolic space, and flat ones to compare them with.

An embedding is a file with one scikit-learn transformer, derived from `base.Embedding` or, with a
rule for new rows, from `base.InductiveEmbedding`. Its line among the public names of `noneuclid`
also gives it a short name for configurations, which is that of the file.

The workflow also takes functions ``embed(dataset, seed, *, ...) -> Embedded`` and any other
transformer (`of_dataset`). `seed` decides what is random: the start, samples, and the rows on which
the distortion is measured if there are many. An embedding raises `InputError` for an illegal value.
`Embedded.rule` places new rows: one of the records of `maps`.
"""
