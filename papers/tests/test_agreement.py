"""Words for a printed number beside ours, and their power."""

import numpy as np
import pandas as pd
import pytest
from cases import each_of

from noneuclid_papers.printed import reproduction_status

CELL = {
    **{"paper": "p", "table": "t", "dataset": "d", "variant": "", "method": "A"},
    **{"metric": "accuracy", "unit": "%", "printed": "80.0 ± 1.0", "published": 0.8},
    **{"ours": 0.8, "tolerance": 0.01, "status": "", "imitations": 0},
}


def cell(**changes):
    found = CELL | changes
    return found | {"difference": found["ours"] - found["published"]}


@each_of(
    ("changes", "word"),
    [
        ({"ours": 0.8005}, reproduction_status.EXACT),
        ({"ours": 0.8006}, reproduction_status.CLOSE),
        ({"ours": 0.79}, reproduction_status.CLOSE),
        ({"ours": 0.7899}, reproduction_status.OUTSIDE),
        ({"ours": 0.81, "tolerance": 0.021}, reproduction_status.NOT_JUDGED),
        ({"ours": 0.83, "tolerance": 0.021}, reproduction_status.OUTSIDE),
        ({"ours": 0.8, "tolerance": 0.021}, reproduction_status.EXACT),
        ({"ours": 0.8, "tolerance": np.nan}, reproduction_status.EXACT),
        ({"ours": 0.1, "tolerance": np.nan}, reproduction_status.NOT_JUDGED),
        ({"ours": np.nan}, reproduction_status.NOT_RUN),
        ({"published": np.nan}, reproduction_status.NOT_JUDGED),
        ({"metric": "p_value", "published": 0.03, "ours": 0.06}, reproduction_status.OTHER_SIDE),
        ({"metric": "p_value", "published": 0.03, "ours": 0.0031}, reproduction_status.ALIKE),
        ({"metric": "p_value", "published": 0.03, "ours": 0.0029}, reproduction_status.SAME_SIDE),
        ({"unit": "s", "ratio": np.nan, "printed_ratio": np.nan}, reproduction_status.NOT_JUDGED),
        ({"unit": "s", "ratio": 3.0, "printed_ratio": 1.6}, reproduction_status.ALIKE),
        ({"unit": "s", "ratio": 3.0, "printed_ratio": 1.4}, reproduction_status.SAME_SIDE),
        ({"unit": "s", "ratio": 0.9, "printed_ratio": 1.4}, reproduction_status.OTHER_SIDE),
    ],
)
def test_each_word(changes, word):
    assert reproduction_status.word(cell(**changes)) == word


def test_a_count_may_be_off_by_a_quarter_at_most():
    count = {"unit": "count", "printed": "100", "published": 100.0, "ours": 120.0}
    assert reproduction_status.word(cell(**count, tolerance=25.0)) == reproduction_status.CLOSE
    assert reproduction_status.word(cell(**count, tolerance=25.1)) == reproduction_status.NOT_JUDGED


@each_of(
    ("accuracy", "f1", "word"),
    [
        (0.8, 0.8, reproduction_status.EXACT),
        (0.8, 0.806, reproduction_status.CLOSE),
        (0.79, 0.8, reproduction_status.CLOSE),
        (0.8, 0.9, reproduction_status.OUTSIDE),
        (0.789, 0.8, reproduction_status.OUTSIDE),
        (0.789, 0.9, reproduction_status.OUTSIDE),
        (np.nan, 0.8, reproduction_status.NOT_RUN),
        (0.8, np.nan, reproduction_status.EXACT),
    ],
)
def test_an_accuracy_and_its_weighted_f1_are_one_observation_with_the_worse_word(
    accuracy, f1, word
):
    f1 = cell(metric="f1_weighted", unit="1", printed="0.80", ours=f1, fault="x")
    accuracy = cell(ours=accuracy, fault="x")
    both = (word, reproduction_status.PAIRED)
    assert tuple(reproduction_status.words([accuracy, f1])) == both
    assert tuple(reproduction_status.words([f1, accuracy])) == both[::-1]
    wide = cell(ours=0.81, tolerance=0.021, fault="x")
    assert reproduction_status.words([wide, f1])[0] == reproduction_status.NOT_JUDGED
    own = [reproduction_status.word(accuracy), reproduction_status.word(f1)]
    for name in (*reproduction_status.ROW, "method", "fault"):
        assert reproduction_status.words([accuracy | {name: "other"}, f1]) == own


