import json
import os
import re
import subprocess
import sys

import pytest
import yaml

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

# Three times what an idle machine takes.
SECONDS, KIBIBYTES = 180, 2 * 2**20


def test_ten_thousand_jobs_are_planned_in_minutes_and_two_gigabytes(fresh):
    default = yaml.safe_load((fresh.folder / "config/config.yaml").read_text())
    names = list(default["methods"])[:10]
    dataset = {
        "each": {"number": 100},
        "use": "hyperbolic_gaussians",
        "embeddings": ["given"],
    }
    config = {key: default[key] for key in ("seed", "splits", "search", "embeddings")} | {
        "repeats": 10,
        "datasets": {"gaussians_{number}": dataset},
        "methods": {name: default["methods"][name] for name in names},
        "report": {"title": "Scale", "metric": "accuracy"},
    }
    fresh.config.write_text(json.dumps(config))
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--dry-run", "--quiet", "rules"]
    with open(fresh.folder / "plan.txt", "w") as out:
        process = subprocess.Popen(
            [*command, "--configfile", str(fresh.config)], cwd=fresh.folder, stdout=out, stderr=out
        )
        # Processor time: other programs do not count.
        _, status, used = os.wait4(process.pid, 0)
    text = (fresh.folder / "plan.txt").read_text()
    assert status == 0, text
    counts = {rule: int(n) for rule, n in re.findall(r"^(train\w*) +(\d+)$", text, flags=re.M)}
    assert counts == {"train": 9000, "train_and_keep": 1000}
    assert used.ru_utime + used.ru_stime < SECONDS
    assert used.ru_maxrss < KIBIBYTES
