"""Numbers in docs/findings.md about the words for printed numbers, from the kept tables."""

import numpy as np
from findings_text import FINDINGS, bench, rows_of_table, stated
from paper_mirror import ROOT

from noneuclid_papers.printed import fault_comparison, published, reproduction_status
from noneuclid_papers.stages import published as stage

AGREE = (reproduction_status.EXACT, reproduction_status.CLOSE)


def count(rows, **values):
    """How many rows have these values, as text."""
    for name, value in values.items():
        rows = rows[rows[name].isin([value] if isinstance(value, str) else value)]
    return str(len(rows))


def test_the_powers_are_those_of_the_kept_cells(cells):
    powers = reproduction_status.powers(cells)
    shift = stated(r"up or down, ([\d.]+) % of the (\d+) close")
    method = stated(r"outside in ([\d.]+) % of (\d+) pairs with different printed numbers")
    whole = stated(r"\(([\d.]+) % of all (\d+) pairs;")
    garbage = stated(r"fails in ([\d.]+) % of the (\d+) judged")
    for name, text in zip(powers, (shift, method, whole, garbage), strict=True):
        digits = len(text[0].partition(".")[2])
        assert digits
        assert text == (f"{100 * powers[name][0]:.{digits}f}", str(powers[name][1]))


def tolerances(table, prefix=""):
    """Tolerances of the numbers on the paper's rows by today's share, with their places."""
    known = table[f"{prefix}rows"].notna()
    names = ["metric", "unit", "printed", f"{prefix}rows"]
    found = [
        reproduction_status.tolerance(
            metric, reproduction_status.half_digit(printed.partition(" ")[0], unit), rows, 0.0
        )
        for metric, unit, printed, rows in table.loc[known, names].to_numpy()
    ]
    return known, found


def judged_with(cells, imitations, share, monkeypatch):
    """Kept cells without WordNet, with another share of predictions in the interval of "close"."""
    monkeypatch.setattr(reproduction_status, "SHARE", share)
    cells, imitations = cells.copy(), imitations.copy()
    known, found = tolerances(cells)
    cells.loc[known, "tolerance"] = found
    for side in fault_comparison.SIDES:
        known, found = tolerances(imitations, f"{side}_")
        imitations.loc[known, f"{side}_tolerance"] = found
    reasons = stage.read_words(ROOT / "papers/printed/reasons.tsv")
    words = ["imitations", "status", "reason", "evidence", "ratio", "printed_ratio"]
    again = fault_comparison.judged(imitations)
    found = published.judged(cells.drop(columns=words), reasons, again)
    return found[(found["paper"] != "chlenski2024") | (found["table"] != "table_5")]


def test_rates_of_other_shares_of_predictions(cells, imitations, monkeypatch):
    assert reproduction_status.SHARE == 0.0025
    for share in (0.002, 0.0025, 0.004, 0.005, 0.0075):
        found = judged_with(cells, imitations, share, monkeypatch)
        powers = reproduction_status.powers(found)
        rate = powers["garbage"][0]
        row = [f"{100 * share:g} %", *(count(found, status=word) for word in AGREE)]
        row += [f"{100 * powers['method'][0]:.1f} %", f"{100 * rate:.2f} %"]
        assert f"| {' | '.join(row)} |" in FINDINGS
        assert (rate >= 0.99) == (powers["method"][0] >= 0.6) == (share <= 0.005)
        assert powers["shift"][0] > 0.6


