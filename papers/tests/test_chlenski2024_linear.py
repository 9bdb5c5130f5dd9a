"""The linear classifiers behind table 2 of chlenski2024."""

import numpy as np
import pandas as pd
import pytest
from paper_mirror import ROOT
from sklearn.base import clone

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid_papers.data import hyperdt_mixtures
from noneuclid_papers.programs import chlenski2024_linear as linear

MODELS = [
    linear.ReleasedSVM(random_state=5),
    linear.ReleasedLogistic(),
    linear.ReleasedLogistic(trained_only=True),
]


@pytest.fixture(scope="module")
def mixture():
    data = hyperdt_mixtures.load({}, 0, n_samples=100, n_features=2, number=5)
    return data.features, np.asarray(data.labels)


def minkowski(x, w):
    """x0 w0 - x1 w1 - ... of rows, shape (n, 1)."""
    return ((x * np.r_[1.0, -np.ones(x.shape[1] - 1)]) * w).sum(axis=1, keepdims=True)


def slow_descent(X, y, w, C, rng, epochs):
    """As the program is written, with weights of one row: [0] and [1:] are rows."""
    y, w = y[:, None], w[None]
    rate, best, cuts, idle = 1e-3, np.inf, 0, 0
    for _ in range(epochs):
        order, losses = rng.permutation(len(y)), []
        for start in range(0, len(y), 16):
            x, sign = X[order[start : start + 16]].copy(), y[order[start : start + 16]]
            z = sign * minkowski(x, w)
            norm = w.copy()
            norm[0] = -1.0 * norm[0]
            x[:, 1:] *= -1.0
            pulls = (z < 1.0) * -sign / np.sqrt(1.0 + z**2) * x
            w = w - rate * (norm + C * pulls.sum(axis=0))
            if not minkowski(w, w).item() < 1:
                w[1:] = 2.0 * w[1:]
                w[0] = np.sqrt(np.sum((w[1:] - 1e-5) ** 2))
            short = np.arcsinh(1) - np.arcsinh(sign * minkowski(x, w))
            losses.append(-minkowski(w, w).item() / 2.0 + C * short.sum())
        if sum(losses) < best:
            best = sum(losses)
            continue
        cuts, idle = cuts + 1, idle + 1
        if cuts == 10 and rate > 1e-5:
            cuts, idle, rate = 0, 0, rate / 5.0
        if idle == 50:
            break
    return w[0]


@pytest.mark.parametrize("scale", [pytest.param(1.0, marks=pytest.mark.slow), 30.0])
def test_the_descent_is_that_of_weights_of_one_row(mixture, scale):
    X, y = mixture
    signs, start = 2.0 * y - 1.0, scale * np.array([0.1, -0.3, 0.2])
    found = linear._descend(X, signs, start, 1.0, np.random.default_rng(5))
    slow = slow_descent(X, signs, start, 1.0, np.random.default_rng(5), linear.EPOCHS)
    assert found == pytest.approx(slow, rel=1e-9, abs=1e-12)
    # A start inside the light cone becomes 0.
    inside = np.array([5.0, 0.1, 0.1])
    found = linear._descend(X, signs, inside, 1.0, np.random.default_rng(5))
    slow = slow_descent(X, signs, inside, 1.0, np.random.default_rng(5), linear.EPOCHS)
    assert found == pytest.approx(slow, rel=1e-9, abs=1e-12)


def test_derivatives_of_a_logit(mixture):
    X, a, z, step = mixture[0], 0.3, np.array([0.7, -0.4]), 1e-6
    value, by_a, by_z = linear.logit(X, a, z)
    # The signed distance to the hyperplane, times |z|.
    normal = np.r_[np.sinh(a) * np.linalg.norm(z), np.cosh(a) * z]
    distance = np.arcsinh(lorentz.product(X, normal) / np.sqrt(lorentz.product(normal, normal)))
    assert value == pytest.approx(np.linalg.norm(z) * distance)
    ahead, behind = linear.logit(X, a + step, z)[0], linear.logit(X, a - step, z)[0]
    assert by_a == pytest.approx((ahead - behind) / (2 * step), abs=1e-7)
    for j, e in enumerate(step * np.eye(2)):
        ahead, behind = linear.logit(X, a, z + e)[0], linear.logit(X, a, z - e)[0]
        assert by_z[:, j] == pytest.approx((ahead - behind) / (2 * step), abs=1e-7)


