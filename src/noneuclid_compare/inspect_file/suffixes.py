"""Endings of the files that can be looked at."""

from noneuclid_compare.data.files.tables import TABLES

GRAPHS = (".gml", ".graphml", ".edges", ".edgelist")
SUFFIXES = (".h5ad", ".npz", ".npy", *GRAPHS, *TABLES)
