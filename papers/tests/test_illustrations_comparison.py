"""Groups of methods on every data set."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from noneuclid.errors import InputError
from noneuclid_compare.report.tables import score_tables
from noneuclid_papers.illustrations import comparison

GROUPS = {"curved": ["hilbert", "funk"], "flat": ["logistic"]}


def scores(datasets=7):
    rng = np.random.default_rng(0)
    rows = [
        (f"d{k}", "e", method, "", 0, fold, "balanced_accuracy", rng.uniform(0.5, 1))
        for k in range(datasets)
        for method in ("hilbert", "funk", "logistic", "unused")
        for fold in range(3)
        if (k, method) != (0, "funk")
    ]
    times = [(*row[:6], "fit_seconds", 1.0) for row in rows]
    return pd.DataFrame(rows + times, columns=score_tables.COLUMNS)


def test_every_mean_and_spread_is_drawn():
    table = scores()
    figure, text, shown = comparison.draw({}, {}, table, groups=GROUPS)["groups"]
    FigureCanvasAgg(figure).draw()
    assert text.startswith("Mean balanced accuracy on test rows")
    assert len(shown) == 3 * 7 - 1
    assert set(shown["method"]) == {"hilbert", "funk", "logistic"}
    for k, ax in enumerate(figure.axes[:7]):
        assert ax.get_title() == f"d{k}"
        for bars, methods in zip(ax.containers, GROUPS.values(), strict=True):
            marks, _, (whiskers,) = bars
            own = table[(table["dataset"] == f"d{k}") & (table["metric"] == "balanced_accuracy")]
            folds = [
                own.loc[own["method"] == m, "value"] for m in methods if m in set(own["method"])
            ]
            expected = [100 * values.mean() for values in folds]
            np.testing.assert_allclose(marks.get_xdata(), expected)
            for values, ends in zip(folds, whiskers.get_segments(), strict=True):
                assert np.ptp(ends[:, 0]) == pytest.approx(200 * values.std())
        best = shown[shown["dataset"] == f"d{k}"].set_index("method")["mean"]
        ring = ax.lines[-1]
        assert ring.get_xdata()[0] == pytest.approx(100 * best.max())
        assert ring.get_ydata()[0] == ["hilbert", "funk", "logistic"].index(best.idxmax())
    assert {shown.loc[shown["method"] == "funk", "group"].iloc[0]} == {"curved"}


@pytest.mark.parametrize(
    ("settings", "table", "said"),
    [
        ({"groups": GROUPS}, None, "set `scores: true`"),
        ({"groups": {}}, scores(), "give one to 5 groups, lists of methods"),
        ({"groups": {"a": ["knn"]}}, scores(), "no scores of 'knn'; it has funk, hilbert, log"),
        ({"groups": GROUPS, "metric": "f1"}, scores(), "no scores by 'f1'"),
    ],
)
def test_wrong_entries_are_named(settings, table, said):
    with pytest.raises(InputError, match=f"^{comparison.TITLE}: {said}"):
        comparison.draw({}, {}, table, **settings)
