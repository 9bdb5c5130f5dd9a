"""What docs/inference.md says of rows in groups is what benchmarks/group_inference.tsv holds."""

from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[2]


def test_sentence_of_groups():
    table = pd.read_csv(ROOT / "benchmarks/group_inference.tsv", sep="\t")
    largest = table.loc[table["effect"].idxmax()]
    said = " ".join((ROOT / "docs/inference.md").read_text().split())
    assert f"{largest['score_groups']:.0f} % of the intervals cover the score for new" in said
    assert f"{largest['score_rows']:.0f} % with random folds" in said
    assert (table["score_groups"] >= 93).all()
    # Without an effect random folds flatter nothing, and are not said to.
    assert table.loc[table["effect"] == 0, "flattery"].item() >= 90