def test_what_the_reproduced_numbers_are(cells, imitations):
    judged = cells[cells["status"].isin(reproduction_status.JUDGED)]
    agree = judged[judged["status"].isin(AGREE)]
    exact = judged[judged["status"] == reproduction_status.EXACT]
    imitated = judged[judged["status"] == reproduction_status.IMITATED]
    shares = [f"{100 * len(part) / len(judged):.0f}" for part in (agree, imitated)]
    text = stated(
        r"Of (\d+) judged numbers (\d+) \((\d+) %\) are exact or close, (\d+) more \((\d+) %\) are "
        r"returned by an imitation\."
    )
    text += stated(r"returned by an imitation are not (\d+) independent")
    numbers = [len(judged), len(agree), shares[0], len(imitated), shares[1]]
    assert text == tuple(map(str, [*numbers, len(agree) + len(imitated)]))
    yang = cells[cells["paper"] == "yang2024"]
    names = ["dataset", "method", "metric", "printed"]
    places = yang[names].assign(scheme=yang["variant"].str.partition(",")[0])
    early = yang["table"].isin(["table_2", "table_3"])
    late = set(places[yang["table"].isin([f"table_{k}" for k in range(5, 11)])].itertuples(False))
    again = [place in late for place in places[early & yang["status"].isin(reproduction_status.JUDGED)]
             .itertuples(False)]  # fmt: skip
    text = stated(r"Of the (\d+) judged numbers in tables 2 and 3 of yang2024, (\d+) repeat one of")
    assert text == (str(len(again)), str(sum(again)))
    karate = count(imitated, paper="yang2024", dataset="karate")
    assert stated(r"(\d+) of the (\d+) imitations come from one fault") == (
        karate,
        str(len(imitated)),
    )
    able = imitations.groupby(["paper", "fault"])["without_status"].agg(
        lambda s: s.isin(AGREE).any()
    )
    rows = imitations[
        imitations["verdict"].isin(
            [reproduction_status.RETURNS, reproduction_status.RETURNS_DIGITS]
        )
    ]
    keys = ["paper", *published.KEYS]
    safe = rows[~able.loc[zip(rows["paper"], rows["fault"], strict=True)].to_numpy()]
    counted = imitated.merge(safe[keys].drop_duplicates(), on=keys)
    assert stated(r"(\d+) of the (\d+) come from faults that could lose no number") == (
        str(len(counted)),
        str(len(imitated)),
    )
    coarse = count(exact, metric="f1_weighted")
    text = stated(r"(\d+) of the (\d+) exact numbers are weighted F1")
    assert text == (coarse, str(len(exact)))
    reason = count(cells, reason=published.COARSE)
    assert stated(r"close or not judged: (\d+) numbers that agree to two decimals are not") == (
        reason,
    )
    pan = exact[exact["paper"] == "pan2023"]
    assert stated(r"Of pan2023's (\d+) exact numbers, (\d+) are values of a formula, one is") == (
        str(len(pan)),
        count(pan, metric="updates_bound"),
    )
    assert count(pan, metric="accuracy_gain_max") == "1"
    assert count(pan, table="text", metric="accuracy") == "2"
    wordnet = judged[(judged["paper"] == "chlenski2024") & (judged["table"] == "table_5")]
    text = stated(r"(\d+) close scores of chlenski2024 are on a WordNet embedding")
    assert text == (count(wordnet, status=reproduction_status.CLOSE),)
    gaps = agree[(agree["metric"] == reproduction_status.GAP) & (agree["method"] == "Moment")]
    assert stated(r"(\d+) gaps of the moment relaxation are close, although") == (str(len(gaps)),)


def test_the_table_of_numbers_outside(cells):
    outside = cells[cells["status"] == reproduction_status.OUTSIDE]
    methods = {"PGD": "gradient descent", "SDP": "SDP", "Moment": "moment relaxation"}
    methods |= dict.fromkeys(("HoroDT", "HoroRF"), "HoroDT and HoroRF")
    for paper, words in (
        ("cho2019", "DeepWalk"),
        ("pan2023", "hyperboloid SVM"),
        ("chlenski2024", "other methods"),
    ):
        names = outside.loc[outside["paper"] == paper, "method"]
        methods |= {name: words for name in names if name not in methods}
    counts = outside["metric"].str.startswith("updates")
    names = outside["method"].map(methods).mask(counts, "updates of table II")
    gaps = counts | (outside["metric"] == reproduction_status.GAP)
    found = gaps.groupby(outside["paper"] + ", " + names).agg(["size", "sum"])
    found = {name: [int(n - k), int(k)] for name, (n, k) in found.T.items()}
    assert rows_of_table("| paper, method | scores | gaps or counts |") == found
    assert sum(map(sum, found.values())) == len(outside)


def test_what_shifts_below_two_points_turn(cells):
    close = cells[(cells["status"] == reproduction_status.CLOSE) & cells["unit"].isin(["%", "1"])]
    close = close[close["metric"] != reproduction_status.GAP]
    assert stated(r"is wider than ±([\d.]+) points") == (f"{100 * close['tolerance'].max():.2f}",)
    shares = [
        np.mean([((close["difference"] + s).abs() > close["tolerance"]).mean() for s in (-d, d)])
        for d in (0.01, 0.005, 0.0025)
    ]
    assert stated(
        r"One point does so for ([\d.]+) %, half a point for ([\d.]+) % and a quarter of a"
        r" point for ([\d.]+) %"
    ) == tuple(f"{100 * share:.1f}" for share in shares)


def test_scores_near_the_ceiling(cells):
    part = cells[(cells["paper"] == "chlenski2024") & cells["status"].isin(AGREE)]
    assert stated(r"Of chlenski2024's (\d+) exact or close scores, (\d+) are 99 % or more") == (
        str(len(part)),
        str((part["published"] >= 0.99).sum()),
    )


