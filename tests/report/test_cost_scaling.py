"""Exponents of time and memory in the size of the data."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from reporting_fixtures import report_input
from score_rows import card

from noneuclid.geometry import charts
from noneuclid_compare import io
from noneuclid_compare.records import Embedded
from noneuclid_compare.report.sections import scale
from noneuclid_compare.report.tables import cost_scaling, score_tables
from noneuclid_compare.stages import embed, report


@pytest.fixture(scope="module")
def data():
    return report_input(5, size=40)


def sized(n_of, cost):
    cards = [card(name, "points", n, 2, d) for name, (n, d) in n_of.items()]
    rows = [
        (name, "e", "m", "", 0, k, metric, value)
        for name, (n, d) in n_of.items()
        for k in range(2)
        for metric, value in (("fit_seconds", cost(n, d)), ("peak_memory_mb", 100.0))
    ]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS), cards


def test_exponents_of_known_laws():
    sizes = {f"d{i}": (n, d) for i, (n, d) in enumerate([(10, 2), (20, 5), (80, 3), (99, 9)] * 2)}
    scores, cards = sized(sizes, lambda n, d: 1e-3 * n**1.5 * d)
    [row] = cost_scaling.exponents(cost_scaling.costs(scores, cards)).to_dict("records")
    assert row["fit_seconds_n"] == pytest.approx(1.5)
    assert row["fit_seconds_d"] == pytest.approx(1.0)
    assert row["peak_memory_mb_n"] == pytest.approx(0.0, abs=1e-9)


def test_three_sizes_have_no_exponent():
    scores, cards = sized({"a": (10, 2), "b": (20, 2), "c": (80, 2), "d": (80, 2)}, lambda n, d: n)
    [row] = cost_scaling.exponents(cost_scaling.costs(scores, cards)).to_dict("records")
    assert np.isnan(row["fit_seconds_n"])
    shown = cost_scaling.section(scores, cards)
    assert shown["laws"] == []
    assert shown["rows"][0]["times"] == "10 s to 80 s"


def test_exponents_that_no_method_has_have_no_column():
    sizes = {f"d{i}": (n, 2) for i, n in enumerate((10, 20, 80, 99))}
    shown = cost_scaling.section(*sized(sizes, lambda n, d: 3.0))
    assert shown["laws"] == ["exponent of time in n", "exponent of memory in n"]
    assert [text.split()[0] for text in shown["rows"][0]["exponents"]] == ["0.00", "0.00"]


@pytest.mark.parametrize(("others", "shown"), [([(10, 2)], 0), ([(20, 2)], 1), ([(10, 5)], 1)])
def test_data_of_one_size_have_no_figure(others, shown):
    sizes = {f"d{i}": size for i, size in enumerate([(10, 2), *others])}
    scores, cards = sized(sizes, lambda n, d: 3.0)
    run = SimpleNamespace(scores=scores, facts=cards, names=None, pictures=lambda title: [title])
    assert len(scale.SECTION.values(run)["figures"]) == shown


@pytest.mark.parametrize("chart", ["poincare", "hyperboloid"])
def test_facts_of_a_pair_that_is_not_drawn(tmp_path, chart):
    points = charts.convert(np.full((7, 2), 0.1), "poincare", chart)
    about = {"dataset": {"name": "d", "n": 7}, "embedding": {"name": "e"}}
    record = Embedded(points, chart, np.arange(7) % 2, ("a", "b"), about=about | {"other": 1})
    io.write_json(tmp_path / "embed/d/e.json", embed.card(record))
    assert report.facts(tmp_path, "d", "e") == about | {"dimension": 2}


def test_pairs_without_facts_are_left_out(data):
    table = cost_scaling.costs(data["scores"], data["cards"][:2])
    assert set(table["dataset"]) == {"karate", "olsson"}
    assert table["peak_memory_mb"].isna().all()
