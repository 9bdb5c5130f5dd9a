"""Where the papers' data files lie on this machine, if they do."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MIRROR = Path(os.environ.get("NONEUCLID_MIRROR") or ROOT / "resources/mirror")
needs_mirror = pytest.mark.skipif(
    not (MIRROR / "hsvm-relax").is_dir(),
    reason=f"no data files in {MIRROR}: set NONEUCLID_MIRROR to the folder that holds them",
)
