import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.workflow
def test_the_default_configuration_runs_to_its_report(fresh):
    fresh.config.write_text((ROOT / "config/config.yaml").read_text())
    done = fresh.run()
    assert done.returncode == 0, done.stdout + done.stderr
    runs = json.loads((fresh.folder / "results/evaluate/runs.json").read_text())
    assert len(runs) == 112
    page = (fresh.folder / "results/report/index.html").read_text()
    assert "hyperbolic_forest" in page
    assert "The global optimum is certified for all" in page
    assert len(list(fresh.folder.glob("results/models/*/*/*.skops"))) == 112
