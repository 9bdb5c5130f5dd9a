"""Each kept table of a figure has an origin."""

import pandas as pd
from paper_mirror import ROOT

FOLDER = ROOT / "papers/kept/figures"


def test_each_kept_figure_has_an_origin():
    origins = pd.read_csv(FOLDER / "origins.tsv", sep="\t", dtype=str)
    files = {str(path.relative_to(FOLDER))[:-4] for path in FOLDER.glob("*/*.tsv")}
    assert set(origins["figure"]) == files
    assert not origins["commit"].str.contains("changes").any()
