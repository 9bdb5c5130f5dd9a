"""The kept tables, read once for each file of tests."""

import pytest
from findings_text import kept_cells, kept_imitations


@pytest.fixture(scope="module")
def cells():
    return kept_cells()


@pytest.fixture(scope="module")
def imitations():
    return kept_imitations()
