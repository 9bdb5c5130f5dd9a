"""With `keep_models: false`, nothing is fitted on all rows, and predictions are the same."""

import pytest
from background import ended
from small_run import MAJORITY, TARGETS, TREE, results

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("faults")]

OPTIONS = ("--config", "keep_models=False")


def test_predictions_are_the_same_and_no_model_is_kept(code, undisturbed, tmp_path):
    done = ended(code, tmp_path, *OPTIONS, "--", *TARGETS)
    assert {TREE, MAJORITY} <= done.finished
    kept = results(undisturbed)
    without = {name: kept[name] for name in kept if not name.startswith("models/")}
    assert without != kept
    assert results(tmp_path) == without


def test_the_whole_run_has_a_page_without_disks(code, tmp_path):
    ended(code, tmp_path, *OPTIONS)
    made = results(tmp_path)
    assert not any(name.startswith(("models/", "draw/")) for name in made)
    page = (tmp_path / "results/report/index.html").read_text()
    assert "disks need an embedding and kept models" in page
    assert "The run kept no models" in page
    assert "results/models" not in page
