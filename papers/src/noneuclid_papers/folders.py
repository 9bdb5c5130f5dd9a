"""Where the papers' files are: configurations, tables and rules lie beside the package."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ("cho2019", "pan2023", "chlenski2024", "yang2024", "acharya2026")
PRINTED, KEPT, CONFIG = ROOT / "printed", ROOT / "kept", ROOT / "config"


def lead_jobs_here():
    """Put this package first in the search path of all processes that start from now on."""
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
