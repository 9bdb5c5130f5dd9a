import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("studies")]


@pytest.mark.parametrize(("name", "datasets"), [("gaussians_quick", 10), ("networks_quick", 18)])
def test_quick_studies_plan(fresh, name, datasets):
    fresh.config.write_text((fresh.folder / f"config/studies/{name}.yaml").read_text())
    outputs = fresh.planned("results/study/tests.tsv")
    assert "results/study/pairs.tsv" in outputs
    assert "results/evaluate/scores.parquet" in outputs
    # acquire, embed and split once for each data set, train twice; evaluate and study; no drawing.
    assert len(outputs) == 5 * datasets + 2
    assert not any(output.startswith("results/draw") for output in outputs)


def test_a_study_is_refused_without_its_two_methods(fresh):
    done = fresh.run("--dry-run", "results/study/tests.tsv")
    text = done.stdout + done.stderr
    assert done.returncode != 0
    assert "the configuration has no `study:` with two methods to compare" in text
