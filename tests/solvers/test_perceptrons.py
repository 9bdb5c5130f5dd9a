import pickle
import warnings

import numpy as np
import pytest
from cases import each_of
from clouds import ring_clouds
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import noneuclid
from noneuclid.classifiers import reference_rules
from noneuclid.classifiers.weber_perceptron import Weber
from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert
from noneuclid.solvers.linear.conflicting_points import find_contradiction
from noneuclid.solvers.perceptrons import mistake_driven, sample_orders, strategic_agents
from noneuclid.solvers.perceptrons.mistake_driven import Plain
from noneuclid.solvers.perceptrons.second_order import SecondOrder
from noneuclid.solvers.perceptrons.strategic import Strategic

POINCARE = [
    noneuclid.PoincarePerceptron(reference_point="origin"),
    noneuclid.PoincareSecondOrderPerceptron(reference_point="origin"),
    noneuclid.PoincareSecondOrderPerceptron(alpha=2.0, reference_point="origin"),
    noneuclid.PoincareStrategicPerceptron(budget=0.2, reference_point="origin"),
]
MODELS = [*POINCARE, noneuclid.HyperboloidPerceptron(), noneuclid.WeberPerceptron()]
RULES = [Plain(), SecondOrder(), SecondOrder(0.5), Strategic(0.3), Weber((0.1, 1.0, 0.2))]


def names(item):
    return type(item).__name__


def cloud(seed=0, classes=3):
    X, y = ring_clouds(seed, n=90, classes=classes, spread=0.7)
    return X, np.array(["a", "b", "c"])[y]


def quiet_fit(model, *data, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*data, **more)


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_one_pass_is_its_rows_one_by_one(rule):
    rng = np.random.default_rng(1)
    Z, signs = rng.normal(size=(80, 3)), rng.choice([-1, 1], size=80)
    whole, single, steps = rule.start(3), rule.start(3), []
    made = mistake_driven.learn(whole, rule, Z, signs)
    for z, sign in zip(Z, signs, strict=True):
        before = single.w.copy()
        missed = sign * rule.scores(z[None], before)[0] <= 0
        changed = mistake_driven.learn(single, rule, z[None], [sign])
        # Of a new direction, the second order with a = 0 makes a mistake by definition.
        assert changed == missed or len(steps) < 3
        assert changed or np.array_equal(before, single.w)
        shrink = np.linalg.norm(single.w) if isinstance(rule, SecondOrder) else 1.0
        steps.append(single.w / (shrink or 1.0))
    assert 10 < made == whole.n_updates == single.n_updates
    np.testing.assert_allclose(whole.w, single.w, rtol=1e-12)
    np.testing.assert_allclose(whole.mean, np.mean(steps, axis=0), rtol=1e-9)
    for name, value in whole.memory.items():
        np.testing.assert_allclose(value, single.memory[name], rtol=1e-12)


def test_second_order_inverses_stay_true():
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(3000, 6)) * np.exp(2 * rng.normal(size=(3000, 1)))
    signs = rng.choice([-1, 1], size=3000)
    flat = Z[:, :4] @ rng.normal(size=(4, 6))
    for data, a in ((Z, 0.01), (Z, 0.0), (flat, 0.0)):
        rule = SecondOrder(a)
        learner = rule.start(6)
        mistaken = []
        for z, sign in zip(data, signs, strict=True):
            if mistake_driven.learn(learner, rule, z[None], [sign]):
                mistaken.append(z)
        assert len(mistaken) > 1000
        matrix = a * np.eye(6) + np.transpose(mistaken) @ mistaken
        inverse = learner.memory["inverses"]
        wanted = np.linalg.inv(matrix) if a else np.linalg.pinv(matrix, hermitian=True)
        np.testing.assert_allclose(inverse, wanted, atol=1e-6 * np.abs(wanted).max())
    assert learner.memory["ranks"][0] == 4
    assert np.trace(learner.memory["outsides"]) == pytest.approx(2)


def test_averages_beat_the_last_weights_on_noisy_labels():
    rng = np.random.default_rng(0)
    Z = np.sinh(8 * rng.random((600, 1))) * rng.normal(size=(600, 5))
    signs = np.sign(Z[:, 0]) * rng.choice([1, -1], p=[0.9, 0.1], size=600)
    for rule in (Plain(), SecondOrder(), SecondOrder(1.0)):
        last, mean = (
            mistake_driven.run(Z, signs, 5, None, average, np.random.RandomState(1), rule).mistakes
            for average in (False, True)
        )
        assert mean < 0.18 * 600
        assert mean < last


