"""The comparison of two procedures: known answers, invariances, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from noneuclid.errors import InputError
from noneuclid_compare.evaluation.inference import chosen, compare, interval, pipeline_intervals

SIDES = {"ours": ["a1", "a2"], "theirs": ["b1", "b2"]}
PIPELINES = ["a1", "a2", "b1", "b2"]


def table(scores, n_min=50, dataset="d", sizes=(80, 20), inner=None):
    """Long table of scores by pipeline, each (repeats, folds)."""
    columns = ["dataset", "pipeline", "repeat", "fold", "score", "n_train", "n_test", "n_min"]
    rows = [
        (dataset, name, r, f, score, *sizes, n_min)
        for name, values in scores.items()
        for r, repeat in enumerate(np.atleast_2d(values))
        for f, score in enumerate(repeat)
    ]
    found = pd.DataFrame(rows, columns=columns)
    return found if inner is None else found.assign(inner=found["pipeline"].map(inner))


def random_table(seed=0, sets=1, repeats=2, lead=0.0):
    """Scores of the four pipelines, those of the first procedure higher by `lead`."""
    rng = np.random.default_rng(seed)
    parts = []
    for k in range(sets):
        scores = {p: 0.7 + 0.05 * rng.normal(size=(repeats, 5)) for p in PIPELINES}
        scores = {p: s + lead * p.startswith("a") for p, s in scores.items()}
        parts.append(table(scores, n_min=40 + k, dataset=f"d{k}"))
    return pd.concat(parts, ignore_index=True)


def ends(found):
    return [found.difference, found.low, found.high, found.p, found.half_width, found.df]


def test_by_hand():
    """Fold 0 chooses by folds 1 and 2, and so on; d = 0.2, -0.1, 0.1 against b1."""
    scores = {"a1": [0.6, 0.9, 0.7], "a2": [0.9, 0.6, 0.8], "b1": [0.4, 0.7, 0.7]}
    found = compare(table(scores, n_min=10), {"ours": ["a1", "a2"], "theirs": ["b1"]})
    # Means of the others: a1 0.8, 0.65, 0.75; a2 0.7, 0.85, 0.75; the tie takes a1.
    d = np.array([0.6 - 0.4, 0.6 - 0.7, 0.7 - 0.7])
    variance = (1 / 3 + 20 / 80) * ((d - d.mean()) ** 2).sum() / 2 + 1 / (2 * 10**2)
    assert found.difference == pytest.approx(0.1 / 3)
    assert found.half_width == pytest.approx(4.302652729911275 * variance**0.5)
    assert (found.low, found.high) == pytest.approx(
        (found.difference - found.half_width, found.difference + found.half_width)
    )
    assert found.p == pytest.approx(2 * student.sf(0.1 / 3 / variance**0.5, 2))
    assert (found.df, found.folds, found.datasets, found.claim) == (2, 3, 1, "on this data set")
    # Means 0.733 and 0.767.
    assert (found.a, found.b, found.best_a, found.best_b) == ("ours", "theirs", "a2", "b1")
    assert found.better is None
    assert (found.left_out, found.skipped) == ((), 0)


def slowly_chosen(scores, repeat):
    """One fold after the other."""
    found = []
    for j in range(len(scores)):
        others = [i for i in range(len(scores)) if repeat[i] == repeat[j] and i != j]
        best = max(range(scores.shape[1]), key=lambda k: np.mean([scores[i, k] for i in others]))
        found.append(scores[j, best])
    return found


def test_choice_against_loop():
    rng = np.random.default_rng(1)
    scores, repeat = rng.normal(size=(11, 6)), np.array([0, 1, 1, 0, 2, 2, 2, 0, 1, 2, 0])
    assert chosen(scores, repeat) == pytest.approx(slowly_chosen(scores, repeat))


def test_choice_does_not_see_its_fold():
    rng = np.random.default_rng(2)
    scores, repeat = rng.normal(size=(10, 4)), np.repeat([0, 1], 5)
    column = np.flatnonzero(scores[3] == chosen(scores, repeat)[3])[0]
    for k in range(4):
        scores[3] = np.where(np.arange(4) == k, 9.0, np.arange(4) / 4)
        assert chosen(scores, repeat)[3] == scores[3, column]


@pytest.mark.parametrize("sets", [1, 2, 4, 5, 7])
def test_order_of_rows(sets):
    rows = random_table(sets=sets)
    mixed = rows.sample(frac=1, random_state=0)
    assert ends(compare(mixed, SIDES)) == pytest.approx(ends(compare(rows, SIDES)), abs=1e-12)
    pd.testing.assert_frame_equal(pipeline_intervals(mixed), pipeline_intervals(rows))


@pytest.mark.parametrize("sets", [1, 3, 6])
def test_swapped_sides(sets):
    rows = random_table(sets=sets)
    one, other = compare(rows, SIDES), compare(rows, dict(reversed(SIDES.items())))
    assert (other.difference, other.low, other.high) == (-one.difference, -one.high, -one.low)
    assert (other.p, other.half_width, other.df) == (one.p, one.half_width, one.df)
    assert (other.a, other.best_a) == (one.b, one.best_b)


@pytest.mark.parametrize("sets", [1, 3, 6])
def test_shift_scale_and_direction(sets):
    rows = random_table(sets=sets, lead=0.2)
    one = compare(rows, SIDES)
    assert one.better == "ours"
    moved = compare(rows.assign(score=rows["score"] + 3), SIDES)
    assert ends(moved) == pytest.approx(ends(one))
    percent = compare(rows.assign(score=100 * rows["score"]), SIDES, scale=100)
    assert (percent.difference, percent.low) == pytest.approx((100 * one.difference, 100 * one.low))
    assert percent.p == pytest.approx(one.p)
    losses = rows.assign(score=1 - rows["score"])
    turned = compare(losses, SIDES, larger=False)
    assert ends(turned) == pytest.approx(ends(one))
    assert (turned.best_a, turned.better) == (one.best_a, "ours")
    assert compare(losses, SIDES).better == "theirs"


def test_without_variance():
    """A difference of half of the rows is a claim, one of a thousandth is not."""
    flat = np.ones((3, 5))
    sides = {"ours": ["a1"], "theirs": ["b1"]}
    large = compare(table({"a1": flat, "b1": 0.5 * flat}), sides)
    small = compare(table({"a1": 0.901 * flat, "b1": 0.9 * flat}), sides)
    assert large.better == "ours"
    assert large.p < 1e-6
    assert small.better is None
    assert small.p > 0.5
    assert large.half_width == pytest.approx(student.ppf(0.975, 14) / (2**0.5 * 50))
    alike = compare(table({"a1": flat, "b1": flat}), sides)
    assert (alike.difference, alike.p, alike.better) == (0, 1, None)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sets", [1, 3, 6])
def test_interval_and_p_agree(seed, sets):
    found = compare(random_table(seed, sets, lead=0.03), SIDES)
    assert (found.p < 0.05) == (found.better is not None)


def test_one_repeat():
    found = compare(random_table(repeats=1), SIDES)
    assert (found.df, found.folds) == (4, 5)


def test_data_sets():
    """Two to four: variances add, after Welch; five: Student's t over their means."""
    one, many = (compare(random_table(sets=sets), SIDES) for sets in (1, 6))
    assert one.claim == "on this data set"
    assert (many.claim, many.df, many.datasets, many.folds) == ("on data like these", 5, 6, 60)
    rows = random_table(sets=6)
    single = [compare(part, SIDES) for _, part in rows.groupby("dataset")]
    gaps = np.array([each.difference for each in single])
    assert many.difference == pytest.approx(gaps.mean())
    least = np.mean([1 / (2 * (40 + k) ** 2) for k in range(6)]) / 6
    assert many.half_width == pytest.approx(
        student.ppf(0.975, 5) * (gaps.var(ddof=1) / 6 + least) ** 0.5
    )
    few = compare(rows[rows["dataset"] < "d3"], SIDES)
    errors = [each.half_width / student.ppf(0.975, 9) for each in single[:3]]
    variance = np.square(errors) / 9
    df = variance.sum() ** 2 / (variance**2 / 9).sum()
    assert (few.claim, few.df) == ("on these data sets", pytest.approx(df))
    assert few.half_width == pytest.approx(student.ppf(0.975, df) * variance.sum() ** 0.5)
    assert compare(rows[rows["dataset"] < "d4"], SIDES).claim == "on these data sets"
    five = compare(rows[rows["dataset"] < "d5"], SIDES)
    assert (five.claim, five.df) == ("on data like these", 4)


