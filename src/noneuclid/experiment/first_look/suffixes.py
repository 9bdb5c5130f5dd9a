"""Endings of the files that can be looked at."""

from noneuclid.datasets.files.tables import TABLES

GRAPHS = (".gml", ".graphml", ".edges", ".edgelist")
SUFFIXES = (".h5ad", ".npz", ".npy", *GRAPHS, *TABLES)
