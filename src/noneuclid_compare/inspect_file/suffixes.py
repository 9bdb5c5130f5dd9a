"""Endings of the files that can be looked at."""

from noneuclid_compare.data.files.edge_lists import GRAPHS
from noneuclid_compare.data.files.feature_tables import BIOM
from noneuclid_compare.data.files.tables import TABLES

SUFFIXES = (".h5ad", ".npz", ".npy", BIOM, *GRAPHS, *TABLES)
