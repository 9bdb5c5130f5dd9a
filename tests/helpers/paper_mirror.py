"""Where the repository lies, and the papers' data files, if this machine has them."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = (ROOT / "resources/mirror", ROOT.parent / "shared/data")
MIRROR = Path(
    os.environ.get("NONEUCLID_MIRROR") or next(filter(Path.is_dir, PLACES), PLACES[0])
).resolve()
needs_mirror = pytest.mark.needs_mirror
