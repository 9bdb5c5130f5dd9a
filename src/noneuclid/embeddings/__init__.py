"""Embeddings of data sets in hyperbolic space, and flat ones to compare them with.

An embedding is a module with ``embed(dataset, seed, *, ...) -> Embedded``. `seed` decides what is
random: the start, samples, and the rows on which the distortion is measured if there are many. The
other parameters are keyword arguments; those without a default are required. An embedding raises
`InputError` for an illegal value. ``fit_map(dataset, embedded) -> Map``, where a module has it,
gives the map for new samples.
"""
