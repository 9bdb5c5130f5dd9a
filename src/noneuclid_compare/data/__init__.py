"""Data sets: generators, data that ship with libraries, data of the papers, files of the user.

A loader is a module with ``load(files, seed, *, ...) -> Dataset``. `files` is a dictionary from a
role, such as ``data``, to a path; it is empty for data that are generated or ship with a library.
`seed` decides what is random, if anything is. The other parameters are keyword arguments; those
without a default are required. A loader raises `InputError` for an illegal value.
"""
