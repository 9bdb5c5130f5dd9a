"""With `keep_points: false`, points are deleted after the last job that reads them."""

from pathlib import Path

import pytest
from background import ended
from small_run import ACQUIRE, EMBED, SPLIT, TARGETS, forget_tree, results

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("faults")]

OPTIONS = ("--config", "keep_points=False", "--", *TARGETS)
SHORT = {str(Path(path).relative_to("results")) for path in (ACQUIRE, EMBED)}


@pytest.mark.slow
def test_only_the_points_are_missing(code, undisturbed, tmp_path):
    ended(code, tmp_path, *OPTIONS)
    kept = results(undisturbed)
    assert set(kept) >= SHORT
    assert results(tmp_path) == {name: kept[name] for name in kept if name not in SHORT}
    assert "Nothing to be done" in ended(code, tmp_path, *OPTIONS).text

    forget_tree(tmp_path)
    # Points that are made again count as changed for all that reads them.
    again = ended(code, tmp_path, *OPTIONS)
    assert again.finished == {ACQUIRE, EMBED, SPLIT, *TARGETS}
    assert not any((tmp_path / path).exists() for path in (ACQUIRE, EMBED))