def test_a_repeated_number_is_not_judged_and_has_no_partner():
    f1 = cell(metric="f1_weighted", unit="1", printed="0.80", ours=0.9)
    accuracy = cell(counted_in="u, v")
    words = [reproduction_status.REPEATED, reproduction_status.OUTSIDE]
    assert reproduction_status.words([accuracy, f1]) == words
    words = [reproduction_status.EXACT, reproduction_status.REPEATED]
    assert reproduction_status.words([cell(), f1 | {"counted_in": "u, v"}]) == words


def test_the_interval_on_the_papers_rows_is_in_whole_predictions():
    # 2 √(0.0025 · 1000) = 3.16 predictions.
    assert reproduction_status.tolerance("accuracy", 0.0005, 1000, 9.0) == pytest.approx(0.0035)
    assert reproduction_status.tolerance("accuracy", 0.0, 34, 9.0) == 0.0
    assert (
        reproduction_status.tolerance("optimality_gap", 0.0, 34, 9.0) == reproduction_status.SHARE
    )


def test_intervals_of_gaps_and_counts_are_narrow_beside_the_number():
    for kind in ({"metric": "optimality_gap", "unit": "1"}, {"unit": "count"}):
        words = [
            reproduction_status.word(
                cell(printed="0.100", published=0.1, ours=0.12, tolerance=t, **kind)
            )
            for t in (0.0249, 0.0251)
        ]
        assert words == [reproduction_status.CLOSE, reproduction_status.NOT_JUDGED]


def test_times_are_compared_with_the_first_method():
    times = [cell(unit="s", method=m, published=p, ours=o) for m, p, o in
             (("A", 2.0, 0.1), ("B", 6.0, 0.4), ("C", 1.0, np.nan))]  # fmt: skip
    times = pd.DataFrame(times).assign(commit="c", machine="m")
    found = reproduction_status.ratios(times)
    assert found["ratio"].tolist() == pytest.approx([np.nan, 4.0, np.nan], nan_ok=True)
    assert found["printed_ratio"].tolist() == pytest.approx([np.nan, 3.0, np.nan], nan_ok=True)
    for name in ("commit", "machine"):
        found = reproduction_status.ratios(times.assign(**{name: ["x", "y", "x"]}))
        assert found["ratio"].isna().all()
        assert found["printed_ratio"].tolist() == pytest.approx([np.nan, 3, np.nan], nan_ok=True)


def test_powers_of_two_cells():
    close = cell(ours=0.805, status=reproduction_status.CLOSE)
    other = cell(
        method="B", ours=0.791, published=0.791, printed="79.1", status=reproduction_status.EXACT
    )
    found = reproduction_status.powers(pd.DataFrame([close, other]))
    assert found["shift"] == (1.0, 1)
    # 0.791 is 0.009 from 0.8, within; 0.805 is 0.014 from 0.791, outside.
    assert found["method"] == found["method_all"] == (0.5, 2)
    assert found["garbage"] == (pytest.approx(0.98), 2)
    found = reproduction_status.powers(pd.DataFrame([close | {"tolerance": 0.017}]))
    assert found["shift"] == (0.5, 1)
    assert found["method"][1] == 0


def test_garbage_has_an_attempt_for_each_imitation_whether_it_succeeds_or_not():
    for status in (
        reproduction_status.IMITATED,
        reproduction_status.OUTSIDE,
        reproduction_status.EXACT,
    ):
        tried = [cell(status=status, imitations=2), cell(status=reproduction_status.NOT_RUN)]
        found = reproduction_status.powers(pd.DataFrame(tried))["garbage"]
        assert found == (pytest.approx(0.98**3), 1)


def test_a_number_of_two_methods_alike_is_counted_apart():
    both = [cell(method=m, status=reproduction_status.EXACT) for m in "AB"]
    found = reproduction_status.powers(pd.DataFrame(both))
    assert (found["method"][1], found["method_all"]) == (0, (0.0, 2))


def test_garbage_of_counts_is_log_uniform():
    count = {"unit": "count", "printed": "1e3", "published": 1e3, "ours": 1e3, "tolerance": 200.0}
    found = reproduction_status.powers(
        pd.DataFrame([cell(**count, status=reproduction_status.CLOSE)])
    )
    assert found["garbage"][0] == pytest.approx(1 - np.log(1.2 / 0.8) / np.log(1e6))
