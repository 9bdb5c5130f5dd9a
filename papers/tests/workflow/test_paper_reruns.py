import json
import zipfile

import jsonschema
import pytest
import yaml
from snakemake_copies import ROOT

from noneuclid_compare import provenance

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow of the papers")]

PAIRS = ["gaussians/given", "karate/hydra"]


@pytest.fixture
def restored(finished):
    """The finished copy; files edited by a test are put back, with their new times."""
    with finished.restored():
        yield finished


def test_second_run_starts_no_job(finished):
    assert finished.planned() == []


def test_certificates_follow_their_schema(finished):
    path = ROOT / "papers/workflow/certify.schema.yaml"
    schema = yaml.safe_load(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    for file in CERTIFIED:
        jsonschema.validate(json.loads((finished.folder / file).read_text()), schema)


CERTIFIED = [f"results/certify/{pair}.json" for pair in PAIRS]
SHOWN = ["results/gaps/certificates.tsv", "results/report/index.html"]


def test_another_c_solves_the_certificates_alone(restored):
    restored.edit("tiny.yaml", "C: [1, 10]", "C: [1, 5]")
    assert restored.planned() == [*CERTIFIED, *SHOWN]


def test_editing_a_solver_solves_the_certificates_and_trains_what_uses_it(restored):
    restored.edit_code("src/noneuclid/solvers/hyperboloid/relaxations/sdp_relaxation.py")
    planned = restored.planned()
    trained = {f"results/train/{pair}/hyperboloid_svm_pgd/0.npz" for pair in PAIRS}
    assert {*CERTIFIED, *SHOWN, *trained} <= set(planned)
    assert not [output for output in planned if "/tree/" in output]


ILLUSTRATED = ["results/illustrate/reference_points.json", "results/report/index.html"]


def test_editing_a_picture_or_an_illustration_draws_it_alone(restored):
    picture = "papers/src/noneuclid_papers/figures/hyperplanes.py"
    illustration = "papers/src/noneuclid_papers/illustrations/reference_points.py"
    restored.edit_code(picture)
    restored.edit_code(illustration)
    assert restored.planned() == [SHOWN[0], *ILLUSTRATED]
    # Neither stage reads the other's file.
    names = [path[11:-3].replace("/", ".") for path in (picture, illustration)]
    stages = ("noneuclid_papers.stages.gaps", "noneuclid_compare.stages.illustrate")
    for stage, own, other in ((stages[0], *names), (stages[1], *names[::-1])):
        read = provenance.closure(stage, own)
        assert own in read
        assert other not in read


def test_other_settings_of_an_illustration_draw_it_alone(restored):
    restored.edit("tiny.yaml", 'params: {classes: ["0", "2"]}', 'params: {classes: ["0", "1"]}')
    assert restored.planned() == ILLUSTRATED


def test_the_page_and_snakemakes_report_show_illustrations(finished):
    page = (finished.folder / "results/report/index.html").read_text()
    assert "<h2>Reference points</h2>" in page
    for format in ("png", "svg", "pdf", "tsv"):
        assert f'href="figures/reference_points/log_maps.{format}"' in page
    done = finished.run("--report", "report.zip")
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(finished.folder / "report.zip") as archive:
        names = [name.rpartition("/")[2] for name in archive.namelist()]
    assert {"log_maps.png", "closest_pair.png", "boundaries.png", "hyperboloid.png"} <= set(names)


def test_certificates_of_some_data_sets(restored):
    restored.edit("tiny.yaml", "certificates:\n", "certificates:\n  datasets: [karate]\n")
    assert restored.planned() == SHOWN


def test_without_certificates_there_is_no_section(restored):
    text = restored.config.read_text()
    head, tail = text.split("certificates:\n")
    restored.config.write_text(head + tail[tail.index("report:") :])
    assert restored.planned() == ["results/report/index.html"]
    done = restored.run("--dry-run", "results/gaps/certificates.tsv")
    assert "the configuration has no `certificates:`" in done.stdout + done.stderr
