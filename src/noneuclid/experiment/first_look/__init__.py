"""A look at files of the user, and the configuration that it leads to."""

from noneuclid.datasets.files.tables import TABLES

GRAPHS = (".gml", ".graphml", ".edges", ".edgelist")
SUFFIXES = (".h5ad", ".npz", ".npy", *GRAPHS, *TABLES)