def test_a_lost_inverse_is_told():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 10))
    X *= 30 * rng.random((2000, 1)) / np.linalg.norm(X, axis=1, keepdims=True)
    y = np.where(rng.random(2000) < 0.2, X[:, 0] < 0, X[:, 0] > 0)
    model = noneuclid.PoincareSecondOrderPerceptron(reference_point="origin", random_state=0)
    with pytest.warns(ConvergenceWarning, match="inverse was indefinite"):
        model.fit(X, y)
    assert model.lost_[0, 0] > 0
    quiet_fit(model, X / 30, y)
    assert model.lost_[0, 0] == 0


@pytest.mark.parametrize("n", [1, 5, 4096, 4097, 10_000])
def test_orders_hold_every_row_once_and_differ(n):
    random = np.random.RandomState(0)
    orders = sample_orders.new_orders(n, random)
    first, second = (np.concatenate([*next(orders)]) for _ in range(2))
    np.testing.assert_array_equal(np.sort(first), np.arange(n))
    assert n == 1 or not np.array_equal(first, second)


def test_orders_of_few_rows_are_all_as_frequent():
    orders = sample_orders.new_orders(4, np.random.RandomState(0))
    counts = {}
    for _ in range(24_000):
        order = tuple(next(orders)[0].tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 49.7  # chi², 23, 0.1 %


def test_a_fit_without_progress_ends():
    rng = np.random.default_rng(0)
    Z, signs = rng.normal(size=(300, 3)), rng.choice([-1, 1], 300)
    done = mistake_driven.run(Z, signs, 1000, order=np.random.RandomState(0), n_iter_no_change=5)
    assert 5 < done.n_epochs < 100
    whole = mistake_driven.run(Z, signs, 150, order=np.random.RandomState(0))
    assert whole.n_epochs == 150
    fewer = mistake_driven.run(Z, signs, 1000, order=np.random.RandomState(0), n_iter_no_change=1)
    assert fewer.n_epochs < done.n_epochs


@each_of("multi_class", ["ovr", "ovo"])
@each_of("model", MODELS, ids=names)
def test_partial_fit_in_batches_is_one_pass(model, multi_class):
    X, y = cloud()
    settings = {"multi_class": multi_class, "shuffle": False, "max_iter": 1, "calibration": None}
    whole = quiet_fit(clone(model).set_params(**settings), X, y)
    parts = clone(model).set_params(**settings)
    for start in (0, 1, 2, 50):
        rows = slice(start, {0: 1, 1: 2, 2: 50}.get(start))
        parts.partial_fit(X[rows], y[rows], classes=["c", "a", "b"] if start == 0 else None)
        parts = pickle.loads(pickle.dumps(parts))
    np.testing.assert_allclose(parts.coef_last_, whole.coef_last_, rtol=1e-12)
    np.testing.assert_allclose(parts.coef_mean_, whole.coef_mean_, rtol=1e-9)
    np.testing.assert_array_equal(parts.n_updates_, whole.n_updates_)
    np.testing.assert_array_equal(parts.n_steps_, whole.n_steps_)
    np.testing.assert_array_equal(parts.coef_, parts.coef_mean_)
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))
    assert (parts.n_iter_ == 4).all()
    assert (parts.status_ == "online").all()
    assert len(np.unique(parts.predict(X))) > 1 or isinstance(model, noneuclid.WeberPerceptron)


def test_partial_fit_goes_on_after_fit_without_its_calibration():
    X, y = cloud()
    model = quiet_fit(noneuclid.PoincarePerceptron(max_iter=2, average=False), X, y)
    assert model.predict_proba(X).shape == (90, 3)
    steps, updates, points = model.n_steps_, model.n_updates_, model.reference_points_
    model.partial_fit(X[:10], y[:10])
    np.testing.assert_array_equal(model.n_steps_, steps + 10)
    assert (model.n_updates_ >= updates).all()
    np.testing.assert_array_equal(model.reference_points_, points)
    np.testing.assert_array_equal(model.coef_, model.coef_last_)
    assert not hasattr(model, "predict_proba")
    assert hasattr(quiet_fit(model, X, y), "predict_proba")