def test_many_sets_is_student():
    rng = np.random.default_rng(3)
    parts = [rng.normal(0.3, 1, size=5) for _ in range(12)]
    found = interval(parts, [0.25] * 12, [0.0] * 12)
    assert found["p"] == pytest.approx(ttest_1samp([part.mean() for part in parts], 0).pvalue)


def test_unequal_folds():
    """n_test/n_train is the mean over the folds."""
    rows = table({"a1": [0.8, 0.7, 0.9], "b1": [0.6, 0.7, 0.65]}, n_min=1000)
    rows["n_test"], rows["n_train"] = rows["fold"] + 10, 23 - rows["fold"]
    d = np.array([0.2, 0.0, 0.25])
    ratio = np.mean([10 / 23, 11 / 22, 12 / 21])
    found = compare(rows, {"ours": ["a1"], "theirs": ["b1"]})
    variance = (1 / 3 + ratio) * d.var(ddof=1) + 0.5e-6
    assert found.half_width == pytest.approx(student.ppf(0.975, 2) * variance**0.5)


@pytest.mark.parametrize("absent", [True, False])
def test_failed_fit(absent):
    """A pipeline without a score in one fold is left out, and counted."""
    rows = random_table()
    bad = (rows["pipeline"] == "a1") & (rows["fold"] == 2) & (rows["repeat"] == 1)
    lost = rows[~bad] if absent else rows.assign(score=rows["score"].mask(bad))
    found = compare(lost, SIDES)
    assert found.left_out == (("d0", "a1", 1),)
    only = compare(rows, SIDES | {"ours": ["a2"]})
    assert ends(found) == ends(only)
    row = pipeline_intervals(lost).loc["a1"]
    assert np.isnan(row["score"])
    assert (row["missing"], row["datasets"]) == (1, 0)


