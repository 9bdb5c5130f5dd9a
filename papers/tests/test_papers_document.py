"""papers/docs/papers.md names every figure of the papers, and files that there are."""

import re

import pandas as pd
import pytest
import yaml
from paper_mirror import ROOT

LAST = {"cho2019": 3, "pan2023": 9, "chlenski2024": 8, "yang2024": 14, "acharya2026": 4}
TEXT = (ROOT / "papers/docs/papers.md").read_text()
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| ")]
FIGURES = [row for row in ROWS if re.match(r"[a-z]+20\d\d, \d", row[0])]


def numbers(cell):
    """Numbers of figures in a first column, such as "7 to 10" or "2, 8"."""
    text = cell.partition(", ")[2]
    first, *last = map(int, re.findall(r"\d+", text))
    return range(first, last[0] + 1) if " to " in text else (first, *last)


@pytest.mark.parametrize("paper", LAST)
def test_every_figure_has_a_row(paper):
    found = [number for row in FIGURES if row[0].startswith(paper) for number in numbers(row[0])]
    assert set(found) == set(range(1, LAST[paper] + 1))


def test_named_files_exist():
    for path in re.findall(r"`((?:papers/)?(?:config|benchmarks|solvers)/[^`]+)`", TEXT):
        folder = ROOT / "src/noneuclid" if path.startswith("solvers") else ROOT
        assert (folder / path).exists(), path
    names = {name for name in re.findall(r"`([a-z]+20\d\d[a-z_0-9]*)`", TEXT)}
    assert {name for name in names if not (ROOT / f"papers/config/{name}.yaml").exists()} == set()


def test_commands_of_documents_and_configurations_run_the_workflow_of_the_papers():
    for path in [*(ROOT / "papers/docs").glob("*.md"), *(ROOT / "papers/config").rglob("*.yaml")]:
        text = path.read_text()
        for line in re.findall(r".*snakemake .*--configfile.*", text):
            assert "--snakefile papers/workflow/Snakefile" in line, path
        for name, quick in re.findall(r"^# .*noneuclid paper (\w+)( --quick)?$", text, re.M):
            assert path.stem == name + quick.replace(" --", "_")


def test_figures_named_by_a_configuration_are_in_the_row_of_that_number():
    for path in (ROOT / "papers/config").glob("*.yaml"):
        for section, entry in yaml.safe_load(path.read_text()).get("illustrations", {}).items():
            for name in entry.get("figures", {}).values():
                paper, number = re.fullmatch(r"([a-z]+20\d\d)_figure_(\d+)[a-z]*", name).groups()
                rows = [row for row in FIGURES if row[0].startswith(f"{paper}, ")]
                (row,) = [
                    row
                    for row in rows
                    if int(number) in numbers(row[0]) and f"{section}/" in row[3]
                ]
                assert paper in row[2]


def test_gains_and_costs_of_the_robust_form():
    table = pd.read_csv(ROOT / "papers/benchmarks/yang2024_attack.tsv", sep="\t")
    scores = 100 * table.pivot(index=["scale", "attack"], columns="method", values="accuracy")
    plain = {"sdp": "sdp_C10", "optimal": "optimal_rho0_C10"}
    moved, still, gains, costs = (
        scores.xs(0.3, level="attack"),
        scores.xs(0, level="attack"),
        [],
        [],
    )
    for solver, name in plain.items():
        robust = [c for c in scores if c.startswith(f"{solver}_rho") and c != name]
        gains += (moved[robust].sub(moved[name], axis=0)).max().tolist()
        costs += (still[name] - still[f"{solver}_rho0.3_C10"]).tolist()
    words = re.sub(r"\s+", " ", TEXT)
    count = f"({table['runs'].iloc[0] * table['scale'].nunique()} data sets of two classes"
    assert count in words
    assert f"robust forms gain at most {max(gains):.1f} points when" in words
    assert f"ρ = 0.3 costs at most {max(costs):.1f} points when" in words
    lost = (still["sdp_C10"] - still["sdp_rho0.01_C10"])[0.4]
    assert f"with ρ = 0.01 loses {lost:.1f} points on the smallest scale" in words