def test_partial_fit_refuses_what_it_cannot_use():
    X, y = cloud()
    model = noneuclid.PoincarePerceptron()
    with pytest.raises(InputError, match="needs classes="):
        model.partial_fit(X, y)
    with pytest.raises(InputError, match=r"row 0 has label .*not among classes"):
        model.partial_fit(X[y == "a"], y[y == "a"], classes=["b", "c"])
    with pytest.raises(InputError, match="at least 2"):
        model.partial_fit(X, y, classes=["a"])
    only = y != "c"
    with pytest.raises(InputError, match=r"first rows have no row of class 'c'.*'origin'"):
        model.partial_fit(X[only], y[only], classes=["a", "b", "c"])
    model.partial_fit(X, y, classes=["a", "b", "c"])
    with pytest.raises(InputError, match="differ from those of earlier calls"):
        model.partial_fit(X, y, classes=["a", "b"])
    model.partial_fit(X[only], y[only])
    for given in ("origin", [0.1, 0.2]):
        model = noneuclid.PoincarePerceptron(reference_point=given)
        model.partial_fit(X[only], y[only], classes=["a", "b", "c"]).partial_fit(X, y)


@each_of("model", MODELS, ids=names)
def test_limit_on_updates_warns(model):
    X, y = cloud(classes=2)
    model = clone(model).set_params(max_updates=4)
    with pytest.warns(ConvergenceWarning, match="4 updates"):
        model.fit(X, y)
    assert model.n_updates_.tolist() == [4]
    assert model.status_ == "mistakes left"
    online = clone(model).partial_fit(X[:2], y[:2], classes=["a", "b"])
    with pytest.warns(ConvergenceWarning, match="max_updates=4 is reached"):
        online.partial_fit(X[2:], y[2:])
    before = online.coef_last_
    with pytest.warns(ConvergenceWarning, match="have no effect"):
        online.partial_fit(X, y)
    np.testing.assert_array_equal(online.coef_last_, before)
    assert online.n_updates_.tolist() == [4]


