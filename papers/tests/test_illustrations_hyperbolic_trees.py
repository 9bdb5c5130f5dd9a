import numpy as np
import pytest

from noneuclid import (
    HyperbolicDecisionTreeClassifier,
    HyperbolicRandomForestClassifier,
    PoincareSVC,
)
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid.plots import tree_regions
from noneuclid_compare.data.generators import wrapped_normal_mixture
from noneuclid_compare.records import Embedded
from noneuclid_papers.illustrations import hyperbolic_trees


def scene(classes, model):
    settings = {"n_samples": 120, "n_classes": classes, "spread": 0.5}
    data = wrapped_normal_mixture.load({}, 0, **settings)
    points = Embedded(data.features, data.chart, data.labels, data.class_names)
    X = charts.convert(data.features, "hyperboloid", model.chart)
    return points, {"estimator": model.fit(X, np.array(data.class_names)[data.labels])}


@pytest.fixture(scope="module")
def trees():
    small = {"max_depth": 3, "random_state": 0}
    first = scene(3, HyperbolicDecisionTreeClassifier(**small, chart="hyperboloid"))
    second = scene(2, HyperbolicRandomForestClassifier(**small, n_estimators=4, chart="poincare"))
    points = {"three/given": first[0], "two/given": second[0]}
    return points, {"three/given/tree": first[1], "two/given/forest": second[1]}


def test_a_row_of_disks_and_a_diagram_for_each_tree(trees):
    drawn = hyperbolic_trees.draw(*trees, None)
    assert list(drawn) == ["regions", "tree_1", "tree_2"]
    titles = [ax.get_title() for ax in drawn["regions"][0].axes]
    assert titles == ["3 classes", "2 classes"]
    assert "three/given/tree, two/given/forest" in drawn["regions"][1]
    assert drawn["tree_1"][1].startswith("three/given/tree as a tree.")
    assert drawn["tree_2"][1].endswith("Shown is the first of 4 trees.")


def test_every_split_is_an_arc_and_every_row_a_point(trees):
    ax = hyperbolic_trees.draw(*trees, None)["regions"][0].axes[0]
    model = trees[1]["three/given/tree"]["estimator"]
    assert len(ax.lines) == len(tree_regions.arcs(model)) > 1
    drawn = np.concatenate([dots.get_offsets() for dots in ax.collections])
    assert len(drawn) == 120
    assert (np.linalg.norm(drawn, axis=1) < 1).all()


def test_only_the_trees_that_are_asked_for(trees):
    assert list(hyperbolic_trees.draw(*trees, None, trees=[])) == ["regions"]
    drawn = hyperbolic_trees.draw(*trees, None, trees=["two/given/forest"])
    assert drawn["tree_1"][1].startswith("two/given/forest")


def test_refuses_what_it_cannot_draw(trees):
    points, models = trees
    with pytest.raises(InputError, match="no model 'x'; known: three"):
        hyperbolic_trees.draw(points, models, None, trees=["x"])
    with pytest.raises(InputError, match="put two/given under points"):
        hyperbolic_trees.draw({"three/given": points["three/given"]}, models, None)
    with pytest.raises(InputError, match="no hyperbolic tree or forest"):
        hyperbolic_trees.draw(points, {"three/given/svm": {"estimator": PoincareSVC()}}, None)
    with pytest.raises(InputError, match="at least one"):
        hyperbolic_trees.draw(points, {}, None)