def test_p_values_of_chlenski2024_agree_little_more_than_by_chance(cells):
    part = cells[(cells["paper"] == "chlenski2024") & (cells["metric"] == "p_value")]
    part = part[part["status"].isin(reproduction_status.COMPARED)]
    theirs, ours = part["published"] < 0.05, part["ours"] < 0.05
    same, a, b = theirs == ours, theirs.mean(), ours.mean()
    assert stated(
        r"Of chlenski2024's (\d+) p-values this is (\d+) %; two independent columns with as many"
        r" significant p-values would agree in (\d+) %"
    ) == (str(len(part)), f"{100 * same.mean():.0f}", f"{100 * (a * b + (1 - a) * (1 - b)):.0f}")
    pairs = same[part["dataset"] == "Gaussian"].groupby(part["method"]).agg(["sum", "size"])
    forests, trees = pairs.loc["RF vs HoroRF"], pairs.loc["DT vs HyperDT"]
    assert stated(
        r"On Gaussian data (\d+) of (\d+) between HyperDT and scikit-learn's tree are on the same"
        r" side, and (\d+) of (\d+) between the two forests of scikit-learn and HoroRF"
    ) == tuple(map(str, [*trees, *forests]))


def test_the_start_of_the_gradient_descent(cells):
    text = stated(
        r"to the digit: ([\d.]+), ([\d.]+) and ([\d.]+) %. With the other sign and the labels −1"
        r" and 1 it has ([\d.]+), ([\d.]+) and ([\d.]+) %; the printed scores of the moment"
        r" relaxation there are "
        r"([\d.]+), ([\d.]+) and ([\d.]+) %"
    )
    runs = bench("hyperboloid_pgd").query("paper == 'yang2024' and metric == 'accuracy'")
    runs = runs[(runs["C"] == "0.1") & (runs["loss"] == "arcsinh")].set_index(["set", "start"])
    five = cells[(cells["table"] == "table_5") & (cells["metric"] == "accuracy")]
    printed = five.set_index(["dataset", "method"])["printed"].str.partition(" ")[0]
    names = ["olsson", "myeloidprogenitors", "paul"]
    released = [f"{runs.loc[(name, 'as_released'), 'value']:.2f}" for name in names]
    assert released == [printed[name, "PGD"] for name in names]
    text_two = stated(r"printed ([\d.]+) and ([\d.]+) % to the digit \(([\d.]+) and ([\d.]+)\)")
    two = ["krumsiek", "moignard"]
    missed = [f"{runs.loc[(name, 'as_released'), 'value']:.2f}" for name in two]
    assert text_two == (*(printed[name, "PGD"] for name in two), *missed)
    other = [f"{runs.loc[(name, 'corrected'), 'value']:.2f}" for name in names]
    assert text == (*released, *other, *(printed[name, "Moment"] for name in names))


def test_three_exact_scores_of_deepwalk_are_those_of_a_random_order():
    table = bench("cho2019_deepwalk").set_index(["set", "dimension"])
    rows = table.loc[[("football", 2), ("football", 10), ("polbooks", 5)]]
    text = stated(
        r"gives nearly the same there: ([\d.]+), ([\d.]+) and ([\d.]+) for the printed ([\d.]+),"
        r" ([\d.]+) and ([\d.]+)\."
    )
    ours = [f"{x:.3f}" for x in rows["shuffled_mean"]]
    assert text == (*ours, *(f"{x:.2f}" for x in rows["published"]))


def test_returned_scores_of_the_imitated_horosphere_program(imitations):
    runs = imitations[imitations["fault"].str.contains("converted to the hyperboloid twice")]
    agrees = runs["with_status"].isin(AGREE), runs["without_status"].isin(AGREE)
    returned = runs[agrees[0] & ~agrees[1]]
    text = stated(
        r"returns (\d+) of (\d+) printed scores [^|]*? (\d+) of the (\d+) have 99 % or more in"
        r" print; [^|]*? agree with (\d+) of the (\d+) printed scores; the imitation loses (\d+) of"
    )
    high = (returned["published"] >= 0.99).sum()
    numbers = [len(returned), (~agrees[1]).sum(), high, len(returned), agrees[1].sum(), len(runs)]
    assert text == tuple(map(str, [*numbers, (agrees[1] & ~agrees[0]).sum()]))
    trees = returned[returned["method"] == "HoroDT"]
    assert not trees["variant"].str.startswith("D2_").any()