@each_of("model", MODELS, ids=names)
def test_seeds_draw_the_order(model):
    X, y = cloud()
    fits = [
        quiet_fit(clone(model).set_params(random_state=seed, max_iter=3), X, y)
        for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(fits[0].coef_, fits[1].coef_)
    assert not np.array_equal(fits[0].coef_, fits[2].coef_)


@each_of("model", MODELS, ids=names)
def test_one_answer_in_every_chart_and_curvature(model):
    X, y = cloud()
    settings = {"max_iter": 3, "random_state": 0, "average": False}
    plain = quiet_fit(clone(model).set_params(**settings), X, y)
    for chart in ("poincare", "klein", "hyperboloid"):
        for curvature in (1.0, 4.0):
            Z = convert(X / np.sqrt(curvature), "tangent", chart, curvature)
            other = clone(model).set_params(chart=chart, curvature=curvature, **settings)
            if hasattr(other, "budget"):
                other.set_params(budget=other.budget / np.sqrt(curvature))
            quiet_fit(other, Z, y)
            np.testing.assert_array_equal(other.n_updates_, plain.n_updates_)
            found, expected = other.decision_function(Z), plain.decision_function(X)
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


@each_of("model", MODELS, ids=names)
def test_bad_points_are_named(model):
    X, y = np.array([[0.1, 0.2], [0.3, -0.1], [1.0, 0.0], [0.2, 0.2]]), [0, 1, 0, 1]
    model = clone(model).set_params(chart="poincare")
    with pytest.raises(InputError, match="row 2 lies outside the Poincaré ball"):
        model.fit(X, y)
    with pytest.raises(InputError, match="row 2 lies outside the Poincaré ball"):
        model.partial_fit(X, y, classes=[0, 1])
    quiet_fit(model, X[[0, 1, 3]], [0, 1, 1])
    with pytest.raises(InputError, match="row 1 lies outside"):
        model.predict([[0.0, 0.0], [2.0, 0.0]])
    with pytest.raises(ValueError, match="max_updates"):
        model.set_params(max_updates=0).fit(X[:2], y[:2])


@pytest.mark.parametrize("model", POINCARE, ids=names)
def test_a_reference_point_outside_is_refused(model):
    X, y = np.array([[0.1, 0.2], [0.3, -0.1]]), [0, 1]
    for wrong in ([1.0, 0.0], [0.9, 0.9]):
        bad = clone(model).set_params(chart="poincare", reference_point=wrong)
        with pytest.raises(InputError, match="outside the Poincaré ball"):
            bad.fit(X, y)
    with pytest.raises(InputError, match="reference_point has shape"):
        bad.set_params(reference_point=[0.0, 0.0, 0.0]).fit(X, y)


def test_settings_out_of_range_are_refused():
    X, y = cloud(classes=2)
    with pytest.raises(ValueError, match="'alpha' parameter"):
        noneuclid.PoincareSecondOrderPerceptron(alpha=-1.0).fit(X, y)
    with pytest.raises(ValueError, match="'budget' parameter"):
        noneuclid.PoincareStrategicPerceptron(budget=-1.0).fit(X, y)
    with pytest.raises(InputError, match="initial has shape"):
        noneuclid.WeberPerceptron(init=[0.0, 1.0]).fit(X, y)
    with pytest.raises(InputError, match="budget is -1"):
        strategic_agents.move_agents(X, np.ones(2), -1.0)
    with pytest.raises(InputError, match="margin is nan"):
        strategic_agents.play_game(X, np.ones(90), 1.0, margin=np.nan)


@each_of("model", MODELS, ids=names)
def test_a_point_with_both_labels_is_shown(model):
    X = np.array([[2.0, 2.0], [0.1, 0.2], [1.0, 0.0], [-1.0, 0.0], [0.1, 0.2]])
    for multi_class in ("ovr", "ovo"):
        model = clone(model).set_params(multi_class=multi_class)
        said = "rows 1 and 4 are the same point with labels 'b' and 'c'"
        with pytest.warns(ConvergenceWarning, match=f"nothing separates all classes: {said}"):
            model.fit(X, ["a", "b", "c", "b", "c"])


def test_contradictions_are_found():
    rng = np.random.default_rng(0)
    for n in (3, 6, 30):
        for _ in range(50):
            X, signs = rng.integers(-2, 3, size=(n, 2)).astype(float), rng.choice([-1, 1], size=n)
            pairs = [
                (i, j)
                for i in range(n)
                for j in range(i + 1, n)
                if (X[i] == X[j]).all() and signs[i] != signs[j]
            ]
            found = find_contradiction(X, signs)
            assert (found in pairs) if pairs else found is None


def test_strategic_scores_place_the_line_at_the_budget():
    X, y = cloud(classes=2)
    model = noneuclid.PoincareStrategicPerceptron(
        budget=0.4, reference_point=[0.3, 0.1], curvature=2.0, average=False
    )
    quiet_fit(model, X, y)
    point, w = model.reference_points_[0], model.weights_[0]
    points = convert(np.sqrt(2) * X, "tangent", "hyperboloid")
    sinh = reference_rules.seen_from(points, point)
    length = np.linalg.norm(sinh, axis=1)
    v = sinh * (np.arcsinh(length) / length)[:, None]
    expected = v @ w / np.linalg.norm(w) - np.sqrt(2) * 0.4
    np.testing.assert_allclose(model.decision_function(X), expected / np.sqrt(2), atol=2e-9)
    on_line = np.sqrt(2) * 0.4 * w / np.linalg.norm(w)
    assert Strategic(np.sqrt(2) * 0.4).scores(on_line[None], w)[0] > 0
    assert Strategic(1.0).scores(v, np.zeros(2)).tolist() == [1.0] * 90


def test_a_limit_that_just_suffices_is_no_failure():
    Z, signs = np.eye(4), np.ones(4)
    done = mistake_driven.run(Z, signs, max_updates=4)
    assert (done.clean, done.n_updates, done.n_epochs, done.mistakes) == (True, 4, 1, 0)
    np.testing.assert_array_equal(done.w, np.ones(4))


def test_separable_data_are_separated_by_all_but_weber():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 2)) * 2
    X = X[np.abs(X[:, 0]) > 0.4]
    y = X[:, 0] > 0
    for model in MODELS[:-1]:
        if isinstance(model, noneuclid.PoincareStrategicPerceptron):
            continue  # plain data are no stream of rational agents
        fitted = clone(model).set_params(max_iter=5000).fit(X, y)
        assert fitted.status_ == "separated"
        assert fitted.score(X, y) == 1.0
        np.testing.assert_array_equal(fitted.coef_, fitted.coef_last_)
    weber = quiet_fit(noneuclid.WeberPerceptron(random_state=0), X, y)
    assert weber.n_undefined_[0] >= 1
