"""The numbers of the README are those of the benchmarks it names."""

import re

from findings_text import bench
from paper_mirror import ROOT

README = " ".join((ROOT / "README.md").read_text().split())


def test_certified_problems():
    found = bench("hyperboloid_svm_tables").query("solver == 'optimal'")
    said = int(re.search(r"All (\d+) binary problems", README)[1])
    assert found["certified"].sum() == found["problems"].sum() == said
    assert "eleven data sets" in README
    assert (found["set"].nunique(), found["largest_gap"].max() <= 1e-6) == (11, True)


def test_speed_of_forests():
    forests = bench("trees").query("trees > 1")
    low, high = map(
        float, re.search(r"in ([\d.]+) to ([\d.]+) times scikit-learn's", README).groups()
    )
    assert (round(forests["fit_ratio"].min(), 1), round(forests["fit_ratio"].max(), 1)) == (
        low,
        high,
    )
    slower = (forests["hyperdt_fit_s"] / forests["noneuclid_fit_s"]).min()
    assert slower > int(re.search(r"takes over (\d+) times ours", README)[1])


def test_gain_of_curvature():
    page = " ".join((ROOT / "papers/docs/curvature.md").read_text().split())
    low, high = re.search(r"by (\S+) to (\S+) points on average", README).groups()
    assert f"by {low} to {high} points within a kind of method" in page
    assert "44 data sets" in README
    assert "over 44 data sets" in page
