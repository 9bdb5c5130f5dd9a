"""The workflows of GitHub name steps, targets and files that exist."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
# None in a source distribution.
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), flags=re.M))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_step_is_an_action_of_one_version_or_a_target_of_make(path):
    workflow = yaml.safe_load(path.read_text())
    when = workflow[True]  # YAML reads the key `on` as true
    nightly = path.stem == "nightly"
    assert set(when) == ({"schedule", "workflow_dispatch"} if nightly else {"push", "pull_request"})
    targets = set()
    for job in workflow["jobs"].values():
        choices = job.get("strategy", {}).get("matrix", {}).get("include", [{}])
        for step in job["steps"]:
            assert len(step.keys() & {"uses", "run"}) == 1
            assert re.fullmatch(r"actions/[\w-]+@v\d+", step.get("uses", "actions/none@v1"))
            for choice in choices:
                command = step.get("run", "")
                for name, value in choice.items():
                    command = command.replace("${{ matrix." + name + " }}", value)
                targets |= set(re.findall(r"^make ([^\s]+)", command, flags=re.M))
    assert targets
    assert targets <= TARGETS


def test_files_that_make_runs_exist():
    text = (ROOT / "Makefile").read_text()
    named = set(re.findall(r"(?<!/)\b(?:benchmarks|papers|tests|docs)/[\w./]*\.(?:py|txt)\b", text))
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).is_file()] == []
