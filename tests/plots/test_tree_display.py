"""The display of hyperbolic trees: counts, words, pruning, errors."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from sklearn.exceptions import NotFittedError

from noneuclid import (
    HorosphereDecisionTreeClassifier,
    HyperbolicDecisionTreeClassifier,
    HyperbolicDecisionTreeRegressor,
    HyperbolicHistGradientBoostingClassifier,
    HyperbolicRandomForestClassifier,
    PoincareSVC,
    TreeDisplay,
)
from noneuclid.classifiers import tree_text
from noneuclid.errors import InputError

draw = TreeDisplay.from_estimator


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def points(d=2, n=60):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, d))
    return X, np.array(["left", "right", "top"])[(X[:, 0] > 0) + 1 * (X[:, 1] > 0.7)]


def tree(d=2, **settings):
    X, y = points(d)
    return HyperbolicDecisionTreeClassifier(random_state=0, **settings).fit(X, y), X, y


def words(ax):
    return [text.get_text() for text in ax.texts]


def test_nodes_have_their_split_angle_and_number_of_samples():
    model, X, y = tree(max_depth=3)
    display = draw(model, X, y)
    disk, diagram = display.ax_
    nodes = tree_text.splits(model)
    inner = [node for node in nodes if node.left >= 0]
    assert len([patch for patch in diagram.patches if isinstance(patch, Circle)]) == len(inner)
    assert len(disk.lines) == len(inner)
    text = words(diagram)
    for number, node in enumerate(nodes):
        count = f"n = {model.model_.tree_.n_node_samples[number]}"
        if node.left >= 0:
            split = f"axis {node.axis + 1} at {node.position:.2f}".replace("-", "−")
            assert f"{split}\nθ = {np.degrees(node.angle):.1f}°\n{count}" in text
        else:
            name = model.classes_[node.value.argmax()]
            assert f"{name}\n{100 * node.value.max():.0f} %\n{count}" in text
    dots = np.concatenate([part.get_offsets() for part in disk.collections])
    assert len(dots) == len(X)
    bare = words(display.plot(angles=False, samples=False).ax_[1])
    assert not any("θ" in line or "n = " in line for line in bare)


def test_smaller_coordinates_are_on_the_left():
    model, _, _ = tree(max_depth=1)
    diagram = draw(model).ax_[1]
    (left, right) = [text for text in diagram.texts if text.get_text() in "≤>"]
    assert (left.get_text(), right.get_text()) == ("≤", ">")
    assert left.get_position()[0] < right.get_position()[0]


def test_a_cut_tree_has_leaves_at_that_depth():
    model, X, y = tree()
    whole, cut = draw(model, X, y), draw(model, X, y, max_depth=1)
    assert cut.n_leaves == 2 < whole.n_leaves == model.model_.get_n_leaves()
    assert [cell.node for cell in cut.cells if cell.is_leaf] == sorted(
        [cut.nodes[0].left, cut.nodes[0].right]
    )
    assert len(cut.arcs) == 1
    assert whole.samples.tolist() == model.model_.tree_.n_node_samples.tolist()


def test_other_dimensions_have_a_diagram_alone():
    model, X, y = tree(3, max_depth=2)
    display = draw(model, feature_names=["u", "v", "w"])
    assert len(display.figure_.axes) == 1
    assert not display.ax_.patches
    named = [text for text in words(display.ax_) if " at " in text]
    assert {text[0] for text in named} <= {"u", "v", "w"}
    with pytest.raises(InputError, match="X has 3 dimensions, the disk 2"):
        draw(model, X, y)
    with pytest.raises(InputError, match="has no disk; give one axes"):
        draw(model, ax=Figure().subplots(1, 2))


def test_axes_that_are_given_are_used():
    model, X, y = tree(max_depth=2)
    figure = Figure()
    panels = figure.subplots(1, 2)
    display = draw(model, X, y, ax=panels)
    assert display.ax_.tolist() == panels.tolist()
    assert display.figure_ is figure
    alone = figure.add_subplot()
    assert draw(model, ax=alone).ax_ is alone


def test_trees_of_a_forest_by_index():
    X, y = points()
    forest = HyperbolicRandomForestClassifier(n_estimators=3, max_depth=2, random_state=0).fit(X, y)
    first, last = draw(forest, X, y), draw(forest, X, y, index=2)
    assert first.samples.tolist() != last.samples.tolist()
    with pytest.raises(InputError, match="tree 3 does not exist; the model has trees 0 to 2"):
        draw(forest, index=3)


@pytest.mark.parametrize(
    "model",
    [
        HyperbolicDecisionTreeRegressor(),
        HorosphereDecisionTreeClassifier(max_depth=1),
        HyperbolicHistGradientBoostingClassifier(max_iter=2),
        PoincareSVC(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_other_models_are_refused(model):
    X, y = points()
    codes = (y == "left").astype(int)
    with pytest.raises(NotFittedError):
        draw(model)
    with pytest.raises(InputError, match=f"not {type(model).__name__}; use PoincareDisk"):
        draw(model.fit(X, codes))


def test_a_depth_of_nothing_is_refused():
    with pytest.raises(InputError, match="max_depth=0; give 1 or more"):
        draw(tree()[0], max_depth=0)
