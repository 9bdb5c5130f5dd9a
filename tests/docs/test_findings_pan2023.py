"""Numbers in docs/findings.md about pan2023, from the kept tables."""

import pandas as pd
import pytest
from findings_text import bench, stated
from paper_mirror import ROOT


def test_figures_4_and_9():
    table = bench("pan2023_figures").set_index(["figure", "method"])
    weber = table[table.index.get_level_values("method").str.startswith("weber")]
    text = stated(r"separates none of (\d+) data sets .* new points is (\d+) to (\d+) % on average")
    low, high = (f"{100 * x:.0f}" for x in (weber["new_mean"].min(), weber["new_mean"].max()))
    assert (weber["separated"].max(), *text[1:]) == (0, low, high)
    assert set(weber["datasets"].astype(str)) == {text[0]}
    ours = table.loc[[(4, "poincare_perceptron"), (9, "hyperboloid_perceptron_c")]]
    assert ours["separated"].tolist() == ours["datasets"].tolist() == [500, 500]


def test_table_iii(cells, imitations):
    names = ["olsson", "cifar", "fashion-mnist"]
    runs = imitations[imitations["paper"] == "pan2023"].set_index("dataset").loc[names]
    for pattern, column, digits in (
        (
            r"ours has ([\d.]+), ([\d.]+) and ([\d.]+) % on olsson, CIFAR10 and Fashion-MNIST, the",
            "with_ours",
            2,
        ),
        (r"With an intercept it has ([\d.]+), ([\d.]+) and ([\d.]+) %", "without_ours", 1),
    ):
        assert stated(pattern) == tuple(f"{100 * x:.{digits}f}" for x in runs[column])
    three = cells[(cells["table"] == "table_iii") & (cells["metric"] == "accuracy")]
    three = three.set_index(["method", "dataset"])
    ours, printed = three["ours"], three["published"]
    order = ["olsson", "cifar", "fashion-mnist"]
    text = stated(
        r"as cho2019 describes it, has ([\d.]+), ([\d.]+) and ([\d.]+) % on the same"
        r" three; the printed"
        r" scores are ([\d.]+), ([\d.]+) and ([\d.]+) %"
    )
    for found, value in zip(text[:3], ours["Hyperboloid SVM"][order], strict=True):
        assert abs(float(found) - 100 * value) <= 0.051
    assert text[3:] == tuple(f"{100 * x:.2f}" for x in printed["Hyperboloid SVM"][order])
    text = stated(r"Poincaré SVM has ([\d.]+), ([\d.]+) and ([\d.]+) %, as printed")
    assert text == tuple(f"{100 * x:.1f}" for x in ours["Poincaré SVM"][order])
    trials = bench("pan2023_hyperboloid").set_index(["start", "set"])
    given = trials.loc["as_released"]
    text = stated(r"has ([\d.]+) ± ([\d.]+), ([\d.]+) ± ([\d.]+) and ([\d.]+) % on olsson, F")
    values = [given.loc[n, c] for n in ("olsson", "fashion-mnist") for c in ("mean", "sd")]
    values.append(given.loc["cifar", "mean"])
    for found, value in zip(text, values, strict=True):
        assert abs(float(found) - value) <= 0.051
    text = stated(
        r"it has ([\d.]+) ± ([\d.]+), ([\d.]+) ± ([\d.]+) and ([\d.]+) ± ([\d.]+) % on olsson, F"
    )
    other = trials.loc["flipped"].loc[["olsson", "fashion-mnist", "cifar"], ["mean", "sd"]]
    for found, value in zip(text, other.to_numpy().ravel(), strict=True):
        assert abs(float(found) - value) <= 0.051
    text = stated(r"all steps \| ([\d.]+), ([\d.]+) and ([\d.]+) %; see above")
    three = (
        given.loc["cifar", "mean"],
        other.loc["cifar", "mean"],
        100 * ours["Hyperboloid SVM"]["cifar"],
    )
    for found, value in zip(text, three, strict=True):
        assert abs(float(found) - value) <= 0.051
    text = stated(r"spread is (\d+) and (\d+) times the printed one \(([\d.]+) and ([\d.]+)\)")
    for k, name in enumerate(("olsson", "fashion-mnist")):
        sd = float(given.loc[name, "published"].split("± ")[1])
        assert (text[k], text[2 + k]) == (f"{given.loc[name, 'sd'] / sd:.0f}", f"{sd:.2f}")


def test_updates_of_table_ii(cells):
    table = cells[cells["table"] == "table_ii"].set_index(["method", "variant", "metric"])

    def row(method, fraction, margin, metric="updates_mean"):
        name = "Poincaré second-order perceptron" if method == 2 else "Poincaré perceptron"
        return table.loc[name, f"p={fraction}R, margin={margin}", metric]

    def both(cell, digits=0):
        return [f"{cell[key]:.{digits}f}" for key in ("ours", "se")]

    def large(cell):
        return [f"{cell[key] / 1e5:.2f}e5" for key in ("ours", "se")]

    text = stated(r"With 200 runs ours are (\d+) ± (\d+) and (\d+) ± (\d+)\.")
    assert list(text) == [*both(row(2, 0.2, 0.1)), *both(row(2, 0.6, 0.1))]
    text = stated(r"order drawn \| (\S+) ± (\S+), (\S+) ± (\S+) and (\d+) ± (\d+) \(st")
    first = [*large(row(1, 0.2, 0.001)), *large(row(1, 0.6, 0.001))]
    assert list(text) == [*first, *both(row(2, 0.6, 0.001))]
    text = stated(r"maxima (\S+) \(0.001\) and (\S+) \(0.01\) .* are above ours, (\S+) and (\S+)\.")
    most = [row(1, 0.6, margin, "updates_max") for margin in ("0.001", "0.01")]
    ours = f"{most[0]['ours'] / 1e5:.1f}e5", f"{most[1]['ours'] / 1e4:.1f}e4"
    assert text == (most[0]["printed"], most[1]["printed"], *ours)


