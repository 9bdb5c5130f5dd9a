"""The list of figures and what the page, the stages and the workflow read from it."""

import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from reporting_fixtures import report_input

from noneuclid_compare.report.figures import figure_list, page_figures

FOLDER = Path(figure_list.__file__).parent


def test_every_figure_is_in_the_list_and_has_a_caption():
    files = {path.stem for path in FOLDER.glob("*.py") if "\nFIGURE = " in path.read_text()}
    assert files == {entry.name for entry in figure_list.FIGURES}
    for entry in figure_list.entries():
        figure = page_figures.load_figure(entry)
        assert re.fullmatch(r"[A-Z][^\n]+\.", page_figures.write_caption(figure, {}))
        assert page_figures.name_table(entry, figure).endswith(".tsv")


def test_the_list_is_read_without_a_library():
    heavy = "{'numpy', 'pandas', 'matplotlib', 'seaborn'}"
    code = (
        f"import sys; from {figure_list.__name__} import FIGURES; print({heavy} & {{*sys.modules}})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("sweep", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_stage_writes_the_figures_that_it_has_the_inputs_of(tmp_path, sweep):
    data = report_input(2, size=40, methods=("majority", "logistic", "hyperbolic_tree"))
    inputs = {"scores": data["scores"], "facts": data["cards"], "metric": "accuracy"}
    if sweep:
        names = {"karate": "d1", "olsson": "d2"}
        inputs["scores"] = data["scores"].replace({"dataset": names})
        for card in (inputs := inputs | {"facts": deepcopy(data["cards"])})["facts"]:
            card["dataset"]["name"] = names[card["dataset"]["name"]]
        inputs["pattern"] = r"(?P<name>d)(?P<value>\d)"
    drawn = page_figures.write_figures("report", inputs, tmp_path)
    expected = ["effects", "accuracy_time", "scale", *(["sweep"] if sweep else [])]
    assert list(drawn) == expected
    suffixes = (*page_figures.FORMATS, "tsv")
    files = {f"{n}.{s}" for n in expected for s in suffixes} | {"accuracy_time_narrow.svg"}
    assert {p.name for p in tmp_path.iterdir()} == files
    # All figures are there with a sweep.
    assert not sweep or drawn == page_figures.write_figures("report", inputs, tmp_path)
