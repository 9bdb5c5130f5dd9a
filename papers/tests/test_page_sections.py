"""Sections of the papers on the page: studies and certificates."""

import json
import re

import pandas as pd
import pytest
from page_reader import Reader, saved
from reporting_fixtures import NASTY, SVG, report_input, run_of

from noneuclid_compare import io
from noneuclid_compare.report import page, section_list, style
from noneuclid_compare.report.tables import prediction_code
from noneuclid_papers.statistics import optimality_gaps, studies

FAMILY = {"embeddings": "e", "methods": []}
ROUTES = {"n_components": "_(2)", "flat": FAMILY, "hyperbolic": FAMILY}


@pytest.fixture
def render(tmp_path):
    """Function that writes a page of the data; files of other stages go to `tmp_path`."""
    return lambda data, config=None: page.render(run_of(tmp_path, data, config))


@pytest.fixture(scope="module")
def data():
    return report_input(5, size=40)


def test_sections_are_on_the_page_if_configured():
    config = {key: {} for key in ("study", "paired_tests", "certificates", "published")}
    config |= {"equivalence": 0.01, "routes": ROUTES, "datasets": {}, "embeddings": {}}
    added = ["routes", "study", "pairs", "probabilities", "certificates", "published"]
    names = list(section_list.entries(config))
    assert [name for name in names if name in added] == added
    assert names.index("verdict") < names.index("routes")
    assert names.index("probabilities") < names.index("data") < names.index("certificates")
    assert names[names.index("published") + 1] == "provenance"
    # What to use on each data set is no question of a study.
    assert "recommendation" in section_list.entries({"datasets": {}})
    assert "recommendation" not in section_list.entries({"datasets": {}, "study": {}})


def test_programs_are_known_and_not_recommended():
    use = "yang2024_released_pgd"
    assert style.family("cut", {"cut": use}) == "non-Euclidean"
    assert not style.is_usable("cut", {"cut": use})
    assert prediction_code.trust(use) == []


def write_study(folder, tests):
    io.write_table(folder / "study/tests.tsv", tests)
    for name in ("differences", "scatter"):
        io.write_bytes(folder / f"study/{name}.svg", SVG)


def test_a_study_has_its_section(data, render, tmp_path):
    html = render(data)
    assert 'id="study"' not in html
    assert "data sets are shown." not in html
    difference = [0.03, 0.02, 0.04, 0.02, -0.01]
    columns = {"metric": "accuracy", "series": [*"aaabb"], "difference": difference}
    found = studies.summary(pd.DataFrame(columns)).assign(first="a<b", second="flat")
    write_study(tmp_path, found)
    shown = render(data | {"cards": data["cards"][:2]}, {"study": {}})
    texts = " ".join("".join(Reader(shown).texts).split())
    # Data sets that are not drawn count in the tables.
    assert "Hyperbolic mixture" in texts
    assert "A<b compared with Flat" in texts
    # The mean of five is 2.0 with standard error 0.84, the quantile of Student's t 2.776.
    assert "all 5 4 / 0 / 1 +2.0 −0.3 to +4.3 1.9 0.038 0.062 1.07" in texts
    # No effect size of two pairs.
    assert re.search(r" b 2 1 / 0 / 1 \S+ \S+ to \S+ \S+ \S+ \S+ – ", texts)
    assert "data sets form" not in texts
    # Both figures name it, and so does the note where there is only one metric.
    figures = 2
    assert texts.count("Metric: accuracy (%).") == figures + 1
    losses = found.assign(metric="log_loss")
    write_study(tmp_path, pd.concat([found, losses]))
    shown_of_two = render(data, {"study": {}})
    texts_of_two = " ".join("".join(Reader(shown_of_two).texts).split())
    assert "accuracy (%) all 5" in texts_of_two
    assert texts_of_two.count("Metric: accuracy (%).") == figures
    assert saved(shown, "../study/") == {"pairs.tsv", "tests.tsv"} | {
        f"{name}.{ending}"
        for name in ("differences", "scatter")
        for ending in ("png", "svg", "pdf")
    }
    few = found[found["series"] == "b"]
    write_study(tmp_path, few)
    sentence = (
        "data sets form 2 groups of related ones, but this verdict treats them as independent."
    )
    for study, there in (({}, False), ({"group": "(.)"}, True)):
        words = " ".join("".join(Reader(render(data, {"study": study})).texts).split())
        assert (sentence in words) == there
    assert "The first 2 of 5 embedded data sets are shown." in texts


def test_certificates_have_their_section(data, render, tmp_path):
    assert 'id="certificates"' not in render(data)
    row = {"problem": NASTY, "C": 0.5, "n": 30, "n_positive": 7, "seconds": 0.01, "warning": NASTY}
    rows = [
        row | {"solver": kind, "kind": kind, "objective": f, "lower_bound": b, "status": "optimal",
               "gap": None if b is None else (f - b) / f}
        for kind, f, b in (("optimal", 2.0, 1.9999), ("sdp", 3.0, 0.5), ("pgd", 2.5, None))
    ]  # fmt: skip
    record = {"dataset": "a<b", "embedding": "e", "dimension": 2, "solutions": rows}
    table = optimality_gaps.long_table([record])
    io.write_table(tmp_path / "gaps/certificates.tsv", table.assign(w=table["w"].map(json.dumps)))
    for name in ("bounds", "hyperplanes"):
        io.write_bytes(tmp_path / f"gaps/{name}.svg", SVG)
    shown = render(data, {"certificates": {}})
    texts = " ".join("".join(Reader(shown).texts).split())
    assert "The global optimum is certified for 1 problem" in texts
    assert "1 of 1gap 5.0e-0510 ms +50.0 (+50.0) %bound −75.0 %10 ms +25.0 (+25.0) %10 ms" in texts
    assert f"{NASTY} 0.5 307 210 ms 5.0e-05 +50.0 %†bound −75.0 %10 ms +25.0 %†10 ms" in texts
    assert saved(shown, "../gaps/") == {
        *("certificates.tsv", "overview.tsv", "hyperplanes.tsv"),
        *(f"{name}.{end}" for name in ("bounds", "hyperplanes") for end in ("png", "svg", "pdf")),
    }