def test_one_of_two_logits_is_trained(mixture):
    X, y = mixture
    both = linear.ReleasedLogistic(random_state=1).fit(X, y)
    one = linear.ReleasedLogistic(random_state=1, trained_only=True).fit(X, y)
    assert (both.normals_ == one.normals_).all()
    assert (both.offsets_ == one.offsets_).all()
    assert (abs(both.normals_[0]) <= 2**-0.5).all()
    values = [linear.logit(X, a, z)[0] for a, z in zip(both.offsets_, both.normals_, strict=True)]
    assert (both.predict(X) == (values[1] > values[0])).all()
    assert (one.predict(X) == (values[1] > 0)).all()
    # Another start of the first logit moves the boundary, and the trained one comes back.
    starts = [clone(both).set_params(random_state=k).fit(X, y).score(X, y) for k in range(8)]
    ends = [clone(one).set_params(random_state=k).fit(X, y).score(X, y) for k in range(8)]
    assert np.ptp(starts) > 0.02 >= np.ptp(ends)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_labels_repetition_and_bad_input(model, mixture):
    X, y = mixture
    words = np.array(["a", "b"])[y]
    first = clone(model).fit(X, words).predict(X)
    assert (first == clone(model).fit(X, words).predict(X)).all()
    # The SVM has 0.73 on these points, which are almost separable.
    assert 0.7 < np.mean(first == words) < (0.75 if "SVM" in repr(model) else 1.0)
    if "SVM" in repr(model):
        with pytest.raises(InputError, match=r"only mixtures of chlenski2024 .* none of number 4$"):
            clone(model).set_params(random_state=4).fit(X, y)
    for rows, labels, message in (
        (X * [1, 3, 1], y, "needs points of the hyperboloid of curvature -1, time first"),
        (np.where(np.arange(3) == 1, np.nan, X), y, "X at row 0, column 1 is NaN"),
        (X, np.arange(len(y)) % 3, "is for two classes; the number of classes in y is 3"),
        (X, [None, *y[1:]], "y at row 0 is None"),
    ):
        with pytest.raises(InputError, match=message):
            clone(model).fit(rows, labels)
    with pytest.raises(ValueError, match="random_state"):
        clone(model).set_params(random_state=None).fit(X, y)


def test_printed_and_stored_scores_are_in_the_range_of_the_draws():
    table = pd.read_csv(ROOT / "papers/benchmarks/chlenski2024_linear.tsv", sep="\t")
    assert (len(table), set(table["draws"])) == (12, {10})
    theirs = table[table["program"] != "LorentzMLR, trained logit"]
    inside = theirs["printed"].between(theirs["least"] - 0.0051, theirs["largest"] + 0.0051)
    # One prediction of 8000 is missing in the plane: 81.50 is printed, 81.49 is the largest.
    assert theirs[~inside]["dimension"].tolist() == [2]
    assert (theirs["printed"] - theirs["largest"]).max() < 0.0131
    # Another draw leaves the range of ten with a probability of 2/11.
    stored = pd.read_csv(ROOT / "papers/benchmarks/chlenski2024_stored.tsv", sep="\t")
    both = stored.merge(theirs, on=["dimension", "program"])
    # Our ranges have five digits.
    inside = both["score"].between(both["least"] - 6e-4, both["largest"] + 6e-4)
    assert (len(both), inside.sum()) == (24, 20)
    first = both[both["commit"] == "b2364d5"]
    assert (first["score"].round(2) == first["printed"]).all()
