"""The paper's own points: printed scores of scikit-learn's methods come out to the last digit."""

from decimal import Context, localcontext

import numpy as np
import pandas as pd
import pytest
from decimal_rows import decimals
from paper_mirror import ROOT
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score
from sklearn.svm import SVC

from noneuclid.errors import InputError
from noneuclid.geometry import tangent
from noneuclid_papers.data import hyperdt_mixtures

CASES = [
    ("table_1", "sklearn RF", 2, 100),
    ("table_1", "sklearn RF", 16, 100),
    ("table_2", "Logistic Regression", 2, 800),
    ("table_2", "Support Vector Classifier", 4, 800),
]


def model(name, number):
    if name == "sklearn RF":
        return RandomForestClassifier(max_depth=3, n_estimators=12, random_state=number)
    return LogisticRegression() if name == "Logistic Regression" else SVC()


@pytest.mark.parametrize(("table", "name", "dimension", "points"), CASES)
def test_printed_scores_come_out(table, name, dimension, points):
    printed = pd.read_csv(ROOT / "papers/printed/chlenski2024.tsv", sep="\t", dtype=str)
    printed = printed.set_index(["table", "dataset", "variant", "method"])["value"]
    scores = []
    for number in range(10):
        settings = {"n_samples": points, "n_features": dimension, "number": number}
        data = hyperdt_mixtures.load({}, 0, **settings)
        folds = KFold(5, shuffle=True, random_state=number)
        found = cross_val_score(model(name, number), data.features, data.labels, cv=folds)
        scores.append(100 * found.mean())
    place = table, "Gaussian", f"D{dimension}_n{points}", name
    assert abs(np.mean(scores) - float(printed[place])) < 0.005 + 1e-9


def test_the_number_decides_and_the_seed_does_not():
    first, again = (hyperdt_mixtures.load({}, seed, n_samples=52) for seed in (0, 1))
    np.testing.assert_array_equal(first.features, again.features)
    other = hyperdt_mixtures.load({}, 0, n_samples=52, number=1)
    assert not np.isclose(first.features, other.features).any(axis=1).all()
    assert first.features.shape == (52, 3)


@pytest.mark.parametrize(
    "settings", [{"number": -1}, {"n_samples": 3}, {"n_samples": 50}, {"n_features": 0.5}]
)
def test_numbers_out_of_range(settings):
    with pytest.raises(InputError, match=f"hyperdt_mixtures: {next(iter(settings))}"):
        hyperdt_mixtures.load({}, 0, **settings)


def slow_lift(vector, mean):
    """A tangent vector at the origin, moved to a mean and mapped, in 50 digits."""
    space, vector = decimals(mean[1:]), decimals(vector)
    along = sum(a * b for a, b in zip(vector, space, strict=True))
    time = (1 + sum(x * x for x in space)).sqrt()
    shift = along / (1 + time)
    moved = [along, *(v + shift * m for v, m in zip(vector, space, strict=True))]
    length = sum(v * v for v in vector).sqrt()
    c, s = (length.exp() + (-length).exp()) / 2, (length.exp() - (-length).exp()) / 2
    both = zip([time, *space], moved, strict=True)
    return np.array([float(c * p + s * v / length) for p, v in both])


def test_points_far_from_the_origin_are_those_of_decimals(monkeypatch):
    """The mixture in which the points of the authors' program are rounded."""
    lifted = []
    lift = tangent.lift

    def noted(vectors, mean, curvature):
        lifted.append((vectors, mean, lift(vectors, mean, curvature)))
        return lifted[-1][-1]

    monkeypatch.setattr(hyperdt_mixtures.tangent, "lift", noted)
    hyperdt_mixtures.load({}, 0, n_samples=800, n_features=16, number=8)
    assert max(points[:, 0].max() for *_, points in lifted) > 1e8
    with localcontext(Context(prec=50)):
        for vectors, mean, points in lifted:
            for k in np.argsort(points[:, 0])[-20:]:
                exact = slow_lift(vectors[k], mean)
                assert np.abs(points[k] - exact).max() < 1e-12 * exact[0]