def test_failed_on_one_data_set():
    rows = random_table(sets=3)
    one = rows["dataset"] == "d1"
    lost = rows[~(one & rows["pipeline"].isin(SIDES["ours"]) & (rows["fold"] == 0))]
    found = compare(lost, SIDES)
    assert (found.datasets, found.skipped, found.folds) == (2, 1, 20)
    assert found.left_out == (("d1", "a1", 2), ("d1", "a2", 2))
    assert ends(found) == ends(compare(rows[~one], SIDES))
    first = rows[~((rows["pipeline"] == "a1") & (rows["dataset"] == "d0"))]
    first = first[~((first["pipeline"] == "a2") & (first["dataset"] == "d1"))]
    assert compare(first, SIDES).best_a is None
    assert pipeline_intervals(first).loc["a1", "datasets"] == 2


def test_holdout_takes_inner_scores():
    """A repeat of one fold: the pipeline with the best inner score, not the best score."""
    means = {"a1": 0.9, "a2": 0.7, "b1": 0.5}
    scores = {name: np.array([[mean], [mean + 0.1]]) for name, mean in means.items()}
    sides = {"ours": ["a1", "a2"], "theirs": ["b1"]}
    rows = table(scores, inner={"a1": 0.3, "a2": 0.4, "b1": 0.0})
    assert compare(rows, sides).difference == pytest.approx(0.2)
    assert compare(rows, sides, larger=False).difference == pytest.approx(-0.2)
    with pytest.raises(InputError, match="no other folds"):
        compare(rows.drop(columns="inner"), sides)
    with pytest.raises(InputError, match="no other folds"):
        compare(table(scores, inner={"a1": 0.3, "b1": 0.0}), sides)
    alone = compare(rows.drop(columns="inner"), {"ours": ["a1"], "theirs": ["b1"]})
    assert alone.difference == pytest.approx(0.4)


