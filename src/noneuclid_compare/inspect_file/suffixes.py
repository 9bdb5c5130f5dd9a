"""Endings of the files that can be looked at."""

from noneuclid_compare.data.files.edge_lists import GRAPHS
from noneuclid_compare.data.files.feature_tables import BIOM
from noneuclid_compare.data.files.tables import TABLES
from noneuclid_compare.data.files.vectors import ARRAYS, NAMED

SUFFIXES = (".h5ad", BIOM, *ARRAYS, *NAMED, *GRAPHS, *TABLES)
