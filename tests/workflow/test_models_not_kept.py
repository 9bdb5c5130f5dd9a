"""With `keep_models: false`, nothing is fitted on all rows, and predictions are the same."""

import json

import numpy as np
import pytest
from background import ended
from small_run import DRAW, MAJORITY, MODEL, TARGETS, TREE, results

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("faults")]

OPTIONS = ("--config", "keep_models=False")


def test_predictions_are_the_same_and_no_model_is_kept(code, undisturbed, tmp_path):
    done = ended(code, tmp_path, *OPTIONS, "--", *TARGETS)
    assert {TREE, MAJORITY} <= done.finished
    kept = results(undisturbed)
    without = {name: kept[name] for name in kept if not name.startswith("models/")}
    assert without != kept
    # Records of fits lack what is known of the model on all rows.
    assert {k: fits(v) for k, v in results(tmp_path).items()} == {
        k: fits(v) for k, v in without.items()
    }


def fits(value):
    """A record, as text, without the model on all rows; or other content."""
    if not isinstance(value, str):
        return value
    record = json.loads(value)
    records = record if isinstance(record, list) else [record]
    return json.dumps([{k: v for k, v in one.items() if k != "model"} for one in records])


@pytest.mark.slow
def test_the_whole_run_has_a_page_with_disks_without_regions(code, tmp_path):
    (tmp_path / MODEL).parent.mkdir(parents=True)
    (tmp_path / MODEL).write_bytes(b"of an earlier run")
    other = tmp_path / "results/models/other/given/svm.skops"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"of another configuration")
    done = ended(code, tmp_path, *OPTIONS)
    assert "removed 1 model of an earlier run from results/models" in done.text
    assert not (tmp_path / MODEL).exists()
    assert other.exists()
    with np.load(tmp_path / DRAW) as disk:
        assert "points" in disk.files
        assert "regions" not in disk.files
    page = (tmp_path / "results/report/index.html").read_text()
    assert "The run kept no models" in page
    assert "results/models" not in page
    assert 'id="viewer"' in page
    assert "Coloured regions" not in page
