"""The table of docs/layout.md names files and folders that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_paths_of_the_table_to_add_count_from_the_root():
    text = (ROOT / "docs/layout.md").read_text().partition("## To add")[2]
    paths = re.findall(r"`((?:\w+/)+[\w.]+)`", text)
    assert len(paths) > 20
    there = [path if "NAME" not in path else path.rpartition("/")[0] for path in paths]
    assert [path for path in there if not (ROOT / path).exists()] == []
