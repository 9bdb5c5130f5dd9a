import json

import pytest
from small_run import CONFIG

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("studies")]


def test_every_method_is_moved_by_every_distance(fresh):
    fresh.config.write_text(json.dumps({**CONFIG, "repeats": 2, "isometries": [1.5, 3.0]}))
    outputs = fresh.planned("results/evaluate/isometries.parquet")
    # Baselines on the original features are not moved; points that come embedded have none.
    assert [path for path in outputs if path.startswith("results/isometries/")] == [
        f"results/isometries/gaussians/given/{method}/{distance}/{repeat}.json"
        for method in ("majority", "tree")
        for distance in ("1.5", "3")
        for repeat in (0, 1)
    ]
    # Nothing waits for the scores, which do not depend on this key.
    assert "results/evaluate/scores.parquet" not in outputs