def kept_sweeps():
    """Means over the runs of each setting of figures 2 and 8, in percent; settings and runs."""
    names = ("pan2023_figure_2", "pan2023_figure_8")
    paths = [ROOT / f"papers/kept/figures/{name}/sweep.tsv" for name in names]
    runs = pd.concat([pd.read_csv(path, sep="\t", dtype={"value": str}) for path in paths])
    groups = runs.groupby(["name", "value", "panel", "method"])
    assert (groups.size() == 20).all()
    scores = ["score", "f1_macro", "train_accuracy", "train_f1_macro"]
    means = 100 * groups[scores].mean().unstack("method")
    default = {"points": 1e5, "dimension": 2.0, "margin": 0.01}
    settings = {(panel, *(default | {name: float(value)}).values())
                for name, value, panel in means.index}  # fmt: skip
    return means, len(settings)


def test_synthetic_data(cells):
    text = cells[(cells["paper"] == "pan2023") & (cells["table"] == "text")]
    ours = {tuple(row[:3]): row[3] for row in text[["variant", "metric", "method", "ours"]].values}
    place, pair = "p=0.4R, N=1e6", "Poincaré SVM against Hyperboloid SVM"
    found = stated(r"it is ([\d.]+) times as fast \(([\d.]+) s against ([\d.]+) s\)")
    seconds = [ours[place, "runtime_s", name] for name in ("Poincaré SVM", "Hyperboloid SVM")]
    assert found == (
        f"{ours[place, 'speedup', pair]:.1f}", f"{seconds[0]:.2f}", f"{seconds[1]:.1f}"
    )  # fmt: skip
    assert stated(r"\(10 printed, ([\d.]+) ours\)") == (f"{ours['C=5', 'speedup', pair]:.1f}",)
    means, settings = kept_sweeps()
    groups = stated(r"(\d+) groups of 20 runs with (\d+) settings")
    assert groups == (str(len(means)), str(settings))
    gains = means.xs("poincare_svm", axis=1, level=1)
    gains = gains - means.xs("hyperboloid_svm_pgd", axis=1, level=1)
    place = ("points", "1000", "p0.6")
    assert gains[["score", "train_f1_macro"]].idxmax().tolist() == [place, place]
    assert gains["f1_macro"].idxmax() == ("dimension", "100", "p0.6")
    gains = gains.max()
    assert gains["score"] / 100 == pytest.approx(ours["", "accuracy_gain_max", pair], abs=2e-6)
    three = [f"{gains[name]:.2f}" for name in ("score", "f1_macro", "train_f1_macro")]
    assert stated(r"largest mean gain in a group is ([\d.]+) points of accuracy") == (three[0],)
    pattern = r"largest gain is ([\d.]+) points on held-out points and ([\d.]+) on the fitted"
    assert stated(pattern) == (three[1], three[2])
    letter = (ROOT / "docs/errata/pan2023.md").read_text()
    assert stated(
        r"is ([\d.]+) points of accuracy on held-out points, ([\d.]+) points of macro-F1 on"
        r" held-out points, and ([\d.]+) points of macro-F1 on the fitted", letter
    ) == tuple(three)  # fmt: skip
    margin = means.loc["margin", "1", "p0.6"].xs("hyperboloid_svm_pgd", level=1)
    wide = means.loc[("dimension", "1000")].xs("hyperboloid_svm_pgd", axis=1, level=1)
    assert stated(
        r"Ours has ([\d.]+) % with this margin, and ([\d.]+) % or more in 1000 dimensions\."
    ) == (f"{margin['score']:.2f}", f"{wide['score'].min():.2f}")
    low = wide["f1_macro"].idxmin()
    other = means.loc[("dimension", "1000", low), ("f1_macro", "poincare_svm")]
    assert stated(
        r"as low as ([\d.]+) % on held-out points, where the Poincaré SVM has ([\d.]+) %; on the"
        r" fitted points it is ([\d.]+) %"
    ) == (
        f"{wide['f1_macro'].min():.2f}", f"{other:.2f}", f"{wide['train_f1_macro'].min():.2f}"
    )  # fmt: skip
    assert f"{margin['f1_macro']:.2f}" == f"{margin['train_f1_macro']:.2f}" == "100.00"


def test_reference_points_of_the_poincare_svm():
    table = bench("poincare_svm").query("part == 'accuracy' and method == 'poincare paper'")
    scores = table.set_index(["reference", "set"])["accuracy"]
    sets = ["olsson", "cifar", "fashion-mnist"]
    text = stated(
        r"The Poincaré SVM has ([\d.]+), ([\d.]+) and ([\d.]+) %, as printed, with the reference"
        r" points of the authors' files; with points chosen by eq\. \(26\) it has ([\d.]+),"
        r" ([\d.]+) and ([\d.]+) %"
    )
    pairs = [("authors' file", name) for name in sets] + [("hulls", name) for name in sets]
    assert text == tuple(f"{scores[pair]:.1f}" for pair in pairs)
