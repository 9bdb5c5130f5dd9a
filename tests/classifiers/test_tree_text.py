import re
import sys

import numpy as np
import pandas as pd
import pytest

import noneuclid
from noneuclid.classifiers import tree_text
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace, charts
from noneuclid_compare.data.generators import wrapped_normal_mixture
from noneuclid_papers.illustrations import hyperbolic_trees


def fitted(curvature=1.0, **settings):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)) / np.sqrt(curvature)
    y = np.where(X[:, 1] > 0.2 / np.sqrt(curvature), "up", "down")
    model = noneuclid.HyperbolicDecisionTreeClassifier(
        max_depth=2, curvature=curvature, random_state=0, **settings
    )
    return model.fit(X, y), X


@pytest.mark.parametrize("curvature", [1.0, 0.25])
def test_splits_are_the_hyperplanes_of_the_paper(curvature):
    model, X = fitted(curvature)
    points = charts.convert(X, "tangent", "hyperboloid", curvature)
    root = tree_text.splits(model)[0]
    above = np.sin(root.angle) * points[:, root.axis + 1] - np.cos(root.angle) * points[:, 0] > 0
    position = np.arctanh(points[:, root.axis + 1] / points[:, 0]) / np.sqrt(curvature)
    np.testing.assert_array_equal(above, position > root.position)
    left = model.decision_path(X)[:, [root.left]].toarray()[:, 0] > 0
    np.testing.assert_array_equal(left, ~above)


def test_text_has_names_positions_and_shares():
    model, _ = fitted(4.0)
    lines = noneuclid.export_text(model, ["a", "b", "c"], decimals=2).splitlines()
    root = tree_text.splits(model)[0]
    degrees = np.degrees(np.arctan2(1, np.tanh(2 * root.position)))
    assert lines[0] == f"b at {root.position:.2f} or below (θ = {degrees:.1f}°)"
    assert f"b above {root.position:.2f}" in lines
    leaves = [line for line in lines if "(θ" not in line and "above" not in line]
    assert len(leaves) == model.model_.get_n_leaves()
    assert all(line.strip("| ").startswith(("up (", "down (")) for line in leaves)


@pytest.mark.parametrize("chart", ["tangent", "hyperboloid"])
def test_text_names_the_columns_of_a_data_frame(chart):
    X = charts.convert(np.random.default_rng(0).normal(size=(60, 2)), "tangent", chart)
    y = X[:, -1] > 0.2
    columns = ["time", "size", "age"][-X.shape[1] :]
    model = noneuclid.HyperbolicDecisionTreeClassifier(chart=chart, max_depth=1)
    framed = noneuclid.export_text(model.fit(pd.DataFrame(X, columns=columns), y))
    assert framed.startswith("age at ")
    assert noneuclid.export_text(model.fit(X, y), ["size", "age"]) == framed
    assert noneuclid.export_text(model) == framed.replace("age", "axis 2")


def test_text_of_a_tree_deeper_than_recursion():
    X = np.arange(1401)[:, None] / 1000
    model = noneuclid.HyperbolicDecisionTreeClassifier(random_state=0).fit(X, np.arange(1401) % 2)
    assert model.model_.get_depth() > sys.getrecursionlimit()
    lines = noneuclid.export_text(model).splitlines()
    assert len(lines) == model.model_.tree_.node_count - 1 + model.model_.get_n_leaves()


def test_text_of_one_tree_of_each_kind():
    X = np.random.default_rng(1).normal(size=(60, 2))
    y = X[:, 0] > 0
    for name in ("DecisionTree", "RandomForest", "ExtraTrees"):
        for kind in ("Classifier", "Regressor"):
            model = getattr(noneuclid, f"Hyperbolic{name}{kind}")(random_state=0).fit(X, y)
            assert noneuclid.export_text(model).startswith("axis ")
    assert noneuclid.export_text(model, index=7) != noneuclid.export_text(model)


def follow(lines, space, x):
    """Value at the leaf of a row, by the text alone: blocks are read as a person would."""
    depth = 0
    for line in lines:
        indent, text = line.count("|   "), line.replace("|   ", "")
        if indent != depth:
            continue
        name, _, rest = text.partition(": ")
        if not rest:
            return float(text)
        factor = next(f for f in space.factors if f.name == name)
        block = x[factor.columns]
        numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", rest)]
        if "angle" in rest:
            i, j, low, high = numbers
            i, j = int(i), int(j)
            inside = (np.arctan2(block[j], block[i]) - low) % (2 * np.pi) < high - low
        else:
            axis, where = numbers
            position = block[int(axis)]
            if factor.kind == "H":
                position = np.arctanh(position / block[0]) / np.sqrt(-factor.curvature)
            inside = (position <= where) == ("or below" in rest)
        depth += inside
    raise AssertionError("no leaf")


@pytest.mark.parametrize("n_features", ["auto", "d_choose_2"])
def test_the_text_of_a_product_tree_predicts_as_the_tree(n_features):
    space = ProductSpace("H2 S2 S2 E1", curvatures=[-4.0, 0.25, 1.0, 0.0])
    X, fresh = (space.random_wrapped_normal(200, random_state=k) for k in (0, 1))
    y = X[:, 1] * X[:, 4] + X[:, 7] * X[:, 9]
    model = noneuclid.ProductRandomForestRegressor(space, n_features=n_features, max_depth=5)
    model.set_params(n_estimators=3, random_state=0).fit(X, y)
    for index, tree in enumerate(model.estimators_):
        lines = noneuclid.export_text(model, index=index, decimals=12).splitlines()
        assert lines == noneuclid.export_text(tree, decimals=12).splitlines()
        found = [follow(lines, space, x) for x in fresh]
        np.testing.assert_allclose(found, tree.predict(fresh), atol=1e-11)