def test_inner_scores_are_not_read_with_folds():
    rows = random_table()
    rng = np.random.default_rng(0)
    assert compare(rows.assign(inner=rng.random(len(rows))), SIDES) == compare(rows, SIDES)


def test_single_fold_has_no_interval():
    found = compare(table({"a1": [0.9], "b1": [0.5]}), {"ours": ["a1"], "theirs": ["b1"]})
    assert found.difference == pytest.approx(0.4)
    assert np.isnan([found.low, found.high, found.p, found.half_width]).all()
    assert (found.df, found.better) == (0, None)


def test_pipeline_intervals():
    rows = table({"a1": [0.8, 0.7, 0.9], "b1": [0.9, 0.9, 0.9]}, n_min=10)
    found = pipeline_intervals(rows)
    assert found.index.tolist() == ["b1", "a1"]
    half = student.ppf(0.975, 2) * ((1 / 3 + 0.25) * 0.01 + 1 / 200) ** 0.5
    assert found.loc["a1"].tolist() == pytest.approx([0.8, 0.8 - half, 0.8 + half, 3, 1, 0])
    losses = pipeline_intervals(rows, larger=False)
    assert losses.index.tolist() == ["a1", "b1"]
    pd.testing.assert_series_equal(losses.loc["a1"], found.loc["a1"])


@pytest.mark.parametrize(
    ("change", "sides", "words"),
    [
        (lambda rows: rows.drop(columns="n_test"), SIDES, "no column n_test"),
        (lambda rows: pd.concat([rows, rows[:1]]), SIDES, "two in one fold"),
        (lambda rows: rows.assign(score=np.inf), SIDES, "infinite"),
        (lambda rows: rows.assign(n_min=0), SIDES, "positive"),
        (lambda rows: rows.assign(n_train=np.nan), SIDES, "positive"),
        (lambda rows: rows.assign(n_test=np.arange(len(rows)) + 1), SIDES, "sizes of a fold"),
        (lambda rows: rows.assign(score=np.nan), SIDES, "no data set"),
        (lambda rows: rows, SIDES | {"ours": ["a1", "c"]}, "none of c"),
        (lambda rows: rows, SIDES | {"ours": []}, "two procedures"),
        (lambda rows: rows, {"ours": ["a1"]}, "two procedures"),
        (lambda rows: rows, SIDES | {"ours": ["a1", "b1"]}, "in both"),
    ],
)
def test_refused(change, sides, words):
    with pytest.raises(InputError, match=words):
        compare(change(random_table()), sides)


def test_rates_under_no_difference():
    """Few claims where all pipelines have the same accuracy, and a true interval."""
    rng, claims, covered = np.random.default_rng(0), [], []
    for _ in range(400):
        right = rng.random((150, 4)) < 0.8
        order = rng.permuted(np.tile(np.arange(150), (3, 1)), axis=1)
        scores = np.concatenate([right[rows].reshape(5, 30, 4).mean(axis=1) for rows in order])
        codes = np.repeat(np.arange(3), 5)
        gaps = chosen(scores[:, :3], codes) - chosen(scores[:, 3:], codes)
        found = interval([gaps], [0.25], [1 / (2 * 75**2)])
        claims.append(found["p"] < 0.05)
        covered.append(found["low"] <= 0 <= found["high"])
    assert 0 < np.mean(claims) < 0.05
    assert np.mean(covered) == 1 - np.mean(claims)


def test_degrees_of_freedom_are_those_of_groups_where_there_are_fewer_than_folds():
    part = np.random.default_rng(0).normal(size=15)
    rows, groups = (interval([part], [0.25], [0.0], units) for units in ([np.inf], [8]))
    assert (rows["df"], groups["df"]) == (14, 7)
    assert groups["half_width"] / rows["half_width"] == pytest.approx(2.36462 / 2.14479, rel=1e-5)
