"""Endings of the files that can be looked at."""

from noneuclid_compare.data.files.edge_lists import GRAPHS
from noneuclid_compare.data.files.tables import TABLES
from noneuclid_compare.data.files.vectors import ARRAYS, NAMED

SUFFIXES = (".h5ad", *ARRAYS, *NAMED, *GRAPHS, *TABLES)