def hours(n=200):
    """Rows of S1 x E1 with the hour as (cos, sin); the class is that of the morning."""
    hour = np.random.default_rng(0).uniform(0, 24, n)
    angle = hour * np.pi / 12
    X = np.column_stack([np.cos(angle), np.sin(angle), np.random.default_rng(1).normal(size=n)])
    return pd.DataFrame(X, columns=["c", "s", "wind"]), np.where(hour < 12, "a.m.", "p.m.")


def test_the_angle_of_hours_is_the_polar_angle():
    X, y = hours()
    model = noneuclid.ProductDecisionTreeClassifier("S1 E1", max_depth=1).fit(X.to_numpy(), y)
    lines = noneuclid.export_text(model).splitlines()
    text, leaf = re.sub(r"[-\d.]+(?=[,)])", lambda m: f"{float(m[0]):.0f}", lines[0]), lines[1]
    assert (text, leaf) == ("S1: axes 0, 1 at an angle in [0, 3)", "|   a.m. (1.000)")


def test_names_of_columns_in_product_trees():
    X, y = hours()
    y = y + np.where(X["wind"] > 0, "!", "")
    named = noneuclid.ProductDecisionTreeClassifier("S1 E1").fit(X, y)
    assert named.feature_names_ == ["S1: c, s", "E1: wind"]
    text = noneuclid.export_text(named)
    assert "S1: c, s at an angle in [" in text
    assert "E1: wind at " in text
    bare = noneuclid.ProductDecisionTreeClassifier("S1 E1").fit(X.to_numpy(), y)
    assert bare.feature_names_ == ["S1: axes 0, 1", "E1: axis 0"]
    assert noneuclid.export_text(bare, X.columns) == text
    with pytest.raises(InputError, match="2 feature names for 3 columns of X; give one for each"):
        noneuclid.export_text(bare, ["hour", "wind"])
    # A chart without a pole has no column for each axis.
    space = ProductSpace("S1 E1", charts=["tangent", "euclidean"])
    model = noneuclid.ProductDecisionTreeClassifier(space).fit(X[["c", "wind"]], y)
    assert model.feature_names_ == ["S1: axes 0, 1", "E1: wind"]


def test_columns_of_product_coordinates():
    X, _ = hours()
    model = noneuclid.ProductCoordinates("S1 E1").fit(X)
    found = model.transform(X)
    assert model.get_feature_names_out().tolist() == ["S1: c, s", "E1: wind"]
    polar = np.arctan2(X["s"], X["c"])
    np.testing.assert_allclose((found[:, 0] - polar + 1) % (2 * np.pi), 1)
    assert (found[:, 0] > -np.pi / 2).all()
    assert (found[:, 0] <= 3 * np.pi / 2).all()
    np.testing.assert_array_equal(found[:, 1], X["wind"])


def test_refusals_name_the_cure():
    model, X = fitted()
    with pytest.raises(InputError, match="2 feature names for 3 axes"):
        noneuclid.export_text(model, ["a", "b"])
    boosting = noneuclid.HyperbolicHistGradientBoostingClassifier(max_iter=2).fit(X, X[:, 0] > 0)
    with pytest.raises(InputError, match="has no trees to print"):
        noneuclid.export_text(boosting)
    tree = noneuclid.ProductDecisionTreeClassifier().fit(X, X[:, 0] > 0)
    with pytest.raises(InputError, match="2 feature names for 3 columns of X"):
        noneuclid.export_text(tree, ["a", "b"])
    with pytest.raises(InputError, match="tree 1 does not exist"):
        noneuclid.export_text(tree, index=1)


def test_pictures_show_every_leaf_split_and_point(tmp_path):
    settings = {"n_samples": 120, "n_classes": 3, "spread": 1.0}
    data = wrapped_normal_mixture.load({}, 2, **settings)
    X, y = data.features, data.labels
    model = noneuclid.HyperbolicDecisionTreeClassifier(
        max_depth=3, chart="hyperboloid", random_state=0
    ).fit(X, y)
    figure = hyperbolic_trees.draw_tree(model, X, y)
    disk, diagram = figure.axes
    leaves = model.model_.get_n_leaves()
    assert len(disk.patches) == leaves + 1
    assert len(disk.lines) == leaves - 1
    assert sum(len(marks.get_offsets()) for marks in disk.collections) == len(y)
    boxes = [text for text in diagram.texts if "%" in text.get_text()]
    assert len(boxes) == leaves
    assert len({round(text.get_position()[0], 6) for text in boxes}) == leaves
    row = hyperbolic_trees.draw_trees([model, model], [(X, y)] * 2, ["one", "two"])
    assert [ax.get_title() for ax in row.axes] == ["one", "two"]
    figure.savefig(tmp_path / "tree.png")
    assert (tmp_path / "tree.png").stat().st_size > 10_000
